"""What a BIOS registry says, as formulas about a state of which nothing is known; a solver searches all states at once.

`idrac.rules` says what becomes of a request in one state. Here each attribute is a variable over its values, and the
same behaviours are formulas: which states there are, what is refused, and where a request and a restart lead. What a
client sends (`support.transitions.requests`) is a formula about the state that it reads. A solver (z3) then names a
state in which something is so, or has shown that there is none. `test_every_start` compares these formulas with
`idrac.rules`, state by state.

The attributes are those that the requests name, and those which can force, lock or suppress one of these, and so on.
Nothing depends on the others.

What the registry says about one state is made once, of the state that a server starts in, and put into another by
substitution.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, Literal, TypeVar, cast

import z3

from setpoint.compiler.twin.entries import TwinCondition, TwinDependency, Value
from setpoint.compiler.twin.rules import LOCKS
from setpoint.compiler.twin.rules import FirmwareRules as Rules
from support.transitions import end_state

BITS = 6
"""The width of a variable. No attribute has more values."""

ANOTHER = "(any other)"
"""The value of a number or a text that nothing mentions."""

CHAIN = 4
"""The maximum length of a chain of attributes of which each forces the next, also in a circle. `rests` shows that it
suffices."""

State = Mapping[str, z3.BitVecRef]
"""The value of each attribute, as its place among the values."""


@dataclass(frozen=True)
class Write:
    """An attribute and its value in a request, if the formula `when` holds."""

    attribute: str
    value: Value
    when: z3.BoolRef


Request = tuple[Write, ...]

Formula = TypeVar("Formula", z3.BoolRef, z3.BitVecRef)


class Bios:
    """The formulas of a server's registry, for the documents of a policy."""

    def __init__(self, rules: Rules, documents: Mapping[str, Any]) -> None:
        self.rules = rules
        self.registry = rules.registry
        self.dependencies = self.registry.dependencies
        self.documents = documents
        self.goal: Mapping[str, Value] = end_state(documents["expected.json"])
        self.values = {name: self._values(name) for name in self._names()}

    def _names(self) -> list[str]:
        """The attributes that the documents name, and all on which these depend."""
        bodies = [self._body(name) for name in ("settings-first", "settings")]
        new = {name for named in (self.goal, *bodies) for name in named} & set(self.registry.current)
        found = set(new)
        while new:
            asked = {c.attribute for d in self.dependencies if d.attribute in new for c in d.conditions}
            new = (asked & set(self.registry.current)) - found
            found |= new
        return sorted(found)

    def _body(self, name: str) -> Mapping[str, Value]:
        body: Mapping[str, Value] = self.documents.get(f"{name}.json", {}).get("Attributes", {})
        return body

    def _values(self, name: str) -> tuple[Value, ...]:
        """An attribute's values: of a number or a text, those that are mentioned, and one that stands for the
        others."""
        if values := self.registry.attributes[name].values:
            return values
        mentioned = [self.registry.current[name], self.goal.get(name)]
        mentioned += [self._body(each).get(name) for each in ("settings-first", "settings")]
        mentioned += [d.to for d in self.dependencies if d.attribute == name and d.prop == "CurrentValue"]
        mentioned += [c.value for d in self.dependencies for c in d.conditions if c.attribute == name]
        return (*dict.fromkeys(value for value in mentioned if value is not None), ANOTHER)

    @property
    def combinations(self) -> int:
        """How many combinations of values there are. The registry does not allow all of them."""
        return prod(map(len, self.values.values()))

    # ------------------------------------------------------------------------------------- one state

    @cached_property
    def start(self) -> State:
        """A state of which nothing is known."""
        return {name: z3.BitVec(name, BITS) for name in self.values}

    def _constant(self, name: str, value: Value) -> z3.BitVecRef:
        return z3.BitVecVal(self.values[name].index(value), BITS)

    def has(self, state: State, name: str, value: Value) -> z3.BoolRef:
        """An attribute has a value."""
        if name not in self.values or value not in self.values[name]:
            return z3.BoolVal(self.registry.current.get(name) == value)
        return state[name] == self._constant(name, value)

    def is_plan(self, state: State) -> z3.BoolRef:
        """All attributes have the values of the plan."""
        return z3.And([self.has(state, name, value) for name, value in self.goal.items()])

    def is_assumed(self, state: State) -> z3.BoolRef:
        """What the policy leaves alone has the values that the plan assumes."""
        stated = self.documents["apply.json"]["assumed"]
        return z3.And([self.has(state, n, value) for n, value in stated.items() if n in self.values])

    @cached_property
    def allowed(self) -> z3.BoolRef:
        """A server can start so: what is forced is so, nothing suppressed is, and nothing fixed has changed."""
        facts = []
        for name, values in self.values.items():
            at = self.start[name]
            facts += [z3.ULT(at, len(values)), z3.Not(self._is_forced_from(name, at))]
            facts += [
                z3.Not(z3.And(self.has(self.start, name, value), self._is_suppressed(name, value)))
                for value in values
            ]
            if not self._is_writable(name):
                facts.append(self.has(self.start, name, self.registry.current[name]))
        return z3.And(facts)

    def _in(self, state: State, said: Iterable[Formula]) -> list[Formula]:
        """What is said of the start, said of another state."""
        moved = [(self.start[name], each) for name, each in state.items() if each is not self.start[name]]
        return [cast(Formula, z3.substitute(each, *moved)) for each in said]

    def of(self, known: Mapping[str, Value], said: Formula) -> Formula:
        """What a formula comes to if the server starts with known values."""
        (found,) = self._in({name: self._constant(name, known[name]) for name in self.values}, [said])
        return cast(Formula, z3.simplify(found))

    def _fires(self, one: TwinDependency) -> z3.BoolRef:
        """A dependency holds: one of its alternatives does. A condition on what a server has not settles nothing."""
        return z3.Or(
            [
                z3.And([self._holds(condition) for condition in together])
                for together in one.alternatives
                if all(condition.attribute in self.registry.current for condition in together)
            ]
        )

    def _holds(self, condition: TwinCondition) -> z3.BoolRef:
        has = self.has(self.start, condition.attribute, condition.value)
        return has if condition.equal else z3.Not(has)

    @cached_property
    def _forcing(self) -> dict[str, list[tuple[z3.BitVecRef, z3.BoolRef]]]:
        """For each attribute that can be forced, the values in the registry's order, each with when it is forced to
        it."""
        found: dict[str, dict[Value, list[z3.BoolRef]]] = {}
        for one in self.dependencies:
            if one.prop == "CurrentValue" and one.to in self.values.get(one.attribute, ()):
                found.setdefault(one.attribute, {}).setdefault(one.to, []).append(self._fires(one))
        return {
            name: [(self._constant(name, value), z3.Or(fires)) for value, fires in values.items()]
            for name, values in found.items()
        }

    def _is_forced_from(self, name: str, value: z3.BitVecRef) -> z3.BoolRef:
        """An attribute is forced to values of which this is none."""
        forcing = self._forcing.get(name, ())
        return z3.And(
            z3.Or([fires for _, fires in forcing]),
            *(z3.Implies(fires, value != forced) for forced, fires in forcing),
        )

    def _is_suppressed(self, name: str, value: Value) -> z3.BoolRef:
        """An enumeration does not have this value now. If it would have none at all, it has all."""
        lists = [d for d in self.dependencies if (d.attribute, d.prop) == (name, "Value")]
        if not self.registry.attributes[name].values or not lists:
            return z3.BoolVal(False)
        fires = [(one.to, self._fires(one)) for one in lists]

        def remains(each: Value) -> z3.BoolRef:
            return z3.Not(z3.Or([one for left, one in fires if each not in left]))

        return z3.And(z3.Not(remains(value)), z3.Or([remains(each) for each in self.values[name]]))

    @cached_property
    def _locked(self) -> dict[str, z3.BoolRef]:
        """When each attribute is out of use."""
        locks: dict[str, list[z3.BoolRef]] = {}
        for one in self.dependencies:
            if one.attribute in self.values and one.prop in LOCKS and one.to is True:
                locks.setdefault(one.attribute, []).append(self._fires(one))
        return {name: z3.Or(locks.get(name, [])) for name in self.values}

    def _is_writable(self, name: str) -> bool:
        """Whether a request can ever write an attribute, whatever the state."""
        attribute = self.registry.attributes[name]
        if self.rules.lockdown:
            return attribute.is_choice and not attribute.hidden
        return not (attribute.hidden or attribute.immutable or attribute.read_only)

    # ------------------------------------------------------------------------- requests and restarts

    def after(self, state: State, request: Request, take: Literal["first", "last"] = "last") -> State:
        """The state after a request and a restart. Of several values that are forced, one is taken."""
        for one in request:
            value = z3.If(one.when, self._constant(one.attribute, one.value), state[one.attribute])
            state = {**state, one.attribute: value}
        for _ in range(self._longest_chain):
            state = self._forced_in(state, take)
        return state

    def rests(self, state: State) -> z3.BoolRef:
        """Nothing is forced any more to another value than it has."""
        next_ = self._forced_in(state, "last")
        return z3.And([next_[name] == state[name] for name in self._forcing])

    def _forced_in(self, state: State, take: Literal["first", "last"]) -> State:
        """The state after everything is applied that is forced in it."""
        forced = self._in(state, self._forced[take].values())
        return {**state, **dict(zip(self._forced[take], forced, strict=True))}

    @cached_property
    def _forced(self) -> dict[str, dict[str, z3.BitVecRef]]:
        """What each attribute that can be forced becomes, if the first of several values is taken, or the last."""
        found: dict[str, dict[str, z3.BitVecRef]] = {"first": {}, "last": {}}
        for name, forcing in self._forcing.items():
            moves = self._is_forced_from(name, self.start[name])
            for take, each in (("first", forcing[::-1]), ("last", forcing)):
                forced = self.start[name]
                for value, fires in each:
                    forced = z3.If(fires, value, forced)
                found[take][name] = z3.If(moves, forced, self.start[name])
        return found

    @cached_property
    def _longest_chain(self) -> int:
        """How often something is forced by what was forced itself; at most `CHAIN`, since there are circles."""
        forced, length = set(self._forcing), 0
        while forced and length < CHAIN:
            length += 1
            forced = {
                d.attribute
                for d in self.dependencies
                if d.prop == "CurrentValue" and d.attribute in self._forcing
                if any(c.attribute in forced for c in d.conditions)
            }
        return length

    def is_refused(self, state: State, request: Request) -> z3.BoolRef:
        """The BIOS takes a request not, for where the whole of it leads."""
        end = self.after(state, request, take="first")
        return z3.Or([z3.And(one.when, self._refuses(one, state, request, end)) for one in request])

    def _refuses(self, write: Write, state: State, request: Request, end: State) -> z3.BoolRef:
        name = write.attribute
        if not self._is_writable(name):
            return z3.BoolVal(True)
        forced = self._is_forced_from(name, self._constant(name, write.value))
        reasons = self._in(end, [forced, self._is_suppressed(name, write.value), self._locked[name]])
        if any(c.attribute == name for d in self.dependencies for c in d.conditions):
            others = tuple(one for one in request if one.attribute != name)
            reasons += self._in(self.after(state, others, take="first"), [self._locked[name]])
        return z3.Or(reasons)

    def wanted(self, state: State) -> Request:
        """What the client sends in a state: what must be right before the rest, or else the rest."""
        first = self.documents["apply.json"].get("first", {"differs": (), "opens": {}})
        before = self._body("settings-first")
        late = {name: self._is_late(name, state) for name in first["differs"]}
        writes = [(name, before[name], when) for name, when in late.items()]
        writes += [
            (other, value, late[name])
            for name, opens in first["opens"].items()
            for other, value in opens.items()
        ]
        rest = z3.Not(z3.Or(list(late.values())))
        writes += [(name, value, rest) for name, value in self._body("settings").items()]
        return tuple(Write(n, v, z3.And(when, z3.Not(self.has(state, n, v)))) for n, v, when in writes)

    def _is_late(self, name: str, state: State) -> z3.BoolRef:
        """An attribute is wrong, and what would set it along with itself is right, so that it never would."""
        along = self.documents["apply.json"]["along"].get(name, ())
        others = z3.And([self.has(state, other, self.goal[other]) for other in along])
        wrong = z3.Not(self.has(state, name, self.goal[name]))
        return z3.And(wrong, z3.Not(others)) if along else wrong

    def any_of_the_plan(self, state: State) -> Request:
        """A request of any attributes of the plan, with their values."""
        return tuple(
            Write(name, value, z3.And(z3.Bool(f"writes {name}"), z3.Not(self.has(state, name, value))))
            for name, value in self.goal.items()
            if name in self.values
        )


def has_content(request: Request) -> z3.BoolRef:
    """A request writes anything at all."""
    return z3.Or([one.when for one in request])


def example(bios: Bios, *facts: z3.BoolRef) -> dict[str, Value] | None:
    """The values of a start in which all these facts are true, if the registry allows one."""
    solver = z3.SolverFor("QF_BV")
    solver.add(bios.allowed, *facts)
    if solver.check() == z3.unsat:
        return None
    model = solver.model()
    return {
        name: bios.values[name][model.eval(at, model_completion=True).as_long()]
        for name, at in bios.start.items()
    }


def value_of(bios: Bios, known: Mapping[str, Value], name: str, said: z3.BitVecRef) -> Value:
    """The value that a formula has for an attribute if the server starts with known values."""
    place: int = bios.of(known, said).as_long()
    return bios.values[name][place]


def is_true(bios: Bios, known: Mapping[str, Value], said: z3.BoolRef) -> bool:
    """Whether a formula holds if the server starts with known values."""
    return bool(z3.is_true(bios.of(known, said)))
