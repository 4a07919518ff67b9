"""Who decides a setting, on a small knowledge base, with both forms of resolution."""

from proof.both_forms import Result, context, set_valued, single
from proof.small import constraint, knowledge, rule

from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.proof.analysis import Analyses
from setpoint.compiler.resolution.resolve import resolve

PROFILES = """
fact goal { title "Goal"; role intent; required; values fast, cool; }
fact model { title "Model"; values m1, m2; }
source paper { title "Paper"; publisher "P"; }
source revised { title "Paper, second edition"; publisher "P"; supersedes paper; }
setting boost { title "Boost"; layer firmware; values on, off; }
setting fans { title "Fans"; layer firmware; values low, mid, high; }
setting profile { title "Profile"; layer firmware; values quiet, cold, own; }
options of paper {
    boost on, off default on at "Menu";
    fans low, mid, high default mid at "Menu";
    profile quiet, cold, own default own at "Menu";
}
preset "Menu" of paper { profile quiet cold; boost off on; fans low high; }
"""


def decided(base: Knowledge, **facts: str) -> Result:
    """What is decided under these facts, by either form."""
    one = context(base, facts, {})
    assert one is not None
    result = single(base, one)
    assert set_valued(Analyses(base), one) == result
    return result


def test_a_withdrawn_profile_decides_none_of_its_members() -> None:
    """The exception applies to the profile's rule, not to each member: the rule may imply other members, or none."""
    advised = rule("advised", "profile quiet", "goal fast")
    taken_back = rule("measured", "profile own", "goal fast, model m1", "exception to advised;")
    base = knowledge(advised, taken_back, base=PROFILES)
    assert decided(base, goal="fast", model="m2").values["fans"] == "low"
    assert decided(base, goal="fast", model="m1").values == {"boost": "on", "fans": "mid", "profile": "own"}


def test_a_profile_of_a_superseded_edition_decides_none_of_its_members() -> None:
    old = rule("old", "profile quiet", "goal fast")
    new = rule("new", "profile own", "goal fast", source="revised")
    base = knowledge(old, new, base=PROFILES)
    assert decided(base, goal="fast").values == {"boost": "on", "fans": "mid", "profile": "own"}


def test_advice_implied_by_a_withdrawn_profile_is_shown_as_withdrawn() -> None:
    advised = rule("advised", "profile quiet", "goal fast")
    taken_back = rule("measured", "profile own", "goal fast", "exception to advised;")
    base = knowledge(advised, taken_back, base=PROFILES)
    one = context(base, {"goal": "fast"}, {})
    assert one is not None
    fans = resolve(base, one).setting("fans")
    assert fans is not None
    (loser,) = fans.beat
    assert (loser.name, loser.value, loser.profile) == ("advised", "low", "profile quiet")
    assert (loser.reason, loser.by) == ("withdrawn", "measured")


def test_an_impossible_value_does_not_tie() -> None:
    """No single clause excludes the middle value of the fans: it takes all values of the profile."""
    base = knowledge(
        rule("one", "fans mid", "goal fast"),
        rule("another", "fans high", "goal fast"),
        constraint("only-in-a-profile", "fans mid, profile own", "forbid"),
        base=PROFILES,
    )
    assert decided(base, goal="fast").values["fans"] == "high"
    tied = knowledge(
        rule("one", "fans mid", "goal fast"), rule("another", "fans high", "goal fast"), base=PROFILES
    )
    assert decided(tied, goal="fast").code == "E0303"
