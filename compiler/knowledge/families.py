"""The `family` blocks: how makers build names, by which what is not described is recognized (`recognition`)."""

import re
from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.recognition import MOST_GAPS, Family
from setpoint.compiler.knowledge.vocabulary import Vocabulary
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.syntax import Name


def families(vocabulary: Vocabulary) -> tuple[Family, ...]:
    """The families of all blocks. What is wrong is added to the vocabulary's findings."""
    entries = []
    for block, _ in vocabulary.blocks("family"):
        fields = vocabulary.fields[block]
        fact, *patterns = next((field.names for field in fields.all("pattern")), (Name("", span=block.span),))
        implies = [field.names for field in fields.all("implies")]
        vocabulary.findings += _malformed(patterns)
        vocabulary.report_duplicates(f"pattern of `{block.name.text}`:", [(p.text, p.span) for p in patterns])
        vocabulary.report_duplicates(
            f"what `{block.name.text}` implies of", [(name.text, name.span) for name, _ in implies]
        )
        for name in [fact, *(name for name, _ in implies)]:
            if name.text and name.text not in vocabulary.kinds:
                vocabulary.findings.append(unknown("fact", name, vocabulary.kinds, "E0201"))
        entries.append(
            Family(
                name=block.name.text,
                title=fields.text("title"),
                about=fields.text("about"),
                fact=fact.text,
                patterns=tuple(pattern.text for pattern in patterns),
                implies=tuple(
                    (name.text, value.text)
                    for name, value in implies
                    if name.text in vocabulary.kinds and vocabulary.has_value(name.text, value)
                ),
                citation=vocabulary.citation_of(block),
                span=block.name.span,
            )
        )
    vocabulary.report_duplicates("family", [(family.name, family.span) for family in entries])
    return tuple(sorted(entries, key=lambda family: family.name))


def _malformed(patterns: list[Name]) -> Iterator[Diagnostic]:
    """The patterns that cannot be read (K07)."""
    for pattern in patterns:
        if not PATTERN.fullmatch(pattern.text):
            yield Diagnostic("K07", f"`{pattern.text}` is no pattern of names", pattern.span, HOW)
        elif pattern.text.count("*") > MOST_GAPS:
            yield Diagnostic(
                "K07", f"`{pattern.text}` has more than {MOST_GAPS} `*`", pattern.span, "too many"
            )


PATTERN = re.compile(
    r"(?=[0-9-]*[A-Za-z])[A-Za-z0-9](?:[A-Za-z0-9 .,()@/+_-]|#|\*(?!\*)|\[(?:[A-Za-z0-9]|[0-9]-[0-9]|[a-z]-[a-z]|[A-Z]-[A-Z])+\]){0,79}"
)
"""What a pattern of names can be. It begins with a letter, or a number before one: a number alone names nothing."""

HOW = "begins with a letter, or with a number and a letter; `#` is a digit, `[ab]` one of these, `*` any rest"
