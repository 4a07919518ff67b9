"""What a plan asks of a server: for each setting that it writes or relies on, the words, files and attributes that show
its value.

Made once for each plan. A plan relies on what a profile sets for it or locks, on values that the server fixes, and on
the kernel's default where an earlier policy may have left an argument. What it leaves alone is not asked.
"""

from setpoint.compiler.captures.wanted import interface_places
from setpoint.compiler.knowledge.boxes import UNSTATED
from setpoint.compiler.knowledge.interfaces import TypedValue, typed_value
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.verification.boot import BootWord, boot_words
from setpoint.compiler.verification.model import SettingVerdict
from setpoint.compiler.verification.observed import ObservedSetting, observed_setting
from setpoint.compiler.verification.texts import LiveFile

RELIED_ON = ("locked", "profile", "fixed")
"""Why settings are not written on which a plan relies all the same."""

ATTRIBUTE, ARGUMENT = "attribute", "argument"
"""The interfaces of the controller and of the boot line."""


class AttributeWanted(NamedTuple):
    """A BIOS attribute: its name, its value, and the setting's value for each text that the interface has."""

    name: str
    value: TypedValue
    values: tuple[tuple[str, str], ...]


class SettingQuestion(NamedTuple):
    """What is asked about a setting.

    `ways` are the interfaces by which it may have been written, each with all of its files: one of them has to be
    right. If `is_leftover`, the plan leaves the setting at its default, and asks whether something from before is still
    there.
    """

    decision: Decision
    words: tuple[BootWord, ...]
    ways: tuple[tuple[LiveFile, ...], ...]
    attributes: tuple[AttributeWanted, ...]
    observed: ObservedSetting
    is_leftover: bool

    @property
    def wanted(self) -> str:
        """The value in the words of the system: of the controller, the boot line, or the files."""
        if self.words:
            return " ".join(word.wanted for word in self.words)
        if self.attributes:
            return ", ".join(dict.fromkeys(str(attribute.value) for attribute in self.attributes))
        if self.ways:
            return ", ".join(dict.fromkeys(file.text for file in self.ways[0]))
        return self.decision.value

    def verdict(self, state: str, reason: str = "") -> SettingVerdict:
        """A verdict that rests on no reading yet."""
        decision = self.decision
        return SettingVerdict(
            decision.setting, decision.layer, decision.value, self.wanted, None, None, state, reason
        )


class PlanQuestions(NamedTuple):
    """What is asked about the settings of a plan, in the order of decision."""

    plan: Plan
    settings: tuple[SettingQuestion, ...]


def questions(plan: Plan, knowledge: Knowledge, everything: bool = False) -> PlanQuestions:
    """The questions of a plan; with `everything` also about values that it only assumes to be at their default."""
    bits = plan_bits(plan, knowledge)
    asked = (question_of(decision, knowledge, bits, everything) for decision in plan.settings)
    return PlanQuestions(plan, tuple(question for question in asked if question is not None))


def plan_bits(plan: Plan, knowledge: Knowledge) -> dict[str, int]:
    """The facts of a plan, each as a set of its value; what the knowledge base does not know counts as not stated."""
    values = {fact.name: fact.value for fact in plan.facts}
    bits = {}
    for name in knowledge.kinds:
        try:
            bits[name] = knowledge.variables[name].bit(values[name]) if name in values else UNSTATED
        except ValueError:
            bits[name] = UNSTATED
    return bits


def question_of(
    decision: Decision, knowledge: Knowledge, bits: dict[str, int], everything: bool = False
) -> SettingQuestion | None:
    """What is asked about a decision; None if the plan neither writes it nor relies on it."""
    words = boot_words(decision)
    is_leftover = decision.unwritten == "default" and bool(decision.default) and bool(words)
    is_leftover = is_leftover and all(word.is_absent for word in words)
    is_assumed = everything and decision.unwritten == "default" and bool(decision.default)
    if not (decision.written or decision.unwritten in RELIED_ON or is_leftover or is_assumed):
        return None
    attributes = tuple(
        AttributeWanted(
            name,
            typed_value(spelled.text, spelled.type),
            tuple((text, value) for value, text in spelled.texts),
        )
        for spelled in decision.spelled_in(ATTRIBUTE)
        for name in spelled.names
        if spelled.text is not None
    )
    observed = observed_setting(knowledge, decision.setting, bits)
    return SettingQuestion(decision, words, _ways(decision), attributes, observed, is_leftover)


def _ways(decision: Decision) -> tuple[tuple[LiveFile, ...], ...]:
    """The interfaces of a decision that the running system shows, each with its files."""
    by_interface: dict[str, list[LiveFile]] = {}
    for spelled in decision.spelled:
        interface, text = spelled.interface, spelled.text
        if text is None or interface == ATTRIBUTE:
            continue
        if spelled.shown:
            files = [
                LiveFile(interface, spelled.names[0], place.file, place.comparison, place.text, place.is_same)
                for place in spelled.shown
            ]
        elif spelled.is_absent:
            continue
        else:
            files = [
                LiveFile(interface, name, place, "", text)
                for name in spelled.names
                for place in interface_places(interface, (name,))
            ]
        if files:
            by_interface.setdefault(interface, []).extend(files)
    return tuple(dict.fromkeys(tuple(files) for files in by_interface.values()))
