"""A second opinion: the knowledge base as facts of a logic program, and plans by asking its solver.

It reads the knowledge base as it is built (rules, offers, presets, constraints) and nothing of how the compiler
resolves it. The vendor's default and the order of settings are all that is done here rather than in `oracle.lp`.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import clingo

from setpoint.compiler.knowledge.model import STRENGTHS, Box, Knowledge, Rule

PROGRAM = Path(__file__).with_suffix(".lp").read_text(encoding="utf-8")
ABSENT = "none"


def _text(word: str) -> str:
    return f'"{word}"'


class Oracle:
    """Plans of policies on one knowledge base."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self._boxes: dict[Box, int] = {}
        self._base = "\n".join(self._facts())

    def plan(self, facts: dict[str, str], sets: dict[str, str]) -> dict[str, str] | str:
        """Every setting's value; or the code of what is wrong: E05 not offered, E0301 impossible, E0303 a tie."""
        control = clingo.Control(["--warn=none"])
        known = [
            f"known({_text(n)},{_text(facts[n]) if n in facts else ABSENT})." for n in self.knowledge.kinds
        ]
        control.add("base", [], "\n".join([PROGRAM, self._base, *known]))
        control.ground([("base", [])])
        domains: dict[str, list[str]] = {}
        for atom in control.symbolic_atoms.by_signature("domain", 2):
            setting, value = (argument.string for argument in atom.symbol.arguments)
            domains.setdefault(setting, []).append(value)
        if any(value not in domains.get(name, []) for name, value in sets.items()):
            return "E05"
        fixed = dict(sets)
        if _model(control, fixed) is None:
            return "E0301"
        for name in sorted(domains, key=lambda n: self.knowledge.settings[n].position):
            possible = [
                v
                for v in self.knowledge.settings[name].values
                if v in domains[name] and _model(control, {**fixed, name: v}) is not None
            ]
            if name in sets:
                possible = [sets[name]]
            model = _model(control, fixed)
            assert model is not None
            best = _best(model, name, possible)
            if len(best) > 1:
                return "E0303"
            if not best:
                default = self._default(facts, name, domains)
                best = {default} if default in possible else {possible[0]}
            fixed[name] = best.pop()
        return fixed

    # ------------------------------------------------------------------------------------- defaults

    def _default(self, facts: dict[str, str], name: str, domains: dict[str, list[str]]) -> str:
        """The vendor's default: that of the offer, or what the default profile fixes."""
        offered = self._offer_default(facts, name)
        for preset in self.knowledge.presets:
            if preset.governor in domains and self._holds(facts, preset.when):
                column = preset.columns.get(self._offer_default(facts, preset.governor), {})
                offered = column.get(name, offered)
        return offered

    def _offer_default(self, facts: dict[str, str], name: str) -> str:
        fitting = [o for o in self.knowledge.offers.get(name, ()) if self._holds(facts, o.when)]
        best = [o for o in fitting if not any(_strictly_inside(p.when, o.when) for p in fitting)]
        return best[0].default if best else ""

    def _holds(self, facts: dict[str, str], box: Box) -> bool:
        return all(facts.get(name, ABSENT) in self._values(name, mask) for name, mask in box)

    # --------------------------------------------------------------------------------------- facts

    def _values(self, name: str, mask: int) -> list[str]:
        variable = self.knowledge.variables[name]
        return [*variable.names(mask), *([ABSENT] if mask & 1 else [])]

    def _box(self, box: Box) -> int:
        return self._boxes.setdefault(box, len(self._boxes))

    def _facts(self) -> Iterator[str]:
        k = self.knowledge
        for name, offers in k.offers.items():
            for i, offer in enumerate(offers):
                yield f"offer({_text(f'{name}{i}')},{_text(name)},{self._box(offer.when)})."
                yield from (f"gives({_text(f'{name}{i}')},{_text(value)})." for value in offer.values)
                for j, other in enumerate(offers):
                    inside, around = (
                        _strictly_inside(other.when, offer.when),
                        _strictly_inside(offer.when, other.when),
                    )
                    if inside or (j < i and not around):
                        yield f"over({_text(f'{name}{j}')},{_text(f'{name}{i}')})."
        for constraint in k.constraints:
            yield f"constraint({_text(constraint.name)},{self._box(constraint.when)})."
            if constraint.require:
                name, mask = constraint.require
                yield f"requires({_text(constraint.name)},{_text(name)})."
                yield from (
                    f"with({_text(constraint.name)},{self._word(v)})." for v in self._values(name, mask)
                )
        for i, preset in enumerate(k.presets):
            yield f"preset({i},{_text(preset.governor)},{self._box(preset.when)})."
            for value, members in preset.columns.items():
                for member, fixed in members.items():
                    yield f"fixes({i},{_text(value)},{_text(member)},{_text(fixed)})."
        yield from self._advice(k.rules)
        for box, number in self._boxes.items():
            yield f"box({number})."
            for name, mask in box:
                yield f"on({number},{_text(name)})."
                yield from (f"in({number},{_text(name)},{self._word(v)})." for v in self._values(name, mask))

    def _word(self, value: str) -> str:
        return ABSENT if value == ABSENT else _text(value)

    def _advice(self, rules: Iterable[Rule]) -> Iterator[str]:
        for rule in rules:
            name = _text(rule.name)
            yield f"rule({name},{_text(rule.setting)},{_text(rule.value)})."
            for i, reach in enumerate(rule.reaches):
                strength = STRENGTHS.index(rule.strength) if reach.steps < 0 else 0
                site = 1000 if rule.layer == "site" else 0
                nearness = 99 - max(reach.steps, 0)
                yield f"reach({name},{i},{self._box(reach.when)})."
                yield f"weight({name},{i},{site + 100 * strength + nearness})."
                yield f"brought({name},{i},{site + 100 * min(strength, STRENGTHS.index('vendor')) + nearness})."
            yield from (f"takes_back({name},{_text(other)})." for other in rule.withdraws)
            for other in rules:
                if other.setting == rule.setting and _strictly_inside(rule.when, other.when):
                    yield f"narrow({name},{_text(other.name)})."


def _strictly_inside(a: Box, b: Box) -> bool:
    """Whether every context in `a` is in `b`, and not the other way round."""

    def inside(x: Box, y: Box) -> bool:
        return all(any(n == name and m | mask == mask for n, m in x) for name, mask in y)

    return inside(a, b) and not inside(b, a)


def _best(model: list[clingo.Symbol], name: str, possible: list[str]) -> set[str]:
    """The values that the unbeaten recommendations want, of those that are possible."""
    standing, beats = set(), set()
    for atom in model:
        arguments = atom.arguments
        if atom.name == "stands" and arguments[2].string == name and arguments[3].string in possible:
            standing.add((str(arguments[0]), str(arguments[4]), arguments[3].string))
        elif atom.name == "beats" and arguments[0].string == name:
            beats.add(tuple(map(str, arguments[1:])))
    return {
        value
        for rule, by, value in standing
        if not any((other, its, rule, by) in beats for other, its, _ in standing)
    }


def _model(control: clingo.Control, fixed: dict[str, str]) -> list[clingo.Symbol] | None:
    """A choice of values with some of them fixed, and what follows from it; None if there is none."""
    assumptions = [
        (clingo.Function("chosen", [clingo.String(name), clingo.String(value)]), True)
        for name, value in fixed.items()
    ]
    with control.solve(assumptions=assumptions, yield_=True) as handle:
        model = handle.model()
        return list(model.symbols(shown=True)) if model is not None else None
