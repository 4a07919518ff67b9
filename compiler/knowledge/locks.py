"""What firmware sets and locks: the effects of a profile on its members, and of one setting on another.

While a profile other than *custom* is set, firmware takes no value for most settings that the profile stands for, and
usually sets them itself. Other settings are set or locked by single values elsewhere, as x2APIC is without
virtualization. Who writes the settings of a server has to know which: a locked one that firmware sets becomes right
along with what locks it, and one that firmware only locks must be right before.

Presets say this of profiles, cell by cell, and constraints of single settings, by a flag.
"""

from setpoint.compiler.diagnostics.source import Placed
from setpoint.compiler.knowledge.boxes import Box
from setpoint.compiler.knowledge.citation import Citation

FREE = "free"
"""In the cell of a preset: the profile neither changes nor locks the member."""

KEPT = "kept"
"""Before a cell's value, or as the flag of a constraint: the setting is locked, and keeps the value that it had."""

INITIALLY = "initially"
"""Before a cell's value: the profile sets the member, which can be changed afterwards."""

LOCKED, HIDDEN = "locked", "hidden"
"""Flags of a constraint: firmware sets the required value and locks the setting; the setting cannot be read either."""

SETS = (LOCKED, HIDDEN)
"""The flags with which firmware sets the required value."""

FLAGS = (LOCKED, KEPT, HIDDEN)
"""What a constraint can say of the setting that it requires."""


class Preset(Placed):
    """What each value of a governing setting does to its members: `columns[value][member]` is a fixed value, or `FREE`.

    Without a cell it is unknown whether the firmware locks the member. Firmware sets a fixed member, except for the
    pairs of value and member in `kept`; for those in `undecided` it sets this or another value. `initial` has the value
    to which it sets a free member, by value of the governing setting and member.
    """

    governor: str
    when: Box
    columns: dict[str, dict[str, str]]
    members: tuple[str, ...]
    citation: Citation
    kept: frozenset[tuple[str, str]]
    undecided: frozenset[tuple[str, str]]
    initial: dict[tuple[str, str], str]
