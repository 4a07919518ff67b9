"""What a reader refuses of texts that are neither words nor sysctls of a file: sysctls that a container does not have
of its own, limits that PAM cannot set. Forms of both are in a table of the library (`stdlib/texts.toml`)."""

import re
from collections.abc import Iterator

from setpoint.compiler.audit.lines import line_span
from setpoint.compiler.audit.texts import TABLE
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import SourceText, lines_of
from setpoint.compiler.knowledge.library import library_table, stdlib_folder


def refusals(source: SourceText) -> Iterator[Diagnostic]:
    """The findings about texts that are not taken (E0907)."""
    for row in library_table(stdlib_folder(), TABLE).get("refused", ()):
        forms = () if re.search(row["unless"], source.text) else row["forms"]
        for block in (b for form in forms for b in re.finditer(form, source.text, re.MULTILINE)):
            for text in re.finditer(row["texts"], block[0], re.MULTILINE):
                if not re.fullmatch(row["taken"], text[1]):
                    number = source.text.count("\n", 0, block.start() + text.start(1)) + 1
                    span = line_span(source.name, number, lines_of(source.text)[number - 1])
                    message, notes = f"`{text[1]}` {row['because']}", (f"source: {row['at']}",)
                    yield Diagnostic("E0907", message, span, "refused", (), notes, (row["help"],))
