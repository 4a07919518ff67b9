"""What `setpoint plan` prints first: the values that are written, a line each, and the rest in numbers. `--all` has
everything."""

import re

import pytest

from setpoint.compiler.render.grouping import grouped
from setpoint.compiler.render.words import DEFAULT, LEFT_TO_SYSTEM
from support.command import setpoint
from support.plans import planned

POLICY = "goal latency; platform r650; os debian 12"
SCREEN = 80, 60
"""The columns and lines of a terminal that is open beside something else, from the top of the screen to its bottom."""


def brief(policy: str, columns: int = SCREEN[0], *words: str) -> str:
    ran = setpoint("plan", "-e", policy, *words, env={"COLUMNS": str(columns)})
    assert ran.status == 0, ran.err
    return ran.out


@pytest.mark.parametrize("goal", ["latency", "throughput", "efficiency", "performance"])
@pytest.mark.parametrize("server", ["platform r650; os debian 12", "platform r750; os rhel 9", "platform r760; os rhel 9", "cpu x5670; os rhel 6.4"])  # fmt: skip
def test_a_plan_fits_on_a_screen(goal: str, server: str) -> None:
    lines = brief(f"goal {goal}; {server}").splitlines()
    assert len(lines) <= SCREEN[1]
    assert max(map(len, lines)) <= SCREEN[0]


def test_each_value_that_is_written_has_a_line_with_its_source() -> None:
    plan = planned(POLICY)
    out = brief(POLICY, 110)
    for decision in plan.written:
        (line,) = re.findall(rf"^  {decision.setting} .*$", out, re.MULTILINE)
        assert decision.value in line.split()
        expected = "vendor default" if decision.cause.kind == "default" else decision.cause.source
        assert expected in line
        assert decision.cause.weight in line


def test_the_rest_is_counted_and_listed_on_request() -> None:
    groups = [grouped(list(planned(POLICY).settings))]
    defaulted, to_system = (sorted(d.setting for each in groups for d in each[at]) for at in (2, 5))
    counted = " ".join(brief(POLICY).split())
    assert f"{len(defaulted)} settings stay at the vendor's default, {len(to_system)} are left" in counted
    whole = brief(POLICY, 80, "--all")
    text = " ".join(whole.split())
    for name in (*defaulted, *to_system):
        assert not re.search(rf"(^|[ :]){name}[ ,.]", counted), name
        assert re.search(rf"[ :]{name}([ ,]|$)", text), name
    assert f"{DEFAULT}: " in text and f"{LEFT_TO_SYSTEM}: " in text
    assert "plan --all" not in text


@pytest.mark.parametrize(
    ("columns", "line"),
    [
        (110, "  c1e   off   dell-12g-tuning, Table 2 (out of scope)"),
        (110, "  cores-per-processor   all   dell-bios-registries, R740 and R750 registries (vendor)"),
        (80, "  cores-per-processor   all   dell-bios-registries (vendor)"),
    ],
)
def test_of_a_place_the_parts_that_fit_are_shown(columns: int, line: str) -> None:
    lines = {re.sub("  +", "   ", each.strip()) for each in brief(POLICY, columns).splitlines()}
    assert line.strip() in lines


@pytest.mark.parametrize(
    ("server", "columns", "line"),
    [
        ("r650", 81, "  c-states                     off              dell-bios-registries (test-first)"),
        ("r650", 80, " c-states                     off              dell-bios-registries (test-first)"),
        ("r760", 80, " correctable-ecc-smi         off             dell-bios-registries (out of scope)"),
    ],
)
def test_spaces_give_way_before_a_line_is_wrapped(server: str, columns: int, line: str) -> None:
    assert line in brief(POLICY.replace("r650", server), columns).splitlines()


def test_a_source_that_is_longer_than_its_line_is_wrapped() -> None:
    ours = (
        'source benchmarks-of-our-own-latency-team { title "Ours"; publisher "Us"; } '
        'rule ours of benchmarks-of-our-own-latency-team at "1" { when goal latency; use c-states off; because "it does"; } '
    )
    lines = brief(ours + POLICY, 80).splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("  c-states "))
    assert (lines[at].split(), lines[at + 1].strip()) == (
        ["c-states", "off", "benchmarks-of-our-own-latency-team"],
        "(vendor)",
    )


def test_the_reason_of_the_policy_is_never_cut() -> None:
    because = "the feed handler loses frames when the clock moves, as PERF-212 shows in all of its figures"
    out = brief(f'{POLICY}; set turbo on because "{because}"')
    assert f"set: {because}" in " ".join(out.split())
    assert "overrides off (cisco-bios-templates): the policy sets it" in " ".join(out.split())


def test_advice_that_the_policy_overrides_is_named_once_for_each_source() -> None:
    ran = setpoint("plan", "examples/hpc-fleet/fleet.tune", "--group", "compute", "--host", "c042")
    lost = [line.strip() for line in ran.out.splitlines() if line.strip().startswith("overrides on (")]
    assert lost == [
        f"overrides on ({name}): the policy sets it" for name in ("dell-12g-tuning", "dell-14g-hpc")
    ]


def test_what_to_mind_is_as_complete_as_ever() -> None:
    policy = f'{POLICY}; accept override of turbo because "measured, LAB-3"; set turbo on because "LAB-3"'
    few, all_ = (setpoint("plan", "-e", policy, *words) for words in ((), ("--all",)))
    assert few.err == all_.err
    assert "warning[W0301]" in few.err
    for part in ("Waivers", "Combined effects", "Evidence: ", "Restart: "):
        rest = all_.out[all_.out.index(f"\n{part}") :].split("\n\n")[0]
        assert rest in few.out


def test_facts_are_grouped_by_how_they_are_known() -> None:
    rows = dict(re.findall(r"^  (stated|implied|assumed)  +(.*)$", brief(POLICY), re.MULTILINE))
    assert rows == {
        "stated": "goal latency, os debian 12, platform r650",
        "implied": "cpu ice-lake, cpu-vendor intel, vendor dell",
        "assumed": "sockets 2",
    }
