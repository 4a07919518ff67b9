"""`setpoint kb check`, `diff` and `coverage`, as users run them."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from conformance.test_warnings import is_compared_with_a_registry
from proof.small import BASE, hazard, rule
from proof.suites import run_suites

from setpoint.compiler.cli import main
from setpoint.compiler.knowledge.model import UNSTATED, Knowledge
from support.command import ROOT, Ran, setpoint
from support.proven import library_memory

LAB = str(Path(__file__).with_name("lab.tune"))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit status of a command, its output and its messages."""
    capsys.readouterr()
    status = main(list(arguments))
    out, err = capsys.readouterr()
    return status, out, err


def test_the_standard_library_is_clean_and_the_figures_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "kb", "check")
    assert status == 0
    assert re.search(
        r"^[\d,]+ contexts in [\d,]+ situations: \d+ settings in \d+ parts, \d+ rules,$", out, re.M
    )
    assert re.search(r"^no findings in \d+\.\d s$", out, re.M)


@pytest.fixture(scope="module", autouse=True)
def proven() -> None:
    """The library is in the user's cache."""
    library_memory()


@pytest.fixture(scope="module")
def lab() -> Ran:
    """The check of a site with three slips, which takes seconds."""
    return setpoint("kb", "check", LAB, "--format", "json")


def test_a_site_with_three_slips_gets_three_findings_to_act_on(lab: Ran) -> None:
    assert lab.status == 1
    found = {d["code"]: d for d in json.loads(lab.out)["diagnostics"]}
    assert list(found) == ["K01", "K04", "K02"]
    assert found["K01"]["message"].startswith(
        "`turbo-off-for-jitter` and `turbo-on-for-feeds` conflict on `turbo`"
    )
    assert (
        found["K04"]["message"] == "`smt-off-for-java` is unreachable: always overridden by `smt-on-for-java`"
    )
    assert found["K02"]["message"].startswith("`fan-speed` has neither a rule nor a default")
    text = Path(LAB).read_text(encoding="utf-8").splitlines()
    assert "turbo-off-for-jitter" in text[found["K01"]["line"] - 1]
    assert "turbo-on-for-feeds" in text[found["K01"]["related"][0]["line"] - 1]
    assert "smt-on-for-java" in text[found["K04"]["related"][0]["line"] - 1]
    assert "fan-speed" in text[found["K02"]["line"] - 1]
    for finding in found.values():
        assert finding["help"]
        assert any(note.startswith("for example: goal ") for note in finding["notes"])


def test_a_site_that_overrides_a_cell_of_the_library_is_clean(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    site = tmp_path / "site.tune"
    site.write_text(
        'source lab { title "L"; publisher "L"; } rule quiet of lab at "run 1" '
        "{ when platform poweredge-11g, cpu westmere, goal latency or performance or throughput; "
        'use data-reuse off; because "less jitter"; }',
        encoding="utf-8",
    )
    overridden = "dell-11g-hpc.table-6.data-reuse.latency", "dell-11g-hpc.table-6.data-reuse.performance"
    status, out, _ = run(capsys, "kb", "check", str(site))
    assert status == 0
    shown = f"overridden everywhere by this site, 2 rules of the library: {', '.join(overridden)} no findings"
    assert shown in " ".join(out.split()), "however wide the terminal is"
    status, out, _ = run(capsys, "kb", "check", str(site), "--format", "json")
    assert (status, tuple(json.loads(out)["overruled"])) == (0, overridden)


def test_the_policy_that_is_shown_for_a_tie_ties(
    lab: Ran, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tie,) = (d for d in json.loads(lab.out)["diagnostics"] if d["code"] == "K01")
    (shown,) = (n.removeprefix("for example: ") for n in tie["notes"] if n.startswith("for example: "))
    (tmp_path / "lab.tune").write_text(Path(LAB).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "policy.tune").write_text(f'include "lab.tune"; {shown};', encoding="utf-8")
    status, _, err = run(capsys, "plan", str(tmp_path / "policy.tune"))
    assert status == 1
    assert "E0303" in err


def test_knowledge_that_cannot_be_built_is_reported_in_every_form(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.tune"
    broken.write_text(
        'rule r of unheard-of at "x" { when goal latency; use turbo on; because "y"; }', encoding="utf-8"
    )
    status, _, err = run(capsys, "kb", "check", str(broken))
    assert (status, "E0201" in err) == (1, True)
    status, out, _ = run(capsys, "kb", "check", str(broken), "--format", "json")
    assert (status, json.loads(out)["diagnostics"][0]["code"]) == (1, "E0201")


FANS = """
source farm { title "Render nodes"; publisher "Farm"; }
setting fan-speed { title "Fan speed"; layer firmware; values low, high; }
options of farm when platform poweredge-11g { fan-speed low, high default low at "Menu"; }
rule fans of farm at "Run 1" { when platform poweredge-11g, goal latency; use fan-speed high; because "cooler"; }
"""
"""A site in which nothing is found. It has no facts, so that their combinations are those of the library."""


def test_an_include_may_lead_as_far_as_the_root(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    site, shared = tmp_path / "site", tmp_path / "shared"
    for folder, text in (
        (shared, FANS),
        (site, 'include "../shared/x.tune";'),
    ):
        folder.mkdir()
        (folder / "x.tune").write_text(text, encoding="utf-8")
    status, _, err = run(capsys, "kb", "check", "--quiet", str(site))
    assert (status, "E0603" in err, "--root" in err) == (1, True, True)
    assert run(capsys, "kb", "check", "--quiet", "--root", str(tmp_path), str(site))[0] == 0


def test_a_difference_is_shown_setting_by_setting(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    new = tmp_path / "new.tune"
    new.write_text(
        'source lab { title "L"; publisher "L"; } rule quiet of lab at "run 1" '
        '{ when goal latency, cpu westmere; use execute-disable off; because "less jitter"; }',
        encoding="utf-8",
    )
    status, out, _ = run(capsys, "kb", "diff", "standard", str(new))
    assert status == 3
    assert "rule, new: 1\n  quiet\n" in out
    assert re.search(r"^execute-disable\n  on -> off  in [\d,]+ of [\d,]+ contexts\n", out, re.M)
    assert "    now by quiet\n    for example: goal latency; cpu " in out


def test_a_difference_has_a_form_for_machines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    old, new = tmp_path / "old.tune", tmp_path / "new.tune"
    old.write_text(BASE, encoding="utf-8")
    new.write_text(BASE + rule("by-model", "boost off", "model m1"), encoding="utf-8")
    status, out, _ = run(capsys, "kb", "diff", str(old), str(new), "--format", "json")
    assert status == 3
    assert {change["setting"] for change in json.loads(out)["changes"]} == {"boost"}


def test_a_change_without_effect_on_values_is_still_a_difference(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    old, new = tmp_path / "old.tune", tmp_path / "new.tune"
    old.write_text(BASE + hazard("risk", "boost on", "severity error;"), encoding="utf-8")
    new.write_text(BASE + hazard("risk", "boost on", "severity warning;"), encoding="utf-8")
    status, out, _ = run(capsys, "kb", "diff", str(old), str(new))
    assert status == 3
    assert out.startswith(
        "hazard, changed: 1\n  risk\n    severity: error -> warning\n\nno value changes, in any of "
    )


def test_a_folder_that_declares_the_facts_is_a_separate_knowledge_base(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, _ = run(capsys, "kb", "diff", "standard", str(ROOT / "stdlib"))
    assert status == 0
    assert out.startswith("no value changes, in any of the ")


def test_a_side_may_be_a_git_revision(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
    base = tmp_path / "kb" / "base.tune"
    base.parent.mkdir()
    base.write_text(BASE, encoding="utf-8")
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *arguments], check=True)
    base.write_text(BASE + rule("by-model", "boost off", "model m1"), encoding="utf-8")
    status, out, _ = run(capsys, "kb", "diff", "HEAD:kb", "kb")
    assert status == 3
    assert "    for example: goal fast; model m1\n" in out


def test_the_knowledge_that_examples_exercise_is_shown_by_kind(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "kb", "coverage", str(ROOT / "examples"), "--format", "json")
    assert status == 0
    kinds = {kind["kind"]: kind for kind in json.loads(out)["kinds"]}
    assert list(kinds) == ["rule", "table cell", "constraint", "hazard"]
    assert all(len(kind["idle"]) < kind["total"] for kind in kinds.values())


def test_the_suites_and_the_examples_exercise_everything(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, complete: bool, knowledge: Knowledge
) -> None:
    """Knowledge that neither a test nor an example exercises could say anything.

    Constraints that are compared with the registry they are from, and those under which firmware keeps any value,
    refuse nothing in a plan. AMD's width of xGMI is of no server here that takes EPYC 9004, and on those that take EPYC
    7002 and 7003 their makers have four NUMA nodes of each socket for HPC, where Microsoft runs two.
    """
    if not complete:
        pytest.skip("run with --complete: two suites are run again, to see what they use")
    kept = tmp_path / "exercised.json"
    said = run_suites("proof.recorder", EXERCISED=str(kept))
    assert kept.is_file(), said
    status, out, _ = run(capsys, "kb", "coverage", str(ROOT / "examples"), str(kept), "--format", "json")
    assert status == 0
    idle = {kind["kind"]: kind["idle"] for kind in json.loads(out)["kinds"]}
    refusing = {
        each.name
        for each in knowledge.constraints
        if not is_compared_with_a_registry(each, knowledge)
        and (
            each.require is None
            or each.require[1] != knowledge.variables[each.require[0]].everything | UNSTATED
        )
    }
    assert [name for name in idle.pop("constraint") if name in refusing] == []
    assert idle == {
        "rule": [],
        "table cell": [
            "azure-hbv2.hbv2-series-virtual-machine-overview.numa-nodes-per-socket.performance",
            "azure-hbv3.hbv3-series-virtual-machine-overview.numa-nodes-per-socket.performance",
        ],
        "hazard": [],
    }


@pytest.mark.parametrize(
    "text",
    [
        '{"schema": "setpoint.plan/2"}',
        '{"schema": "setpoint.kb-exercised/1"}',
        '{"schema": "setpoint.kb-exercised/1", "rules": "abc", "constraints": [], "hazards": []}',
        '{"schema": "setpoint.kb-exercised/1", "rules": [[]], "constraints": [], "hazards": []}',
        "[]",
        "no JSON",
    ],
)
def test_a_record_must_be_one(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str) -> None:
    other = tmp_path / "plan.json"
    other.write_text(text, encoding="utf-8")
    status, _, err = run(capsys, "kb", "coverage", str(other))
    assert (status, f"error[E0606]: `{other}` is not a record of a test run" in err) == (4, True)


@pytest.mark.parametrize(
    ("text", "code"), [("goal", "E0101"), ('source lab { title "L"; } goal latency; cpu westmere', "K07")]
)
def test_a_file_in_error_exercises_nothing_and_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, code: str
) -> None:
    broken, good = tmp_path / "broken.tune", tmp_path / "good.tune"
    broken.write_text(text, encoding="utf-8")
    good.write_text("goal latency; cpu westmere", encoding="utf-8")
    status, alone, _ = run(capsys, "kb", "coverage", str(good))
    assert status == 0
    status, out, err = run(capsys, "kb", "coverage", str(tmp_path))
    assert (status, out) == (1, alone)
    assert f"error[{code}]" in err
    assert "broken.tune:1:" in err
