"""The page of server models: by maker and generation, how each is stated in a policy, and what the library has for it.

Which models are listed is data of the standard library (`servers.toml`). Everything else is what a policy gets that
states the model: its facts, the settings that are offered there, and the names by which artifacts identify it. No plan
is made, since a page of a hundred and fifty models would take a minute.
"""

import os
import tomllib
from collections import Counter
from collections.abc import Mapping

from setpoint.compiler.binding.context import Context, bind
from setpoint.compiler.binding.levels import subjects
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.library import stdlib_folder
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.reported import PRODUCT
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.language.written import quote
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.ground import offers_here
from setpoint.compiler.resolution.identity import identity
from setpoint.compiler.resolution.spellings import spellings_here
from setpoint.docs.hooks.reference.pieces import Links, code, grid, opening, plain

FILE = "servers.toml"
"""The file of the standard library that says which models are listed."""

INTRODUCTION = """
{models} models of servers that makers have sold since 2017, by maker and generation, and what a policy for each of them gets. How
many of each model are sold is not public, so the list is no ranking: it has models of the makers' main lines, as far as the library knows
their names, and among them most of those that public collections of server reports have often. A model that is not listed is planned in the
same way if its [family](../language.md#family) is known: state its name, and the plan shows what is known of it.

- **Model**: the name that the server reports.
- **In a policy**: what to state. A name in quotes may also be given without its brand, in any case of letters: `{fact} {short}`. Then
  artifacts cannot compare it with what the server reports, unless a [registry](../guides/registries.md) names the server.
- **Known as**: *itself* if the library describes the model; else what it is planned as: several models that the library describes
  together, such as a generation, or, by the rules of the maker's names, a family. In brackets is the value that the policy then has.
- **BIOS settings**: how many settings of the BIOS its plans can have. Without any, a plan has the settings of the operating system alone;
  [an import of its registry](../guides/registries.md) adds those of its BIOS.
- **With names**: for how many of these settings the library has the name of the attribute. Artifacts set these; the others are manual steps.
- **Defaults**: for how many settings the library knows the value that the maker delivers.
- **Names from**: the source of most of the names. In bold if it has a BIOS attribute registry, which lists every value that a setting
  takes, of this model or of another one of its generation; other sources show values that servers had.
- **Compared**: with what artifacts compare the product name that a server reports, before they change anything: with that of this
  *model*, with those of all models that are described together (*several*), or with nothing.
"""

HEADS = (
    "model",
    "in a policy",
    "known as",
    "BIOS settings",
    "with names",
    "defaults",
    "names from",
    "compared",
)


class ListedServers(NamedTuple):
    """What the page lists: the fact that models are values of, a model without its brand as an example, the layer whose
    settings count, the interface whose names do, the sources that have registries, and the models by maker and
    generation.
    """

    fact: str
    short: str
    layer: str
    interface: str
    registries: tuple[str, ...]
    models: Mapping[str, Mapping[str, tuple[str, ...]]]

    @property
    def total(self) -> int:
        """The number of models."""
        return sum(len(models) for generations in self.models.values() for models in generations.values())


def listed_servers() -> ListedServers:
    """What the standard library says to list."""
    with open(os.path.join(stdlib_folder(), FILE), "rb") as file:
        read = tomllib.load(file)
    models = {
        maker: {generation: tuple(names) for generation, names in generations.items()}
        for maker, generations in read["models"].items()
    }
    return ListedServers(
        read["fact"], read["short"], read["layer"], read["interface"], tuple(read["registries"]), models
    )


class OfferedSettings(NamedTuple):
    """The settings of the layer that a model offers: how many, of how many the default is known, and the source of each
    name."""

    total: int
    defaults: int
    named_by: tuple[str, ...]


class ServerModels:
    """What policies get that state a model by the name that the server reports, and nothing else but their purpose."""

    def __init__(self, knowledge: Knowledge, listed: ListedServers) -> None:
        self.knowledge, self.listed = knowledge, listed
        self.purpose = " ".join(
            f"{fact} {knowledge.variables[fact].values[0]};" for fact in sorted(knowledge.required)
        )
        self._offered: dict[tuple[tuple[str, int], ...], OfferedSettings] = {}

    def context(self, name: str) -> Context:
        """The context of such a policy."""
        program = program_of_text(f"{self.purpose} {self.listed.fact} {quote(name)};")
        (subject,) = subjects(program.body, program.stem, self.knowledge.required)
        return bind(subject, self.knowledge)

    def products(self, context: Context) -> tuple[str, ...]:
        """The names that artifacts compare; names that differ in the case of letters alone are one."""
        reported = [report.names for report in identity(self.knowledge, context) if report.kind == PRODUCT]
        return tuple({name.casefold(): name for names in reported for name in names}.values())

    def value(self, context: Context) -> str:
        """The value that the model is, or lies within; "" if the library describes neither."""
        fact = context.facts.get(self.listed.fact)
        return fact.value if fact else ""

    def is_described(self, context: Context) -> bool:
        """Whether the library describes the model itself, and not only together with others."""
        value = self.value(context)
        others = self.knowledge.values[self.listed.fact].values()
        is_shared = any(other.within == value for other in others) or len(self.products(context)) > 1
        return bool(value) and not is_shared and self.listed.fact not in context.members

    def offered(self, context: Context) -> OfferedSettings:
        """The settings that the model offers. Models of which the same is known have the same."""
        bits = context.bits(self.knowledge)
        key = tuple(sorted(bits.items()))
        if key not in self._offered:
            offers = {
                name: offer
                for name, offer in offers_here(self.knowledge, bits, context).items()
                if self.knowledge.settings[name].layer == self.listed.layer
            }
            spelt = (spellings_here(self.knowledge, name, bits, NOWHERE) for name in offers)
            named = (
                next((s for s in spellings if s.interface == self.listed.interface), None)
                for spellings in spelt
            )
            self._offered[key] = OfferedSettings(
                len(offers),
                sum(1 for offer in offers.values() if offer.default),
                tuple(spelling.citation.source for spelling in named if spelling is not None),
            )
        return self._offered[key]


def servers_page(knowledge: Knowledge, listed: ListedServers) -> str:
    """The page: a section for each maker, a table for each generation, a line for each model."""
    models = ServerModels(knowledge, listed)
    text = INTRODUCTION.strip().format(models=listed.total, fact=listed.fact, short=listed.short)
    parts = [opening("Server models", text)]
    for maker, generations in listed.models.items():
        parts.append(f"## {plain(maker)}\n")
        for generation, names in generations.items():
            table = grid(HEADS, (_row(models, name) for name in names))
            parts.append(f"### {plain(f'{maker} {generation}')}\n\n{table}")
    return "\n".join(parts)


def _row(models: ServerModels, name: str) -> tuple[str, ...]:
    context = models.context(name)
    offered = models.offered(context)
    stated = models.value(context) if models.is_described(context) else quote(name)
    compared = models.products(context)
    return (
        plain(name),
        code(f"{models.listed.fact} {stated}"),
        _known_as(models, context),
        str(offered.total or ""),
        str(len(offered.named_by) or ""),
        str(offered.defaults or ""),
        _most_frequent(models.listed, offered.named_by),
        {0: "nothing", 1: "model"}.get(len(compared), "several"),
    )


def _known_as(models: ServerModels, context: Context) -> str:
    if models.is_described(context):
        return "*itself*"
    value, members = models.value(context), context.members.get(models.listed.fact, ())
    what = (
        members[0].recognized.family.title
        if members
        else models.knowledge.values[models.listed.fact][value].title
    )
    return f"{plain(what)} ({code(value)})" if value else plain(what)


def _most_frequent(listed: ListedServers, sources: tuple[str, ...]) -> str:
    """The source of most names; "" for none."""
    for source, _ in Counter(sources).most_common(1):
        link = Links().source(source)
        return f"**{link}**" if source in listed.registries else link
    return ""
