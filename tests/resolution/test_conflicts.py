"""Conflicts: the named statements are all needed, and every suggested repair works.

What a message says is tried here as a user would try it: from the printed help, on the text of the policy.
"""

import re
from itertools import permutations
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from proof import small
from proof.both_forms import context

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.resolution.conflict import conflict as conflicts_of
from setpoint.compiler.resolution.ground import ground
from setpoint.compiler.resolution.repair import repairs
from support.effort import examples
from support.policies import Draft, hazardous, quarrels, set_to

WAY = re.compile(
    r"(?P<what>.*) \((?P<how>verified[^;]*)(?:; changes (?P<moved>no other setting|\d+ other settings?))?"
    r"(?:; hazards? (?P<left>.*) then remains?)?\)$"
)
DROPPED = re.compile(r"`(set [^`]*)`")
INSTEAD = re.compile(r"`set (\S+) (\S+)` instead of (\S+)$")

few = settings(max_examples=examples(50), deadline=None, suppress_health_check=[HealthCheck.filter_too_much])


@given(quarrels())
@few
def test_a_core_cannot_be_and_without_any_one_of_it_the_rest_can(draft: Draft) -> None:
    for conflict in _conflicts(draft):
        core = _blamed(draft, conflict)
        others = [s for s in draft.sets if s not in core]
        assert core, conflict.message
        assert _conflicts_of(draft.without(*others)), "the core alone can be"
        for statement in core:
            assert not _conflicts_of(draft.without(*others, statement)), f"{statement} is not needed"


@given(quarrels())
@few
def test_cores_are_disjoint_and_without_them_the_rest_can_be(draft: Draft) -> None:
    cores = [_blamed(draft, conflict) for conflict in _conflicts(draft)]
    everything = [statement for core in cores for statement in core]
    assert len(everything) == len(set(everything))
    assert not _conflicts_of(draft.without(*everything))


@given(quarrels())
@few
def test_every_way_out_of_a_conflict_works_and_moves_what_it_says(draft: Draft) -> None:
    conflicts = _conflicts(draft)
    for conflict in conflicts:
        core = _blamed(draft, conflict)
        aside = [s for other in conflicts if other is not conflict for s in _blamed(draft, other)]
        alone = draft.without(*aside)
        plain = alone.without(*core).plan()
        assert conflict.help, "no way out is offered"
        for text in conflict.help:
            way = WAY.fullmatch(text)
            assert way is not None, text
            assert ("without the other" in way["how"]) == (len(conflicts) > 1)
            mended = _repaired(alone, way["what"]).plan()
            assert not _codes(mended.findings.errors) - {"E0401", *_codes(plain.findings.errors)}, text
            assert _hazards(mended.findings.errors) <= _hazards(plain.findings.errors), text
            left = re.findall(r"`([^`]*)`", way["left"] or "")
            assert left == sorted(_hazards(mended.findings.errors)), text
            if plain.plan is not None and mended.plan is not None:
                named = {statement.split()[1] for statement in core}
                moved = [
                    d.setting
                    for d in mended.plan.settings
                    if d.setting not in named and d.value != plain.plan.value(d.setting)
                ]
                said = way["moved"]
                assert len(moved) == (0 if said == "no other setting" else int(said.split()[0])), text


def test_a_profile_of_which_only_the_name_is_known_is_no_way_out() -> None:
    """Whether it locks what the policy sets is not known."""
    (conflict,) = _conflicts_of(
        Draft(
            (
                "goal balanced",
                "platform sr670-v2",
                'set operating-mode efficiency-favor-performance because "x"',
                'set c-states off because "x"',
            )
        )
    )
    assert [text.split(" (")[0] for text in conflict.help] == [
        "`set c-states autonomous` instead of off",
        "drop `set c-states off`",
        "`set operating-mode custom` instead of efficiency-favor-performance",
    ]


@given(hazardous())
@few
def test_every_checked_way_out_of_a_hazard_works(draft: Draft) -> None:
    errors = draft.plan().findings.errors
    hazards = [d for d in errors if d.code == "E0401"]
    assume(hazards)
    for hazard in hazards:
        for text in hazard.help:
            if way := WAY.fullmatch(text):
                mended = _repaired(draft, way["what"]).plan()
                assert not _codes(mended.findings.errors) - {"E0401", *_codes(errors)}, text
                assert _hazards(mended.findings.errors) <= _hazards(hazards) - {hazard.subject}, text


@given(quarrels(), st.randoms(use_true_random=False))
@few
def test_the_order_of_statements_does_not_affect_a_conflict(draft: Draft, random: Random) -> None:
    """The message names the statements in their order; the set of them, the reasons and the repairs are the same."""
    mixed = Draft(tuple(random.sample(draft.statements, len(draft.statements))))
    assert _described(mixed) == _described(draft)


def test_a_repair_causes_no_new_hazard() -> None:
    """`turbo on` would end the conflict, but defeat the goal: it is not offered."""
    draft = Draft(
        (
            "goal efficiency",
            "cpu sandy-bridge",
            set_to("system-profile", "performance"),
            set_to("turbo", "off"),
        )
    )
    (conflict,) = _conflicts_of(draft)
    assert conflict.message == "`system-profile performance` and `turbo off` contradict each other"
    assert not [text for text in conflict.help if "`set turbo on`" in text or "drop `set turbo off`" in text]


def test_a_repair_names_the_hazards_that_remain() -> None:
    """The conflict concealed a hazard that it does not cause: repairing the one leaves the other."""
    draft = Draft(
        (
            "goal density",
            "cpu e5-2400",
            set_to("force-latency", "c1"),
            set_to("turbo", "off"),
            set_to("system-profile", "dapc"),
        )
    )
    (conflict,) = _conflicts_of(draft)
    assert conflict.help[-1] == (
        "drop `set system-profile dapc` (verified; changes no other setting; hazard `kernel-forgoes-idle-states` then remains)"
    )
    assert not [text for text in conflict.help if "then remains" not in text]


def test_repairs_after_which_the_policy_compiles_come_first() -> None:
    """A value of the core has a hazard with or without the others, and one repair avoids it."""
    base = small.knowledge(
        small.constraint("no-boost-when-quiet", "boost on, fans low", "forbid"),
        small.hazard("hot", "fans not high, goal fast"),
    )
    one = context(base, {"goal": "fast"}, {"boost": "on", "fans": "low"})
    assert one is not None
    ways = repairs(base, one, one.sets)
    assert [(way.text, way.hazards) for way in ways] == [
        ("`set fans high` instead of low", ()),
        ("`set boost off` instead of on", ("hot",)),
        ("`set fans mid` instead of low", ("hot",)),
        ("drop `set boost on`", ("hot",)),
        ("drop `set fans low`", ("hot",)),
    ]


def test_two_statements_are_dropped_where_no_change_of_one_is_enough() -> None:
    """What is left of the other one is a hazard, whatever the one becomes."""
    base = small.knowledge(
        small.constraint("no-noise-without-boost", "boost off, fans high", "forbid"),
        small.hazard("slow", "boost off, goal fast"),
        small.hazard("loud", "fans high, goal fast"),
    )
    one = context(base, {"goal": "fast"}, {"boost": "off", "fans": "high"})
    assert one is not None
    (found,) = conflicts_of(base, one, ground(base, one))
    assert found.help == ("drop `set boost off` and `set fans high` (verified; changes no other setting)",)
    (fix,) = found.fixes
    assert len(fix.edits) == 2


@pytest.mark.parametrize("order", [*permutations(range(3))], ids=str)
def test_the_order_of_statements_affects_neither_the_core_nor_the_repairs(order: tuple[int, ...]) -> None:
    """Two of the three each conflict with the third: the choice must not depend on their order."""
    sets = (
        set_to("system-profile", "dapc"),
        set_to("cpu-power-management", "os-dbpm"),
        set_to("c1e", "off"),
    )
    draft = Draft(("goal balanced", "cpu e5-4650", *(sets[i] for i in order)))
    (conflict,) = _conflicts_of(draft)
    assert {*_blamed(draft, conflict)} == {sets[0], sets[1]}
    assert conflict.help == (
        "`set system-profile custom` instead of dapc (verified; changes no other setting)",
        "drop `set system-profile dapc` (verified; changes no other setting)",
    )


@pytest.mark.parametrize("order", [*permutations(range(3))], ids=str)
def test_the_order_of_statements_does_not_decide_which_ways_out_of_a_hazard_are_shown(
    order: tuple[int, ...],
) -> None:
    sets = (set_to("turbo", "on"), set_to("c-states", "off"), set_to("smt", "on"))
    draft = Draft(("goal efficiency", "cpu westmere", *(sets[i] for i in order)))
    straight = Draft(("goal efficiency", "cpu westmere", *sets))
    shown = [{d.message: d.help for d in each.plan().findings.errors} for each in (straight, draft)]
    assert shown[0]
    assert shown[0] == shown[1]


@pytest.mark.parametrize(("number", "aside"), [(1, ""), (2, "conflict"), (3, "conflicts")])
def test_a_way_out_says_what_it_sets_aside(number: int, aside: str) -> None:
    pairs = (("boost on", "fans high"), ("mode b", "spare on"), ("trim on", "link fast"))
    more = """
    setting spare { title "Spare"; layer firmware; values on, off; }
    setting trim { title "Trim"; layer firmware; values on, off; }
    setting link { title "Link"; layer firmware; values fast, slow; }
    options of paper { spare on, off at "Menu"; trim on, off at "Menu"; link fast, slow at "Menu"; }
    """
    limits = [small.constraint(f"c{i}", ", ".join(pair), "forbid") for i, pair in enumerate(pairs)]
    base = small.knowledge(more, *limits)
    asked = dict(said.split() for pair in pairs[:number] for said in pair)
    one = context(base, {"goal": "fast"}, asked)
    assert one is not None
    found = conflicts_of(base, one, ground(base, one))
    assert len(found) == number
    said = f"verified without the other {aside};" if aside else "(verified;"
    assert all(said in text for each in found for text in each.help)


def test_independent_conflicts_are_each_reported() -> None:
    draft = Draft(
        (
            "goal performance",
            "cpu e5-4620",
            "sockets 4",
            set_to("system-profile", "performance"),
            set_to("c1e", "on"),
            set_to("node-interleaving", "on"),
        )
    )
    assert [d.message for d in _conflicts_of(draft)] == [
        "`system-profile performance` and `c1e on` contradict each other",
        "`node-interleaving on` is not possible here",
    ]


def test_a_fact_is_named_but_never_offered_as_a_way_out() -> None:
    draft = Draft(("goal latency", "cpu e5-4620", "sockets 4", set_to("node-interleaving", "on")))
    (conflict,) = _conflicts_of(draft)
    assert any("sockets 4" in note for note in conflict.notes)
    assert all("node-interleaving" in text for text in conflict.help)
    assert not [text for text in conflict.help if "sockets" in text]


def test_the_constraint_is_cited_with_its_source_and_those_not_needed_are_not() -> None:
    draft = Draft(
        (
            "goal latency",
            "cpu sandy-bridge",
            set_to("monitor-mwait", "off"),
            set_to("c-states", "on"),
            set_to("smt", "on"),
        )
    )
    (conflict,) = _conflicts_of(draft)
    assert conflict.message == "`monitor-mwait off` and `c-states on` contradict each other"
    (cited,) = [note for note in conflict.notes if "[" in note]
    assert cited.startswith("mwait-with-c-states-12g: ")
    assert cited.endswith("[dell-bios-registries, R720 registry, MonitorMwait help text]")


# ------------------------------------------------------------------------------------------- helpers


def _conflicts(draft: Draft) -> list[Diagnostic]:
    """The conflicts of a drawn policy; policies without one are passed over."""
    found = _conflicts_of(draft)
    assume(found)
    return found


def _conflicts_of(draft: Draft) -> list[Diagnostic]:
    return [d for d in draft.plan().findings if d.code == "E0301"]


def _described(draft: Draft) -> list[tuple[list[str], tuple[str, ...], tuple[str, ...]]]:
    """For each conflict the named statements, in no order, with the notes and the repairs."""
    return sorted((sorted(_blamed(draft, d)), d.notes, d.help) for d in _conflicts_of(draft))


def _blamed(draft: Draft, conflict: Diagnostic) -> list[str]:
    """The statements that a message underlines."""
    lines = sorted({conflict.at.line, *(label.span.line for label in conflict.others)})
    return [draft.statements[line - 1] for line in lines]


def _repaired(draft: Draft, what: str) -> Draft:
    """The policy after a repair: `drop …`, or `set … instead of …`."""
    if what.startswith("drop "):
        names = [tuple(text.split()[1:]) for text in DROPPED.findall(what)]
        return draft.without(*(s for s in draft.sets if tuple(s.split()[1:3]) in names))
    instead = INSTEAD.fullmatch(what)
    assert instead is not None, what
    setting, new, old = instead.groups()
    return draft.without(set_to(setting, old)).adding(set_to(setting, new))


def _codes(errors: tuple[Diagnostic, ...]) -> set[str]:
    return {d.code for d in errors}


def _hazards(errors: tuple[Diagnostic, ...] | list[Diagnostic]) -> set[str]:
    return {d.subject for d in errors if d.code == "E0401"}
