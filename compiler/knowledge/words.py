"""Names: which ones exist, and which one was probably meant by an unknown one."""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.fixes import Edit, Fix
from setpoint.compiler.diagnostics.slips import slip
from setpoint.compiler.diagnostics.slips import suggestion as suggestion
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.boxes import ANY as ANY
from setpoint.compiler.knowledge.model import Box, Variable
from setpoint.compiler.knowledge.quantity import LOOKS_LIKE_A_NUMBER, Numbers, WrongQuantityError
from setpoint.compiler.language.syntax import Condition, Name

MOST_LISTED = 20
"""How many names a message lists if none is similar; if there are more, it says where to list them."""

MOST_SUGGESTIONS = 5
"""The maximum number of names that a message suggests for an unknown one."""

CLEAR = 0.85
"""The similarity (difflib's ratio) from which one name is clearly the other, misspelt."""

VERSION = r"[0-9]+(\.[0-9]+){0,9}"
"""A version: numbers with dots between them."""

RELEASE = r"[0-9]{1,9}(\.[0-9]{1,9})*"
"""The number of a release: `9`, `5.6`. Longer numbers are not releases, and may exceed Python's limit."""


def not_known(what: str, name: Name, code: str, *advice: str, fixes: tuple[Fix, ...] = ()) -> Diagnostic:
    """The diagnostic for a name that does not exist, with this advice."""
    return Diagnostic(code, f"unknown {what} `{name.text}`", name.span, "unknown", help=advice, fixes=fixes)


def unknown(what: str, name: Name, known: Iterable[str], code: str) -> Diagnostic:
    """The diagnostic for a name that does not exist: the one that was probably meant, else the existing ones."""
    names = sorted(known)
    near = suggestion(name.text, names)
    advice = f"did you mean `{near}`?" if near else _listed(names)
    fixes = respelt(name, slip(name.text, names))
    return not_known(what, name, code, *([advice] if names else ()), fixes=fixes)


def unknown_value(variable: Variable, name: Name) -> Diagnostic:
    """The diagnostic for a value that a fact, setting or effect does not have."""
    if wrong := wrong_quantity(variable, name):
        return wrong
    near = _probable(name.text, variable.words)
    meant = " or ".join(f"`{value}`" for value in near)
    advice = f"did you mean {meant}?" if near else advice_on_value(variable, name.text)
    return no_such_value(variable, name, advice, fixes=respelt(name, slip(name.text, variable.words)))


def _probable(word: str, known: Sequence[str]) -> list[str]:
    """The names that a word probably means: a clear typing mistake, else names with its words, else a doubtful mistake.

    `oracle` is rather `oracle-database` than `storage`, although that has more of its letters.
    """
    if clear := suggestion(word, known, CLEAR):
        return [clear]
    asked = set(word.casefold().split("-"))
    containing = [name for name in known if asked <= set(name.casefold().split("-"))]
    doubtful = suggestion(word, known)
    return containing[:MOST_SUGGESTIONS] or ([doubtful] if doubtful else [])


def wrong_quantity(variable: Variable, name: Name) -> Diagnostic | None:
    """The diagnostic for a number or a list of CPUs that a setting does not take (E0212); None for other words."""
    if variable.scale is None or not LOOKS_LIKE_A_NUMBER.search(name.text):
        return None
    try:
        if isinstance(variable.scale, Numbers):
            variable.scale.alternative(name.text)
            reason = f"`{name.text}` is not one number"
        else:
            variable.scale.canonical(name.text)
            return None
    except WrongQuantityError as error:
        reason = str(error)
    message = f"`{variable.name}` cannot have this value: {reason}"
    return Diagnostic(
        "E0212",
        message,
        name.span,
        "not possible",
        help=(f"`{variable.name}` takes {', '.join(variable.takes)}",),
    )


def no_such_value(variable: Variable, name: Name, *advice: str, fixes: tuple[Fix, ...] = ()) -> Diagnostic:
    """The diagnostic for a value that does not exist, with this advice.

    The values of a fact with a tree are called by its name (an unknown platform); otherwise they are values (of
    sockets).
    """
    if any(variable.parents):
        return not_known(variable.name, name, "E0202", *advice, fixes=fixes)
    message = f"`{variable.name}` has no value `{name.text}`"
    return Diagnostic("E0202", message, name.span, "unknown", help=advice, fixes=fixes)


def _listed(names: Sequence[str]) -> str:
    if len(names) <= MOST_LISTED:
        return f"known: {', '.join(names)}"
    return "`setpoint kb list` lists all names"


def with_titles(names: Sequence[str], titles: Mapping[str, str]) -> list[str]:
    """Names with their titles, of those that have one."""
    return [f"`{name}`" + (f" ({titles[name]})" if titles.get(name) else "") for name in names]


def advice_on_value(variable: Variable, word: str, titles: Mapping[str, str] = MappingProxyType({})) -> str:
    """What to state instead of an unlisted value: another release of it, or a value that it may lie within, by title.

    A generation is known long before all of its models are.
    """
    others = releases(variable, word)
    names = sorted(variable.values) if variable.scale is None else variable.takes
    tops, inner = _tops(variable)
    if others:
        wider = with_titles(_wider(variable, others), titles)
        other = f"; for another, state {' or '.join(wider)}" if wider else ""
        return f"known releases: {', '.join(others)}{other}"
    if len(names) <= MOST_LISTED or not inner:
        return _listed(names)
    return (
        f"covered: {', '.join(tops)}, and {inner} narrower values; if yours is not listed, state the one of "
        f"these that it belongs to; `setpoint kb show {variable.name}` lists all"
    )


def _wider(variable: Variable, values: Iterable[str]) -> list[str]:
    """The values that some of these lie within, however far."""
    parents = dict(zip(variable.values, variable.parents, strict=True))
    ancestors: set[str] = set()
    for value in values:
        while value := parents[value]:
            ancestors.add(value)
    return sorted(ancestors)


def _tops(variable: Variable) -> tuple[list[str], int]:
    """The outermost values, and the number of the others."""
    return sorted(variable.outermost), len(variable.values) - len(variable.outermost)


def releases(variable: Variable, word: str) -> list[str]:
    """The values with the same name and a number, lowest first: for `rhel 11`, `rhel-5` and on."""
    name = "-".join(word.split()).rstrip("0123456789.-")
    numbers = {v: v.removeprefix(f"{name}-") for v in variable.values if v.startswith(f"{name}-")}
    releases = [v for v, number in numbers.items() if re.fullmatch(RELEASE, number)]
    return sorted(releases, key=lambda v: [int(part) for part in numbers[v].split(".")])[:MOST_LISTED]


def named_value(variable: Variable, text: str, releases: Mapping[str, str]) -> str:
    """The value that a text names, its words joined by hyphens; "" if there is none.

    If there are several words, the last one may be a version, which means the release that it belongs to: one that
    servers report by more of it (`releases`: `sles 15.3`), else the one that is named by what it begins with. Case does
    not matter, unless two values differ in nothing else.
    """
    *name, last = text.split() or [""]
    parts = last.split(".") if name and re.fullmatch(VERSION, last) else [last]
    reported = ""
    for length in range(len(parts), 0, -1):
        version = ".".join(parts[:length])
        word = "-".join([*name, version])
        alike = [value for value in variable.values if value.casefold() == word.casefold()]
        if word in alike or len(alike) == 1:
            return reported or (word if word in alike else alike[0])
        reported = reported or releases.get(" ".join([*name, version]).casefold(), "")
    return ""


def respelt(name: Name, word: str) -> tuple[Fix, ...]:
    """The safe fix that writes another word for a name, if there is one and the name is in a text."""
    if not word or name.span == NOWHERE:
        return ()
    return (Fix(f"write `{word}` for `{name.text}`", (Edit(name.span, word),), is_safe=True),)


def slug(locator: str) -> str:
    """A locator as part of a name: `Table 6` is `table-6`."""
    return "-".join("".join(c if c.isalnum() else " " for c in locator.lower()).split())


def is_any(condition: Condition) -> bool:
    """Whether a condition requires nothing: `goal any`."""
    return not condition.negated and [value.text for value in condition.values] == [ANY]


def regardless(*groups: tuple[Condition, ...]) -> tuple[str, ...]:
    """The names for which these conditions accept any value."""
    return tuple(sorted({c.name.text for group in groups for c in group if is_any(c)}))


class Words:
    """The variables, and boxes made from conditions over them."""

    def __init__(self, variables: dict[str, Variable], findings: list[Diagnostic]) -> None:
        self.variables = variables
        self.effects: set[str] = set()
        self._findings = findings

    def box(self, *groups: tuple[Condition, ...]) -> Box:
        """The box of all these conditions together.

        Unknown names are reported and left out. So are effects: they are known only after all settings are decided, so
        that only hazards can read them. (What a constraint requires of one is a matter of the settings in its cases.)
        """
        read = [tuple(c for c in group if not self.is_effect(c.name)) for group in groups]
        return self.box_with_effects(*read)

    def box_with_effects(self, *groups: tuple[Condition, ...]) -> Box:
        """The box of conditions that may read effects as well."""
        masks: dict[str, int] = {}
        for condition in (c for group in groups for c in group):
            if is_any(condition) and condition.name.text in self.variables:
                continue
            mask = self.mask(condition)
            if mask:
                name = condition.name.text
                masks[name] = masks.get(name, mask) & mask
                if not masks[name]:
                    message = f"`{name}` has no value under all these conditions"
                    self._findings.append(Diagnostic("K07", message, condition.span, "contradiction"))
        return tuple(sorted(masks.items()))

    def is_effect(self, name: Name) -> bool:
        """Whether this is an effect, where only facts and settings can be read; reported if so."""
        if name.text not in self.effects:
            return False
        message = f"`{name.text}` is an effect, which only hazards can read, and constraints require"
        label, advice = (
            "known only after all settings are decided",
            "ask for the settings that its cases name",
        )
        self._findings.append(Diagnostic("K07", message, name.span, label, help=(advice,)))
        return True

    def mask(self, condition: Condition) -> int:
        """The set of values that a condition allows; 0 if it cannot be read (and is reported)."""
        variable = self.variables.get(condition.name.text)
        if variable is None:
            self._findings.append(unknown("fact or setting", condition.name, self.variables, "E0201"))
            return 0
        wanted = 0
        for value in condition.values:
            meant = variable.meant(value.text)
            wanted |= meant
            if not meant:
                self._findings.append(unknown_value(variable, value))
        wanted = variable.covered(wanted)
        return variable.everything & ~wanted if condition.negated and wanted else wanted
