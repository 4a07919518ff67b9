"""Where the statements of a source apply, and which rules they withdraw.

A source may state its scope. In scope, and wherever the policy leaves that open, its rules have the strength that they
claim. A source may also name what is *related* to its scope, where its advice is in scope too, and weaker. Out of scope
rules still apply, with the weakest strength, and the plan says so. `measured` advice counts as measured on the hardware
that the rule names, and as vendor advice on other hardware in scope. A fact that is not stated leaves the scope open
only if the other facts are compatible with it: a server that takes none of the processors in scope is out of scope,
whether or not its processor is stated. The same holds for hardware that no source studied but that *follows* studied
hardware, directly or through others; the nearest takes precedence.

A later edition withdraws the advice of an earlier one on the same setting. An exception withdraws the rule that it
names, or all cells of the row or table that it names. `yields to` changes nothing: it declares that the author knows
the other rule to take precedence, which the proof requires and checks.
"""

from bisect import bisect_left

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.chains import circles
from setpoint.compiler.knowledge.compatibility import CompatibleFacts
from setpoint.compiler.knowledge.followers import Followers, studied_values
from setpoint.compiler.knowledge.model import (
    IN_SCOPE,
    MEASURED,
    OUT_OF_SCOPE,
    STRENGTHS,
    UNSTATED,
    VENDOR,
    Applicability,
    Box,
    Related,
    Rule,
    Source,
    meet,
)
from setpoint.compiler.knowledge.words import suggestion

MOST_NAMED = 5
"""The maximum number of rules that a message suggests."""

AFTER_DOT = chr(ord(".") + 1)
"""The character after the dot: names of cells sort between the two."""

MOST_RELATIONS = 200_000
"""How often rules may withdraw others or yield to them in all. A library has some thousands; a rule may name all."""


def applicabilities(
    when: Box,
    scope: Box,
    related: Related | None,
    strength: str,
    measured_when: Box,
    compatible_facts: CompatibleFacts,
    followers: Followers,
) -> tuple[Applicability, ...]:
    """The boxes in which a statement with these conditions applies, each with its distance from the scope.

    The first box that holds determines the strength. In scope, advice measured on other hardware counts as vendor
    advice.
    """
    inside, outside = _inside_and_anywhere(when, scope, compatible_facts)
    boxes = []
    if strength == MEASURED and measured_when:
        measured = [
            part for box in inside for part in _inside_and_anywhere(box, measured_when, compatible_facts)[0]
        ]
        boxes = [Applicability(box, IN_SCOPE, MEASURED) for box in measured]
        strength = VENDOR
    boxes += [Applicability(box, IN_SCOPE, strength) for box in inside]
    if strength and related:
        weaker = min(strength, related.strength, key=STRENGTHS.index)
        near, _ = _inside_and_anywhere(when, related.when, compatible_facts)
        boxes += [Applicability(box, IN_SCOPE, weaker) for box in near]
    beyond = OUT_OF_SCOPE if strength else ""
    boxes += [Applicability(box, 0, beyond) for box in outside]
    for name, mask in when:
        if mask & UNSTATED:
            continue  # a `not`: excluded values stay excluded, whatever they follow
        followed = studied_values(name, mask, scope)
        for steps, following in followers.of(name, mask, followed):
            box = tuple((n, following if n == name else m) for n, m in when)
            boxes.append(Applicability(box, steps, beyond))
    return tuple(boxes)


def _inside_and_anywhere(
    when: Box, scope: Box, compatible_facts: CompatibleFacts
) -> tuple[list[Box], list[Box]]:
    """The parts of a condition inside a scope, and the condition for where none of these holds; () if all is inside."""
    inside: list[Box] = [when]
    for name, mask in scope:
        left_open = compatible_facts.left_open(name, mask)
        always = left_open.pop((), 0)
        ways: list[Box] = [
            ((name, mask & ~UNSTATED | always),),
            *(((name, values), *context) for context, values in sorted(left_open.items())),
        ]
        inside = _intersections(inside, ways)
    return inside, [] if inside == [when] else [when]


def _intersections(boxes: list[Box], others: list[Box]) -> list[Box]:
    """The intersections of each of these boxes with each of the others."""
    return [both for box in boxes for other in others if (both := meet(box, other)) is not None]


def withdrawals(
    rules: tuple[Rule, ...], sources: dict[str, Source], findings: list[Diagnostic]
) -> tuple[Rule, ...]:
    """The rules with the names in `withdraws` and `yields` resolved to names of rules."""
    by_setting: dict[str, list[Rule]] = {}
    for rule in rules:
        by_setting.setdefault(rule.setting, []).append(rule)
    same_setting = {setting: _SameSetting(some) for setting, some in by_setting.items()}
    older = {name: superseded(name, sources) for name in {rule.citation.source for rule in rules}}
    withdrawn: dict[str, set[str]] = {rule.name: set() for rule in rules}
    yields: dict[str, set[str]] = {rule.name: set() for rule in rules}
    named = 0
    for rule in rules:
        same = same_setting[rule.setting]
        for name in rule.withdraws:
            withdrawn[rule.name] |= _rules_named(rule, name, same, "is an exception to", findings)
        for name in rule.yields:
            yields[rule.name] |= _rules_named(rule, name, same, "yields to", findings)
        for source in older[rule.citation.source]:
            withdrawn[rule.name].update(same.of_source.get(source, ()))
        named += len(withdrawn[rule.name]) + len(yields[rule.name])
        if named > MOST_RELATIONS:
            message = f"rules withdraw others, or yield to them, more than {MOST_RELATIONS:,} times"
            advice = "name fewer rules: each rule counts that a table, a row or an earlier edition has"
            findings.append(Diagnostic("K07", message, rule.span, "beyond the limit", help=(advice,)))
            break
    spelt = [
        r._replace(withdraws=tuple(sorted(withdrawn[r.name])), yields=tuple(sorted(yields[r.name])))
        for r in rules
    ]
    _report_withdrawal_cycles(spelt, findings)
    return tuple(spelt)


class _SameSetting:
    """The rules for a setting, by name and by source."""

    def __init__(self, rules: list[Rule]) -> None:
        self.rules = rules
        self.names = sorted({rule.name for rule in rules})
        self.of_source: dict[str, list[str]] = {}
        for rule in rules:
            self.of_source.setdefault(rule.citation.source, []).append(rule.name)

    def named(self, name: str) -> set[str]:
        """The names of the rules that a name means: a rule, and all cells of a table or row."""
        cells = self.names[bisect_left(self.names, name + ".") : bisect_left(self.names, name + AFTER_DOT)]
        at = bisect_left(self.names, name)
        return {*cells, *(entry for entry in self.names[at : at + 1] if entry == name)}


def _rules_named(
    rule: Rule, name: str, same_setting: _SameSetting, relation: str, findings: list[Diagnostic]
) -> set[str]:
    """The rules of the same setting with this name: a rule, or all cells of a table or row."""
    names = same_setting.named(name) - {rule.name}
    if not names:
        message = f"`{rule.name}` {relation} `{name}`, but no rule for `{rule.setting}` has that name"
        findings.append(
            Diagnostic("K07", message, rule.span, help=(_suggest_rule(rule, name, same_setting.rules),))
        )
    return names


def _suggest_rule(rule: Rule, name: str, same_setting: list[Rule]) -> str:
    """A suggestion for a name without a rule: the most similar name, else the rules of the setting."""
    names = {
        candidate for other in same_setting for candidate in (other.name, other.row) if candidate != rule.name
    }
    near = suggestion(name, names)
    rows = sorted({other.row for other in same_setting if other.name != rule.name})
    if near or not rows:
        return f"did you mean `{near}`?" if near else f"there is no other rule for `{rule.setting}`: drop it"
    listed = ", ".join(f"`{row}`" for row in rows[:MOST_NAMED])
    return f"for `{rule.setting}` there are {listed}" + (" and others" if len(rows) > MOST_NAMED else "")


def superseded(source: str, sources: dict[str, Source]) -> set[str]:
    """The sources of which a source is a later edition."""
    older: set[str] = set()
    at = sources[source].supersedes if source in sources else ""
    while at and at not in older and at != source:
        older.add(at)
        at = sources[at].supersedes if at in sources else ""
    return older


def _report_withdrawal_cycles(rules: list[Rule], findings: list[Diagnostic]) -> None:
    in_circles = circles({rule.name: rule.withdraws for rule in rules})
    findings += [
        Diagnostic("K07", f"`{rule.name}` withdraws itself in a cycle", rule.span, "")
        for rule in rules
        if rule.name in in_circles
    ]
