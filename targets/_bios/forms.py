"""The forms between a plan and the files that write BIOS attributes: a setting's spelling, its locks, and the lines to
write.

`attributes` says how a plan becomes them.
"""

from collections.abc import Mapping

from setpoint.compiler.knowledge.interfaces import TypedValue, value_text
from setpoint.compiler.record import NamedTuple

AHEAD, WRITE, FIXED = "ahead", "write", "fixed"
"""The roles of a line: written by the plan, but locked in its end state; written; locked, and not written."""

FIRST, THEN, ALONG = "first", "then", "along"
"""The steps of a line: to be in effect before the rest is written; written with the rest; set by another line."""


class AttributeLock(NamedTuple):
    """A lock of an attribute: `setting` has `value`, or does not have it (`unless`).

    `hides` says that the attribute cannot even be read then.
    """

    setting: str
    value: str
    unless: bool = False
    hides: bool = False


class AttributeSpelling(NamedTuple):
    """The spelling of a setting on a platform: the attribute's name, and its values, of the attribute's type.

    `racadm` is its name in racadm, or "" where no source says.
    `kept` has the settings and values that lock the attribute without setting it, `undecided` those that set it to one
    of several values. `others` are further attributes of the setting, which are written with it.
    """

    setting: str
    name: str
    values: dict[str, TypedValue]
    locks: tuple[AttributeLock, ...]
    kept: frozenset[tuple[str, str]] = frozenset()
    undecided: frozenset[tuple[str, str]] = frozenset()
    racadm: str = ""
    others: tuple["AttributeSpelling", ...] = ()

    @property
    def every(self) -> tuple["AttributeSpelling", ...]:
        """All attributes of the setting."""
        return (self, *self.others)


class WriteCondition(NamedTuple):
    """A lock in terms of the firmware: the attribute can be written while `attribute` has `value` (or has not)."""

    attribute: str
    value: TypedValue
    equal: bool

    def is_met(self, current: Mapping[str, TypedValue]) -> bool:
        """Whether a server with these values is known to fulfil it."""
        return self.attribute in current and (current[self.attribute] == self.value) is self.equal

    def __str__(self) -> str:
        """The condition as plans have it: `SysProfile=Custom`."""
        return f"{self.attribute}{'=' if self.equal else '!='}{value_text(self.value)}"


class Opening(NamedTuple):
    """The values with which a locking attribute, `governor`, lets another be written: its own, and of what locks it."""

    governor: str
    values: dict[str, TypedValue]


class AttributeLine(NamedTuple):
    """An attribute and its value; `role` is `ahead`, `write` or `fixed`.

    `conditions` say when it can be written. `governors` are the attributes that lock it in the end state, and `set_by`
    those that also set it; `openings` say with which of their values it can be written. `early` says that it must be
    right before they are. `cause` names the source of the value on one line, for a comment. `right` says that the
    server has the value already, and `open` has the locking attributes that have a value there with which it can be
    written.
    """

    setting: str
    attribute: str
    value: TypedValue
    role: str
    conditions: tuple[WriteCondition, ...]
    racadm: str
    cause: str
    governors: tuple[str, ...] = ()
    set_by: tuple[str, ...] = ()
    openings: tuple[Opening, ...] = ()
    early: bool = False
    right: bool = False
    open: tuple[str, ...] = ()

    @property
    def step(self) -> str:
        """When it becomes right: `first`, `then` or `along`."""
        return FIRST if self.early else ALONG if self.set_by else THEN

    @property
    def opened_by(self) -> dict[str, TypedValue]:
        """The values of attributes with which it can be written, without those of governors that let it be already."""
        closed = {condition.attribute for condition in self.conditions}
        return {
            name: value
            for opening in self.openings
            if opening.governor in closed
            for name, value in opening.values.items()
        }


class Spelling(NamedTuple):
    """The lines of a plan in the order of writing; the settings that they express; and those left out, with the reason.

    `assumed` are the attributes that the plan leaves alone, with their assumed values.
    """

    lines: tuple[AttributeLine, ...]
    expressed: frozenset[str]
    left_out: dict[str, str]
    assumed: dict[str, TypedValue]

    def having(self, role: str) -> tuple[AttributeLine, ...]:
        """The lines of one role."""
        return tuple(line for line in self.lines if line.role == role)

    def at(self, step: str) -> tuple[AttributeLine, ...]:
        """The lines of one step that the server does not have yet, without the conditions that it fulfils."""
        return tuple(
            line._replace(
                conditions=tuple(
                    condition for condition in line.conditions if condition.attribute not in line.open
                )
            )
            for line in self.lines
            if line.step == step and not line.right
        )
