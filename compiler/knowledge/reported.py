"""How a server reports itself: the names that a value of a fact goes by on the server.

`platform r740 { reported as product "PowerEdge R740"; }` is what lets an artifact see that it is on the right server.
The kinds of report are listed here, since each is compared in its own way; the names are knowledge. A name is a word
of the server's, and it ends up in scripts and in manifests: what it may consist of leaves nothing to quote.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import Citation, FactValue, Reported, Variable
from setpoint.compiler.knowledge.words import ANY, unknown
from setpoint.compiler.language.syntax import Field, Name
from setpoint.compiler.record import distinct

VERSION = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){0,5}")

KINDS: dict[str, tuple[re.Pattern[str], str]] = {
    "product": (
        re.compile(r"[A-Za-z0-9][A-Za-z0-9 .,()\[\]/+_-]{0,79}"),
        "the product name of its DMI table",
    ),
    "sockets": (re.compile(r"[1-9][0-9]{0,2}"), "a number of processors"),
    "system": (re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}"), "what `uname -s` prints"),
    "distribution": (
        re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*( [A-Za-z0-9._-]+){0,9}"),
        "ID and VERSION_ID of its os-release, such as `debian 12`",
    ),
    "kernel": (VERSION, "a version such as `5.14`"),
}
"""The kinds of report: what a name of the kind may be, as a pattern and in words."""

VERSIONED = ("kernel",)
"""The kinds that can be reported `from` a version on."""


@distinct
class Accepted(NamedTuple):
    """What a server may report: one of these names, or one of these versions or a later one. Nothing at all: anything."""

    names: tuple[str, ...] = ()
    since: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.names or self.since)


def reports(
    fields: Iterable[Field], cite: Callable[[Name, Name], Citation], findings: list[Diagnostic]
) -> tuple[Reported, ...]:
    """The reports that these fields state, each with its source. What is wrong is added to `findings`."""
    found = []
    for field in fields:
        citation = cite(field.origin.source, field.origin.at) if field.origin else None
        kind, *names = field.names
        if kind.text not in KINDS:
            findings.append(unknown("kind of report", kind, KINDS, "E0202"))
            continue
        findings += _wrong(field, kind.text, names)
        texts = tuple(name.text for name in names)
        match field.form:
            case "any":
                found.append(Reported(kind.text, anything=True, citation=citation))
            case "from":
                found.append(Reported(kind.text, since=texts[0], citation=citation))
            case _:
                found.append(Reported(kind.text, texts, citation=citation))
    return tuple(found)


def _wrong(field: Field, kind: str, names: list[Name]) -> Iterator[Diagnostic]:
    pattern, what = KINDS[kind]
    if field.form == "any":
        if names[0].text != ANY:
            message = f"a {kind} is reported as a text in quotes, or as `{ANY}`"
            yield Diagnostic("K07", message, names[0].span, "neither")
        return
    if field.form == "from" and kind not in VERSIONED:
        yield Diagnostic("K07", f"`from` needs a version, and `{kind}` has none", names[0].span, "no version")
    for name in names:
        if not pattern.fullmatch(name.text):
            message = f"no server reports `{name.text}` as its {kind}"
            yield Diagnostic("K07", message, name.span, f"not {what}")


def shared_products(
    variables: Mapping[str, Variable], values: Mapping[str, Mapping[str, FactValue]]
) -> Iterator[Diagnostic]:
    """Report the products that two values are reported as, of which neither lies within the other (K07)."""
    for fact, named in sorted(values.items()):
        first: dict[str, FactValue] = {}
        for name in sorted(named):
            for product in (p for each in _of(named[name], "product") for p in each.names):
                other = first.setdefault(product, named[name])
                if not variables[fact].below(name) & variables[fact].below(other.name):
                    yield Diagnostic(
                        "K07",
                        f"`{other.name}` and `{name}` are both reported as product `{product}`",
                        named[name].span,
                        "ambiguous",
                        (Label(other.span, "also reported as this"),),
                    )


def kinds_of(values: Mapping[str, FactValue]) -> tuple[str, ...]:
    """The kinds that some value of a fact is reported as, in the order of `KINDS`."""
    stated = {each.kind for value in values.values() for each in value.reported}
    return tuple(kind for kind in KINDS if kind in stated)


def accepted(variable: Variable, values: Mapping[str, FactValue], value: str, kind: str) -> Accepted:
    """What a server may report of this kind where the fact has this value.

    What the value says itself counts, with the names of all values within it. If it says nothing, the nearest one that it lies
    within counts, by itself; if none of these says anything either, the values within it.
    """
    within = [values[name] for name in variable.names(variable.below(value)) if name != value]
    own = _of(values[value], kind)
    if not own:
        above = values[value].within
        while above:
            if wider := _of(values[above], kind):
                return _all(wider)
            above = values[above].within
    return _all([*own, *(each for other in within for each in _of(other, kind) if not each.anything)])


def _of(value: FactValue, kind: str) -> list[Reported]:
    return [each for each in value.reported if each.kind == kind]


def _all(reports: Iterable[Reported]) -> Accepted:
    reports = tuple(reports)
    if any(each.anything for each in reports):
        return Accepted()
    names = dict.fromkeys(name for each in reports for name in each.names)
    since = dict.fromkeys(each.since for each in reports if each.since)
    return Accepted(tuple(names), tuple(since))
