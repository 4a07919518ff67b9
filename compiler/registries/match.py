"""Match the attributes of a registry with the library's settings.

An attribute is a setting of the library if the library spells that setting with the attribute's name elsewhere, or if
its label is a title, a menu label or an alias of the setting; in both cases only if its values are those of the
setting. The setting gets the values that it does not have, unless most of them are missing: then the attribute becomes
a setting of its own. Everything that is not certain is marked for review, with the reason.

The library may write a setting of this server to several attributes. The first is the setting, the others go along with
it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping

from setpoint.compiler.knowledge.lookup import setting_phrases, squashed, value_phrases
from setpoint.compiler.knowledge.model import LAYERS, Knowledge
from setpoint.compiler.knowledge.quantity import Numbers
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.registries.imported import (
    DESCRIBED,
    MAPPED,
    NEW,
    ImportedSetting,
    ImportedValue,
    numbers_of,
)
from setpoint.compiler.registries.model import BOOLEAN, Attribute, Scalar
from setpoint.compiler.registries.select import SelectedAttributes
from setpoint.compiler.registries.words import RegistryWords, essence, free_name, kebab, plain

INTERFACE = "attribute"
"""The interface whose names are those of a registry."""


class _PossibleSetting(NamedTuple):
    """A setting of the library that an attribute may be, and why that is doubtful ("" if it is not).

    `may_add` says that it may have more values than the setting.
    """

    setting: str
    doubt: str
    may_add: bool = True


class Matcher:
    """The library's names for settings and values, and the names that are taken."""

    def __init__(self, knowledge: Knowledge, words: RegistryWords, described: Iterable[str]) -> None:
        """Prepare to match; `described` are the settings that the library has on this server."""
        self.knowledge, self.words, self.described = knowledge, words, frozenset(described)
        own = {name for name, setting in knowledge.settings.items() if setting.layer == LAYERS[0]}
        phrases = {n: tuple(texts) for n, texts in setting_phrases(knowledge).items() if n in own}
        self.by_label = _indexed(phrases, squashed)
        self.by_essence = _indexed(phrases, lambda text: essence(text, words))
        self.spelt: dict[str, list[str]] = {}
        for name in own:
            for spelling in knowledge.spellings.get(name, ()):
                if spelling.interface == INTERFACE:
                    for attribute_name in spelling.names:
                        self.spelt.setdefault(attribute_name, []).append(name)
        self.taken = {*knowledge.variables, *knowledge.sources}

    def settings(self, selection: SelectedAttributes) -> tuple[ImportedSetting, ...]:
        """The chosen attributes as settings, in the order of the registry."""
        by_attribute: dict[str, ImportedSetting] = {}
        doubts: dict[str, list[str]] = {}
        used: dict[str, str] = {}
        for find in (self._by_name, self._by_label, self._by_essence):
            for attribute in selection.chosen:
                if attribute.name in by_attribute:
                    continue
                setting = self._mapped(
                    attribute, find(attribute), used, doubts.setdefault(attribute.name, [])
                )
                if setting is not None:
                    by_attribute[attribute.name] = setting
                    used[setting.name] = attribute.name
        along = self._along(selection, by_attribute)
        written_along = {other.name for others in along.values() for other in others}
        rest = [attribute for attribute in selection.chosen if attribute.name not in written_along]
        for attribute in rest:
            if attribute.name not in by_attribute:
                reviews = list(dict.fromkeys(doubts[attribute.name]))
                if attribute.name in selection.unlisted:
                    reviews.append(
                        "the registry does not list the attribute: its values are those that are mentioned"
                    )
                by_attribute[attribute.name] = self._new(attribute, reviews)
        return tuple(
            by_attribute[attribute.name]._replace(along=tuple(along.get(attribute.name, ())))
            for attribute in rest
        )

    def _along(
        self, selection: SelectedAttributes, by_attribute: Mapping[str, ImportedSetting]
    ) -> dict[str, list[Attribute]]:
        """The attributes that the library writes together with another, by that one's name."""
        firsts = {
            other: name
            for name, setting in by_attribute.items()
            if setting.origin == DESCRIBED
            for spelling in self.knowledge.spellings.get(setting.name, ())
            if spelling.interface == INTERFACE and name in spelling.names
            for other in spelling.names
        }
        by_first: dict[str, list[Attribute]] = {}
        for attribute in selection.chosen:
            if attribute.name in firsts and attribute.name not in by_attribute:
                by_first.setdefault(firsts[attribute.name], []).append(attribute)
        return by_first

    # ------------------------------------------------------------------------------------- candidates

    def _by_name(self, attribute: Attribute) -> list[_PossibleSetting]:
        names = sorted(set(self.spelt.get(attribute.name, ())))
        doubt = f"the library spells {_listed(names)} with this name" if len(names) > 1 else ""
        return [_PossibleSetting(name, doubt) for name in names]

    def _by_label(self, attribute: Attribute) -> list[_PossibleSetting]:
        return self._alike(self.by_label.get(squashed(attribute.label), ()), "")

    def _by_essence(self, attribute: Attribute) -> list[_PossibleSetting]:
        asked = essence(attribute.label, self.words)
        names = self.by_essence.get(asked, ()) if asked else ()
        return self._alike(names, "only the main words of the label are the same", may_add=False)

    def _alike(self, names: Collection[str], doubt: str, may_add: bool = True) -> list[_PossibleSetting]:
        if len(names) > 1:
            doubt = f"the label fits {_listed(sorted(names))}"
        return [_PossibleSetting(name, doubt, may_add and len(names) == 1) for name in sorted(names)]

    def _mapped(
        self,
        attribute: Attribute,
        candidates: list[_PossibleSetting],
        used: Mapping[str, str],
        doubts: list[str],
    ) -> ImportedSetting | None:
        """The attribute as the first candidate that has all its values; the reasons against the others are added."""
        for setting, doubt, may_add in candidates:
            if setting in used:
                doubts.append(f"may be `{setting}`, which is {used[setting]} already")
                continue
            values, missing = self._values(attribute, setting)
            is_described = setting in self.described and attribute.name in self.spelt
            if is_described:
                values = tuple(value for value in values if not value.is_added)
            elif missing and not (may_add and _are_few(values)):
                doubts.append(f"may be `{setting}`, which has no value for {missing}")
                continue
            origin = DESCRIBED if is_described or setting in self.described else MAPPED
            return ImportedSetting(
                setting, origin, attribute, values, _default(attribute, values), (doubt,) if doubt else ()
            )
        return None

    def _values(self, attribute: Attribute, setting: str) -> tuple[tuple[ImportedValue, ...], str]:
        """The attribute's values as those of a setting of the library, and the first that it does not have."""
        variable = self.knowledge.variables[setting]
        if not _texts(attribute):
            lower, upper, step = numbers_of(attribute)
            scale = variable.scale
            fits = isinstance(scale, Numbers) and not scale.unit and scale.has(lower) and scale.has(upper)
            if isinstance(scale, Numbers) and fits and step % scale.step == 0:
                return (), ""
            return (), f"{lower} to {upper}"
        spelt = {
            text.text: text.value
            for spelling in self.knowledge.spellings.get(setting, ())
            if spelling.interface == INTERFACE and attribute.name in spelling.names
            for text in spelling.texts
        }
        called = value_phrases(self.knowledge, setting)
        values: dict[str, ImportedValue] = {}
        missing = ""
        for value, label in _texts(attribute):
            text = str(value)
            named = [
                spelt.get(text, ""),
                self.words.values.get(label.lower() or text.lower(), ""),
                kebab(label),
                kebab(text),
                *(n for n, texts in called.items() if squashed(label or text) in map(squashed, texts)),
            ]
            name = next((n for n in named if n in called and n not in values), "")
            if not name:
                missing = missing or f'"{plain(label or text)}"'
                is_added = True
                name = free_name([kebab(label), kebab(text)], {*called, *values})
            else:
                is_added = False
            values[name] = ImportedValue(name, value, plain(label), is_added)
        return tuple(values.values()), missing

    # ------------------------------------------------------------------------------------ own settings

    def _new(self, attribute: Attribute, reviews: list[str]) -> ImportedSetting:
        name = free_name([kebab(attribute.label), kebab(attribute.name)], self.taken)
        self.taken.add(name)
        pairs = _texts(attribute)
        words = [self.words.values.get((label or str(value)).lower(), "") for value, label in pairs]
        clear = len(set(filter(None, words))) == len(list(filter(None, words)))
        by_name: dict[str, ImportedValue] = {}
        for (value, label), word in zip(pairs, words, strict=True):
            asked = [word] if word and clear else [kebab(label), kebab(str(value))]
            value_name = free_name(asked, by_name)
            by_name[value_name] = ImportedValue(value_name, value, plain(label))
        values = tuple(by_name.values())
        return ImportedSetting(name, NEW, attribute, values, _default(attribute, values), tuple(reviews))


def _indexed(phrases: Mapping[str, Iterable[str]], key: Callable[[str], str]) -> dict[str, tuple[str, ...]]:
    """The names of the settings by the key of each of their phrases: a registry asks for hundreds of labels."""
    by_key: dict[str, dict[str, None]] = {}
    for name, texts in phrases.items():
        for text in texts:
            by_key.setdefault(key(text), {})[name] = None
    return {text: tuple(names) for text, names in by_key.items()}


def _texts(attribute: Attribute) -> list[tuple[Scalar, str]]:
    """The values of an attribute with their labels; none for numbers."""
    if attribute.type == BOOLEAN:
        return [(True, "true"), (False, "false")]
    return [(choice.text, choice.label) for choice in attribute.choices]


def _default(attribute: Attribute, values: tuple[ImportedValue, ...]) -> str:
    """The name of the default; "" if the registry states none of the attribute's values."""
    if not values:
        lower, upper, step = numbers_of(attribute)
        default = attribute.default
        fits = isinstance(default, int) and lower <= default <= upper and (default - lower) % step == 0
        return str(default) if fits else ""
    return next(
        (e.name for e in values if attribute.default is not None and e.value == attribute.default), ""
    ) or next((e.name for e in values if e.label and e.label == attribute.default), "")


def _are_few(values: tuple[ImportedValue, ...]) -> bool:
    """Whether fewer values are added than the setting has; of numbers none can be."""
    added = sum(value.is_added for value in values)
    return bool(values) and added < len(values) - added


def _listed(names: Iterable[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)
