"""Profiles whose effect on their members is unknown or ambiguous (K12).

If no table says what a profile does to a member, the firmware may lock it or not, so that the member cannot be written
under that profile. The author has to look it up and write the value or `free`. A profile that is known by its name
alone has a column in which every cell is `_`: its author has said that nothing is known, and none of the cells was
forgotten. And if two values of a governing setting leave every member free, only their order decides which of the two
is derived.
"""

from collections.abc import Iterator
from itertools import combinations

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import FREE, Preset
from setpoint.compiler.proof.analysis import Analysis
from setpoint.compiler.proof.example import extent, note, policy
from setpoint.compiler.proof.sets.masks import union
from setpoint.compiler.proof.sets.profiles import ProfileEffects
from setpoint.compiler.proof.sets.space import facts_of


def ambiguous_profiles(analysis: Analysis, governor: str) -> Iterator[Diagnostic]:
    """The unknown cells of a governing setting, and the pairs of its values that leave every member free (K12)."""
    profiles = analysis.problem.profiles.get(governor)
    if profiles is None:
        return
    variable = analysis.knowledge.variables[governor]
    offered = {
        variable.name_of(bit): where & profiles.where & analysis.feasible
        for bit, where in analysis.problem.domains[governor].items()
    }
    for value, where in offered.items():
        yield from _unknown(analysis, governor, value, where, profiles)
    for (a, in_a), (b, in_b) in combinations(offered.items(), 2):
        where = in_a & in_b & _frees_all(profiles, a) & _frees_all(profiles, b)
        if where:
            yield from _same_profiles(analysis, governor, (a, b), where)


def _unknown(
    analysis: Analysis, governor: str, value: str, where: int, profiles: ProfileEffects
) -> Iterator[Diagnostic]:
    where &= ~_known_by_name(analysis, governor, value)
    left = {
        member: unknown
        for member, there in profiles.members.items()
        if (unknown := where & there & ~profiles.does(value, member, lambda cell: True))
    }
    everywhere = 0
    for unknown in left.values():
        everywhere |= unknown
    table = _table(analysis, governor, everywhere)
    if left and table is not None:
        members = ", ".join(f"`{member}`" for member in sorted(left))
        yield Diagnostic(
            "K12",
            f"unknown whether `{governor} {value}` locks {members}",
            table.span,
            "no cell states it",
            notes=(
                extent(analysis.space, everywhere),
                note(policy(analysis.knowledge, analysis.space.simplest(everywhere).stated)),
            ),
            help=(
                f"look it up, and write what {value} fixes, or `free` where it locks nothing",
                f"or do not offer {value} there",
            ),
        )


def _known_by_name(analysis: Analysis, governor: str, value: str) -> int:
    """The situations in which a table has a column for a value, and states none of its cells."""
    knowledge = analysis.knowledge
    return union(
        analysis.space.where(facts_of(knowledge, table.when))
        for table in knowledge.presets
        if table.governor == governor and table.columns.get(value) == {}
    )


def _frees_all(profiles: ProfileEffects, value: str) -> int:
    """The situations in which a value is known to leave every present member free."""
    where = _any_member(profiles)
    for member, there in profiles.members.items():
        where &= ~there | profiles.does(value, member, FREE.__eq__)
    return where


def _any_member(profiles: ProfileEffects) -> int:
    """The situations in which some member is present."""
    there = 0
    for where in profiles.members.values():
        there |= where
    return there


def _same_profiles(
    analysis: Analysis, governor: str, values: tuple[str, str], where: int
) -> Iterator[Diagnostic]:
    table = _table(analysis, governor, where)
    if table is not None:
        yield Diagnostic(
            "K12",
            f"`{governor}` {values[0]} and {values[1]} both leave every member free",
            table.span,
            "only their order decides which is derived",
            notes=(
                extent(analysis.space, where),
                note(policy(analysis.knowledge, analysis.space.simplest(where).stated)),
            ),
            help=("correct a cell of one of them, or do not offer both there",),
        )


def _table(analysis: Analysis, governor: str, where: int) -> Preset | None:
    """The table to correct; None if it is the library's, which a site cannot correct."""
    knowledge = analysis.knowledge
    tables = (
        p for p in knowledge.presets if p.governor == governor and not knowledge.is_from_library(p.span)
    )
    return next((p for p in tables if analysis.space.where(facts_of(knowledge, p.when)) & where), None)
