"""Boot lines, sysctls and files of /sys in scripts, in what else has commands or is written line by line, and in
commands of playbooks.

    grubby --args=WORDS    and the like, by a table of the library
    GRUB_CMDLINE_…=WORDS   of a boot loader's configuration, also in what `sed` puts in the place of it
    NAME=WORDS             of a variable that one of these has as a word
    sysctl -w NAME=VALUE
    echo VALUE > /proc/sys/NAME, or > /sys/PATH, also by `tee`
    NAME = VALUE           of a sysctl, in a text that a script writes into a file
    tee PATH <<< VALUE     with any of these paths; a variable in one stands for each device
    ATTR{PATH}="VALUE"     of a rule of udev, for the devices that the rule is about, or SYSCTL{NAME}="VALUE"
    w PATH - - - - VALUE   of a file for systemd-tmpfiles
    NAME                   of a module, in a text for /etc/modules or a file below /etc/modules-load.d

Answers of installers, units of systemd and files for images are such texts. Each command is an entry as it is written;
under which conditions it is run is in `conditions`. Texts for commands, each perhaps a file, are parts.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from setpoint.compiler.captures.profiles import is_comment
from setpoint.compiler.diagnostics.source import SourceText, Span, lines_of
from setpoint.compiler.entries.branches import here_documents, with_folders
from setpoint.compiler.entries.carried import Carried, carried
from setpoint.compiler.entries.lines import ALONE, ENTRY, OF_A_COMMAND, boot_line, line_span, sysctl, words_of
from setpoint.compiler.entries.model import Entry
from setpoint.compiler.entries.modprobe import options_of_line

VARIABLE = r"%[a-z]|\$\w+|\$\{[^{}\s]{1,100}\}|\{\{[^{}\n]{1,100}\}\}"
PATH = rf"""/(?:sys|proc/sys)/(?:[\w./*:-]|{VARIABLE})+(?![\w./*:$\\{{%-])"""
"""A file of the kernel, perhaps that of a device which a variable names."""
PATHS = rf"""(?P<paths>(?:["']?{PATH}["']?\s*){{1,20}})"""
WRITTEN = re.compile(
    rf"""\b(?:echo|printf)\s+(?:-[neE]+\s+){{0,3}}(?P<quote>["']?)(?P<text>[^"'|>]{{1,200}}?)(?P=quote)\s*(?:>{{1,2}}|\|\s*(?:sudo\s+)?(?:/usr/bin/)?tee\s+(?:-a\s+)?(?:--\s+)?)\s*{PATHS}"""
)
HANDED = re.compile(rf"""\btee\s+(?:-a\s+)?{PATHS}\s*<<<\s*(?P<quote>["']?)(?P<text>[^"'|>\s]+)""")
"""What commands write: by a pipe or into a file, or as a text that a shell hands to `tee`."""
ECHOED = re.compile(r"""(?:\becho\s+(?:-\w+\s+)?|\b(?:line|block|content)\s*[:=]\s*)["']$""")
"""What stands before a command that is written into a file."""

ECHOED_SYSCTL = re.compile(
    r"""\becho\s+(?:-\w+\s+)?(["']?)([a-z]+[./][\w./*-]+)\s*=\s*([^"'>|#\\]{1,200}?)\1\s*(?:>|\|\s*(?:sudo\s+)?tee)"""
)
"""A sysctl that a command writes into a file."""
SYSCTL_WRITE = re.compile(r"""\bsysctl["']?[\s,]+(?:["']?--?\w+["']?[\s,]+){0,20}(?=[\w./\"'-]+\s*=)(.*)""")
"""A command, or a list of a command's words."""

RULE = re.compile(r"""\b(?:ATTR|(SYSCTL))\{([\w./*-]+)\}\s*[:+]?=\s*"([^"]*)\"""")
"""A file that a rule of udev writes: of the device that the rule is about, or a sysctl."""
OF_DISKS = re.compile(r"(?:queue|device)/\w+")
SUBSYSTEM = re.compile(r"""\bSUBSYSTEM\s*==\s*"(\w+)\"""")
DISKS = "block"
TMPFILE = re.compile(r"\s*[wW]\+?[!=~^-]*\s+(/(?:sys|proc/sys)/\S+)(?:\s+\S+){4}\s+(.*)")
OTHER_LINES = re.compile(
    r"^\[(?:Unit|Service)\][^\S\n]*$|^[^\S\n]*(?:ACTION|SUBSYSTEM|KERNEL|DRIVER|(?:ATTRS?|ENV)\{[^{}]*\})\s*[!=]=|^[wW]\+?[!=~^-]*\s+/(?:sys|proc/sys)/|^FROM\s+\S+(?:\s+AS\s.*)?$|^SELINUX=\w+[^\S\n]*$",
    re.MULTILINE,
)
"""What begins a section of a unit, a rule of udev, a line of systemd-tmpfiles that writes, a file for images,
and that of SELinux."""
PAIR = re.compile(
    r"""["']?(?<![\w./-])([a-z][\w-]*+[./][\w./-]++)=(\\?"[^"]*"|'[^']*'|[^\s"';&|]+(?:[ \t]+\d+(?=[\d \t]*["']))*)["']?"""
)

BOOT_VARIABLE = re.compile(r"\bGRUB_CMDLINE(?!_XEN|_NETBSD)[A-Z_]*\+?=(?=\\?[\"'])")
"""A variable of a boot loader's configuration, before its words."""
REPLACED = re.compile(r"""\bs([/|#@,~])((?:(?!\1)[^\\]|\\.){0,400})\1((?:(?!\1)[^\\]|\\.){0,2000})\1""")
"""What `sed` puts in the place of what."""

OF_BOOT_LINES = re.compile(
    r"GRUB_CMDLINE|/etc/default/grub|/etc/kernel/cmdline|/boot/(?:firmware/)?cmdline\.txt|/tuned\.conf"
)
"""What a command names that changes a boot line."""

BEFORE_WORDS = re.compile(r"""(?:(?:GRUB_CMDLINE[A-Z_]*|cmdline\w*)=|\\?["']|\\(?:[0-9]|g<\w+>)|&|\s)*""")
BEHIND_WORDS = re.compile(r"""(?:\\?["']|\\(?:[0-9]|g<\w+>)|(?<=\s)\s)*$""")
"""What stands around the words in the place of a boot loader's variable: the variable, and what was found."""

QUOTE = re.compile(r"""\\?["']""")
BEGIN_WORDS = re.compile(rf"{QUOTE.pattern}|\((?=[^(]|$)")
"""A quote, or what begins an array of a shell."""
FILLED_IN = re.compile(r"\{\{[^{}]{0,500}\}\}")
"""What a template fills in: its quotes are no quotes of the text."""

CLOSING = {
    begin: re.compile(rf"(?<!\\){re.escape(end)}")
    for begin, end in {"'": "'", '"': '"', "\\'": "\\'", '\\"': '\\"', "(": ")"}.items()
}
BLANK = re.compile(r"\s")
REFERENCE = re.compile(r"\$\{?(\w+)(?:(?<=\w)[/:#%^,\[].*)?\}?")
ASSIGNED = re.compile(r"\s*(?:(?:export|local|readonly|declare)\s+(?:-\w+\s+)?)?(\w+)\+?=(?=[\"'$(])")
WORD = re.compile(r"[A-Za-z0-9_][\w.-]*")
"""The name of a word that a script states itself."""
IS_WORD = re.compile(rf"{WORD.pattern}|(?!\$\{{?GRUB_){REFERENCE.pattern}")

OPTIONS_FILE = "modprobe.d"
"""What a script names that writes options for modprobe."""
ECHO = re.compile(r"""^.*?\becho\s+(?:-\w+\s+)?["'](?=options\s)|(?<=[^\s=])["']\s*\|?\s*(?:>|sudo|tee).*$""")

MODULES_FILE = r"/etc/modules(?:-load\.d/[\w.-]+)?"
MODULE = re.compile(r"\s*([a-z][\w-]+)\s*")
MODULE_ECHOED = re.compile(
    rf"""\becho\s+["']?{MODULE.pattern}["']?\s*(?:>>?|\|\s*(?:sudo\s+)?tee\s+(?:-a\s+)?)\s*["']?{MODULES_FILE}"""
)
"""A name of a module that is written into a file of those that are loaded at the start."""

IN_FILES = -1
"""The part of what a script writes into files line by line, beside what it sets at once."""

MOST_CONTINUED = 100
"""How many lines a text in quotes may have."""


def has_commands(text: str) -> bool:
    """Whether a text has a command that sets something of the kernel."""
    return any(True for _ in settings_of_script(SourceText("", text), is_file=False))


def settings_of_script(source: SourceText, *, is_file: bool = True) -> Iterator[Entry]:
    """The settings of a script; `is_file` says whether sysctls that it writes into files count as well."""
    known = carried()
    if not known.commands:
        return
    original, assignment = lines_of(source.text), _assignment(known)
    lines = with_folders(original)
    variables = _with_words(source.name, lines)
    within = here_documents(lines)
    has_options = is_file and OPTIONS_FILE in source.text
    for at, line in enumerate(lines):
        if is_comment(line):
            continue
        span = line_span(source.name, at + 1, line)
        entries = list(settings_of_command(source.name, lines, at))
        assigned = ASSIGNED.match(line)
        if not entries and assigned and assigned[1] in variables:
            words = _words(source.name, lines, at, assigned.end())
            entries += [word for word in words if WORD.fullmatch(word.name)]
        if not (entries or any(options_of_line(source.name, at + 1, line))):
            entries += _of_loader(source.name, lines, at, is_written=at + 1 in within)
        if line != original[at]:
            entries = [word._replace(span=line_span(source.name, at + 1, original[at])) for word in entries]
        for word in entries:
            reference = REFERENCE.fullmatch(word.written)
            if reference is None or not (reference[1] in variables or REPLACED.search(line)):
                yield word if word.is_of_devices else word._replace(part=within.get(at + 1, word.part))
        if has_options and not entries:
            options = options_of_line(source.name, at + 1, ECHO.sub(lambda m: " " * len(m[0]), line))
            yield from (option._replace(part=within.get(at + 1, IN_FILES)) for option in options)
        head = lines[within.get(at + 1, 0) - 1] if at + 1 in within else ""
        module = MODULE.fullmatch(line) if re.search(MODULES_FILE, head) else MODULE_ECHOED.search(line)
        if is_file and module:
            yield Entry("argument", "modules_load", module[1], module[1], span)
        file = assignment.search(line) if is_file and not entries else None
        if file and carried().is_sysctl(file[1]):
            yield sysctl(span, file[1], file[2].strip())._replace(part=within.get(at + 1, IN_FILES))


def _of_loader(name: str, lines: Sequence[str], at: int, *, is_written: bool) -> Iterator[Entry]:
    """The words of a line that a script writes for a boot loader: those of one entry of its menu are together."""
    kind, start, end = boot_line(lines[at])
    if not kind or not (is_written or kind == OF_A_COMMAND):
        return
    is_quoted = lines[at].startswith(("'", '"'), start)
    words = _words(name, lines, at, start) if is_quoted else words_of(name, at + 1, lines[at], start, end)
    of_menu = (f"entry {at}",) if kind in (ALONE, ENTRY) else ()
    yield from (word._replace(conditions=of_menu) for word in words if IS_WORD.fullmatch(word.name))


def settings_of_command(name: str, lines: Sequence[str], at: int) -> Iterator[Entry]:
    """The settings of the commands that begin on a line."""
    known, line = carried(), lines[at]
    if not known.commands:
        return
    for start in _starts(lines, at, known):
        yield from (word for word in _words(name, lines, at, start) if IS_WORD.fullmatch(word.name))
    for replaced in REPLACED.finditer(line) if OF_BOOT_LINES.search(line) else ():
        yield from replacement(name, line, at + 1, *replaced.span(3))
    span = line_span(name, at + 1, line)
    for match in (*WRITTEN.finditer(line), *HANDED.finditer(line)):
        text = match["text"].strip()
        part = IN_FILES if ECHOED.search(line, 0, match.start()) else 0
        for path in re.findall(PATH, match["paths"]):
            every = re.sub(VARIABLE, "*", path)
            entry = _written(span, every, text)
            yield entry._replace(part=part if every == path else -1 - at, is_of_devices=every != path)
    if write := SYSCTL_WRITE.search(line):
        yield from (sysctl(span, pair[1], pair[2].strip("\\\"'")) for pair in PAIR.finditer(write[1]))
    for file in ECHOED_SYSCTL.finditer(line):
        if carried().is_sysctl(file[2]):
            yield sysctl(span, file[2], file[3])._replace(part=IN_FILES)
    if line_of_file := TMPFILE.fullmatch(line):
        yield _written(span, *line_of_file.groups())
    subsystem = SUBSYSTEM.search(line)
    kind = subsystem[1] if subsystem else DISKS
    folder = kind if kind == DISKS else f"bus/{kind}/devices" if kind in carried().buses else f"class/{kind}"
    for rule in RULE.finditer(line):
        if rule[1]:
            yield sysctl(span, rule[2], rule[3])._replace(part=-1 - at, is_of_devices=True)
        elif subsystem or OF_DISKS.fullmatch(rule[2]):
            entry = _written(span, f"/sys/{folder}/*/{rule[2]}", rule[3])
            yield entry._replace(part=-1 - at, is_of_devices=True)


def replacement(name: str, line: str, number: int, start: int, end: int) -> Iterator[Entry]:
    """The words of what is put in the place of a boot line, or of a part of one."""
    before = BEFORE_WORDS.match(line, start, end)
    start = before.end() if before else start
    for word in words_of(name, number, line, start, start + len(BEHIND_WORDS.sub("", line[start:end]))):
        if IS_WORD.fullmatch(word.name) and not word.name.startswith("GRUB_"):
            yield word


def _written(span: Span, path: str, text: str) -> Entry:
    """What is written into a file of the kernel."""
    if path.startswith("/proc/sys/"):
        return sysctl(span, path.removeprefix("/proc/sys/"), text)
    return Entry("sysfs", path, text, f"{path} = {text}", span)


def _starts(lines: Sequence[str], at: int, known: Carried) -> Iterator[int]:
    """Where words of a boot line begin, perhaps in quotes; the command may begin on lines above."""
    line, first = lines[at], at
    while first > max(at - MOST_CONTINUED, 0) and lines[first - 1].endswith("\\"):
        first -= 1
    before = " ".join(lines[first:at]) + " " * (first < at)
    for name, options in _commands(known):
        for command in name.finditer(before + line):
            ends = (option.end() - len(before) for option in options.finditer(before + line, *command.span()))
            yield from (end for end in ends if end >= 0)
    if not REPLACED.search(line):
        ends = (match.end() for match in BOOT_VARIABLE.finditer(line))
        yield from (end for end in ends if _open_quote(line, end) != line[end])


def _without_quotes(match: re.Match[str]) -> str:
    return QUOTE.sub(lambda quote: "_" * len(quote[0]), match[0])


def _open_quote(line: str, end: int) -> str:
    """The quote that a place of a line is within, "" for none."""
    quote = ""
    for at, letter in enumerate(line[:end]):
        if letter in "\"'" and quote in ("", letter) and (at == 0 or line[at - 1] != "\\"):
            quote = "" if quote else letter
    return quote


def _words(name: str, lines: Sequence[str], at: int, start: int) -> Iterator[Entry]:
    """The words of a text in quotes, which can have several lines, or of one without."""
    quoted = BEGIN_WORDS.match(lines[at], start)
    if quoted is None:
        end = next((match.start() for match in BLANK.finditer(lines[at], start)), len(lines[at]))
        yield from words_of(name, at + 1, lines[at], start, end)
        return
    quote, start = quoted[0], quoted.end()
    start += lines[at].startswith("+", start)  # tuned adds what begins so to what other profiles have
    outer = _open_quote(lines[at], quoted.start())
    if outer and outer != quote:  # its end is the end of both
        masked = FILLED_IN.sub(_without_quotes, lines[at])
        ends = (masked.find(outer, start), masked.find(quote, start), len(masked))
        end = min(end for end in ends if end >= 0)
        yield from words_of(name, at + 1, lines[at], start, end)
        return
    for number in range(at, min(at + MOST_CONTINUED, len(lines))):
        closing = CLOSING[quote].search(FILLED_IN.sub(_without_quotes, lines[number]), start)
        end = closing.start() if closing else len(lines[number].rstrip("\\"))
        yield from words_of(name, number + 1, lines[number], start, end)
        if closing:
            return
        start = 0


def _with_words(name: str, lines: Sequence[str]) -> set[str]:
    """The variables that a script gives words of a boot line: those that are a word of one, or of such a variable."""
    assigned: dict[str, list[Entry]] = {}
    waiting: list[Entry] = []
    for at, line in enumerate(lines):
        if not is_comment(line):
            waiting += settings_of_command(name, lines, at)
            if head := ASSIGNED.match(line):
                assigned.setdefault(head[1], []).extend(_words(name, lines, at, head.end()))
    variables: set[str] = set()
    while waiting:
        variable = REFERENCE.fullmatch(waiting.pop().written)
        if variable is not None and variable[1] in assigned and variable[1] not in variables:
            variables.add(variable[1])
            waiting += assigned.get(variable[1], ())
    return variables


@cache
def _commands(known: Carried) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Commands, each with its options that have words of a boot line."""
    return tuple(
        (
            re.compile(rf"\b{re.escape(name)}\b[^;|]*"),
            re.compile(rf"\s(?:{'|'.join(options)})(?:=|\s+)(?=\S)"),
        )
        for name, options in known.commands.items()
    )


@cache
def _assignment(known: Carried) -> re.Pattern[str]:
    roots = "|".join(map(re.escape, known.roots))
    return re.compile(
        rf"""(?:^\s*|\b(?:echo|printf)\s+(?:-\w+\s+)?["'])((?:{roots})(?:[./][a-zA-Z0-9_*-]+)+)\s*=\s*([^"'>|\\]+)"""
    )
