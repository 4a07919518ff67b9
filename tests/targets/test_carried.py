"""What an emission says it carries is what its files contain: every target, every setting.

A setting is in the files if they lose a line when the plan loses the setting. What a profile locks is no case: scripts and
roles name it to compare it, and set it nowhere. Nor is what firmware is left at, which they name as assumed. Nor are words for people: comments, pages, reasons.
"""

from __future__ import annotations

from collections import Counter

import pytest

from setpoint.compiler.lowering.target import Emission, emission_of, targets
from setpoint.compiler.plan.model import Plan
from support.plans import planned

SERVERS = {
    "11g-el5": "cpu westmere; platform r710; os rhel 5",
    "11g-el6": "cpu westmere; platform r710; os rhel 6",
    "14g-el7": "cpu skylake; platform r740; os rhel 7",
    "14g-debian": "cpu skylake; platform r740; os debian 12",
}
FOR_PEOPLE = (".md", "reasons.json", "grub-legacy.txt")
SET_NOTHING = ("kernel-args/verify.sh", "kernel-args/cmdline")
"""What compares, and what a hand copies: where a boot loader has no tool, kernel arguments are a manual step."""
TARGETS = [name for name, target in targets().items() if target.layers]


OFF = "    manage_firmware: false"
"""Where Puppet has a script for the firmware, and by default does not call it."""


def lines(emission: Emission | None) -> Counter[tuple[str, str]]:
    """The lines of an emission's files that programs read."""
    found: Counter[tuple[str, str]] = Counter()
    artifacts = emission.artifacts if emission else ()
    is_off = any(OFF in artifact.text for artifact in artifacts)
    for artifact in artifacts:
        if is_off and artifact.path.endswith("/syscfg/apply.sh"):
            continue
        if not artifact.path.endswith((*FOR_PEOPLE, *SET_NOTHING)):
            for line in artifact.text.splitlines():
                words = " ".join(line.split(" #")[0].split())
                if words and not words.startswith("#"):
                    found[artifact.path, words] += 1
    return found


def contained(target: str, plan: Plan) -> set[str]:
    """The settings that the target's files contain."""
    whole = lines(emission_of(target, plan))
    found = set()
    for decision in plan.settings:
        rest = tuple(each for each in plan.settings if each.setting != decision.setting)
        if decision.unwritten == "locked" or (
            decision.unwritten == "default" and decision.layer == "firmware"
        ):
            continue
        if whole - lines(emission_of(target, plan._replace(settings=rest))):
            found.add(decision.setting)
    return found


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("goal", ["latency", "balanced"])
@pytest.mark.parametrize("server", SERVERS)
def test_the_files_contain_what_is_carried(server: str, goal: str, target: str) -> None:
    for more in ("", "; manage all"):
        plan = planned(f"goal {goal}; {SERVERS[server]}{more}")
        emission = emission_of(target, plan)
        expressed = emission.expressed if emission else frozenset()
        assert contained(target, plan) == expressed


def test_a_default_that_is_spelled_out_is_carried() -> None:
    """By itself tuned would limit idle states: the profile says that there is no limit, though the plan writes none."""
    plan = planned("goal balanced; cpu skylake; os debian 12")
    decision = plan.setting("force-latency")
    assert decision is not None
    assert (decision.value, decision.written) == ("none", False)
    for target in ("tuned", "puppet", "ansible"):
        emission = emission_of(target, plan)
        assert emission is not None
        assert "force-latency" in emission.expressed
