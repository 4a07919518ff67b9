"""The resources of the service: what a reading of each URI shows.

A server and its BIOS look as they did in the capture that the behaviour names: the types, names and registry of its generation.
What goes on is the machine's. The rest of the tree is what a client walks through before it is there, in the types of the
schemas of DMTF (Redfish-Publications at 26c9496, folder csdl):

* the service root, collections, sessions, registries and tasks: DSP0266, 9.5 and 12.2; ServiceRoot, SessionService,
  MessageRegistryFile, TaskService and Task (`_v1.xml` each)
* the manager: the captures' `Manager.json` (tests/registries/origins.toml has where they are from), of which `dellemc.openmanage`
  reads the generation out of `Model` (plugins/module_utils/idrac_redfish.py, get_server_generation)
* a job has the same name as its task: dellemc.openmanage, tests/unit/plugins/modules/test_redfish_firmware.py (JID_… at
  /redfish/v1/TaskService/Tasks). The states of a task: DSP0266, 12.2; Task_v1.xml, TaskState
* jobs: sushy.oem.dell.resources.taskservice.constants
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from idrac.machine import Machine
from registries import document

ROOT = "/redfish/v1"
SYSTEM = f"{ROOT}/Systems/System.Embedded.1"
RESET = f"{SYSTEM}/Actions/ComputerSystem.Reset"
BIOS = f"{SYSTEM}/Bios"
SETTINGS = f"{BIOS}/Settings"
CLEAR = f"{SETTINGS}/Actions/Oem/DellManager.ClearPending"
REGISTRY = f"{BIOS}/BiosRegistry"
REGISTRY_FILE = f"{ROOT}/Registries/BiosAttributeRegistry"
MANAGER = f"{ROOT}/Managers/iDRAC.Embedded.1"
SESSION_SERVICE = f"{ROOT}/SessionService"
SESSIONS = f"{SESSION_SERVICE}/Sessions"
TASK_SERVICE = f"{ROOT}/TaskService"
TASKS = f"{TASK_SERVICE}/Tasks"
MONITORS = f"{TASK_SERVICE}/TaskMonitors"
EXPAND = "$expand"

MANAGERS = {
    "dell-12g-R720": {
        "@odata.type": "#Manager.v1_0_2.Manager",
        "Model": "12G Monolithic",
        "FirmwareVersion": "2.50.50.50",
    },
    "dell-13g-R630": {
        "@odata.type": "#Manager.v1_3_3.Manager",
        "Model": "13G Monolithic",
        "FirmwareVersion": "2.81.81.81",
    },
    "dell-14g-R740": {
        "@odata.type": "#Manager.v1_0_2.Manager",
        "Model": "14G Monolithic",
        "FirmwareVersion": "3.15.15.15",
    },
    "dell-15g-R750": {
        "@odata.type": "#Manager.v1_18_0.Manager",
        "Model": "15G Monolithic",
        "FirmwareVersion": "7.10.30.00",
    },
}
"""Of the captures' `Manager.json`, what a client asks for."""

TASK_STATES = {
    "Scheduled": "New",
    "Running": "Running",
    "Completed": "Completed",
    "CompletedWithErrors": "Exception",
    "Failed": "Exception",
}
"""The state of a job's task. Task_v1.xml: `Exception` is "completed with errors", `New` has "not yet begun"."""

Document = dict[str, Any]


def resource(
    machine: Machine, path: str, query: Mapping[str, list[str]], sessions: Iterable[str]
) -> Document | None:
    """What a reading of `path` shows; None where nothing is."""
    fixed: dict[str, Callable[[], Document]] = {
        "/redfish": lambda: {"v1": f"{ROOT}/"},
        ROOT: lambda: _root(machine),
        f"{ROOT}/Systems": lambda: _collection("ComputerSystem", "Computer System Collection", [SYSTEM]),
        f"{ROOT}/Managers": lambda: _collection("Manager", "Manager Collection", [MANAGER]),
        f"{ROOT}/Registries": lambda: _collection(
            "MessageRegistryFile", "Registry Repository", [REGISTRY_FILE]
        ),
        SYSTEM: lambda: _system(machine),
        BIOS: lambda: _bios(machine),
        SETTINGS: lambda: _settings(machine),
        REGISTRY: lambda: _registry(machine),
        REGISTRY_FILE: lambda: _registry_file(machine),
        MANAGER: lambda: _manager(machine),
        SESSION_SERVICE: _session_service,
        SESSIONS: lambda: _collection(
            "Session", "Session Collection", [f"{SESSIONS}/{one}" for one in sessions]
        ),
        TASK_SERVICE: _task_service,
        TASKS: lambda: _collection(
            "Task", "Task Collection", [f"{TASKS}/{job['Id']}" for job in machine.jobs]
        ),
        machine.behaviour.jobs: lambda: _queue(machine, query),
    }
    if path in fixed:
        return fixed[path]()
    place, _, name = path.rpartition("/")
    if place == SESSIONS and name in sessions:
        return {"@odata.type": "#Session.v1_0_0.Session", "Id": name, "Name": "User Session"}
    job = next((job for job in machine.jobs if job["Id"] == name), None)
    if job is None or place not in (machine.behaviour.jobs, TASKS):
        return None
    machine.tick()
    return dict(job) if place == machine.behaviour.jobs else _task(job)


def _root(machine: Machine) -> Document:
    links = {
        name: {"@odata.id": f"{ROOT}/{name}"}
        for name in ("Systems", "Managers", "Registries", "SessionService")
    }
    return {
        "@odata.type": "#ServiceRoot.v1_5_0.ServiceRoot",
        "Id": "RootService",
        "Name": "Root Service",
        "RedfishVersion": "1.4.0",
        "Vendor": "Dell",
        **links,
        "Tasks": {"@odata.id": TASK_SERVICE},
        "Links": {"Sessions": {"@odata.id": SESSIONS}},
    }


def _collection(kind: str, name: str, members: list[str]) -> Document:
    return {
        "@odata.type": f"#{kind}Collection.{kind}Collection",
        "Name": name,
        "Members": [{"@odata.id": member} for member in members],
        "Members@odata.count": len(members),
    }


def _system(machine: Machine) -> Document:
    behaviour = machine.behaviour
    shown = document(behaviour.capture, "System")
    shown.pop("LastResetTime", None)
    if behaviour.reset_time:
        shown["LastResetTime"] = machine.reset_time
    allowed = {"ResetType@Redfish.AllowableValues": list(behaviour.reset_types), "target": RESET}
    return {
        **shown,
        "Model": behaviour.model,
        "ProcessorSummary": {**shown["ProcessorSummary"], "Count": behaviour.processors},
        "PowerState": machine.power,
        "Actions": {"#ComputerSystem.Reset": allowed},
    }


def _bios(machine: Machine) -> Document:
    shown = document(machine.behaviour.capture, "Bios")
    shown["Attributes"] = machine.shown
    settings = shown["@Redfish.Settings"]
    settings.pop("SupportedApplyTimes", None)
    if machine.behaviour.apply_times:
        settings["SupportedApplyTimes"] = list(machine.behaviour.apply_times)
    return shown


def _settings(machine: Machine) -> Document:
    shown = document(machine.behaviour.capture, "Settings")
    for vendor in shown["Oem"].values():
        vendor["Jobs"] = {"@odata.id": machine.behaviour.jobs}
    name = machine.behaviour.clear
    shown["Actions"] = {"Oem": {name: {"target": CLEAR}}} if name else {}
    return {**shown, "Attributes": dict(machine.staged)}


def _registry(machine: Machine) -> Document:
    return {**document(machine.behaviour.capture, "BiosRegistry"), "Name": "BIOS Attribute Registry"}


def _registry_file(machine: Machine) -> Document:
    name = document(machine.behaviour.capture, "BiosRegistry")["Id"]
    return {
        "@odata.type": "#MessageRegistryFile.v1_0_2.MessageRegistryFile",
        "Id": "BiosAttributeRegistry",
        "Name": "BiosAttributeRegistry Message Registry File",
        "Registry": name,
        "Languages": ["en"],
        "Location": [{"Language": "en", "Uri": REGISTRY}],
    }


def _manager(machine: Machine) -> Document:
    return {
        **MANAGERS[machine.behaviour.capture],
        **machine.behaviour.manager,
        "Id": "iDRAC.Embedded.1",
        "Name": "Manager",
        "ManagerType": "BMC",
        "DateTime": machine.reset_time,
        "DateTimeLocalOffset": "+00:00",
        "Links": {"ManagerForServers": [{"@odata.id": SYSTEM}]},
    }


def _session_service() -> Document:
    return {
        "@odata.type": "#SessionService.v1_1_3.SessionService",
        "Id": "SessionService",
        "Name": "Session Service",
        "ServiceEnabled": True,
        "SessionTimeout": 1800,
        "Sessions": {"@odata.id": SESSIONS},
    }


def _task_service() -> Document:
    return {
        "@odata.type": "#TaskService.v1_1_0.TaskService",
        "Id": "TaskService",
        "Name": "Task Service",
        "ServiceEnabled": True,
        "Tasks": {"@odata.id": TASKS},
    }


def _task(job: Mapping[str, Any]) -> Document:
    return {
        "@odata.type": "#Task.v1_1_1.Task",
        "Id": job["Id"],
        "Name": job["Name"],
        "TaskState": TASK_STATES[job["JobState"]],
        "TaskStatus": "Critical" if TASK_STATES[job["JobState"]] == "Exception" else "OK",
        "Messages": [{"MessageId": "JCP001", "Message": job["Message"]}],
    }


def _queue(machine: Machine, query: Mapping[str, list[str]]) -> Document:
    jobs, page, uri = machine.jobs, machine.behaviour.page, machine.behaviour.jobs
    start = int(query.get("$skip", ["0"])[0])
    end = start + page if page else len(jobs)
    shown = _collection("DellJob", "JobQueue", [job["@odata.id"] for job in jobs[start:end]])
    shown["Members@odata.count"] = len(jobs)
    if EXPAND in query:
        shown["Members"] = [dict(job) for job in jobs[start:end]]
    if end < len(jobs):
        expand = f"{EXPAND}=*($levels=1)&" if EXPAND in query else ""
        shown["Members@odata.nextLink"] = f"{uri}?{expand}$skip={end}"
    return shown
