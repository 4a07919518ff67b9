"""Hardware that cannot occur together adds up: several vendors' servers take several times the work of one's.

Work is counted, not timed: the combinations of facts that are completed, the situations, and what each block of
situations has to look at. The bounds of the proof leave room for two copies, but not for three.
"""

import pytest

from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.proof.analysis import Analyses
from setpoint.compiler.proof.bounds import TooManyCombinationsError
from setpoint.compiler.proof.memory import Memory
from setpoint.compiler.proof.prove import Proving, of_statements
from support.command import ROOT
from support.copies import copies_of_library, files

VENDORS = 2


@pytest.fixture(scope="module")
def one(knowledge: Knowledge) -> Analyses:
    return Analyses(knowledge)


@pytest.fixture(scope="module")
def several() -> Analyses:
    return Analyses(copies_of_library(VENDORS))


def test_one_copy_is_the_library() -> None:
    assert files(1) == {
        str(path.relative_to(ROOT / "stdlib")): path.read_text("utf-8")
        for path in (ROOT / "stdlib").rglob("*.tune")
    }


def test_each_copy_has_all_rules_and_servers(knowledge: Knowledge) -> None:
    copies = copies_of_library(VENDORS)
    assert len(files(VENDORS)) > len(files(1))
    own = [rule for rule in knowledge.rules if any(name in ("platform", "cpu") for name, _ in rule.when)]
    assert len(copies.rules) >= len(knowledge.rules) + (VENDORS - 1) * len(own) * 0.9
    assert len(copies.values["platform"]) == VENDORS * len(knowledge.values["platform"])


def test_statements_of_copies_are_as_sound_as_those_of_the_library(several: Analyses) -> None:
    """What is common to all vendors stands once, and so does a source that nothing else cites."""
    assert list(of_statements(several.knowledge)) == []


@pytest.mark.repeated
def test_combinations_of_facts_add_up(one: Analyses, several: Analyses) -> None:
    assert combinations(several) <= VENDORS * combinations(one)


@pytest.mark.repeated
def test_situations_add_up(one: Analyses, several: Analyses) -> None:
    assert situations(several) <= VENDORS * situations(one)


@pytest.mark.repeated
def test_what_blocks_look_at_adds_up(one: Analyses, several: Analyses) -> None:
    assert looked_at(several) <= 1.2 * VENDORS * looked_at(one)


SHARED = 0.01
"""The part of the conflicts that is of what all vendors have in common, at most: settings of operating systems."""


@pytest.mark.repeated
def test_nothing_is_found_that_one_copy_has_not(one: Analyses, several: Analyses) -> None:
    alone, together = (Proving(each.knowledge, Memory(), each).whole() for each in (one, several))
    assert list(together.findings) == list(alone.findings) == []
    sum_of_copies = VENDORS * alone.statistics.conflicts
    assert (1 - SHARED) * sum_of_copies <= together.statistics.conflicts <= sum_of_copies


@pytest.mark.repeated
def test_a_third_copy_is_beyond_the_bounds() -> None:
    """Each adds as much as the second: 170,000 ways in which linked facts can be stated. Whoever makes fewer of them,
    or raises the bound, has `VENDORS` raised as well."""
    with pytest.raises(TooManyCombinationsError):
        assert Analyses(copies_of_library(VENDORS + 1)).groups


def combinations(analyses: Analyses) -> int:
    """How many combinations of linked facts are completed."""
    return sum(len(v.combinations) for group in analyses.groups for v in group.variants.values())


def situations(analyses: Analyses) -> int:
    """How many situations the parts have."""
    return sum(len(analyses.of(component).space.situations) for component in analyses.components)


def looked_at(analyses: Analyses) -> int:
    """How many recommendations and clauses are looked at, once for each situation of the block that they are in."""
    return sum(
        len(block.space.situations)
        * (len(block.problem.clauses) + sum(map(len, block.problem.proposals.values())))
        for component in analyses.components
        for _, block in analyses.of(component).blocks(smallest=20)
    )
