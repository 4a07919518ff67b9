"""Auditing settings that somebody else has written down.

`audited` checks texts as `setpoint audit` does, in this process.
"""

from setpoint.compiler.audit.check import Audit, audit
from setpoint.compiler.binding.levels import subjects
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.pipeline import knowledge_for, read_text

DEBIAN = "cpu skylake; platform r740; os debian 12"


def audited(*texts: str, server: str = DEBIAN, form: str = "") -> Audit:
    """The audit of these texts, which are called `a`, `b` and so on, for a server."""
    program = read_text(server)
    knowledge = knowledge_for(program)
    (subject,) = subjects(program.body, program.stem, knowledge.required)
    sources = [SourceText(chr(ord("a") + i), text) for i, text in enumerate(texts)]
    return audit(knowledge, subject, sources, form)


def values(found: Audit) -> dict[str, str]:
    """The settings that were read, and their values."""
    return {one.setting: one.value for one in found.stated}


def codes(found: Audit) -> list[str]:
    """The codes of the findings, in the order of the text."""
    return [finding.code for finding in found.findings]


def messages(found: Audit, code: str) -> list[str]:
    """The messages of the findings with a code."""
    return [finding.message for finding in found.findings if finding.code == code]
