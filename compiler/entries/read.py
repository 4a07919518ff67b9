"""Divide a file of settings into entries.

What a file is shows in its content, unless the command says it: JSON begins with a brace, a tuned profile has sections,
a file of sysctls has one assignment to a line, a boot line has words. Everything else is a list of BIOS settings. Each
form has one reader. A line that is neither an entry nor a comment is counted as not read, and names that nobody knows
are found by `recognise`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from setpoint.compiler.captures.profiles import assigned, is_comment
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText, Span, lines_of
from setpoint.compiler.entries.blocks import fenced, is_guide, literals, written_texts
from setpoint.compiler.entries.boot_lines import has_boot_lines, of_variables, words_of_boot_lines
from setpoint.compiler.entries.branches import of_program, of_script
from setpoint.compiler.entries.carried import carried
from setpoint.compiler.entries.commands import has_commands as has_tools
from setpoint.compiler.entries.conditions import of_document
from setpoint.compiler.entries.documents import PLAYBOOK
from setpoint.compiler.entries.firmware import is_firmware, is_json, renamed, settings_of
from setpoint.compiler.entries.guides import settings_in_block, settings_in_prose
from setpoint.compiler.entries.lines import line_span, sysctl
from setpoint.compiler.entries.makers import LEAST_SHOWN, all_attributes
from setpoint.compiler.entries.manifests import (
    entries_of_manifest,
    entries_of_profiles,
    entries_of_script,
    is_manifest,
    profiles_in,
)
from setpoint.compiler.entries.model import AuditedFile, Entry, Piece
from setpoint.compiler.entries.modprobe import IS_FOR_MODPROBE, is_of_modules, named_modules
from setpoint.compiler.entries.nested import has_key_of_attributes
from setpoint.compiler.entries.scripts import OTHER_LINES, has_commands
from setpoint.compiler.entries.templates import without_statements
from setpoint.compiler.entries.tuned import entries_of, is_profile

FORMS = ("arguments", "sysctl", "tuned", "bios", "manifest", "script", "guide", "program")
ARGUMENTS, SYSCTL, TUNED, BIOS, MANIFEST, SCRIPT, GUIDE, PROGRAM = FORMS
"""The forms of files: a kernel's boot line, a file of sysctls, a tuned profile, BIOS settings, a document of an
operator or a playbook, a script, a guide for people, a program with texts in quotes."""

MOST_ENTRIES = 5_000
"""How many entries a file may have: several times those of a list of all sysctls, or of all attributes of a BIOS."""

FEW_KNOWN, MOST_OF_A_TEXT = 3, 60
"""Of how many names one is known where lines may be settings of the firmware: if it is fewer, only those are, and of
them none with a text of more letters, which is a sentence."""

SYSCTL_LINE = re.compile(r"\s*-?[A-Za-z0-9_-]+([./][A-Za-z0-9_*-]+)+\s*=[^=]*")
MOST_STRAY = 10
"""Of how many lines of a file of sysctls one may be another assignment: one whose name is damaged."""
STRAY_LINE = re.compile(r"\s*[\w.-]+\s*=[^=]*")

EXPRESSION = re.compile(r"(?:(?<!\s)\s++)?\{\{[^{}]*\}\}(?:\s*=\s*\{\{[^{}]*\}\})?\s*")
"""A line that a template fills in as a whole, perhaps a name and a value."""

SHELL = re.compile(
    r"^[^\S\n]*(?:\[[^\]\n]{1,80}\][#$]\s)?(?:#!/|(?:sudo|export|service|chkconfig|systemctl|sysctl)\s|if\s.*;\s*then|fi\s*$|done\s*$|for\s+\w+\s+in\s|(?:cat|tee)\s.*<<-?\s*[\"']?\w+[\"']?)",
    re.MULTILINE,
)
"""Lines that only a script has."""

BOOT_WORD = re.compile(r"\$?[a-z][\w.-]*")
"""The name of a word of a boot line, or of a variable with some, but for a few."""

MIXED = re.compile(r"^(?:---\s*$| {2,}[\w./-]+:[ \t]*$|\s{0,12}(?:`{3}|~{3}))", re.MULTILINE)
"""What a document of YAML may begin with, a key of it below another, and the fence of a guide: they have names of all
kinds."""

Knows = Callable[[str, str], bool]
"""Whether an interface has a name."""
Heard = Callable[[Iterable[str]], frozenset[str]]
"""Those of some names that are an attribute's, or what a menu calls one, on any server."""
HasMore = Callable[[SourceText], bool]
"""Whether there is anything to say of a text that has no entries."""


def audited(
    source: SourceText, form: str, knows: Knows, heard: Heard, has_more: HasMore = lambda _: False
) -> AuditedFile:
    """The entries of a file, which is in the form named, or in that which its content shows (""): if there are none in
    that form, the file is a program, of which the texts in quotes are read, or one with attributes among its lines.

    Raises SetpointError if it has no entries in this form, or too many (E0901), or is only guessed to be of the
    firmware, and no name in it is known (E0908).
    """
    if form:
        return _in_form(source, form, knows, None, has_more)
    try:
        return _in_form(source, form_of(without_statements(source)[0].text, knows), knows, heard, has_more)
    except SetpointError as error:
        for other, among in ((PROGRAM, None), (BIOS, all_attributes().intersection)):
            with suppress(SetpointError):
                return _in_form(source, other, knows, among, has_more)
        raise error from None


def _in_form(
    source: SourceText, form: str, knows: Knows, heard: Heard | None, has_more: HasMore
) -> AuditedFile:
    """The entries of a file in a form; with `heard` that is guessed, so that a name of the firmware must be known."""
    whole = source
    source, conditional, branches = without_statements(whole)
    reader = READERS.get(form) or (lambda text: OF_BLOCKS[form](text, knows))
    within = CONDITIONS[form](lines_of(source.text)) if form in CONDITIONS else {}
    entries: list[Entry] = []
    unread: list[Span] = []
    profiles: list[SourceText] = []
    try:
        for piece in reader(source):
            if isinstance(piece, Span):
                unread.append(piece)
            elif isinstance(piece, SourceText):
                profiles.append(piece)
            else:
                line = piece.span.line
                conditions = (*branches.get(line, ()), *within.get(line, ()), *piece.conditions)
                is_conditional = piece.is_conditional or line in conditional
                entries.append(piece._replace(is_conditional=is_conditional, conditions=conditions))
            if len(entries) > MOST_ENTRIES:
                raise _refused(source.name, f"has more than {MOST_ENTRIES} settings")
    except ValueError as error:
        raise _refused(source.name, str(error)) from None
    if not (entries or any(named_modules(source)) or has_more(source)):
        raise _refused(source.name, f"has no settings, read as `{form}`")
    is_guessed = form == ARGUMENTS and heard is not None
    if is_guessed and not (_are_words(entries, knows) or has_boot_lines(lines_of(source.text))):
        raise _refused(source.name, "has no word of a boot line that is known", "E0908")
    if form == BIOS:
        entries = list(renamed(entries, knows))
    file = AuditedFile(whole, form, tuple(entries), tuple(unread), tuple(profiles))
    is_list = form == BIOS or (form == GUIDE and entries[:1] and entries[0].interface == "attribute")
    return _of_firmware(file, knows, heard) if is_list and heard is not None else file


def form_of(text: str, knows: Knows) -> str:
    """The form that a text has: the first of which it has a mark, else one by its commands, or by its lines."""
    if marked := next((form for form, has_mark in MARKS if has_mark(text)), ""):
        return marked
    lines = _stated(text)
    if not PLAYBOOK.search(text):
        if has_boot_lines(lines):
            return ARGUMENTS
        if has_commands(text):
            return SCRIPT
    lines = [EXPRESSION.sub("x", line) for line in lines if not EXPRESSION.fullmatch(line)]
    if lines and _are_sysctls(lines, knows):
        name = assigned(lines[0])[0].replace("/", ".")
        return SYSCTL if len(lines) > 1 or " " in lines[0].strip() or knows("sysctl", name) else ARGUMENTS
    if _has_sysctls(lines, knows) or (SHELL.search(text) and not has_key_of_attributes(text)):
        return SCRIPT
    if any(True for _ in settings_in_prose("", lines_of(text), (), knows)):
        return GUIDE
    is_list = any(re.search(r"\s[=:]\s|:\s|：|^\s*\|", line) for line in lines)
    return BIOS if is_list or (len(lines) > 1 and not _are_arguments(lines, knows)) else ARGUMENTS


def _stated(text: str) -> list[str]:
    """The lines of a text that are neither blank nor comments."""
    return [line for line in lines_of(text) if line.strip() and not is_comment(line)]


def _has_sysctls(lines: list[str], knows: Knows) -> bool:
    """Whether half of the lines are sysctls of which one is known: a part of a script."""
    names = [assigned(line)[0].replace("/", ".") for line in lines if SYSCTL_LINE.fullmatch(line)]
    return 2 * len(names) > len(lines) and any(knows("sysctl", name) for name in names)


def _are_arguments(lines: list[str], knows: Knows) -> bool:
    """Whether lines have the words of a boot line, of which most are known."""
    names = [word.partition("=")[0] for line in lines for word in line.split()]
    return 2 * sum(knows("argument", name) for name in names) > len(names)


def _are_words(entries: Sequence[Entry], knows: Knows) -> bool:
    """Whether entries may be of a boot line: all look like words of one, or half are known or have a value as well."""
    like = {entry for entry in entries if BOOT_WORD.fullmatch(entry.name)}
    read = [entry for entry in entries if knows("argument", entry.name) or carried().reader(entry.name)]
    with_value = {entry for entry in like if entry.text is not None}
    return len(like) == len(set(entries)) or 2 * len(with_value.union(read)) >= len(entries)


def _are_sysctls(lines: list[str], knows: Knows) -> bool:
    """Whether lines are of a file of sysctls: all of them, or all but a few whose name is damaged."""
    others = [line for line in lines if not SYSCTL_LINE.fullmatch(line)]
    are_stray = len(others) * MOST_STRAY <= len(lines) and all(map(STRAY_LINE.fullmatch, others))
    names = (assigned(line)[0].replace("/", ".") for line in lines)
    return not others or (are_stray and any(knows("sysctl", name) for name in names))


def _of_firmware(file: AuditedFile, knows: Knows, heard: Heard) -> AuditedFile:
    """A file that was guessed to have settings of the firmware: a tool or a key says so, or some names are known. Where
    few are, these alone are settings. Raises SetpointError (E0908)."""
    text, entries = file.source.text, file.entries
    is_below_key = not PLAYBOOK.search(text) or any(entry.is_name for entry in entries)
    if is_firmware(text) or (is_below_key and has_key_of_attributes(text)):
        return file
    known = heard(entry.name for entry in entries)
    mine = tuple(e for e in entries if e.name in known and len(e.text or "") <= MOST_OF_A_TEXT)
    exact = sum(not name.islower() or "_" in name for name in known & all_attributes())
    are_few = FEW_KNOWN * len(mine) < len(entries) and not is_json(text)
    are_most = 2 * len(mine) > len(entries) or any(knows(entry.interface, entry.name) for entry in entries)
    lines = lines_of(text)
    rows = [entry in mine for entry in entries if lines[entry.span.line - 1].lstrip().startswith("|")]
    in_tables = sum(rows) if 2 * sum(rows) > len(rows) else 0
    are_several = (max(exact, in_tables) if MIXED.search(text) else len(mine)) >= LEAST_SHOWN
    is_enough = are_several or not (are_few or (MIXED.search(text) and not are_most))
    if mine and is_enough and not any("." in e.name and knows("argument", e.name) for e in entries):
        others = tuple(entry.span for entry in entries if entry.name not in known)
        return file._replace(entries=mine, unread=file.unread + others) if are_few else file
    names = "its name" if len(entries) == 1 else f"its {len(entries)} names"
    why = f"has no settings that are known: {names} may be for another program than the firmware"
    raise _refused(file.name, why, "E0908")


IS_SCRIPT = re.compile(r"\A#!.*\b(?:ba|da|k|z)?sh\b|^%(?:pre|post|packages)\b|^(?:cat|tee)\s.*<<", re.M)
"""What a script of a shell begins with, or writes a file by, and what begins the parts of an installer's answers."""

MARKS: tuple[tuple[str, Callable[[str], object]], ...] = (
    (ARGUMENTS, lambda text: text.lstrip().startswith("<") and has_boot_lines(lines_of(text))),
    (BIOS, is_firmware),
    (GUIDE, lambda text: is_guide(lines_of(text))),
    (SCRIPT, IS_SCRIPT.search),
    (MANIFEST, is_manifest),
    (SCRIPT, OTHER_LINES.search),
    (MANIFEST, lambda text: PLAYBOOK.search(text) and is_profile(_stated(text))),
    (SCRIPT, lambda text: profiles_in("", written_texts(lines_of(text)))),
    (TUNED, lambda text: is_profile(_stated(text))),
    (SCRIPT, lambda text: IS_FOR_MODPROBE.match(text) and not is_of_modules(lines_of(text))),
    (BIOS, is_json),
)
"""What only texts of a form have, in the order of asking: a script may have the profile that it writes."""


def _refused(name: str, why: str, code: str = "E0901") -> SetpointError:
    at = Span(name, 1, 1, 1, 1)
    help_ = f"say what it is: `--as` {', '.join(FORMS)}"
    return SetpointError.of(code, f"`{name}` {why}", at, help=(help_,))


# --------------------------------------------------------------------------------- lines of sysctls


def _sysctls(source: SourceText) -> Iterator[Entry | Span]:
    for number, line in enumerate(lines_of(source.text), 1):
        if not line.strip() or is_comment(line):
            continue
        span, assignment = line_span(source.name, number, line), assigned(line)
        yield sysctl(span, *assignment) if assignment[0] else span


def _of_guide(source: SourceText, knows: Knows) -> Iterator[Piece]:
    """The entries of a guide. A list of firmware settings in it is read as such if there is nothing of the kernel."""
    lines = lines_of(source.text)
    blocks = fenced(lines)
    profiles = profiles_in(source.name, blocks)
    pieces = list(entries_of_profiles(profiles, lines))
    numbers = {number for profile in profiles for number in profile.numbers}
    for block in blocks:
        if block.lines and block.numbers[0] not in numbers:
            pieces += settings_in_block(source.name, block, knows)
    pieces += settings_in_prose(source.name, lines, blocks, knows)
    yield from pieces
    if all(isinstance(piece, SourceText) for piece in pieces):
        yield from settings_of(source)


def _of_program(source: SourceText, knows: Knows) -> Iterator[Piece]:
    """The entries of what a program has in quotes: of profiles if there are any, else line by line."""
    lines = lines_of(source.text)
    block = literals(lines)
    profiles = profiles_in(source.name, [block])
    pieces = [*entries_of_profiles(profiles, lines)] or [*settings_in_block(source.name, block, knows)]
    yield from pieces
    read = {piece.line for piece in pieces if isinstance(piece, Span)}
    read |= {piece.span.line for piece in pieces if isinstance(piece, Entry)}
    for number, line in enumerate(lines, 1):
        if line.strip() and number not in read and not is_comment(line):
            yield line_span(source.name, number, line)


OF_BLOCKS: dict[str, Callable[[SourceText, Knows], Iterator[Piece]]] = {
    GUIDE: _of_guide,
    PROGRAM: _of_program,
}
"""The readers of these forms."""

READERS: dict[str, Callable[[SourceText], Iterable[Piece]]] = {
    ARGUMENTS: words_of_boot_lines,
    SYSCTL: _sysctls,
    TUNED: lambda source: (source, *entries_of(source)),
    BIOS: settings_of,
    MANIFEST: entries_of_manifest,
    SCRIPT: entries_of_script,
}
"""The reader of each form."""


def _of_commands(lines: list[str]) -> Mapping[int, tuple[str, ...]]:
    """The conditions of settings: a block of a guide, one of a program, and for commands the branches of a script."""
    if is_guide(lines):
        return {number: (f"block {block.numbers[0]}",) for block in fenced(lines) for number in block.numbers}
    return of_program(lines) or (of_script(lines) if has_tools("\n".join(lines)) else {})


CONDITIONS: dict[str, Callable[[list[str]], Mapping[int, tuple[str, ...]]]] = {
    ARGUMENTS: of_variables,
    BIOS: _of_commands,
    GUIDE: _of_commands,
    MANIFEST: of_document,
    PROGRAM: of_program,
    SCRIPT: of_script,
}
"""Of the forms that have conditions, the reader of those."""
