"""The profiles that tuned ships: each cited value is in the profile's file, as in Debian's package."""

import re
from configparser import ConfigParser
from pathlib import Path

import pytest
from knowledge.refusals import spelt

from consumers.tuned_lint import require_tuned
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Citation
from support.ask import decision

PROFILES = Path("/usr/lib/tuned")
QUOTED = [
    rule.name for rule in standard().rules if rule.citation and rule.citation.source == "tuned-profiles"
]
PLACE = re.compile(r"(?:(?P<profile>[a-z-]+), )?\[(?P<section>[a-z]+)\] (?P<options>.*)")


@pytest.mark.parametrize("name", QUOTED)
def test_a_value_is_what_the_profile_has(name: str) -> None:
    require_tuned()
    (rule,) = (rule for rule in standard().rules if rule.name == name)
    assert rule.citation is not None
    place = PLACE.fullmatch(rule.citation.at)
    assert place is not None, f"{rule.citation.at}: a profile, its section, its options"
    # A cell that names no profile is of the one that its table is named after.
    profile = place["profile"] or name.split(".")[1]
    shipped = _shipped(profile)
    policy = f"goal balanced; cpu e5-2680; os debian 12; set {rule.setting} {rule.value}"
    label = decision(spelt(policy), rule.setting).label
    for option in place["options"].split(", "):
        # The arguments of the boot line are one option; of others, `>` raises what is below, which a sysctl without
        # tuned cannot.
        texts = shipped[place["section"]][option]
        assert label in (
            texts.split() if place["section"] == "bootloader" else (texts, texts.removeprefix(">"))
        ), option


@pytest.mark.parametrize("setting", ["governor", "energy-perf-bias"])
def test_work_for_each_watt_gets_what_balanced_has(setting: str) -> None:
    """A maintainer recommends the profile by its name (issue 582); its values are in the profile."""
    require_tuned()
    found = decision("goal efficiency; cpu e5-2680; os debian 12", setting)
    assert found.because[0].citation == Citation("tuned-issue-582", "comment of 2024-01-25")
    assert found.label == _shipped("balanced")["cpu"][setting.replace("-", "_")]


def _shipped(profile: str) -> ConfigParser:
    shipped = ConfigParser(interpolation=None, strict=False)
    shipped.read(PROFILES / profile / "tuned.conf", encoding="utf-8")
    return shipped
