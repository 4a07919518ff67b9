"""*`fact`, and values of facts*: open values, which leave open which of others they are.

A condition holds for one if it names, or includes, all of these. So each such condition is read as if it named the open
value as well.
"""

from collections.abc import Iterable

from setpoint.compiler.language import syntax

Open = dict[str, dict[str, tuple[str, ...]]]
"""For each fact, its open values with those that they list."""

Above = dict[tuple[str, str], str]
"""For each fact and value, the value that it lies within."""


def open_values(files: Iterable[syntax.File]) -> tuple[Open, Above]:
    """The open values of some files, and what lies within what in them."""
    found: Open = {}
    above: Above = {}
    for file in files:
        for block in file.body:
            if not isinstance(block, syntax.Block) or block.kind != "value":
                continue
            assert block.subject is not None
            fact, value = block.subject.text, block.name.text
            for field in block.fields:
                if field.key == "values":
                    listed = tuple(name.text for name in field.names)
                    found.setdefault(fact, {})[value] = listed
                    above.update({(fact, one): value for one in listed})
                elif field.key == "within":
                    above[fact, value] = field.names[0].text
    return found, above


def all_named(known: tuple[Open, Above], file: syntax.File) -> syntax.File:
    """A file whose conditions name every open value for which they hold."""
    found, above = known

    def is_named(fact: str, value: str, named: set[str]) -> bool:
        return value in named or ((fact, value) in above and is_named(fact, above[fact, value], named))

    def more(fact: syntax.Name, values: tuple[syntax.Name, ...]) -> tuple[syntax.Name, ...]:
        named = {value.text for value in values}
        while True:
            added = {
                value
                for value, ones in found.get(fact.text, {}).items()
                if value not in named and all(is_named(fact.text, one, named) for one in ones)
            }
            if not added:
                return (
                    *values,
                    *(syntax.Name(text, span=fact.span) for text in sorted(named - {v.text for v in values})),
                )
            named |= added

    def read(node: object) -> object:
        match node:
            case syntax.Condition(name=name, values=values):
                return node._replace(values=more(name, values))
            case syntax.Table(kind="table", rows=(top, *rows)):
                cells = tuple(more(top.name, cell) for cell in top.cells)
                return node._replace(
                    rows=(top._replace(cells=cells), *map(read, rows)),
                    when=read(node.when),
                )
            case syntax.Name():
                return node
        if hasattr(node, "_make"):
            return node._make(map(read, node))  # type: ignore[call-overload]
        return tuple(map(read, node)) if isinstance(node, tuple) else node

    return read(file) if found else file  # type: ignore[return-value]
