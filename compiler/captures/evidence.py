"""What collectors of support data keep of a server, brought to the places of a capture.

A report is read by the places that are wanted, not by what it has: a pattern such as
`/sys/devices/system/cpu/cpu*/online` is looked for, and what matches becomes the readings of one place. Places that a
report lacks are in neither part of a capture, since nobody knows whether the server has them. Two layouts are known,
from the sources of the programs:

- sos (sosreport/sos at 5c7e63e): files of the server under their own paths, the outputs of programs in
  `sos_commands/PLUGIN/`, each called as the command, with what is no letter replaced (`sos/report/plugins/__init__.py`,
  `_mangle_command`).
- supportconfig (g23guy/supportutils at 4bbcbb4, `bin/supportconfig.rc`): texts with sections, `#==[ Command ]==#` or
  `#==[ Configuration File ]==#`, then a line `# ` with the command, its program by its whole path, or with the file.
  Comments of files are left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from setpoint.compiler.captures.model import MOST_CPUS, Reading, Readings, is_numbered, number_list
from setpoint.compiler.captures.resources import ABSENT, TOO_LARGE, UnreadPlaceError
from setpoint.compiler.captures.texts import CPUINFO_PLACE, SYSCTL_FOLDER, grepped, sysctls
from setpoint.compiler.captures.tree import CaptureTree, folders_of
from setpoint.compiler.diagnostics.source import lines_of

RUN, LIST = "run ", "list "
"""How the places of programs and of the names in a folder begin."""

DMI_TYPE = "run dmidecode -t "
"""The place of one kind of structures; reports have all kinds together."""

RELEASE = "run uname -r"
"""The place of the kernel's release, which is the third word of all that uname knows."""

OF_ONE_CPU = re.compile(
    r"(?:processor|core id|apicid|initial apicid|cpu MHz|bogomips|BogoMIPS|address sizes)[ \t]*:"
)
"""Lines of /proc/cpuinfo that differ between CPUs that are alike; the collector leaves out the same."""

UNIT = re.compile(r"run systemctl show((?: -p \w+)+) (\S+\.service)")
ALL_SERVICES = "systemctl show *service --all"
"""The place of the state of one service, and the command by which a report has all properties of all services."""

LONGEST_TEXT = 256 << 10
"""The maximum length of a text that a capture gets, as of the collector."""

MOST_READINGS = 200_000
"""The maximum number of files that are read for one server."""

SYSCTL_COMMAND = "sysctl -a"
"""What prints all of /proc/sys."""

SECTION = re.compile(r"#==\[ ([A-Za-z ]{1,40}) \]=+#\Z")
FILE_SECTION, COMMAND_SECTION = "Configuration File", "Command"
MISSING = (" - File not found", "ERROR: Command not found or not executable")
PROGRAMS = re.compile(r"/(?:usr/)?s?bin/")
"""What supportconfig writes before what it copies, and where there is nothing to copy."""

SUPPORTCONFIG_FILES = (
    "basic-environment.txt", "basic-health-check.txt", "boot.txt", "env.txt", "fs-diskio.txt", "hardware.txt", "memory.txt", "modules.txt",
    "proc.txt", "sysfs.txt", "systemd.txt", "tuned.txt",
)  # fmt: skip
"""Its files that have something of interest."""

SOS_COMMANDS = "sos_commands"
"""The folder of sos with the outputs of programs."""

SPACE = re.compile(r"\s")
"""What names of devices do not have: a capture separates them by it."""


class HostEvidence(Protocol):
    """The files of a server, by their paths without the first slash, and what programs printed on it."""

    def names(self, folder: str) -> list[str]:
        """The names in a folder; none if there is no such folder."""

    def text(self, path: str) -> str:
        """The text of a file. Raises UnreadPlaceError."""

    def printed(self, command: str) -> str | None:
        """What a command printed; None if it was not run."""


class SosEvidence:
    """A report of sos; `top` is its folder in the tree."""

    def __init__(self, tree: CaptureTree, top: str) -> None:
        self._tree = tree
        self._top = top
        self._sysctls: dict[str, str] | None = None

    def names(self, folder: str) -> list[str]:
        """See `HostEvidence`."""
        return self._tree.names(_inner(self._top, folder))

    def text(self, path: str) -> str:
        """See `HostEvidence`. What `sysctl -a` printed stands for the files that sos does not copy."""
        try:
            return self._tree.text(_inner(self._top, path))
        except UnreadPlaceError:
            if not f"/{path}".startswith(SYSCTL_FOLDER):
                raise
            if self._sysctls is None:
                self._sysctls = dict(sysctls(self.printed(SYSCTL_COMMAND) or ""))
            if f"/{path}" not in self._sysctls:
                raise
            return self._sysctls[f"/{path}"]

    def printed(self, command: str) -> str | None:
        """See `HostEvidence`."""
        name = mangled(command)
        for plugin in self.names(SOS_COMMANDS):
            if name in self.names(f"{SOS_COMMANDS}/{plugin}"):
                try:
                    return self.text(f"{SOS_COMMANDS}/{plugin}/{name}")
                except UnreadPlaceError:
                    return None
        return None


def mangled(command: str) -> str:
    """The name of the file that sos gives what a command prints."""
    name = re.sub(r"^/(usr/|)(bin|sbin)/", "", command)
    return re.sub(r"[^\w\-./]+", "_", name).replace("/", ".").strip(" ._-")[:255]


class TextEvidence:
    """Texts by place: files, and `run ` with a command."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._folders = folders_of(place[1:] for place in texts if place.startswith("/"))

    def names(self, folder: str) -> list[str]:
        """See `HostEvidence`."""
        return self._folders.get(folder, [])

    def text(self, path: str) -> str:
        """See `HostEvidence`."""
        if f"/{path}" not in self._texts:
            raise UnreadPlaceError(ABSENT)
        return self._texts[f"/{path}"]

    def printed(self, command: str) -> str | None:
        """See `HostEvidence`."""
        return self._texts.get(RUN + command)


def supportconfig_evidence(tree: CaptureTree, top: str) -> TextEvidence:
    """A report of supportconfig; `top` is its folder in the tree. What comes first counts."""
    texts: dict[str, str] = {}
    for name in SUPPORTCONFIG_FILES:
        if name not in tree.names(top):
            continue
        try:
            text = tree.text(_inner(top, name))
        except UnreadPlaceError:
            continue
        for place, content in _sections(text):
            texts.setdefault(place, content)
            if place.startswith(f"{RUN}grep "):
                for file, line in grepped(content):
                    texts.setdefault(file, line)
    for place, value in sysctls(texts.get(RUN + SYSCTL_COMMAND, "")):
        texts.setdefault(place, value)
    return TextEvidence(texts)


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """The files and commands of one of supportconfig's texts, with what it copied of them."""
    kind, place, lines = "", "", list[str]()
    for line in [*lines_of(text), "#==[ End ]==#"]:
        if section := SECTION.match(line):
            copied = "\n".join(lines).strip("\n")
            if place and not copied.startswith(MISSING):
                yield place, copied
            kind, place, lines = section[1], "", []
        elif kind and not place:
            place = _place(kind, line)
            kind = kind if place else ""
        elif place:
            lines.append(line)


def _place(kind: str, line: str) -> str:
    """The place that the line after the head of a section names; "" for none."""
    name = line.removeprefix("# ")
    if name == line or line.endswith(MISSING):
        return ""
    if kind == COMMAND_SECTION:
        return RUN + PROGRAMS.sub("", name, count=1) if PROGRAMS.match(name) else RUN + name
    return name if kind == FILE_SECTION and name.startswith("/") else ""


# ----------------------------------------------------------------------------------------- places


def readings_of(evidence: HostEvidence, places: Iterable[str]) -> Readings:
    """The readings of a server at the places that are wanted, as far as there is evidence."""
    read: dict[str, tuple[Reading, ...]] = {}
    files = _Found()
    for pattern in dict.fromkeys(places):
        if not pattern.startswith("/"):
            text = _named(evidence, pattern) or ""
            if len(text) > LONGEST_TEXT:
                files.unread[pattern] = TOO_LARGE
            elif text:
                read[pattern] = (Reading(text.removesuffix("\n")),)
        else:
            for path, stars in _paths(evidence, pattern):
                files.add(evidence, path, *_place_of(pattern, stars))
    return Readings({**read, **files.readings()}, files.unread)


def _named(evidence: HostEvidence, place: str) -> str | None:
    """What is at a place that is no file, as far as reports have such; registers are in none."""
    if place.startswith(LIST):
        return " ".join(evidence.names(place.removeprefix(LIST).strip("/")))
    printed = evidence.printed(place.removeprefix(RUN)) if place.startswith(RUN) else None
    if printed is None and place.startswith(DMI_TYPE):
        return _structures(evidence.printed("dmidecode") or "", place.removeprefix(DMI_TYPE))
    if printed is None and place == RELEASE:
        return "".join((evidence.printed("uname -a") or "").split()[2:3])
    if printed is None and (unit := UNIT.fullmatch(place)):
        return _properties(evidence.printed(ALL_SERVICES) or "", unit[2], unit[1].split()[1::2])
    return printed


def different_processors(text: str) -> str:
    """What /proc/cpuinfo has of the first of all processors that are alike."""
    seen: dict[tuple[str, ...], str] = {}
    for block in re.split(r"^(?=processor[ \t]*:)", text, flags=re.MULTILINE):
        key = tuple(line for line in block.strip("\n").split("\n") if not OF_ONE_CPU.match(line))
        seen.setdefault(key, block.strip("\n"))
    return "\n\n".join(filter(None, seen.values()))


def _structures(text: str, kind: str) -> str:
    """The structures of a type as `dmidecode -t` prints them, from what it prints of all; "" if there is none."""
    head, *blocks = text.split("\nHandle ")
    structures = [block for block in blocks if f", DMI type {kind}," in block.partition("\n")[0]]
    return "\nHandle ".join([head, *structures]) if structures else ""


def _properties(text: str, unit: str, names: list[str]) -> str:
    """The properties of a service as `systemctl show` prints them, from what it prints of all; "" if it has none."""
    for block in text.split("\n\n"):
        lines = lines_of(block)
        if f"Id={unit}" in lines:
            return "\n".join(line for line in lines if line.partition("=")[0] in names)
    return ""


class _Found:
    """What was found, by place and text."""

    def __init__(self) -> None:
        self.unread: dict[str, str] = {}
        self._read: dict[str, dict[str, list[str]]] = {}
        self._number = 0

    def add(self, evidence: HostEvidence, path: str, place: str, where: str) -> None:
        """Read a file."""
        self._number += 1
        try:
            if self._number > MOST_READINGS:
                raise UnreadPlaceError(TOO_LARGE)
            text = evidence.text(path).removesuffix("\n")
            text = different_processors(text) if place == CPUINFO_PLACE else text
            if len(text) > LONGEST_TEXT:
                raise UnreadPlaceError(TOO_LARGE)
        except UnreadPlaceError as error:
            if str(error) != ABSENT:
                self.unread.setdefault(place, str(error))
            return
        self._read.setdefault(place, {}).setdefault(text, []).append(where)

    def readings(self) -> dict[str, tuple[Reading, ...]]:
        """The readings by place."""
        return {
            place: tuple(Reading(text, _where(place, where)) for text, where in texts.items())
            for place, texts in self._read.items()
        }


def _where(place: str, names: list[str]) -> str:
    """Where a text was read, as a capture says it."""
    return number_list(map(int, names)) if is_numbered(place) else " ".join(sorted(set(names)))


def _paths(evidence: HostEvidence, pattern: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The files that a pattern describes, each with what stands for its stars."""
    paths: list[tuple[str, tuple[str, ...]]] = [("", ())]
    parts = pattern.strip("/").split("/")
    for part in parts:
        names = re.compile("(.*)".join(map(re.escape, part.split("*"))))
        is_numbered_part = part in ("cpu*", "node*")
        following: list[tuple[str, tuple[str, ...]]] = []
        for folder, stars in paths:
            if "*" not in part:
                following.append((_inner(folder, part), stars))
                continue
            for name in evidence.names(folder) if len(following) < MOST_READINGS else ():
                match = names.fullmatch(name)
                if match and (is_number(match[1]) if is_numbered_part else not SPACE.search(name)):
                    following.append((_inner(folder, name), (*stars, *match.groups())))
        paths = following
    yield from paths


def is_number(text: str) -> bool:
    """Whether a text can be the number of a CPU or node."""
    return bool(re.fullmatch("[0-9]{1,5}", text)) and int(text) < MOST_CPUS


def _place_of(pattern: str, stars: tuple[str, ...]) -> tuple[str, str]:
    """The place of a file that a pattern describes, and what its star stands for: the CPU or node, else the first."""
    if not stars:
        return pattern, ""
    parts = pattern.split("*")
    kept = 0
    for number in range(len(stars)):
        if parts[number].endswith(("/cpu", "/node")):
            kept = number
            break
    filled = "".join(
        part + ("*" if number == kept else star)
        for number, (part, star) in enumerate(zip(parts, (*stars, ""), strict=True))
    )
    return filled, stars[kept]


def _inner(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder and name else folder or name
