"""What a script compares with the running system: a setting, the value that it is to have, and the files that show it.

The functions that compare are in `shell/live.sh`. Values and names are words of the kernel's or of tuned's own, without blanks or
quotes. Reasons are ASCII, since some readers use the encoding of a locale, and a daemon may have none.
"""

from typing import Annotated

from pydantic import Field

from setpoint.compiler.plan.model import Decision, Plan
from setpoint.targets._linux import reason
from setpoint.targets._shared.forms import Form, KernelPath

LiveWord = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.,:|+-]+$")]
LiveValue = Annotated[str, Field(pattern=r"^>?[A-Za-z0-9_.,:|+-]+$")]
"""A value; `>` raises what is below it (read-ahead), and `|` separates alternatives. No shell reads it without quotes."""

AsciiReason = Annotated[str, Field(pattern=r"^[\x20-\x7e]+\)$")]
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


def file_of_sysctl(name: str) -> str:
    """The file of a sysctl."""
    return f"/proc/sys/{name.replace('.', '/')}"


def ascii_reason(plan: Plan, decision: Decision) -> str:
    """The reason of a value as a comment of one line, in ASCII."""
    return reason(plan, decision).encode("ascii", "backslashreplace").decode("ascii")
