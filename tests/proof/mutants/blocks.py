"""Mutations of a block: of its fields, of its origin, or its removal.

`FIELDS` has the edits of each keyword's field. An absent field can be a mistake only if its absence has a meaning:
`strength` and `severity` have defaults.
"""

from collections.abc import Callable, Iterator

from proof.mutants.edits import (
    Edit,
    Edits,
    condition,
    conditions,
    figure,
    item,
    locator,
    misspelt,
    numbers,
    part,
    replaced,
    values_of,
)
from setpoint.compiler.knowledge.locks import FLAGS
from setpoint.compiler.knowledge.model import LAYERS, Knowledge
from setpoint.compiler.knowledge.redfish import WAYS
from setpoint.compiler.knowledge.sources import WEAKER
from setpoint.compiler.language.syntax import Assume, Block, Field, Name

STRENGTHS = ("measured", "vendor", "test-first")
SEVERITIES = ("error", "warning")
DELETED = ("rule", "constraint", "hazard", "effect", "measurement", "value", "service")
"""The blocks that can be missing. Without a source, a fact or a setting nothing is left that could be built."""


def block_edits(block: Block, knowledge: Knowledge) -> Iterator[Edit]:
    """The edits of a block."""
    name = f"{block.subject.text} {block.name.text}" if block.subject else block.name.text
    if block.kind in DELETED:
        yield Edit(f"delete-{block.kind}", f"{name} deleted", None)
    yield from part(block, "fields", _fields(name, block, knowledge))
    yield from _origin(name, block, knowledge)


def _origin(what: str, stated: Block | Field, knowledge: Knowledge) -> Edits:
    """The edits of an origin, if there is one."""
    if stated.origin is not None:
        yield from part(stated, "origin", part(stated.origin, "at", locator(what, stated.origin.at)))
        cited = replaced("source", f"{what} of", stated.origin.source, knowledge.sources)
        yield from part(stated, "origin", part(stated.origin, "source", cited))


def assumption_edits(assumed: Assume, knowledge: Knowledge) -> Edits:
    """The edits of an assumption."""
    served = " ".join(value.text for asked in assumed.when for value in asked.values)
    name = f"assumption of {assumed.fact.text} on {served}"
    yield Edit("delete-assumption", f"{name} deleted", None)
    values = values_of(assumed.fact.text, knowledge)
    yield from part(assumed, "value", replaced("assumed-value", name, assumed.value, values))
    yield from part(assumed, "when", conditions(name, assumed.when, knowledge, "assumption"))
    yield from part(assumed, "because", numbers("number-in-because", name, assumed.because))


def _fields(name: str, block: Block, knowledge: Knowledge) -> Edits:
    for i, field in enumerate(block.fields):
        yield from item(block.fields, i, FIELDS.get(field.key, _nothing)(name, block, field, knowledge))
    present = {field.key for field in block.fields}
    if block.kind == "rule" and "strength" not in present:
        yield from _added(block, "strength", "strength", name, "test-first")
        yield from _added(block, "strength", "strength", name, "measured")
    if block.kind == "hazard" and "severity" not in present:
        yield from _added(block, "severity", "severity", name, "warning")


def _added(block: Block, kind: str, key: str, name: str, word: str) -> Edits:
    field = Field(key, (Name(word, span=block.span),), (), span=block.span)
    yield Edit(kind, f"{name} {key} is {word}", (*block.fields, field))


# ----------------------------------------------------------------------------------------------------------- fields

Operator = Callable[[str, Block, Field, Knowledge], Edits]


def _nothing(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    yield from ()


def _word(field: Field, i: int, edits: Edits) -> Edits:
    """Edits of one word of a field as edits of the field."""
    yield from part(field, "names", item(field.names, i, edits))


def _text(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    kind = f"number-in-{field.key}"
    yield from _word(field, 0, numbers(kind, f"{name} {field.key}", field.names[0]))


def _name_in_print(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    if field.key == "title" and not _is_product(block):
        return
    what, word = f"{name} {field.key}", field.names[0]
    found = list(numbers(field.key, what, word))
    yield from _word(field, 0, iter(found[:1] or misspelt(field.key, what, word)))


def _is_product(block: Block) -> bool:
    """Whether a title is a product's or a menu's; those of facts and intents are in the library's own words."""
    return block.kind != "fact" and (block.subject is None or block.subject.text in ("cpu", "platform", "os"))


def _date(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    yield from _word(field, 0, _other_days(f"{name} date is", field.names[0]))


def _other_days(what: str, date: Name) -> Edits:
    year, month, day = date.text.split("-")
    for other in (f"{int(year) + 1}-{month}-{day}", f"{year}-{month}-{int(day) % 28 + 1:02}"):
        yield Edit("date", f"{what} {other}", date._replace(text=other))


def _pin(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    _, commit, date, *_ = field.names
    what = f"{name} pin at {commit.text}"
    other = "0" if commit.text[-1] != "0" else "1"
    yield from _word(
        field,
        1,
        iter([Edit("pin", f"{what} ends in {other}", commit._replace(text=commit.text[:-1] + other))]),
    )
    if date.text:
        yield from _word(field, 2, _other_days(f"{what} is of", date))


def _one_of(kind: str, values: tuple[str, ...]) -> Operator:
    def edits(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
        for value in values:
            if value != field.names[0].text:
                changed = field.names[0]._replace(text=value)
                yield from _word(field, 0, iter([Edit(kind, f"{name} {field.key} is {value}", changed)]))

    return edits


def strength_edits(what: str, field: Field, knowledge: Knowledge) -> Edits:
    """The edits of a strength: another one, without the conditions that only `measured` has; other conditions."""
    (stated,) = field.names
    for value in STRENGTHS:
        if value != stated.text:
            other = field._replace(names=(stated._replace(text=value),), conditions=())
            yield Edit("strength", f"{what} strength is {value}", other)
    edits = conditions(f"{what} measured", field.conditions, knowledge, "measured-when", least=0)
    yield from part(field, "conditions", edits)


def _strength(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    yield from strength_edits(name, field, knowledge)


def _dropped(kind: str, what: str) -> Operator:
    def edits(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
        words = " ".join(word.text for word in field.names)
        yield Edit(kind, f"{name} {what} {words}".rstrip(), None)

    return edits


def _flag(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    yield Edit("lock-flag", f"{name} is not {field.key}", None)
    for other in FLAGS:
        if other != field.key:
            yield Edit("lock-flag", f"{name} is {other}", field._replace(key=other))


def _supersedes(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    yield Edit("drop-edge", f"{name} supersedes nothing", None)


def _within(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    if block.subject is None:
        return  # of a measurement, which `within variation` only keeps from being compared
    yield Edit(field.key, f"{name} {field.key} nothing", None)
    others = [v for v in values_of(block.subject.text, knowledge) if v != block.name.text]
    yield from _word(field, 0, replaced(field.key, f"{name} {field.key}", field.names[0], others))


def _values(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    for i, value in enumerate(field.names):
        less = (*field.names[:i], *field.names[i + 1 :])
        yield Edit("value", f"{name} without the value {value.text}", field._replace(names=less))
    if block.kind == "setting" and len(field.names) > 1:
        first, second, *others = field.names
        yield Edit(
            "value-order", f"{name} with {second.text} first", field._replace(names=(second, first, *others))
        )


def _range(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    low, high, step, unit = field.names
    less = high._replace(text=str(int(high.text) - int(step.text or 1)))
    yield Edit("bound", f"{name} range ends at {less.text}", field._replace(names=(low, less, step, unit)))
    if unit.text:
        names = (low, high, step, unit._replace(text=""))
        yield Edit("bound", f"{name} range without a unit", field._replace(names=names))


def _contents(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    for i, part_of_it in enumerate(field.names):
        less = (*field.names[:i], *field.names[i + 1 :])
        if less:
            yield Edit("contents", f"{name} without {part_of_it.text}", field._replace(names=less))


def _implies(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    fact, value = field.names
    yield Edit("implies", f"{name} implies no {fact.text}", None)
    values = values_of(fact.text, knowledge)
    yield from _word(field, 1, replaced("implies", f"{name} implies {fact.text}", value, values))


def _allows(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    (asked,) = field.conditions
    yield Edit("allows", f"{name} allows any {asked.name.text}", None)
    edits = condition(f"{name} allows", asked, knowledge, "allows-")
    yield from part(field, "conditions", item(field.conditions, 0, edits))


def _reported(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    kind, *names = field.names
    yield Edit("reported", f"{name} is not reported as {kind.text}", None)
    if field.form == "any":
        return
    what = f"{name} reported as {' '.join([kind.text, *(each.text for each in names)])}"
    yield from _origin(what, field, knowledge)
    for i, each in enumerate(names, 1):
        if len(names) > 1:
            less = (*field.names[:i], *field.names[i + 1 :])
            yield Edit("reported", f"{what} without {each.text}", field._replace(names=less))
        yield from _word(field, i, numbers("reported-name", what, each))


def _when(kind: str, least: int = 1) -> Operator:
    def edits(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
        of = "measured" if block.kind == "measurement" else kind
        yield from part(field, "conditions", conditions(name, field.conditions, knowledge, of, least))

    return edits


def _related(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    yield Edit("related", f"{name} has nothing related to its scope", None)
    yield from _word(field, 0, replaced("related", f"{name} is related", field.names[0], WEAKER))
    yield from _when("related")(f"{name} related", block, field, knowledge)


def _held(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    if len(field.conditions) == 1:
        yield Edit("hold widen", f"{name} holds nothing", None)
    yield from part(field, "conditions", conditions(f"{name} holds", field.conditions, knowledge, "hold"))


def _use(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    setting, value = field.names
    for edit in replaced("swap-value", name, value, values_of(setting.text, knowledge)):
        named = edit._replace(name=f"{name} uses {edit.changed.text}")
        yield from _word(field, 1, iter([named]))


def _require(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    edits = condition(f"{name} requires", field.conditions[0], knowledge, "require-")
    yield from part(field, "conditions", item(field.conditions, 0, edits))


def _exception(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    yield Edit("drop-edge", f"{name} no exception to {field.names[0].text}", None)


def _case(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    settings = " ".join(asked.name.text for asked in field.conditions)
    what = f"{name} case of {settings}"
    yield Edit("effect-case", f"{what} dropped", None)
    yield from _word(
        field, 0, replaced("effect-case", what, field.names[0], values_of(block.name.text, knowledge))
    )
    yield from part(field, "conditions", conditions(what, field.conditions, knowledge, "effect"))


def _otherwise(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    values = values_of(block.name.text, knowledge)
    yield from _word(field, 0, replaced("effect-otherwise", f"{name} otherwise", field.names[0], values))


def _vary(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    setting, to, start = field.names
    yield Edit(
        "vary",
        f"{name} varied {start.text} from {to.text}",
        field._replace(names=(setting, start, to)),
    )
    values = values_of(setting.text, knowledge)
    for i in (1, 2):
        taken = field.names[3 - i].text
        free = [v for v in values if v != taken]
        yield from _word(
            field, i, replaced("vary", f"{name} varied {('to', 'from')[i - 1]}", field.names[i], free)
        )


def _metric(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    metric, unit = field.names
    yield from _word(field, 0, misspelt("metric", f"{name} metric", metric))
    yield from _word(field, 1, misspelt("unit", f"{name} {metric.text} unit", unit))
    yield from _word(field, 1, numbers("unit", f"{name} {metric.text} unit", unit))


def _value(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    for i, number in enumerate(field.names):
        yield from _word(field, i, figure("figure", f"{name} value", number))
    flipped = tuple(word._replace(text=_other_sign(word.text)) for word in reversed(field.names))
    yield Edit("figure-sign", f"{name} with the other sign", field._replace(names=flipped))


def _other_sign(number: str) -> str:
    return number[1:] if number.startswith("-") else f"-{number}"


def _uri(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    resource, address = field.names
    yield Edit("uri", f"{name} has no {resource.text}", None)
    yield from _word(field, 1, misspelt("uri", f"{name} {resource.text}", address))


def _applies(name: str, block: Block, field: Field, knowledge: Knowledge) -> Edits:
    way, *seen = field.names
    yield Edit("applies", f"{name} applies nothing {way.text}", None)
    yield from _word(field, 0, replaced("applies", f"{name} applies", way, WAYS))
    for firmware in seen:
        yield from _word(field, 1, numbers("applies", f"{name} {way.text}", firmware))


FIELDS: dict[str, Operator] = {
    "title": _name_in_print,
    "publisher": _name_in_print,
    "author": _name_in_print,
    "url": _name_in_print,
    "benchmark": _name_in_print,
    "about": _text,
    "because": _text,
    "help": _text,
    "note": _text,
    "date": _date,
    "pin": _pin,
    "layer": _one_of("layer", LAYERS),
    "strength": _strength,
    "severity": _one_of("severity", SEVERITIES),
    "role": _dropped("role", "has no role"),
    "required": _dropped("required", "is not required"),
    "once": _dropped("once", "is no one-time action"),
    "supersedes": _supersedes,
    "within": _within,
    "follows": _within,
    "values": _values,
    "range": _range,
    "contents": _contents,
    **dict.fromkeys(FLAGS, _flag),
    "beyond": _dropped("beyond", "is not said to be beyond its scope"),
    "implies": _implies,
    "allows": _allows,
    "reported": _reported,
    "scope": _when("scope", least=0),
    "related": _related,
    "when": _when(""),
    "use": _use,
    "require": _require,
    "exception": _exception,
    "yields": _dropped("yields", "does not yield to"),
    "case": _case,
    "otherwise": _otherwise,
    "vary": _vary,
    "hold": _held,
    "metric": _metric,
    "value": _value,
    "uri": _uri,
    "applies": _applies,
}


def field_edits(name: str, block_field: Field, knowledge: Knowledge) -> Edits:
    """The edits of a field of a table of figures: of those that a block has too."""
    key = block_field.key
    if key == "hold":
        yield from _held(name, _NO_BLOCK, block_field, knowledge)
    elif key == "metric":
        yield from _metric(name, _NO_BLOCK, block_field, knowledge)
    elif key == "note":
        yield from _text(name, _NO_BLOCK, block_field, knowledge)


_NO_BLOCK = Block("", None, Name("", span=None), None, (), span=None)  # type: ignore[arg-type]
