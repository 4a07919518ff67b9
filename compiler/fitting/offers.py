"""What the library offers, without what the server's registry does not allow.

A setting is compared by its spelling. Each of its attributes must be in the registry; each of its values must be one of
the attribute's, in the attribute's own type; ranges of numbers are intersected with the bounds and increments.

An attribute that is read-only, immutable or hidden stays as it is, unless a dependency explains that: then another
value of another setting makes it writable, and the dependency says so. A dependency on an attribute that no setting
writes has one outcome, since that attribute keeps its current value.
"""

import math
import re
from collections.abc import Iterator, Mapping

from setpoint.compiler.fitting.server import Server
from setpoint.compiler.knowledge.interfaces import INTEGER as AS_INTEGER
from setpoint.compiler.knowledge.interfaces import Spelling, TypedValue, typed_value, value_text
from setpoint.compiler.knowledge.model import Citation, Offer
from setpoint.compiler.knowledge.quantity import Numbers, lowest_in
from setpoint.compiler.knowledge.variable import Variable
from setpoint.compiler.plan.server import ABSENT, FEWER, FIXED, Limited
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.registries.model import (
    BOOLEAN,
    ENUMERATION,
    HIDDEN,
    IMMUTABLE,
    INTEGER,
    READ_ONLY,
    STRING,
    Attribute,
    Scalar,
)
from setpoint.compiler.registries.state import EffectiveAttribute
from setpoint.compiler.registries.words import plain

MOST_NUMBERS = 10_000
"""The maximum number of numbers of a range that are compared one by one, where each has a text of its own."""

FLAGS = {HIDDEN: "hidden", IMMUTABLE: "immutable", READ_ONLY: "read-only"}
"""The flags of attributes that nobody can write, in words."""


class Spelt(NamedTuple):
    """An attribute of a setting: its spelling, what the registry declares, and what is left of that under known values.

    `is_seen_only` says that only its current value is known, and nothing of what else it takes.
    """

    spelling: Spelling
    attribute: Attribute
    effective: EffectiveAttribute
    is_seen_only: bool

    def value(self, variable: Variable, value: str) -> TypedValue | None:
        """What the attribute gets for a value of the setting; None if no source says."""
        spelt = self.spelling.text_of(value, variable.bare(value))
        return None if spelt is None or spelt.text is None else typed_value(spelt.text, self.spelling.type)

    def takes(self, value: TypedValue | None) -> bool:
        """Whether the attribute takes a value; where no source says what that is, nothing speaks against it."""
        if value is None:
            return True
        attribute = self.attribute
        if attribute.type == INTEGER:
            if isinstance(value, bool) or not isinstance(value, int):
                return False
            low, high, step = _bounds(attribute)
            return (
                (low is None or low <= value)
                and (high is None or value <= high)
                and not (value - (low or 0)) % step
            )
        if attribute.type == BOOLEAN:
            return isinstance(value, bool)
        if not isinstance(value, str):
            return False
        if attribute.type == STRING:
            least, greatest = attribute.lengths
            return (least or 0) <= len(value) and (greatest is None or len(value) <= greatest)
        return attribute.type == ENUMERATION and (self.is_seen_only or value in self.effective.possible)


def fitted_offer(
    server: Server, variable: Variable, offer: Offer, names: tuple[Spelling, ...],
    states: Mapping[str, EffectiveAttribute], source: str,
) -> tuple[Offer | None, Limited | None]:  # fmt: skip
    """What is left of an offer, None if nothing is; and what the registry limits, None if it allows everything.

    `names` are the setting's spellings as attributes, and `states` the effective attributes under the known values.
    `source` is the name of the registry as a source.
    """
    missing = [
        name for spelling in names for name in spelling.names if name not in server.registry.attributes
    ]
    if missing:
        return None, Limited(offer.setting, ABSENT, f"no attribute {plain(missing[0])}")
    spelt = [
        Spelt(spelling, server.registry.attributes[name], states[name], server.is_seen_only)
        for spelling in names
        for name in spelling.names
    ]
    for attribute in spelt:
        if why := _unwritable(server, attribute):
            return _as_it_is(server, variable, offer, attribute, why, source)
    return _narrowed(server, variable, offer, spelt)


def _narrowed(
    server: Server, variable: Variable, offer: Offer, spelt: list[Spelt]
) -> tuple[Offer | None, Limited | None]:
    """The offer of a setting that can be written, with the values that its attributes take."""
    kept = [
        (text, label)
        for value, label in zip(offer.values, offer.labels, strict=True)
        for text in _left(variable, value, spelt)
    ]
    if tuple(value for value, _ in kept) == offer.values:
        return offer, None
    takes = "; ".join(
        f"{plain(attribute.attribute.name)} takes {server.offered(attribute.attribute, attribute.effective.possible)}"
        for attribute in spelt
    )
    if not kept:
        return None, Limited(offer.setting, ABSENT, takes)
    values = tuple(value for value, _ in kept)
    default = offer.default if offer.default and variable.listed(values, offer.default) else ""
    narrowed = offer._replace(
        values=values,
        labels=tuple(label for _, label in kept),
        default=default,
        unknown=offer.unknown or not default,
    )
    return narrowed, Limited(offer.setting, FEWER, takes)


# ------------------------------------------------------------------------------------------ unwritable


def _unwritable(server: Server, attribute: Spelt) -> str:
    """Why nobody can write an attribute; "" if somebody can.

    In lockdown most flags are set, and say nothing of a single attribute.
    """
    flags = attribute.effective.flags - ({READ_ONLY, IMMUTABLE} if server.is_locked_down else set())
    reasons = [words for flag, words in FLAGS.items() if flag in flags]
    return f"{plain(attribute.attribute.name)} is {' and '.join(reasons)}" if reasons else ""


def _as_it_is(
    server: Server, variable: Variable, offer: Offer, fixed: Spelt, why: str, source: str,
) -> tuple[Offer | None, Limited]:  # fmt: skip
    """The offer of the one value that the server has; none if that is not known, or has no name in the library."""
    forced = fixed.effective.forced
    now: Scalar = forced[0] if forced else server.current.get(fixed.attribute.name)
    if now is None:
        unknown = (
            "the server shows no value for it" if server.current else "its value is not given (--current)"
        )
        return None, Limited(offer.setting, ABSENT, f"{why}, and {unknown}")
    value = _named(variable, fixed, offer, now)
    if not value:
        return None, Limited(
            offer.setting, ABSENT, f"{why}, and has {plain(value_text(now))}, which the library does not know"
        )
    label = dict(zip(offer.values, offer.labels, strict=True)).get(value, "")
    here = offer._replace(
        values=(value,),
        labels=(label,),
        default=offer.default if offer.default == value else "",
        unknown=offer.unknown or offer.default != value,
        citation=Citation(source, plain(fixed.attribute.name)),
    )
    return here, Limited(offer.setting, FIXED, f"{why}, and has {plain(value_text(now))}")


def _named(variable: Variable, attribute: Spelt, offer: Offer, now: Scalar) -> str:
    """The value of a setting that an attribute's value is; "" if there is none."""
    words = dict.fromkeys(
        [*offer.values, *(text.value for text in attribute.spelling.texts), *variable.words]
    )
    known = [word for word in words if word in variable.words or variable.is_quantity(word)]
    if isinstance(variable.scale, Numbers):
        match = re.fullmatch(r"[^0-9]*([0-9]{1,15})[^0-9]*", str(now))
        if match and variable.scale.has(int(match[1])):
            known.append(variable.scale.text(int(match[1])))
    return next((word for word in known if same(attribute.value(variable, word), now)), "")


def same(spelt: TypedValue | None, now: Scalar) -> bool:
    """Whether what a value is spelt as is what a service shows."""
    return spelt is not None and type(spelt) is type(now) and spelt == now


# --------------------------------------------------------------------------------------------- values


def _left(variable: Variable, value: str, spelt: list[Spelt]) -> Iterator[str]:
    """What is left of a value or a range of an offer."""
    scale = variable.scale
    if not isinstance(scale, Numbers) or " " not in value:
        if all(attribute.takes(attribute.value(variable, value)) for attribute in spelt):
            yield value
        return
    numbers = scale.alternative(value)
    low, high, step = numbers.low, numbers.high, numbers.step
    texts = [attribute.spelling.text_of(scale.text(low), str(low)) for attribute in spelt]
    if all(
        attribute.attribute.type == INTEGER
        and attribute.spelling.type == AS_INTEGER
        and text is not None
        and text.text == str(low)
        for attribute, text in zip(spelt, texts, strict=True)
    ):
        for attribute in spelt:
            met = _met(low, high, step, _bounds(attribute.attribute))
            if met is None:
                return
            low, high, step = met
        if (low, high, step) == numbers[1:4]:
            yield value
        else:
            by = f" step {step}" if step > scale.step and low < high else ""
            yield scale.range_text(low, high) + by
        return
    every = range(low, high + 1, step)
    if len(every) > MOST_NUMBERS:
        return
    kept = [
        n
        for n in every
        if all(attribute.takes(attribute.value(variable, scale.text(n))) for attribute in spelt)
    ]
    if len(kept) == len(every):
        yield value
    else:
        yield from map(scale.text, kept)


def _bounds(attribute: Attribute) -> tuple[int | None, int | None, int]:
    low, high, step = attribute.bounds
    return low, high, max(step or 1, 1)


def _met(
    low: int, high: int, step: int, bounds: tuple[int | None, int | None, int]
) -> tuple[int, int, int] | None:
    """The numbers that are in both ranges, each in its own steps; None if there are none."""
    least, greatest, by = bounds
    first = lowest_in(
        low, high, step, low if least is None else least, high if greatest is None else greatest
    )
    if first is None:
        return None
    apart, common = (least or 0) - first, math.gcd(step, by)
    if apart % common:
        return None
    lowest = first + step * (apart // common * pow(step // common, -1, by // common) % (by // common))
    top = high if greatest is None else min(high, greatest)
    if lowest > top:
        return None
    both = math.lcm(step, by)
    return lowest, top - (top - lowest) % both, both
