"""Fit the knowledge base, and the context of one policy, to one server.

The settings that the registry limits are recorded with the reason, in the context and so in the plan. Everything else
that somebody should know becomes a warning: what the registry and the library say differently, a server in lockdown,
and values that could not be checked.
"""

from collections.abc import Mapping

from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.fitting.dependencies import compared
from setpoint.compiler.fitting.models import of_its_model, place_of_model
from setpoint.compiler.fitting.offers import fitted_offer
from setpoint.compiler.fitting.server import Server
from setpoint.compiler.knowledge.interfaces import TypedValue
from setpoint.compiler.knowledge.model import Knowledge, Offer, Source, Spelling
from setpoint.compiler.plan.server import Limited, RegistryEntry
from setpoint.compiler.registries.state import state
from setpoint.compiler.registries.words import plain
from setpoint.compiler.resolution.ground import offers_here
from setpoint.compiler.resolution.spellings import spellings_here

INTERFACE = "attribute"
"""The interface whose names are those of a registry."""


def fitted(knowledge: Knowledge, context: Context, server: Server) -> tuple[Knowledge, Context]:
    """The knowledge base and the context for this server. Raises SetpointError (E0506) for another's registry."""
    context, system = of_its_model(knowledge, context, server)
    entry = RegistryEntry(server.file, plain(system.product), plain(system.firmware))
    bits, at = context.bits(knowledge), place_of_model(context, knowledge)
    offers = offers_here(knowledge, bits, context)
    spelt = {
        name: ours
        for name in offers
        if (ours := tuple(s for s in spellings_here(knowledge, name, bits, at) if s.interface == INTERFACE))
    }
    _check_names(server, spelt, entry, at)
    names = {name for spellings in spelt.values() for spelling in spellings for name in spelling.names}
    states = state(server.registry, {n: value for n, value in server.current.items() if n not in names})
    source = _source(knowledge, server, entry)
    limited: list[Limited] = []
    left: dict[str, tuple[Offer, ...]] = {}
    for name, spellings in spelt.items():
        offer, limit = fitted_offer(
            server, knowledge.variables[name], offers[name], spellings, states, source.name
        )
        left[name] = (offer,) if offer else ()
        limited += [limit] if limit else []
    current = {
        name: value for name in sorted(names) if (value := _typed(server.current.get(name))) is not None
    }
    knowledge = knowledge._replace(
        offers={**knowledge.offers, **left}, sources={**knowledge.sources, source.name: source}
    )
    knowledge, differences = compared(knowledge, server, spelt, bits, source, at)
    entry = entry._replace(limited=tuple(limited), current=tuple(current.items()))
    findings = (*context.findings, *_notices(server, at), *differences)
    return knowledge, context._replace(registry=entry, findings=findings)


def _typed(value: object) -> TypedValue | None:
    """A value that an attribute can be spelt as; None for anything else."""
    if isinstance(value, str):
        return value if value.isprintable() else None
    return value if isinstance(value, int) else None


def _check_names(
    server: Server, spelt: Mapping[str, tuple[Spelling, ...]], entry: RegistryEntry, at: Span
) -> None:
    names = [name for spellings in spelt.values() for spelling in spellings for name in spelling.names]
    if names and not any(name in server.registry.attributes for name in names):
        raise SetpointError.of(
            "E0506",
            f"`{server.file}` is not the registry of this server: it has no attribute that the library knows here",
            at,
            "for another server",
            (),
            (
                f"the registry: {entry.text}",
                f"looked for: {', '.join(names[:3])} and {max(len(names) - 3, 0)} more",
            ),
            ("`setpoint kb import` describes a server from its registry",),
            subject=server.file,
        )


def _source(knowledge: Knowledge, server: Server, entry: RegistryEntry) -> Source:
    """The registry as a source, so that what rests on it can cite it."""
    name = entry.file if entry.file not in knowledge.sources else f"{entry.file} (registry)"
    what = "Current BIOS values" if server.is_seen_only else "BIOS attribute registry"
    of = ", ".join(filter(None, (entry.product, f"BIOS {entry.firmware}" if entry.firmware else "")))
    return Source(
        name=name,
        title=f"{what} of {of}" if of else what,
        author="",
        publisher=plain(server.registry.owner),
        date="",
        url="",
        about="given for this run",
        supersedes="",
        related=None,
        scope=(),
        contents=(),
        layer="site",
        span=NOWHERE,
    )


# -------------------------------------------------------------------------------------------- notices


def _notices(server: Server, at: Span) -> list[Diagnostic]:
    notices = []
    if server.is_locked_down:
        notices.append(
            Diagnostic(
                "W0504",
                f"the server was in lockdown mode when `{server.file}` was read: it accepts no BIOS settings until that ends",
                at,
                help=("end lockdown mode on the server before anything is applied",),
                subject=server.file,
            )
        )
    if server.is_seen_only:
        notices.append(
            Diagnostic(
                "W0505",
                f"names are checked against `{server.file}`, and values only where the server has them now",
                at,
                notes=("there is no registry, which would have all values that the server takes",),
                help=("name its registry as well: `--registry FILE`",),
                subject=server.file,
            )
        )
    return notices
