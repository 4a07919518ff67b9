"""The parts that pages consist of: escaped text, tables without empty columns, links between pages.

`setpoint.compiler.render.escape` is for forges, and for foreign text. The manual's renderer knows fewer escapes, and
its texts are those of the standard library, so `plain` escapes only what it must.
"""

from collections.abc import Iterable, Sequence

from setpoint.compiler.knowledge.locks import HIDDEN, KEPT, LOCKED
from setpoint.compiler.knowledge.model import Box, Citation, Constraint, Knowledge
from setpoint.compiler.language.syntax import Condition
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.escape import head, row


def opening(title: str, text: str) -> str:
    """The beginning of a page: its title and its subject."""
    return f"# {title}\n\n{text.strip()}\n"


def plain(text: str) -> str:
    """A text as Markdown on one line: literal, except for names in backticks."""
    parts = " ".join(text.split()).split("`")
    if len(parts) % 2 == 0:
        parts = [" ".join(parts)]
    return "`".join(part if i % 2 else _literal(part) for i, part in enumerate(parts))


def _literal(text: str) -> str:
    return "".join(f"\\{c}" if c in "\\*_[]|" else c for c in text).replace("<", "&lt;")


def sentence(text: str) -> str:
    """A text as a sentence of its own."""
    shown = plain(text).rstrip(".")
    return f"{shown[:1].upper()}{shown[1:]}."


def code(text: str) -> str:
    """A name as it is written in a policy."""
    return f"`{text}`"


def code_list(names: Iterable[str]) -> str:
    """Names as they are written, separated by commas."""
    return ", ".join(map(code, names))


def grid(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table without columns that are completely empty; "" if there are no rows."""
    lines = list(rows)
    kept = [i for i in range(len(heads)) if any(line[i] for line in lines)]
    if not lines:
        return ""
    return head(*(heads[i] for i in kept)) + "".join(row(*(line[i] for i in kept)) for line in lines)


def where(knowledge: Knowledge, box: Box) -> str:
    """Conditions in the words of a policy; "always" for none."""
    return code(knowledge.box_text(box)) if box else "always"


def required(knowledge: Knowledge, constraint: Constraint) -> str:
    """What a constraint requires, and what the firmware then does with the setting."""
    if constraint.require is None:
        return "cannot be"
    done = {"": "", LOCKED: ", locked", KEPT: ", locked as it is", HIDDEN: ", hidden"}[constraint.lock]
    return where(knowledge, (constraint.require,)) + done


def conditions_text(conditions: Iterable[Condition]) -> str:
    """Conditions as written in a knowledge file."""
    return ", ".join(condition.text for condition in conditions)


class Links(NamedTuple):
    """Links to the other pages; `up` leads from a page's folder to that of the reference."""

    up: str = ""

    def setting(self, name: str) -> str:
        """To a setting."""
        return f"[`{name}`]({self.up}settings/{name}.md)"

    def fact(self, name: str) -> str:
        """To a fact."""
        return f"[`{name}`]({self.up}facts.md#{name})"

    def hazard(self, name: str) -> str:
        """To a hazard."""
        return f"[`{name}`]({self.up}hazards.md#{name})"

    def source(self, name: str) -> str:
        """To a source."""
        return f"[{name}]({self.up}sources/{name}.md)"

    def cite(self, citation: Citation | None) -> str:
        """To a source, with the place in it; "" for none."""
        return f"{self.source(citation.source)}, {plain(citation.at)}" if citation else ""
