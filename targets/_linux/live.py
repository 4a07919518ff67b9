"""What a script compares with the running system: a setting, the value that it is to have, and the files that show it.

The functions that compare are in `shell/live.sh`. Values and names are words of the kernel's or of tuned's own, without quotes, and
without blanks but those between numbers. Reasons are ASCII, since some readers use the encoding of a locale, and a daemon may have none.
"""

from collections.abc import Iterable
from typing import Annotated

from setpoint.compiler.knowledge.interfaces import INTERFACES
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.targets._linux import reason
from setpoint.targets._shared.forms import Form, KernelPath, matching

LiveWord = Annotated[str, matching(r"^[A-Za-z0-9_.,:|+-]+$")]
LiveValue = Annotated[str, matching(r"^(>?[A-Za-z0-9_.,:|+-]+|[0-9]+( [0-9]+)+)$")]
"""A value; `>` raises what is below it (read-ahead), `|` separates alternatives, and blanks the numbers of a sysctl that has several.
No shell reads it without quotes."""

CardParameter = Annotated[str, matching(f"^{INTERFACES['ethtool'].name.pattern}$")]
"""A parameter of network cards: `coalesce rx-usecs`."""

AsciiReason = Annotated[str, matching(r"^[\x20-\x7e]+\)$")]
"""Half a sentence, closed by a bracket: see `setpoint.targets._linux.reason`."""

CHECKS = {
    "": "expect",
    "at-least": "expect_least",
    "first-offered": "expect_offered",
    "energy-bias": "expect_bias",
    "exit-latency": "expect_latency",
}
"""The function of `live.sh` for each comparison."""


class Compared(Form):
    """The spelling of a setting, and what a script compares: function `checks` with the live value, which is in `files`."""

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
    found = [
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
    return tuple(sorted(found, key=lambda each: each.parameter))


def file_of_sysctl(name: str) -> str:
    """The file of a sysctl."""
    return f"/proc/sys/{name.replace('.', '/')}"


def ascii_reason(plan: Plan, decision: Decision) -> str:
    """The reason of a value as a comment of one line, in ASCII."""
    return reason(plan, decision).encode("ascii", "backslashreplace").decode("ascii")
