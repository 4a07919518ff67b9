"""Templates: files of settings that another program fills in before a server reads them, such as those of Jinja, Go and
ERB.

What is filled in is not in the file, so nothing is said about a text that has it, as about one with a variable. Lines
between an `if` and its end are for some servers only (`conditions`); a part of a line is not checked. All patterns are
bounded, as a line can have megabytes.
"""

import re
from collections.abc import Mapping

from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.entries.branches import MOST_NESTED
from setpoint.compiler.language.program import BYTE_ORDER_MARK

BEGIN_COMMENT, END_COMMENT = "{#", "#}"
BEGIN_TAG = ("{{", "{%", "<%")
BEGIN_VARIABLE = ("$", "{", "<%", "%s", "%d")
"""What begins a variable, a function, or an expression of a template or in a text of a program."""
OF_A_MODULE = ("var.", "local.", "each.")
"""What begins an expression of a module of Terraform."""

OPENS = r"(?:if|unless|for|range|with)\b"
CLOSES = r"(?:end|endif|endfor)\b"
BRANCHES = r"(?:else|elif|elsif)\b"
BESIDE = r"(?:(?:set|define|template|block|endblock|raw|endraw|include|import)\b|/\*)"
STATEMENT = re.compile(
    rf"(?:\{{%[-+]?|\{{\{{-?|<%-?)\s*(?:({OPENS})|({CLOSES})|({BRANCHES})|{BESIDE})[^{{}}%\n]{{0,300}}(?:[-+]?%\}}|\}}\}}|-?%>)"
)
"""A statement of a template, which says for which servers something is and is no text itself."""

COMMENT = re.compile(r"\{#[^#]*+(?:#(?!\})[^#]*+)*#\}")


def has_variable(text: str | None) -> bool:
    """Whether a text has something that is known only where the file is used."""
    return any(begin in (text or "") for begin in BEGIN_VARIABLE) or (text or "").startswith(OF_A_MODULE)


def without_statements(
    source: SourceText,
) -> tuple[SourceText, frozenset[int], Mapping[int, tuple[str, ...]]]:
    """A file with blanks for the statements of a template; the numbers of the lines with a part that is for some
    servers only; and the branches that whole lines are in, by their numbers."""
    text = source.text.removeprefix(BYTE_ORDER_MARK)
    if BEGIN_COMMENT in text:
        before, end, after = text.rpartition(END_COMMENT)
        text = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), before + end) + after
    if not any(begin in text for begin in BEGIN_TAG):
        return SourceText(source.name, text), frozenset(), {}
    lines, conditional, branches = text.split("\n"), set(), dict[int, tuple[str, ...]]()
    stack: list[str] = []
    for at, line in enumerate(lines):
        statements = list(STATEMENT.finditer(line))
        lines[at] = STATEMENT.sub(lambda match: " " * len(match[0]), line)
        if any(statement[1] for statement in statements) and lines[at].strip():
            conditional.add(at + 1)
        for number, statement in enumerate(statements):
            if statement[1]:
                stack.append(f"{at}.{number}")
            elif stack and statement[2]:
                stack.pop()
            elif stack and statement[3]:
                stack[-1] = f"{stack[-1].partition(':')[0]}:{at}.{number}"
        if stack:
            branches[at + 1] = tuple(stack[:MOST_NESTED])
    return SourceText(source.name, "\n".join(lines)), frozenset(conditional), branches
