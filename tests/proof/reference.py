"""The reference of a proof: one without a memory, whose parts read the whole knowledge base instead of an extract.

A proof that agrees with it shows two things: an extract has everything that its part reads, and what the memory has is
what would be proven.
"""

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.proof import prove as proving
from setpoint.compiler.proof.analysis import Analyses
from setpoint.compiler.proof.memory import Memory, PartResult
from setpoint.compiler.proof.prove import Proving


class Result(list[PartResult]):
    """The results of all parts; equal if they find the same and have the same totals.

    How many situations there are, and plans in them, depends on the regions, of which an extract has fewer.
    """

    def __init__(self, parts: list[PartResult]) -> None:
        super().__init__(parts)
        self.found = {d for part in parts for d in part.findings}
        self.totals = (
            sorted(name for part in parts for name in part.overridden),
            sum(part.contexts for part in parts),
        )


def by_the_whole(changed: Knowledge) -> Result:
    """The reference: every check reads the whole knowledge base."""
    analyses = Analyses(changed)
    return Result(
        [
            proving.check_facts(analyses),
            *(proving.check_component(analyses, component) for component in analyses.components),
            proving.check_hazards(analyses),
            proving.check_effects(analyses),
        ]
    )


def agrees(changed: Knowledge, memory: Memory) -> Result:
    """Check that a proof with this memory agrees with the reference; return the latter."""
    expected, actual = by_the_whole(changed), Result(Proving(changed, memory).parts())
    assert shown(actual.found) == shown(expected.found)
    assert actual.totals == expected.totals
    return expected


def shown(found: set[Diagnostic]) -> list[tuple[Span, str]]:
    """The places and codes of the findings; which of several examples and causes a finding shows depends on the
    regions, too."""
    return sorted((each.at, each.code) for each in found)
