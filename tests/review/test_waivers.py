"""`setpoint waivers`: every waiver, with its reason and its expiry."""

import json
from pathlib import Path

import jsonschema
import pytest

from review.sides import run, write
from support.command import ROOT, Ran, setpoint

POLICIES = {
    "trading.tune": """\
policy trading { goal latency; cpu westmere;
    accept c-state-idle-power because "idle power is not billed here" until 2027-03-31; }
policy lab { goal latency; cpu westmere; accept c-state-idle-power because "never idle"; }
""",
    "fleet.tune": """\
include "parts/common.tune";
goal efficiency; cpu westmere;
for host c042 { accept turbo-vs-efficiency because "benchmark week" until 2026-11-19; }
""",
    "parts/common.tune": 'accept c-state-idle-power because "from the common part" until 2026-12-20;\n',
}


def waivers(folder: Path, *arguments: str, today: str = "2026-11-20") -> Ran:
    return run("waivers", ".", "--today", today, *arguments, folder=folder)


def test_each_is_listed_once_the_most_pressing_first(tmp_path: Path) -> None:
    write(tmp_path, POLICIES)
    ran = waivers(tmp_path, "--format", "json")
    data = json.loads(ran.out)
    schema = json.loads((ROOT / "compiler/render/waivers.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(data, schema, format_checker=jsonschema.FormatChecker())
    assert [(w["state"], w["days"], w["scope"], w["because"]) for w in data["waivers"]] == [
        ("expired", -1, "host c042", "benchmark week"),
        ("soon", 30, None, "from the common part"),
        ("good", 131, "policy trading", "idle power is not billed here"),
        ("open", None, "policy lab", "never idle"),
    ]
    assert ran.status == 3


def test_the_text_has_place_and_reason(tmp_path: Path) -> None:
    write(tmp_path, POLICIES)
    lines = [" ".join(line.split()) for line in waivers(tmp_path).out.splitlines()]
    assert lines[0] == "turbo-vs-efficiency expired 2026-11-19 host c042 fleet.tune:3 benchmark week"
    assert lines[-1] == "4 waivers: 1 expired, 1 expiring within 30 days"


@pytest.mark.parametrize(
    ("today", "within", "state"),
    [("2026-11-20", "29", "good"), ("2026-12-20", "0", "soon"), ("2026-12-21", "0", "expired")],
)
def test_a_waiver_is_valid_on_its_last_day(tmp_path: Path, today: str, within: str, state: str) -> None:
    write(tmp_path, {"a.tune": POLICIES["parts/common.tune"]})
    data = json.loads(waivers(tmp_path, "--format", "json", "--within", within, today=today).out)
    assert [w["state"] for w in data["waivers"]] == [state]


def test_nothing_accepted(tmp_path: Path) -> None:
    write(tmp_path, "goal latency; cpu westmere")
    assert waivers(tmp_path)[:2] == (0, "No waivers.\n")


def test_a_file_that_cannot_be_read_hides_no_other(tmp_path: Path) -> None:
    write(tmp_path, {**POLICIES, "broken.tune": "goal latency; }"})
    ran = waivers(tmp_path)
    assert ran.status == 1
    assert "benchmark week" in ran.out
    assert "error[E0101]" in ran.err


def test_two_on_one_line_are_two(tmp_path: Path) -> None:
    both = 'accept c-state-idle-power because "a"; accept turbo-vs-efficiency because "b";'
    write(tmp_path, f"goal latency; cpu westmere; {both}")
    assert "2 waivers" in waivers(tmp_path).out


def test_a_number_of_days_is_not_below_none(tmp_path: Path) -> None:
    write(tmp_path, POLICIES)
    ran = setpoint("waivers", ".", "--within=-3", cwd=tmp_path)
    assert (ran.status, "--within -3: not a number of days" in ran.err) == (2, True)
    assert waivers(tmp_path, "--within", "0").status == 3
