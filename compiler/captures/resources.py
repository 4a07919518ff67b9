"""The resources of a controller: which links lead to them, whoever answers.

A service (`redfish.py`) and a tree of stored answers (`mockup.py`) are walked by the same code, from the service root
along the links of the documents. No path is guessed, since each maker has its own. What comes first matters most: the
limits cut what comes last.

Sources: DMTF, Redfish schema bundle 2024.4: ServiceRoot, ComputerSystem, Bios, Settings, MessageRegistryFile,
JobService, TaskService.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from setpoint.compiler.captures.model import Controller
from setpoint.compiler.record import NamedTuple

ROOT = "/redfish/v1"
"""The path of the service root (DSP0266, 6.5)."""

MOST_DOCUMENTS = 2_000
"""The maximum number of documents that are asked for."""

MOST_MEMBERS = 500
"""The maximum number of members of a collection that are asked for: more than any known service has jobs or
versions."""

MOST_PAGES = 100
"""The maximum number of pages of a collection."""

PATH = re.compile(r"/(?!/)[!-~]{0,1000}")
"""A link to something in the same service."""

VERSION = re.compile(r"[._]v?[0-9]+(?:[._][0-9]+)*\Z")
"""The version at the end of a registry's name, which makers write in different forms."""

REGISTRY = "biosattributeregistry"
"""How the names of registries of BIOS attributes begin, where the Bios resource does not name its own."""

HELP = ("HelpText", "WarningText")
"""What is left out of a registry: more than half of its size, and nothing that a server shows."""

Document = Mapping[str, Any]

TOO_LARGE, ABSENT = "too large", "absent"


class UnreadPlaceError(Exception):
    """A document cannot be read; the argument is the reason, in the words of a capture."""


class ManagedServer(NamedTuple):
    """A server as its controller shows it.

    It has the ComputerSystem and its path, Bios, its settings (what is staged) and its registry, each {} if it is not
    there; jobs and tasks, in the order of their collections.
    """

    path: str
    system: Document
    bios: Document
    settings: Document
    registry: Document
    jobs: tuple[Document, ...]


def path_of(link: object) -> str:
    """The path that a link leads to, without a slash at its end; "" if it leads nowhere in the service."""
    target = link.get("@odata.id") if isinstance(link, Mapping) else link
    if not isinstance(target, str) or not PATH.fullmatch(target):
        return ""
    path = target.partition("#")[0].rstrip("/")
    return "" if {".", ".."} & {*path.split("/")} else path


def controller_of(ask: Callable[[str], Any]) -> Controller:
    """Read a controller; `ask` returns the document at a path, or raises UnreadPlaceError."""
    walk = _Walk(ask)
    root = walk.at(ROOT)
    systems = [*walk.members(root.get("Systems"))]
    staged = [walk.at(_settings(walk.at(system.get("Bios")))) for system in systems]
    for system in systems:
        if bios := walk.at(system.get("Bios")):
            _registry(walk, root, bios)
    for collection in (*_job_collections(walk, root, staged), *_other_collections(walk, root, systems)):
        for _ in walk.members(collection):
            pass
    return Controller(walk.read, walk.unread)


def managed_servers(controller: Controller) -> tuple[ManagedServer, ...]:
    """The servers of a controller that was read, first those that have a Bios and can be restarted.

    Modules of a server, such as boards of accelerators, can be systems of their own. Those that have neither a Bios nor
    a UUID are left out.
    """

    def ask(link: str) -> Any:
        if path_of(link) not in controller.read:
            raise UnreadPlaceError(ABSENT)
        return controller.read[path_of(link)]

    walk = _Walk(ask)
    root = walk.at(ROOT)
    systems = [*(walk.members(root.get("Systems")) if root else _of_type(controller, "ComputerSystem"))]
    servers = (
        [] if systems else [ManagedServer("", {}, bios, {}, {}, ()) for bios in _of_type(controller, "Bios")]
    )
    for system in systems:
        bios = walk.at(system.get("Bios"))
        if not bios and not system.get("UUID"):
            continue
        settings, registry = walk.at(_settings(bios)), _registry(walk, root, bios) if bios else {}
        servers.append(
            ManagedServer(path_of(system), system, bios, settings, registry, _jobs(walk, root, settings))
        )
    return tuple(sorted(servers, key=lambda server: not server.bios or not _can_restart(server.system)))


def _can_restart(system: Document) -> bool:
    actions = system.get("Actions")
    return isinstance(actions, Mapping) and "#ComputerSystem.Reset" in actions


def _of_type(controller: Controller, kind: str) -> Iterator[Document]:
    """The resources of a kind in single documents that somebody saved, without a way from a service root."""
    for document in controller.read.values():
        if isinstance(document, Mapping) and str(document.get("@odata.type")).startswith(f"#{kind}."):
            yield document


class _Walk:
    """Asks for each document once, and keeps what was read and what was not."""

    def __init__(self, ask: Callable[[str], Any]) -> None:
        self._ask = ask
        self.read: dict[str, Any] = {}
        self.unread: dict[str, str] = {}

    def at(self, link: object) -> Document:
        """The document that a link leads to; {} if there is none, or it cannot be read."""
        path = path_of(link)
        if path in self.read or path in self.unread or not path:
            return self._known(path)
        try:
            if len(self.read) + len(self.unread) >= MOST_DOCUMENTS:
                raise UnreadPlaceError(TOO_LARGE)
            document = self._ask(str(link.get("@odata.id")) if isinstance(link, Mapping) else path)
            if not isinstance(document, Mapping):
                raise UnreadPlaceError("failed")
        except UnreadPlaceError as error:
            if len(self.unread) < MOST_DOCUMENTS:
                self.unread[path] = str(error)
            return {}
        self.read[path] = _without_help(document)
        return self._known(path)

    def _known(self, path: str) -> Document:
        document: Document = self.read.get(path, {})
        return document

    def members(self, link: object, wanted: Callable[[str], bool] = lambda _: True) -> Iterator[Document]:
        """The members of a collection whose paths are wanted, all its pages; those that cannot be read are left out."""
        number = 0
        for page in self._pages(link):
            members = page.get("Members")
            for member in members if isinstance(members, list) else ():
                if not wanted(path_of(member)):
                    continue
                number += 1
                if number > MOST_MEMBERS:
                    self.unread[f"{path_of(link)}?$skip={MOST_MEMBERS}"] = TOO_LARGE
                    return
                if document := self.at(member):
                    yield document

    def _pages(self, link: object) -> Iterator[Document]:
        seen: set[str] = set()
        while (path := path_of(link)) and path not in seen and len(seen) < MOST_PAGES:
            seen.add(path)
            page = self.at(link)
            yield page
            link = page.get("Members@odata.nextLink")


def _other_collections(walk: _Walk, root: Document, systems: list[Document]) -> Iterator[object]:
    """The collections that are read as well: boot options, controllers, versions of firmware."""
    for system in systems:
        boot = system.get("Boot")
        yield boot.get("BootOptions") if isinstance(boot, Mapping) else None
    yield root.get("Managers")
    yield walk.at(root.get("UpdateService")).get("FirmwareInventory")


def _job_collections(walk: _Walk, root: Document, staged: Iterable[Document]) -> Iterator[object]:
    """The collections of jobs and tasks; the settings of some makers link to the jobs that apply them."""
    yield walk.at(root.get("JobService")).get("Jobs")
    yield walk.at(root.get("Tasks")).get("Tasks")
    for settings in staged:
        extensions = settings.get("Oem")
        for extension in extensions.values() if isinstance(extensions, Mapping) else ():
            yield extension.get("Jobs") if isinstance(extension, Mapping) else None


def _jobs(walk: _Walk, root: Document, settings: Document) -> tuple[Document, ...]:
    """The jobs and tasks, each once: a service shows the same ones in several collections."""
    jobs: dict[str, Document] = {}
    for collection in _job_collections(walk, root, [settings]):
        for job in walk.members(collection):
            jobs.setdefault(str(job.get("Id") or path_of(job)), job)
    return tuple(jobs.values())


def _settings(bios: Document) -> object:
    """The link to what is staged."""
    annotation = bios.get("@Redfish.Settings")
    return annotation.get("SettingsObject") if isinstance(annotation, Mapping) else None


# ----------------------------------------------------------------------------------------- registries


def _registry(walk: _Walk, root: Document, bios: Document) -> Document:
    """The registry that describes a Bios resource, in English if it is there in several languages.

    Services name it in different forms, with another version than the Bios resource, or not at all.
    """
    named = bios.get("AttributeRegistry")
    named = named if isinstance(named, str) else ""
    for is_it in (
        lambda path: _name(path) == named.casefold(),
        lambda path: _stem(path) == (_stem(named) or REGISTRY),
        lambda path: not named and _name(path).startswith(REGISTRY),
    ):
        for file in walk.members(root.get("Registries"), is_it):
            registry = file if "RegistryEntries" in file else walk.at(_location(file))
            if _attributes(registry):
                return registry
    return {}


def _location(file: Document) -> object:
    """Where the file of a registry is."""
    given = file.get("Location")
    places = [place for place in given if isinstance(place, Mapping)] if isinstance(given, list) else []
    places.sort(key=lambda place: not str(place.get("Language", "")).casefold().startswith("en"))
    return next((place.get("Uri") for place in places if path_of(place.get("Uri"))), None)


def _name(path: str) -> str:
    return path.rpartition("/")[2].casefold()


def _stem(path: str) -> str:
    """The name of a registry without its version."""
    return VERSION.sub("", _name(path))


def _attributes(registry: Document) -> list[Any]:
    entries = registry.get("RegistryEntries")
    attributes = entries.get("Attributes") if isinstance(entries, Mapping) else None
    return attributes if isinstance(attributes, list) else []


def _without_help(document: Document) -> Document:
    """A document; a registry without the texts that explain its attributes."""
    if not (attributes := _attributes(document)):
        return document
    shorter = [
        {key: value for key, value in attribute.items() if key not in HELP}
        if isinstance(attribute, Mapping)
        else attribute
        for attribute in attributes
    ]
    return {**document, "RegistryEntries": {**document["RegistryEntries"], "Attributes": shorter}}
