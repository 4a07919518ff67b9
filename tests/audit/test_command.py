"""`setpoint audit` as a command: its forms, its exit status, and the policy that it exports."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit import audited
from audit.test_flexran import BOOT_LINE, MENU, PROFILE, SERVER, guide
from setpoint.compiler.audit.export import policy_of
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.syntax import Fact, Set
from setpoint.compiler.pipeline import knowledge_for, planned, read_text
from support.command import ROOT, setpoint
from support.effort import examples

DEBIAN = "cpu skylake; platform r740; os debian 12"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files of the guide, and a clean one."""
    for name, text in (
        ("grub", BOOT_LINE),
        ("tuned.conf", PROFILE),
        ("bios", MENU),
        ("clean", "skew_tick=1\n"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_text_has_the_findings_and_the_summary(folder: Path) -> None:
    ran = setpoint("audit", "grub", "tuned.conf", "bios", "-e", SERVER, cwd=folder)
    assert (ran.status, ran.err) == (1, "")
    assert "\nerror[E0902]: `isolcpu` is misspelt" in ran.out
    assert "\nServed best: `goal latency`.\n" in ran.out
    assert ran.out.rstrip().split("\n")[-1].startswith("3 files: 2 errors, ")


def test_without_findings_the_status_is_0(folder: Path) -> None:
    ran = setpoint("audit", "clean", "-e", DEBIAN, cwd=folder)
    assert (ran.status, ran.out.rstrip().split("\n")[-1]) == (0, "1 file: 0 errors, 0 warnings")


def test_json_fits_its_schema(folder: Path) -> None:
    ran = setpoint("audit", "grub", "tuned.conf", "bios", "-e", SERVER, "--format", "json", cwd=folder)
    data = json.loads(ran.out)
    jsonschema.validate(data, json.loads((ROOT / "compiler/audit/audit.schema.json").read_text("utf-8")))
    assert data["served_best"] == ["goal latency"]
    place = next(one for one in data["settings"] if one["setting"] == "tickless-cpus")
    assert BOOT_LINE[place["column"] - 1 :].startswith("nohz_full=1-30,33-62")


def test_sarif_and_annotations_have_the_places(folder: Path) -> None:
    sarif = json.loads(setpoint("audit", "grub", "-e", SERVER, "--format", "sarif", cwd=folder).out)
    results = {result["ruleId"]: result for result in sarif["runs"][0]["results"]}
    region = results["E0902"]["locations"][0]["physicalLocation"]["region"]
    assert BOOT_LINE[region["startColumn"] - 1 : region["endColumn"] - 1] == "isolcpu=1-30,33-62"
    assert not any("fixes" in result for result in results.values())
    lines = setpoint("audit", "grub", "-e", SERVER, "--format", "github", cwd=folder).out.splitlines()
    assert any(line.startswith(f"::error file=grub,line=1,col={region['startColumn']},") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("nothing", "-e", DEBIAN), 2, "error[E0601]"),
        (("clean", "clean", "-e", DEBIAN), 2, "a file is named twice"),
        (("clean", "-e", DEBIAN, "--for", "clean"), 2, "give one of them"),
        (("clean", "-e", "cpu nonesuch"), 1, "error[E0202]"),
        (("clean", "-e", DEBIAN, "--as", "bios"), 0, ""),
        (("clean", "-e", DEBIAN, "--as", "tuned"), 1, "error[E0901]"),
        (("clean", "-e", "policy a { goal latency; } policy b { goal latency; }"), 2, "several servers"),
        (("clean", "-e", DEBIAN, "--export", "none/x.tune"), 4, "none/x.tune"),
    ],
)  # fmt: skip
def test_wrong_usage_is_refused(folder: Path, arguments: tuple[str, ...], status: int, said: str) -> None:
    ran = setpoint("audit", *arguments, cwd=folder)
    assert (ran.status, said in ran.out + ran.err) == (status, True), ran


# -------------------------------------------------------------------------------------------- export


def test_the_policy_has_a_plan_apart_from_its_hazards() -> None:
    text = policy_of(guide())
    assert text == format_source(SourceText("policy.tune", text))
    program = read_text(text)
    (done,) = planned(program, knowledge_for(program))
    assert {finding.code for finding in done.findings.errors} <= {"E0209", "E0401"}
    assert done.plan is not None
    assert done.plan.value("tickless-cpus") == "1-30,33-62"
    assert all(
        decision.origin == "set"
        for decision in done.plan.settings
        if decision.setting in {one.setting for one in guide().stated}
    )


def test_what_is_in_no_policy_is_in_its_comments(folder: Path) -> None:
    ran = setpoint("audit", "grub", "-e", SERVER, "--export", "-", cwd=folder)
    assert "\n# grub:1: isolcpu=1-30,33-62\n" in ran.out
    assert "error[E0902]" in ran.err


def test_a_one_time_action_is_in_no_policy_which_would_perform_it() -> None:
    text = policy_of(
        audited(
            "Processors_SGXFactoryReset=Enabled\nProcessors_TurboMode=Enabled\n",
            server="goal latency; platform sr670-v2",
            form="bios",
        )
    )
    assert "set turbo on" in text
    assert "set sgx-factory-reset" not in text
    assert "which would perform it: a one-time action is no state.\n#" in text


@settings(max_examples=examples(60), deadline=None)
@given(
    st.text(st.sampled_from("nosmt=abc \"';{}#\\\n\r\t\x1b\u2028set turbo off because"), max_size=80),
    st.sampled_from(("arguments", "sysctl", "tuned", "bios")),
)
def test_no_text_of_a_file_becomes_a_statement(text: str, form: str) -> None:
    try:
        found = audited(
            f"nosmt\n{text}" if form == "arguments" else text, server=f"goal latency; {DEBIAN}", form=form
        )
    except SetpointError:
        return
    body = parse(SourceText("policy.tune", policy_of(found))).body
    assert all(isinstance(statement, Fact | Set) for statement in body)
    sets = {(s.setting.text, s.value.text) for s in body if isinstance(s, Set)}
    assert sets == {(one.setting, one.value) for one in found.stated}
    assert {s.name.text for s in body if isinstance(s, Fact)} == {"goal", "cpu", "platform", "os"}
