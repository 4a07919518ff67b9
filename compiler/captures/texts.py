"""Recognise what programs print, and what controllers answer, by content: what a file is called says nothing.

Each kind of file gets the place that it was read from, as in a capture: `/etc/os-release`, `run dmidecode`, the path of
a resource. A JSON document of another tool, such as the facts of a host, has no such place, and is kept under the name
of its file.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from setpoint.compiler.captures.resources import path_of
from setpoint.compiler.diagnostics.source import lines_of

LSCPU = "lscpu"
"""The field of `lscpu -J` that has all others."""

FILE = "file "
"""How the place of a document begins that has no place of its own; the name of its file follows."""

OS_RELEASE_PLACE, CMDLINE_PLACE, CPUINFO_PLACE = "/etc/os-release", "/proc/cmdline", "/proc/cpuinfo"
LSCPU_PLACE, LSCPU_JSON_PLACE, DMIDECODE_PLACE = "run lscpu", "run lscpu -J", "run dmidecode"
PACKAGES_PLACE = "/sys/devices/system/cpu/cpu*/topology/physical_package_id"
UNAME_PLACE, SYSCTL_PLACE, SYSCTL_FOLDER = "run uname -a", "run sysctl -a", "/proc/sys/"
"""The places of what is recognised."""

DMIDECODE = re.compile(
    r"^[ \t]*+(Handle 0x|# dmidecode|(System|Processor|BIOS) Information[ \t]*+$)", re.MULTILINE
)
OS_RELEASE = re.compile(r"^ID=", re.MULTILINE)
SYSCTL = re.compile(r"\A(?:[a-z0-9_-]{1,100}[./])[^\s=]{1,300} ?=")
"""Lines that show what a text is."""

CMDLINE = ("BOOT_IMAGE=", "root=")
"""How an argument begins that boot loaders pass to every kernel."""

STARTS = {
    re.compile(r"\AArchitecture:[ \t]"): LSCPU_PLACE,
    re.compile(r"\Aprocessor[ \t]*+:[ \t]*+[0-9]"): CPUINFO_PLACE,
    re.compile(r"\ALinux [^ \n]+ [0-9]"): UNAME_PLACE,
}
"""How other texts begin."""


def place_of_text(text: str) -> str:
    """The place that a text was read from; "" if it is not recognised. Not for JSON."""
    if DMIDECODE.search(text):
        return DMIDECODE_PLACE
    start = text.lstrip()
    for form, place in STARTS.items():
        if form.match(start):
            return place
    if SYSCTL.match(start):
        return SYSCTL_PLACE
    if OS_RELEASE.search(text):
        return OS_RELEASE_PLACE
    is_cmdline = "\n" not in start.rstrip("\n") and any(word.startswith(CMDLINE) for word in start.split())
    return CMDLINE_PLACE if is_cmdline else ""


def is_json(text: str) -> bool:
    """Whether a text begins as a JSON object."""
    return text.lstrip().startswith("{")


def sysctls(text: str) -> Iterator[tuple[str, str]]:
    """The places in /proc/sys of what `sysctl -a` prints, with their values; each line of one begins with the name."""
    places: dict[str, list[str]] = {}
    for line in lines_of(text):
        name, equals, value = line.partition("=")
        if equals:
            places.setdefault(SYSCTL_FOLDER + _sysctl_path(name.strip()), []).append(value.strip(" "))
    for place, values in places.items():
        yield place, "\n".join(values)


def _sysctl_path(name: str) -> str:
    """sysctl(8): a name has dots for slashes, and slashes for dots in the names of devices."""
    return name.translate(str.maketrans("./", "/."))


def grepped(text: str) -> Iterator[tuple[str, str]]:
    """The places of what `grep -H . FILES` prints, with their first lines."""
    seen = set()
    for line in lines_of(text):
        place, colon, value = line.partition(":")
        if colon and place.startswith("/") and place not in seen:
            seen.add(place)
            yield place, value


def resource_path(data: Mapping[str, Any]) -> str:
    """The path of a resource of a controller; "" if the data is something else."""
    return path_of(data) if isinstance(data.get("@odata.type"), str) else ""


def processor_fields(text: str) -> Iterator[tuple[str, str]]:
    """The fields of `/proc/cpuinfo`, processor after processor: the name and the text of each."""
    for line in lines_of(text):
        name, colon, value = line.partition(":")
        if colon:
            yield name.strip(), value.strip()
