"""`check --fix` and `--unsafe-fixes`: fixes are written into the files, and only those that help stay."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings

from setpoint.compiler.diagnostics import Diagnostics
from setpoint.compiler.diagnostics.fixes import Edit, Fix, Replacement, edited, replacement
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from setpoint.compiler.policies.check import check_files
from setpoint.compiler.policies.fix import Fixing
from support.command import setpoint
from support.effort import examples
from support.policies import Draft, policies, quarrels, vocabulary

WARM = "goal efficiency; cpu westmere;\n"


def fixed(folder: Path, text: str) -> tuple[str, list[str]]:
    """A file after its fixes, and what these were."""
    file = folder / "web.tune"
    file.write_bytes(text.encode("utf-8"))
    _, applied = Fixing({str(file): ""}, unsafe=True).run()
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
    changed = 'set system-profile custom because "";\n'  # its reason was one for another value
    assert text == server + changed + turbo
    assert titles == ["`set system-profile custom` instead of performance"]


SERVER = "goal latency; cpu skylake;\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Names of which only one can be meant: facts, values, settings, keywords.
        ("platfrm poweredge-14g;", "platform poweredge-14g;"),
        ("workload comm-bonud;", "workload comm-bound;"),
        ('set trubo off because "x";', 'set turbo off because "x";'),
        ('sett turbo off because "x";', 'set turbo off because "x";'),
        ('set turbo offf because "x";', 'set turbo off because "x";'),
        ('accept advice about trubo because "x";', 'accept advice about turbo because "x";'),
        # A title or an alias of one thing is its name.
        ('set "Turbo Mode" off because "x";', None),  # a name is no text
        ("workload database;", None),  # an alias of several
        # Another number is another thing.
        ("platform powredge-14g;", "platform poweredge-14g;"),
        ("platform poweredge-15g;", None),
        ("cpu e5-2691;", None),
        # Semicolons.
        (
            'set turbo off because "x"\nset smt on because "y";',
            'set turbo off because "x";\nset smt on because "y";',
        ),
        ("platform poweredge-14g workload comm-bound;", "platform poweredge-14g; workload comm-bound;"),
        ("platform poweredge-14g, workload comm-bound;", "platform poweredge-14g; workload comm-bound;"),
        ("workload comm-bound, hpc;", None),  # two values, perhaps
        ("for group a { workload comm-bound; };", "for group a { workload comm-bound; }"),
        # Quotes and signs of a word processor.
        ("set turbo off because “don't”;", 'set turbo off because "don\'t";'),
        ("set turbo off because „so“;", 'set turbo off because "so";'),
        ("set turbo off because “open;", None),
        ('set turbo off because "open;', 'set turbo off because "open";'),
        ('set turbo off because "open; # 1', None),
        ("set turbo off because vendor said so;", 'set turbo off because "vendor said so";'),
        ("platform poweredge–14g;", "platform poweredge-14g;"),
        ('set turbo=off because "x";', 'set turbo off because "x";'),
        # The date belongs behind the reason.
        (
            'accept advice about turbo until 2999-01-01 because "x";',
            'accept advice about turbo because "x" until 2999-01-01;',
        ),
    ],
)
def test_spelling_and_punctuation_are_mended(tmp_path: Path, before: str, after: str | None) -> None:
    file = tmp_path / "web.tune"
    file.write_text(f"{SERVER}{before}\n", encoding="utf-8")
    _, applied = Fixing({str(file): ""}).run()
    assert file.read_text(encoding="utf-8") == f"{SERVER}{after or before}\n"
    assert all(one.fix.is_safe and not one.gone for one in applied)


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
    left = check_files({str(tmp_path / "web.tune"): ""}).findings.errors
    assert [error.code for error in left] == [
        "E0209"
    ]  # the reason of the changed `set` is for a person to write


def test_a_fix_that_does_not_help_is_reverted(tmp_path: Path) -> None:
    """Such as one that was verified for one policy and breaks another one in the file: here it is misspelt."""
    file, text = tmp_path / "web.tune", f'{WARM}set turbo on because "x";\n'
    file.write_text(text, encoding="utf-8")
    checked = check_files({str(file): ""})
    (error,) = checked.findings.errors
    bad = Fix("worse", (Edit(error.at, "set turbo half"),))
    for fixes, title in (((bad,), ""), ((bad, *error.fixes), "drop `set turbo on`")):
        found = Diagnostics.of([error._replace(fixes=fixes)])
        done = Fixing({str(file): ""}, unsafe=True).apply_one(checked._replace(findings=found))
        assert (done[1].fix.title if done else "") == title
        assert file.read_text(encoding="utf-8") == (WARM if title else text)


def test_a_file_that_is_only_included_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "common").mkdir()
    (tmp_path / "common/base.tune").write_text('set turbo on because "x";\n', encoding="utf-8")
    (tmp_path / "web.tune").write_text(f'{WARM}include "common/base.tune";\n', encoding="utf-8")
    ran = setpoint("check", "web.tune", "--unsafe-fixes", cwd=tmp_path)
    assert (ran.status, "fixed" in ran.err) == (1, False)
    assert (tmp_path / "common/base.tune").read_text(encoding="utf-8") == 'set turbo on because "x";\n'


def test_the_command_reports_its_fixes_and_the_remaining_findings(tmp_path: Path) -> None:
    (tmp_path / "web.tune").write_text(f'{WARM}set turbo on because "x";\n', encoding="utf-8")
    ran = setpoint("check", "web.tune", "--unsafe-fixes", cwd=tmp_path)
    assert ran.err == (
        'fixed web.tune:2: drop `set turbo on` (E0401)\n  no longer there: set turbo on because "x"\n'
    )
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
    assert setpoint("check", "web.tune", "--unsafe-fixes", cwd=tmp_path).status == 0
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
        (after,) = planned(program_of_text(edited(draft.text, fix.with_reasons.edits)), vocabulary())
        assert error.message not in {d.message for d in after.findings.errors}


def test_a_replacement_refers_to_the_given_text() -> None:
    text = 'goal efficiency; cpu westmere;\nset turbo on because "x";\n'
    (done,) = planned(program_of_text(text), vocabulary())
    (error,) = done.findings.errors
    drop, instead = (replacement(text, fix.edits[0]) for fix in error.fixes[:2])
    assert drop == Replacement(text.index("set"), len(text), "")
    assert instead == Replacement(text.index("on because"), text.index(" because"), "off")


def test_the_report_says_what_can_be_fixed_and_how(tmp_path: Path) -> None:
    (tmp_path / "web.tune").write_text(f'{WARM}set turbo on because "x";\n', encoding="utf-8")
    (tmp_path / "db.tune").write_text("goal latncy; cpu westmere;\n", encoding="utf-8")
    said = setpoint("check", ".", cwd=tmp_path).out.splitlines()[-1]
    assert (
        said
        == "`--fix` can mend 1; `--unsafe-fixes` can repair 1, by dropping or changing a `set` or an `accept`"
    )
    (tmp_path / "hosts.csv").write_text("host,model\nc1,PowerEdge R710\n", encoding="utf-8")
    said = setpoint("check", ".", "--inventory", "hosts.csv", cwd=tmp_path).out
    assert "can mend" not in said  # there it fixes nothing
    setpoint("check", ".", "--fix", cwd=tmp_path)
    said = setpoint("check", ".", cwd=tmp_path).out.splitlines()[-1]
    assert said == "`--unsafe-fixes` can repair 1, by dropping or changing a `set` or an `accept`"
    assert (tmp_path / "web.tune").read_text(encoding="utf-8") == f'{WARM}set turbo on because "x";\n'


RISKY = f'{WARM}set turbo on because "x";\naccept turbo-vs-efficiency because "OPS-1";\n'


def test_a_waiver_of_which_nothing_is_left_is_dropped(tmp_path: Path) -> None:
    """With the goal efficiency the hazard occurs, with another it does not."""
    file = tmp_path / "web.tune"
    file.write_text(RISKY, encoding="utf-8")
    ran = setpoint("check", "web.tune", "--unsafe-fixes", cwd=tmp_path)
    assert ("fixed" in ran.err, file.read_text(encoding="utf-8")) == (False, RISKY)
    file.write_text(RISKY.replace("efficiency;", "latency;", 1), encoding="utf-8")
    assert "`--unsafe-fixes` can repair 1" in setpoint("check", "web.tune", cwd=tmp_path).out
    ran = setpoint("check", "web.tune", "--unsafe-fixes", cwd=tmp_path)
    assert ran.err == (
        "fixed web.tune:3: drop `accept turbo-vs-efficiency` (W0403)\n"
        '  no longer there: accept turbo-vs-efficiency because "OPS-1"\n'
    )
    assert "accept" not in file.read_text(encoding="utf-8")


def test_a_waiver_that_an_unknown_server_may_need_stays(tmp_path: Path) -> None:
    """Whether the processor has turbo is for the inventory to say."""
    text = 'goal efficiency;\naccept turbo-vs-efficiency because "OPS-1";\n'
    (tmp_path / "web.tune").write_text(text, encoding="utf-8")
    ran = setpoint("check", "web.tune", "--unsafe-fixes", cwd=tmp_path)
    assert ("W0403" in ran.out, "can repair" in ran.out) == (True, False)
    assert (tmp_path / "web.tune").read_text(encoding="utf-8") == text


def test_all_changes_are_verified_before_their_reasons_are_emptied(tmp_path: Path) -> None:
    """An empty reason is an error that hides others, so that the second repair would not be found."""
    server = "cpu e5-2690;\n"
    block = 'policy {} {{ goal latency; set system-profile performance because "é {}"; set turbo off because "b"; }}\n'
    before = server + block.format("one", "first") + block.format("two", "second")
    file = tmp_path / "web.tune"
    file.write_text(before, encoding="utf-8")
    _, applied = Fixing({str(file): ""}, unsafe=True).run()
    assert [one.gone for one in applied] == [('"é first"',), ('"é second"',)]
    for reason in ("first", "second"):
        before = before.replace(f'performance because "é {reason}"', 'custom because ""')
    assert file.read_text(encoding="utf-8") == before
