"""An emulated iDRAC, written from public documents alone: of the product it imports the twin, which is, too.

    with controllers(folder, {"plain": Behaviour(current), "off": Behaviour(current, power="Off")}) as bmcs:
        ...                                          # speak to https://bmcs["off"].address, trusting bmcs["off"].ca
        assert bmcs["off"].resets == []

`consumers.redfish_emulator` is a whole service with the BIOS of a captured server. This one is for what a client must
get right beside the values: services that differ in what they show and offer, that are busy, lose an answer, or do not
do what they accepted. It is the twin that users rehearse with, set up by a `Behaviour`; it takes any value, unless it
is given `Rules` of a captured registry. Each `Behaviour` names the document that describes it:

* DSP0266: DMTF, Redfish Specification, 1.8.1 (clause numbers are of that edition)
* Redfish schemas: DMTF/Redfish-Publications at 26c9496, folder json-schema
* Dell's scripts: dell/iDRAC-Redfish-Scripting at e7ba763, and the maintainer's answers in its issues
* sushy: OpenStack's client, for the states of Dell's jobs (sushy.oem.dell.resources.taskservice.constants)
* issue threads of others, where only users have described it

`Fault` is what a single request of a run meets: a busy service, an error, a lost answer.

All controllers of a test run in threads of its process, each on a port of its own on 127.0.0.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from registries import document
from setpoint.compiler.twin.controller import Twin as Controller
from setpoint.compiler.twin.dialects import dialects
from setpoint.compiler.twin.faults import KINDS, Fault, Kind
from setpoint.compiler.twin.machine import Machine, RefusedError, Setup
from setpoint.compiler.twin.rules import FirmwareRules as Rules
from setpoint.compiler.twin.service import running

__all__ = [
    "KINDS",
    "Behaviour",
    "Controller",
    "Fault",
    "Kind",
    "Machine",
    "RefusedError",
    "Rules",
    "controllers",
]

USER, PASSWORD = "operator", "pass:word"
IDRAC = dialects()["dell-idrac9"]
DELL_JOBS = "/redfish/v1/Managers/iDRAC.Embedded.1/Oem/Dell/Jobs"
LEGACY_JOBS = "/redfish/v1/Managers/iDRAC.Embedded.1/Jobs"
SYSTEM, BIOS, SETTINGS, MANAGER, REGISTRY = (
    IDRAC.system,
    IDRAC.bios,
    IDRAC.settings,
    IDRAC.manager,
    IDRAC.registry,
)
RESET, CLEAR = IDRAC.reset_target, IDRAC.clear_target

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


@dataclass(frozen=True)
class Behaviour:
    """How a controller differs from the plainest one.

    Attributes:
        current: The attributes in effect.
        capture: The captured server (`registries`) whose types, names and registry it shows.
        manager: What the manager shows otherwise than the capture's.
        model: `Model`, a product name (ComputerSystem.v1_27_0.json); a Dell's with the family in front, as in captures.
        processors: `Count` of the `ProcessorSummary` (ComputerSystem.v1_27_0.json): processors in the system.
        staged: Attributes that somebody else has staged. Dell's issue 249: a PATCH without an apply time only stages,
            and what is staged waits for a job.
        committed: Whether a job for these waits. Dell's issue 249: nothing more can be staged until it has run.
        apply_times: `SupportedApplyTimes` of the settings (DSP0266, 9.9 "Settings resource"; Settings.v1_4_0.json).
            With `OnReset` the PATCH makes the job (Dell's GetSetBiosAttributesREDFISH.py). An empty tuple: the property
            is absent, as in the captures of an R720 (iDRAC 2.50) and an R740 (3.15), and the client posts the job
            itself.
        shows_pending: `Bios` shows staged values before their job has run (dsx-ai-factory/libredfish, pull request 25).
        jobs: The URI of the job queue that `Bios/Settings` announces. Every other queue is 404 (DSP0266, 8.3).
        announces: What `Location` names after a PATCH that has made a job: the `job`, or its `task`
            (/redfish/v1/TaskService/Tasks/JID_…, as in dellemc.openmanage, test_redfish_firmware.py). Dell's scripts
            take the last part of it, so that either serves them (GetSetBiosAttributesREDFISH.py). A `monitor` is that
            of its task (/redfish/v1/TaskService/TaskMonitors/JID_…, dell/terraform-provider-redfish at 2a0291c,
            common/job_management.go: so it is on the 17th generation, where it answers without content).
        reset_types: `ResetType@Redfish.AllowableValues`, in this order (Resource.json, ResetType).
        ignored: Reset types that are answered with 204 and not carried out. Resource.json: a graceful type starts
            "after first performing tasks to safely shut down the resource"; an operating system that does not answer
            never gets there. Dell's scripts therefore wait for the power state after a 204, for five minutes.
        power: `PowerState` at the start (Resource.json).
        reset_time: Whether `LastResetTime` is shown (ComputerSystem.v1_27_0.json: "the date and time when the system
            last came out of a reset"). Captures up to iDRAC9 3.15 do not have it.
        busy: How many readings of each resource are answered with 503 first (DSP0266, 8.3: "temporary overloading"; an
            iDRAC says "Retry in 30 seconds": ironcore-dev/metal-operator, issue 170).
        lost: Requests that are carried out once without an answer: "PATCH", "job", "reset". HTTP allows no other
            conclusion than reading the state (RFC 9110, 9.2.2).
        page: Members on a page of the job queue; 0 for all. The next page is at `Members@odata.nextLink`, an opaque URI
            (DSP0266, 9.5.11).
        history: Jobs that are over, before all others in the queue.
        running: How many readings of its job show it running after the restart.
        rejects: Attributes that the job does not set. Its state is then CompletedWithErrors (sushy: JobState), and
            `message` says why (Dell's scripts show a job's `Message` when it fails).
        fails: The job sets nothing, and its state is Failed.
        message: What a job says that has not succeeded.
        refuses: Answer every PATCH, and every request to clear, with these words (DSP0266, 8.6 "Error responses").
        keeps_staged: A PATCH with a value that is in effect changes nothing, so that another value stays staged. No
            document says what such a PATCH does: BIOS008 only says that a job needs a value that differs from the one
            in effect (EEMI registry).
        clear: The name of the action that clears what is staged, as `Bios/Settings` announces it; "" for a service
            without it. The captures have it in `Actions.Oem` under this name; DSP0266, 9.6 "Actions", has the form
            `#DellManager.ClearPending`.
        clears: What the action does once it is accepted: `all`, or `nothing`.
        rules: What the attributes obey; without it any value is taken, and no attribute sets another.
        once: Attributes that perform something when a job has set them, and then have this value again (the registry's
            help text of WorkloadProfile: "not a 'state' … a one-time action").
    """

    current: Mapping[str, Any]
    capture: str = "dell-15g-R750"
    manager: Mapping[str, str] = field(default_factory=dict)
    model: str = "PowerEdge R750"
    processors: int = 2
    staged: Mapping[str, str] = field(default_factory=dict)
    committed: bool = False
    apply_times: tuple[str, ...] = ("OnReset",)
    shows_pending: bool = False
    jobs: str = DELL_JOBS
    announces: Literal["job", "task", "monitor"] = "job"
    reset_types: tuple[str, ...] = ("On", "ForceOff", "PowerCycle", "ForceRestart", "GracefulRestart")
    ignored: tuple[str, ...] = ()
    power: str = "On"
    reset_time: bool = True
    busy: int = 0
    lost: tuple[str, ...] = ()
    page: int = 0
    history: int = 0
    running: int = 1
    rejects: tuple[str, ...] = ()
    fails: bool = False
    message: str = ""
    refuses: str = ""
    keeps_staged: bool = False
    clear: str = "DellManager.v1_0_0#DellManager.ClearPending"
    clears: Literal["all", "nothing"] = "all"
    rules: Rules | None = None
    once: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def captured(cls, capture: str, **more: Any) -> Behaviour:
        """The behaviour of a captured server: what its service offers, and the attributes and rules of its registry."""
        system, bios, settings = (document(capture, name) for name in ("System", "Bios", "Settings"))
        offered: dict[str, Any] = {
            "current": bios["Attributes"],
            "model": system["Model"],
            "processors": system["ProcessorSummary"]["Count"],
            "apply_times": tuple(bios["@Redfish.Settings"].get("SupportedApplyTimes", ())),
            "jobs": next(iter(settings["Oem"].values()))["Jobs"]["@odata.id"],
            "reset_types": tuple(
                system["Actions"]["#ComputerSystem.Reset"]["ResetType@Redfish.AllowableValues"]
            ),
            "reset_time": "LastResetTime" in system,
        }
        return cls(capture=capture, **{**offered, **more})

    @classmethod
    def idrac10(cls, current: Mapping[str, Any], **more: Any) -> Behaviour:
        """The behaviour of an iDRAC10, which is not among the captures: it has the documents of an R750's iDRAC9
        otherwise.

        A comparison of Dell's mockups (R770 with iDRAC10 1.10.17.00, R7725xd, XE9712) with those of iDRAC9 has the
        addresses of both the same, the jobs at Oem/Dell/Jobs, `OnReset` as the one apply time, and "17G Monolithic" as
        the manager's model.
        """
        offered: dict[str, Any] = {
            "manager": {"Model": "17G Monolithic", "FirmwareVersion": "1.10.17.00"},
            "model": "PowerEdge R670",
            "apply_times": ("OnReset",),
            "jobs": DELL_JOBS,
            "announces": "monitor",
        }
        return cls(current, **{**offered, **more})

    def machine(self) -> Machine:
        """A server that behaves so."""
        dialect = IDRAC._replace(
            apply_times=self.apply_times,
            early=self.shows_pending,
            jobs=self.jobs,
            announces=self.announces,
            resets=self.reset_types,
            reset_time=self.reset_time,
            boot_progress=False,
            clear=self.clear,
            equal="ignored" if self.keeps_staged else "stays",
        )
        system, bios, settings = (document(self.capture, name) for name in ("System", "Bios", "Settings"))
        for vendor in settings["Oem"].values():
            vendor["Jobs"] = {"@odata.id": self.jobs}
        registry = {**document(self.capture, "BiosRegistry"), "Name": "BIOS Attribute Registry"}
        processors = {**system["ProcessorSummary"], "Count": self.processors}
        return Machine(
            Setup(
                dialect,
                self.current,
                self.rules,
                {
                    dialect.system: system,
                    dialect.bios: bios,
                    dialect.settings: settings,
                    dialect.registry: registry,
                },
                system={"Model": self.model, "ProcessorSummary": processors},
                manager={**MANAGERS[self.capture], **self.manager},
                staged=self.staged,
                committed=self.committed,
                power=self.power,
                starting=self.running + 1,
                once=self.once,
                history=self.history,
                page=self.page,
                busy=self.busy,
                lost=self.lost,
                rejects=self.rejects,
                ignored=self.ignored,
                fails=self.fails,
                message=self.message,
                refuses=self.refuses,
                clears=self.clears == "all",
            )
        )


@contextmanager
def controllers(
    behaviours: Mapping[str, Behaviour], certificate: Path, key: Path
) -> Iterator[dict[str, Controller]]:
    """Run a controller for each behaviour, by its name."""
    machines = {name: one.machine() for name, one in behaviours.items()}
    with served(machines, certificate, key) as found:
        yield found


@contextmanager
def served(machines: Mapping[str, Machine], certificate: Path, key: Path) -> Iterator[dict[str, Controller]]:
    """Run a controller for each machine, by its name, each on a port of its own on 127.0.0.1."""
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(running(Controller(one, USER, PASSWORD, certificate), key))
            for name, one in machines.items()
        }
