"""Templates: files of settings that another program fills in before a server reads them, such as those of Jinja, Go and ERB.

What is filled in is not in the file, so nothing is said about a text that has it, as about one with a variable. What stands between an
`if` and its end is for some servers only. All patterns are bounded, as a line can have megabytes.
"""

import re

from setpoint.compiler.diagnostics.source import SourceText

BEGIN_COMMENT = "{#"
BEGIN_TAG = ("{{", "{%", "<%")
BEGIN_VARIABLE = ("$", *BEGIN_TAG)
"""What begins a variable, a function, or an expression of a template."""

OPENS = r"(?:if|unless|for|range|with)\b"
CLOSES = r"(?:end|endif|endfor)\b"
BESIDE = r"(?:else|elif|elsif|set|define|template|block|endblock|raw|endraw|include|import|/\*)"
STATEMENT = re.compile(
    rf"(?:\{{%[-+]?|\{{\{{-?|<%-?)\s*(?:({OPENS})|({CLOSES})|{BESIDE})[^{{}}%\n]{{0,300}}(?:[-+]?%\}}|\}}\}}|-?%>)"
)
"""A statement of a template, which says for which servers something is and is no text itself."""


COMMENT = re.compile(r"\{#[^#]*+(?:#(?!\})[^#]*+)*+#\}")


def has_variable(text: str | None) -> bool:
    """Whether a text has something that is known only where the file is used."""
    return any(begin in (text or "") for begin in BEGIN_VARIABLE)


def without_statements(source: SourceText) -> tuple[SourceText, frozenset[int]]:
    """A file with blanks for the statements of a template, and the numbers of the lines that are for some servers only."""
    text = source.text
    if BEGIN_COMMENT in text:
        text = COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    if not any(begin in text for begin in BEGIN_TAG):
        return SourceText(source.name, text), frozenset()
    lines, conditional, depth = text.split("\n"), set(), 0
    for at, line in enumerate(lines):
        statements = list(STATEMENT.finditer(line))
        if depth or any(found[1] for found in statements):
            conditional.add(at + 1)
        depth = max(0, depth + sum(bool(found[1]) - bool(found[2]) for found in statements))
        lines[at] = STATEMENT.sub(lambda found: " " * len(found[0]), line)
    return SourceText(source.name, "\n".join(lines)), frozenset(conditional)
