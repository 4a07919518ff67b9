"""Assessment results of OSCAL: valid by NIST's own schema, the same for the same captures, and complete.

`oscal-assessment-results-1.1.3.schema.json` is `oscal_assessment-results_schema.json` of NIST's release v1.1.3 of
OSCAL, unchanged. Works of NIST are in the public domain in the United States, and NIST asks for its name to be kept
(https://www.nist.gov/open/license).
"""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from support.command import Ran, setpoint

SCHEMA = Path(__file__).with_name("oscal-assessment-results-1.1.3.schema.json")
TIME = "2027-01-01T12:00:00Z"
POLICY = """goal latency; cpu ice-lake; os debian 13; set swappiness 10 because "a test";
for host c042 { accept difference of swappiness because "the database sets it" until 2027-03-01; }
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy; captures of three servers of which two differ in swappiness, which one of them may; and one of another
    server."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "site.tune").write_text(POLICY, encoding="utf-8")
    (folder / "captures").mkdir()
    for name, places in (
        ("c042", {"/proc/sys/vm/swappiness": "60"}),
        ("c043", {"/proc/sys/vm/swappiness": " 60\x1b[2J\n7 "}),
        ("c044", {"/proc/sys/vm/swappiness": "10"}),
        ("c045", {"/etc/os-release": "ID=fedora"}),
    ):
        data = {"schema": "setpoint.capture/1", "host": {"read": places, "unread": {}}}
        (folder / f"captures/{name}.json").write_text(json.dumps(data), encoding="utf-8")
    return folder


def verify(site: Path, *words: str, day: str = "2027-01-01", **environment: str) -> Ran:
    arguments = ("site.tune", "--against", "captures", "--today", day, "--format", "oscal", *words)
    return setpoint("verify", *arguments, cwd=site, env=environment)


def results(site: Path, day: str = "2027-01-01") -> Any:
    return json.loads(verify(site, "--collected", TIME, day=day).out)["assessment-results"]


@pytest.fixture(scope="module")
def found(site: Path) -> Any:
    return results(site)


def schema() -> Any:
    """NIST's schema, with the classes of letters and numbers that ECMA's expressions have as Python has them."""
    text = SCHEMA.read_text(encoding="utf-8")
    return json.loads(text.replace(r"\\p{L}", r"[^\\W\\d_]").replace(r"\\p{N}", r"\\d"))


def of(setting: str, items: list[Any]) -> list[Any]:
    return [each for each in items if each["title"].split()[0] == setting]


def test_it_is_valid_by_the_schema_of_nist(found: Any) -> None:
    jsonschema.Draft7Validator(schema()).validate({"assessment-results": found})
    assert found["metadata"]["oscal-version"] == "1.1.3"


def test_the_schema_is_not_met_by_anything_else(found: Any) -> None:
    broken = {**found, "results": [{**found["results"][0], "start": "today"}]}
    assert not jsonschema.Draft7Validator(schema()).is_valid({"assessment-results": broken})


def test_every_reference_leads_to_something(found: Any) -> None:
    identifiers = re.findall(r'"uuid": "([^"]+)"', json.dumps(found))
    assert len(identifiers) == len(set(identifiers))
    references = re.findall(r'"(?:subject|observation|risk)-uuid": "([^"]+)"', json.dumps(found))
    assert {*references, found["import-ap"]["href"][1:]} <= set(identifiers)


def test_a_server_with_another_value_is_a_finding_that_is_not_satisfied(found: Any) -> None:
    (result,) = found["results"]
    findings = {each["title"]: each["target"]["status"] for each in of("swappiness", result["findings"])}
    assert findings["swappiness of site"] == {"state": "not-satisfied", "reason": "fail"}
    observed = {
        tuple(subject["title"] for subject in each["subjects"]): each["relevant-evidence"][0]["description"]
        for each in of("swappiness", result["observations"])
    }
    assert observed[("c044",)] == "in effect: /proc/sys/vm/swappiness has 10"
    assert r"\x1b[2J" in observed[("c043",)]
    assert {each["collected"] for each in result["observations"]} == {TIME}


@pytest.mark.parametrize(
    ("day", "status", "reason"),
    [("2027-03-01", "deviation-approved", "other"), ("2027-03-02", "open", "fail")],
)
def test_a_waiver_is_a_risk(site: Path, day: str, status: str, reason: str) -> None:
    (result,) = results(site, day)["results"]
    (risk,) = result["risks"]
    assert (risk["status"], risk["statement"], risk["deadline"]) == (
        status,
        "the database sets it",
        "2027-03-01T23:59:59Z",
    )
    (finding,) = (each for each in result["findings"] if each["title"] == "swappiness of site-c042")
    assert finding["target"]["status"] == {"state": "not-satisfied", "reason": reason}
    assert finding["related-risks"] == [{"risk-uuid": risk["uuid"]}]


def test_a_capture_that_was_not_compared_is_there_without_a_finding(found: Any) -> None:
    (refused,) = of("capture", found["results"][0]["observations"])
    assert refused["description"] == "not compared: a capture of another server"
    assert [subject["title"] for subject in refused["subjects"]] == ["c045"]


def test_the_time_is_stated_and_never_the_clocks(site: Path) -> None:
    ran = verify(site)
    assert (ran.status, ran.out) == (2, "")
    assert "--format oscal needs a time with a zone" in ran.err
    assert verify(site, "--collected", "2027-01-01T12:00").status == 2
    first = verify(site, "--collected", "2027-01-01T13:00:00+01:00").out
    assert first == verify(site, SOURCE_DATE_EPOCH="1798804800").out
    assert json.loads(first)["assessment-results"]["metadata"]["last-modified"] == TIME
