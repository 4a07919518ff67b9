"""How much of each table of a knowledge file is dead: the share of its cells whose rule no policy ever cites.

The proof finds dead rules when the file is saved; here they are counted for the table that has them, which is shown
above it.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import Placed, Span
from setpoint.compiler.language.syntax import Table
from setpoint.compiler.lsp.document import Document

DEAD = "K04"
"""The code of the finding for a rule that no policy cites."""


class TableShare(Placed):
    """The number of a table's rules, one for each cell, and how many of them are dead."""

    cells: int
    dead: int

    @property
    def title(self) -> str:
        """What is shown above the table."""
        if not self.dead:
            return f"each of {self.cells} cells decides for some policy"
        return f"{self.dead} of {self.cells} cells ({self.dead / self.cells:.0%}) never decide"


def table_shares(document: Document, proven: Iterable[Diagnostic]) -> Iterator[TableShare]:
    """The tables of a file, with what the proof has found of them."""
    program = document.program
    dead = [finding.at for finding in proven if finding.code == DEAD and finding.at.file == document.path]
    rules = [rule.span for rule in document.knowledge.rules if rule.table and rule.span.file == document.path]
    for file in program.site if program else ():
        if file.name != document.path:
            continue
        for statement in file.body:
            if isinstance(statement, Table) and (cells := _within(rules, statement.span)):
                yield TableShare(cells, _within(dead, statement.span), span=statement.span)


def _within(spans: Iterable[Span], table: Span) -> int:
    lines = range(table.line, table.end_line + 1)
    return sum(span.line in lines for span in spans)
