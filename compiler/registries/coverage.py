"""How much of a server's BIOS the library knows: of the attributes for tuning, the share that are its settings.

An attribute is for tuning if it can be set, and if its menu or its label has one of the words that `registries.toml` lists. A
registry without menus says nothing of that, so there all attributes count.
"""

from collections.abc import Iterator

from setpoint.compiler.record import NamedTuple, distinct
from setpoint.compiler.registries.imported import DESCRIBED, MAPPED, NEW, Import, ImportedSetting
from setpoint.compiler.registries.words import Words, is_for_tuning, plain

NO_MENU = "no menu"


@distinct
class Coverage(NamedTuple):
    """The attributes for tuning: those that the library has on this server, those that it has elsewhere, and the others.

    `others` are by menu, in the order of the registry.
    """

    described: tuple[str, ...]
    mapped: tuple[str, ...]
    others: dict[str, tuple[str, ...]]

    @property
    def total(self) -> int:
        """The number of attributes for tuning."""
        return self.covered + sum(map(len, self.others.values()))

    @property
    def covered(self) -> int:
        """The number of those that are settings of the library."""
        return len(self.described) + len(self.mapped)


def coverage_of(made: Import, words: Words) -> Coverage:
    """The attributes for tuning in an import."""
    has_menus = any(each.attribute.menu for each in made.settings)
    found = [each for each in made.settings if not has_menus or _is_for_tuning(each, words)]
    others: dict[str, list[str]] = {}
    for each in found:
        if each.origin == NEW:
            menu = " > ".join(map(plain, each.attribute.menu)) or NO_MENU
            others.setdefault(menu, []).append(plain(each.attribute.name))
    return Coverage(
        tuple(plain(each.attribute.name) for each in found if each.origin == DESCRIBED),
        tuple(plain(each.attribute.name) for each in found if each.origin == MAPPED),
        {menu: tuple(names) for menu, names in others.items()},
    )


def _is_for_tuning(setting: ImportedSetting, words: Words) -> bool:
    return is_for_tuning((*setting.attribute.menu, setting.attribute.label), words)


def coverage_lines(found: Coverage, made: Import) -> Iterator[str]:
    """The coverage in words, line by line."""
    platform = made.platform
    server = platform.product or platform.name
    version = f", BIOS {platform.firmware}" if platform.firmware else ""
    share = f" ({100 * found.covered // found.total} %)" if found.total else ""
    yield f"{server}{version}: {found.covered} of {found.total} attributes for tuning are settings of the library{share}"
    if found.described:
        yield f"described for this server: {len(found.described)}"
    if found.mapped:
        yield f"known from other servers: {', '.join(found.mapped)}"
    for menu, names in found.others.items():
        yield f"not in the library, {menu}: {', '.join(names)}"
