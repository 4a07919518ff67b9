"""A folder of captures: what programs printed on each server, or what its controller answered.

Each host has a folder or a file. Files are recognised by their content, whatever they are called: resources of Redfish
(ComputerSystem and Bios), what `lscpu` prints, as text or with `-J`, the text of `dmidecode`, os-release, the facts of
facter or of Ansible, or a capture of `setpoint capture`. All files of a host are one set of data. A host of which no file can be read is left out, not
forgotten.
"""

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from setpoint.compiler.diagnostics.lines import lines_of
from setpoint.compiler.files.reading import names_in, parse_json, read_text
from setpoint.compiler.inventory.files import VARIABLES
from setpoint.compiler.inventory.model import Broken
from setpoint.compiler.inventory.structured import HostData

if TYPE_CHECKING:
    from setpoint.compiler.captures.model import Capture

LSCPU = "lscpu"
"""The field of `lscpu -J` that has all others."""

DMI_FILES = {"product_name": "system-product-name", "bios_version": "bios-version"}
"""Files of the kernel with fields of dmidecode, and dmidecode's keywords for them."""

SECTIONS = {"BIOS Information": "bios", "System Information": "system", "Processor Information": "processor"}
"""The sections of dmidecode's text, and what its keywords for their fields begin with."""

DMIDECODE = re.compile(
    r"^[ \t]*+(Handle 0x|# dmidecode|(System|Processor|BIOS) Information[ \t]*+$)", re.MULTILINE
)
OS_RELEASE = re.compile(r"^ID=", re.MULTILINE)
"""A line that shows what a text is."""

LSCPU_TEXT = re.compile(r"\AArchitecture:[ \t]")
"""The first line of what `lscpu` prints."""

NO_CAPTURE = "none of its files is a capture"
"""Why a host is left out whose folder has other files only."""

POPULATED = "processors-populated"
"""The number of processors that dmidecode reports as populated; it has no keyword for that."""


def is_folder_of_captures(folder: str, limit: str) -> bool:
    """Whether a folder has captures of hosts, if only broken ones, and is not an inventory of Ansible.

    Links in it must not lead out of `limit`. Raises OSError and LinkError.
    """
    if any(name in VARIABLES for name in names_in(folder, limit)):
        return False
    broken: list[Broken] = []
    return any(data for _, data in _captured(folder, limit, broken)) or bool(broken)


def hosts_of_captures(folder: str, limit: str, broken: list[Broken]) -> Iterator[HostData]:
    """The hosts of a folder: its folders, and the files beside them, each named after its host.

    A host with a file that is broken off gets into `broken`: what the file would have said must not be taken for
    unknown. So does one whose files are no captures.
    """
    for name, data in _captured(folder, limit, broken):
        if data:
            yield name, (), data
        else:
            broken.append(Broken(0, NO_CAPTURE, name))


def _captured(folder: str, limit: str, broken: list[Broken]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The hosts of a folder that have files, each with the data of its captures."""
    for name in names_in(folder, limit):
        path = os.path.join(folder, name)
        if name.startswith(".") or not (os.path.isdir(path) or name.endswith(".json")):
            continue
        host = name if os.path.isdir(path) else name.removesuffix(".json")
        try:
            files = _files(path, limit)
            captures = [capture for file in files if (capture := _capture(file, limit))]
        except _BrokenOffError as error:
            broken.append(Broken(0, str(error), host))
            continue
        if files:
            yield host, {key: value for capture in reversed(captures) for key, value in capture.items()}


def _files(path: str, within: str) -> list[str]:
    """The files in a folder, sorted by name; a file itself."""
    is_folder = os.path.isdir(path)
    return [os.path.join(path, inner) for inner in names_in(path, within)] if is_folder else [path]


class _BrokenOffError(ValueError):
    """A file begins as JSON and is none."""


def _capture(path: str, within: str) -> dict[str, Any] | None:
    """The data of a capture; None if it is something else. Raises OSError, LinkError and _BrokenOffError."""
    if not os.path.isfile(path):
        return None
    try:
        text = read_text(path, within)
    except UnicodeDecodeError:
        return None
    if text.lstrip().startswith("{"):
        return _json(path, text)
    if DMIDECODE.search(text):
        return _dmidecode(text)
    if OS_RELEASE.search(text):
        return _os_release(text)
    return _lscpu_text(text) if LSCPU_TEXT.match(text.lstrip()) else None


def _json(path: str, text: str) -> dict[str, Any] | None:
    try:
        data = parse_json(text)
    except ValueError as error:
        raise _BrokenOffError(f"its file `{os.path.basename(path)}` is not JSON: {error}") from None
    if not isinstance(data, dict):
        return None
    from setpoint.compiler.captures.document import capture_of, is_capture  # only needed for such files

    if is_capture(data):
        return _of_capture(capture_of(data, path))
    return dict(_lscpu(data[LSCPU])) if isinstance(data.get(LSCPU), list) else data


def _of_capture(capture: "Capture") -> dict[str, Any]:
    """The data of a capture: the fields of the controller's resources, and what the host's own files say."""
    found: dict[str, Any] = {}
    for resource in capture.controller.read.values() if capture.controller else ():
        found |= resource if isinstance(resource, dict) else {}
    if capture.host is None:
        return found
    found |= _os_release(capture.host.text("/etc/os-release") or "")
    for name, keyword in DMI_FILES.items():
        if text := capture.host.text(f"/sys/class/dmi/id/{name}"):
            found[keyword] = [text.strip()]
    cpus = capture.host.text("/proc/cpuinfo") or ""
    if model := re.search(r"^model name[ \t]*:[ \t]*(.+)$", cpus, re.MULTILINE):
        found["Model name"] = model[1]
    return found


def _lscpu(entries: list[Any]) -> Iterator[tuple[str, str]]:
    """The fields of `lscpu -J`, without their colons. Newer versions nest them."""
    for entry in entries:
        if isinstance(entry, dict):
            field, value = entry.get("field"), entry.get("data")
            if isinstance(field, str) and isinstance(value, str):
                yield field.rstrip(":"), value
            if isinstance(entry.get("children"), list):
                yield from _lscpu(entry["children"])


def _lscpu_text(text: str) -> dict[str, Any]:
    """The fields of `lscpu`. Newer versions indent those that belong to another."""
    lines = (line.partition(":") for line in lines_of(text))
    return {field.strip(): value.strip() for field, colon, value in lines if colon}


def _dmidecode(text: str) -> dict[str, Any]:
    """The fields of the BIOS, the system and its processors, by dmidecode's keywords. Empty sockets are left out."""
    found: dict[str, Any] = {}
    populated = 0
    for block in re.split(r"\n\s*\n", text):
        lines = [line.strip() for line in lines_of(block)]
        section = next((SECTIONS[line] for line in lines if line in SECTIONS), "")
        fields = dict(line.split(": ", 1) for line in lines if ": " in line)
        if not section:
            continue
        if section == SECTIONS["Processor Information"]:
            if "Unpopulated" in fields.get("Status", ""):
                continue
            populated += 1
        for name, value in fields.items():
            found.setdefault(f"{section}-{name.lower().replace(' ', '-')}", []).append(value.strip())
    return {**found, **({POPULATED: populated} if populated else {})}


def _os_release(text: str) -> dict[str, Any]:
    lines = (line.partition("=") for line in lines_of(text) if re.match(r"[A-Z_]+=", line))
    return {name: value.strip().strip("\"'") for name, _, value in lines}
