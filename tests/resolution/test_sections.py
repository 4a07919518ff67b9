"""A plan is the same whether the knowledge base is whole, or read in the sections for a server."""

import pickle

import pytest
from hypothesis import HealthCheck, given, settings

from setpoint.compiler.knowledge import load
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import IN_SECTIONS, Knowledge
from setpoint.compiler.knowledge.sections import Places, divided, joined, numbers_for
from setpoint.compiler.knowledge.stored import OnDemand, StoredKnowledge
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from support.effort import examples
from support.policies import Draft, policies, quarrels

SLOW = settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def stored() -> StoredKnowledge:
    """The standard library as a command has it."""
    found = standard()
    assert isinstance(found, StoredKnowledge)
    return found


def whole_library() -> Knowledge:
    """The same, read completely."""
    found: Knowledge = stored()._replace()
    return found


def test_the_whole_is_what_was_divided() -> None:
    whole = whole_library()
    frame, _, sections = divided(whole)
    assert frame._replace(**{field: joined(sections, field) for field in IN_SECTIONS}) == whole
    assert type(whole) is Knowledge and whole == stored() and stored() == whole
    assert vars(pickle.loads(pickle.dumps(stored()))) == vars(whole)


@given(policies() | quarrels())
@SLOW
def test_the_sections_of_a_server_make_the_same_plan(draft: Draft) -> None:
    program = program_of_text(draft.text)
    (of_sections,) = planned(program, stored())
    (of_whole,) = planned(program, whole_library())
    assert (of_sections.judged, of_sections.findings) == (of_whole.judged, of_whole.findings)


def test_a_plan_reads_a_part_of_the_statements() -> None:
    """How many of them a kind of server has does not depend on the others."""
    (done,) = planned(program_of_text("goal latency; cpu westmere"), stored())
    assert done.context is not None
    here, whole = stored().near(done.context.bits(stored())), whole_library()
    assert 50 < len(here.rules) < len(whole.rules) / 2
    assert set(here.rules) < set(whole.rules)
    assert here.rules == tuple(rule for rule in whole.rules if rule in set(here.rules)), "in another order"


def test_a_plan_reads_a_part_of_what_is_known_of_names() -> None:
    """A policy can name every server and source, and a plan is about a few of each."""
    names = {}
    for text in ("goal latency; cpu westmere", "goal throughput; cpu skylake"):
        load._in_memory.clear()
        knowledge = stored()
        planned(program_of_text(text), knowledge)
        names[text] = {*dict.keys(knowledge.sources)}, {*dict.keys(knowledge.values["cpu"])}
        assert all(0 < len(read) < 70 for read in names[text])
    assert len(set(map(str, names.values()))) == 2


def test_a_dictionary_that_reads_on_demand_is_like_any_other() -> None:
    whole = {"a": (2, "y"), "b": (1, "x")}

    def unread() -> OnDemand:
        return OnDemand({"b": 1, "a": 0}, 3, {3: (2, "y"), 4: (1, "x")}.__getitem__)

    assert unread()["a"] == (2, "y") and unread().get("a") == (2, "y") and unread().get("c") is None
    assert "a" in unread() and "c" not in unread() and len(unread()) == 2 and bool(unread())
    assert list(unread()) == list(unread().keys()) == ["a", "b"] and [*reversed(unread())] == ["b", "a"]
    assert list(unread().items()) == list(whole.items()) and list(unread().values()) == list(whole.values())
    assert {**unread()} == dict(unread()) == unread().copy() == whole and repr(unread()) == repr(whole)
    assert unread() | {"c": 3} == {**whole, "c": 3} and {"c": 3} | unread() == {"c": 3, **whole}
    assert unread() == whole and whole == unread() and unread() == unread() and unread() != {"b": (1, "x")}
    assert pickle.loads(pickle.dumps(unread())) == whole
    with pytest.raises(KeyError, match="c"):
        unread()["c"]


def test_the_sections_are_found_by_the_values_of_facts() -> None:
    places: Places = {"": {1: (3,)}, "cpu": {3: (0, 2), 4: (1,)}}
    assert numbers_for(places, {"cpu": 4, "goal": 2}) == (0, 2, 3)
    assert numbers_for(places, {"cpu": 12}) == (0, 1, 2, 3), "a number between two that are named has several"
    assert numbers_for(places, {"cpu": 1}) == (3,), "not stated"
