"""The fields of a block by name.

Those that do not fit the kind of block (`compiler/language/blocks.py`) are reported as K07.
An absent field reads as "", so that the builders need no special cases.
"""

from collections.abc import Iterable

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.language.blocks import BLOCKS, FACT_VALUE
from setpoint.compiler.language.syntax import Block, Condition, Field, Name


class Fields:
    """The fields of one block, by keyword."""

    def __init__(self, kind: str, fields: tuple[Field, ...], head: Name, findings: list[Diagnostic]) -> None:
        self._by_key: dict[str, list[Field]] = {}
        row = FACT_VALUE if kind == "value" else BLOCKS[kind]
        required, optional, repeatable = (
            set(keys.split()) for keys in (row.required, row.optional, row.repeatable)
        )
        for field in fields:
            if field.key not in required | optional:
                article = "an" if kind[0] in "aeiou" else "a"
                message = f"{article} {kind} has no field `{field.key}`"
                findings.append(Diagnostic("K07", message, field.span, "unknown here"))
            elif field.key in self._by_key and field.key not in repeatable:
                message = f"`{field.key}` appears twice in {kind} `{head.text}`"
                first = Label(self._by_key[field.key][0].span, "first here")
                findings.append(Diagnostic("K07", message, field.span, "again here", (first,)))
            self._by_key.setdefault(field.key, []).append(field)
        missing = sorted(required - set(self._by_key))
        if missing:
            words = ", ".join(f"`{key}`" for key in missing)
            findings.append(Diagnostic("K07", f"{kind} `{head.text}` lacks {words}", head.span, "incomplete"))

    @classmethod
    def of(cls, block: Block, findings: list[Diagnostic]) -> "Fields":
        """The fields of a block, checked against its kind."""
        return cls(block.kind, block.fields, block.name, findings)

    def all(self, key: str) -> tuple[Field, ...]:
        """Every field with this keyword."""
        return tuple(self._by_key.get(key, ()))

    def text(self, key: str) -> str:
        """The text of a field, several joined by a space; "" if absent."""
        return " ".join(field.names[-1].text for field in self.all(key))

    def name(self, key: str) -> Name | None:
        """The first word of a field with its place; None if absent."""
        return self._by_key[key][0].names[0] if key in self._by_key else None

    def conditions(self, key: str) -> tuple[Condition, ...]:
        """The conditions of a field."""
        return tuple(c for field in self.all(key) for c in field.conditions)

    def has(self, key: str) -> bool:
        """Whether the field is present."""
        return key in self._by_key


class FieldsOfBlocks:
    """The fields of each block, by identity: blocks that say the same are two, at two places."""

    def __init__(self, blocks: Iterable[Block], findings: list[Diagnostic]) -> None:
        self._by_block = {id(block): (block, Fields.of(block, findings)) for block in blocks}

    def __getitem__(self, block: Block) -> Fields:
        return self._by_block[id(block)][1]
