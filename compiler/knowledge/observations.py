"""Observations: where a running system shows settings, and what is read there for each value.

A file says what was written; whether it counts is another question. A kernel changes what firmware has set, firmware
keeps what a kernel may not change, and a register means something else on the next generation. So an observation has a
place, the part of what is read there, the texts that stand for each value, conditions, other places that must show
something for it to count (`guards`), and the layer that may have changed the place since (`owner`). What nothing on the
system shows is said as well (`Unseen`): to know no place is not the same as to know that there is none.

A place is a file, a register, what a program prints, the names in a folder, or a number that is counted from several
files. Whoever captures a system reads all of them, so the forms of places are closed: a knowledge file cannot have
another program run.
"""

from setpoint.compiler.diagnostics.source import Placed
from setpoint.compiler.knowledge.boxes import ANY, Box
from setpoint.compiler.knowledge.citation import Citation
from setpoint.compiler.knowledge.interfaces import Expression
from setpoint.compiler.record import NamedTuple

DERIVED = {
    "caches-per-node": "last-level caches for each NUMA node that has CPUs",
    "cores-per-package": "cores that are present for each package",
    "enabled-cores-per-core": "cores that are enabled, by all that processors have; the smallest ratio of all processors",
    "links-in-power-saving": "PCIe links that have L1 of ASPM on",
    "memory-clock-per-rated": "clock at which memory modules run, by the one that they are made for; the smallest ratio of all modules",
    "nodes-per-package": "NUMA nodes that have CPUs for each package",
    "threads-per-core": "threads that are present for each core",
    "uncore-minimum-per-maximum": "lowest frequency of the uncore that firmware allows, by its highest; the largest ratio of all dies",
}
"""What is counted over the whole system; a ratio that is not whole is a fraction in its lowest terms, such as `1/2`."""

REGISTER_BITS = 64
"""The width of a register of a CPU."""

MESSAGE_BITS = 32
"""The width of an answer of firmware to a message."""

PLACES = {
    "file": Expression(r"/(proc|sys|dev)(/[A-Za-z0-9_*-][A-Za-z0-9_.:*-]*)+"),
    "msr": Expression(r"msr 0x[1-9a-f][0-9a-f]{0,7}"),
    "hsmp": Expression(r"hsmp 0x[1-9a-f][0-9a-f]?"),
    "list": Expression(r"list /(proc|sys|dev)(/[A-Za-z0-9_*-][A-Za-z0-9_.:*-]*)+"),
    "run": Expression(r"run dmidecode -t [0-9]{1,3}"),
    "derived": Expression(rf"derived ({'|'.join(DERIVED)})"),
}
"""The forms of places: a file, a register of each CPU, a message to firmware, names in a folder, a program, a count.

`*` in a file stands for what differs: the number of a CPU, a node, a device.
"""

WHOLE, FLAG, BRACKETED, WORD = "", "flag", "bracketed", "word"

FORMS = (FLAG, BRACKETED, WORD)
"""How a text is taken if not as a whole: a flag of `/proc/cpuinfo`, the word in brackets, one of the words."""

FLAGS = "/proc/cpuinfo"
"""The file that lists the flags of CPUs."""


class Guard(NamedTuple):
    """What another place must show for an observation to count, or must not show (`is_same` is False)."""

    place: str
    bits: tuple[int, int] | None
    line: str
    text: str
    is_same: bool

    def holds(self, text: str) -> bool:
        """Whether what is read at its place is as it must be."""
        return (self.text in selected_parts(text, self.bits, self.line)) is self.is_same


class Observation(Placed):
    """Where a setting is seen: `place`, and the part of what is read there; `texts` has the text for each value.

    `bits` are the lowest and highest bit of the number that is read, and their text is that number in decimal. `line`
    is what a line of a text begins with, before a colon. `word` is one of `FORMS`, or "" for the whole text; of words,
    the text "" stands for none of the others. The value `any` stands for a number, which is where `*` is in its text,
    times `factor` in the setting's unit. `owner` is a setting, or something in words, that may have changed the place
    after the setting was applied; "" if nothing does. `closed` is `when` with everything that follows from it.
    """

    setting: str
    place: str
    bits: tuple[int, int] | None
    line: str
    word: str
    texts: tuple[tuple[str, str], ...]
    factor: str
    guards: tuple[Guard, ...]
    owner: str
    when: Box
    closed: Box
    citation: Citation

    def value_of(self, text: str, unit: str = "") -> str | None:
        """The value that a text read at its place shows, with the unit of the setting's numbers; None if it shows none.

        If several lines begin alike, as those of several modules do, those that show a value must show the same.
        """
        shown = {self._value_of_part(part, unit) for part in selected_parts(text, self.bits, self.line)}
        values = shown - {None}
        return values.pop() if len(values) == 1 else None

    def part_of(self, text: str) -> str:
        """What counts of a text that is read at its place: a number, a line, or a flag, with `no` if it is absent."""
        part = selected_part(text, self.bits, self.line)
        part = text.strip() if part is None else part
        if self.word != FLAG:
            return part
        return self._word(part) or f"no {' or '.join(raw for raw, _ in self.texts if raw)}"

    def _value_of_part(self, part: str, unit: str) -> str | None:
        if self.word:
            part = self._word(part)
        values = dict(self.texts)
        if part in values and values[part] != ANY:
            return values[part]
        return next((self._number(raw, part, unit) for raw, value in self.texts if value == ANY), None)

    def _word(self, part: str) -> str:
        """The word of a text that counts, "" if it has none."""
        if self.word == BRACKETED:
            return part.partition("[")[2].partition("]")[0]
        words = set((_flags(part) if self.word == FLAG else part).split())
        return next((raw for raw, _ in self.texts if raw in words), "")

    def _number(self, pattern: str, part: str, unit: str) -> str | None:
        before, _, after = pattern.partition("*")
        digits = part.removeprefix(before).removesuffix(after)
        if (
            part != f"{before}{digits}{after}"
            or not digits.isascii()
            or not digits.isdigit()
            or len(digits) > 20
        ):
            return None
        from fractions import Fraction  # no plan reads a number of a running system

        number = int(digits) * Fraction(self.factor or "1")
        return f"{number.numerator}{unit}" if number.denominator == 1 else None


class Unseen(Placed):
    """A setting that nothing on a running system shows, and why not: only the controller knows it, or nobody."""

    setting: str
    because: str
    when: Box
    closed: Box
    citation: Citation


def selected_parts(text: str, bits: tuple[int, int] | None, line: str) -> tuple[str, ...]:
    """The parts of a text: bits of a number, in decimal; what follows the beginning of each line; or all of it."""
    if bits is not None:
        try:
            number = int(text.strip()[:20], 0)
        except ValueError:
            return ()
        return (str(number >> bits[0] & (1 << (bits[1] - bits[0] + 1)) - 1),)
    if not line:
        return (text.strip(),)
    parts = (row.partition(":") for row in text.splitlines())
    return tuple(rest.strip() for head, colon, rest in parts if colon and head.strip() == line)


def selected_part(text: str, bits: tuple[int, int] | None, line: str) -> str | None:
    """The different parts of a text in one, to show them; None if it has no such part."""
    return ", ".join(dict.fromkeys(selected_parts(text, bits, line))) or None


def _flags(text: str) -> str:
    """The flags of the first CPU in the text of `/proc/cpuinfo`, or all words of a text that has only these."""
    return next(iter(selected_parts(text, None, "flags")), text)
