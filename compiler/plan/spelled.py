"""What the value of a setting is where it is written, and what keeps firmware from taking it."""

from setpoint.compiler.record import NamedTuple, distinct


@distinct
class Shown(NamedTuple):
    """A file in which the running system shows a value: it contains `text`, or does not if `is_same` is False.

    `comparison` is how to compare, "" for the whole text.
    """

    file: str
    comparison: str
    text: str
    is_same: bool


@distinct
class SpelledValue(NamedTuple):
    """What the value of a setting is in an interface: each of the names gets the text, None if the interface has none.

    If `is_absent`, the names must not be there at all, or not with this text if it is not "". `texts` has the text of each
    value of the setting that has one, since what locks another setting may be a value that the plan does not have. `place` is
    that in the knowledge base's list of spellings. `type` is `integer` or `boolean` if the interface takes no text but one of
    these.
    """

    interface: str
    names: tuple[str, ...]
    text: str | None
    is_absent: bool
    shown: tuple[Shown, ...]
    texts: tuple[tuple[str, str], ...] = ()
    place: int = 0
    type: str = ""


@distinct
class Lock(NamedTuple):
    """What puts a setting out of use: firmware takes no value for it while `setting` has one of `values`.

    If `unless`, there is one, and it does while it does not have that. `hides` says that the locked setting cannot even be read. `kept` are the locking
    values under which it keeps the value that it had, `undecided` those under which firmware sets it to one of several.
    """

    setting: str
    values: tuple[str, ...]
    unless: bool
    hides: bool = False
    kept: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
