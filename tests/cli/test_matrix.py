"""`setpoint matrix`: a column for each goal, or for each value of another fact, and a row for each setting that
differs."""

import json
import re
from pathlib import Path

import pytest

from setpoint.compiler.knowledge.model import Knowledge
from support.command import setpoint
from support.plans import planned

SERVER = "platform r650; os debian 12"


def shown(*words: str, columns: int = 200) -> str:
    ran = setpoint("matrix", *words, env={"COLUMNS": str(columns)})
    assert (ran.status, ran.err) == (0, "")
    return ran.out


def rows(out: str) -> dict[str, list[str]]:
    return {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.startswith("  ")}


def test_each_goal_is_a_column_with_the_values_of_its_plan() -> None:
    goals = ["efficiency", "latency", "throughput"]
    found = shown("-e", SERVER, *(word for goal in goals for word in ("--value", goal)))
    assert found.splitlines()[0].split() == goals
    plans = {goal: planned(f"goal {goal}; {SERVER}") for goal in goals}
    expected = {}
    for decision in plans["latency"].settings:
        cells = [each for plan in plans.values() if (each := plan.setting(decision.setting))]
        if len({each.value for each in cells}) > 1:
            expected[decision.setting] = [each.value if each.written else f"({each.value})" for each in cells]
    assert {name: cells for name, cells in rows(found).items() if name not in goals} == expected


def test_all_settings_are_listed_on_request() -> None:
    words = ("-e", SERVER, "--value", "latency", "--value", "throughput")
    few, every = (rows(shown(*words, *more)) for more in ((), ("--all",)))
    assert set(few) < set(every)
    assert f"{len(every) - len(few)} settings have the same value in every column: `--all`" in shown(*words)
    assert "the same value in every column" not in shown(*words, "--all")


@pytest.mark.parametrize(("columns", "tables"), [(80, 3), (110, 2)])
def test_all_goals_are_columns_and_those_that_do_not_fit_are_below(
    columns: int, tables: int, knowledge: Knowledge
) -> None:
    lines = shown("-e", SERVER, columns=columns).splitlines()
    assert max(map(len, lines)) <= columns
    heads = [
        line.split() for line in lines if line.split()[:1] and line.split()[0] in knowledge.values["goal"]
    ]
    assert [goal for head in heads for goal in head] == sorted(knowledge.values["goal"])
    assert len(heads) == tables


def test_the_goal_of_a_policy_is_replaced_and_the_rest_of_it_counts(tmp_path: Path) -> None:
    (tmp_path / "web.tune").write_text(f'goal latency; {SERVER}; set governor powersave because "LAB-2";')
    ran = setpoint("matrix", "web.tune", "--value", "throughput", "--value", "latency", "--all", cwd=tmp_path)
    assert ran.out.splitlines()[0].split() == ["throughput", "latency"]
    assert rows(ran.out)["governor"] == ["powersave", "powersave"]


def test_another_fact_can_be_the_columns() -> None:
    out = shown("-e", f"goal latency; {SERVER}", "--by", "workload", "--value", "hpc", "--value", "web")
    assert out.splitlines()[0].split() == ["hpc", "web"]


def test_a_value_that_contradicts_the_others_is_left_out_with_its_error() -> None:
    words = ("-e", "goal latency; platform r650", "--by", "cpu", "--value", "ice-lake", "--value", "westmere")
    out = shown(*words)
    assert out.splitlines()[0].split() == ["ice-lake"]
    assert "No plan for cpu westmere: cpu westmere contradicts platform r650." in out
    data = json.loads(shown(*words, "--format", "json"))
    assert [each["value"] for each in data["failed"]] == ["westmere"]


def test_a_hazard_has_its_state_in_each_column() -> None:
    out = shown(
        "-e", 'cpu westmere; set turbo on because "LAB-3"', "--value", "efficiency", "--value", "latency"
    )
    assert rows(out)["turbo-vs-efficiency"] == ["stops", "-"]


def test_markdown_and_json_have_the_sources() -> None:
    page = shown("-e", SERVER, "--value", "latency", "--value", "throughput", "--format", "markdown")
    (cells,) = re.findall(r"^\| `smt` \| (.*) \| (.*) \|$", page, re.MULTILINE)
    assert cells[0] == "off: dell-12g-tuning, Table 2 (out of scope, written for poweredge-12g)"
    assert cells[1].startswith("on: dell-bios-registries, ")
    data = json.loads(shown("-e", SERVER, "--value", "latency", "--format", "json"))
    (smt,) = (each for each in data["settings"] if each["setting"] == "smt")
    assert smt["cells"] == [{"value": "off", "source": "dell-12g-tuning, Table 2", "written": True}]
    assert (data["schema"], data["fact"], data["values"]) == ("setpoint.matrix/1", "goal", ["latency"])


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--by", "gaol"], 2, "unknown fact `gaol`; did you mean `goal`?"),
        (["--value", "latenzy"], 2, "unknown goal `latenzy`; did you mean `latency`?"),
        (["-e", "platform r650; cpu westmere"], 1, "error[E0204]"),
        (
            ["-e", f"policy a {{ {SERVER}; goal latency; }} policy b {{ {SERVER}; goal latency; }}"],
            2,
            "there are: a, b",
        ),
    ],
)
def test_what_cannot_be_shown_is_an_error(words: list[str], status: int, said: str) -> None:
    ran = setpoint("matrix", *(words if "-e" in words else [*words, "-e", SERVER]))
    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err
