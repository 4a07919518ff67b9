"""A policy is planned for one server: what its registry does not allow is not offered, and the plan says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registries import document
from setpoint.compiler.fitting.server import Server, server_of
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.pipeline import Planned, Selection, knowledge_for, planned, read_text
from setpoint.compiler.plan.as_json import plan_from_json, plan_json
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.registries.read import registry_of
from setpoint.targets._bios.attributes import spell
from setpoint.targets._bios.forms import FIRST, THEN
from support.effort import examples

R720, R630, R740, R750 = "dell-12g-R720", "dell-13g-R630", "dell-14g-R740", "dell-15g-R750"
PLATFORMS = {R720: "r720", R630: "r630", R740: "r740", R750: "r750"}
GOALS = ("latency", "throughput", "efficiency")

Registry = dict[str, Any]
Change = Callable[[Registry], None]


def server(
    name: str, change: Change = lambda registry: None, current: bool = True, now: dict[str, Any] | None = None
) -> Server:
    """A captured server, its registry changed, with its current values or some others."""
    registry = document(name, "BiosRegistry")
    change(registry)
    values = {**document(name, "Bios")["Attributes"], **(now or {})} if current else {}
    return server_of(registry_of(registry, name), values, f"captures/{PLATFORMS[name]}.json")


def attempt(text: str, where: Server | None) -> Planned:
    """What becomes of a policy."""
    (done,) = planned(read_text(text), standard(), Selection(server=where))
    return done


def plan(text: str, where: Server | None) -> Plan:
    """The plan of a policy, which must have one."""
    done = attempt(text, where)
    assert done.plan is not None, [each.message for each in done.findings]
    return done.plan


@cache
def base(name: str, goal: str) -> Plan:
    """The plan for all servers like a captured one."""
    return plan(policy(name, goal), None)


def policy(name: str, goal: str = "latency", more: str = "") -> str:
    """A policy for a captured server."""
    return f"goal {goal}; platform {PLATFORMS[name]}; {more}"


def decisions(made: Plan) -> dict[str, Decision]:
    """The decisions, without the notes."""
    return {each.setting: each._replace(notes=()) for each in made.settings}


def attribute(registry: Registry, name: str) -> dict[str, Any]:
    """An attribute of a registry."""
    found: dict[str, Any] = next(
        each for each in registry["RegistryEntries"]["Attributes"] if each["AttributeName"] == name
    )
    return found


def without_value(name: str, value: str) -> Change:
    """Take a value away from an attribute."""

    def change(registry: Registry) -> None:
        each = attribute(registry, name)
        each["Value"] = [one for one in each["Value"] if one["ValueName"] != value]

    return change


def without(name: str) -> Change:
    """Take an attribute away, with the dependencies on it."""

    def change(registry: Registry) -> None:
        entries = registry["RegistryEntries"]
        entries["Attributes"] = [each for each in entries["Attributes"] if each["AttributeName"] != name]
        entries["Dependencies"] = [
            each
            for each in entries["Dependencies"]
            if each["Dependency"]["MapToAttribute"] != name
            and all(one["MapFromAttribute"] != name for one in each["Dependency"]["MapFrom"])
        ]

    return change


def flagged(name: str, *flags: str) -> Change:
    """Set flags of an attribute, and drop the dependencies that would explain them."""

    def change(registry: Registry) -> None:
        attribute(registry, name).update(dict.fromkeys(flags, True))
        entries = registry["RegistryEntries"]
        entries["Dependencies"] = [
            each for each in entries["Dependencies"] if each["Dependency"]["MapToAttribute"] != name
        ]

    return change


def with_a_tpm(registry: Registry) -> None:
    """Let Trusted Execution be set: the captured R630 has no TPM that allows it, and the library no setting for one."""
    attribute(registry, "IntelTxt")["ReadOnly"] = False
    for each in registry["RegistryEntries"]["Dependencies"]:
        locked = each["Dependency"]
        if locked["MapToAttribute"] == "IntelTxt":
            locked["MapFrom"] = [one for one in locked["MapFrom"] if "Tpm" not in one["MapFromAttribute"]]


# ------------------------------------------------------------------------------ the library is exact


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("name", [R630, R750])
def test_the_plan_is_the_same_where_the_library_is_exact(name: str, goal: str) -> None:
    assert decisions(plan(policy(name, goal), server(name, with_a_tpm))) == decisions(base(name, goal))


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize(
    ("name", "absent"), [(R720, {"qpi-speed"}), (R740, {"turbo-cores-processor-2"})]
)  # servers with one processor
def test_the_plan_differs_by_what_the_server_lacks(name: str, goal: str, absent: set[str]) -> None:
    here, everywhere = decisions(plan(policy(name, goal), server(name))), decisions(base(name, goal))
    assert everywhere.keys() - here.keys() == absent
    changed = {
        setting
        for setting in here
        if here[setting] != everywhere[setting]._replace(locks=here[setting].locks)
    }
    assert changed == {"node-interleaving"}
    assert (here["node-interleaving"].value, here["node-interleaving"].unwritten) == ("off", "fixed")


@pytest.mark.parametrize("name", PLATFORMS)
def test_library_and_registry_say_the_same_of_dependencies(name: str) -> None:
    found = attempt(policy(name), server(name)).findings
    assert [each.message for each in found if each.code == "W0503"] == []


# -------------------------------------------------------------------------------- planted differences


def test_a_value_that_the_registry_lacks_is_not_offered_and_advice_falls_to_the_next_rule() -> None:
    advised = base(R630, "latency").setting("snoop-mode")
    assert advised is not None
    assert (advised.value, advised.cause.kind) == ("early", "rule")
    made = plan(policy(R630), server(R630, without_value("SnoopMode", "EarlySnoop")))
    decision = made.setting("snoop-mode")
    assert decision is not None
    assert decision.value != "early"
    assert [lost.reason for lost in decision.beat if lost.value == "early"] == ["blocked"]
    (note,) = (each.text for each in decision.notes if each.kind == "registry")
    assert note.startswith("r630.json (PowerEdge R630, BIOS 2.13.0): SnoopMode takes ")
    assert "EarlySnoop" not in note


def test_a_set_of_a_value_that_the_registry_lacks_is_an_error_with_what_it_offers() -> None:
    where = server(R740)
    (error,) = attempt(policy(R740, more='set memory-frequency 2933 because "x";'), where).findings.errors
    assert error.code == "E0502"
    assert error.at.line == 1
    assert error.notes == (
        "offered: maximum, 2666, 2400, 2133, 1866",
        "r740.json (PowerEdge R740, BIOS 0.4.1): MemFrequency takes MaxPerf, 2666MHz, 2400MHz, 2133MHz, 1866MHz, "
        "MaxReliability",
    )


def test_an_attribute_that_the_registry_lacks_is_a_setting_that_the_server_lacks() -> None:
    where = server(R740, without("ProcTurboMode"))
    made = plan(policy(R740), where)
    assert made.setting("turbo") is None
    assert made.registry is not None
    assert made.registry.says("turbo") == "r740.json (PowerEdge R740, BIOS 0.4.1): no attribute ProcTurboMode"
    (error,) = attempt(policy(R740, more='set turbo off because "x";'), where).findings.errors
    assert (error.code, error.notes) == ("E0501", (made.registry.says("turbo"),))


def test_a_renamed_value_is_not_offered() -> None:
    def rename(registry: Registry) -> None:
        for each in attribute(registry, "LogicalProc")["Value"]:
            each["ValueName"] = each["ValueName"].replace("Enabled", "TwoThreads")

    (error,) = attempt(
        policy(R740, more='set smt on because "x";'), server(R740, rename, current=False)
    ).findings.errors
    assert error.code == "E0502"
    assert "LogicalProc takes TwoThreads, Disabled" in error.notes[1]


@pytest.mark.parametrize("flag", ["ReadOnly", "Immutable", "Hidden"])
def test_what_nobody_can_write_stays_as_it_is(flag: str) -> None:
    where = server(R740, flagged("LogicalProc", flag), now={"LogicalProc": "Enabled"})
    assert base(R740, "latency").value("smt") == "off"
    made = plan(policy(R740), where)
    decision = made.setting("smt")
    assert decision is not None
    assert (decision.value, decision.unwritten, decision.origin) == ("on", "fixed", "forced")
    assert "LogicalProc" not in {line.attribute for line in spell(made).lines}
    assert spell(made).assumed["LogicalProc"] == "Enabled"
    (error,) = attempt(policy(R740, more='set smt off because "x";'), where).findings.errors
    assert error.code == "E0502"
    assert error.notes[1].endswith("and has Enabled")


def test_what_nobody_can_write_is_not_planned_if_its_value_is_unknown() -> None:
    made = plan(policy(R740), server(R740, flagged("LogicalProc", "ReadOnly"), current=False))
    assert made.setting("smt") is None
    assert made.registry is not None
    assert made.registry.says("smt").endswith(
        "LogicalProc is read-only, and its value is not given (--current)"
    )


def test_a_lock_that_a_dependency_explains_is_none() -> None:
    """Registries show what the profile of the moment locks as read-only; the plan has another profile."""
    where = server(R630)
    assert where.current["SysProfile"] == "PerfOptimized"
    made = plan(policy(R630, "efficiency"), where)
    assert made.registry is not None
    assert [limited.because for limited in made.registry.limited] == ["IntelTxt is read-only, and has Off"]
    made = plan(policy(R630, "efficiency"), server(R630, with_a_tpm))
    assert made.registry is not None
    assert made.registry.limited == ()


def test_a_profile_that_the_registry_lacks_is_not_chosen() -> None:
    assert base(R740, "throughput").value("system-profile") == "performance"
    made = plan(policy(R740, "throughput"), server(R740, without_value("SysProfile", "PerfOptimized")))
    assert made.value("system-profile") == "custom"


def test_a_registry_that_leaves_no_plan_is_named_in_the_conflict() -> None:
    def change(registry: Registry) -> None:
        profile = attribute(registry, "SysProfile")
        profile["Value"] = [each for each in profile["Value"] if each["ValueName"] == "PerfOptimized"]
        without_value("ProcTurboMode", "Enabled")(registry)

    (error, *_) = attempt(policy(R740), server(R740, change)).findings.errors
    assert error.code == "E0301"
    assert error.notes[-2:] == (
        "r740.json (PowerEdge R740, BIOS 0.4.1): ProcTurboMode takes Disabled",
        "r740.json (PowerEdge R740, BIOS 0.4.1): SysProfile takes PerfOptimized",
    )


BOUNDED = """
source lab { title "Bench notes"; publisher "Our lab"; }
setting fan-offset { title "Fan offset"; layer firmware; range 0 to 100; }
options of lab when platform r740 { fan-offset 0 to 100 default 0 at "menu"; }
spelling attribute of lab when platform r740 { fan-offset in "FanOffset" as integer at "menu"; }
goal latency; platform r740;
"""


@cache
def bounded() -> Knowledge:
    """The knowledge base with a number."""
    return knowledge_for(read_text(BOUNDED))


@pytest.mark.parametrize(
    ("bounds", "left"),
    [
        ((0, 100, None), "0 to 100"),
        ((0, 255, 1), "0 to 100"),
        ((10, 60, None), "10 to 60"),
        ((0, 100, 5), "0 to 100 step 5"),
        ((3, 48, 10), "3 to 43 step 10"),
        ((20, 20, None), "20"),
        ((None, 7, None), "0 to 7"),
        ((101, 200, None), None),
    ],
)
def test_bounds_and_increments_narrow_a_range(bounds: tuple[int | None, ...], left: str | None) -> None:
    def add(registry: Registry) -> None:
        fields = dict(zip(("LowerBound", "UpperBound", "ScalarIncrement"), bounds, strict=True))
        registry["RegistryEntries"]["Attributes"].append(
            {"AttributeName": "FanOffset", "Type": "Integer", **fields}
        )

    def becomes(number: int) -> list[str]:
        text = BOUNDED + f'set fan-offset {number} because "x";'
        program = read_text(text)
        (done,) = planned(program, bounded(), Selection(server=where))
        return [note for each in done.findings.errors for note in each.notes]

    where = server(R740, add)
    low, high, step = bounds
    allowed = {
        n
        for n in range(101)
        if (low or 0) <= n <= (high if high is not None else 100) and not (n - (low or 0)) % (step or 1)
    }
    for number in (0, 3, 5, 7, 8, 10, 13, 20, 43, 48, 60, 61, 100):
        notes = becomes(number)
        assert bool(notes) is (number not in allowed)
        if notes and left:
            assert notes[0] == f"offered: {left}"


# --------------------------------------------------------------------------------------- dependencies


def dependency(to: str, what: str, value: Any, condition: tuple[str, str, str]) -> dict[str, Any]:
    """A dependency of a registry."""
    name, operator, text = condition
    return {
        "Dependency": {
            "MapFrom": [{"MapFromAttribute": name, "MapFromCondition": operator, "MapFromValue": text}],
            "MapToAttribute": to,
            "MapToProperty": what,
            "MapToValue": value,
        }
    }


def with_dependencies(*more: dict[str, Any]) -> Change:
    """Add dependencies to a registry."""

    def change(registry: Registry) -> None:
        registry["RegistryEntries"]["Dependencies"] += more

    return change


def test_another_value_under_a_profile_is_a_finding_and_the_library_holds() -> None:
    differs = with_dependencies(
        dependency("ProcTurboMode", "CurrentValue", "Disabled", ("SysProfile", "EQU", "PerfOptimized"))
    )
    done = attempt(policy(R740, "throughput"), server(R740, differs))
    (finding,) = (each for each in done.findings if each.code == "W0503")
    assert finding.subject == "system-profile"
    assert finding.notes == (
        "system-profile performance: the registry sets ProcTurboMode to Disabled (off); "
        "the library [dell-bios-registries, R740 registry, SysProfile dependencies] to on",
    )
    assert done.plan is not None
    assert done.plan.value("turbo") == "on"


def test_another_lock_is_a_finding() -> None:
    def unlock(registry: Registry) -> None:
        entries = registry["RegistryEntries"]
        entries["Dependencies"] = [
            each
            for each in entries["Dependencies"]
            if (each["Dependency"]["MapToAttribute"], each["Dependency"]["MapToProperty"])
            != ("ProcTurboMode", "ReadOnly")
        ]

    done = attempt(policy(R740), server(R740, unlock))
    (finding,) = (each for each in done.findings if each.code == "W0503")
    assert all("the registry does not lock ProcTurboMode" in note for note in finding.notes)


def test_a_lock_that_only_the_registry_has_holds_in_this_run() -> None:
    locks = with_dependencies(
        dependency("ProcVirtualization", "CurrentValue", "Disabled", ("LogicalProc", "EQU", "Disabled")),
        dependency("ProcVirtualization", "ReadOnly", True, ("LogicalProc", "EQU", "Disabled")),
    )
    everywhere = base(R740, "latency")
    assert (everywhere.value("smt"), everywhere.value("virtualization")) == ("off", "on")
    made = plan(policy(R740), server(R740, locks))
    assert (made.value("smt") == "off") is (made.value("virtualization") == "off")
    decision = made.setting("virtualization")
    assert decision is not None
    assert [(lock.setting, lock.values) for lock in decision.locks] == [("smt", ("off",))]
    (error, *_) = attempt(
        policy(R740, more='set smt off because "x"; set virtualization on because "y";'), server(R740, locks)
    ).findings.errors
    assert error.code == "E0301"
    assert any("r740.json" in note for note in error.notes)


COOLING = """
source lab { title "Bench notes"; publisher "Our lab"; }
setting cooling { title "Cooling"; layer firmware; values quiet, cold, manual; }
setting fans { title "Fans"; layer firmware; values low, high; }
options of lab when platform r740 {
    cooling quiet, cold, manual default quiet at "menu";
    fans low, high default low at "menu";
}
spelling attribute of lab when platform r740 {
    cooling quiet "Quiet", cold "Cold", manual "Manual" in "Cooling" at "menu";
    fans low "Low", high "High" in "Fans" at "menu";
}
%s
goal latency; platform r740;
"""
PRESET = 'preset "menu" of lab when platform r740 { cooling quiet cold manual; fans _ _ _; }'


def cooled(more: str, *dependencies: dict[str, Any]) -> Planned:
    """What becomes of a policy for a server with two attributes of a site's own."""

    def add(registry: Registry) -> None:
        for name, values in (("Cooling", ("Quiet", "Cold", "Manual")), ("Fans", ("Low", "High"))):
            registry["RegistryEntries"]["Attributes"].append(
                {"AttributeName": name, "Type": "Enumeration", "Value": [{"ValueName": v} for v in values]}
            )
        registry["RegistryEntries"]["Dependencies"] += dependencies

    program = read_text(
        COOLING.replace("%s", PRESET if "preset" in more else "") + more.replace("preset", "")
    )
    (done,) = planned(program, knowledge_for(program), Selection(server=server(R740, add)))
    return done


FORCED = (
    dependency("Fans", "CurrentValue", "High", ("Cooling", "EQU", "Cold")),
    dependency("Fans", "ReadOnly", True, ("Cooling", "NEQ", "Manual")),
)


def test_a_cell_that_the_library_leaves_open_is_filled_from_the_registry() -> None:
    free, cold, low = (
        'set cooling manual because "x"; set fans high because "y";',
        'set cooling cold because "x";',
        'set cooling cold because "x"; set fans low because "y";',
    )
    assert {each.code for each in cooled("preset" + free).findings.errors} == {"E0505"}
    made = cooled("preset" + free, *FORCED).plan
    assert made is not None
    decision = made.setting("fans")
    assert decision is not None
    assert decision.written
    made = cooled("preset" + cold, *FORCED).plan
    assert made is not None
    decision = made.setting("fans")
    assert decision is not None
    assert (decision.value, decision.unwritten) == ("high", "locked")
    assert [each.code for each in cooled("preset" + low, *FORCED).findings.errors] == ["E0301"]


@pytest.mark.parametrize(
    ("what", "value", "hides", "kept"), [("Hidden", True, True, ()), ("ReadOnly", True, False, ("cold",))]
)
def test_what_only_the_registry_hides_or_locks_has_a_lock(
    what: str, value: bool, hides: bool, kept: tuple[str, ...]
) -> None:
    done = cooled(
        'set cooling cold because "x";', dependency("Fans", what, value, ("Cooling", "EQU", "Cold"))
    )
    assert done.plan is not None
    decision = done.plan.setting("fans")
    assert decision is not None
    (lock,) = decision.locks
    assert (lock.setting, lock.values, lock.hides, lock.kept) == ("cooling", ("cold",), hides, kept)


def test_values_that_only_the_registry_excludes_are_excluded() -> None:
    fewer = dependency("Fans", "Value", [{"ValueName": "High"}], ("Cooling", "EQU", "Cold"))
    made = cooled('set cooling cold because "x";', fewer).plan
    assert made is not None
    decision = made.setting("fans")
    assert decision is not None
    assert decision.value == "high"
    assert decision.cause.name == "r740.json: Fans by Cooling"
    assert decision.cause.because == "the firmware takes values from Fans while Cooling is Cold"
    assert made.value("cooling") == "cold"
    unaffected = cooled('set cooling quiet because "x";', fewer).plan
    assert unaffected is not None
    assert unaffected.value("fans") == "low"


def test_what_needs_a_third_attribute_is_not_compared() -> None:
    joint = dependency("Fans", "ReadOnly", True, ("Cooling", "EQU", "Cold"))
    joint["Dependency"]["MapFrom"].append(
        {
            "MapFromAttribute": "ProcTurboMode",
            "MapFromCondition": "EQU",
            "MapFromValue": "Enabled",
            "MapTerms": "AND",
        }
    )
    done = cooled('set cooling cold because "x"; set fans high because "y";', joint)
    assert done.plan is not None
    decision = done.plan.setting("fans")
    assert decision is not None
    assert decision.locks == ()


def test_a_value_that_a_constant_attribute_excludes_is_not_offered() -> None:
    """An attribute that no setting writes keeps its current value, so what depends on it is known."""
    fewer = with_dependencies(
        dependency("MemFrequency", "Value", [{"ValueName": "2133MHz"}], ("BootMode", "EQU", "Uefi"))
    )
    assert server(R740).current["BootMode"] == "Uefi"
    made = plan(policy(R740), server(R740, fewer))
    assert made.value("memory-frequency") == "2133"


# ------------------------------------------------------------------------------------- current values


def sent(made: Plan) -> dict[str, Any]:
    """The attributes that are sent to the server."""
    spelling = spell(made)
    return {line.attribute: line.value for step in (FIRST, THEN) for line in spelling.at(step)}


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("name", PLATFORMS)
def test_what_is_right_is_not_sent_and_is_still_expected(name: str, goal: str) -> None:
    where = server(name)
    made, unaware = plan(policy(name, goal), where), plan(policy(name, goal), server(name, current=False))
    lines = {line.attribute: line.value for line in spell(made).lines}
    everything = {line.attribute: line.value for line in spell(unaware).lines}
    assert everything.items() <= lines.items()
    again = {each for each, value in sent(made).items() if where.current[each] == value}
    assert again <= {line.attribute for line in spell(made).at(FIRST)}, "only what a profile may change"
    left_out = lines.keys() - sent(made).keys()
    along = {line.attribute for line in spell(made).lines if line.step not in (FIRST, THEN)}
    assert {each for each in left_out if where.current[each] != lines[each]} <= along


@pytest.mark.parametrize("name", PLATFORMS)
def test_nothing_is_sent_to_a_server_that_has_the_plan(name: str) -> None:
    end = {line.attribute: line.value for line in spell(plan(policy(name), server(name))).lines}
    assert sent(plan(policy(name), server(name, now=end))) == {}


def test_a_member_is_sent_if_the_profile_that_is_set_may_change_it() -> None:
    seeds = with_dependencies(
        dependency("ProcTurboMode", "CurrentValue", "Enabled", ("SysProfile", "EQU", "Custom"))
    )
    now = {"SysProfile": "PerfPerWattOptimizedDapc", "ProcTurboMode": "Disabled"}
    assert "ProcTurboMode" not in sent(plan(policy(R740), server(R740, now=now)))
    assert sent(plan(policy(R740), server(R740, seeds, now=now)))["ProcTurboMode"] == "Disabled"


@pytest.mark.parametrize(
    ("profile", "opens", "sent_again"),
    [
        ("PerfOptimized", {"SysProfile": "Custom"}, True),
        ("Custom", {}, True),
        ("PerfPerWattOptimizedOs", {"SysProfile": "Custom"}, True),
    ],
)
def test_a_first_restart_depends_on_the_profile_that_the_server_has(
    profile: str, opens: dict[str, str], sent_again: bool
) -> None:
    """Performance locks the memory's frequency without setting it for sure, so that must be right before."""
    text = policy(R740, "throughput")
    made = plan(text, server(R740, now={"SysProfile": profile, "MemFrequency": "2133MHz"}))
    assert made.value("system-profile") == "performance"
    first = {line.attribute: line.opened_by for line in spell(made).at(FIRST)}
    assert first["MemFrequency"] == opens
    assert ("SysProfile" in sent(made)) is sent_again, (
        "what is opened for the first restart is closed after it"
    )


def test_no_first_restart_is_needed_where_everything_locked_is_right() -> None:
    made = plan(policy(R740, "throughput"), server(R740, now={"SysProfile": "PerfOptimized"}))
    assert spell(made).at(FIRST) == ()
    assert "SysProfile" not in sent(made)


# ------------------------------------------------------------------------------------------- notices


def test_lockdown_is_one_sentence() -> None:
    done = attempt(policy(R750), server(R750))
    (finding,) = (each for each in done.findings if each.code == "W0504")
    assert finding.message == (
        "the server was in lockdown mode when `r750.json` was read: it accepts no BIOS settings until that ends"
    )
    assert not [each for each in attempt(policy(R740), server(R740)).findings if each.code == "W0504"]


def test_current_values_alone_check_the_names() -> None:
    current = document(R740, "Bios")["Attributes"]
    del current["ProcTurboMode"]
    done = attempt(policy(R740), server_of(None, current, "captures/Bios.json"))
    assert done.plan is not None
    assert done.plan.setting("turbo") is None
    assert done.plan.value("smt") == base(R740, "latency").value("smt")
    assert [each.code for each in done.findings if each.code.startswith("W05")] == ["W0505"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("goal latency; platform r740;", "it is of `PowerEdge R750`, and the policy is for platform r740"),
        (
            "goal latency; os rhel 9;\nplatform r740;",
            "it is of `PowerEdge R750`, and the policy is for platform r740",
        ),
        ("goal latency;", "the policy does not say which model it is for"),
    ],
)
def test_the_registry_of_another_server_is_refused(text: str, why: str) -> None:
    (error,) = attempt(text, server(R750)).findings.errors
    assert error.code == "E0506"
    assert error.message == f"`r750.json` is not the registry of this server: {why}"
    assert error.at.line == 1 + text.count("\n")
    assert "`platform r750;`" in error.help[0]


def test_a_plan_is_the_same_after_json() -> None:
    (done,) = planned(read_text(policy(R740)), standard(), Selection(server=server(R740)))
    assert done.judged is not None
    data = plan_json(done.judged)
    assert plan_json(plan_from_json(data)) == data
    assert data["registry"]["file"] == "r740.json"
    assert data["registry"]["firmware"] == "0.4.1"


# ------------------------------------------------------------------------------------------ properties


def relevant(name: str) -> tuple[str, ...]:
    """The attributes of the plan's settings."""
    return tuple(
        each
        for decision in base(name, "latency").settings
        for spelled in decision.spelled
        if spelled.interface == "attribute"
        for each in spelled.names
    )


@st.composite
def narrowings(draw: st.DrawFn) -> tuple[str, list[Change]]:
    """A server, and changes that take something away from its registry."""
    name = draw(st.sampled_from([R630, R740, R750]))
    names = draw(st.lists(st.sampled_from(relevant(name)), min_size=1, max_size=6, unique=True))
    return name, list(_changes(draw, name, names))


def _changes(draw: st.DrawFn, name: str, names: list[str]) -> Iterator[Change]:
    registry = document(name, "BiosRegistry")
    known = {each["AttributeName"]: each for each in registry["RegistryEntries"]["Attributes"]}
    for each in names:
        kind = draw(st.sampled_from(["absent", "value", "flag"]))
        if each not in known or kind == "absent":
            yield without(each)
        elif kind == "flag":
            yield flagged(each, draw(st.sampled_from(["ReadOnly", "Immutable", "Hidden"])))
        else:
            for value in draw(
                st.lists(
                    st.sampled_from([one["ValueName"] for one in known[each]["Value"]]),
                    min_size=1,
                    max_size=2,
                )
            ):
                yield without_value(each, value) if each in known else without(each)


@given(narrowings(), st.sampled_from(GOALS), st.booleans())
@settings(max_examples=examples(40), deadline=None)
def test_nothing_is_sent_that_a_narrowed_registry_does_not_take(
    narrowed: tuple[str, list[Change]], goal: str, current: bool
) -> None:
    name, changes = narrowed
    gone: set[str] = set()

    def change(registry: Registry) -> None:
        for each in registry["RegistryEntries"]["Attributes"]:  # end the lockdown of the capture
            each.update(ReadOnly=False, Immutable=False)
        for each in changes:
            try:
                each(registry)
            except StopIteration:
                gone.add("")  # the attribute is gone already

    where = server(name, change, current)
    done = attempt(policy(name, goal), where)
    if done.plan is None:
        assert {each.code for each in done.findings.errors} <= {"E0301"}
        return
    for line in spell(done.plan).lines:
        found = where.registry.attributes.get(line.attribute)
        assert found is not None
        assert line.value in [each.text for each in found.choices]
        assert not found.flags & {"ReadOnly", "Immutable", "Hidden"} or any(
            each.attribute == line.attribute for each in where.registry.dependencies
        )
