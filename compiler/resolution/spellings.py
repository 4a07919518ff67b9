"""How the settings of a plan are spelt on its server: for each interface, the spellings with the narrowest condition.

Several spellings with one condition belong together, as where one setting has two attributes. The plan contains them
all, so that targets need no knowledge base.
"""

from collections.abc import Sequence

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.boxes import ANY, holds
from setpoint.compiler.knowledge.interfaces import INTERFACES, ShownFile, SpelledText
from setpoint.compiler.knowledge.model import Knowledge, Spelling, narrowest
from setpoint.compiler.knowledge.variable import Variable
from setpoint.compiler.plan.model import Shown, SpelledValue
from setpoint.compiler.resolution.ground import neither_narrower


def spelled_values(
    knowledge: Knowledge, setting: str, value: str, bits: dict[str, int], intent: Span
) -> tuple[SpelledValue, ...]:
    """What the value of a setting is for these facts, in each interface that has it, in the order of their names.

    Raises SetpointError (E0304), at `intent`, if some with different conditions apply and neither is narrower.
    """
    variable = knowledge.variables[setting]
    return tuple(
        _spelled(spelling, value, variable) for spelling in spellings_here(knowledge, setting, bits, intent)
    )


def spellings_here(
    knowledge: Knowledge, setting: str, bits: dict[str, int], intent: Span
) -> tuple[Spelling, ...]:
    """The spellings of a setting for these facts. Raises SetpointError (E0304), as `spelled_values` does."""
    fitting: dict[str, list[Spelling]] = {}
    for spelling in knowledge.spellings.get(setting, ()):
        if holds(spelling.when, bits):
            fitting.setdefault(spelling.interface, []).append(spelling)
    return tuple(spelling for spellings in fitting.values() for spelling in _narrowest(spellings, intent))


def _spelled(spelling: Spelling, value: str, variable: Variable) -> SpelledValue:
    text = spelling.text_of(value, variable.bare(value)) or SpelledText(value, None, is_absent=False)
    shown = tuple(shown for file in spelling.shown for shown in _shown(file, text))
    by_value = {spelled.value: spelled for spelled in spelling.texts if spelled.value != ANY}
    # What can lock another setting has a text for each of its values, stated or not.
    if INTERFACES[spelling.interface].can_lock:
        for word in variable.words:
            if word not in by_value and (spelled := spelling.text_of(word)) is not None:
                by_value[word] = spelled
    texts = tuple(
        (spelled.value, spelled.text)
        for spelled in by_value.values()
        if spelled.text is not None and not spelled.is_absent
    )
    return SpelledValue(
        spelling.interface,
        spelling.names,
        text.text,
        text.is_absent,
        shown,
        texts,
        spelling.place,
        spelling.type,
    )


def _shown(file: ShownFile, text: SpelledText) -> tuple[Shown, ...]:
    """What a file shows for a value: the text that the interface was given, unless the file has texts of its own."""
    if file.texts:
        own = (spelled for spelled in file.texts if spelled.value == text.value)
        return tuple(Shown(file.file, file.comparison, spelled.text, spelled.is_same) for spelled in own)
    if text.is_absent or not text.text:
        return ()
    return (Shown(file.file, file.comparison, text.text, is_same=True),)


def _narrowest(spellings: Sequence[Spelling], intent: Span) -> Sequence[Spelling]:
    used = narrowest(spellings)
    if any(other.when != used[0].when for other in used):
        spans = [spelling.span for spelling in used if spelling is used[0] or spelling.when != used[0].when]
        what = f"spellings of `{used[0].setting}` ({used[0].interface})"
        advice = "narrow the condition of one of them: add `if …`"
        raise SetpointError(neither_narrower(what, spans, intent, advice))
    return used
