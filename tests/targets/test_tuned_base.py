"""A plan that builds on a profile that tuned ships: the real tuned merges both into what the plan says.

tuned 2.20 is the release of Debian 12. Its own loader reads the profile with what it includes, so that each value that
a plan leaves to the shipped profile is compared with that profile's file, too.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from consumers.tuned_lint import Lint, lint, require_tuned
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.targets.tuned import TARGET
from support.host import with_profile
from support.plans import planned

SHIPPED = Path("/usr/lib/tuned")
PROFILES = tuple(value for value in standard().settings["base-profile"].values if value != "none")
ACCEPTED = 'accept kernel-forgoes-idle-states because "the profile does";'
SERVER = "platform r750; cpu ice-lake; workload key-value-store; os debian 12;"


def on(profile: str, text: str = f"goal latency; {SERVER}") -> Plan:
    """The plan of a policy that builds on a profile."""
    return planned(f'{text} set base-profile {profile} because "the site runs it";')


def conf(plan: Plan) -> str:
    """The tuned.conf of a plan."""
    (found,) = (
        each.text for each in with_profile(TARGET.emit(plan).artifacts) if each.path.endswith("/tuned.conf")
    )
    return found


def merged(plan: Plan, folder: Path) -> Lint:
    """What tuned makes of the plan's profile and those that it ships."""
    require_tuned()
    shutil.copytree(SHIPPED, folder, dirs_exist_ok=True)
    own = folder / "setpoint-policy"
    own.mkdir()
    (own / "tuned.conf").write_text(conf(plan), encoding="utf-8")
    return lint(own)


def lines(found: Lint) -> Mapping[str, str]:
    """The merged options, named as spellings name them. Units with a name of their own are for processors of another
    make."""
    options: dict[str, str] = {}
    for unit_name, unit in found.units.items():
        for name, value in unit.options.items() if unit_name == unit.type else ():
            # The plugin for sysctls takes quotes away.
            text = str(value).strip('"')
            options[name if unit.type in ("sysctl", "sysfs") else f"[{unit.type}] {name}"] = text
    return options


def wrong(decision: Decision, options: Mapping[str, str]) -> list[str]:
    """How the merged profile differs from a decision; empty if tuned sets the plan's value, or nothing where that is no
    line."""
    own = [each for each in decision.spelled if each.interface == "tuned"]
    spelled = own or [each for each in decision.spelled if each.interface in ("sysctl", "sysfs")]
    found = []
    for each in spelled:
        for name in each.names:
            wanted = None if each.is_absent else each.text
            if options.get(name) != wanted:
                found.append(f"{decision.setting} {decision.value}: {name} is {options.get(name)}")
    return found


@pytest.mark.alike
@pytest.mark.parametrize("goal", ["latency", "throughput", "balanced"])
@pytest.mark.parametrize("profile", PROFILES)
def test_tuned_has_every_value_of_the_plan(tmp_path: Path, profile: str, goal: str) -> None:
    plan = on(profile, f"goal {goal}; {SERVER}")
    found = merged(plan, tmp_path)
    options = lines(found)
    ours = [d for d in plan.settings if d.layer == "os" and d.unwritten in ("", "profile")]
    assert [w for d in ours if d.setting != "base-profile" for w in wrong(d, options)] == []
    assert found.problems == ()
    alone = (d for d in plan.settings if d.layer == "os" and d.unwritten == "default" and wrong(d, options))
    set_all_the_same = {d.setting for d in alone for each in d.spelled for n in each.names if n in options}
    assert set_all_the_same <= {"listen-backlog"}  # raised to 2048 at least, and this kernel's own is 4096


def test_the_plan_says_what_it_changes() -> None:
    plan = on("throughput-performance")
    changed = {d.setting: n.text for d in plan.settings for n in d.notes if n.kind == "changed"}
    assert changed == {
        "dirty-background-ratio": "dirty-background-ratio 3 replaces the 10 of base-profile throughput-performance",
        "dirty-ratio": "dirty-ratio 10 replaces the 40 of base-profile throughput-performance",
    }
    assert {d.setting for d in plan.settings if d.unwritten == "profile"} == {"readahead"}


# Each value of the first column's profile, by release: what Debian 12's 2.20 has, Debian 13's 2.25.1, and what every
# release has.
BY_RELEASE = """
sap-hana                transparent-hugepages        never                  madvise              ?
throughput-performance  energy-performance-preference  unmanaged            performance          ?
latency-performance     force-latency                c1                     c1                   ?
latency-performance     swappiness                   10                     10                   10
network-latency         timer-migration              unmanaged              off                  ?
postgresql              dirty-bytes                  536870912              ?                    ?
"""


@pytest.mark.parametrize("row", BY_RELEASE.strip().splitlines())
def test_what_a_profile_sets_depends_on_its_release(row: str) -> None:
    profile, setting, *values = row.split()
    for os, value in zip(("debian 12", "debian 13", "rhel 9"), values, strict=True):
        found = on(profile, f"goal density; platform r750; cpu ice-lake; os {os}; {ACCEPTED}").setting(
            setting
        )
        assert found is not None
        assert (found.unwritten == "unknown") == (value == "?"), (os, found.unwritten)
        assert value in ("?", found.value), os


def test_hazards_see_what_the_profile_sets() -> None:
    text = f"goal efficiency; platform r750; cpu ice-lake; os debian 12; {ACCEPTED}"
    hazards = [
        {each.hazard for each in plan.hazards} for plan in (planned(text), on("network-latency", text))
    ]
    assert ["busy-poll-vs-efficiency" in each for each in hazards] == [False, True]


def test_a_limit_in_another_unit_replaces_that_of_the_profile(tmp_path: Path) -> None:
    plan = on("postgresql", f'goal latency; {SERVER} set dirty-ratio 20 because "x";')
    options = lines(merged(plan, tmp_path))
    assert options["vm.dirty_ratio"] == "20"
    assert "vm.dirty_bytes" not in options


def test_boot_arguments_of_the_profile_are_in_the_plan() -> None:
    plan = on("network-latency", f"goal balanced; platform r750; cpu ice-lake; os debian 13; {ACCEPTED}")
    assert (plan.value("skew-tick"), plan.value("tsc-checks")) == ("on", "reliable")


def test_without_one_the_profile_includes_nothing() -> None:
    assert "include=" not in conf(planned(f"goal latency; {SERVER}"))
