"""Which vendor defaults are written: those that advice in scope asks for, and those on which a written value relies."""

import pytest

from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.render.words import evidence_of
from support.plans import plan_of_text

SITE = """
source lab { title "Notes on our servers"; publisher "Our lab"; scope platform farm; }
source other { title "Notes on other servers"; publisher "Another lab"; scope platform r750; }
platform farm { within poweredge-15g; }
setting fans { title "Fans"; layer firmware; values low, high, full; }
setting sensors { title "Sensors"; layer firmware; values on, off; }
setting guard { title "Guard"; layer firmware; values off, on, strict; }
setting cooling { title "Cooling"; layer firmware; values quiet, cold, custom; }
options of lab when platform farm {
    fans     low, high, full          default low     at "Menu";
    sensors  on, off                  default on      at "Menu";
    guard    off, on, strict          default off     at "Menu";
    cooling  quiet, cold, custom      default custom  at "Menu";
}
"""
POLICY = "goal latency; platform farm; "
HIGH = 'set fans high because "LAB-9";'


def plan(*statements: str) -> Plan:
    return plan_of_text(SITE + "".join(statements[:-1]) + POLICY + statements[-1])


def decision(found: Plan, setting: str) -> Decision:
    made = found.setting(setting)
    assert made is not None
    return made


def written(found: Plan) -> set[str]:
    """What is written of the site's own settings."""
    own = {"fans", "sensors", "guard", "cooling"}
    return {each.setting for each in found.written if each.setting in own}


def constraint(when: str, require: str, flag: str = "") -> str:
    name = f"{when} {require}".replace(" ", "-")
    said = f'when platform farm, {when}; require {require}; {flag + ";" if flag else ""} because "x";'
    return f'constraint {name} of lab at "Menu" {{ {said} }}'


def rule(source: str, value: str) -> str:
    return (
        f'rule {source}-fans of {source} at "Run 1" {{ when goal latency; use fans {value}; because "x"; }}'
    )


# ------------------------------------------------------------------------------- advice out of scope


def test_advice_out_of_scope_is_too_little_to_write_a_default() -> None:
    fans = decision(plan(rule("other", "low"), ""), "fans")
    assert (fans.value, fans.unwritten, fans.origin) == ("low", "default", "rule")
    assert [(cause.source, cause.weight) for cause in fans.because] == [("other", "out of scope")]
    assert [note.kind for note in fans.notes] == ["default"]


def test_it_is_no_warning_then() -> None:
    def about_fans(value: str) -> list[str]:
        found = plan(rule("other", value), "").advisories
        return [each.message for each in found if each.code == "W0301" and "`other`" in each.message]

    assert about_fans("low") == []
    assert len(about_fans("high")) == 1


def test_advice_out_of_scope_writes_another_value() -> None:
    assert written(plan(rule("other", "high"), "")) == {"fans"}


@pytest.mark.parametrize("more", [rule("lab", "low"), ""])
def test_advice_in_scope_or_a_set_writes_a_default(more: str) -> None:
    own = "" if more else 'set fans low because "LAB-9";'
    fans = decision(plan(rule("other", "low"), more, own), "fans")
    assert (fans.value, fans.written, fans.notes) == ("low", True, ())


def test_manage_all_writes_it() -> None:
    assert decision(plan(rule("other", "low"), "manage all;"), "fans").written


def test_a_profile_is_not_written_for_a_member_at_its_default() -> None:
    preset = 'preset "Menu" of lab when platform farm { cooling quiet cold custom; fans high full free; }'
    assert written(plan(preset, rule("other", "low"), "")) == set()
    assert written(plan(preset, rule("other", "high"), "")) == {"cooling"}
    assert written(plan(preset, rule("lab", "low"), "")) == {"cooling", "fans"}


# ---------------------------------------------------------------------------------------- what opens a lock


def test_what_opens_the_lock_of_a_written_value_is_written() -> None:
    found = plan(constraint("guard on", "fans any", "kept"), HIGH)
    assert written(found) == {"fans", "guard"}
    guard = decision(found, "guard")
    assert (guard.value, guard.origin) == ("off", "default")
    (note,) = guard.notes
    assert (note.kind, note.text) == (
        "opens",
        "guard off is the vendor's default; it is written since fans may be locked under another value",
    )


def test_its_own_lock_is_opened_as_well() -> None:
    chain = constraint("guard on", "fans any", "kept"), constraint("sensors off", "guard any", "kept")
    found = plan(*chain, HIGH)
    assert written(found) == {"fans", "guard", "sensors"}
    assert "since fans may be locked" in decision(found, "sensors").notes[0].text


def test_a_written_value_needs_nothing_where_nothing_locks_it() -> None:
    assert written(plan(constraint("guard on", "sensors any", "kept"), HIGH)) == {"fans"}


@pytest.mark.parametrize(
    ("require", "flag", "opened"),
    [
        ("fans high", "locked", False),
        ("fans high", "hidden", False),
        ("fans high", "kept", True),
        ("fans any", "kept", True),
        ("fans any", "hidden", True),
    ],
)
def test_a_lock_that_goes_together_with_the_plans_value_alone_stays(
    require: str, flag: str, opened: bool
) -> None:
    assert ("guard" in written(plan(constraint("guard on", require, flag), HIGH))) is opened


def test_of_two_settings_that_exclude_each_other_neither_has_to_be_opened() -> None:
    """With the guard on, the fans are high: any other value would have turned it off."""
    kept, back = (
        constraint("guard on", "fans high", "kept"),
        constraint("fans not high", "guard off", "locked"),
    )
    assert written(plan(kept, back, HIGH)) == {"fans"}
    loose = constraint("fans full", "guard off", "locked")
    assert written(plan(kept, loose, HIGH)) == {"fans", "guard"}


def test_what_the_plan_has_closed_in_the_end_is_no_lock_to_open() -> None:
    found = plan(constraint("guard off", "fans any", "kept"), HIGH)
    assert written(found) == {"fans"}


def test_a_profile_that_leaves_a_member_free_is_written() -> None:
    """The profile is the vendor's default; sensors are asked for at theirs."""
    preset = 'preset "Menu" of lab when platform farm { cooling quiet cold custom; sensors off off free; }'
    found = plan(preset, 'set sensors on because "LAB-9";')
    assert written(found) == {"sensors", "cooling"}


def test_what_a_profile_fixes_opens_a_lock_by_the_profile() -> None:
    """Guard, which could lock the fans, is off under the default profile: so the profile is written."""
    preset = 'preset "Menu" of lab when platform farm { cooling quiet cold custom; guard on strict off; }'
    found = plan(preset, constraint("guard not off", "fans any", "kept"), HIGH)
    assert decision(found, "guard").unwritten == "locked"
    assert written(found) == {"fans", "cooling"}
    assert [note.kind for note in decision(found, "cooling").notes] == ["opens"]


def test_a_value_without_a_known_default_is_never_written_to_open_a_lock() -> None:
    site = SITE.replace(
        "guard    off, on, strict          default off     at", "guard    off, on, strict  at"
    )
    text = site + constraint("guard on", "fans any", "kept") + POLICY + HIGH
    found = plan_of_text(text)
    assert decision(found, "guard").default == ""
    assert written(found) == {"fans"}


def test_advice_out_of_scope_for_what_opens_a_lock_is_shown_and_is_not_its_reason() -> None:
    advice = 'rule other-guard of other at "Run 1" { when goal latency; use guard off; because "x"; }'
    found = plan(constraint("guard on", "fans any", "kept"), advice, HIGH)
    guard = decision(found, "guard")
    assert (guard.origin, guard.written, guard.cause.source) == ("rule", True, "other")
    assert [note.kind for note in guard.notes] == ["opens"]
    assert not [each for each in found.advisories if each.code == "W0301" and "`other`" in each.message]
    without = plan(constraint("guard on", "fans any", "kept"), HIGH)
    assert evidence_of(found) == evidence_of(without)


# ------------------------------------------------------------------------------- what goes with a written value


def test_a_default_that_only_an_unwritten_value_requires_is_not_written() -> None:
    """The firmware itself turns the sensors on while the guard is off."""
    found = plan(constraint("guard off", "sensors on", "locked"), "")
    assert written(found) == set()
    sensors = decision(found, "sensors")
    assert (sensors.value, sensors.origin, sensors.unwritten) == ("on", "forced", "default")


def test_a_default_that_the_firmware_sets_with_a_written_value_is_not_written() -> None:
    found = plan(constraint("guard strict", "sensors on", "locked"), 'set guard strict because "LAB-9";')
    assert written(found) == {"guard"}


@pytest.mark.parametrize("flag", ["", "kept"])
def test_a_default_that_a_written_value_requires_is_written(flag: str) -> None:
    found = plan(constraint("guard strict", "sensors on", flag), 'set guard strict because "LAB-9";')
    assert written(found) == {"guard", "sensors"}
    (note,) = decision(found, "sensors").notes
    assert (note.kind, note.text) == (
        "required",
        "sensors on is the vendor's default; it is written since nothing else goes with guard as it is here",
    )


def test_a_default_that_a_required_default_requires_is_written() -> None:
    stated = constraint("fans high", "guard off") + constraint("guard off", "sensors on")
    assert written(plan(stated, HIGH)) == {"fans", "guard", "sensors"}


def test_a_default_that_a_profile_requires_through_a_member_is_written() -> None:
    preset = 'preset "Menu" of lab when platform farm { cooling quiet cold custom; guard off on free; }'
    found = plan(preset, constraint("guard on", "sensors on"), 'set cooling cold because "LAB-9";')
    assert decision(found, "guard").unwritten == "locked"
    assert written(found) == {"cooling", "sensors"}


def test_manage_all_writes_what_is_required_too() -> None:
    found = plan(constraint("guard off", "sensors on", "locked"), "manage all;")
    assert decision(found, "sensors").written
