"""What is compared with the running system: a setting, the value that it is to have, and the files that show it.

The program for hosts compares, by the lines that `live_lines` makes; its functions for that are in `shell/live.sh`.
Values and names are words of the kernel's or of tuned's own, without quotes, and without blanks but those between
numbers. Reasons are ASCII, since some readers use the encoding of a locale, and a daemon may have none.
"""

from collections.abc import Iterable
from typing import Annotated

from setpoint.compiler.knowledge.interfaces import INTERFACES
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.targets._host import columns
from setpoint.targets._linux import reason
from setpoint.targets._shared.forms import Form, KernelPath, matching

LiveWord = Annotated[str, matching(r"^[A-Za-z0-9_.,:|+-]+$")]
LiveValue = Annotated[str, matching(r"^(>?[A-Za-z0-9_.,:|+-]+|[0-9]+( [0-9]+)+)$")]
"""A value; `>` raises what is below it (read-ahead), `|` separates alternatives, and blanks the numbers of a sysctl
that has several. No shell reads it without quotes."""

CardParameter = Annotated[str, matching(f"^{INTERFACES['ethtool'].name.pattern}$")]
"""A parameter of network cards: `coalesce rx-usecs`."""

AsciiReason = Annotated[str, matching(r"^[\x20-\x7e]+\)$")]
"""Half a sentence, closed by a bracket: see `setpoint.targets._linux.reason`."""

CHECKS = {
    "": "value",
    "at-least": "least",
    "first-offered": "first",
    "energy-bias": "bias",
    "exit-latency": "latency",
}
"""The word of a plan for each comparison: see `plan.sh` of `setpoint.targets._host`."""


class Compared(Form):
    """The spelling of a setting, and how its live value, which is in `files`, is compared: `checks`."""

    setting: str
    value: LiveValue
    reason: AsciiReason
    checks: LiveWord | None = None
    files: tuple[KernelPath, ...] = ()

    @property
    def live(self) -> str:
        """What the running system is to show."""
        return self.value


UnitName = Annotated[str, matching(f"^{INTERFACES['unit'].name.pattern}$")]
"""A unit of systemd: `fwupd-refresh.timer`."""


class MaskedUnit(Form):
    """A unit that is masked: `masks.sh` does it. `value` is that of the setting."""

    setting: str
    value: LiveWord
    unit: UnitName
    reason: AsciiReason


def masked_units(plan: Plan, decisions: Iterable[Decision]) -> tuple[MaskedUnit, ...]:
    """The units that settings have masked."""
    return tuple(
        MaskedUnit(
            setting=decision.setting, value=decision.value, unit=name, reason=ascii_reason(plan, decision)
        )
        for decision in decisions
        for spelled in decision.spelled_in("unit")
        for name in (() if spelled.is_absent else spelled.names)
    )


class CardValue(Compared):
    """A value of a parameter of all network cards: `cards.sh` sets it and reads it."""

    parameter: CardParameter


def card_values(plan: Plan, decisions: Iterable[Decision]) -> tuple[CardValue, ...]:
    """The values that settings have for network cards, in the order of writing: by parameter.

    So whether a card adapts its delays comes before the delays, and channels, which can reset both, before either.
    """
    values = [
        CardValue(
            setting=decision.setting,
            parameter=name,
            value=spelled.text or "",
            reason=ascii_reason(plan, decision),
        )
        for decision in decisions
        for spelled in decision.spelled_in("ethtool")
        for name in (() if spelled.is_absent else spelled.names)
    ]
    return tuple(sorted(values, key=lambda value: value.parameter))


def live_lines(
    compared: Iterable[Compared], cards: Iterable[CardValue], masks: Iterable[MaskedUnit]
) -> list[str]:
    """The lines of a plan for live values, each with its reason."""
    values = [
        (value.checks or "", value.setting, " ".join(value.files), f"= {value.live}", value.reason)
        for value in compared
    ]
    of_cards = [("card", card.setting, card.parameter, f"= {card.live}", card.reason) for card in cards]
    units = [("mask", mask.setting, mask.value, mask.unit, mask.reason) for mask in masks]
    lines = [*columns(values), *columns(of_cards), *columns(units)]
    return ["", "# Live values: what shows each, and what it is to be.", *lines] if lines else []


def file_of_sysctl(name: str) -> str:
    """The file of a sysctl."""
    return f"/proc/sys/{name.replace('.', '/')}"


def ascii_reason(plan: Plan, decision: Decision) -> str:
    """The reason of a value as a comment of one line, in ASCII."""
    return reason(plan, decision).encode("ascii", "backslashreplace").decode("ascii")
