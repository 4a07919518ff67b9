"""`kb coverage`: which knowledge no policy exercises."""

from pathlib import Path

from proof.recorder import record
from proof.small import constraint, hazard, knowledge, rule
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.policies.coverage import Exercised, coverage, exercised, recorded
from setpoint.compiler.render.knowledge import coverage_text

STATEMENTS = (
    rule("by-model", "boost off", "model m1"),
    rule("never-tried", "mode b", "model m2"),
    constraint("quiet", "mode c", "require fans low"),
    hazard("loud", "goal cool, fans high", "severity warning;"),
)
BASE = knowledge(*STATEMENTS)


def by(policy: str) -> Exercised:
    return exercised(BASE, program_of_text(policy))


def test_a_rule_is_exercised_where_a_plan_cites_it() -> None:
    assert by("goal fast; model m1").rules == {"by-model"}
    assert by("goal fast").rules == set()


def test_a_constraint_is_exercised_where_it_removes_a_value_or_refuses() -> None:
    assert by('goal fast; set mode c because "x"').constraints == {"quiet"}
    assert by('goal fast; set mode c because "x"; set fans high because "y"').constraints == {"quiet"}
    assert by('goal fast; set mode b because "x"').constraints == set()


def test_a_hazard_is_exercised_where_it_arises() -> None:
    assert by('goal cool; set fans high because "x"').hazards == {"loud"}
    assert by('goal fast; set fans high because "x"').hazards == set()


def test_the_share_of_each_kind_is_shown_with_the_names_of_the_rest() -> None:
    done = by("goal fast; model m1").joined(by('goal fast; set mode c because "x"'))
    shares = {share.kind: share for share in coverage([BASE], done)}
    assert (shares["rule"].total, shares["rule"].idle) == (2, ("never-tried",))
    assert (shares["constraint"].total, shares["constraint"].idle) == (1, ())
    assert shares["hazard"].idle == ("loud",)
    assert "rules: 1 of 2 exercised (50%)\n  never-tried\n" in coverage_text(coverage([BASE], done), 80)


def test_a_cell_is_a_rule_from_a_table_whatever_its_name() -> None:
    written = rule("paper.table-1.boost.slow", "boost off", "model m1")
    base = knowledge(written, 'table "Table 1" of paper { goal fast cool; boost on _; }')
    shares = {share.kind: share for share in coverage([base], Exercised())}
    assert shares["rule"].idle == ("paper.table-1.boost.slow",)
    assert shares["table cell"].idle == ("paper.table-1.boost.fast",)


def test_what_a_test_run_exercised_can_be_kept(tmp_path: Path) -> None:
    done = by('goal cool; model m1; set fans high because "x"')
    kept = tmp_path / "exercised.json"
    kept.write_text(record(done), encoding="utf-8")
    assert recorded(str(kept)) == done
