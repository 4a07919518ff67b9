"""Observations that no reader could take apart, or that contradict one another (K27).

A capture is read by these statements alone, so a text that stands for two values makes a verdict of chance. The checks
are: a text stands for one value; two observations of one part of one place read each text alike where both can apply,
or the narrower one counts; a text of bits is a number that they can hold; what nothing shows is not shown as well; what
may overwrite a setting is another setting, of a later layer, since firmware does not write over what Linux has done.
Two observations whose guards need different things of one place never count together.

As with spellings, conditions alone are compared.
"""

from collections.abc import Iterator
from itertools import combinations

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import LAYERS, Knowledge, Observation, covers, meet, narrower


def doubtful_observations(knowledge: Knowledge) -> Iterator[Diagnostic]:
    """All findings on observations."""
    for name, observations in knowledge.observations.items():
        for observation in observations:
            yield from _ambiguous(observation)
            yield from _beyond_bits(observation)
            yield from _wrong_owner(knowledge, observation)
        yield from _conflicts(observations)
        yield from _unseen_and_seen(knowledge, name)


def _ambiguous(observation: Observation) -> Iterator[Diagnostic]:
    """Texts that stand for two values."""
    first: dict[str, str] = {}
    for text, value in observation.texts:
        if first.setdefault(text, value) != value:
            shown = f'"{text}"' if text else "absent"
            yield _finding(
                f"`{observation.setting}` {first[text]} and {value} are shown alike at `{observation.place}`: {shown}",
                observation,
                "cannot be told apart",
                "drop one of the two: a value without a text is not compared",
            )


def _beyond_bits(observation: Observation) -> Iterator[Diagnostic]:
    """Texts that the bits of a number cannot be."""
    if observation.bits is None:
        return
    width = observation.bits[1] - observation.bits[0] + 1
    for text, _ in observation.texts:
        if "*" not in text and (not text.isdecimal() or str(int(text)) != text or int(text) >> width):
            yield _finding(
                f'"{text}" is no number of {width} bit{"s" if width > 1 else ""}, in decimal',
                observation,
                "never shown",
                f"the highest is {(1 << width) - 1}",
            )


def _wrong_owner(knowledge: Knowledge, observation: Observation) -> Iterator[Diagnostic]:
    """Owners that are settings of the same layer, or of an earlier one."""
    owner = knowledge.settings.get(observation.owner)
    if owner is None:
        return
    layer = knowledge.settings[observation.setting].layer
    if LAYERS.index(owner.layer) <= LAYERS.index(layer):
        yield _finding(
            f"`{owner.name}`, of layer {owner.layer}, cannot overwrite `{observation.setting}`, of layer {layer}",
            observation,
            "not later",
            "name a setting of a later layer, or say in quotes what overwrites it",
        )


def _conflicts(observations: tuple[Observation, ...]) -> Iterator[Diagnostic]:
    for a, b in combinations(observations, 2):
        if (a.place, a.bits, a.line) != (b.place, b.bits, b.line) or narrower(a, b) or narrower(b, a):
            continue
        both = meet(a.closed, b.closed)
        if both is None or _never_together(a, b):
            continue
        if any(covers(o.when, both) and (narrower(o, a) or narrower(o, b)) for o in observations):
            continue
        yield _finding(
            f"conflicting observations of `{a.setting}` at `{a.place}`: two apply, and neither is narrower",
            b,
            "another",
            "narrow the conditions of one, or let their `while` need different texts of one place",
            (Label(a.span, "one of them"),),
        )


def _never_together(a: Observation, b: Observation) -> bool:
    """Whether a guard of the one needs what a guard of the other excludes."""
    return any(
        (guard.place, guard.bits, guard.line) == (other.place, other.bits, other.line)
        and ((guard.text == other.text) is not (guard.is_same == other.is_same))
        and (guard.is_same or other.is_same)
        for guard in a.guards
        for other in b.guards
    )


def _unseen_and_seen(knowledge: Knowledge, name: str) -> Iterator[Diagnostic]:
    for unseen in knowledge.unseen.get(name, ()):
        for observation in knowledge.observations[name]:
            if meet(unseen.closed, observation.closed) is not None:
                yield _finding(
                    f"`{name}` is shown nowhere, and at `{observation.place}`",
                    observation,
                    "shown here",
                    "drop one of the two, or narrow its conditions",
                    (Label(unseen.span, "nowhere"),),
                )
                break


def _finding(
    message: str, at: Observation, label: str, advice: str, others: tuple[Label, ...] = ()
) -> Diagnostic:
    return Diagnostic("K27", message, at.span, label, others, help=(advice,))
