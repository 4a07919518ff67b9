"""The values of captured servers in the words of policies: for each setting the value that verification confirms.

Verification compares and does not read. So the values of a setting are tried one after the other; of numbers and lists,
those that are read at a place where the setting is written or observed. The names of values in the interfaces depend on
the facts alone, and are computed once for all servers with the same facts.
"""

from collections.abc import Iterator
from functools import cache, cached_property

from setpoint.compiler.audit.recognise import value_of
from setpoint.compiler.captures.model import Capture
from setpoint.compiler.captures.wanted import interface_places
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.interfaces import value_text
from setpoint.compiler.knowledge.model import Knowledge, Offer, Spelling
from setpoint.compiler.plan.model import Plan, SpelledValue
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.spellings import spelled_values, spellings_here
from setpoint.compiler.verification.firmware import AUTOMATIC, configured_values
from setpoint.compiler.verification.model import (
    CONFIGURED,
    DIFFERENCES,
    OK,
    OVERRIDDEN,
    PENDING,
    UNRESOLVED,
    SettingVerdict,
)
from setpoint.compiler.verification.observed import shown_values
from setpoint.compiler.verification.programs import READERS, printed_value
from setpoint.compiler.verification.questions import (
    ARGUMENT,
    ATTRIBUTE,
    SettingQuestion,
    plan_bits,
    question_of,
)
from setpoint.compiler.verification.texts import shown
from setpoint.compiler.verification.verdicts import ServerSides, sides, verdict

OF_THE_SYSTEM = ("/usr/lib/", "/lib/")
"""The folders of files that the operating system brings."""

LONGEST_READING = 120
"""How many characters of a reading a comment has."""


class AdoptedValue(NamedTuple):
    """The value of a setting on a server, where it was read, in words, and the `state` of its verdict."""

    value: str
    reading: str
    state: str = OK


class SettingsOfServer:
    """What the settings of servers with the same facts are called: `plan` is any plan with these facts."""

    def __init__(self, knowledge: Knowledge, plan: Plan, offers: dict[str, Offer]) -> None:
        self.knowledge, self.offers, self.plan = knowledge, offers, plan
        self.bits = plan_bits(plan, knowledge)
        self.decisions = {d.setting: d for d in plan.settings if not d.once}
        self.question = cache(self._question)
        self.spellings = cache(self._find_spellings)
        self.left_alone = cache(self._find_left_alone)

    def _question(self, setting: str, value: str) -> SettingQuestion | None:
        """What is asked about a value of a setting."""
        spelled = self.spelled(setting, value)
        decision = self.decisions[setting]._replace(value=value, spelled=spelled, unwritten="")
        return question_of(decision, self.knowledge, self.bits)

    def spelled(self, setting: str, value: str) -> tuple[SpelledValue, ...]:
        """What a value of a setting is in each interface."""
        return spelled_values(self.knowledge, setting, value, self.bits, NOWHERE)

    def _find_spellings(self, setting: str) -> tuple[Spelling, ...]:
        """The spellings of a setting on these servers."""
        return spellings_here(self.knowledge, setting, self.bits, NOWHERE)

    def values(self, setting: str) -> tuple[str, ...]:
        """The values of a setting that these servers offer, without numbers and lists; the default first."""
        words = self.knowledge.variables[setting].words
        offered = [value for value in words if self.is_offered(setting, value)]
        default = self.decisions[setting].default
        return tuple(dict.fromkeys([*([default] if default in offered else []), *offered]))

    def _find_left_alone(self, setting: str) -> str:
        """The value by which a setting of the operating system is left to the kernel: it has no text anywhere; "" if
        there is none.

        Of a setting whose default is known there is no need for one.
        """
        decision = self.decisions[setting]
        values = self.values(setting) if decision.layer == "os" and not decision.default else ()
        return next((value for value in values if self._is_nowhere(setting, value)), "")

    def _is_nowhere(self, setting: str, value: str) -> bool:
        spelled = self.spelled(setting, value)
        return bool(spelled) and all(spelled_value.is_absent for spelled_value in spelled)

    def is_offered(self, setting: str, value: str) -> bool:
        """Whether these servers offer a value of a setting."""
        offer = self.offers.get(setting)
        return offer is not None and bool(self.knowledge.variables[setting].listed(offer.values, value))


class GoldenServer:
    """A captured server: its name, and the values that it has."""

    def __init__(self, settings: SettingsOfServer, capture: Capture) -> None:
        self.name, self.settings = capture.name, settings
        self._sides = sides(capture)
        self._verdict = cache(self._find_verdict)

    @cached_property
    def values(self) -> dict[str, AdoptedValue]:
        """The value of each setting of which the capture shows it."""
        configured = configured_values(self.settings.plan, self._sides.controller)
        values = {}
        for setting in self.settings.decisions:
            if value := self._found(setting, configured.get(setting, "")):
                values[setting] = value
        return values

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        """The settings with their values: servers that have the same are alike."""
        return tuple((setting, value.value) for setting, value in self.values.items())

    def shows(self, setting: str, value: str) -> bool:
        """Whether the server has a value: that which was found, or one that cannot be told from it."""
        own_value = self.values.get(setting)
        if own_value is None:
            return False
        seen = self._verdict(setting, value)
        return own_value.value == value or (own_value.state == OK and seen is not None and seen.state == OK)

    def unlike(self, setting: str, value: str) -> str:
        """What the server shows in place of a value, in words; "" if it shows nothing else."""
        seen = self._verdict(setting, value)
        if setting in self.values or seen is None or seen.state not in DIFFERENCES:
            return ""
        return seen.reason if seen.state not in (OVERRIDDEN, PENDING) and seen.reason else _reading(seen)

    def _found(self, setting: str, configured: str) -> AdoptedValue | None:
        """The value of a setting: of several that cannot be told apart the one whose own text was read, else the first.

        Without one that is in effect, it is what was asked for: by the controller, for the next start, or by what
        something has overridden.
        """
        by_state: dict[str, AdoptedValue] = {}
        for value in self._candidates(setting):
            seen = self._verdict(setting, value)
            if seen is None:
                continue
            if (seen.state == OK and seen.found == seen.wanted) or _is_automatic(value, seen):
                return self._as_written(setting, value, seen)
            by_state.setdefault(seen.state, AdoptedValue(value, _reading(seen), seen.state))
            if value == configured:
                by_state.setdefault(CONFIGURED, AdoptedValue(value, _reading(seen), CONFIGURED))
        return next(
            (by_state[state] for state in (OK, CONFIGURED, PENDING, OVERRIDDEN) if state in by_state), None
        )

    def _as_written(self, setting: str, value: str, seen: SettingVerdict) -> AdoptedValue:
        """A value that is in effect; if no file of the site has it and it can be, that the setting is left alone."""
        left_alone, authors = self.settings.left_alone(setting), self._sides.authors
        question = self.settings.question(setting, value)
        if not left_alone or authors is None or question is None:
            return AdoptedValue(value, _reading(seen))
        files = [file for way in question.ways for file in way]
        author = authors.of(files, {reading.text for reading in seen.readings}).found_in
        if author and not author.startswith(OF_THE_SYSTEM):
            return AdoptedValue(value, f"{_reading(seen)}; {author} sets it")
        return AdoptedValue(left_alone, f"{_reading(seen)}; no file sets it")

    def _find_verdict(self, setting: str, value: str) -> SettingVerdict | None:
        question = self.settings.question(setting, value)
        return verdict(question, self._sides) if question is not None else None

    def _candidates(self, setting: str) -> Iterator[str]:
        """The values that the server may have: its words, and the numbers and lists that it shows."""
        settings = self.settings
        yield from settings.values(setting)
        variable = settings.knowledge.variables[setting]
        if variable.scale is None:
            return
        texts = (
            (spelling, text)
            for spelling in settings.spellings(setting)
            for text in _texts(spelling, self._sides)
        )
        read = dict.fromkeys(value_of(spelling, variable, text) for spelling, text in texts)
        question = settings.question(setting, settings.decisions[setting].value)
        if question is not None and self._sides.host is not None:
            read |= dict.fromkeys(sorted(shown_values(self._sides.host, question.observed)))
        yield from (value for value in read if value and settings.is_offered(setting, value))


def _texts(spelling: Spelling, server: ServerSides) -> Iterator[str]:
    """The texts that a server shows where a spelling writes its setting."""
    host, controller = server.host, server.controller
    if spelling.interface == ATTRIBUTE:
        values = controller.values or {}
        now = (values.get(name) for name in spelling.names)
        yield from (value_text(value) for value in now if isinstance(value, str | int))
        return
    if host is None:
        return
    for name in spelling.names:
        if spelling.interface == ARGUMENT:
            yield from (host.boot_line or {}).get(name.replace("-", "_"), ())[-1:]
        for place in interface_places(spelling.interface, (name,)):
            for reading in host.at(place):
                is_printed = spelling.interface in READERS
                text = printed_value(spelling.interface, name, reading.text) if is_printed else None
                yield (text or "") if is_printed else shown(reading.text)
    for file in spelling.shown:
        yield from (shown(reading.text) for reading in host.at(file.file))


def _is_automatic(value: str, seen: SettingVerdict) -> bool:
    """Whether the controller has an automatic value, of which no host shows what it came to."""
    is_configured = any(reading.kind == CONFIGURED for reading in seen.readings)
    return value == AUTOMATIC and seen.state == UNRESOLVED and is_configured


def _reading(seen: SettingVerdict) -> str:
    """Where the text of a verdict was read, and what it is."""
    if not seen.readings:
        return seen.found or ""
    first = seen.readings[0]
    return f"{first.place}: {first.text}"[:LONGEST_READING]
