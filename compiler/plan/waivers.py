"""Waivers: which kinds there are, which warnings each is for, and what a policy says to waive one.

A hazard is waived by its name. Other warnings have no names; they are waived by what they are about: advice, by its
source or its setting; a value that overrides another, or that no artifact sets, by its setting. So a waiver covers no
more than its reader can see, and none hides that an artifact lacks a value because somebody has benchmarked it. A known
difference between plan and server is waived by its setting. No plan shows it, so whether such a waiver has an effect is
found by `verify`.
"""

from collections.abc import Iterable

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.plan.model import Waiver

HAZARD = "hazard"
ADVICE, OVERRIDE, OMISSION = "advice", "override", "omission"
DIFFERENCE = "difference"

KINDS = {
    "W0301": ADVICE,
    "W0302": OVERRIDE,
    "W0303": ADVICE,
    "W0304": OMISSION,
    "W0305": OVERRIDE,
    "W0306": OMISSION,
    "W0501": OMISSION,
}
"""The kind of waiver that each warning can have, by its code."""

FORMS = {
    ADVICE: (
        'accept advice of SOURCE because "…";',
        'accept advice about SETTING because "…";',
        'accept advice of SOURCE about SETTING because "…";',
    ),
    OVERRIDE: ('accept override of NAME because "…";',),
    OMISSION: ('accept omission of SETTING because "…";', 'accept omission of firmware because "…";'),
    DIFFERENCE: ('accept difference of SETTING because "…" until DATE;',),
}
"""How waivers of each kind are written."""

FIRMWARE = "firmware"
"""What is omitted where nothing tunes the firmware: `accept omission of firmware`."""

EVIDENCE = "evidence"
"""What is overridden where a narrower level requires another strength of evidence: `accept override of evidence`."""

FOREVER = "9999-12-31"
"""Where waivers without an end stand among those with one."""


TO_WAIVE = "to waive it"
"""How the help begins that has the statement."""


def way_to_waive(name: str, part: str = "") -> str:
    """The help of a finding that can be waived: the statement for it, by what it is to waive (`advice about smt`).

    `part` is what of the finding it waives, if it is not the whole.
    """
    return f'{TO_WAIVE}{part and f" for `{part}`"}: `accept {name} because "…";`'


class Coverage:
    """Finds the waivers of warnings, and keeps which of them were found."""

    def __init__(self, waivers: Iterable[Waiver]) -> None:
        self._waivers = [waiver for waiver in waivers if waiver.kind != HAZARD]
        self._covers: dict[str, list[Diagnostic]] = {waiver.name: [] for waiver in self._waivers}
        self._needed: set[str] = set()

    def waiver(self, code: str, setting: str, source: str = "") -> str:
        """The name of the waiver for a warning of this code about a setting, on advice of the source; "" without one.

        Of several it is the one that lasts longest: while one of them is valid, that one is.
        """
        kind = KINDS.get(code, "")  # a warning of no kind cannot be waived
        waivers = [waiver for waiver in self._waivers if waiver.is_about(kind, source, setting)]
        self._needed.update(waiver.name for waiver in waivers)
        return max(waivers, key=lambda w: (w.until or FOREVER, w.name)).name if waivers else ""

    def grouped(self, code: str, settings: Iterable[str]) -> list[tuple[str, list[str]]]:
        """The settings of one warning of a code: those without a waiver (""), then those that each waiver covers."""
        groups: dict[str, list[str]] = {}
        for setting in settings:
            groups.setdefault(self.waiver(code, setting), []).append(setting)
        return sorted(groups.items())

    def add(self, name: str, finding: Diagnostic) -> None:
        """Keep a warning with its waiver."""
        self._covers[name].append(finding)

    def waived(self, waiver: Waiver) -> Waiver:
        """A waiver with the warnings that it covers. One of something else is as it was."""
        if waiver.kind in (HAZARD, DIFFERENCE):
            return waiver
        covers = tuple(self._covers[waiver.name])
        return waiver._replace(
            covers=covers,
            stands=waiver.stands or waiver.name in self._needed,
            what="; ".join(warning.message for warning in covers),
        )
