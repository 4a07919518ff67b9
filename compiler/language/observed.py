"""The nodes of `observe` blocks: where a running system shows settings."""

from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.language.names import Condition, Name
from setpoint.compiler.record import NamedTuple, distinct


@distinct
class Selected(NamedTuple):
    """`bit 25`, `bits 3 to 6`, `line "Speed"`: the part of what a place shows. `names` are the bits, or the beginning of the line."""

    kind: str
    names: tuple[Name, ...]
    span: Span


@distinct
class ObservedValue(NamedTuple):
    """`on "0"`, `on "on" or "off"`, `off absent`: a value and the texts that stand for it; "" is for none of the texts of others."""

    value: Name
    texts: tuple[Name, ...]


@distinct
class GuardClause(NamedTuple):
    """`while "msr 0x1fc" bit 34 not "1"`: what another place must show, or must not show (`negated`)."""

    place: Name
    selected: Selected | None
    negated: bool
    text: Name
    span: Span


@distinct
class ObservationStatement(NamedTuple):
    """`turbo on "0", off "1" in "msr 0x1a0" bit 38 overwritten by … at "…" if …;`

    `form` is the word after `as`, `factor` that after `times`. `owner` is a setting, or a text if `is_described`.
    """

    setting: Name
    values: tuple[ObservedValue, ...]
    place: Name
    selected: Selected | None
    form: Name | None
    factor: Name | None
    guards: tuple[GuardClause, ...]
    owner: Name | None
    is_described: bool
    at: Name | None
    when: tuple[Condition, ...]
    span: Span


@distinct
class UnseenStatement(NamedTuple):
    """`sgx-memory-size nowhere because "…" at "…" if …;`"""

    setting: Name
    because: Name
    at: Name | None
    when: tuple[Condition, ...]
    span: Span


@distinct
class Observations(NamedTuple):
    """`observe of SOURCE when cpu … { observations }`."""

    source: Name
    when: tuple[Condition, ...]
    observations: tuple[ObservationStatement | UnseenStatement, ...]
    span: Span
