"""Who wrote a value of the running system: the files that were captured of those that set values at boot.

A sysctl is set by the files of sysctl.d, in the order of their names, the first folder that has a name hiding the others; then by the
profile of tuned that is active. Which of them has the value that was found, and whether one has the planned one, tells a value that
nobody wrote from one that somebody else overwrote.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.verification.host import Host
from setpoint.compiler.verification.texts import LiveFile, is_same

SYSCTL_FOLDERS = (
    "/etc/sysctl.d/",
    "/run/sysctl.d/",
    "/usr/local/lib/sysctl.d/",
    "/usr/lib/sysctl.d/",
    "/lib/sysctl.d/",
)
"""The folders of sysctl.d(5), the one that counts first."""

CONFIGURATION = ("/etc/", "/run/", "/usr/", "/lib/")
"""The folders of configuration."""

SYSCTL_LAST = "/etc/sysctl.conf"
"""The file that is read after those of the folders."""

ACTIVE_PROFILE = "/etc/tuned/active_profile"
PROFILE_FILES = (
    "/etc/tuned/profiles/{}/tuned.conf",
    "/etc/tuned/{}/tuned.conf",
    "/usr/lib/tuned/profiles/{}/tuned.conf",
    "/usr/lib/tuned/{}/tuned.conf",
)
"""Where tuned finds a profile, the place that counts first."""

ASSIGNMENT = re.compile(r"\s*-?([^#;\s=\[][^\s=]*)\s*=\s*(.*?)\s*$")


@distinct
class Author(NamedTuple):
    """The file that sets the value that was found, and one that sets the planned value; each "" if none was captured."""

    found_in: str
    wanted_in: str


class Authors:
    """The captured files of a host that set values. They are read once, and only if something differs."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def of(self, files: Iterable[LiveFile], found: Iterable[str]) -> Author:
        """What the captured files say about the values in these places."""
        wanted = {(file.interface, file.name): file.text for file in files}
        found = tuple(found)
        found_in = wanted_in = ""
        for place, interface, name, text in self.assignments:
            if (interface, name) in wanted:
                wanted_in = place if is_same(text, wanted[interface, name]) else wanted_in
                found_in = place if any(is_same(text, each) for each in found) else found_in
        return Author(found_in, wanted_in)

    @cached_property
    def assignments(self) -> tuple[tuple[str, str, str, str], ...]:
        """What the files set, in the order in which they are read: place, interface, name, text."""
        return tuple(_assignments(self._host))


def _assignments(host: Host) -> Iterator[tuple[str, str, str, str]]:
    """The places that set something, in the order in which they are read: place, interface, name, text."""
    texts = _files(host)
    by_name: dict[str, str] = {}
    for folder in reversed(SYSCTL_FOLDERS):
        by_name |= {place.removeprefix(folder): place for place in texts if place.startswith(folder)}
    for place in (*(by_name[name] for name in sorted(by_name)), SYSCTL_LAST):
        for name, text in _lines(texts.get(place, "")):
            yield place, "sysctl", name.replace("/", "."), text
    for profile in (host.text(ACTIVE_PROFILE) or "").split():
        place = next((p for p in (f.format(profile) for f in PROFILE_FILES) if p in texts), "")
        yield from _profile(place, texts.get(place, ""))


def _files(host: Host) -> dict[str, str]:
    """The captured files of configuration, by their paths: what a star stands for is put in its place."""
    return {
        place.replace("*", name): reading.text
        for place, readings in host.readings.read.items()
        if place.startswith(CONFIGURATION) and place.endswith(".conf")
        for reading in readings
        for name in reading.where.split() or ("",)
    }


def _profile(place: str, content: str) -> Iterator[tuple[str, str, str, str]]:
    """What a profile sets."""
    section = ""
    for line in content.splitlines():
        if line.strip().startswith("["):
            section = line.strip().strip("[]")
        elif (found := ASSIGNMENT.match(line)) and section == "sysctl":
            yield place, "sysctl", found[1], found[2]
        elif found:
            yield place, "sysfs" if section == "sysfs" else "tuned", _option(section, found[1]), found[2]


def _option(section: str, name: str) -> str:
    return name if section == "sysfs" else f"[{section}] {name}"


def _lines(content: str) -> Iterator[tuple[str, str]]:
    for line in content.splitlines():
        if found := ASSIGNMENT.match(line):
            yield found[1], found[2]
