"""Who wrote a value of the running system: the files that were captured of those that set values at boot.

A sysctl is set by the files of sysctl.d, in the order of their names, the first folder that has a name hiding the
others; then by the profiles of tuned that are active, as one (`captures.profiles`). Captures have the profiles of a
site; what others set that tuned ships is knowledge, by release. Which of them has the value that was found, and whether
one has the planned one, tells a value that nobody wrote from one that somebody else overwrote.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from setpoint.compiler.captures.profiles import (
    TYPE,
    ProfileOption,
    assigned,
    in_force,
    is_comment,
    loaded,
    merged,
    options_of,
)
from setpoint.compiler.knowledge.shipped import shipped
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.verification.host import Host
from setpoint.compiler.verification.texts import LiveFile, is_same

SITE_SYSCTL_FOLDERS = ("/etc/sysctl.d/", "/run/sysctl.d/")
"""The folders of sysctl.d(5) whose files are not of a package."""

SYSCTL_FOLDERS = (
    *SITE_SYSCTL_FOLDERS,
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

TUNED_VERSION = "run tuned --version"
"""Where a capture has the release of tuned."""


class Author(NamedTuple):
    """The files that set the found and the planned value; each "" if none was captured."""

    found_in: str
    wanted_in: str


class Authors:
    """The captured files of a host that set values. They are read once, and only if something differs."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def of(self, files: Iterable[LiveFile], texts: Iterable[str]) -> Author:
        """What the captured files say about the values in these places."""
        wanted = {(file.interface, file.name): file.text for file in files}
        texts = tuple(texts)
        found_in = wanted_in = ""
        for place, interface, name, text in self.assignments:
            if (interface, name) in wanted:
                wanted_in = place if is_same(text, wanted[interface, name]) else wanted_in
                found_in = place if any(is_same(text, shown) for shown in texts) else found_in
        return Author(found_in, wanted_in)

    @cached_property
    def assignments(self) -> tuple[tuple[str, str, str, str], ...]:
        """What the files set, in the order in which they are read: place, interface, name, text."""
        return tuple(_assignments(self._host))


def _assignments(host: Host) -> Iterator[tuple[str, str, str, str]]:
    """The places that set something, in the order in which they are read: place, interface, name, text."""
    texts = captured_texts(host)
    for place in sysctl_files(texts, SYSCTL_FOLDERS):
        for name, text in _lines(texts.get(place, "")):
            yield place, "sysctl", name.replace("/", "."), text
    names = (host.text(ACTIVE_PROFILE) or "").split()
    profiles = _ProfilesInForce(texts, host.text(TUNED_VERSION) or "")
    for option, unit in in_force(merged(loaded(names, profiles.options))):
        plugin = unit.get(TYPE, option.section)
        if plugin in ("sysctl", "sysfs"):
            yield option.via, plugin, option.name, option.text
        else:
            yield option.via, "tuned", f"[{plugin}] {option.name}", option.text


def sysctl_files(texts: Iterable[str], folders: Sequence[str]) -> list[str]:
    """The captured files of sysctls in some folders, in the order of reading, also a missing last one."""
    by_name: dict[str, str] = {}
    for folder in reversed(folders):
        by_name |= {place.removeprefix(folder): place for place in texts if place.startswith(folder)}
    return [*(by_name[name] for name in sorted(by_name)), SYSCTL_LAST]


def profile_file(texts: Container[str], name: str) -> str:
    """The captured file of a profile, the one that counts; "" if there is none."""
    return next((place for form in PROFILE_FILES if (place := form.format(name)) in texts), "")


def captured_texts(host: Host) -> dict[str, str]:
    """The captured files of configuration, by their paths: what a star stands for is put in its place."""
    return {
        place.replace("*", name): reading.text
        for place, readings in host.readings.read.items()
        if place.startswith(CONFIGURATION) and place.endswith(".conf")
        for reading in readings
        for name in reading.where.split() or ("",)
    }


class _ProfilesInForce:
    """Finds the options of profiles: in the captured files, else in what tuned ships."""

    def __init__(self, texts: Mapping[str, str], version: str) -> None:
        table = shipped()
        self._texts = texts
        running = [release for release in table.releases if release in version.split()]
        self._releases = running or table.releases

    def options(self, name: str, _via: str) -> list[ProfileOption] | None:
        """What a profile has by itself; None if nobody knows it."""
        if place := profile_file(self._texts, name):
            return [option._replace(via=place) for option in options_of(self._texts[place])]
        by_release = [
            options for release in self._releases if (options := shipped().options(name, release)) is not None
        ]
        # If the release is not known, what all agree on that have the profile.
        agreed = (
            [option for option in by_release[0] if all(option in options for options in by_release)]
            if by_release
            else []
        )
        place = f"the profile {name} that tuned ships"
        return [ProfileOption(*option, via=place) for option in agreed] if by_release else None


def _lines(content: str) -> Iterator[tuple[str, str]]:
    for line in content.splitlines():
        name, text = assigned(line)
        if name and not is_comment(line):
            yield name, text.strip()
