"""The words that can be written at a place of a policy.

A statement begins with a word of the language or with a fact that its block does not state yet. A fact is followed by
the values that agree with the other facts, `set` by the settings of the server, and a setting by the values that the
server offers. While there is no plan, settings and values are those of the whole vocabulary.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from setpoint.compiler.binding.context import stated_facts
from setpoint.compiler.binding.facts import Completion
from setpoint.compiler.binding.levels import SCOPES
from setpoint.compiler.knowledge.model import STRENGTHS, Knowledge
from setpoint.compiler.language.blocks import BLOCKS, FACT_VALUE
from setpoint.compiler.language.forms import FIELDS
from setpoint.compiler.language.syntax import Fact
from setpoint.compiler.lsp.document import ENDS, Document, names
from setpoint.compiler.pipeline import Planned
from setpoint.compiler.plan.model import FactEntry
from setpoint.compiler.plan.waivers import ADVICE, FORMS
from setpoint.compiler.record import NamedTuple

STATEMENTS = {
    "set": "set a setting to a value, with the reason",
    "accept": "waive a hazard, warnings or a difference, with the reason",
    "policy": "a named policy",
    "for": "statements for one group or host",
    "include": "the statements of another file",
    "expect": "what must be true of the plan",
    "manage": "`manage all`: write every setting",
    "require": "how strong the evidence for recommendations must be",
}
"""The words that begin statements of a policy."""

POLICY, FOR = "policy", "for"
"""The words that begin blocks of statements of a policy."""

LAST = 1000
"""The rank of what is seldom meant."""

CHANGES = ("set", "accept")
"""Those that change a plan."""


class Suggestion(NamedTuple):
    """A word that can stand at a place: its `kind` is `keyword`, `fact`, `setting`, `value` or `name`; `about`
    describes it.

    Those with a lower `rank` are shown before others.
    """

    word: str
    kind: str
    about: str = ""
    rank: int = 0


def suggestions(document: Document, line: int, column: int) -> tuple[Suggestion, ...]:
    """The words that can stand at a place, by rank and name; none inside of a text or of a comment.

    Of knowledge, these are the words that begin its blocks, once the file has one, and the fields of these.
    """
    if document.is_in_text(line, column):
        return ()
    words = names(document.statement_before(line, column))
    if (block := document.open_block(line, column)) and block not in (POLICY, FOR):
        candidates = set() if words else set(_fields(block))
    else:
        candidates = set(_after(_Cursor(document, line, column), words))
        candidates |= set() if words or block else set(_blocks(document))
    return tuple(sorted(candidates, key=lambda suggestion: (suggestion.rank, suggestion.word)))


class _Cursor:
    """Where somebody writes in a document, and the plans there, made without the statement that is being written."""

    def __init__(self, document: Document, line: int, column: int) -> None:
        self.document = document
        self.knowledge = document.knowledge
        self._at = line, column

    @cached_property
    def _rest(self) -> Document:
        """The document without the statement that is being written."""
        return self.document.without_statement(*self._at)

    @cached_property
    def plans(self) -> tuple[Planned, ...]:
        return tuple(self._rest.plans(*self._at))

    @cached_property
    def facts(self) -> dict[str, FactEntry]:
        """The facts that the other statements state."""
        subject = next(self._rest.subjects(*self._at), None)
        return stated_facts(subject, self.knowledge) if subject else {}

    @cached_property
    def stated_here(self) -> frozenset[str]:
        """The facts that the block states, so that they cannot be stated again."""
        token = self.document.token_at(*self._at)
        is_in_word = token is not None and token.text not in ENDS
        others = self._rest if is_in_word or self.document.program is None else self.document
        return frozenset(
            statement.name.text for statement in others.block(*self._at) if isinstance(statement, Fact)
        )

    def declared(self, keyword: str) -> Iterator[Suggestion]:
        """The names behind a keyword in the text: `web` of `policy web` or `group web`."""
        words = names(self.document.tokens)
        texts = (after for word, after in pairwise(words) if word == keyword and after not in ENDS)
        yield from (Suggestion(word, "name") for word in texts)


def _after(cursor: _Cursor, words: tuple[str, ...]) -> Iterator[Suggestion]:
    """What can follow the first words of a statement."""
    knowledge = cursor.knowledge
    match words:
        case ():
            yield from _statements(cursor)
        case (fact,) if fact in knowledge.kinds:
            yield from _possible_values(cursor, fact)
        case ("set",):
            yield from _settings(cursor)
        case ("set", setting) if setting in knowledge.settings:
            yield from _offered(cursor, setting)
        case ("set", _, _):
            yield Suggestion("because", "keyword")
        case ("accept", *_):
            yield from _after_accept(cursor, words)
        case ("for",):
            yield from (Suggestion(kind, "keyword") for kind in SCOPES)
        case ("for", "host", _, "in"):
            yield from cursor.declared("group")
        case ("policy", own, "extends"):
            yield from (policy for policy in cursor.declared("policy") if policy.word != own)
        case ("expect", *_):
            yield from _after_expect(cursor, words)
        case ("manage",):
            yield Suggestion("all", "keyword")
        case ("require",):
            yield Suggestion("strength", "keyword")
        case ("require", "strength"):
            yield from (Suggestion(strength, "value") for strength in STRENGTHS)
        case ("require", "strength", _):
            yield Suggestion("because", "keyword")


def _after_accept(cursor: _Cursor, words: tuple[str, ...]) -> Iterator[Suggestion]:
    """What can follow the first words of a waiver."""
    match words:
        case ("accept",):
            yield from (Suggestion(form, "keyword") for form in FORMS)
            yield from _hazards(cursor)
        case ("accept", kind, "of") if kind != ADVICE:
            yield from _settings(cursor)
        case ("accept", *_, "of"):
            yield from (
                Suggestion(name, "name", source.title) for name, source in cursor.knowledge.sources.items()
            )
        case ("accept", *_, "about"):
            yield from _settings(cursor)
        case ("accept", *_, "because" | "until"):
            return
        case ("accept", what) if what in FORMS:
            yield from (Suggestion(word, "keyword") for word in ("of", "about", "because"))
        case ("accept", *_):
            yield Suggestion("because", "keyword")


def _after_expect(cursor: _Cursor, words: tuple[str, ...]) -> Iterator[Suggestion]:
    """What can follow the first words of an expectation."""
    knowledge = cursor.knowledge
    match words:
        case ("expect",):
            yield Suggestion("hazard", "keyword")
            yield from _settings(cursor)
        case ("expect", "hazard") | ("expect", "hazard", "not"):
            yield from _hazards(cursor)
        case ("expect", *before, "or" | "not"):
            named = [word for word in before if word in knowledge.settings or word in knowledge.kinds]
            yield from _after_expect(cursor, ("expect", *named[-1:]))
        case ("expect", *_, "from"):
            yield from (Suggestion(name, "name", source.title) for name, source in knowledge.sources.items())
        case ("expect", *_, "under"):
            yield from (Suggestion(name, "fact", kind.title) for name, kind in knowledge.kinds.items())
        case ("expect", *_, setting) if setting in knowledge.settings:
            yield from _offered(cursor, setting)
        case ("expect", *_, fact) if fact in knowledge.kinds:
            yield from _values(knowledge, fact)
        case ("expect", *_):
            yield from (Suggestion(word, "keyword") for word in ("from", "under", "because"))


def _statements(cursor: _Cursor) -> Iterator[Suggestion]:
    """The words that begin a statement: the most telling facts, the others as they are declared, then the words of the
    language.

    Once there is a plan, the words that change a plan come before the facts.
    """
    declared = sorted(cursor.knowledge.kinds.values(), key=lambda kind: kind.span)
    for rank, kind in enumerate(declared):
        if kind.name not in cursor.stated_here:
            yield Suggestion(kind.name, "fact", kind.title, rank + len(CHANGES))
    for rank, (word, about) in enumerate(STATEMENTS.items(), len(declared) + len(CHANGES)):
        is_first = word in CHANGES and cursor.plans
        yield Suggestion(word, "keyword", about, CHANGES.index(word) if is_first else rank)


def _blocks(document: Document) -> Iterator[Suggestion]:
    """The words that begin blocks of knowledge, in a file that has one."""
    texts = names(document.tokens)
    if BLOCKS.keys() & {texts[0] if texts else "", *(b for a, b in pairwise(texts) if a in ENDS)}:
        yield from (Suggestion(word, "keyword", kind.form, LAST) for word, kind in BLOCKS.items())


def _fields(block: str) -> Iterator[Suggestion]:
    """The fields of a block of knowledge, the required ones first. A block of another word has a value of that fact."""
    kind = BLOCKS.get(block, FACT_VALUE)
    for rank, keys in enumerate((kind.required, kind.optional)):
        yield from (Suggestion(key, "keyword", FIELDS.get(key, ""), rank) for key in keys.split())


def _values(knowledge: Knowledge, fact: str) -> Iterator[Suggestion]:
    for name, value in knowledge.values[fact].items():
        yield Suggestion(name, "value", value.title)


def _possible_values(cursor: _Cursor, fact: str) -> Iterator[Suggestion]:
    """The values of a fact that go with the other facts there; all of them if these contradict each other."""
    others = {name: entry for name, entry in cursor.facts.items() if name != fact}
    completion = Completion(cursor.knowledge)
    possible = [
        suggestion
        for suggestion in _values(cursor.knowledge, fact)
        if not completion.of({**others, fact: _stated(fact, suggestion.word)}).errors
    ]
    yield from possible or _values(cursor.knowledge, fact)


def _stated(fact: str, value: str) -> FactEntry:
    return FactEntry(fact, value, value, "stated", "")


def _settings(cursor: _Cursor) -> Iterator[Suggestion]:
    """The settings that a plan has; all of them while there is none."""
    in_plans = [d.setting for planned in cursor.plans if planned.plan for d in planned.plan.settings]
    settings = cursor.knowledge.settings
    for name in dict.fromkeys(in_plans or settings):
        yield Suggestion(name, "setting", settings[name].title)


def _offered(cursor: _Cursor, setting: str) -> Iterator[Suggestion]:
    """The values of a setting that are offered here; all of them while nothing is planned."""
    from setpoint.compiler.resolution.ground import ground  # only needed for this

    variable = cursor.knowledge.variables[setting]
    offered: list[str] = []
    for plan in cursor.plans:
        if plan.context is not None and (offer := ground(plan.knowledge, plan.context).offers.get(setting)):
            offered += [value for value in offer.values if value in variable.named]
    yield from (Suggestion(value, "value") for value in dict.fromkeys(offered or variable.named))


def _hazards(cursor: _Cursor) -> Iterator[Suggestion]:
    """The hazards that stand; all of them while there is no plan."""
    plans = [planned.plan for planned in cursor.plans if planned.plan]
    standing = [(hazard.hazard, hazard.what) for plan in plans for hazard in plan.hazards]
    every = ((name, hazard.because) for name, hazard in cursor.knowledge.hazards.items())
    yield from (Suggestion(name, "name", what) for name, what in (standing if plans else every))
