"""Observations in words, for listings and for the reference."""

from setpoint.compiler.knowledge.model import Observation
from setpoint.compiler.knowledge.observations import WHOLE, Guard


def place_text(one: Observation) -> str:
    """Where a setting is read: `msr 0x1a0 bit 38`, `/proc/cpuinfo as flag`."""
    form = "" if one.word == WHOLE else f" as {one.word}"
    factor = f" times {one.factor}" if one.factor else ""
    return f"{one.place}{_part(one.bits, one.line)}{form}{factor}"


def shown_texts(one: Observation) -> str:
    """The texts for each value: `on "0"; off "1" or "2"`."""
    values: dict[str, list[str]] = {}
    for text, value in one.texts:
        values.setdefault(value, []).append(f'"{text}"' if text else "absent")
    return "; ".join(f"{value} {' or '.join(texts)}" for value, texts in values.items())


def guards_text(one: Observation) -> str:
    """What other places must show: `/sys/… shows "acpi_idle"`."""
    return "; ".join(_guard(guard) for guard in one.guards)


def counts_text(one: Observation) -> str:
    """When it counts, and who may have changed it since: `if … shows "…"; may be overwritten by intel-idle`."""
    owner = f"may be overwritten by {one.owner}" if one.owner else ""
    return "; ".join(filter(None, (f"if {guards_text(one)}" if one.guards else "", owner)))


def _guard(guard: Guard) -> str:
    verb = "shows" if guard.is_same else "does not show"
    return f'{guard.place}{_part(guard.bits, guard.line)} {verb} "{guard.text}"'


def _part(bits: tuple[int, int] | None, line: str) -> str:
    if bits is None:
        return f" line {line}" if line else ""
    return f" bit {bits[0]}" if bits[0] == bits[1] else f" bits {bits[0]} to {bits[1]}"
