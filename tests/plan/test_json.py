"""A plan and its JSON: reading restores what was written."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from setpoint.compiler.knowledge.model import STRENGTHS
from setpoint.compiler.lowering.target import emission_of, targets
from setpoint.compiler.pipeline import knowledge_for, planned, read
from setpoint.compiler.plan import document
from setpoint.compiler.plan.as_json import plan_from_json, plan_json
from setpoint.compiler.plan.document import NotAPlanError
from setpoint.compiler.plan.fields import NOTE
from setpoint.compiler.plan.form import Part
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.record import NamedTuple
from support.ask import outcome
from support.command import ROOT
from support.effort import examples
from support.golden import compare
from support.policies import Draft, policies, waived

SCHEMA = ROOT / "compiler/plan/plan.schema.json"

RICH = """
goal latency; cpu x5670; platform r710; os rhel 6.4; workload comm-bound; sockets 2;
set turbo off because "frequency jitter, PERF-212";
accept c-state-idle-power because "not billed here" until 2027-03-31;
accept turbo-vs-efficiency because "in case";
accept advice about smt because "LAB-31" until 2027-03-31;
"""
EXACTING = 'goal latency; cpu westmere; workload comm-bound; require strength vendor because "OPS-12";'
STOPPED = 'goal efficiency; cpu westmere; set turbo on because "OPS-77";'


def written(policy: str) -> dict[str, Any]:
    """The JSON of a policy's plan."""
    judged = outcome(policy).judged
    assert judged is not None
    return through_text(judged)


def through_text(judged: Judged) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(plan_json(judged)))
    return data


@given(policies(), st.lists(waived(), unique=True, max_size=3), st.sampled_from(STRENGTHS))
@settings(max_examples=examples(60), deadline=None)
def test_a_plan_survives_a_round_trip_through_json(draft: Draft, names: list[str], strength: str) -> None:
    waivers = (f'accept {name} because "drawn" until 2026-11-2{n}' for n, name in enumerate(names, 1))
    judged = draft.adding(*waivers, f'require strength {strength} because "drawn"').plan("2026-11-22").judged
    assume(judged is not None)
    assert judged is not None
    data = through_text(judged)
    assert through_text(plan_from_json(data)) == data


@pytest.mark.parametrize("policy", sorted((ROOT / "examples").glob("*/*.tune")), ids=lambda path: path.stem)
def test_every_target_makes_the_same_of_a_plan_that_was_read_back(policy: Path) -> None:
    program = read(str(policy))
    for each in planned(program, knowledge_for(program)):
        assert each.judged is not None
        back = plan_from_json(through_text(each.judged)).plan
        for target in targets():
            assert emission_of(target, back) == emission_of(target, each.judged.plan), target


def test_a_plan_that_a_hazard_stops_is_written_with_its_settings() -> None:
    data = written(STOPPED)
    assert data["settings"]["turbo"]["value"] == "on"
    assert [(h["hazard"], h["state"]) for h in data["hazards"]] == [("turbo-vs-efficiency", "stops")]
    back = plan_from_json(data)
    assert back.is_stopped
    assert back.hazards["turbo-vs-efficiency"].state == "stops"


def test_fields_that_a_later_version_adds_are_passed_over() -> None:
    data = written(RICH)
    later = json.loads(json.dumps(data))
    smt = later["settings"]["smt"]
    parts = (later["facts"]["cpu"], smt, smt["because"][0], later["waivers"][0], later["diagnostics"][0])
    for part in (later, *parts):
        part["added"] = {"by": ["a later version"]}
    assert plan_from_json(later) == plan_from_json(data)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("settings", "smt", "layer"), "hardware", "at $.settings.smt.layer: "),
        (("settings", "smt", "because"), [], "at $.settings.smt.because: "),
        (("settings", "smt", "because", 0, "kind"), "whim", "at $.settings.smt.because[0].kind: "),
        (("waivers", 0, "stands"), "perhaps", "at $.waivers[0].stands: "),
        (("facts",), None, "at $.facts: "),
        (("policy",), {"a": "b"}, "at $.policy: "),
    ],
)
def test_what_departs_from_the_form_is_named_by_its_place(
    path: tuple[str | int, ...], value: object, message: str
) -> None:
    data = written(RICH)
    place: Any = data
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    with pytest.raises(NotAPlanError) as refused:
        plan_from_json(data)
    assert str(refused.value).startswith(message)


class Dated(NamedTuple):
    """A note, and a field that notes of a plan do not have."""

    kind: str
    text: str
    days: tuple[str, ...] = ()


def test_a_field_that_a_record_gains_is_written_read_checked_and_in_the_schema() -> None:
    """Without a row in the tables, and absent where it has its default."""
    table = Part("DatedDocument", "A note with days.", Dated, *NOTE.fields)
    checked = document.model(table).model_validate
    note, plain = Dated("changed", "since then", ("2027-01-15",)), Dated("changed", "since then")
    assert table.write(note) == {"kind": "changed", "text": "since then", "days": ["2027-01-15"]}
    assert table.write(plain) == {"kind": "changed", "text": "since then"}
    for each in (note, plain):
        assert table.read(checked(table.write(each)).model_dump(by_alias=True)) == each
    with pytest.raises(ValueError, match=r"days\.0"):
        checked({"kind": "changed", "text": "since then", "days": [1]})
    assert document.model(table).model_json_schema()["properties"]["days"]["items"] == {"type": "string"}


def test_the_schema_is_that_of_the_tables(update: bool) -> None:
    compare(json.dumps(document.schema(), indent=2, ensure_ascii=False) + "\n", SCHEMA, update)
