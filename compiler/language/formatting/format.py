"""Format a text canonically, comments included.

The formatter works on the tokens of the text, not on its tree: it groups them into statements and blocks, and lays each
out on its own lines. It moves line breaks and spaces, and adds the `;` that the last statement of a block may omit, but
never changes a word. To be sure, it parses its own output and refuses to return a text with another tree.

    goal latency; cpu x5670   # a model         goal  latency;
    set turbo off                               cpu   x5670;    # a model
      because "PERF-212";                       set turbo off because "PERF-212";

The text keeps its comments in place, its blank lines (at most one at a time) and its one-line blocks. `layout` has the
rules for everything else.
"""

from setpoint.compiler.diagnostics.source import SourceText, Span
from setpoint.compiler.language.formatting.layout import lines_of
from setpoint.compiler.language.formatting.token_groups import comments_of, entries_of
from setpoint.compiler.language.parse import parse


class FormatError(Exception):
    """The formatted text has another meaning: a defect of the formatter, not of the text."""


def format_source(source: SourceText) -> str:
    """The text of a source in its canonical form.

    Raises SetpointError with the syntax errors of the text (E01xx), and FormatError if the formatted text would have
    another meaning.
    """
    tree = parse(source)
    text = "".join(f"{line}\n" for line in lines_of(entries_of(source)))
    formatted = SourceText(source.name, text)
    if _bare(parse(formatted)) != _bare(tree) or comments_of(formatted) != comments_of(source):
        raise FormatError(f"{source.name}: the formatter would have changed what the text says")
    return text


def _bare(node: object) -> object:
    """A tree without its spans, each node with the name of its class."""
    if isinstance(node, Span):
        return None
    if isinstance(node, tuple):
        return type(node).__name__, *map(_bare, node)
    return node
