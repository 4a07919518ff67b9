"""What a reading of each address shows: the documents of a capture, where there is one, and what goes on in the
machine.

The documents that a client walks through before it is at the BIOS have the types of DMTF's schemas
(Redfish-Publications at 26c9496): the service root and collections (DSP0266, 9.5), sessions (13.3), tasks (12.2),
registries, managers, actions. What a maker's documents have beside them is in the dialect (`shown`), or in the capture,
which counts before everything else that does not change.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from setpoint.compiler.twin.dialects import maker_of
from setpoint.compiler.twin.machine import Machine

ROOT = "/redfish/v1"
SESSION_SERVICE = f"{ROOT}/SessionService"
SESSIONS = f"{SESSION_SERVICE}/Sessions"
TASK_SERVICE = f"{ROOT}/TaskService"
TASKS = f"{TASK_SERVICE}/Tasks"
MONITORS = f"{TASK_SERVICE}/TaskMonitors"
REGISTRIES = f"{ROOT}/Registries"
EXPAND = "$expand"
NO_MOMENT = "0000-00-00T00:00:00+00:00"

UUID = "00000000-0000-4000-8000-000000000001"
"""The service's own, which is not the server's."""

Document = dict[str, Any]


class ResourceTree:
    """The resources of a service."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.sessions: list[str] = []
        self._unseen: dict[str, int] = {}
        dialect = machine.dialect
        captured = {path.rstrip("/"): document for path, document in machine.setup.documents.items()}
        self._captured = captured
        self.settings = dialect.settings.rstrip("/")
        live: dict[str, Callable[[], Document]] = {
            dialect.system: self._system,
            dialect.bios.rstrip("/"): self._bios,
            SESSIONS: lambda: collection("Session", (f"{SESSIONS}/{name}" for name in self.sessions)),
            TASKS: lambda: collection("Task", (f"{TASKS}/{task['Id']}" for task in self._tasks())),
            dialect.manager: self._manager,
        }
        if self.settings:
            live[self.settings] = self._settings
        self._live = live
        self._fixed = {**self._standing(), **captured}

    def at(self, path: str, query: Mapping[str, list[str]]) -> Document | None:
        """What a reading of a path shows; None where nothing is."""
        machine, path = self.machine, path.rstrip("/")
        machine.pass_time()
        if path == self.settings and machine.dialect.shows == "missing" and not machine.staged:
            return None
        if path == machine.dialect.jobs and path:
            return {"@odata.id": path, **self._queue(query)}
        if path in self._live:
            return {"@odata.id": path, **self._live[path]()}
        if path in self._fixed:
            return {"@odata.id": path, **self._fixed[path]} if path != "/redfish" else dict(self._fixed[path])
        place, _, name = path.rpartition("/")
        if place == SESSIONS and name in self.sessions:
            return {"@odata.id": path, **session(name)}
        job = next((job for job in self._tasks() if job["Id"] == name), None)
        if job is not None and self._unseen.setdefault(name, machine.setup.late):
            self._unseen[name] -= 1
            return None
        is_gone = job is not None and place == TASKS and machine.setup.forgets and job["PercentComplete"]
        if job is None or is_gone or place not in (machine.dialect.jobs, TASKS):
            return None
        machine.tick()
        return dict(job) if place == machine.dialect.jobs else {"@odata.id": path, **self._task(job)}

    def _tasks(self) -> list[Document]:
        return [*self.machine.jobs, *self.machine.tasks]

    # --------------------------------------------------------------------------------------- what stands

    def _standing(self) -> dict[str, Document]:
        """The documents that do not change."""
        dialect = self.machine.dialect
        root = {
            "@odata.type": "#ServiceRoot.v1_5_0.ServiceRoot",
            "Id": "RootService",
            "Name": "Root Service",
            "RedfishVersion": "1.6.0",
            "UUID": UUID,
            **{
                name: _link(f"{ROOT}/{name}")
                for name in ("Systems", "Managers", "Registries", "SessionService")
            },
            "Tasks": _link(TASK_SERVICE),
            "Links": {"Sessions": _link(SESSIONS)},
            **dialect.shown.get("root", {}),
        }
        documents = {
            "/redfish": {"v1": f"{ROOT}/"},
            ROOT: root,
            f"{ROOT}/odata": {
                "@odata.context": f"{ROOT}/$metadata",
                "value": [
                    {"name": name, "kind": "Singleton", "url": link["@odata.id"]}
                    for name, link in root.items()
                    if isinstance(link, dict) and "@odata.id" in link
                ],
            },
            f"{ROOT}/Systems": collection("ComputerSystem", [dialect.system]),
            f"{ROOT}/Managers": collection("Manager", [dialect.manager]),
            REGISTRIES: collection("MessageRegistryFile", [self._registry_file()]),
            **_services(dialect.idle_seconds),
        }
        if dialect.resets_apart:
            documents[f"{dialect.system}/ResetActionInfo"] = self._action_info()
        documents.update(self._processors())
        return {**documents, **self._registry()}

    def _registry(self) -> dict[str, Document]:
        """The registry, and the file that leads to it, unless the capture has its own."""
        dialect, documents = self.machine.dialect, self._captured
        registry = documents.get(dialect.registry.rstrip("/"))
        if registry is None or REGISTRIES in documents:
            return {}
        file = {
            "@odata.type": "#MessageRegistryFile.v1_0_2.MessageRegistryFile",
            "Id": self._registry_file().rpartition("/")[2],
            "Name": "BIOS Attribute Registry File",
            "Registry": registry.get("Id", "BiosAttributeRegistry"),
            "Languages": ["en"],
            "Location": [{"Language": "en", "Uri": dialect.registry}],
        }
        return {self._registry_file(): file}

    def _registry_file(self) -> str:
        """Where the file is that leads to the registry: it is called as the registry is."""
        registry = self._captured.get(self.machine.dialect.registry.rstrip("/"), {})
        return f"{REGISTRIES}/{registry.get('Id') or 'BiosAttributeRegistry'}"

    def _processors(self) -> dict[str, Document]:
        """The processors of the setup, and their collection; none without them, or where the capture has its own."""
        dialect, setup, place = self.machine.dialect, self.machine.setup, self._processors_at()
        if not setup.processor or place in self._captured:
            return {}
        count = self._system()["ProcessorSummary"]["Count"]
        processor = {
            "@odata.type": "#Processor.v1_3_1.Processor",
            "Name": "Processor",
            "ProcessorType": "CPU",
            "ProcessorId": processor_id(dialect.processor, *setup.processor),
            "Status": {"State": "Enabled", "Health": "OK"},
        }
        names = [str(number) for number in range(1, count + 1)]
        return {
            place: collection("Processor", (f"{place}/{name}" for name in names)),
            **{f"{place}/{name}": {**processor, "Id": name} for name in names},
        }

    def _processors_at(self) -> str:
        return f"{self.machine.dialect.system}/Processors"

    def _action_info(self) -> Document:
        kinds = list(self.machine.dialect.resets)
        parameter = {"Name": "ResetType", "Required": True, "DataType": "String", "AllowableValues": kinds}
        return {
            "@odata.type": "#ActionInfo.v1_1_2.ActionInfo",
            "Id": "ResetActionInfo",
            "Name": "Reset Action Info",
            "Parameters": [parameter],
        }

    # ---------------------------------------------------------------------------------------- what lives

    def _system(self) -> Document:
        machine = self.machine
        dialect = machine.dialect
        action: Document = {"target": dialect.reset_target}
        if dialect.resets_apart:
            action["@Redfish.ActionInfo"] = f"{dialect.system}/ResetActionInfo"
        if dialect.resets_inline or not dialect.resets_apart:
            action["ResetType@Redfish.AllowableValues"] = list(dialect.resets)
        captured = self._captured.get(dialect.system, {})
        document = {
            "@odata.type": "#ComputerSystem.v1_5_0.ComputerSystem",
            "Id": dialect.system.rpartition("/")[2],
            "Name": "System",
            "Bios": _link(dialect.bios),
            "ProcessorSummary": {"Count": 2},
            **({"Processors": _link(self._processors_at())} if machine.setup.processor else {}),
            **dialect.shown.get("system", {}),
            **captured,
            **machine.setup.system,
            "PowerState": machine.power,
            "Actions": {**captured.get("Actions", {}), "#ComputerSystem.Reset": action},
        }
        document.pop("LastResetTime", None)
        if dialect.reset_time:
            moment = machine.moment(machine.reset_event)
            document["LastResetTime"] = NO_MOMENT if machine.setup.timeless else moment
        state = "down" if machine.power == "Off" else "starting" if machine.is_starting else "up"
        if dialect.boot_progress:
            document["BootProgress"] = {"LastState": dialect.boot_words[state]}
        if dialect.post:
            document = _with(document, dialect.post, dialect.post_words[state])
        if dialect.reboots:
            document = _with(document, dialect.reboots, machine.boots)
        return document

    def _bios(self) -> Document:
        machine = self.machine
        dialect = machine.dialect
        self._step()
        registry = self._captured.get(dialect.registry.rstrip("/"), {}).get("Id")
        document: Document = {
            "@odata.type": "#Bios.v1_0_2.Bios",
            "Id": "Bios",
            "Name": "BIOS Configuration Current Settings",
            **({"AttributeRegistry": registry} if registry and dialect.names_registry else {}),
            **self._captured.get(dialect.bios.rstrip("/"), {}),
            "Attributes": machine.shown,
        }
        if not dialect.settings or not dialect.links_settings:
            document.pop("@Redfish.Settings", None)
            return document
        settings = {
            "@odata.type": "#Settings.v1_3_0.Settings",
            **document.get("@Redfish.Settings", {}),
            "SettingsObject": _link(dialect.settings),
        }
        settings.pop("SupportedApplyTimes", None)
        if dialect.apply_times:
            settings["SupportedApplyTimes"] = list(dialect.apply_times)
        if dialect.outcome:
            settings["Time"] = machine.moment(machine.applied_event)
            settings["Messages"] = []
        if dialect.outcome == "messages":
            settings["Messages"] = [message(machine, kind, *given) for kind, given in machine.messages]
        return {**document, "@Redfish.Settings": settings}

    def _settings(self) -> Document:
        machine = self.machine
        dialect = machine.dialect
        self._step()
        shown = {**dialect.shown.get("settings", {}), **self._captured.get(self.settings, {})}
        shown.pop("Attributes", None)
        shown.pop("Actions", None)
        if dialect.clear:
            shown["Actions"] = {"Oem": {dialect.clear: {"target": dialect.clear_target}}}
        document: Document = {
            "@odata.type": "#Bios.v1_0_2.Bios",
            "Id": "Settings",
            "Name": "BIOS Configuration Pending Settings",
            **shown,
        }
        if machine.version:
            document["@odata.etag"] = machine.version
        staged = machine.settings
        return document if staged is None else {**document, "Attributes": staged}

    def _step(self) -> None:
        """A server without jobs goes on when its BIOS is read; one with jobs, when a job is."""
        if not self.machine.dialect.jobs:
            self.machine.tick()

    def _manager(self) -> Document:
        machine = self.machine
        dialect = machine.dialect
        return {
            "@odata.type": "#Manager.v1_3_3.Manager",
            "Id": dialect.manager.rpartition("/")[2],
            "Name": "Manager",
            "ManagerType": "BMC",
            **dialect.shown.get("manager", {}),
            **self._captured.get(dialect.manager, {}),
            **machine.setup.manager,
            "DateTime": machine.moment(machine.events),
            "DateTimeLocalOffset": "+00:00",
            "Links": {"ManagerForServers": [_link(dialect.system)]},
        }

    def _queue(self, query: Mapping[str, list[str]]) -> Document:
        machine = self.machine
        jobs, page, uri = machine.jobs, machine.setup.page, machine.dialect.jobs
        start = int(given) if (given := query.get("$skip", ["0"])[0]).isascii() and given.isdigit() else 0
        end = start + page if page else len(jobs)
        shown = collection("Job", [job["@odata.id"] for job in jobs[start:end]])
        shown["Members@odata.count"] = len(jobs)
        if EXPAND in query:
            shown["Members"] = [dict(job) for job in jobs[start:end]]
        if end < len(jobs):
            expand = f"{EXPAND}=*($levels=1)&" if EXPAND in query else ""
            shown["Members@odata.nextLink"] = f"{uri}?{expand}$skip={end}"
        return shown

    def _task(self, job: Mapping[str, Any]) -> Document:
        words = {word: meaning for meaning, word in self.machine.dialect.job_states.items()}
        states = {"waiting": "New", "running": "Running", "done": "Completed"}
        state = states.get(words.get(job["JobState"], ""), "Exception")
        return {
            "@odata.type": "#Task.v1_1_1.Task",
            "Id": job["Id"],
            "Name": job["Name"],
            "TaskState": state,
            "TaskStatus": "OK",  # a failed one says so, too (M: nvidia_viking, TaskService/Tasks/3)
            "Messages": [{"MessageId": "TaskEvent.1.0.TaskProgressChanged", "Message": job["Message"]}],
        }


def collection(kind: str, members: Iterable[str]) -> Document:
    """A collection of resources of a kind."""
    listed = [_link(member) for member in members]
    return {
        "@odata.type": f"#{kind}Collection.{kind}Collection",
        "Name": f"{kind} Collection",
        "Members": listed,
        "Members@odata.count": len(listed),
    }


def processor_id(
    form: Mapping[str, str], vendor: str, family: int, model: int, stepping: int
) -> dict[str, str]:
    """What a service shows of a processor. The register is that of leaf 1 of CPUID: the base family is 15 at most."""
    base = min(family, 15)
    eax = (family - base) << 20 | model >> 4 << 16 | base << 8 | (model & 15) << 4 | stepping
    places = {"vendor": vendor, "maker": maker_of(vendor), "family": family, "model": model}
    words = {"stepping": stepping, "eax": eax, "lower": eax & 0xFFFF, "upper": eax >> 16}
    return {name: text.format(**places, **words) for name, text in form.items()}


def session(name: str) -> Document:
    """A session."""
    return {"@odata.type": "#Session.v1_0_0.Session", "Id": name, "Name": "User Session"}


def message(machine: Machine, kind: str, *given: str) -> Document:
    """A message of the service, as its extended information has it (DSP0266, 8.6)."""
    dialect = machine.dialect
    said = dialect.messages[kind]
    arguments = [*said.arguments, *given, *said.last]
    document: Document = {"MessageId": said.id, "MessageArgs": arguments}
    if dialect.words:
        document["Message"] = said.text.format(*arguments)
    if kind in ("unknown", "value", "locked") and given:
        document["RelatedProperties"] = [f"#/{given[0]}"]
    return document


def _link(path: str) -> dict[str, str]:
    return {"@odata.id": path}


def _with(document: Document, path: tuple[str, ...], value: object) -> Document:
    """The document with a value at a path of members."""
    first, *rest = path
    inner = document.get(first)
    below = inner if isinstance(inner, dict) else {}
    return {**document, first: _with(below, tuple(rest), value) if rest else value}


def _services(idle_seconds: int) -> dict[str, Document]:
    """The documents of the services for sessions and for tasks."""
    sessions = {
        "@odata.type": "#SessionService.v1_1_3.SessionService",
        "Id": "SessionService",
        "Name": "Session Service",
        "ServiceEnabled": True,
        "SessionTimeout": max(idle_seconds, 30),
        "Sessions": _link(SESSIONS),
    }
    tasks = {
        "@odata.type": "#TaskService.v1_1_0.TaskService",
        "Id": "TaskService",
        "Name": "Task Service",
        "ServiceEnabled": True,
        "Tasks": _link(TASKS),
    }
    return {SESSION_SERVICE: sessions, TASK_SERVICE: tasks}
