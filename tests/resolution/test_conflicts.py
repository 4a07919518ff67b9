"""Conflicts: the statements that are blamed are all needed, and every way out that is offered leads out.

What a message says is tried here as a user would try it: from the printed help, on the text of the policy.
"""

import re

from hypothesis import HealthCheck, assume, given, settings

from setpoint.compiler.diagnostics import Diagnostic
from support.policies import Draft, policies, quarrels, set_to

WAY = re.compile(
    r"(?P<what>.*) \((?P<how>checked[^;]*)(?:; moves (?P<moved>nothing else|\d+ other settings?))?\)$"
)
DROPPED = re.compile(r"`(set [^`]*)`")
INSTEAD = re.compile(r"`set (\S+) (\S+)` instead of (\S+)$")

few = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])


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
            assert ("aside" in way["how"]) == (len(conflicts) > 1)
            mended = _mended(alone, way["what"]).plan()
            assert not {d.code for d in mended.findings.errors} - {"E0401"}, text
            assert _hazards(mended.findings.errors) <= _hazards(plain.findings.errors), text
            if plain.plan is not None and mended.plan is not None:
                named = {statement.split()[1] for statement in core}
                moved = [
                    d.setting
                    for d in mended.plan.settings
                    if d.setting not in named and d.value != plain.plan.value(d.setting)
                ]
                said = way["moved"]
                assert len(moved) == (0 if said == "nothing else" else int(said.split()[0])), text


@given(policies(least_sets=2))
@few
def test_every_checked_way_out_of_a_hazard_works(draft: Draft) -> None:
    hazards = [d for d in draft.plan().findings.errors if d.code == "E0401"]
    assume(hazards)
    for hazard in hazards:
        for text in hazard.help:
            if way := WAY.fullmatch(text):
                mended = _mended(draft, way["what"]).plan()
                assert not {d.code for d in mended.findings.errors} - {"E0401"}, text
                assert _hazards(mended.findings.errors) <= _hazards(hazards) - {hazard.message}, text


def test_a_way_out_brings_no_hazard_of_its_own() -> None:
    """`turbo on` would end the conflict, and defeat the goal instead: it is not offered."""
    draft = Draft(
        (
            "goal efficiency",
            "cpu sandy-bridge",
            set_to("system-profile", "performance"),
            set_to("turbo", "off"),
        )
    )
    (conflict,) = _conflicts_of(draft)
    assert conflict.message == "`system-profile performance` and `turbo off` cannot be together"
    assert not [text for text in conflict.help if "`set turbo on`" in text or "drop `set turbo off`" in text]


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
        "`system-profile performance` and `c1e on` cannot be together",
        "`node-interleaving on` cannot be here",
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
    assert conflict.message == "`monitor-mwait off` and `c-states on` cannot be together"
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


def _blamed(draft: Draft, conflict: Diagnostic) -> list[str]:
    """The statements that a message underlines."""
    lines = sorted({conflict.at.line, *(label.span.line for label in conflict.others)})
    return [draft.statements[line - 1] for line in lines]


def _mended(draft: Draft, what: str) -> Draft:
    """The policy with a way out taken: `drop …`, or `set … instead of …`."""
    if what.startswith("drop "):
        names = [tuple(text.split()[1:]) for text in DROPPED.findall(what)]
        return draft.without(*(s for s in draft.sets if tuple(s.split()[1:3]) in names))
    instead = INSTEAD.fullmatch(what)
    assert instead is not None, what
    setting, new, old = instead.groups()
    return draft.without(set_to(setting, old)).adding(set_to(setting, new))


def _hazards(errors: tuple[Diagnostic, ...] | list[Diagnostic]) -> set[str]:
    return {d.message for d in errors if d.code == "E0401"}
