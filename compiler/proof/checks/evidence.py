"""Evidence for statements: measurements for rules that claim to be measured (K17), and cited places (K19).

Uncited sources are K09: often another statement cites the wrong source.

`strength measured` takes precedence over the vendor's advice, so it needs a figure: a measurement of the same source
that varies the setting, has it as a column, or holds it constant. If the source has measurements at the places that the
rule cites, one of these must be about the setting. Otherwise a wrong figure number, or a wrong setting in a
measurement, would leave the rule with unrelated figures.

With `strength measured when`, the rule is measured advice there and a vendor's elsewhere in scope. A condition that is
never or always true for the rule says neither: it names the wrong hardware, or nothing.

A source may list its contents: tables, figures, sections. Then every locator that cites it must consist of these, as
`unlisted` defines it, so that wrong numbers are found. A place that is listed twice hides that another was meant.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import (
    CITED,
    IN_SCOPE,
    MEASURED,
    VENDOR,
    Citation,
    Knowledge,
    Measurement,
    Rule,
    statements_of,
)
from setpoint.compiler.knowledge.words import suggestion
from setpoint.compiler.proof.checks.possible import PossibleFacts
from setpoint.compiler.record import NamedTuple

_PLURAL = re.compile(r"(\w+)s (.+)")
_NEXT = re.compile(r", | and ")
_GOES_ON = re.compile(r"[,:] ")

MOST_SHOWN = 3
"""The maximum number of unrelated figures that a finding shows."""


def unmeasured_rules(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The rules of strength `measured` without a measurement of their source (K17)."""
    figures = [
        _CitedFigure(figure, _places_of(figure.citation.at), frozenset(_settings_of(figure)))
        for figure in knowledge.measurements
    ]
    for rule in knowledge.rules:
        if rule.strength != "measured" or knowledge.is_from_library(rule.span):
            continue
        here = [figure for figure in figures if figure.about.citation.source == rule.citation.source]
        supporting = [figure for figure in here if rule.setting in figure.settings]
        places = _places_of(rule.citation.at) | _places_of(rule.table)
        cited = [figure for figure in here if figure.places & places]
        if not supporting:
            yield _unmeasured(rule)
        elif cited and not any(figure in supporting for figure in cited):
            yield _measured_elsewhere(rule, cited, supporting)


def idle_strengths(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The rules that are measured under a condition that is never, or always, true where they apply in scope (K17)."""
    possible = PossibleFacts(knowledge)
    for rule in knowledge.rules:
        if not rule.measured_when or knowledge.is_from_library(rule.span):
            continue
        inside = [applicability for applicability in rule.applicabilities if applicability.steps == IN_SCOPE]
        measured = [
            applicability.when
            for applicability in inside
            if applicability.strength == MEASURED and not possible.why_not(applicability.when)
        ]
        elsewhere = [applicability.when for applicability in inside if applicability.strength == VENDOR]
        if not measured:
            yield _idle_strength(
                knowledge, rule, "never", "name the hardware that was measured, or lower the strength"
            )
        elif all(any(possible.implies(box, other) for other in measured) for box in elsewhere):
            yield _idle_strength(knowledge, rule, "always", "say `strength measured` without a condition")


def _idle_strength(knowledge: Knowledge, rule: Rule, when: str, advice: str) -> Diagnostic:
    return Diagnostic(
        "K17",
        f"the condition under which `{rule.name}` is measured is {when} true where it applies in scope",
        rule.span,
        f"measured when {knowledge.box_text(rule.measured_when)}",
        notes=(f"condition of the rule: {knowledge.box_text(rule.when)}",) if rule.when else (),
        help=(advice,),
    )


class _CitedFigure(NamedTuple):
    """A measurement with its places and the settings that it is about."""

    about: Measurement
    places: frozenset[str]
    settings: frozenset[str]


def _places_of(locator: str) -> frozenset[str]:
    """The places that a locator names, without what follows a comma or colon; a plural names several places."""
    places: set[str] = set()
    for component in filter(None, map(str.strip, locator.split(";"))):
        plural = _PLURAL.fullmatch(component)
        numbered = _NEXT.split(plural[2]) if plural else []
        if plural and all(number.isdecimal() for number in numbered):
            places |= {f"{plural[1]} {number}" for number in numbered}
        else:
            places.add(_GOES_ON.split(component)[0])
    return frozenset(places)


def _unmeasured(rule: Rule) -> Diagnostic:
    source = rule.citation.source
    return Diagnostic(
        "K17",
        f"`{rule.name}` claims strength `measured`, but `{source}` has no measurement of `{rule.setting}`",
        rule.span,
        f"measured, says {source}, {rule.citation.at}",
        help=(
            f"write down the figure: `measurement … of {source}`, with `vary {rule.setting} …`",
            "or lower the strength: the default is `strength vendor`",
        ),
    )


def _measured_elsewhere(rule: Rule, cited: list[_CitedFigure], supporting: list[_CitedFigure]) -> Diagnostic:
    """The finding for a rule that cites unrelated figures, although its source has figures of its setting."""
    where = ", ".join(dict.fromkeys(figure.about.citation.at for figure in supporting))
    spans = dict.fromkeys(figure.about.span for figure in cited)
    return Diagnostic(
        "K17",
        f"`{rule.name}` claims strength `measured`, but what is measured at {rule.citation.at} is not `{rule.setting}`",
        rule.span,
        f"cites {rule.citation.at}",
        tuple(Label(span, "is about something else") for span in islice(spans, MOST_SHOWN)),
        (f"`{rule.citation.source}` has figures of `{rule.setting}` at: {where}",),
        ("correct the locator of the rule", "or correct what the measurement varies, or where it stands"),
    )


def _settings_of(figure: Measurement) -> Iterator[str]:
    """The facts and settings that a figure varies, names or holds constant."""
    if figure.varied:
        yield figure.varied[0]
    yield from (name for name, _ in (*figure.when, *figure.held))


def uncited_sources(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The sources that no statement cites (K09), except superseded ones, which are kept for the history."""
    cited = {citation.source for citation, _ in _cited(knowledge)}
    cited |= {source.supersedes for source in knowledge.sources.values()}
    for source in knowledge.sources.values():
        if source.name not in cited and not knowledge.is_from_library(source.span):
            yield Diagnostic(
                "K09",
                f"no statement cites `{source.name}`",
                source.span,
                "not cited",
                help=("cite it, or drop it",),
            )


def unknown_places(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The locators with a place that their source does not list (K19)."""
    seen: set[tuple[Citation, Span]] = set()
    for citation, span in _cited(knowledge):
        source = knowledge.sources[citation.source]
        if not source.contents or knowledge.is_from_library(span) or (citation, span) in seen:
            continue
        seen.add((citation, span))
        for place in unlisted(citation.at, source.contents):
            near = suggestion(place, source.contents)
            yield Diagnostic(
                "K19",
                f"`{source.name}` has no `{place}`",
                span,
                f"cited as {citation.at}",
                (Label(source.span, "lists its contents"),),
                (),
                (
                    f"did you mean `{near}`?"
                    if near
                    else "correct the locator, or list the place in `contents`",
                    "a locator is a listed place, or several with `;` or `and` between them; "
                    "behind a comma or a colon it may go on",
                ),
            )


def repeated_places(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """The places that a source lists twice (K19)."""
    for source in knowledge.sources.values():
        again = [place for place, number in Counter(source.contents).items() if number > 1]
        for place in () if knowledge.is_from_library(source.span) else again:
            yield Diagnostic(
                "K19",
                f"`{source.name}` lists `{place}` twice in its contents",
                source.span,
                "one of them may be another place",
                help=("drop one of them, or correct its name",),
            )


def unlisted(locator: str, contents: tuple[str, ...]) -> tuple[str, ...]:
    """The places of a locator that a source's contents do not list.

    A locator consists of places, separated by `;`. A place is listed literally or up to a comma or colon, or is several
    places joined by `and`, or a plural with several numbers (`Figures 5 and 7`).
    """
    return tuple(
        place
        for component in locator.split(";")
        for place in _unlisted(component.strip(), frozenset(contents))
    )


def _unlisted(place: str, contents: frozenset[str]) -> tuple[str, ...]:
    if place in contents or _is_extended_place(place, contents):
        return ()
    plural = _PLURAL.fullmatch(place)
    if plural:
        numbered = [f"{plural[1]} {number}" for number in _NEXT.split(plural[2])]
        if len(numbered) > 1 and contents & set(numbered):
            return tuple(entry for entry in numbered if entry not in contents)
    for both in re.finditer(" and ", place):
        left, right = place[: both.start()], place[both.end() :]
        if not _unlisted(left, contents):
            return _unlisted(right, contents)
    return (place,)


def _is_extended_place(place: str, contents: frozenset[str]) -> bool:
    """Whether this is a listed place, followed by a comma or colon and more text."""
    return any(place.startswith((f"{known}, ", f"{known}: ")) for known in contents)


def _cited(knowledge: Knowledge) -> Iterator[tuple[Citation, Span]]:
    """Every citation, with the place of its statement."""
    for field in CITED:
        yield from ((statement.citation, statement.span) for statement in statements_of(knowledge, field))
    yield from ((figure.citation, figure.span) for figure in knowledge.measurements)
    for rule in knowledge.rules:
        if rule.table:
            yield rule.citation._replace(at=rule.table), rule.span
    for values in knowledge.values.values():
        yield from ((value.citation, value.span) for value in values.values() if value.citation)
        yield from ((r.citation, v.span) for v in values.values() for r in v.reported if r.citation)
    for service in knowledge.services:
        yield from ((report.citation, service.span) for report in service.reported if report.citation)
    for kind in knowledge.kinds.values():
        yield from ((ignored.citation, kind.span) for ignored in kind.ignored if ignored.citation)
