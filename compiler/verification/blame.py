"""Who wrote a value of the running system: the files that were captured of those that set values at boot.

A sysctl is set by the files of sysctl.d, in the order of their names, the first folder that has a name hiding the others; then by the
profiles of tuned that are active, each merged into those that it includes. Captures have the profiles of a site; what others set that tuned
ships is knowledge, by release. Which of them has the value that was found, and whether one has the planned one, tells a value that
nobody wrote from one that somebody else overwrote.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from setpoint.compiler.knowledge.shipped import shipped
from setpoint.compiler.record import NamedTuple, distinct
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

MAIN, TYPE, REPLACE, DROP = "main", "type", "replace", "drop"
TRUE = ("1", "true")
SEPARATORS = re.compile(r"\s*[,;]\s*")

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
    texts = captured_texts(host)
    for place in sysctl_files(texts, SYSCTL_FOLDERS):
        for name, text in _lines(texts.get(place, "")):
            yield place, "sysctl", name.replace("/", "."), text
    profiles = _ProfilesInForce(texts, host.text(TUNED_VERSION) or "")
    units: list[_UnitOption] = []
    for name in (host.text(ACTIVE_PROFILE) or "").split():
        units = _merged(units, profiles.options(name))
    for each in units:
        if not each.is_of_unit:
            yield each.assignment


def sysctl_files(texts: Iterable[str], folders: Sequence[str]) -> list[str]:
    """The files of sysctls among captured ones that are in some folders, in the order in which they are read; a missing last one, too."""
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


@distinct
class _UnitOption(NamedTuple):
    """An option in a profile: its place, the section with the plug-in that it is for, its name and its text."""

    place: str
    section: str
    plugin: str
    name: str
    text: str

    @property
    def is_of_unit(self) -> bool:
        """Whether it is about the section itself, or about the profile."""
        return self.section in (MAIN, "variables") or self.name in (TYPE, REPLACE, DROP)

    @property
    def assignment(self) -> tuple[str, str, str, str]:
        """Place, interface, name and text, as `Authors.assignments` has them."""
        if self.plugin in ("sysctl", "sysfs"):
            return self.place, self.plugin, self.name, self.text
        return self.place, "tuned", f"[{self.plugin}] {self.name}", self.text


class _ProfilesInForce:
    """Finds the options of profiles, with those that they include: in the captured files, else in what tuned ships."""

    def __init__(self, texts: Mapping[str, str], version: str) -> None:
        table = shipped()
        self._texts = texts
        running = [each for each in table.releases if each in version.split()]
        self._releases = running or table.releases

    def options(self, name: str, via: tuple[str, ...] = ()) -> list[_UnitOption]:
        """What a profile has in force. A profile that includes itself is not read again, as tuned refuses it."""
        if name in via:
            return []
        own = self._own(name)
        inherited: list[_UnitOption] = []
        for option in own:
            if (option.section, option.name) == (MAIN, "include"):
                for included in SEPARATORS.split(option.text):
                    more = self.options(included.removeprefix("-").strip(), (*via, name))
                    inherited = _merged(inherited, more)
        return _merged(inherited, own)

    def _own(self, name: str) -> list[_UnitOption]:
        if place := profile_file(self._texts, name):
            return _options(place, self._texts[place])
        return self._shipped(name)

    def _shipped(self, name: str) -> list[_UnitOption]:
        """What a profile sets that tuned ships: if the release is not known, what all agree on that have the profile."""
        found = [each for release in self._releases if (each := shipped().options(name, release)) is not None]
        agreed = [option for option in found[0] if all(option in each for each in found)] if found else []
        place = f"the profile {name} that tuned ships"
        return [_UnitOption(place, section, section, option, text) for section, option, text in agreed]


def _merged(below: list[_UnitOption], above: list[_UnitOption]) -> list[_UnitOption]:
    """Options merged into those of included profiles, as tuned does: `replace` and `drop` leave out what these have in a section."""
    replaced = {each.section for each in above if each.name == REPLACE and each.text.lower() in TRUE}
    dropped = {
        (each.section, name) for each in above if each.name == DROP for name in SEPARATORS.split(each.text)
    }
    kept = [
        each for each in below if each.section not in replaced and (each.section, each.name) not in dropped
    ]
    return [*kept, *above]


def _options(place: str, content: str) -> list[_UnitOption]:
    """The options of a captured profile. A section is for the plug-in of its name, unless it has another `type`."""
    section, found, types = "", [], {}
    for line in content.splitlines():
        if line.strip().startswith("["):
            section = line.strip().strip("[]")
        elif option := ASSIGNMENT.match(line):
            found.append((section, option[1], option[2]))
            if option[1] == TYPE:
                types[section] = option[2]
    return [
        _UnitOption(place, section, types.get(section, section), name, text) for section, name, text in found
    ]


def _lines(content: str) -> Iterator[tuple[str, str]]:
    for line in content.splitlines():
        if found := ASSIGNMENT.match(line):
            yield found[1], found[2]
