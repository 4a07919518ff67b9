"""Find names by what people call the thing: titles, menu labels, aliases, and names as machines print them.

`words.suggestion` corrects typing mistakes. This module recognises another name for the same thing: `LogicalProc` is
`smt`, since a menu calls it Logical Processor; `PowerEdge R740` is `r740`; `database` is a workload's alias. All of
these names come from the knowledge base, so a site extends them with `aliases`. Only messages use the results: a policy
has to use the name itself. The module is imported only when a name is unknown.

Numbers are never guessed: words with digits have to be equal, so that no model becomes another one.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from setpoint.compiler.knowledge.interfaces import INTERFACES
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.recognition import without
from setpoint.compiler.knowledge.reported import continues
from setpoint.compiler.knowledge.words import CLEAR, MOST_SUGGESTIONS, RELEASE, suggestion
from setpoint.compiler.record import NamedTuple

LEAST_STEM, LEAST_SHARE = 3, 1 / 3
"""The minimum length of an abbreviation, absolute and relative to the whole word: `proc` for `processor`."""

LONG_WORD = 6
"""In longer words, a final `e` is ignored: `interleave` and `interleaving`."""

MOST_PHRASES = 10_000
"""How many phrases are kept in the form for comparison, since each unknown name is compared with all of them."""

Phrases = Mapping[str, Iterable[str]]
"""For each name, the phrases that people may use for it."""


class _Match(NamedTuple):
    """How well a phrase fits: the kind of match, then how many more words one of the two has. Lower is better."""

    kind: int
    extra: int


SAME, CONTAINED, CONTAINS = range(3)
"""The kinds of match, best first: equal; all words of the query are in the phrase; all of the phrase in the query."""


def meant(word: str, phrases: Phrases) -> tuple[str, ...]:
    """The names that a word may mean, best first; only those of the best kind of match."""
    by_name: dict[str, _Match] = {}
    for name, texts in phrases.items():
        matches = [match for text in texts if (match := _match(word, text)) is not None]
        if matches:
            by_name[name] = min(matches)
    if not by_name:
        return ()
    best = min(by_name.values())
    slack = 1 if best.kind == CONTAINED and best.extra else 0
    close = [
        (match, name)
        for name, match in by_name.items()
        if match.kind == best.kind and match.extra <= best.extra + slack
    ]
    return tuple(name for _, name in sorted(close)[:MOST_SUGGESTIONS])


def _match(word: str, phrase: str) -> _Match | None:
    if squashed(word) and squashed(word) == squashed(phrase):
        return _Match(SAME, 0)
    if _beginnings(word).isdisjoint(_beginnings(phrase)):
        return None  # so it is with most phrases
    matches = (_contained(asked, there) for asked in _readings(word) for there in _readings(phrase))
    return min((match for match in matches if match), default=None)


def _contained(asked: tuple[str, ...], there: tuple[str, ...]) -> _Match | None:
    """The match of two lists of words of which one contains the other; requested numbers must be present."""
    missing = [w for w in asked if not any(_is_abbreviation(w, t) for t in there)]
    if not missing and asked:
        return _Match(CONTAINED, len(there) - len(asked))
    unused = [t for t in there if not any(_is_abbreviation(w, t) for w in asked)]
    if there and not unused and not any(c.isdigit() for w in missing for c in w):
        return _Match(CONTAINS, len(missing))
    return None


@lru_cache(maxsize=MOST_PHRASES)
def _beginnings(text: str) -> frozenset[str]:
    """How the words of a text begin: a word and its abbreviation have their first two letters in common."""
    return frozenset(word[:2] for reading in _readings(text) for word in reading)


def _is_abbreviation(asked: str, there: str) -> bool:
    """Whether two words are equal, or the first abbreviates the second, as `proc` abbreviates `processor`."""
    if asked == there:
        return True
    if not (asked.isalpha() and there.isalpha()) or len(asked) < max(LEAST_STEM, LEAST_SHARE * len(there)):
        return False
    return there.startswith(asked.removesuffix("e") if len(asked) > LONG_WORD else asked)


@lru_cache(maxsize=MOST_PHRASES)
def _readings(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of a text in lower case, and again with the parts of `LogicalProc` as separate words."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return (_words(text),) if text == apart else (_words(text), _words(apart))


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in re.split(r"[^a-z0-9]+", text.lower()) if word)


@lru_cache(maxsize=MOST_PHRASES)
def squashed(text: str) -> str:
    """A text without case, spaces and punctuation, as names are compared."""
    return "".join(c for c in text.lower() if c.isalnum())


# ------------------------------------------------------------------------------ names and their phrases


def aliases_of(knowledge: Knowledge) -> dict[tuple[str, str], tuple[str, ...]]:
    """The aliases of each name ("") and of each of its values."""
    return {(alias.variable, alias.value): alias.texts for alias in reversed(knowledge.aliases)}


def _words_of_interfaces(knowledge: Knowledge, setting: str) -> tuple[str, ...]:
    """What interfaces call a setting; names that only put another one into a group say nothing new."""
    return tuple(
        word
        for spelling in knowledge.spellings.get(setting, ())
        if INTERFACES[spelling.interface].has_texts
        for word in spelling.names
    )


def setting_phrases(knowledge: Knowledge) -> Phrases:
    """The names of each setting: its title, menu labels and aliases, and what interfaces call it."""
    aliases = aliases_of(knowledge)
    return {
        name: (
            name,
            setting.title,
            *aliases.get((name, ""), ()),
            *(offer.menu.rpartition(">")[2] for offer in knowledge.offers.get(name, ()) if offer.menu),
            *_words_of_interfaces(knowledge, name),
        )
        for name, setting in knowledge.settings.items()
    }


def fact_phrases(knowledge: Knowledge) -> Phrases:
    """The names of each fact: its title and aliases."""
    aliases = aliases_of(knowledge)
    return {n: (n, kind.title, *aliases.get((n, ""), ())) for n, kind in knowledge.kinds.items()}


def value_phrases(knowledge: Knowledge, name: str) -> Phrases:
    """The names of each value of a fact or setting: its title, reported names, menu labels and aliases."""
    aliases = aliases_of(knowledge)
    phrases = {v: [v, *aliases.get((name, v), ())] for v in knowledge.variables[name].named}
    for value, fact_value in knowledge.values.get(name, {}).items():
        phrases[value] += [
            fact_value.title,
            *(text for reported in fact_value.reported for text in reported.names),
        ]
    for offer in knowledge.offers.get(name, ()):
        for value, label in zip(offer.values, offer.labels, strict=True):
            if value in phrases:
                phrases[value].append(label)
    return phrases


def printed_value(knowledge: Knowledge, fact: str, text: str) -> tuple[str, ...]:
    """The values of a fact that machines print as this text: a name that servers report, a title, or the value itself.

    Case, spaces, punctuation and what the fact ignores do not matter. Machines do not print aliases. An open name, such
    as `UCSC-C240-M6*`, is continued by what machines print.
    """
    asked = _compared(knowledge, fact, text)
    names = {value: [value] for value in knowledge.variables[fact].values}
    for value, fact_value in knowledge.values.get(fact, {}).items():
        names[value] += [
            fact_value.title,
            *(name for reported in fact_value.reported for name in reported.names),
        ]
    return tuple(
        value
        for value, printed in names.items()
        if asked and any(continues(n, text) or _compared(knowledge, fact, n) == asked for n in printed)
    )


def essence(knowledge: Knowledge, name: str, text: str) -> str:
    """A value as a machine prints it, without what its fact ignores."""
    kind = knowledge.kinds.get(name)
    return without(kind.ignored, text) if kind and kind.ignored else text


def _compared(knowledge: Knowledge, name: str, text: str) -> str:
    """A value as a machine prints it, in the form in which such values are compared."""
    return squashed(essence(knowledge, name, text))


def setting_meant(knowledge: Knowledge, word: str) -> tuple[str, ...]:
    """The settings that a word may mean."""
    return _best(word, knowledge.settings, setting_phrases(knowledge))


def fact_meant(knowledge: Knowledge, word: str) -> tuple[str, ...]:
    """The facts that a word may mean."""
    return _best(word, knowledge.kinds, fact_phrases(knowledge))


def value_meant(knowledge: Knowledge, name: str, word: str) -> tuple[str, ...]:
    """The values of a fact or setting that a word may mean. A release may have a minor version: `rocky 8.6`."""
    phrases = value_phrases(knowledge, name)
    known = knowledge.variables[name].words
    word = essence(knowledge, name, word)
    if not squashed(word):
        return ()
    values = printed_value(knowledge, name, word) or _best(word, known, phrases)
    *front, last = word.split()
    if not values and front and re.fullmatch(RELEASE, last):
        values = meant(" ".join([*front, last.partition(".")[0]]), phrases)
    return values


def _best(word: str, names: Iterable[str], phrases: Phrases) -> tuple[str, ...]:
    """Another name for the same thing, then typing mistakes, names that share the words, and doubtful mistakes."""
    if same := same_thing(word, phrases):
        return same
    names = tuple(names)
    if slip := suggestion(word, names, CLEAR):
        return (slip,)
    if meanings := meant(word, phrases):
        return meanings
    near = suggestion(word, names)
    return (near,) if near else ()


def same_thing(word: str, phrases: Phrases) -> tuple[str, ...]:
    """The names that a word is an exact alternative for."""
    asked = squashed(word)
    return tuple(sorted(n for n, texts in phrases.items() if asked and asked in map(squashed, texts)))


def thing_meant(knowledge: Knowledge, word: str, names: Iterable[str]) -> tuple[str, ...]:
    """The things of any kind in the knowledge base that a word may mean; `names` are all of them."""
    for fact in knowledge.kinds:
        word = essence(knowledge, fact, word)
    phrases: dict[str, list[str]] = {}
    for group in (
        setting_phrases(knowledge),
        fact_phrases(knowledge),
        *(value_phrases(knowledge, fact) for fact in knowledge.kinds),
    ):
        for name, texts in group.items():
            phrases.setdefault(name, []).extend(texts)
    return _best(word, names, phrases)[:MOST_SUGGESTIONS]
