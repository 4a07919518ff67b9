"""Captures as an inventory: each server is a host, and what it shows of itself are its facts.

What carries captures is read in one place (`compiler/captures/carriers.py`): documents, reports of support tools, what
`lscpu`, `dmidecode` and others print, resources of a controller. Here the texts are taken apart into the fields that
the table of places names. A host that cannot be read is left out, not forgotten.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from setpoint.compiler.captures.carriers import NoCaptureError, captures_in
from setpoint.compiler.captures.join import joined
from setpoint.compiler.captures.model import Capture, Controller, Readings
from setpoint.compiler.captures.resources import managed_servers
from setpoint.compiler.captures.texts import (
    CPUINFO_PLACE,
    DMIDECODE_PLACE,
    FILE,
    LSCPU,
    LSCPU_JSON_PLACE,
    LSCPU_PLACE,
    OS_RELEASE_PLACE,
    PACKAGES_PLACE,
    processor_fields,
)
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import lines_of
from setpoint.compiler.files.reading import names_in, parse_json
from setpoint.compiler.inventory.files import VARIABLES
from setpoint.compiler.inventory.model import Broken
from setpoint.compiler.inventory.structured import HostData

SECTIONS = {"BIOS Information": "bios", "System Information": "system", "Processor Information": "processor"}
"""The sections of dmidecode's text, and what its keywords for their fields begin with."""

POPULATED = "processors-populated"
"""The number of processors that dmidecode reports as populated; it has no keyword for that."""

SOCKETS, HYPERVISOR = "sockets", "hypervisor"
"""The fields that are made of those of all processors: their number, and that the server is a virtual machine."""

NOT_A_CAPTURE = ("E0619", "E0620")
"""The errors about what is no capture; others are about files that must not be read."""


def is_folder_of_captures(folder: str, limit: str) -> bool:
    """Whether a folder has captures of hosts, if only broken ones, and is not an inventory of Ansible.

    Links in it must not lead out of `limit`. Raises OSError and SetpointError, as for a file that must not be read.
    """
    if any(name in VARIABLES for name in names_in(folder, limit)):
        return False
    broken: list[SetpointError] = []

    def on_error(name: str, error: SetpointError) -> None:
        _check_is_no_capture(error)
        if not (isinstance(error, NoCaptureError) and error.is_unknown):
            broken.append(error)

    try:
        return any(True for _ in captures_in([folder], limit, on_error=on_error)) or bool(broken)
    except NoCaptureError as error:
        return not error.is_unknown


def hosts_of_captures(path: str, limit: str, broken: list[Broken]) -> Iterator[HostData]:
    """The hosts of a capture, or of a folder of captures, each named after its file or folder, or as its report says.

    A host with a file that is broken off gets into `broken`: what the file would have said must not be taken for
    unknown. So does one whose files are no captures.
    """

    def on_error(name: str, error: SetpointError) -> None:
        _check_is_no_capture(error)
        broken.append(Broken(0, error.why if isinstance(error, NoCaptureError) else str(error), name))

    for capture in joined(captures_in([path], limit, on_error=on_error)):
        yield host_data(capture)


def _check_is_no_capture(error: SetpointError) -> None:
    if any(diagnostic.code not in NOT_A_CAPTURE for diagnostic in error.diagnostics):
        raise error


def host_data(capture: Capture) -> HostData:
    """A host with the fields of its capture; of fields with one name, those of the host's own texts count."""
    data: dict[str, Any] = {}
    for fields in (*_of_host(capture.host), *_of_controller(capture.controller)):
        for name, value in fields.items():
            data.setdefault(name, value)
    return capture.name, (), data


def _of_host(host: Readings | None) -> Iterator[Mapping[str, Any]]:
    """The fields of each place of a host: of a text that is known, those in it."""
    for place, readings in sorted(host.read.items()) if host else ():
        reader = READERS.get(place, _json if place.startswith(FILE) else None)
        if place == PACKAGES_PLACE:
            yield {place: {SOCKETS: len(readings)}}
        elif reader is None or readings[0].where:
            yield {place: [reading.text for reading in readings]}
        else:
            yield reader(readings[0].text)


def _of_controller(controller: Controller | None) -> Iterator[Mapping[str, Any]]:
    """The fields of the server that a controller manages, and of its Bios resource."""
    for server in managed_servers(controller)[:1] if controller else ():
        yield server.system
        yield server.bios


def _json(text: str) -> Mapping[str, Any]:
    data = parse_json(text)
    return data if isinstance(data, Mapping) else {}


def _lscpu_json(text: str) -> Mapping[str, Any]:
    entries = _json(text).get(LSCPU)
    return dict(_lscpu(entries if isinstance(entries, list) else []))


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
    by_keyword: dict[str, Any] = {}
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
            by_keyword.setdefault(f"{section}-{name.lower().replace(' ', '-')}", []).append(value.strip())
    return {**by_keyword, **({POPULATED: populated} if populated else {})}


def _os_release(text: str) -> dict[str, Any]:
    lines = (line.partition("=") for line in lines_of(text) if re.match(r"[A-Z_]+=", line))
    return {name: value.strip().strip("\"'") for name, _, value in lines}


def _cpuinfo(text: str) -> dict[str, Any]:
    """The fields of the first CPU in /proc/cpuinfo, whether it is a guest's, and the sockets if all CPUs are there."""
    first: dict[str, Any] = {}
    sockets = set()
    number = 0
    for name, value in processor_fields(text):
        first.setdefault(name, value)
        if name == "physical id":
            sockets.add(value)
            number += 1
    if HYPERVISOR in str(first.get("flags", "")).split():
        first[HYPERVISOR] = True
    if sockets and str(first.get("siblings")) == str(number / len(sockets)).removesuffix(".0"):
        first[SOCKETS] = len(sockets)
    return {CPUINFO_PLACE: first}


READERS = {
    LSCPU_PLACE: _lscpu_text,
    LSCPU_JSON_PLACE: _lscpu_json,
    DMIDECODE_PLACE: _dmidecode,
    OS_RELEASE_PLACE: _os_release,
    CPUINFO_PLACE: _cpuinfo,
}
"""What takes the texts of places apart."""
