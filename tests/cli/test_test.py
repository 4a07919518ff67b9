"""`setpoint test`, as users and pipelines run it."""

import json
from pathlib import Path

import pytest
from junitparser import JUnitXml

from support.command import setpoint

POLICY = """\
goal latency; workload comm-bound; cpu westmere;
expect turbo on from dell-11g-hpc because "the desk <pays> & waits";
for group calm { set turbo off because "noise"; expect smt off under goal latency or performance; }
for host c1 in calm { set smt on because "a trial"; }
"""


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    (tmp_path / "fleet.tune").write_text(POLICY, encoding="utf-8")
    return tmp_path


def test_each_expectation_is_listed_with_the_plans_for_which_it_holds(fleet: Path) -> None:
    ran = setpoint("test", "fleet.tune", cwd=fleet)
    assert ran.status == 1
    assert ran.out == (
        "fleet.tune\n"
        "  holds          turbo on from dell-11g-hpc                 fleet.tune:2  fleet\n"
        "  does not hold  turbo on from dell-11g-hpc                 fleet.tune:2  fleet-calm, fleet-calm-c1\n"
        "  holds          smt off under goal latency or performance  fleet.tune:3  fleet-calm\n"
        "  does not hold  smt off under goal latency or performance  fleet.tune:3  fleet-calm-c1\n"
        "5 expectations of 3 plans: 3 do not hold\n"
    )
    assert "error[E0801]: expected `smt off`, but `smt` is `on`\n" in ran.err
    assert ran.err.count("error[E0801]: expected `turbo on from dell-11g-hpc`, but `turbo` is `off`\n") == 1
    assert "   = for fleet-calm, fleet-calm-c1\n" in ran.err
    assert "help: `setpoint explain --group calm fleet.tune turbo` shows why\n" in ran.err


def test_what_nothing_is_expected_of_is_listed(fleet: Path) -> None:
    (fleet / "fleet.tune").write_text(
        POLICY.replace("expect smt off under goal latency or performance;", "").replace(
            "from dell-11g-hpc", "or off"
        ),
        encoding="utf-8",
    )
    ran = setpoint("test", "fleet.tune", "--coverage", cwd=fleet)
    assert ran.status == 0
    assert ran.out.endswith(
        "  not expected  set smt on  fleet.tune:4\n"
        "3 expectations of 3 plans: all hold; nothing is expected of 1 of your 2 statements that decide a setting\n"
    )


def test_a_pipeline_reads_the_outcome(fleet: Path) -> None:
    setpoint("test", "fleet.tune", "--junit", "tests.xml", cwd=fleet)
    (suite,) = JUnitXml.fromfile(str(fleet / "tests.xml"))
    assert (suite.name, suite.tests, suite.failures) == ("fleet.tune", 5, 3)
    failed = [(case.classname, case.name) for case in suite if case.result]
    assert failed == [
        ("fleet-calm", "turbo on from dell-11g-hpc"),
        ("fleet-calm-c1", "turbo on from dell-11g-hpc"),
        ("fleet-calm-c1", "smt off under goal latency or performance"),
    ]
    first = next(case for case in suite if case.result).result[0]
    assert first.message == "expected `turbo on from dell-11g-hpc`, but `turbo` is `off`"
    assert first.text.split("\n")[1] == "expected because: the desk <pays> & waits"


def test_what_cannot_be_planned_does_not_hold(fleet: Path) -> None:
    (fleet / "fleet.tune").write_text('goal latency; cpu westmere; expect turbo on; set flux on because "x";')
    ran = setpoint("test", "fleet.tune", "--format", "json", cwd=fleet)
    assert ran.status == 1
    (one,) = json.loads(ran.out)["expectations"]
    assert (one["holds"], [each["code"] for each in one["findings"]]) == (False, ["E0201"])


def test_a_folder_in_which_nothing_is_expected_is_no_success(fleet: Path) -> None:
    (fleet / "fleet.tune").write_text("goal latency; cpu westmere;")
    ran = setpoint("test", ".", cwd=fleet)
    assert ran.status == 2
    assert ran.err.startswith("setpoint test: error: no policy in . has an `expect`\n")


def test_nothing_is_compiled_that_is_not_as_expected(fleet: Path) -> None:
    ran = setpoint("compile", "fleet.tune", "-o", "out", cwd=fleet)
    assert ran.status == 1
    assert not (fleet / "out").exists()
