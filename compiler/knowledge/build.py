"""Build the knowledge base from the trees of knowledge files.

There are two passes. The first (`vocabulary`) reads what declares names. The second reads all statements that use them:
`offers`, `spellings`, `services`, `known_words`, `advice`, `limits`, `evidence`. The order of files and statements has no effect, since the result is sorted.
"""

from collections.abc import Iterable

from setpoint.compiler.diagnostics import Diagnostics, SetpointError
from setpoint.compiler.knowledge.actions import unfit_for_actions
from setpoint.compiler.knowledge.advice import cells, rules
from setpoint.compiler.knowledge.aliases import aliases
from setpoint.compiler.knowledge.applicability import withdrawals
from setpoint.compiler.knowledge.evidence import measurements
from setpoint.compiler.knowledge.known_words import known_words
from setpoint.compiler.knowledge.limits import assumptions, constraints, effects, hazards
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.offers import offers
from setpoint.compiler.knowledge.order import published_order
from setpoint.compiler.knowledge.presets import presets
from setpoint.compiler.knowledge.services import services
from setpoint.compiler.knowledge.spellings import spellings
from setpoint.compiler.knowledge.vocabulary import Vocabulary
from setpoint.compiler.language.syntax import File
from setpoint.compiler.record import NamedTuple, distinct


@distinct
class LayeredFile(NamedTuple):
    """A knowledge file and its layer: `stdlib`, or `site` for a user's own files."""

    file: File
    layer: str


def build(files: Iterable[LayeredFile]) -> Knowledge:
    """Build the knowledge base. Raises SetpointError with all errors (K07, E0201, E0202)."""
    files = tuple(files)
    vocabulary = Vocabulary([(s, f.layer) for f in files for s in f.file.body])
    site = frozenset(f.file.name for f in files if f.layer == "site")
    knowledge = _knowledge(vocabulary, site)
    if vocabulary.findings:
        raise SetpointError(*Diagnostics.of(vocabulary.findings))
    return knowledge


def _knowledge(vocabulary: Vocabulary, site: frozenset[str]) -> Knowledge:
    advised = tuple(sorted([*rules(vocabulary), *cells(vocabulary)], key=lambda rule: rule.name))
    advised = withdrawals(advised, vocabulary.sources, vocabulary.findings)
    vocabulary.report_duplicates("rule", [(rule.name, rule.span) for rule in advised])
    profiles = presets(vocabulary)
    order = published_order(vocabulary.settings, advised, profiles, vocabulary.findings)
    offered, limits = offers(vocabulary), constraints(vocabulary)
    vocabulary.findings += unfit_for_actions(vocabulary, advised, profiles, limits, offered)
    return Knowledge(
        variables=dict(sorted(vocabulary.variables.items())),
        sources=dict(sorted(vocabulary.sources.items())),
        kinds=dict(sorted(vocabulary.kinds.items())),
        values={fact: dict(sorted(values.items())) for fact, values in sorted(vocabulary.values.items())},
        settings={name: vocabulary.settings[name]._replace(position=i + 1) for i, name in enumerate(order)},
        effects=effects(vocabulary),
        offers=offered,
        spellings=spellings(vocabulary),
        presets=profiles,
        rules=advised,
        constraints=limits,
        hazards=hazards(vocabulary),
        assumptions=assumptions(vocabulary),
        measurements=measurements(vocabulary),
        aliases=aliases(vocabulary),
        services=services(vocabulary),
        words=known_words(vocabulary),
        site=site,
    )
