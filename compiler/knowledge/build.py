"""Build the knowledge base from the trees of knowledge files.

There are two passes. The first (`vocabulary`) reads what declares names. The second reads all statements that use them:
`offers`, `spellings`, `services`, `known_words`, `families`, `observing`, `advice`, `limits`, `evidence`. The order of
files and statements has no effect, since the result is sorted.

Most statements of a site declare nothing: rules, tables, hazards and figures. Everything else is a foundation that
stays while an editor changes these, so that the library is not read again after each change (`Foundation`). Even
another foundation takes over what the library's own rules, hazards and figures say, which is half of the reading, as
long as the site gives no fact or setting other values.
"""

from collections.abc import Callable, Iterable
from typing import Any

from setpoint.compiler.diagnostics import Diagnostics, SetpointError
from setpoint.compiler.knowledge.actions import unfit_for_actions
from setpoint.compiler.knowledge.advice import cells, rules
from setpoint.compiler.knowledge.applicability import withdrawals
from setpoint.compiler.knowledge.evidence import measurements
from setpoint.compiler.knowledge.families import families
from setpoint.compiler.knowledge.known_words import aliases, known_words
from setpoint.compiler.knowledge.limits import assumptions, constraints, effects, hazards
from setpoint.compiler.knowledge.mentions import Statements
from setpoint.compiler.knowledge.model import Hazard, Knowledge, Measurement, Rule
from setpoint.compiler.knowledge.observing import observations, unseen
from setpoint.compiler.knowledge.offers import offers
from setpoint.compiler.knowledge.order import published_order
from setpoint.compiler.knowledge.presets import presets, standing_profiles
from setpoint.compiler.knowledge.services import services
from setpoint.compiler.knowledge.spellings import spellings
from setpoint.compiler.knowledge.vocabulary import Vocabulary
from setpoint.compiler.language.syntax import Block, File, MeasurementTable, Table
from setpoint.compiler.record import NamedTuple

READERS: dict[str, Callable[[Vocabulary], Any]] = {
    "offers": offers,
    "spellings": spellings,
    "presets": presets,
    "assumptions": assumptions,
    "aliases": aliases,
    "services": services,
    "words": known_words,
    "families": families,
    "observations": observations,
    "unseen": unseen,
}
"""What reads each field of the knowledge base that depends on the vocabulary alone, and reports what is wrong to it."""


class LayeredFile(NamedTuple):
    """A knowledge file and its layer: `stdlib`, or `site` for a user's own files."""

    file: File
    layer: str


def build(files: Iterable[LayeredFile]) -> Knowledge:
    """Build the knowledge base. Raises SetpointError with all errors (K07, E0201, E0202)."""
    knowledge = Foundation(files).knowledge()
    assert knowledge is not None  # without statements that come later, none can mention other numbers
    return knowledge


def may_come_later(statement: object) -> bool:
    """Whether a statement declares nothing that others are read with: advice, hazards and figures."""
    if isinstance(statement, Block):
        return statement.kind in ("rule", "hazard", "measurement")
    return isinstance(statement, MeasurementTable) or (
        isinstance(statement, Table) and statement.kind == "table"
    )


class Later(NamedTuple):
    """What the statements say that may come later."""

    rules: list[Rule]
    hazards: list[Hazard]
    measurements: list[Measurement]

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> "Later":
        """What a vocabulary's statements say."""
        rules_ = [*rules(vocabulary), *cells(vocabulary)]
        return cls(rules_, list(hazards(vocabulary)), list(measurements(vocabulary)))


class Foundation:
    """A knowledge base without some statements that come later: a site's advice, which an editor changes often.

    Args:
        files: The files, without these statements.
        later: Those of the first version. The numbers that they mention are values of the knowledge base.
        last: Another one, which may have read the advice of the same files already.
    """

    def __init__(
        self,
        files: Iterable[LayeredFile],
        later: Iterable[LayeredFile] = (),
        last: "Foundation | None" = None,
    ) -> None:
        files = tuple(files)
        vocabulary = self._vocabulary = Vocabulary(_statements(files), _statements(later))
        self._advice = [given for given in _statements(files) if may_come_later(given[0])]
        before = len(vocabulary.findings)
        self._own: Later = (
            last._own if last and last._is_read_with(vocabulary, self._advice) else Later.of(vocabulary)
        )
        self._is_sound = len(vocabulary.findings) == before
        combined = effects(vocabulary)
        self._frame = Knowledge(
            variables=dict(sorted(vocabulary.variables.items())),
            sources=dict(sorted(vocabulary.sources.items())),
            kinds=dict(sorted(vocabulary.kinds.items())),
            values={fact: dict(sorted(v.items())) for fact, v in sorted(vocabulary.values.items())},
            settings=vocabulary.settings,
            effects=combined,
            rules=(),
            constraints=constraints(vocabulary, combined),
            hazards={},
            measurements=(),
            site=frozenset(f.file.name for f in files if f.layer == "site"),
            **{field: reader(vocabulary) for field, reader in READERS.items()},
        )

    def _is_read_with(self, vocabulary: Vocabulary, advice: Statements) -> bool:
        """Whether this one's own advice is the same if it is read with another vocabulary, without findings."""
        mine, own = self._vocabulary, self._own
        cited = {statement.citation.source for part in own for statement in part}
        return (
            self._is_sound
            and advice == self._advice
            and vocabulary.variables == mine.variables
            and vocabulary.words.effects == mine.words.effects
            and vocabulary.kinds == mine.kinds
            and vocabulary.values == mine.values
            and all(vocabulary.sources.get(name) == mine.sources.get(name) for name in cited)
        )

    def knowledge(self, later: Iterable[LayeredFile] = ()) -> Knowledge | None:
        """The knowledge base with these statements; None if they mention other numbers than those of the first version.

        Raises SetpointError with all errors (K07, E0201, E0202).
        """
        vocabulary = self._vocabulary.with_later(_statements(later))
        if vocabulary is None:
            return None
        added, frame = Later.of(vocabulary), self._frame
        vocabulary.findings += self._vocabulary.findings
        rules_ = sorted([*self._own.rules, *added.rules], key=lambda rule: rule.name)
        advised = withdrawals(tuple(rules_), frame.sources, vocabulary.findings)
        dangers = sorted([*self._own.hazards, *added.hazards], key=lambda hazard: hazard.name)
        figures = [*self._own.measurements, *added.measurements]
        vocabulary.report_duplicates("rule", [(rule.name, rule.span) for rule in advised])
        vocabulary.report_duplicates("hazard", [(hazard.name, hazard.span) for hazard in dangers])
        vocabulary.report_duplicates("measurement", [(figure.name, figure.span) for figure in figures])
        standing = standing_profiles(frame.settings, frame.presets)
        order = published_order(frame.settings, advised, frame.presets, vocabulary.findings)
        vocabulary.findings += unfit_for_actions(
            vocabulary, advised, frame.presets, frame.constraints, frame.offers
        )
        if vocabulary.findings:
            raise SetpointError(*Diagnostics.of(vocabulary.findings))
        return frame._replace(
            settings={
                name: frame.settings[name]._replace(position=i + 1, stands=name in standing)
                for i, name in enumerate(order)
            },
            rules=advised,
            hazards={hazard.name: hazard for hazard in dangers},
            measurements=tuple(sorted(figures, key=lambda figure: (figure.citation, figure.name))),
        )


def _statements(files: Iterable[LayeredFile]) -> Statements:
    return [(statement, file.layer) for file in files for statement in file.file.body]
