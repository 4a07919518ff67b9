"""Sysctls of containers and pods, of which only those of their own namespaces can be set: what begins and names them
is in a table of the library (`stdlib/texts.toml`)."""

import re
from collections.abc import Iterator

from setpoint.compiler.audit.lines import line_span
from setpoint.compiler.audit.texts import TABLE
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import SourceText, lines_of
from setpoint.compiler.knowledge.library import library_table, stdlib_folder


def refused_sysctls(source: SourceText) -> Iterator[Diagnostic]:
    """The findings about sysctls that no container has of its own (E0907)."""
    known = library_table(stdlib_folder(), TABLE).get("containers", {})
    for block in (b for form in known.get("forms", ()) for b in re.finditer(form, source.text, re.MULTILINE)):
        for name in re.finditer(known["names"], block[0], re.MULTILINE):
            if not re.fullmatch(known["own"], name[1]):
                number = source.text.count("\n", 0, block.start() + name.start(1)) + 1
                span = line_span(source.name, number, lines_of(source.text)[number - 1])
                message = f"`{name[1]}` is no sysctl of a container: {known['because']}"
                notes = (f"source: {known['at']}",)
                yield Diagnostic("E0907", message, span, "of the host", (), notes, (known["help"],))
