"""Where a source speaks, and what it takes back.

A source may state its scope. Within it, and wherever the policy leaves open whether it is, its rules
have the strength they claim. Outside they still speak, as the weakest strength, and the plan says so. What was measured counts as measured on the
hardware that it was measured on, if the rule names that; on its relatives within the scope it is the vendor's word.
A fact that is not stated leaves the matter open only where the other facts leave room for it: on a server
that takes none of the processors in a scope, that scope is left, whether its processor is named or not.
The same holds on hardware that no source studied but that *follows* hardware that one did: at the
first remove, at the second, and so on, the nearer counting more.

A later edition takes back what an earlier one said of the same setting; an exception takes back the
rule that it names, or all cells of the row or table that it names. That a rule yields to another changes
nothing: it says that its author knows the other to outrank it, which the proof asks for and checks.
"""

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import (
    IN_SCOPE,
    MEASURED,
    OUT_OF_SCOPE,
    UNSTATED,
    VENDOR,
    Box,
    FactValue,
    Reach,
    Rule,
    Source,
    Variable,
    meet,
)
from setpoint.compiler.knowledge.room import Rooms
from setpoint.compiler.knowledge.words import suggestion

MOST_NAMED = 5
"""How many rules a message lists when the one that it asks for is not there."""


def reaches(
    when: Box,
    scope: Box,
    strength: str,
    measured_when: Box,
    variables: dict[str, Variable],
    values: dict[str, dict[str, FactValue]],
    rooms: Rooms,
) -> tuple[Reach, ...]:
    """The boxes in which a statement with these conditions applies, each with its distance from the scope.

    The first box that holds counts. Within the scope, what was measured on other hardware is the vendor's word.
    """
    inside, outside = _parted(when, scope, rooms)
    found = []
    if strength == MEASURED and measured_when:
        measured = [box for each in inside for box in _parted(each, measured_when, rooms)[0]]
        found = [Reach(box, IN_SCOPE, MEASURED) for box in measured]
        strength = VENDOR
    found += [Reach(box, IN_SCOPE, strength) for box in inside]
    beyond = OUT_OF_SCOPE if strength else ""
    found += [Reach(box, 0, beyond) for box in outside]
    for name, mask in when:
        if mask & UNSTATED:
            continue  # a `not`: what it excludes stays excluded, whatever it follows
        for steps, followers in _followers(mask, variables[name], values.get(name, {})):
            box = tuple((n, followers if n == name else m) for n, m in when)
            found.append(Reach(box, steps, beyond))
    return tuple(found)


def _parted(when: Box, scope: Box, rooms: Rooms) -> tuple[list[Box], list[Box]]:
    """A condition in two: what of it lies within a scope, and all of it, which counts where the first does not hold."""
    inside: list[Box] = [when]
    for name, mask in scope:
        beside = rooms.beside(name, mask)
        ways: list[Box] = [((name, mask & ~UNSTATED),), *(((name, UNSTATED), *room) for room in beside)]
        if () in beside:
            ways = [((name, mask | UNSTATED),)]
        inside = _met(inside, ways)
    return inside, [] if inside == [when] else [when]


def _met(boxes: list[Box], others: list[Box]) -> list[Box]:
    """What each of these boxes has in common with each of the others."""
    return [both for box in boxes for other in others if (both := meet(box, other)) is not None]


def _followers(mask: int, variable: Variable, values: dict[str, FactValue]) -> list[tuple[int, int]]:
    """The sets of values that follow those in `mask`, by number of steps."""
    by_steps: dict[int, int] = {}
    for value in variable.names(variable.everything & ~mask):
        steps, at = 0, _followed(value, values)
        while at:
            steps += 1
            if variable.bit(at) & mask:
                by_steps[steps] = by_steps.get(steps, 0) | variable.bit(value)
                break
            if steps > len(values):
                break  # a circle of followers: reported where the values are read
            at = _followed(at, values)
    return sorted(by_steps.items())


def followed(mask: int, variable: Variable, value: str, values: dict[str, FactValue]) -> str:
    """The nearest value in `mask` whose advice `value` inherits; "" if it inherits none of them, or needs none."""
    if variable.bit(value) & mask:
        return ""
    seen: set[str] = set()
    at = _followed(value, values)
    while at and at not in seen and not variable.bit(at) & mask:
        seen.add(at)
        at = _followed(at, values)
    return at if at not in seen else ""


def _followed(value: str, values: dict[str, FactValue]) -> str:
    """What this value, or the nearest one above it that follows anything, follows."""
    at = value
    while at in values:
        if values[at].follows:
            return values[at].follows
        at = values[at].within
    return ""


def withdrawals(
    rules: tuple[Rule, ...], sources: dict[str, Source], findings: list[Diagnostic]
) -> tuple[Rule, ...]:
    """The rules with `withdraws` and `yields` spelt out: the names of the very rules that are meant."""
    by_setting: dict[str, list[Rule]] = {}
    for rule in rules:
        by_setting.setdefault(rule.setting, []).append(rule)
    taken: dict[str, set[str]] = {rule.name: set() for rule in rules}
    yields: dict[str, set[str]] = {rule.name: set() for rule in rules}
    for rule in rules:
        alike = by_setting[rule.setting]
        for name in rule.withdraws:
            taken[rule.name] |= _named(rule, name, alike, "is an exception to", findings)
        for name in rule.yields:
            yields[rule.name] |= _named(rule, name, alike, "yields to", findings)
        older = _superseded(rule.citation.source, sources)
        taken[rule.name] |= {r.name for r in alike if r.citation.source in older}
    spelt = [
        r._replace(withdraws=tuple(sorted(taken[r.name])), yields=tuple(sorted(yields[r.name])))
        for r in rules
    ]
    _no_circle(spelt, findings)
    return tuple(spelt)


def _named(rule: Rule, name: str, alike: list[Rule], relation: str, findings: list[Diagnostic]) -> set[str]:
    """The rules of the same setting that a name means: the rule itself, or all cells of a table or row."""
    found = {
        r.name for r in alike if r.name != rule.name and (r.name == name or r.name.startswith(name + "."))
    }
    if not found:
        message = f"`{rule.name}` {relation} `{name}`, but no rule for `{rule.setting}` has that name"
        findings.append(Diagnostic("K07", message, rule.span, help=(_meant(rule, name, alike),)))
    return found


def _meant(rule: Rule, name: str, alike: list[Rule]) -> str:
    """What to name instead: the name that was probably meant, else what there is for the setting."""
    names = {each for other in alike for each in (other.name, _row(other)) if each != rule.name}
    near = suggestion(name, names)
    rows = sorted({_row(other) for other in alike if other.name != rule.name})
    if near or not rows:
        return f"did you mean `{near}`?" if near else f"no other rule speaks of `{rule.setting}`: drop it"
    listed = ", ".join(f"`{each}`" for each in rows[:MOST_NAMED])
    return f"for `{rule.setting}` there are {listed}" + (" and others" if len(rows) > MOST_NAMED else "")


def _row(rule: Rule) -> str:
    """The name of a rule; of a cell that of its row."""
    return rule.name.rpartition(".")[0] if rule.table else rule.name


def _superseded(source: str, sources: dict[str, Source]) -> set[str]:
    older: set[str] = set()
    at = sources[source].supersedes if source in sources else ""
    while at and at not in older and at != source:
        older.add(at)
        at = sources[at].supersedes if at in sources else ""
    return older


def _no_circle(rules: list[Rule], findings: list[Diagnostic]) -> None:
    edges = {rule.name: set(rule.withdraws) for rule in rules}
    for rule in rules:
        seen: set[str] = set()
        ahead = set(edges[rule.name])
        while ahead:
            name = ahead.pop()
            if name == rule.name:
                findings.append(
                    Diagnostic("K07", f"`{rule.name}` withdraws itself in a cycle", rule.span, "")
                )
                break
            if name not in seen:
                seen.add(name)
                ahead |= edges.get(name, set())
