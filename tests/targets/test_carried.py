"""What an emission says it carries is what its files contain: every target, every setting.

A setting is in the files if they lose a line when the plan loses the setting. A value that a program's own files bring
about by having no line, such as a profile that includes no other, is in them if they would have lines for another
value, and have none of these. What a profile locks is no case: scripts and roles name it to compare it, and set it
nowhere. Nor is what firmware is left at, which they name as assumed. Nor are words for people (comments, pages,
reasons), and what a role or a module only reports.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

import pytest

from setpoint.compiler.lowering.bundle import bundle, once
from setpoint.compiler.lowering.target import (
    Artifact,
    Emission,
    FleetTarget,
    coverage_of,
    emission_of,
    targets,
)
from setpoint.compiler.plan.model import Decision, Plan
from support.plans import planned

SERVERS = {
    "11g-el5": "cpu westmere; platform r710; os rhel 5",
    "11g-el6": "cpu westmere; platform r710; os rhel 6",
    "14g-el7": "cpu skylake; platform r740; os rhel 7",
    "14g-debian": "cpu skylake; platform r740; os debian 12",
    "14g-untuned": "cpu skylake; platform r740; os ubuntu 24.04; tuned unused",
}
FOR_PEOPLE = (".md", "grub-legacy.txt")
SET_NOTHING = ("kernel-args/cmdline",)
"""What a hand copies: where a boot loader has no tool, kernel arguments are a manual step."""
TARGETS = [name for name, target in targets().items() if target.layers]
OTHERS = {"base-profile": "network-latency", "isolated-partition": "2-3"}
"""For settings whose value is the absence of a line: another value, which has one."""


OFF = "    manage_firmware: false"
"""Where Puppet has a plan for the firmware, and by default does not have it carried out."""


def files(emission: Emission | None) -> dict[str, str]:
    """The texts of an emission's files that programs read, by path."""
    artifacts = emission.artifacts if emission else ()
    is_off = any(OFF in artifact.text for artifact in artifacts)
    return {
        each.path: each.text
        for each in artifacts
        if not (is_off and each.path.endswith(("racadm/racadm.plan", "syscfg/syscfg.plan")))
        and not each.path.endswith((*FOR_PEOPLE, *SET_NOTHING))
        and (not each.path.endswith("kernel-args.plan") or "\nway " in each.text)  # else it is for comparing
    }


@lru_cache(maxsize=100)
def lines(text: str) -> Counter[str]:
    """The lines of a file, and of those in it, without comments and reasons, and without what is only reported.

    Reported are the plan's digest, and the end of a role's or module's plan: what is left out, and what is set.
    """
    carried_out = re.split(r"\n *(?:left|settings):\n", text)[0]
    valued = (line.split(" #")[0].split(', "setting": ')[0] for line in carried_out.splitlines())
    each = (" ".join(line.split()) for line in valued)
    return Counter(words for words in each if words.strip("|") and not words.startswith(("#", "digest: ")))


def contained(target: str, policy: str, plan: Plan) -> set[str]:
    """The settings that the target's files contain."""
    return {
        decision.setting
        for decision in plan.settings
        if decision.unwritten != "locked"
        and not (decision.unwritten == "default" and decision.layer == "firmware")
        and (lost(target, plan, decision.setting) or is_absence(target, policy, plan, decision))
    }


def lost(target: str, plan: Plan, setting: str) -> dict[str, Counter[str]]:
    """The lines that the target's files lose when the plan loses a setting, by file."""
    rest = tuple(each for each in plan.settings if each.setting != setting)
    without = files(emission_of(target, plan._replace(settings=rest)))
    found = {
        path: lines(text) - lines(without.get(path, ""))
        for path, text in files(emission_of(target, plan)).items()
        if without.get(path) != text
    }
    return {path: each for path, each in found.items() if each}


def is_absence(target: str, policy: str, plan: Plan, decision: Decision) -> bool:
    """Whether the target's files have lines for another value of a setting, and none of them for the one that the plan
    writes."""
    setting = decision.setting
    if not decision.written or setting not in OTHERS:
        return False
    other = lost(target, planned(f'{policy}; set {setting} {OTHERS[setting]} because "a test"'), setting)
    own = files(emission_of(target, plan))
    return bool(other) and not any(lines(own.get(path, "")) & each for path, each in other.items())


REPEATED = [
    pytest.param(policy, marks=pytest.mark.repeated)
    for policy in ("goal balanced", "goal latency; manage all", "goal balanced; manage all")
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("policy", ["goal latency", *REPEATED])
@pytest.mark.parametrize("server", SERVERS)
def test_the_files_contain_what_is_carried(server: str, policy: str, target: str) -> None:
    text = f"{policy}; {SERVERS[server]}"
    plan = planned(text)
    emission = emission_of(target, plan)
    expressed = emission.expressed if emission else frozenset()
    assert contained(target, text, plan) == expressed


@pytest.mark.parametrize(
    ("target", "server", "setting"),
    [
        ("tuned", "14g-debian", "base-profile"),
        ("puppet", "14g-debian", "base-profile"),
        ("ansible", "14g-debian", "base-profile"),
        ("systemd", "14g-untuned", "isolated-partition"),
        ("puppet", "14g-untuned", "isolated-partition"),
        ("ansible", "14g-untuned", "isolated-partition"),
    ],
)
def test_a_value_that_is_the_absence_of_a_line_is_told_from_one_that_is_not_carried(
    target: str, server: str, setting: str
) -> None:
    text = f"goal latency; manage all; {SERVERS[server]}"
    plan, otherwise = planned(text), planned(f'{text}; set {setting} {OTHERS[setting]} because "a test"')
    own, other = plan.setting(setting), otherwise.setting(setting)
    assert own is not None
    assert other is not None
    assert not lost(target, plan, setting)
    assert is_absence(target, text, plan, own)
    # Files with lines for the other value contradict the plan; a target that never has any carries neither; and of a
    # plan that does not write the value, nothing is carried.
    assert not is_absence(target, text, otherwise, other)
    assert not is_absence("kernel-args", text, plan, own)
    assert not is_absence(target, text, plan, own._replace(unwritten="default"))


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


NOTHING = ("cpu skylake; platform r740", "cpu skylake; platform r740; os windows-server-2012", "os debian 12")
"""Facts with which targets for fleets have nothing to do, or less."""


@pytest.mark.parametrize("target", [n for n, each in targets().items() if isinstance(each, FleetTarget)])
@pytest.mark.parametrize("server", [*SERVERS.values(), *NOTHING])
def test_the_coverage_of_a_plan_is_that_of_its_files(server: str, target: str) -> None:
    plan = planned(f"goal latency; {server}")
    for each in (plan, plan._replace(settings=())):
        made, found = emission_of(target, each), coverage_of(target, each)
        assert (made is None) == (found is None)
        if made is not None:
            assert found is not None
            assert found[:3] == (made.expressed, made.left_out, bool(made.artifacts))


def test_the_bundle_of_one_plan_of_a_fleet_is_made_without_the_files_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = planned(f"goal throughput; {SERVERS['14g-el7']}")
    alone = bundle(plan, targets(), asked=False)
    for known in (emission_of, coverage_of):
        known.cache_clear()
    for target in targets().values():
        if isinstance(target, FleetTarget):
            monkeypatch.setattr(type(target), "emit_fleet", lambda *given: pytest.fail("made the files"))
    among = bundle(plan, targets(), asked=False, in_fleet=True)
    assert {each.path for each in alone.files} > {each.path for each in among.files}
    steps = [each.text for made in (alone, among) for each in made.files if each.path == "manual-steps.md"]
    assert steps[0] == steps[1]


def test_a_file_that_several_targets_need_is_written_once() -> None:
    program, plan = Artifact("host/program", "text", 0o755, "1"), Artifact("host/a.plan", "text")
    assert list(once([program, plan, program._replace(text="text"), plan])) == [program, plan]
    for other in (
        program._replace(text="other"),
        program._replace(mode=0o644),
        program._replace(version="2"),
    ):
        with pytest.raises(ValueError, match=r"two files of the bundle have the path `host/program`"):
            list(once([program, plan, other]))
