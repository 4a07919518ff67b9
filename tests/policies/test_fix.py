"""`check --fix`: verified repairs are written into the files, and only those that help stay."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings

from setpoint.compiler.diagnostics import Diagnostics
from setpoint.compiler.diagnostics.fixes import Edit, Fix, Replacement, edited, replacement
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from setpoint.compiler.policies.check import check_files
from setpoint.compiler.policies.fix import apply_one, fix_files
from support.command import setpoint
from support.effort import examples
from support.policies import Draft, policies, quarrels, vocabulary

WARM = "goal efficiency; cpu westmere;\n"


def fixed(folder: Path, text: str) -> tuple[str, list[str]]:
    """A file after its fixes, and what these were."""
    file = folder / "web.tune"
    file.write_bytes(text.encode("utf-8"))
    _, applied = fix_files({str(file): ""})
    return file.read_bytes().decode("utf-8"), [one.fix.title for one in applied]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # A statement alone on its line is removed with the line …
        ('set turbo on because "x";\nset smt off because "y";\n', 'set smt off because "y";\n'),
        # … beside another one, that one is unchanged …
        ('set smt off because "y"; set turbo on because "x";\n', 'set smt off because "y";\n'),
        ('set turbo on because "x"; set smt off because "y";\n', ' set smt off because "y";\n'),
        # … and a comment stays, since it may be of something else.
        ('# ours\nset turbo on because "x" ; # until June\n', "# ours\n # until June\n"),
        # The last statement of a file needs no `;`.
        ('set smt off because "y";\nset turbo on because "x"', 'set smt off because "y";\n'),
        # Two hazards, each by its own statement.
        ('set turbo on because "x";\nset c-states off because "z";\n', ""),
    ],
)
def test_a_statement_that_defeats_the_goal_is_removed(tmp_path: Path, before: str, after: str) -> None:
    text, titles = fixed(tmp_path, WARM + before)
    assert text == WARM + after
    assert titles[0].startswith("drop `set ")


def test_a_conflict_is_fixed_by_the_smallest_change(tmp_path: Path) -> None:
    server = "goal latency; cpu e5-2690;\n"
    profile, turbo = 'set system-profile performance because "a";\n', 'set turbo off because "b";\n'
    text, titles = fixed(tmp_path, server + profile + turbo)
    assert text == server + profile.replace("performance", "custom") + turbo
    assert titles == ["`set system-profile custom` instead of performance"]


def test_line_ends_and_a_byte_order_mark_stay(tmp_path: Path) -> None:
    text, _ = fixed(tmp_path, f'\ufeff{WARM}set smt off because "é";\r\nset turbo on because "x";\r\n')
    assert text == f'\ufeff{WARM}set smt off because "é";\r\n'


def test_a_set_at_file_level_is_fixed_for_every_group(tmp_path: Path) -> None:
    text = (
        'cpu e5-2690; set turbo off because "x";\n'
        'for group fast { goal latency; set system-profile performance because "a"; }\n'
        'for group calm { goal efficiency; set turbo on because "b"; }\n'
    )
    after, titles = fixed(tmp_path, text)
    assert len(titles) == 2
    assert after != text
    assert not check_files({str(tmp_path / "web.tune"): ""}).findings.errors


def test_a_fix_that_does_not_help_is_reverted(tmp_path: Path) -> None:
    """Such as one that was verified for one policy and breaks another one in the file: here it is misspelt."""
    file, text = tmp_path / "web.tune", f'{WARM}set turbo on because "x";\n'
    file.write_text(text, encoding="utf-8")
    checked = check_files({str(file): ""})
    (error,) = checked.findings.errors
    bad = Fix("worse", (Edit(error.at, "set turbo half"),))
    for fixes, title in (((bad,), ""), ((bad, *error.fixes), "drop `set turbo on`")):
        found = Diagnostics.of([error._replace(fixes=fixes)])
        done = apply_one(checked._replace(findings=found), {str(file): ""}, "")
        assert (done[1].fix.title if done else "") == title
        assert file.read_text(encoding="utf-8") == (WARM if title else text)


def test_a_file_that_is_only_included_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "common").mkdir()
    (tmp_path / "common/base.tune").write_text('set turbo on because "x";\n', encoding="utf-8")
    (tmp_path / "web.tune").write_text(f'{WARM}include "common/base.tune";\n', encoding="utf-8")
    ran = setpoint("check", "web.tune", "--fix", cwd=tmp_path)
    assert (ran.status, "fixed" in ran.err) == (1, False)
    assert (tmp_path / "common/base.tune").read_text(encoding="utf-8") == 'set turbo on because "x";\n'


def test_the_command_reports_its_fixes_and_the_remaining_findings(tmp_path: Path) -> None:
    (tmp_path / "web.tune").write_text(f'{WARM}set turbo on because "x";\n', encoding="utf-8")
    ran = setpoint("check", "web.tune", "--fix", cwd=tmp_path)
    assert ran.err == "fixed web.tune:2: drop `set turbo on` (E0401)\n"
    assert (ran.status, ran.out.endswith("1 file: 0 errors, 1 warning\n")) == (0, True)


def test_a_fix_in_sarif_equals_the_fix_that_is_written(tmp_path: Path) -> None:
    text = f'{WARM}set smt off because "é"; set turbo on because "x";\n'
    (tmp_path / "web.tune").write_text(text, encoding="utf-8")
    ran = setpoint("check", "web.tune", "--format", "sarif", cwd=tmp_path)
    (result,) = (r for r in json.loads(ran.out)["runs"][0]["results"] if r["ruleId"] == "E0401")
    (change,) = result["fixes"][0]["artifactChanges"]
    (one,) = change["replacements"]
    region, lines = one["deletedRegion"], text.splitlines(keepends=True)
    start, end = (
        sum(map(len, lines[: region[line] - 1])) + region[column] - 1
        for line, column in (("startLine", "startColumn"), ("endLine", "endColumn"))
    )
    assert setpoint("check", "web.tune", "--fix", cwd=tmp_path).status == 0
    assert (tmp_path / "web.tune").read_text(encoding="utf-8") == text[:start] + text[end:]


@given(policies(least_sets=1) | quarrels())
@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_every_fix_leaves_a_policy_without_the_error(draft: Draft) -> None:
    """Of one conflict; where there are several, each fix is verified with the others aside."""
    errors = draft.plan().findings.errors
    assume(len(errors) == 1 and errors[0].fixes)
    (error,) = errors
    for fix, help_ in zip(error.fixes, error.help, strict=False):
        assert help_.startswith(fix.title)
        (after,) = planned(program_of_text(edited(draft.text, fix.edits)), vocabulary())
        assert error.message not in {d.message for d in after.findings.errors}


def test_a_replacement_refers_to_the_given_text() -> None:
    text = 'goal efficiency; cpu westmere;\nset turbo on because "x";\n'
    (done,) = planned(program_of_text(text), vocabulary())
    (error,) = done.findings.errors
    drop, instead = (replacement(text, fix.edits[0]) for fix in error.fixes[:2])
    assert drop == Replacement(text.index("set"), len(text), "")
    assert instead == Replacement(text.index("on because"), text.index(" because"), "off")
