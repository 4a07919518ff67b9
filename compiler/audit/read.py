"""Divide a file of settings into entries.

What a file is shows in its content, unless the command says it: JSON begins with a brace, a tuned profile has sections, a
file of sysctls has one assignment to a line, a boot line has words. Everything else is a list of BIOS settings. Each form
has one reader. A line that is neither an entry nor a comment is counted as not read, and names that nobody knows are found by `recognise`.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from setpoint.compiler.audit.conditions import of_document, of_script
from setpoint.compiler.audit.documents import PLAYBOOK
from setpoint.compiler.audit.firmware import is_firmware, renamed, settings_of
from setpoint.compiler.audit.lines import is_of_modules, line_span, module_options, sysctl, words_of
from setpoint.compiler.audit.manifests import entries_of_manifest, is_manifest
from setpoint.compiler.audit.model import AuditedFile, Entry
from setpoint.compiler.audit.nested import below_keys
from setpoint.compiler.audit.scripts import has_commands, settings_of_script
from setpoint.compiler.audit.templates import without_statements
from setpoint.compiler.audit.tuned import entries_of, is_profile
from setpoint.compiler.captures.profiles import assigned, is_comment
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import SourceText, Span, lines_of

ARGUMENTS, SYSCTL, TUNED, BIOS, MANIFEST, SCRIPT = (
    "arguments",
    "sysctl",
    "tuned",
    "bios",
    "manifest",
    "script",
)

FORMS = (ARGUMENTS, SYSCTL, TUNED, BIOS, MANIFEST, SCRIPT)
"""The forms of files: a kernel's boot line, a file of sysctls, a tuned profile, BIOS settings, a document of an operator or a playbook, a script."""

MOST_ENTRIES = 5_000
"""How many entries a file may have: several times those of a list of all sysctls, or of all attributes of a BIOS."""

SYSCTL_LINE = re.compile(r"\s*-?[A-Za-z0-9_-]+([./][A-Za-z0-9_*-]+)+\s*=[^=]*")
VARIABLE = re.compile(
    r"\s*(?:export\s+)?(GRUB_CMDLINE(?!_XEN|_NETBSD)[A-Z_]*|kernelopts|options)\s*[= ]\s*(.*)"
)
"""The lines of a boot loader's configuration that have a boot line of Linux: what a hypervisor or another kernel gets is not for it."""
EXPRESSION = re.compile(r"(?:(?<!\s)\s++)?\{\{[^{}]*\}\}(?:\s*=\s*\{\{[^{}]*\}\})?\s*")
"""A line that a template fills in as a whole, perhaps a name and a value."""

SHELL = re.compile(
    r"^[^\S\n]*(?:#!/|(?:sudo|export|service|chkconfig|systemctl)\s|if\s.*;\s*then|fi\s*$|done\s*$|for\s+\w+\s+in\s)",
    re.MULTILINE,
)
"""Lines that only a script has."""

YAML = re.compile(r"^---\s*$", re.MULTILINE)
NESTED = re.compile(r"^ {2,}[\w./-]+:[ \t]*$", re.MULTILINE)
"""What a document of YAML may begin with, and a key of it below another: of such a one a list of settings of the firmware is guessed only if a name is known."""

SAME_VARIABLE = re.compile(r"\$\{?GRUB_CMDLINE[A-Z_]*\}?")
"""What a boot loader's configuration adds to."""

Knows = Callable[[str, str], bool]
"""Whether an interface has a name."""


def audited(source: SourceText, form: str, knows: Knows) -> AuditedFile:
    """The entries of a file, which is in the form named, or in that which its content shows ("").

    Raises SetpointError (E0901) if it has no entries in this form, or too many.
    """
    source, conditional, branches = without_statements(source)
    is_guessed, form = not form, form or form_of(source.text, knows)
    within = CONDITIONS[form](lines_of(source.text)) if form in CONDITIONS else {}
    entries: list[Entry] = []
    unread: list[Span] = []
    try:
        for found in READERS[form](source):
            if isinstance(found, Span):
                unread.append(found)
            else:
                line = found.span.line
                conditions = (*branches.get(line, ()), *within.get(line, ()))
                is_conditional = found.is_conditional or line in conditional
                entries.append(found._replace(is_conditional=is_conditional, conditions=conditions))
            if len(entries) > MOST_ENTRIES:
                raise _refused(source.name, f"has more than {MOST_ENTRIES} settings")
    except ValueError as error:
        raise _refused(source.name, str(error)) from None
    if not entries:
        raise _refused(source.name, f"has no settings, read as `{form}`")
    is_list = form == BIOS and is_guessed and not is_firmware(source.text)
    is_document = YAML.search(source.text) or (
        NESTED.search(source.text) and not below_keys(lines_of(source.text))
    )
    if is_list and is_document and not any(knows(e.interface, e.name) for e in entries):
        raise _refused(source.name, "has no settings that are known")
    if form == BIOS:
        entries = list(renamed(entries, knows))
    return AuditedFile(source.name, form, tuple(entries), tuple(unread))


def form_of(text: str, knows: Knows) -> str:
    """The form that a text has."""
    if is_firmware(text):
        return BIOS
    lines = [line for line in lines_of(text) if line.strip() and not is_comment(line)]
    if IS_SCRIPT.search(text):
        return SCRIPT
    if is_manifest(text):
        return MANIFEST
    if is_profile(lines):
        return MANIFEST if PLAYBOOK.search(text) else TUNED
    if text.lstrip()[:1] in ("{", "[") and not text.lstrip().startswith("{{"):
        return BIOS
    if any(VARIABLE.fullmatch(line) for line in lines) and not PLAYBOOK.search(text):
        return ARGUMENTS
    if has_commands(text) and not PLAYBOOK.search(text):
        return SCRIPT
    lines = [EXPRESSION.sub("x", line) for line in lines if not EXPRESSION.fullmatch(line)]
    if lines and all(SYSCTL_LINE.fullmatch(line) for line in lines):
        name = assigned(lines[0])[0].replace("/", ".")
        return SYSCTL if len(lines) > 1 or " " in lines[0].strip() or knows("sysctl", name) else ARGUMENTS
    if SHELL.search(text):
        return SCRIPT
    is_list = any(re.search(r"\s[=:]\s|:\s|^\s*\|", line) for line in lines)
    return BIOS if is_list or len(lines) > 1 else ARGUMENTS


IS_SCRIPT = re.compile(r"\A#!.*\b(?:ba|da|k|z)?sh\b|^%(?:pre|post|packages)\b", re.MULTILINE)
"""What a script of a shell begins with, and what begins the parts of an installer's answers."""


def _refused(name: str, why: str) -> SetpointError:
    at = Span(name, 1, 1, 1, 1)
    help_ = f"say what it is: `--as` {', '.join(FORMS)}"
    return SetpointError(Diagnostic("E0901", f"`{name}` {why}", at, help=(help_,)))


# --------------------------------------------------------------------------------------- a boot line


def _arguments(source: SourceText) -> Iterator[Entry]:
    """The words of boot lines. In a boot loader's configuration only those of its variables."""
    lines = lines_of(source.text)
    if is_of_modules(lines):
        yield from module_options(source)
        return
    is_configuration = any(VARIABLE.fullmatch(line) for line in lines)
    quote = ""
    for number, line in enumerate(lines, 1):
        if is_comment(line) and not quote:
            continue
        start, end = 0, len(line)
        if quote:  # the line before goes on here
            end, quote = _end(line, start, quote)
        elif is_configuration:
            found = VARIABLE.fullmatch(line)
            if found is None:
                continue
            start, end = found.span(2)
            if line[start:end].strip("\"'").startswith("$("):
                continue  # what a program answers
            if line[start : start + 1] in ("'", '"'):
                end, quote = _end(line, start + 1, line[start])
                start += 1
        yield from (
            word
            for word in words_of(source.name, number, line, start, end)
            if not SAME_VARIABLE.fullmatch(word.written)
        )


def _end(line: str, start: int, quote: str) -> tuple[int, str]:
    """Where a text in quotes ends on a line, and the quote if it goes on in the next one."""
    closing = line.find(quote, start)
    if closing < 0 and line.endswith("\\"):
        return len(line) - 1, quote
    return (closing if closing >= 0 else len(line)), ""


# --------------------------------------------------------------------------------- lines of sysctls


def _sysctls(source: SourceText) -> Iterator[Entry | Span]:
    for number, line in enumerate(lines_of(source.text), 1):
        if not line.strip() or is_comment(line):
            continue
        span, assignment = line_span(source.name, number, line), assigned(line)
        yield sysctl(span, *assignment) if assignment[0] else span


READERS: dict[str, Callable[[SourceText], Iterator[Entry | Span]]] = {
    ARGUMENTS: _arguments,
    SYSCTL: _sysctls,
    TUNED: entries_of,
    BIOS: settings_of,
    MANIFEST: entries_of_manifest,
    SCRIPT: settings_of_script,
}
"""The reader of each form."""

CONDITIONS: dict[str, Callable[[list[str]], Mapping[int, tuple[str, ...]]]] = {
    MANIFEST: of_document,
    SCRIPT: of_script,
}
"""Of the forms that have conditions, the reader of those."""
