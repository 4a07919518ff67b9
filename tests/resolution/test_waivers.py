"""Waivers: their effect, their validity, and what they do not hide."""

from pathlib import Path

import pytest

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import Planned, Selection, planned
from setpoint.compiler.policies.check import check_files
from support.policies import vocabulary

DEFEATS_ITS_GOAL = 'goal efficiency; cpu westmere; set turbo on because "the run must be done by 06:00";\n'
UNTIL = 'accept turbo-vs-efficiency because "OPS-77" until 2027-03-31;'


def plan(text: str, today: str = "") -> Planned:
    (done,) = planned(program_of_text(text), vocabulary(), Selection(today=today))
    return done


def codes(done: Planned) -> list[str]:
    return [d.code for d in done.findings]


def test_a_hazard_stops_the_build_until_it_is_waived() -> None:
    assert plan(DEFEATS_ITS_GOAL).is_stopped
    accepted = plan(DEFEATS_ITS_GOAL + 'accept turbo-vs-efficiency because "OPS-77"')
    assert accepted.plan is not None and not accepted.is_stopped
    (waiver,) = accepted.plan.waivers
    assert (waiver.name, waiver.because, waiver.until, waiver.stands) == (
        "turbo-vs-efficiency",
        "OPS-77",
        "",
        True,
    )
    assert not {"E0401", "W0401"} & set(codes(accepted))


@pytest.mark.parametrize(
    ("today", "counts"),
    [("2027-03-30", True), ("2027-03-31", True), ("2027-04-01", False), ("2030-01-01", False), ("", True)],
)
def test_a_waiver_is_valid_up_to_and_including_its_day(today: str, counts: bool) -> None:
    done = plan(DEFEATS_ITS_GOAL + UNTIL, today)
    assert done.is_stopped != counts
    if not counts:
        (error,) = done.findings.errors
        assert error.code == "E0401"
        assert "its waiver expired on 2027-03-31" in error.notes
        assert "if the reason still holds, extend the date of `accept turbo-vs-efficiency`" in error.help


def test_after_its_day_only_what_really_helps_is_offered_as_checked() -> None:
    (error,) = plan(DEFEATS_ITS_GOAL + 'set c1e off because "OPS-12";' + UNTIL, "2027-04-01").findings.errors
    checked = [text for text in error.help if "(verified)" in text]
    assert checked == ["drop `set turbo on` (verified)", "`set turbo off` instead of on (verified)"]


def test_a_warning_can_be_accepted_and_is_then_silent() -> None:
    policy = "goal latency; cpu westmere; workload latency-bound;"
    assert "W0401" in codes(plan(policy))
    assert "W0401" not in codes(plan(policy + 'accept c-state-idle-power because "not billed here"'))


def test_every_finding_on_a_hazard_has_the_name_of_the_hazard() -> None:
    done = plan(DEFEATS_ITS_GOAL + 'accept c-state-idle-power because "in case"', "")
    assert {(d.code, d.subject) for d in done.findings if d.code in ("E0401", "W0403")} == {
        ("E0401", "turbo-vs-efficiency"),
        ("W0403", "c-state-idle-power"),
    }
    waiver_without_end = plan(
        'goal latency; cpu westmere; workload latency-bound; accept turbo-vs-efficiency because "in case"'
    )
    named = {d.code: d.subject for d in waiver_without_end.findings}
    assert (named["W0401"], named["W0403"]) == ("c-state-idle-power", "turbo-vs-efficiency")


def test_a_waiver_without_effect_is_reported() -> None:
    done = plan('goal latency; cpu westmere; accept turbo-vs-efficiency because "in case"')
    assert done.plan is not None
    (waiver,) = done.plan.waivers
    assert not waiver.stands
    assert codes(done).count("W0403") == 1


FLEET = """
cpu westmere; accept turbo-vs-efficiency because "OPS-88";
for group batch { goal efficiency; set turbo on because "OPS-88"; }
for group web { goal balanced; }
"""


def checked(text: str, tmp_path: Path) -> list[Diagnostic]:
    """What `check` finds in a file of this text."""
    file = tmp_path / "policy.tune"
    file.write_text(text, encoding="utf-8")
    return list(check_files({str(file): ""}).findings)


def test_a_waiver_that_one_group_needs_is_not_unused_for_the_file(tmp_path: Path) -> None:
    """Dropping the line would stop the build of group batch. The plan of group web alone advises to move it."""
    batch, web = planned(program_of_text(FLEET), vocabulary())
    assert "W0403" not in codes(batch)
    (vain,) = [d for d in web.findings if d.code == "W0403"]
    assert vain.help == ("move the line to the policy, group or host that needs it; if none does, drop it",)
    assert not [d for d in checked(FLEET, tmp_path) if d.code == "W0403"]
    assert [d.code for d in checked(FLEET.replace("turbo on", "turbo off"), tmp_path)].count("W0403") == 1


def test_a_waiver_that_one_host_needs_is_not_unused_for_the_file(tmp_path: Path) -> None:
    text = """
    goal efficiency; cpu westmere; accept turbo-vs-efficiency because "OPS-88";
    for host c042 { set turbo on because "OPS-88"; }
    """
    assert not [d for d in checked(text, tmp_path) if d.code == "W0403"]


def test_needed_waivers_are_known_although_another_hazard_stops_the_build(tmp_path: Path) -> None:
    """Group batch has another hazard to repair first, and still needs the waiver."""
    text = FLEET.replace("set turbo on", 'set c-states off because "OPS-89"; set turbo on')
    assert [d.code for d in checked(text, tmp_path) if d.code in ("E0401", "W0403")] == ["E0401"]


def test_accepting_one_hazard_leaves_the_others() -> None:
    policy = (
        'goal efficiency; cpu westmere; set turbo on because "OPS-77"; set c-states off because "OPS-78";'
        'accept turbo-vs-efficiency because "OPS-77"'
    )
    (error,) = [d for d in plan(policy).findings if d.severity == "error"]
    assert error.message.startswith("hazard `c-states-off-vs-efficiency`")


def test_a_hazard_of_another_platform_only_warns() -> None:
    policy = 'goal efficiency; set turbo on because "OPS-77"; platform poweredge-'
    assert "E0401" in codes(plan(policy + "12g"))
    later = plan(policy + "14g")
    assert not later.is_stopped
    assert "W0402" in codes(later)


def test_a_hazard_out_of_scope_only_warns() -> None:
    """The 12G paper excludes HPC: under such a workload its hazards only warn."""
    policy = 'goal efficiency; cpu sandy-bridge; set turbo on because "OPS-77"'
    assert "E0401" in codes(plan(policy))
    assert "E0401" in codes(plan(policy + "; workload java"))
    assert "W0402" in codes(plan(policy + "; workload cpu-bound"))


def test_a_file_with_waivers_only_is_checked(tmp_path: Path) -> None:
    """It states no goal, but its names are looked up."""
    found = checked('accept nosuch because "x"; manage nothing;', tmp_path)
    assert [(d.code, d.message) for d in found] == [
        ("E0201", "unknown hazard `nosuch`"),
        ("E0201", "unknown `manage nothing`"),
    ]
