"""Statements of a site that are refused, many of them read at once: what is found in each is told by its place.

To read the library with one site takes half a second. Statements with names of their own do not influence each other,
so that one knowledge base with all of them has the findings that each would have by itself.
"""

from collections.abc import Iterable

import pytest

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import knowledge_for


def refusals(cases: Iterable[str], declared: str = "") -> dict[str, tuple[Diagnostic, ...]]:
    """What is found in each of these texts, after the statements that all of them use."""
    text = f"{declared}\n"
    lines: dict[str, range] = {}
    for case in cases:
        first = text.count("\n") + 1
        text += f"{case}\n"
        lines[case] = range(first, text.count("\n") + 1)
    with pytest.raises(SetpointError) as refused:
        knowledge_for(program_of_text(text))
    findings = refused.value.diagnostics
    own = {
        case: tuple(finding for finding in findings if finding.at.line in here)
        for case, here in lines.items()
    }
    assert len(findings) == sum(map(len, own.values())), "the other statements are right"
    return own
