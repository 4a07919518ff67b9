"""Who says so, wherever a value is shown: also of one that a recommended profile brings along.

Dell's Table 2 for the 12th generation names the profile `dapc` and has no row for patrol scrub; that value is the
profile's. Somebody who looks it up in the table would not find it there, so the artifact says so.
"""

import json

import pytest

from setpoint.compiler.lowering.target import emission_of
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.render.markdown import plan_markdown
from setpoint.compiler.render.plan_text import plan_text
from support.command import setpoint
from support.plans import planned

EFFICIENT = "goal efficiency; platform r720; cpu e5-2690; sockets 2"
BROUGHT = "dell-12g-tuning, Table 2, by way of system-profile dapc"


def line(text: str, *words: str) -> str:
    """The first line of a text with all these words in it."""
    return next(line for line in text.splitlines() if all(word in line for word in words))


def made(target: str, path: str) -> str:
    """The text of an artifact of a target, by the end of its path."""
    emission = emission_of(target, planned(EFFICIENT))
    assert emission is not None
    return next(a.text for a in emission.artifacts if a.path.endswith(path))


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("plan", lambda: line(plan_text(judge(planned(EFFICIENT)), 140), "memory-patrol-scrub")),
        ("report", lambda: line(plan_markdown(judge(planned(EFFICIENT))), "memory-patrol-scrub", "standard")),
        ("explain", lambda: line(setpoint("explain", "-e", EFFICIENT, "memory-patrol-scrub").out, "wins")),
        ("syscfg", lambda: line(made("syscfg", "syscfg.plan"), "MemPatrolScrub")),
        ("redfish", lambda: made("redfish", "expected.json")),
        ("ansible", lambda: made("ansible", "redfish/expected.json")),
        ("puppet", lambda: line(made("puppet", "racadm/racadm.plan"), "MemPatrolScrub")),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_value_that_a_profile_brings_says_so(place: str, text: object) -> None:
    assert callable(text)
    assert BROUGHT in text()


def test_what_is_said_of_a_profile_is_not_said_of_its_members() -> None:
    """The 14G paper speaks of the power of the profile, not of that of PCIe power management."""
    emission = emission_of("redfish", planned("goal efficiency; platform c6420"))
    assert emission is not None
    text = next(a.text for a in emission.artifacts if a.path.endswith("expected.json"))
    reasons = json.loads(text)["attributes"]
    assert reasons["PcieAspmL1"]["because"].startswith(
        "of system-profile dapc: it draws the least idle power"
    )
    assert reasons["SysProfile"]["because"].startswith("it draws the least idle power")


def test_a_note_on_the_profile_names_it_once() -> None:
    shown = " ".join(plan_text(judge(planned(EFFICIENT)), 140).split())
    assert "note: system-profile dapc, named by dell-12g-tuning, Table 2, fixes turbo on" in shown
    assert "written out" not in shown
