"""`accept difference of SETTING`: what it covers, until when, and what is said of one that has expired or has no
effect."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from setpoint.compiler.verification.model import HostVerdicts, SettingVerdict
from setpoint.compiler.verification.verdicts import verdicts
from setpoint.compiler.verification.waived import DifferenceWaivers
from support.command import Ran, setpoint
from verification.worlds import asked, host

SWAPPINESS = "/proc/sys/vm/swappiness"
SERVER = "goal latency; platform r750; os rhel 9.4;"
WANTED = 'set swappiness 10 because "a test";'
WAIVER = 'accept difference of swappiness because "the database sets it, OPS-9" until 2027-03-01;'
LAST_DAY, DAY_AFTER = "2027-03-01", "2027-03-02"


def swappiness(statements: str, text: str | None, today: str = LAST_DAY) -> SettingVerdict:
    """The verdict on a server whose file has this text, or could not be read."""
    plan = asked(WANTED + statements)
    capture = host({SWAPPINESS: text}) if text else host({}, {SWAPPINESS: "no permission"})
    found = DifferenceWaivers(today).applied(plan.plan, verdicts(plan, capture))
    (verdict,) = (each for each in found.verdicts if each.setting == "swappiness")
    return verdict


@pytest.mark.parametrize(
    ("text", "today", "state"),
    [
        ("60", LAST_DAY, "waived"),
        ("60", DAY_AFTER, "differs"),
        ("10", LAST_DAY, "ok"),  # a waiver does not forbid what is planned
        (None, LAST_DAY, "unreadable"),  # nobody knows whether it is the difference that was meant
    ],
)
def test_a_valid_waiver_covers_a_difference_and_nothing_else(text: str, today: str, state: str) -> None:
    assert swappiness(WAIVER, text, today).state == state


def test_what_was_found_and_what_would_change_it_stay() -> None:
    without, waived = swappiness("", "60"), swappiness(WAIVER, "60")
    assert waived.waiver is not None
    assert waived.waiver[:] == ("the database sets it, OPS-9", "2027-03-01", False, "differs")
    assert waived._replace(state="differs", waiver=None) == without


def test_a_waiver_is_of_its_setting_only() -> None:
    assert swappiness('accept difference of turbo because "the board is old";', "60").waiver is None


def applied(waivers: DifferenceWaivers, statements: str, text: str) -> HostVerdicts:
    plan = asked(WANTED + statements)
    return waivers.applied(plan.plan, verdicts(plan, host({SWAPPINESS: text})))


def test_a_waiver_that_one_of_several_servers_needs_has_an_effect() -> None:
    waivers = DifferenceWaivers(LAST_DAY)
    applied(waivers, WAIVER, "10")
    (unneeded,) = waivers.unneeded()
    assert (unneeded.code, unneeded.subject) == ("W0917", "difference of swappiness")
    applied(waivers, WAIVER, "60")
    assert not [*waivers.unneeded()]


def test_programs_see_which_waivers_have_no_effect(site: Path) -> None:
    """On c042 the difference occurs; on a server that is as planned nothing needs the waiver."""
    assert json.loads(verify(site, LAST_DAY, "--format", "json").out)["unneeded_waivers"] == []
    path = site / "c042.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"60"', '"10"'), encoding="utf-8")
    found = json.loads(verify(site, LAST_DAY, "--format", "json", against="c042.json").out)
    assert [each["waiver"] for each in found["unneeded_waivers"]] == ["difference of swappiness"]
    assert found["unneeded_waivers"][0]["file"] == "site.tune"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A policy with a waiver for one host, and captures of two that have the same difference."""
    (tmp_path / "site.tune").write_text(
        f"{SERVER} {WANTED}\nfor host c042 {{ {WAIVER} }}\n", encoding="utf-8"
    )
    for name in ("c042", "c043"):
        data = {"schema": "setpoint.capture/1", "host": {"read": {SWAPPINESS: "60"}, "unread": {}}}
        (tmp_path / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    return tmp_path


def verify(site: Path, today: str, *words: str, against: str = ".") -> Ran:
    return setpoint("verify", "site.tune", "--against", against, "--today", today, *words, cwd=site)


def test_a_waiver_counts_on_its_host_until_its_day(site: Path) -> None:
    for today, states, hosts in (
        (LAST_DAY, ["differs", "waived"], [["c043"], ["c042"]]),
        (DAY_AFTER, ["differs", "differs"], [["c042"], ["c043"]]),
    ):
        data = json.loads(verify(site, today, "--format", "json").out)
        found = [each for each in data["results"] if each["setting"] == "swappiness"]
        assert ([each["state"] for each in found], sorted(map(str, (each["hosts"] for each in found)))) == (
            states,
            sorted(map(str, hosts)),
        )
    (waived,) = (each["waiver"] for each in found if each.get("waiver"))
    assert waived == {
        "because": "the database sets it, OPS-9",
        "until": "2027-03-01",
        "expired": True,
        "state": "differs",
    }


def test_the_text_says_what_is_waived_why_and_until_when(site: Path) -> None:
    shown = verify(site, LAST_DAY, against="c042.json").out
    assert (
        "waived: not as planned, which the policy knows and waives\n  swappiness: found 60, planned 10\n"
        in shown
    )
    assert "      differs, waived until 2027-03-01: the database sets it, OPS-9\n" in shown
    assert "its waiver expired on 2027-03-01: the database sets it, OPS-9\n" in verify(site, DAY_AFTER).out


def test_a_waived_difference_does_not_count_for_the_status(site: Path) -> None:
    assert (
        verify(site, LAST_DAY, against="c042.json").status == 4
    )  # the rest of the server is not in the capture
    assert verify(site, DAY_AFTER, against="c042.json").status == 3


def test_pipelines_and_monitoring_see_it_as_waived(site: Path) -> None:
    suites = ElementTree.fromstring(verify(site, LAST_DAY, "--format", "junit").out)
    cases = {
        suite.get("name"): case for suite in suites for case in suite if case.get("name") == "swappiness"
    }
    for suite in suites:
        assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))
    skipped = cases["c042"].find("skipped")
    assert skipped is not None
    assert skipped.get("message") == (
        "waived: found 60, planned 10; differs, waived until 2027-03-01: the database sets it, OPS-9"
    )
    assert cases["c043"].find("failure") is not None
    metrics = verify(site, LAST_DAY, "--format", "metrics").out
    assert 'setpoint_verify_settings{host="c042",policy="site-c042",state="waived"} 1\n' in metrics
    assert (
        'setpoint_verify_setting_differs{host="c042",policy="site-c042",setting="swappiness"' not in metrics
    )


def test_a_bundle_has_the_waiver(site: Path) -> None:
    assert setpoint("compile", "site.tune", "--host", "c042", "-o", "out", cwd=site).status == 0
    for today, is_waived in ((LAST_DAY, True), (DAY_AFTER, False)):
        ran = setpoint("verify", "out", "--against", "c042.json", "--today", today, cwd=site)
        assert ("1 waived" in ran.out) is is_waived


def test_check_judges_the_day_and_whether_there_is_such_a_setting(site: Path) -> None:
    assert "W0912" not in setpoint("check", "site.tune", "--today", LAST_DAY, cwd=site).out
    ran = setpoint("check", "site.tune", "--today", DAY_AFTER, cwd=site)
    assert "W0912]: waiver for `difference of swappiness` expired on 2027-03-01" in ran.out
    other = setpoint(
        "plan", "-e", 'goal latency; cpu nehalem; accept difference of data-reuse because "a test";'
    )
    assert (
        "W0403]: waiver for `difference of data-reuse` has no effect: this plan has no `data-reuse`"
        in other.err
    )


def test_a_plan_still_shows_what_it_would_change(site: Path) -> None:
    ran = setpoint("plan", "site.tune", "--host", "c042", "--against", "c042.json", cwd=site)
    assert "swappiness" in ran.out.partition("changes at once")[2].partition("\n\n")[0]
