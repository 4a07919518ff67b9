"""Combined effects in plans: which are shown, with which value, and how a change of one is told."""

from pathlib import Path

from review.sides import compare, only

from setpoint.compiler.render.difference import comparison_text
from support.plans import plan_of_text

SITE = """\
source lab { title "Bench notes"; publisher "Our lab"; }
effect noise of lab at "Run 1" { title "Noise"; values loud, quiet; case loud when turbo on; otherwise quiet; }
effect dust of lab at "Run 2" { title "Dust in the racks"; values some; case some when turbo on; }
hazard dusty of lab at "Run 3" { when platform poweredge-11g, dust some; because "filters clog"; severity warning; }
goal latency; cpu westmere; platform r610; set turbo %s because "a test";
"""


def effects(turbo: str) -> dict[str, str]:
    """The effects of the site in the plan."""
    plan = plan_of_text(SITE % turbo)
    return {each.name: each.value for each in plan.effects if each.citation.source == "lab"}


def test_without_a_case_that_holds_the_otherwise_is_the_value() -> None:
    assert effects("on")["noise"] == "loud"
    assert effects("off")["noise"] == "quiet"


def test_an_effect_without_otherwise_is_only_where_a_case_holds() -> None:
    assert effects("on") == {"noise": "loud", "dust": "some"}
    assert effects("off") == {"noise": "quiet"}
    assert "dusty" in {each.hazard for each in plan_of_text(SITE % "on").hazards}
    assert "dusty" not in {each.hazard for each in plan_of_text(SITE % "off").hazards}


def test_a_change_of_an_effect_is_told_also_where_it_comes_or_goes(tmp_path: Path) -> None:
    changed = compare(tmp_path, SITE % "off", SITE % "on")
    assert [tuple(each) for each in only(changed).effects] == [
        ("dust", "none", "some"),
        ("noise", "quiet", "loud"),
    ]
    assert "combined effect: dust none -> some" in comparison_text(changed, 100)
