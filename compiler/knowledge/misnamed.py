"""Diagnostics for names that do not exist, with the name that was probably meant.

A name is written by `check --fix` only if nothing else can be meant: a typing mistake with one candidate, or a title or
an alias of one thing. What interfaces call a setting is suggested, but never written, since some say the opposite (a
boot argument such as `nosmt` and its setting).
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.slips import slip
from setpoint.compiler.knowledge.lookup import (
    Phrases,
    aliases_of,
    fact_meant,
    fact_phrases,
    meant,
    same_thing,
    setting_meant,
    setting_phrases,
    value_meant,
)
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.words import (
    advice_on_value,
    no_such_value,
    not_known,
    releases,
    respelt,
    suggestion,
    with_titles,
    wrong_quantity,
)
from setpoint.compiler.language.syntax import Name

STATEMENTS = ("set", "accept")
"""The statements whose misspelt keyword reads like a fact."""


def unknown_setting(knowledge: Knowledge, name: Name) -> Diagnostic:
    """The diagnostic for a setting that does not exist (E0201)."""
    meanings = setting_meant(knowledge, name.text)
    titles = {n: s.title for n, s in knowledge.settings.items()}
    if meanings:
        fixes = respelt(name, _sure(name.text, meanings, _own_phrases(knowledge, ""), titles))
        return not_known("setting", name, "E0201", _did_you_mean(name.text, meanings, titles), fixes=fixes)
    if fact := fact_meant(knowledge, name.text):
        return not_known("setting", name, "E0201", f"`{fact[0]}` is a fact: state it as `{fact[0]} VALUE;`")
    listed = f"the knowledge base has {len(titles)} settings; `setpoint kb list settings` lists them"
    return not_known("setting", name, "E0201", listed)


def unknown_fact(knowledge: Knowledge, name: Name, value: str) -> Diagnostic:
    """The diagnostic for a fact that does not exist (E0201); `value` is its intended value."""
    word, titles = name.text, {n: k.title for n, k in knowledge.kinds.items()}
    facts, settings = fact_phrases(knowledge), setting_phrases(knowledge)
    near = suggestion(word, (*knowledge.kinds, *STATEMENTS))
    sure = ""
    if same := same_thing(word, facts):
        advice = _did_you_mean(word, same, titles)
        sure = same[0] if len(same) == 1 else ""
    elif setting := same_thing(word, settings):
        advice = _setting_statement(knowledge, setting[0], value)
    elif near:
        advice = f"did you mean `{near}`?"
        sure = slip(word, (*knowledge.kinds, *STATEMENTS))
    elif meanings := meant(word, facts):
        advice = _did_you_mean(word, meanings, titles)
    elif meanings := meant(word, settings):
        advice = _setting_statement(knowledge, meanings[0], value)
    else:
        advice = f"known: {', '.join(sorted(knowledge.kinds))}"
    return not_known("fact", name, "E0201", advice, fixes=respelt(name, sure))


def _setting_statement(knowledge: Knowledge, setting: str, value: str) -> str:
    """The `set` statement for a setting that was written as a fact."""
    values = value_meant(knowledge, setting, value)
    return f'`{setting}` is a setting: `set {setting} {values[0] if values else "VALUE"} because "…";`'


def unknown_fact_value(knowledge: Knowledge, fact: str, name: Name) -> Diagnostic:
    """The diagnostic for a value that a fact does not have (E0202)."""
    variable, meanings = knowledge.variables[fact], value_meant(knowledge, fact, name.text)
    titles = {n: v.title for n, v in knowledge.values[fact].items()}
    if meanings and not (len(meanings) > 1 and releases(variable, name.text)):
        sure = _sure(name.text, meanings, _own_phrases(knowledge, fact), variable.words)
        advice = _did_you_mean(name.text, meanings, titles)
        return no_such_value(variable, name, advice, fixes=respelt(name, sure))
    finding = no_such_value(variable, name, advice_on_value(variable, name.text, titles))
    if knowledge.kinds[fact].required:
        return finding
    implied = Counter(n for family in knowledge.families if family.fact == fact for n, _ in family.implies)
    others = ", ".join(f"`{other}`" for other, _ in implied.most_common() if other != fact)
    more = f"; state what you know of {others} for more of them" if others else ""
    without = f"without `{fact}`, the plan has the settings that do not depend on it{more}"
    return finding._replace(help=(*finding.help, without))


def unknown_setting_value(knowledge: Knowledge, setting: str, name: Name) -> Diagnostic:
    """The diagnostic for a value that a setting does not have (E0202)."""
    variable, values = knowledge.variables[setting], knowledge.settings[setting].values
    if wrong := wrong_quantity(variable, name):
        return wrong._replace(others=(Label(knowledge.settings[setting].span, "declared here"),))
    meanings = value_meant(knowledge, setting, name.text)
    near = (_did_you_mean(name.text, meanings, {}),) if meanings else ()
    sure = _sure(name.text, meanings, _own_phrases(knowledge, setting), variable.words)
    listed = f"values of `{setting}`: {', '.join(values)}"
    return no_such_value(variable, name, *near, listed, fixes=respelt(name, sure))


def _own_phrases(knowledge: Knowledge, variable: str) -> Phrases:
    """The names, titles and aliases of the values of a fact or setting, or with "" of the settings.

    Not what an interface calls them.
    """
    aliases = aliases_of(knowledge)
    if not variable:
        return {n: (n, s.title, *aliases.get((n, ""), ())) for n, s in knowledge.settings.items()}
    titles = {n: value.title for n, value in knowledge.values.get(variable, {}).items()}
    return {
        n: (n, titles.get(n, ""), *aliases.get((variable, n), ()))
        for n in knowledge.variables[variable].named
    }


def _sure(word: str, meanings: tuple[str, ...], phrases: Phrases, names: Iterable[str]) -> str:
    """The one of these meanings that a word certainly has; "" if that is not certain."""
    candidates = same_thing(word, phrases) or (slip(word, names),)
    return candidates[0] if len(candidates) == 1 and candidates == meanings else ""


def _did_you_mean(word: str, names: tuple[str, ...], titles: Mapping[str, str]) -> str:
    """`did you mean …?`; names that are not just misspelt are shown with their titles."""
    if len(names) == 1 and suggestion(word, names):
        return f"did you mean `{names[0]}`?"
    shown = with_titles(names, titles)
    return f"did you mean {shown[0] if len(shown) == 1 else ', '.join(shown[:-1]) + ' or ' + shown[-1]}?"
