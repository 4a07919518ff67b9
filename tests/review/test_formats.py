"""Output for programs: each form matches its schema, or is accepted by a foreign reader."""

import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes
from xml.etree import ElementTree as Xml

import jsonschema
import pydantic
import pytest
import sarif_pydantic

from review.sides import run, write
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics
from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.render.reports import report
from setpoint.compiler.render.visible import visible
from support.command import ROOT, setpoint
from support.plans import HOSTILE

GOOD = "goal balanced; cpu westmere; platform r710; workload interactive;"
WRONG = 'goal latncy;\ncpu westmere;\nset trubo on because "µ-benchmark";\n'
STOPS = GOOD.replace("balanced", "efficiency") + 'set turbo on because "deadline";'


def schema(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(
        next((ROOT / "compiler").rglob(f"{name}.schema.json")).read_text(encoding="utf-8")
    )
    jsonschema.Draft202012Validator.check_schema(data)
    return data


def fits(text: str, name: str) -> Any:
    """The JSON of a text, if it fits the schema."""
    data = json.loads(text)
    jsonschema.validate(data, schema(name), format_checker=jsonschema.FormatChecker())
    return data


# ---------------------------------------------------------------------------------------------- diff


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (GOOD, GOOD),
        (GOOD, GOOD.replace("balanced", "latency")),
        (GOOD, GOOD.replace("cpu westmere; platform r710", "platform r640")),
        (GOOD, WRONG),
        (GOOD, STOPS),
        (STOPS, STOPS + 'accept turbo-vs-efficiency because "a week" until 2027-01-01;'),
        (f"policy a {{ {GOOD} }}", f"policy a {{ {GOOD} }} policy b {{ {GOOD} }}"),
        (f"policy a {{ {GOOD} }}", f'policy b {{ {GOOD} set smt on because "x" }}'),
        (GOOD, "goal balanced; cpu westmere; }"),
        (GOOD, GOOD + "manage all;"),
    ],
)
def test_diff_as_json(tmp_path: Path, old: str, new: str) -> None:
    write(tmp_path / "old", old)
    write(tmp_path / "new", new)
    ran = run("diff", "old", "new", "--format", "json", folder=tmp_path)
    data = fits(ran.out, "diff")
    assert data["schema"] == "setpoint.diff/1"
    assert ran.status == (3 if data["differences"] else 0)
    assert bool(data["differences"]) == (old != new)


def test_the_json_of_a_difference_has_what_the_text_says(tmp_path: Path) -> None:
    write(tmp_path / "old", GOOD)
    write(tmp_path / "new", GOOD.replace("balanced", "efficiency"))
    data = fits(run("diff", "old", "new", "--format", "json", folder=tmp_path).out, "diff")
    (difference,) = data["differences"]
    (turbo,) = (s for s in difference["settings"] if s["setting"] == "turbo")
    assert (turbo["old"]["value"], turbo["new"]["value"], turbo["kind"], turbo["reboot"]) == (
        "on",
        "off",
        "value",
        True,
    )
    assert [(t["kind"], t["name"], t["old"], t["new"]) for t in turbo["triggers"]] == [
        ("fact", "goal", "balanced", "efficiency")
    ]
    assert (turbo["new"]["source"], turbo["new"]["at"]) == ("dell-11g-hpc", "Table 6")
    assert "turbo" in difference["artifacts"]["syscfg"]
    assert "dell-11g-hpc" in data["sources"]


def test_the_schemas_are_strict() -> None:
    """A schema that lets anything pass would prove nothing of the above."""
    for name in ("diff", "check", "waivers", "plan"):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"schema": f"setpoint.{name}/1"}, schema(name))
    finding, diagnostic = schema("plan")["$defs"]["FindingDocument"], schema("check")["$defs"]["diagnostic"]
    assert finding["properties"].keys() - {"judged"} == diagnostic["properties"].keys()


# --------------------------------------------------------------------------------------------- check


@pytest.mark.parametrize("policy", [GOOD, WRONG, STOPS, "goal latency; cpu westmere", "goal"])
def test_check_as_json(tmp_path: Path, policy: str) -> None:
    write(tmp_path, policy)
    ran = run("check", ".", "--format", "json", folder=tmp_path)
    data = fits(ran.out, "check")
    assert ran.status == int(any(d["severity"] == "error" for d in data["diagnostics"]))


def sarif(folder: Path) -> tuple[dict[str, Any], sarif_pydantic.Sarif]:
    """What `check` prints as SARIF: as data, and as a reader of that format understands it."""
    text = run("check", ".", "--format", "sarif", folder=folder).out
    return json.loads(text), sarif_pydantic.Sarif.model_validate_json(text)


def test_one_run_of_check_writes_several_forms(tmp_path: Path) -> None:
    write(tmp_path, WRONG)
    ran = run("check", "policy.tune", "--also", "sarif=a.sarif", "--also", "junit=a.xml", folder=tmp_path)
    assert (ran.status, "2 errors" in ran.out) == (1, True)
    for form, file in (("sarif", "a.sarif"), ("junit", "a.xml")):
        alone = run("check", "policy.tune", "--format", form, folder=tmp_path).out
        assert (tmp_path / file).read_text(encoding="utf-8") == alone
    assert setpoint("check", "policy.tune", "--also", "xml=a.xml", cwd=tmp_path).status == 2


@pytest.mark.parametrize("policy", [GOOD, WRONG, STOPS, "goal"])
def test_sarif_is_read_by_others(tmp_path: Path, policy: str) -> None:
    write(tmp_path, policy)
    findings = json.loads(run("check", ".", "--format", "json", folder=tmp_path).out)["diagnostics"]
    data, log = sarif(tmp_path)
    (ran,) = log.runs
    assert (data["version"], ran.tool.driver.name) == ("2.1.0", "setpoint")
    rules = [rule.id for rule in ran.tool.driver.rules or []]
    assert rules == sorted(set(rules))
    assert [(r.rule_id, r.level.value if r.level else "") for r in ran.results or []] == [
        (d["code"], d["severity"]) for d in findings
    ]
    assert {r.rule_id for r in ran.results or []} == set(rules)


def test_sarif_points_at_the_text(tmp_path: Path) -> None:
    """Lines and columns count from 1 and the end is exclusive, in characters as the file has them."""
    write(tmp_path, {"a folder/ä.tune": WRONG})
    data, _ = sarif(tmp_path)
    (run_,) = data["runs"]
    assert run_["columnKind"] == "unicodeCodePoints"
    words = []
    for result in run_["results"]:
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        lines = (tmp_path / unquote(place["artifactLocation"]["uri"])).read_text(encoding="utf-8").split("\n")
        assert region["startLine"] == region["endLine"]
        words.append(lines[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1])
    assert words == ["latncy", "trubo"]


ANY = "goal balanced; workload interactive;\n"
HOSTS = """\
name,model,cpu
web1,PowerEdge R640,skylake
db1,NorthEdge R9999,skylake
,PowerEdge R640,skylake
"""


@pytest.mark.parametrize(
    ("files", "arguments", "places"),
    [
        # A host is placed where the inventory names it, a row that is no host at its line …
        ({"a.tune": ANY, "hosts.csv": HOSTS}, "a.tune --inventory hosts.csv", {"E0701 hosts.csv:3", "E0704 hosts.csv:4"}),
        ({"a.tune": ANY, "hosts.csv": HOSTS}, "{}/a.tune --inventory {}/hosts.csv", {"E0701 hosts.csv:3", "E0704 hosts.csv:4"}),
        # … and what is wrong with the whole inventory at its beginning.
        ({"a.tune": GOOD, "hosts.csv": "a,b"}, "a.tune --inventory hosts.csv", {"E0610 hosts.csv:1"}),
        ({"a.tune": 'include "gone.tune";'}, "a.tune", {"E0601 a.tune:1"}),
        # A file outside of the repository is none of its files.
        ({"a.tune": GOOD, "../../out.tune": WRONG}, "a.tune ../../out.tune", {"E0201 a.tune:1", "E0202 a.tune:1"}),
    ],
)  # fmt: skip
def test_github_accepts_every_result(
    tmp_path: Path, files: dict[str, str], arguments: str, places: set[str]
) -> None:
    """Its rules: a level and a known rule, and a location in the repository, from line 1 on.

    The top of the repository is not the folder that `check` runs in.
    """
    (tmp_path / "repository/.git").mkdir(parents=True)
    folder = tmp_path / "repository/policies"
    write(folder, files)
    words = arguments.replace("{}", str(folder)).split()
    ran = setpoint("check", *words, "--format", "sarif", cwd=folder)
    sarif_pydantic.Sarif.model_validate_json(ran.out)
    (run_,) = json.loads(ran.out)["runs"]
    rules = {rule["id"] for rule in run_["tool"]["driver"]["rules"]}
    found = set()
    for result in run_["results"]:
        assert result["ruleId"] in rules
        assert result["level"] in ("error", "warning")
        assert result["message"]["text"]
        for place in (*result["locations"], *result.get("relatedLocations", ())):
            physical = place["physicalLocation"]
            uri, region = physical["artifactLocation"]["uri"], physical["region"]
            assert (tmp_path / "repository" / unquote(uri)).is_file()
            assert not uri.startswith(("/", "..", "file:"))
            assert region["startLine"] >= 1
            assert region["startColumn"] >= 1
        (place,) = result["locations"]
        uri, line = (
            place["physicalLocation"]["artifactLocation"]["uri"],
            place["physicalLocation"]["region"]["startLine"],
        )
        if result["level"] == "error":
            found.add(f"{result['ruleId']} {uri.removeprefix('policies/')}:{line}")
    assert found == places


def test_github_takes_five_thousand_results() -> None:
    """It keeps the most severe, so that none of them is lost."""
    at = Span("a.tune", 1, 1, 1, 2)
    warnings = [Diagnostic("W0301", str(number), at) for number in range(6_000)]
    errors = [Diagnostic("E0301", "last", at._replace(line=9))]
    text = report("sarif", Diagnostics.of(warnings + errors), lambda name: "", 1)
    (run_,) = json.loads(text)["runs"]
    assert (len(run_["results"]), run_["results"][-1]["ruleId"]) == (5_000, "E0301")
    (note,) = run_["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"].startswith("1,001 more findings are left out")
    sarif_pydantic.Sarif.model_validate_json(text)


def test_the_reader_of_sarif_finds_errors(tmp_path: Path) -> None:
    """Otherwise its silence would prove nothing."""
    write(tmp_path, WRONG)
    data, _ = sarif(tmp_path)
    result = data["runs"][0]["results"][0]
    for broken in ({"level": "fatal"}, {"message": None}, {"locations": "here"}):
        spoilt = {**data, "runs": [{**data["runs"][0], "results": [{**result, **broken}]}]}
        with pytest.raises(pydantic.ValidationError):
            sarif_pydantic.Sarif.model_validate(spoilt)


@pytest.mark.parametrize("policy", [GOOD, WRONG, STOPS])
def test_junit_counts_errors_as_failures(tmp_path: Path, policy: str) -> None:
    write(tmp_path, policy)
    findings = json.loads(run("check", ".", "--format", "json", folder=tmp_path).out)["diagnostics"]
    (suite,) = Xml.fromstring(run("check", ".", "--format", "junit", folder=tmp_path).out)
    failures = suite.findall("testcase/failure")
    assert [f.get("type") for f in failures] == [d["code"] for d in findings if d["severity"] == "error"]
    assert suite.get("failures") == str(len(failures))
    assert suite.get("tests") == str(len(suite.findall("testcase"))) != "0"


@pytest.mark.parametrize("reason", [*HOSTILE, "::error::x", "%0A::stop-commands::x"])
def test_no_message_becomes_a_workflow_command(reason: str) -> None:
    """GitHub interprets each line that begins with `::` as a command."""
    finding = Diagnostic(
        "E0101", reason, Span(f"{reason},line=1::x", 1, 2, 1, 3), notes=(reason,), help=(reason,)
    )
    text = report("github", Diagnostics.of([finding]), lambda name: "", 1)
    assert re.fullmatch(r"::error file=[^,:\r\n]*,line=1,col=2,title=E0101::[^\r\n]*\n", text)


ODD = os.fsdecode(b"a\x1b[2J\n\xe2\x80\xae::error::b\xff.tune")
"""A file's name with an escape sequence, a line break, a mark that turns writing around, and no UTF-8."""


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "github"])
def test_the_name_of_a_file_is_shown_and_not_obeyed(tmp_path: Path, form: str) -> None:
    write(tmp_path, {ODD: WRONG})
    ran = setpoint("check", ".", "--format", form, cwd=tmp_path)
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.replace("\n", "").isprintable()
    assert not re.search("^::error::b", ran.out, re.M)
    if form == "json":
        assert {d["file"] for d in json.loads(ran.out)["diagnostics"]} == {ODD}
    elif form == "sarif":
        places = [r["locations"][0]["physicalLocation"] for r in json.loads(ran.out)["runs"][0]["results"]]
        assert {unquote_to_bytes(p["artifactLocation"]["uri"]) for p in places} == {os.fsencode(ODD)}
    elif form == "junit":
        assert {case.get("classname") for case in Xml.fromstring(ran.out).iter("testcase")} == {visible(ODD)}
    else:
        assert r"a\x1b[2J" in ran.out


@pytest.mark.parametrize("verb", ["diff", "waivers"])
def test_no_output_of_other_verbs_becomes_a_workflow_command(tmp_path: Path, verb: str) -> None:
    write(tmp_path, {f"new/{ODD}": STOPS + 'accept turbo-vs-efficiency because "x";', "old/web.tune": GOOD})
    write(tmp_path, {f"new/2{ODD}": WRONG})
    folders = ("old", "new") if verb == "diff" else ("new",)
    for form in ("text", "json"):
        ran = setpoint(verb, *folders, "--format", form, cwd=tmp_path)
        assert r"\x1b" in ran.out + ran.err or form == "json"
        assert "Traceback" not in ran.err
        assert (ran.out + ran.err).replace("\n", "").isprintable()


@pytest.mark.parametrize(
    "arguments",
    [
        ("plan",),
        ("plan", "--format", "json"),
        ("plan", "--format", "markdown"),
        ("compile", "-o", "out"),
        ("fmt", "--check"),
        ("explain", "turbo"),
    ],
)
def test_no_output_about_a_policy_becomes_a_workflow_command(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    write(tmp_path, {ODD: STOPS + 'accept turbo-vs-efficiency because "x";'})
    verb, *rest = arguments
    ran = setpoint(verb, ODD, *rest, cwd=tmp_path)
    assert ran.status in (0, 3), ran.err
    assert (ran.out + ran.err).replace("\n", "").isprintable()


@pytest.mark.parametrize("reason", HOSTILE)
@pytest.mark.parametrize("form", ["junit", "sarif", "json"])
def test_no_message_breaks_a_form(reason: str, form: str) -> None:
    findings = Diagnostics.of([Diagnostic("E0101", reason, NOWHERE, notes=(reason,))])
    text = report(form, findings, lambda name: reason, 1)
    if form == "junit":
        assert len(Xml.fromstring(text).findall("testsuite/testcase/failure")) == 1
    else:
        assert json.loads(text)
