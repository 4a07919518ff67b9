"""The registries of a fleet: one for each platform, or for each version of its BIOS, instead of one for each host.

A registry names the model and the BIOS version that it was read from. The inventory has both of a host, so each host
gets the registry of servers like it, and hosts with the same registry can still be one class. A host whose version no
registry has is planned with what the library offers, and reported: what another version takes is not known.

Nothing here is about one server. Current values that a registry has are those of the server it was read from, so they
are dropped; the artifacts compare each server before they change it.
"""

import os
from collections.abc import Iterable, Iterator, Mapping

from setpoint.compiler.binding.context import bind
from setpoint.compiler.binding.levels import Subject
from setpoint.compiler.binding.stated import FamilyMember, HostFacts, family_member
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.files.reading import names_in, parse_json
from setpoint.compiler.fitting.server import Server, server_of
from setpoint.compiler.knowledge.lookup import essence, printed_value, squashed
from setpoint.compiler.knowledge.misnamed import unknown_fact_value
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.reported import model_fact, stated_value
from setpoint.compiler.language.program import read
from setpoint.compiler.language.syntax import Name
from setpoint.compiler.plan.server import RegistryEntry
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.registries.model import Registry, System
from setpoint.compiler.registries.read import read_registry, registry_of
from setpoint.compiler.registries.words import plain

MODEL = "="
"""Between the model and the path of a registry for which the site says which it is of."""

ENTRIES = '"RegistryEntries"'
"""What a registry among other files in JSON has."""


class Fitting(NamedTuple):
    """The registry for a host by its name in `Registries.servers`, "" for none, and why none of its model fits."""

    registry: str = ""
    why: str = ""


class Registries(NamedTuple):
    """The registries of a fleet.

    `fact` is the fact whose values are models. `versions` has for each model the registries' names by BIOS version,
    which is "" for one that is for all versions without one of their own; a model that only its family describes is
    there by its name as such names are compared. `servers` has what each registry offers.
    """

    fact: str = ""
    versions: Mapping[str, Mapping[str, str]] = {}
    servers: Mapping[str, Server] = {}

    def __bool__(self) -> bool:
        return bool(self.servers)

    def of(self, subject: Subject, knowledge: Knowledge, stated: HostFacts, bios: str) -> Fitting:
        """The registry of a host with these statements, facts and BIOS version ("" if it is unknown)."""
        try:
            context = bind(subject, knowledge, stated)
        except SetpointError:
            return Fitting()  # planning reports it
        if members := context.members.get(self.fact, ()):
            model, keys = f"`{members[0].text}`", {self._member_key(knowledge, member) for member in members}
        elif self.fact in context.facts:
            model = context.facts[self.fact].value
            keys = {model}
        else:
            return Fitting()
        versions = self.versions.get(keys.pop()) if len(keys) == 1 else None
        if versions is None:
            return Fitting(why=f"none is of {self.fact} {model}")
        if fitting := versions.get(_plain(bios)) or versions.get(""):
            return Fitting(fitting)
        if len(versions) == 1 and not bios:
            return Fitting(*versions.values())
        theirs = f"their BIOS is `{plain(bios)}`" if bios else "the inventory has no version of their BIOS"
        there = f"those of {self.fact} {model} are of BIOS {_listed(versions)}"
        return Fitting(why=f"{theirs}, and {there}")

    def _member_key(self, knowledge: Knowledge, member: FamilyMember) -> str:
        """The model that a name of a family stands for in `versions`, without its brand the only one that ends so."""
        asked = _compared(knowledge, self.fact, member.text)
        ending = [model for model in self.versions if not member.product and model.endswith(asked)]
        return ending[0] if len(ending) == 1 else asked


NO_REGISTRIES = Registries()


def read_registries(paths: Iterable[str], knowledge: Knowledge) -> Registries:
    """The registries in these files and folders. `MODEL=FILE` says which model one is of, for all its BIOS versions.

    Raises SetpointError, as `registries.read` does, and E0507 if it is not clear which hosts a registry is for.
    """
    fact = model_fact(knowledge)
    versions: dict[str, dict[str, str]] = {}
    servers: dict[str, Server] = {}
    for given, path, registry in _registries(paths):
        if given:
            systems = [(_model(knowledge, fact, given), System("", "", ""))]
        else:
            systems = list(_systems(knowledge, fact, registry, path))
        for model, system in systems:
            server = _server(registry, path, system)
            name = RegistryEntry(server.file, plain(system.product), plain(system.firmware)).text
            names = versions.setdefault(model, {})
            version = _plain(system.firmware)
            if version in names or name in servers:
                raise _unclear(
                    path,
                    f"another one is of the same {fact}{' and BIOS version' if version else ''}: {names.get(version, name)}",
                    "name one of them",
                )
            names[version] = name
            servers[name] = server
    return Registries(fact, versions, servers)


def without_registry(unfitted: Mapping[str, int]) -> Iterator[Diagnostic]:
    """The warnings about hosts that are planned without a registry, although there are some (W0702)."""
    for why, hosts in sorted(unfitted.items()):
        yield Diagnostic(
            "W0702",
            f"no registry fits these hosts: {why}",
            NOWHERE,
            notes=(f"{hosts:,} host{'s' * (hosts != 1)}: planned with all that the library offers",),
            help=("read the registry from one of them, and name it as well: `--registry FILE`",),
            subject=why,
        )


def _registries(paths: Iterable[str]) -> Iterator[tuple[str, str, Registry]]:
    """The registries by file, each after its stated model, or "". Raises OSError and SetpointError."""
    for path in paths:
        if os.path.isdir(path):
            files = [os.path.join(path, name) for name in names_in(path)]
            registries = [
                ("", file, registry) for file in files if (registry := _registry_in(file, path)) is not None
            ]
            if not registries:
                raise _unclear(
                    path, "no file in it is a registry", "name a registry, or a folder of registries"
                )
            yield from registries
        elif MODEL in path and not os.path.lexists(path):
            model, _, file = path.partition(MODEL)
            yield model, file, read_registry(file)
        else:
            yield "", path, read_registry(path)


def _registry_in(path: str, folder: str) -> Registry | None:
    """The registry in a file of a folder; None for another file. Raises SetpointError if it is unreadable."""
    if not path.endswith(".json") or not os.path.isfile(path):
        return None
    text = read(path, within=folder)
    if ENTRIES not in text:
        return None
    try:
        data = parse_json(text)
    except ValueError:
        return read_registry(path)  # which says what is wrong
    if isinstance(data, dict | list) and ENTRIES.strip('"') not in data:
        return None
    return registry_of(data, path)


def _model(knowledge: Knowledge, fact: str, text: str) -> str:
    """The model that the command line names."""
    if model := stated_value(knowledge, fact, text):
        return model
    if known := _printed(knowledge, fact, text):
        return known
    raise SetpointError(unknown_fact_value(knowledge, fact, Name(text, span=NOWHERE)))


def _printed(knowledge: Knowledge, fact: str, text: str) -> str:
    """The model that is printed so: a value, or the name of one that only its family describes; "" if it is unknown."""
    if values := printed_value(knowledge, fact, text):
        return values[0] if len(values) == 1 else ""
    return _compared(knowledge, fact, text) if family_member(knowledge, fact, text) else ""


def _compared(knowledge: Knowledge, fact: str, text: str) -> str:
    return squashed(essence(knowledge, fact, text))


def _systems(knowledge: Knowledge, fact: str, registry: Registry, path: str) -> Iterator[tuple[str, System]]:
    """The models that a registry names, with their BIOS versions. Raises SetpointError (E0507) if none is known."""
    known = False
    for system in registry.systems:
        if model := _printed(knowledge, fact, system.product):
            known = True
            yield model, system
    if not known:
        named = _listed(plain(system.product) for system in registry.systems if system.product)
        why = (
            f"it is of {named}, which the library does not know"
            if named
            else "it does not say which model it is of"
        )
        raise _unclear(path, why, f"say which {fact} it is of: `--registry MODEL{MODEL}FILE`")


def _server(registry: Registry, path: str, system: System) -> Server:
    """What servers of this model and version offer, without the current values of the registry's own server."""
    attributes = {name: attribute._replace(current=None) for name, attribute in registry.attributes.items()}
    return server_of(registry._replace(systems=(system,), attributes=attributes), {}, path)


def _plain(version: str) -> str:
    """A BIOS version as it is compared: without regard to case and spaces."""
    return "".join(version.split()).casefold()


def _listed(texts: Iterable[str]) -> str:
    return " and ".join(f"`{text}`" for text in dict.fromkeys(texts))


def _unclear(path: str, why: str, help_: str) -> SetpointError:
    message = f"`{path}` cannot be matched with hosts: {why}"
    return SetpointError.of("E0507", message, help=(help_,), subject=path)
