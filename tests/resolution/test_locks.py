"""What firmware sets and locks: cells of presets, flags of constraints, the values that follow, and what is written
first."""

import json
import re

import pytest

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.lowering.target import emission_of, targets
from setpoint.compiler.plan.as_json import plan_from_json, plan_json
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.plan.model import Lock, Plan
from support.plans import plan_of_text

SITE = """
source lab { title "Notes on our servers"; publisher "Our lab"; }
platform farm { within poweredge-15g; }
setting cooling { title "Cooling"; layer firmware; values quiet, cold, custom; }
setting fan-offset { title "Fan offset"; layer firmware; values low, medium, high; }
setting fan-alarm { title "Fan alarm"; layer firmware; values on, off; }
options of lab when platform farm {
    cooling     quiet, cold, custom  default quiet  at "Menu";
    fan-offset  low, medium, high                   at "Menu";
    fan-alarm   on, off              default on     at "Menu";
}
spelling attribute of lab when platform farm {
    fan-offset  low "Low", medium "Medium", high "High"         in "FanOffset"  at "Registry";
    fan-alarm   on "Enabled", off "Disabled"                    in "FanAlarm"   at "Registry";
    cooling     quiet "Quiet", cold "Cold", custom "Custom"     in "Cooling"    at "Registry";
}
"""
POLICY = "goal latency; platform farm; "


def profiles(*rows: str) -> str:
    return f'preset "Menu" of lab when platform farm {{ cooling quiet cold custom; {" ".join(rows)} }}'


def plan(*statements: str) -> Plan:
    return plan_of_text(SITE + "".join(statements[:-1]) + POLICY + statements[-1])


def values(plan: Plan) -> dict[str, str]:
    return {name: plan.value(name) for name in ("cooling", "fan-offset", "fan-alarm")}


def locks(plan: Plan, setting: str) -> tuple[Lock, ...]:
    decision = plan.setting(setting)
    assert decision is not None
    return decision.locks


OFFSET = "fan-offset low high free;"


def test_a_member_is_locked_unless_its_profile_leaves_it_free() -> None:
    found = locks(plan(profiles(OFFSET), ""), "fan-offset")
    assert found == (Lock("cooling", ("custom",), unless=True),)


def test_of_several_free_columns_the_locking_values_are_named() -> None:
    found = locks(plan(profiles("fan-offset low free free;"), ""), "fan-offset")
    assert found == (Lock("cooling", ("quiet",), unless=False),)


def test_a_profile_of_which_nothing_is_known_may_lock_a_member() -> None:
    found = locks(plan(profiles("fan-offset low _ free;"), ""), "fan-offset")
    assert found == (Lock("cooling", ("custom",), unless=True),)


def test_kept_members_and_those_that_firmware_sets_to_one_of_several() -> None:
    found = locks(plan(profiles("fan-offset kept low high or medium free;"), ""), "fan-offset")
    assert found == (Lock("cooling", ("custom",), unless=True, kept=("quiet",), undecided=("cold",)),)


def test_a_member_that_is_set_at_first_is_not_locked() -> None:
    assert locks(plan(profiles("fan-offset initially low initially high free;"), ""), "fan-offset") == ()


@pytest.mark.parametrize(
    ("condition", "flag", "lock"),
    [
        ("fan-offset high", "locked", Lock("fan-offset", ("high",), unless=False)),
        ("fan-offset low or high", "locked", Lock("fan-offset", ("low", "high"), unless=False)),
        ("fan-offset not low", "locked", Lock("fan-offset", ("low",), unless=True)),
        ("fan-offset high", "kept", Lock("fan-offset", ("high",), unless=False, kept=("high",))),
        ("fan-offset high", "hidden", Lock("fan-offset", ("high",), unless=False, hides=True)),
    ],
)
def test_a_constraint_says_what_firmware_does(condition: str, flag: str, lock: Lock) -> None:
    assert locks(plan(constraint(f"when platform farm, {condition}; require fan-alarm on; {flag};"), ""), "fan-alarm") == (
        lock,
    )  # fmt: skip


def constraint(fields: str) -> str:
    return f'constraint alarm of lab at "Registry" {{ {fields} because "the menu shows it"; }}'


def test_a_constraint_without_a_flag_locks_nothing() -> None:
    text = constraint("when platform farm, fan-offset high; require fan-alarm on;")
    assert locks(plan(text, ""), "fan-alarm") == ()


@pytest.mark.parametrize(
    ("facts", "applies"),
    [
        ("platform poweredge-14g", False),
        ("platform farm, interconnect infiniband", False),  # Nobody states what there is.
        ("platform farm, interconnect not infiniband", True),
        ("platform poweredge-15g", True),
    ],
)
def test_a_constraint_locks_nothing_where_it_does_not_apply(facts: str, applies: bool) -> None:
    text = constraint(f"when {facts}, fan-offset high; require fan-alarm on; locked;")
    assert bool(locks(plan(text, ""), "fan-alarm")) is applies


def test_whatever_is_there_can_be_locked() -> None:
    text = constraint("when platform farm, fan-offset high; require fan-alarm any; kept;")
    locked = plan(text, 'set fan-offset high because "a test"; set fan-alarm off because "a test";')
    assert values(locked)["fan-alarm"] == "off"
    assert locks(locked, "fan-alarm") == (Lock("fan-offset", ("high",), unless=False, kept=("high",)),)


def test_locks_are_in_json_in_both_directions() -> None:
    before = plan(profiles("fan-offset kept low high or medium free;"), "")
    after = plan_from_json(json.loads(json.dumps(plan_json(judge(before))))).plan
    assert locks(after, "fan-offset") == locks(before, "fan-offset")


def test_a_profile_that_another_profile_fixes_is_not_written() -> None:
    """Two layers of profiles: the upper one locks the lower one, and with it what the lower one would set."""
    lower = """
        preset "Lower menu" of lab when platform farm { fan-offset low medium high; fan-alarm free free off; }
    """
    decision = plan(profiles(OFFSET), lower, 'set cooling cold because "a test";').setting("fan-offset")
    assert decision is not None
    assert (decision.value, decision.unwritten) == ("high", "locked")


# ---------------------------------------------------------------------------------------------- what is set at first

SEEDED = profiles("fan-offset initially medium initially high free;")


@pytest.mark.parametrize(
    ("statements", "offset"),
    [
        ("", "medium"),  # The default profile is the state that the server comes in.
        ('set cooling cold because "a test";', "high"),
        ('set cooling custom because "a test";', "medium"),
        ('set cooling cold because "a test"; set fan-offset low because "a test";', "low"),
        ('set fan-offset low because "a test";', "low"),
    ],
)
def test_a_member_has_the_value_that_the_profile_sets_at_first(statements: str, offset: str) -> None:
    assert values(plan(SEEDED, statements))["fan-offset"] == offset


def test_such_a_member_is_written_with_a_profile_that_is_not_the_default() -> None:
    """The server may have been changed after the profile was set."""
    decision = plan(SEEDED, 'set cooling cold because "a test";').setting("fan-offset")
    assert decision is not None
    assert decision.written
    assert decision.cause.because == "cooling cold sets it to this, and leaves it free"
    (note,) = decision.notes
    assert note.text == "written out: cooling cold sets it once, and it may have been changed since"


def test_advice_for_a_profile_is_advice_for_what_it_sets_at_first() -> None:
    rule = """
        rule cold-room of lab at "Run 1" {
            when platform farm, goal any; use cooling cold; because "the room is warm";
        }
    """
    advised = plan(SEEDED, rule, "")
    assert values(advised) == {"cooling": "cold", "fan-offset": "high", "fan-alarm": "on"}
    decision = advised.setting("fan-offset")
    assert decision is not None
    assert decision.cause.profile == "cooling cold"


# ------------------------------------------------------------------------------------------ what the locks are spelt as

COOLING = 'cooling     quiet "Quiet", cold "Cold", custom "Custom"     in "Cooling"    at "Registry";'


def opened_by(spelling: str, statements: str) -> list[dict[str, object]]:
    """With which values the fan's offset can be written, where cooling is spelt so."""
    assert COOLING in SITE
    made = plan_of_text(SITE.replace(COOLING, spelling) + profiles(OFFSET) + POLICY + statements)
    found: list[dict[str, object]] = []
    for target in targets():
        emission = emission_of(target, made)
        for artifact in emission.artifacts if emission is not None else ():
            if artifact.path == "redfish/apply.json":
                writable = json.loads(artifact.text)["writable"]
                found = [one["while"] for one in writable if "FanOffset" in one["attributes"]]
    return found


@pytest.mark.parametrize("cooling", ["cold", "custom"])
@pytest.mark.parametrize(
    ("spelling", "value"),
    [
        ('cooling in "Cooling" at "Registry";', "custom"),
        ('cooling quiet "A", any "*-2" in "Cooling" at "Registry";', "custom-2"),
        ('cooling quiet "0", cold "1", custom "2" in "Cooling" as integer at "Registry";', 2),
        ('cooling quiet "true", cold "true", custom "false" in "Cooling" as boolean at "Registry";', False),
        ('cooling quiet "Quiet", any unknown in "Cooling" at "Registry";', None),
        ("", None),
    ],
)
def test_a_lock_has_the_text_and_the_type_of_its_value_or_is_left_to_the_firmware(
    spelling: str, value: object, cooling: str
) -> None:
    offset = 'set fan-offset high because "a test";'
    found = opened_by(spelling, f'set cooling {cooling} because "a test"; {offset}')
    assert found == ([] if value is None else [{"attribute": "Cooling", "is": value}])
    assert [type(one["is"]) for one in found] == [type(value)] * (value is not None)


# ---------------------------------------------------------------------------------------- the order of the artifacts


def bodies(plan: Plan) -> dict[str, dict[str, str]]:
    emission = emission_of("redfish", plan)
    assert emission is not None
    found = {each.path: json.loads(each.text) for each in emission.artifacts if each.path.endswith(".json")}
    return {
        path.rpartition("/")[2]: body["Attributes"] for path, body in found.items() if "Attributes" in body
    }


WRITTEN = 'set cooling cold because "a test"; set fan-offset high because "a test";'


def test_what_a_profile_sets_is_not_written() -> None:
    written = bodies(plan(profiles(OFFSET), WRITTEN))
    assert written["settings.json"]["Cooling"] == "Cold"
    assert "FanOffset" not in written["settings.json"]
    assert "FanOffset" not in written.get("settings-first.json", {})


def test_what_a_profile_only_locks_is_right_before_it() -> None:
    written = bodies(plan(profiles("fan-offset kept low kept high free;"), WRITTEN))
    assert written["settings-first.json"]["FanOffset"] == "High"
    assert written["settings-first.json"]["Cooling"] == "Custom"
    assert written["settings.json"]["Cooling"] == "Cold"


# --------------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (profiles("fan-offset kept low or high high free;"), "a cell with `kept` has one value"),
        (profiles("fan-offset low initially warm free;"), "`fan-offset` has no value `warm`"),
        (profiles("fan-offset low high;"), "row `fan-offset` has 2 cells, the table 3 columns"),
        (profiles("fan-offset initially low high free;") + profiles("fan-offset initially high high free;"),
         "two tables disagree on what `cooling quiet` does to `fan-offset`"),
        ('table "T" of lab when platform farm { goal latency; fan-offset kept low; }', "only a `preset` says what is `kept`"),
        (constraint("when platform farm, fan-offset high; require fan-alarm on; locked; kept;"), "cannot be both"),
        (constraint("when platform farm, fan-offset high; forbid; locked;"), "does not say what is `locked`"),
        (constraint("when platform farm, fan-offset high; require cooling cold or quiet; locked;"), "requires several values"),
        (constraint("when platform farm; require fan-alarm on; locked;"), "must name one setting in `when`"),
        (constraint("when platform farm, fan-offset high, cooling cold; require fan-alarm on; locked;"),
         "must name one setting in `when`"),
        (constraint("when platform farm, fan-offset high; require fan-alarm any;"), "requires nothing"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_where_it_is_written(statement: str, message: str) -> None:
    with pytest.raises(SetpointError) as refused:
        plan(statement, "")
    first = refused.value.diagnostics[0]
    assert re.search(message, first.message), first.message
    assert first.at.line > 0
