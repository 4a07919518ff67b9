"""How much of a server's BIOS the library knows: of the attributes for tuning, the share that are its settings.

An attribute is for tuning if it can be set, and if its menu or its label has one of the words that `registries.toml`
lists. A registry without menus says nothing of that, so there all attributes are. The same file has the exceptions:
attributes that are not for tuning in spite of such a word, and attributes that are, but no settings. Each has its
reason, which is shown with it, so that nothing is left out in silence.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.record import NamedTuple
from setpoint.compiler.registries.imported import DESCRIBED, MAPPED, NEW, Import, ImportedSetting
from setpoint.compiler.registries.model import Attribute
from setpoint.compiler.registries.words import Exclusion, RegistryWords, is_about_tuning, plain

NO_MENU = "no menu"

Groups = dict[str, tuple[str, ...]]
"""Names of attributes by what they have in common: a menu, or a reason."""


class RegistryCoverage(NamedTuple):
    """The attributes for tuning: those that the library has on this server, has elsewhere, and the others.

    `explained` are attributes that are no settings, by reason; `others` those without one, by menu. Both count as
    missing. `not_tuning` are attributes that do not count, by reason, and `unmentioned` is the number of those whose
    menus and labels have no word of tuning; `unmentioned_known` of them are settings of the library. Attributes are in
    the order of the registry.
    """

    described: tuple[str, ...]
    mapped: tuple[str, ...]
    explained: Groups
    others: Groups
    not_tuning: Groups
    unmentioned: int
    unmentioned_known: int

    @property
    def total(self) -> int:
        """The number of attributes for tuning."""
        missing = (*self.explained.values(), *self.others.values())
        return self.covered + sum(map(len, missing))

    @property
    def covered(self) -> int:
        """The number of those that are settings of the library."""
        return len(self.described) + len(self.mapped)


def coverage_of(imported: Import, words: RegistryWords) -> RegistryCoverage:
    """The attributes for tuning in an import."""
    has_menus = any(setting.attribute.menu for setting in imported.settings)
    known: dict[str, list[str]] = {DESCRIBED: [], MAPPED: []}
    not_tuning: list[tuple[str, str]] = []
    explained: list[tuple[str, str]] = []
    others: list[tuple[str, str]] = []
    unmentioned: list[ImportedSetting] = []
    for setting in imported.settings:
        for attribute in (setting.attribute, *setting.along):
            name = plain(attribute.name)
            if has_menus and not is_about_tuning(_texts(attribute), words):
                unmentioned.append(setting)
            elif why := _reason(attribute, words.not_tuning):
                not_tuning.append((why, name))
            elif setting.origin != NEW:
                known[setting.origin].append(name)
            elif why := _reason(attribute, words.no_setting):
                explained.append((why, name))
            else:
                others.append((" > ".join(map(plain, attribute.menu)) or NO_MENU, name))
    return RegistryCoverage(
        tuple(known[DESCRIBED]),
        tuple(known[MAPPED]),
        _grouped(explained),
        _grouped(others),
        _grouped(not_tuning),
        len(unmentioned),
        sum(setting.origin != NEW for setting in unmentioned),
    )


def _texts(attribute: Attribute) -> tuple[str, ...]:
    return (*attribute.menu, attribute.label)


def _reason(attribute: Attribute, exclusions: Iterable[Exclusion]) -> str:
    """The first of the reasons that applies to an attribute; "" if none does."""
    return next(
        (exclusion.why for exclusion in exclusions if exclusion.applies(attribute.name, _texts(attribute))),
        "",
    )


def _grouped(pairs: Iterable[tuple[str, str]]) -> Groups:
    groups: dict[str, list[str]] = {}
    for key, name in pairs:
        groups.setdefault(key, []).append(name)
    return {key: tuple(names) for key, names in groups.items()}


def coverage_lines(coverage: RegistryCoverage, imported: Import) -> Iterator[str]:
    """The coverage in words, line by line."""
    platform = imported.platform
    server = platform.product or platform.name
    version = f", BIOS {platform.firmware}" if platform.firmware else ""
    if coverage.total:
        share = f"{100 * coverage.covered // coverage.total} %"
        yield (
            f"{server}{version}: {coverage.covered} of {coverage.total} attributes for tuning are settings of the library "
            f"({share})"
        )
    else:
        yield f"{server}{version}: no attribute is for tuning the whole server"
    if coverage.described:
        yield f"described for this server: {len(coverage.described)}"
    if coverage.mapped:
        yield f"known from other servers: {', '.join(coverage.mapped)}"
    for why, names in coverage.explained.items():
        yield f"no setting, since {why}: {', '.join(names)}"
    for menu, names in coverage.others.items():
        yield f"not in the library, {menu}: {', '.join(names)}"
    for why, names in coverage.not_tuning.items():
        yield f"not for tuning, since {why}: {', '.join(names)}"
    if coverage.unmentioned:
        yield (
            f"not counted, without a word of tuning in menu and label: {coverage.unmentioned}, of which "
            f"{coverage.unmentioned_known} are settings of the library"
        )
