"""What one setting does to another on this server: the registry's dependencies, beside the library's presets and locks.

Where the library says nothing of a pair of settings, the dependency holds in this run: as a cell of the preset that has
the setting as a member, or as a constraint. Where both say the same, the library's words stay. Where they differ, the
library holds as before, and a warning names both: one of them is wrong about this server, and a person must find out
which.

Only what a single value does by itself is compared. The registry says nothing of settings on which it has no
dependency, nor where the outcome needs a third attribute.
"""

from collections.abc import Mapping

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.fitting.offers import same
from setpoint.compiler.fitting.server import Server
from setpoint.compiler.knowledge.boxes import holds
from setpoint.compiler.knowledge.interfaces import TypedValue, typed_value
from setpoint.compiler.knowledge.locks import FREE, HIDDEN, KEPT, LOCKED
from setpoint.compiler.knowledge.model import Citation, Constraint, Knowledge, Preset, Source, Spelling
from setpoint.compiler.knowledge.variable import Variable
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.registries.effects import NOTHING, AttributeEffect
from setpoint.compiler.registries.expression import evaluate
from setpoint.compiler.registries.model import Scalar
from setpoint.compiler.registries.state import holds as is_true
from setpoint.compiler.registries.words import plain
from setpoint.compiler.resolution.profiles import cells_of, members_of

MOST_NOTES = 6
"""The maximum number of differences that one warning lists."""

Spellings = Mapping[str, tuple[Spelling, ...]]


class _AttributeSetting(NamedTuple):
    """A setting that is one attribute, with the texts of the values that are offered."""

    name: str
    attribute: str
    texts: dict[str, TypedValue]
    variable: Variable

    def called(self, value: Scalar) -> str:
        """The value that an attribute's value is; "" if it is none that is offered."""
        return next((name for name, text in self.texts.items() if same(text, value)), "")


class _Said(NamedTuple):
    """What the library says of a value's effect: locked or not (None: nothing), the values, and where it says so.

    `values` is 0 where it locks the setting at no particular value.
    """

    locked: bool | None
    values: int = 0
    citation: Citation | None = None


class _New(NamedTuple):
    """A constraint to add, without the values of its cause."""

    cause: str
    setting: str
    flag: str
    values: int


def compared(
    knowledge: Knowledge, server: Server, spelt: Spellings, bits: Mapping[str, int], source: Source, at: Span
) -> tuple[Knowledge, list[Diagnostic]]:
    """The knowledge base with the registry's limits, and a warning for each setting on which they disagree."""
    settings = _settings(knowledge, spelt)
    presets = tuple(p for p in knowledge.presets if holds(p.when, dict(bits)))
    news: dict[_New, int] = {}
    cells: dict[tuple[str, str], dict[str, str]] = {}
    findings: list[Diagnostic] = []
    for cause in settings.values():
        if cause.attribute not in server.effects.of:
            continue
        differences = []
        members = members_of(presets, cause.name)
        for value, text in cause.texts.items():
            for setting in settings.values():
                effect = _effect(server, cause.attribute, text, setting.attribute)
                if effect is None or setting is cause:
                    continue
                said = _said(knowledge, presets, bits, cause, value, setting.name)
                if words := _difference(cause, value, setting, effect, said):
                    differences.append(words)
                elif said.locked is None and setting.name in members and (cell := _cell(setting, effect)):
                    cells.setdefault((cause.name, value), {})[setting.name] = cell
                elif new := _new(knowledge, bits, cause, value, setting, effect, said):
                    news[new] = news.get(new, 0) | cause.variable.bit(value)
        if differences:
            findings.append(_warning(server, cause, differences, at))
    limits = [_constraint(server, settings, new, mask, source, at) for new, mask in news.items()]
    constraints = tuple(sorted((*knowledge.constraints, *limits), key=lambda constraint: constraint.name))
    filled = tuple(_filled(preset, presets, cells) for preset in knowledge.presets)
    return knowledge._replace(constraints=constraints, presets=filled), findings


def _settings(knowledge: Knowledge, spelt: Spellings) -> dict[str, _AttributeSetting]:
    """The settings that are one attribute each, if they are offered here."""
    settings = {}
    for name, spellings in spelt.items():
        names = [attribute for spelling in spellings for attribute in spelling.names]
        offers = knowledge.offers.get(name, ())
        if len(names) != 1 or not offers:
            continue
        variable, texts = knowledge.variables[name], {}
        for value in offers[0].values:
            text = None if " " in value else spellings[0].text_of(value, variable.bare(value))
            if text is not None and text.text is not None:
                texts[value] = typed_value(text.text, spellings[0].type)
        settings[name] = _AttributeSetting(name, names[0], texts, variable)
    return settings


# ------------------------------------------------------------------------------------- what each says


def _effect(server: Server, cause: str, text: TypedValue, attribute: str) -> AttributeEffect | None:
    """What a value of one attribute does to another by itself in the registry; None if it needs a third one."""
    joint = (
        dependency
        for dependency in server.effects.joint
        if dependency.attribute == attribute
        and any(condition.attribute == cause for condition in dependency.conditions)
    )
    if any(
        evaluate(dependency.expression, lambda condition: is_true(condition, {cause: text})) is None
        for dependency in joint
    ):
        return None
    return server.effects.of[cause].get(text, {}).get(attribute, NOTHING)


def _said(
    knowledge: Knowledge, presets: tuple[Preset, ...], bits: Mapping[str, int], cause: _AttributeSetting, value: str, name: str
) -> _Said:  # fmt: skip
    """What the library says of the effect of a value on another setting."""
    cell = cells_of(presets, cause.name, value).get(name, "")
    tables = [p for p in presets if p.governor == cause.name and name in p.columns.get(value, {})]
    if cell and cell != FREE:
        is_decided = not any((value, name) in table.undecided for table in tables)
        return _Said(True, knowledge.variables[name].bit(cell) if is_decided else 0, tables[0].citation)
    for constraint in knowledge.constraints:
        if constraint.lock and constraint.require is not None and constraint.require[0] == name:
            others = {n: mask for n, mask in constraint.when if n in knowledge.settings}
            if all(bits[n] & mask for n, mask in constraint.when if n in bits) and (
                others.get(cause.name, 0) & cause.variable.bit(value)
            ):
                return _Said(
                    True, constraint.require[1] if constraint.lock == LOCKED else 0, constraint.citation
                )
    return _Said(False, 0, tables[0].citation) if cell else _Said(None)


def _difference(
    cause: _AttributeSetting,
    value: str,
    setting: _AttributeSetting,
    effect: AttributeEffect,
    said: _Said,
) -> str:
    """How the library and the registry differ, in words; "" if they do not."""
    if said.locked is None or said.citation is None:
        return ""
    where = f"the library [{said.citation.source}, {said.citation.at}]"
    name, head = plain(setting.attribute), f"{cause.name} {value}"
    is_locked = effect.is_locked or effect.is_hidden
    if said.locked is not is_locked:
        does = f"locks {name}" if is_locked else f"does not lock {name}"
        return (
            f"{head}: the registry {does}; {where} {'locks' if said.locked else 'leaves'} {setting.name}"
            + ("" if said.locked else " free")
        )
    forced = setting.called(effect.forced[0]) if effect.forced else ""
    if is_locked and forced and said.values and not said.values & setting.variable.bit(forced):
        other = " or ".join(setting.variable.names(said.values))
        return f"{head}: the registry sets {name} to {plain(str(effect.forced[0]))} ({forced}); {where} to {other}"
    return ""


def _warning(server: Server, cause: _AttributeSetting, differences: list[str], at: Span) -> Diagnostic:
    more = len(differences) - MOST_NOTES
    return Diagnostic(
        "W0503",
        f"`{server.file}` and the library differ on what `{cause.name}` does to other settings; the plan follows the library",
        at,
        notes=(*differences[:MOST_NOTES], *([f"and {more} more"] if more > 0 else [])),
        help=(
            "see what the server does, and correct the `preset` or the constraint in a knowledge file if the library is wrong",
        ),
        subject=cause.name,
    )


# --------------------------------------------------------------------------- what only the registry says


def _cell(setting: _AttributeSetting, effect: AttributeEffect) -> str:
    """The cell of a preset; "" if none says what the registry does."""
    how, value = effect.cell(setting.called) or ("", "")
    if effect.is_hidden or effect.possible is not None or how not in (LOCKED, FREE):
        return ""
    return value or FREE


def _filled(
    preset: Preset, presets: tuple[Preset, ...], cells: Mapping[tuple[str, str], Mapping[str, str]]
) -> Preset:
    """A preset with the cells that only the registry has."""
    if preset not in presets:
        return preset
    columns = {
        value: {
            **{m: c for m, c in cells.get((preset.governor, value), {}).items() if m in preset.members},
            **column,
        }
        for value, column in preset.columns.items()
    }
    return preset._replace(columns=columns) if columns != preset.columns else preset


def _new(
    knowledge: Knowledge, bits: Mapping[str, int], cause: _AttributeSetting, value: str, setting: _AttributeSetting, effect: AttributeEffect, said: _Said
) -> _New | None:  # fmt: skip
    """The constraint that says what only the registry says of a value; None if there is nothing to say."""
    variable = setting.variable
    flag, values = effect.requirement(setting.called) or ("", ())
    mask = variable.within(values) if values else variable.everything
    if flag:
        return _New(cause.name, setting.name, flag, mask) if said.locked is None else None
    if said.locked or not values or not knowledge.offers[setting.name]:
        return None
    offered = variable.offered(knowledge.offers[setting.name][0].values)
    if not offered & ~mask or _is_required(knowledge, bits, cause, value, setting.name, offered, mask):
        return None
    return _New(cause.name, setting.name, "", mask)


def _is_required(
    knowledge: Knowledge, bits: Mapping[str, int], cause: _AttributeSetting, value: str, name: str, offered: int, mask: int
) -> bool:  # fmt: skip
    """Whether a constraint of the library requires as much."""
    return any(
        constraint.require is not None
        and constraint.require[0] == name
        and not offered & constraint.require[1] & ~mask
        and all(
            (bits[n] if n in bits else cause.variable.bit(value) if n == cause.name else 0) & when
            for n, when in constraint.when
        )
        for constraint in knowledge.constraints
    )


def _constraint(
    server: Server, settings: Mapping[str, _AttributeSetting], new: _New, causes: int, source: Source, at: Span
) -> Constraint:  # fmt: skip
    cause, setting = settings[new.cause], settings[new.setting]
    does = {LOCKED: "sets and locks", KEPT: "locks", HIDDEN: "hides", "": "takes values from"}[new.flag]
    values = " or ".join(plain(str(cause.texts[v])) for v in cause.texts if cause.variable.bit(v) & causes)
    return Constraint(
        name=f"{server.file}: {plain(setting.attribute)} by {plain(cause.attribute)}{f' ({new.flag})' if new.flag else ''}",
        when=((new.cause, causes),),
        require=(new.setting, new.values),
        because=f"the firmware {does} {plain(setting.attribute)} while {plain(cause.attribute)} is {values}",
        citation=Citation(source.name, f"{plain(setting.attribute)} dependencies"),
        span=at,
        lock=new.flag,
    )
