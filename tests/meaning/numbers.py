"""Numbers and lists of CPUs as values of settings.

A number that no statement mentions behaves like its neighbours. So the domain of a setting has the mentioned numbers
and, of each gap between them, the lowest number on the step, its *representative*. Lists of CPUs have one
representative, `OTHER`.
"""

import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from setpoint.compiler.language import syntax
from setpoint.compiler.language.syntax import ObservationStatement

OTHER = "any other list"


class Span(NamedTuple):
    """The numbers from `low` to `high` in steps from `low`."""

    low: int
    high: int
    step: int

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and number in range(self.low, self.high + 1, self.step)

    def first_from(self, low: int, high: int) -> int | None:
        """The lowest of these numbers between two others."""
        inside = range(self.low, self.high + 1, self.step)[max(0, -(-(low - self.low) // self.step)) :]
        return inside[0] if inside and inside[0] <= high else None


class Scale:
    """What one setting takes beside its named values, and what the statements mention of that."""

    def __init__(self, span: Span | None, unit: str) -> None:
        self.span = span
        self.unit = unit
        self.mentioned: set[int] = {span.low, span.high} if span else set()
        self.lists: set[str] = set()

    def alternative(self, text: str) -> Span | None:
        """The numbers that a condition or an offer names; None for a named value."""
        found = re.fullmatch(
            r"(above |below )?(\d+)[a-zA-Z]*(?: to (\d+)[a-zA-Z]*)?(?: step (\d+)[a-zA-Z]*)?", text
        )
        if found is None or self.span is None:
            return None
        low, high, step = (int(n) if n else None for n in found.groups()[1:])
        assert low is not None
        if found[1] == "above ":
            return Span(low + self.span.step, self.span.high, self.span.step)
        if found[1] == "below ":
            return Span(self.span.low, low - self.span.step, self.span.step)
        return Span(low, low if high is None else high, step or self.span.step)

    def mention(self, text: str) -> None:
        """Record the numbers of a text."""
        if self.span is None:
            if text[:1].isdigit():
                self.lists.add(sorted_list(text))
        elif self.alternative(text):
            self.mentioned |= {int(n) for n in re.findall(r"\d+", text.partition(" step ")[0])}

    def domain(self) -> tuple[str, ...]:
        """The mentioned numbers, and the representatives of the gaps, in order."""
        if self.span is None:
            return (*sorted(self.lists, key=lambda text: [int(n) for n in re.findall(r"\d+", text)]), OTHER)
        starts = {n: n for n in self.mentioned if n in self.span}
        for number in list(starts):
            if number + self.span.step in self.span:
                starts.setdefault(number + self.span.step, number + self.span.step)
        return tuple(f"{number}{self.unit}" for number in sorted(starts))

    def number(self, value: str) -> int | None:
        """The number of a value; None for a named value or a list."""
        found = re.fullmatch(r"(\d+)[a-zA-Z]*", value)
        return int(found[1]) if found and self.span else None

    def representative(self, value: str) -> str:
        """The value of the domain that stands for a value."""
        if self.span is None:
            text = sorted_list(value) if value[:1].isdigit() else value
            return text if text in self.lists or not value[:1].isdigit() else OTHER
        number = self.number(value)
        if number is None:
            return value
        return f"{max(n for each in self.domain() if (n := self.number(each)) is not None and n <= number)}{self.unit}"

    def last(self, representative: str) -> int:
        """The highest number that a representative stands for."""
        number = self.number(representative)
        assert number is not None and self.span is not None
        if number in self.mentioned:
            return number
        return min(n for n in self.mentioned if n > number) - self.span.step

    def named_by(self, *texts: str) -> frozenset[str]:
        """The values of the domain that have a number which a condition or an offer names."""
        return frozenset(value for text in texts for value in self._named_by(text))

    def _named_by(self, text: str) -> frozenset[str]:
        if self.span is None and text == "cpu-list":
            return frozenset(self.domain()) | self.lists
        span = self.alternative(text)
        if span is None:
            return frozenset((self.representative(text),))
        return frozenset(
            each
            for each in self.domain()
            if (first := self.number(each)) is not None
            and span.first_from(first, self.last(each)) is not None
        )

    def any_of(self, random: Random, value: str) -> str:
        """One of the numbers that a value of the domain stands for; of the other lists of CPUs, one."""
        if value == OTHER:
            return next(
                text
                for text in iter(lambda: f"{random.randint(0, 9)}-{random.randint(10, 99)}", "")
                if text not in self.lists
            )
        number = self.number(value)
        if number is None or self.span is None:
            return value
        return f"{random.choice(range(number, self.last(value) + 1, self.span.step))}{self.unit}"

    def offers(self, texts: Iterable[str], value: str) -> bool:
        """Whether one of the texts of an offer names this very value."""
        number = self.number(value)
        spans = [(text, self.alternative(text)) for text in texts]
        if number is None:
            return value in texts or (self.span is None and value[:1].isdigit() and "cpu-list" in texts)
        return any(span is not None and number in span for _, span in spans)

    def concrete(self, texts: Iterable[str], representative: str) -> str:
        """The lowest offered number that a representative stands for."""
        first = self.number(representative)
        if first is None:
            return representative
        spans = [span for text in texts if (span := self.alternative(text)) is not None]
        found = [n for span in spans if (n := span.first_from(first, self.last(representative))) is not None]
        return f"{min(found)}{self.unit}"


def sorted_list(text: str) -> str:
    """A list of CPUs in order, with neighbours as ranges."""
    cpus: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        cpus |= set(range(int(first), int(last or first) + 1))
    parts: list[list[int]] = []
    for cpu in sorted(cpus):
        if parts and parts[-1][1] == cpu - 1:
            parts[-1][1] = cpu
        else:
            parts.append([cpu, cpu])
    return ",".join(f"{first}-{last}" if first < last else f"{first}" for first, last in parts)


# --------------------------------------------------------------------------------- what is mentioned


def scales(files: Iterable[syntax.File]) -> dict[str, Scale]:
    """The settings that take numbers or lists of CPUs, with all that the statements mention."""
    files = list(files)
    found: dict[str, Scale] = {}
    for block in (s for file in files for s in file.body):
        if isinstance(block, syntax.Block) and block.kind == "setting":
            fields = {field.key: [name.text for name in field.names] for field in block.fields}
            if "range" in fields:
                low, high, step, unit = fields["range"]
                found[block.name.text] = Scale(
                    Span(*(int(number(n)) for n in (low, high, step or "1"))), unit
                )
            elif "cpu-list" in fields.get("values", ()):
                found[block.name.text] = Scale(None, "")
    for setting, value in (pair for file in files for statement in file.body for pair in pairs(statement)):
        if setting in found:
            found[setting].mention(value)
    return found


def number(text: str) -> str:
    """The digits that a text begins with."""
    return re.match(r"\d*", text)[0]  # type: ignore[index]


def pairs(node: object) -> Iterator[tuple[str, str]]:
    """Every name in a tree with every value that is stated of it."""
    match node:
        case syntax.Condition():
            yield from ((node.name.text, value.text) for value in node.values)
        case syntax.TableRow():
            yield from ((node.name.text, value.text) for cell in node.cells for value in cell)
        case syntax.OfferStatement():
            yield from ((node.setting.text, value.text) for value, _ in node.offered)
            if node.default:
                yield node.setting.text, node.default.text
        case syntax.SpellingStatement():
            shown = (each.value for place in node.shown for each in place.values)
            spelled = (each.value for each in node.values)
            yield from ((node.setting.text, value.text) for value in (*spelled, *shown))
        case ObservationStatement():
            yield from ((node.setting.text, value.value.text) for value in node.values)
        case syntax.Field(key="use" | "vary"):
            yield from ((node.names[0].text, value.text) for value in node.names[1:])
        case syntax.MeasurementTable():
            for row in node.rows:
                yield from ((head.text, cell.text) for head, cell in zip(node.columns, row, strict=False))
        case syntax.Aliases() if node.value is not None:
            yield node.name.text, node.value.text
    if isinstance(node, tuple):
        for part in node:
            yield from pairs(part)


Nested = dict[str, dict[str, tuple[str, ...]]]
"""For each setting with nested values and each value, it and all values within it."""


def nested_values(files: Iterable[syntax.File]) -> Nested:
    """*`setting`*: what lies within each value of the settings to which values were added."""
    blocks = [s for file in files for s in file.body if isinstance(s, syntax.Block)]
    settings = {block.name.text for block in blocks if block.kind == "setting"}
    above: dict[str, dict[str, str]] = {}
    for block in blocks:
        if block.kind == "value" and block.subject is not None and block.subject.text in settings:
            within = [field.names[0].text for field in block.fields if field.key == "within"]
            above.setdefault(block.subject.text, {})[block.name.text] = (within or [""])[0]
    found: Nested = {}
    for setting, parents in above.items():
        below: dict[str, list[str]] = {}
        for value in parents:
            at = value
            while at:
                below.setdefault(at, []).append(value)
                at = parents.get(at, "")
        found[setting] = {at: tuple(values) for at, values in below.items()}
    return found


def spelt_out(known: dict[str, Scale], nested: Nested, file: syntax.File) -> syntax.File:
    """A file whose conditions name every value of the domain that they allow, and whose values are those of the
    domain."""

    def value(setting: syntax.Name, of: syntax.Name) -> syntax.Name:
        scale = known.get(setting.text)
        return of._replace(text=scale.representative(of.text)) if scale else of

    def read(node: object) -> object:
        match node:
            case syntax.Condition(name=name, values=values) if name.text in known:
                texts = sorted(known[name.text].named_by(*(each.text for each in values)))
                return node._replace(values=tuple(syntax.Name(text, span=name.span) for text in texts))
            case syntax.Condition(name=name, values=values) if name.text in nested:
                below = nested[name.text]
                texts = sorted({t for each in values for t in (each.text, *below.get(each.text, ()))})
                return node._replace(values=tuple(syntax.Name(text, span=name.span) for text in texts))
            case syntax.TableRow(name=name, cells=cells):
                mapped = tuple(tuple(value(name, each) for each in cell) for cell in cells)
                return node._replace(cells=mapped, when=read(node.when))
            case syntax.OfferStatement(setting=setting, default=default):
                default = value(setting, default) if default else None
                return node._replace(default=default, when=read(node.when))
            case syntax.Field(key="use", names=(setting, used)):
                return node._replace(names=(setting, value(setting, used)))
            case syntax.Name():
                return node
        if hasattr(node, "_make"):
            return node._make(map(read, node))  # type: ignore[call-overload]
        return tuple(map(read, node)) if isinstance(node, tuple) else node

    return read(file) if known or nested else file  # type: ignore[return-value]
