"""Captures in whatever carries them: documents, folders, archives of support data, trees of a controller's answers,
outputs of programs.

Each carrier has one reader, whoever asks: `capture --from`, verification and inventories. What a file or a folder is
shows in its content. A folder stands for one server (a report that was unpacked, a tree of answers, outputs of
programs) or for many, one for each of its folders and files. A fleet is read one server after the other, and only when
its turn comes.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

from setpoint.compiler.captures.archives import PIECE, ArchiveError, is_archive, read_archive
from setpoint.compiler.captures.document import capture_of, is_capture
from setpoint.compiler.captures.evidence import (
    ALL_SERVICES,
    LIST,
    SOS_COMMANDS,
    SUPPORTCONFIG_FILES,
    HostEvidence,
    SosEvidence,
    TextEvidence,
    mangled,
    readings_of,
    supportconfig_evidence,
)
from setpoint.compiler.captures.mockup import CUSTOM, INDEX, controller_of_mockup, mockup_root
from setpoint.compiler.captures.model import Capture, Controller, Reading, Readings
from setpoint.compiler.captures.resources import UnreadPlaceError
from setpoint.compiler.captures.texts import (
    CMDLINE_PLACE,
    CPUINFO_PLACE,
    DMIDECODE_PLACE,
    FILE,
    LSCPU,
    LSCPU_JSON_PLACE,
    LSCPU_PLACE,
    OS_RELEASE_PLACE,
    PACKAGES_PLACE,
    SYSCTL_FOLDER,
    SYSCTL_PLACE,
    UNAME_PLACE,
    is_json,
    place_of_text,
    resource_path,
    sysctls,
)
from setpoint.compiler.captures.tree import CaptureTree, FolderTree
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.files.reading import names_in, open_file, parse_json, read_text
from setpoint.compiler.language.program import unreadable

IDENTITY = (
    OS_RELEASE_PLACE, CMDLINE_PLACE, CPUINFO_PLACE, LSCPU_PLACE, DMIDECODE_PLACE, UNAME_PLACE, "run uname -r", "/sys/class/dmi/id/product_name",
    "/sys/class/dmi/id/product_uuid", "/sys/class/dmi/id/sys_vendor", "/sys/class/dmi/id/bios_version", PACKAGES_PLACE,
)  # fmt: skip
"""What says which server it is: read of every archive, whatever else is wanted."""

PACKED = (".tar", ".tgz", ".tbz", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz")
"""How the names of archives end."""

DOCUMENT = ".json"
"""How the names of documents end."""

HOST_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,252}")
"""What can be the name of a host."""

NO_CAPTURE = "none of its files is a capture"
"""What is wrong with a folder that has other files only."""


class NoCaptureError(SetpointError):
    """A file or a folder has no capture (E0620): `why`, and whether it seems to be something else altogether."""

    def __init__(self, path: str, why: str, is_unknown: bool = False) -> None:
        help_ = ("`setpoint explain E0620` lists what is read",)
        super().__init__(
            Diagnostic("E0620", f"no capture in `{path}`: {why}", NOWHERE, help=help_, subject=path)
        )
        self.why = why
        self.is_unknown = is_unknown


OnError = Callable[[str, SetpointError], None]
"""What gets the name of a server whose capture cannot be read, and the error."""


def captures_in(
    paths: Iterable[str], within: str = "", places: Iterable[str] = IDENTITY, on_error: OnError | None = None
) -> Iterator[Capture]:
    """The captures in files and folders, one after the other, sorted by name within a folder.

    Args:
        paths: Documents, archives, reports, and folders of them.
        within: The folder that links in it must not lead out of.
        places: The patterns of what is read of archives and reports; IDENTITY always is.
        on_error: What gets the errors about the servers of a folder; without it they are raised.

    Raises SetpointError (E0619, E0620, and as `read` does for files that cannot be read).
    """
    wanted = tuple(dict.fromkeys([*IDENTITY, *places]))
    for path in paths:
        entries = _servers(path, within)
        if not entries:
            yield capture_from(path, within, wanted)
        for name in entries:
            try:
                yield capture_from(os.path.join(path, name), within, wanted)
            except SetpointError as error:
                if on_error is None:
                    raise
                on_error(_name_of(name), error)


def capture_from(path: str, within: str = "", places: Iterable[str] = IDENTITY) -> Capture:
    """The capture of one server in a file or a folder. Raises SetpointError, as `captures_in` does."""
    wanted = tuple(dict.fromkeys([*IDENTITY, *places]))
    try:
        return _of_folder(path, within, wanted) if os.path.isdir(path) else _of_file(path, within, wanted)
    except (OSError, UnicodeDecodeError) as error:
        raise SetpointError(unreadable(path, error)) from None


def _servers(path: str, within: str) -> list[str]:
    """The entries of a folder of servers; none if it is itself the carrier of one."""
    if not os.path.isdir(path) or _is_report(FolderTree(path, within)):
        return []
    try:
        return [name for name in names_in(path, within) if _is_server(path, name)]
    except OSError as error:
        raise SetpointError(unreadable(path, error)) from None


def _is_server(folder: str, name: str) -> bool:
    """Whether an entry of a folder can be a server; files beside them, such as a list of them, are none."""
    return not name.startswith(".") and (
        name.endswith((DOCUMENT, *PACKED)) or os.path.isdir(os.path.join(folder, name))
    )


def _name_of(path: str) -> str:
    """What the capture in a path is called."""
    name = os.path.basename(os.path.abspath(path))
    ending = next(
        (suffix for suffix in (DOCUMENT, *sorted(PACKED, key=len, reverse=True)) if name.endswith(suffix)), ""
    )
    return name.removesuffix(ending) or name


# ----------------------------------------------------------------------------------------- one server


def _of_folder(path: str, within: str, places: tuple[str, ...]) -> Capture:
    names = names_in(path, within)
    tree = FolderTree(path, within)
    if report := _report(tree, "", _name_of(path), places):
        return report
    texts: dict[str, str] = {}
    resources: dict[str, Any] = {}
    captures: list[Capture] = []
    for name in names:
        inner = os.path.join(path, name)
        if name.startswith(".") or not os.path.isfile(inner):
            continue
        try:
            text = read_text(inner, within)
        except UnicodeDecodeError:
            continue
        if capture := _take(inner, text, texts, resources):
            captures.append(capture)
    if not (texts or resources or captures):
        raise NoCaptureError(path, NO_CAPTURE, is_unknown=True)
    return _merged(_name_of(path), [*captures, _of_texts("", texts, resources, places)])


def _of_file(path: str, within: str, places: tuple[str, ...]) -> Capture:
    with open_file(path, within) as file:
        if is_archive(file.peek(PIECE)[:PIECE]):
            return _of_archive(path, file, places)
    text = read_text(path, within)
    texts: dict[str, str] = {}
    resources: dict[str, Any] = {}
    if capture := _take(path, text, texts, resources):
        return capture
    if not (texts or resources):
        raise NoCaptureError(path, "its content is not known", is_unknown=True)
    return _of_texts(_name_of(path), texts, resources, places)


def _of_archive(path: str, file: IO[bytes], places: tuple[str, ...]) -> Capture:
    try:
        tree = read_archive(file, _is_kept(places))
    except ArchiveError as error:
        raise NoCaptureError(path, str(error)) from None
    tops = tree.names("")
    for top in ("", *tops[:2]):
        if report := _report(tree, top, _name_of(path), places):
            return report
    raise NoCaptureError(
        path, "it has neither a report of sos or supportconfig nor a tree of a controller's answers"
    )


def _is_kept(places: tuple[str, ...]) -> Callable[[str], bool]:
    """Whether a file of an archive may be wanted. Links can give it another path, so its last parts decide."""
    commands = {mangled(place.removeprefix("run ")) for place in (*places, SYSCTL_PLACE, ALL_SERVICES)}
    files = {place.rpartition("/")[2] for place in places if "/" in place}
    literal = {name for name in files if "*" not in name}
    parents = {place.split("/")[-2] for place in places if place.endswith("/*")}
    parents |= {place.rpartition("/")[2] for place in places if place.startswith(LIST)}
    starred = [
        re.compile("[^/]*".join(map(re.escape, name.split("*"))))
        for name in files
        if name.strip("*") != name or "*" in name[1:-1]
    ]
    starred = [form for form in starred if form.pattern != "[^/]*"]
    others = {INDEX, CUSTOM, HOSTNAME, *SUPPORTCONFIG_FILES}

    def is_kept(path: str) -> bool:
        folder, _, name = path.rpartition("/")
        if f"/{SOS_COMMANDS}/" in f"/{path}":
            return name in commands or name == HOSTNAME
        return (
            name in literal
            or name in others
            or folder.rpartition("/")[2] in parents
            or any(form.fullmatch(name) for form in starred)
        )

    return is_kept


HOSTNAME = "hostname"
"""The file in which a server keeps its name, and the command that prints it."""

SUPPORTCONFIG_FILE = "basic-environment.txt"
"""The file that every report of supportconfig has."""


def _is_report(tree: CaptureTree) -> bool:
    """Whether a folder is a report, or a tree of answers, itself."""
    known = {SOS_COMMANDS, SUPPORTCONFIG_FILE}
    return not known.isdisjoint(tree.names("")) or mockup_root(tree, "") in ("", "/")


def _report(tree: CaptureTree, top: str, name: str, places: tuple[str, ...]) -> Capture | None:
    """The capture in a report or a tree of answers; None if it is neither."""
    names = tree.names(top)
    if SOS_COMMANDS in names:
        evidence: HostEvidence = SosEvidence(tree, top)
        called = evidence.printed(HOSTNAME) or _text(evidence, f"etc/{HOSTNAME}")
        return Capture(_host_name(called, name), readings_of(evidence, places), None)
    if SUPPORTCONFIG_FILE in names:
        evidence = supportconfig_evidence(tree, top)
        called = "".join((evidence.printed("uname -a") or "").split(" ", 2)[1:2])
        return Capture(_host_name(called, name), readings_of(evidence, places), None)
    root = mockup_root(tree, top)
    return None if root is None else Capture(name, None, controller_of_mockup(tree, root))


def _text(evidence: HostEvidence, path: str) -> str:
    try:
        return evidence.text(path)
    except UnreadPlaceError:
        return ""


def _host_name(called: str, name: str) -> str:
    """What a report calls its server, if that can be its name."""
    return called.strip() if HOST_NAME.fullmatch(called.strip()) else name


# ----------------------------------------------------------------------------------------- outputs of programs


def _take(path: str, text: str, texts: dict[str, str], resources: dict[str, Any]) -> Capture | None:
    """Recognise a file, and add it to its server unless what came before has it; return a capture."""
    if not is_json(text):
        if place := place_of_text(text):
            texts.setdefault(place, text)
        return None
    try:
        data = parse_json(text)
    except ValueError as error:
        raise NoCaptureError(path, f"its file `{os.path.basename(path)}` is not JSON: {error}") from None
    if is_capture(data):
        return capture_of(data, path)
    if isinstance(data.get(LSCPU), list):
        texts.setdefault(LSCPU_JSON_PLACE, text)
    elif place := resource_path(data):
        resources.setdefault(place, data)
    else:
        texts.setdefault(FILE + os.path.basename(path), text)
    return None


def _of_texts(
    name: str, texts: dict[str, str], resources: dict[str, Any], wanted: tuple[str, ...]
) -> Capture:
    """The capture of what programs printed and a controller answered."""
    printed = TextEvidence(dict(sysctls(texts.pop(SYSCTL_PLACE, ""))))
    read = readings_of(printed, [place for place in wanted if place.startswith(SYSCTL_FOLDER)]).read
    read |= {place: (Reading(text.removesuffix("\n")),) for place, text in texts.items()}
    return Capture(
        name, Readings(read, {}) if read else None, Controller(resources, {}) if resources else None
    )


def _merged(name: str, captures: list[Capture]) -> Capture:
    """Captures of one server as one; what the first says counts."""
    host: Readings | None = None
    controller: Controller | None = None
    for capture in captures:
        if capture.host:
            host = (
                Readings(capture.host.read | host.read, capture.host.unread | host.unread)
                if host
                else capture.host
            )
        if capture.controller:
            mine = capture.controller
            controller = (
                Controller(mine.read | controller.read, mine.unread | controller.unread)
                if controller
                else mine
            )
    return Capture(name, host, controller)
