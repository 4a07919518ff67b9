"""What a comparison sees of a plan: its form, and how it is read from plan.json.

A bundle has no other form than plan.json, so what was planned here is brought to that form as well, and
both are read in one way. Each plan is read once, here; only how hazards stand is told by `hazards`, which
knows the codes of their diagnostics. What no difference shows (places in files, labels, notes) is left
behind.

INVARIANT: the data fits `plan.schema.json`. What somebody else wrote is checked before it comes here.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from setpoint.compiler.comparison.hazards import hazard_states
from setpoint.compiler.plan.difference import HazardState, Problem, Value
from setpoint.compiler.plan.model import Reference

EMPTY: Mapping[str, Any] = MappingProxyType({})
"""Nothing, by name."""


class SeenFact(NamedTuple):
    """A fact: `value` as the knowledge base has it, `text` as written, `how` it is known, `because` of what."""

    value: str
    text: str
    how: str
    because: str


class SeenSetting(NamedTuple):
    """A setting: its value, where it is set, whether that takes a reboot. `written` says whether artifacts carry the value."""

    value: Value
    layer: str
    menu: str
    reboot: bool
    written: bool


class Seen(NamedTuple):
    """A plan, all by name; of a policy that is not there, nothing.

    `settings` are in the order of decision, `effects` have their values. `errors` are all that stop the build, those of
    hazards too, which leave a plan.
    """

    policy: str = ""
    facts: Mapping[str, SeenFact] = EMPTY
    settings: Mapping[str, SeenSetting] = EMPTY
    effects: Mapping[str, str] = EMPTY
    hazards: Mapping[str, HazardState] = EMPTY
    sources: Mapping[str, Reference] = EMPTY
    errors: tuple[Problem, ...] = ()


def seen(data: dict[str, Any]) -> Seen:
    """What is seen of a plan in the form of plan.json."""
    return Seen(
        data["policy"],
        {name: _fact(fact) for name, fact in data["facts"].items()},
        {name: _setting(decision) for name, decision in data["settings"].items()},
        {name: effect["value"] for name, effect in data["effects"].items()},
        hazard_states(data),
        {
            name: Reference(name, s["title"], s["publisher"], s["date"] or "", s["url"] or "")
            for name, s in data["sources"].items()
        },
        problems(data["diagnostics"]),
    )


def problems(diagnostics: Iterable[dict[str, Any]]) -> tuple[Problem, ...]:
    """The errors among diagnostics in the form of plan.json."""
    return tuple(
        Problem(f"{d['code']}: {d['message']}", d["file"], d["line"])
        for d in diagnostics
        if d["severity"] == "error"
    )


def _fact(fact: dict[str, Any]) -> SeenFact:
    return SeenFact(fact["value"], fact.get("written", fact["value"]), fact["from"], fact.get("because", ""))


def _setting(decision: dict[str, Any]) -> SeenSetting:
    return SeenSetting(
        _value(decision),
        decision["layer"],
        decision["menu"] or "",
        decision["reboot"],
        decision["written"],
    )


def _value(decision: dict[str, Any]) -> Value:
    cause = decision["because"][0]
    return Value(
        value=decision["value"],
        unwritten=decision["unwritten"] or "",
        cause=cause["kind"],
        rule=cause.get("rule", ""),
        source=cause.get("source", ""),
        at=cause.get("at", ""),
        strength=_weight(cause),
        because=cause.get("because", ""),
        profile=cause.get("profile", ""),
        against=tuple(dict.fromkeys(_loser(b) for b in decision["beat"] if b["value"] != decision["value"])),
    )


def _weight(cause: dict[str, Any]) -> str:
    return "out of scope" if "out_of_scope" in cause else str(cause.get("strength", ""))


def _loser(lost: dict[str, Any]) -> str:
    return f"{lost['value']} ({lost['source']}, {lost['at']})" if "source" in lost else str(lost["value"])
