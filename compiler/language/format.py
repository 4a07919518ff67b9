"""The one canonical form of a text, comments and all.

The formatter works on the tokens of the text, not on its tree: it groups them into statements and
blocks, and sets each on lines of its own. It can move line breaks and spaces, and add the `;` that the
last statement of a block may leave out; it cannot change a word. So what it returns reads as before, and
it makes sure of that: it parses its own output, and returns nothing that differs.

    goal latency; cpu x5670   # a model         goal  latency;
    set turbo off                               cpu   x5670;    # a model
      because "PERF-212";                       set turbo off because "PERF-212";

What is kept of the text's own form: comments, where they stand; blank lines, at most one at a time; and
that a short block stood on one line. `layout` has the rules of the rest.
"""

from setpoint.compiler.diagnostics.source import Source, Span
from setpoint.compiler.language.layout import lines_of
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.statements import comments_of, entries_of


class FormatError(Exception):
    """What the formatter made of a text reads differently: a defect of the formatter, not of the text."""


def format_source(source: Source) -> str:
    """The text of a source in its canonical form.

    Raises SetpointError with the errors of a text that does not parse (E01xx), and FormatError rather
    than return a text that would read differently.
    """
    tree = parse(source)
    text = "".join(f"{line}\n" for line in lines_of(entries_of(source)))
    formatted = Source(source.name, text)
    if _bare(parse(formatted)) != _bare(tree) or comments_of(formatted) != comments_of(source):
        raise FormatError(f"{source.name}: the formatter would have changed what the text says")
    return text


def _bare(node: object) -> object:
    """A tree without its spans, each form with its name."""
    if isinstance(node, Span):
        return None
    if isinstance(node, tuple):
        return type(node).__name__, *map(_bare, node)
    return node
