"""The server behind the emulated controller: BIOS attributes, what is staged, the jobs, and its power."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from registries import document
from setpoint.compiler.twin.rules import FirmwareRules as Rules

DELL_JOBS = "/redfish/v1/Managers/iDRAC.Embedded.1/Oem/Dell/Jobs"
LEGACY_JOBS = "/redfish/v1/Managers/iDRAC.Embedded.1/Jobs"
OPEN = ("Scheduled", "Running")
BEFORE = "2026-01-05T08:00:00+00:00"


class RefusedError(Exception):
    """A request that the service answers with an error, in its own words."""


@dataclass(frozen=True)
class Behaviour:
    """How a controller differs from the plainest one.

    Attributes:
        current: The attributes in effect.
        capture: The captured server (`registries`) whose types, names and registry it shows.
        manager: What the manager shows otherwise than the capture's.
        model: `Model`, a product name (ComputerSystem.v1_27_0.json); a Dell's with the family in front, as in captures.
        processors: `Count` of the `ProcessorSummary` (ComputerSystem.v1_27_0.json): processors in the system.
        staged: Attributes that somebody else has staged. Dell's issue 249: a PATCH without an apply time only stages, and what
            is staged waits for a job.
        committed: Whether a job for these waits. Dell's issue 249: nothing more can be staged until it has run.
        apply_times: `SupportedApplyTimes` of the settings (DSP0266, 9.9 "Settings resource"; Settings.v1_4_0.json). With
            `OnReset` the PATCH makes the job (Dell's GetSetBiosAttributesREDFISH.py). An empty tuple: the property is absent,
            as in the captures of an R720 (iDRAC 2.50) and an R740 (3.15), and the client posts the job itself.
        shows_pending: `Bios` shows staged values before their job has run (dsx-ai-factory/libredfish, pull request 25).
        jobs: The URI of the job queue that `Bios/Settings` announces. Every other queue is 404 (DSP0266, 8.3).
        announces: What `Location` names after a PATCH that has made a job: the `job`, or its `task`
            (/redfish/v1/TaskService/Tasks/JID_…, as in dellemc.openmanage, test_redfish_firmware.py). Dell's scripts take the
            last part of it, so that either serves them (GetSetBiosAttributesREDFISH.py). A `monitor` is that of its task
            (/redfish/v1/TaskService/TaskMonitors/JID_…, dell/terraform-provider-redfish at 2a0291c, common/job_management.go: so
            it is on the 17th generation, where it answers without content).
        reset_types: `ResetType@Redfish.AllowableValues`, in this order (Resource.json, ResetType).
        ignored: Reset types that are answered with 204 and not carried out. Resource.json: a graceful type starts "after first
            performing tasks to safely shut down the resource"; an operating system that does not answer never gets there. Dell's
            scripts therefore wait for the power state after a 204, for five minutes.
        power: `PowerState` at the start (Resource.json).
        reset_time: Whether `LastResetTime` is shown (ComputerSystem.v1_27_0.json: "the date and time when the system last came
            out of a reset"). Captures up to iDRAC9 3.15 do not have it.
        busy: How many readings of each resource are answered with 503 first (DSP0266, 8.3: "temporary overloading"; an iDRAC
            says "Retry in 30 seconds": ironcore-dev/metal-operator, issue 170).
        lost: Requests that are carried out once without an answer: "PATCH", "job", "reset". HTTP allows no other conclusion
            than reading the state (RFC 9110, 9.2.2).
        page: Members on a page of the job queue; 0 for all. The next page is at `Members@odata.nextLink`, an opaque URI
            (DSP0266, 9.5.11).
        history: Jobs that are over, before all others in the queue.
        running: How many readings of its job show it running after the restart.
        rejects: Attributes that the job does not set. Its state is then CompletedWithErrors (sushy: JobState), and
            `message` says why (Dell's scripts show a job's `Message` when it fails).
        fails: The job sets nothing, and its state is Failed.
        message: What a job says that has not succeeded.
        refuses: Answer every PATCH, and every request to clear, with these words (DSP0266, 8.6 "Error responses").
        keeps_staged: A PATCH with a value that is in effect changes nothing, so that another value stays staged. No document says
            what such a PATCH does: BIOS008 only says that a job needs a value that differs from the one in effect (EEMI registry).
        clear: The name of the action that clears what is staged, as `Bios/Settings` announces it; "" for a service without it. The
            captures have it in `Actions.Oem` under this name; DSP0266, 9.6 "Actions", has the form `#DellManager.ClearPending`.
        clears: What the action does once it is accepted: `all`, or `nothing`.
        rules: What the attributes obey; without it any value is taken, and no attribute sets another.
        once: Attributes that perform something when a job has set them, and then have this value again (the registry's help text
            of WorkloadProfile: "not a 'state' … a one-time action").
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
        """The behaviour of an iDRAC10, which is not among the captures: it has the documents of an R750's iDRAC9 otherwise.

        A comparison of Dell's mockups (R770 with iDRAC10 1.10.17.00, R7725xd, XE9712) with those of iDRAC9 has the addresses of both
        the same, the jobs at Oem/Dell/Jobs, `OnReset` as the one apply time, and "17G Monolithic" as the manager's model.
        """
        offered: dict[str, Any] = {
            "manager": {"Model": "17G Monolithic", "FirmwareVersion": "1.10.17.00"},
            "model": "PowerEdge R670",
            "apply_times": ("OnReset",),
            "jobs": DELL_JOBS,
            "announces": "monitor",
        }
        return cls(current, **{**offered, **more})


class Machine:
    """One server: what requests and restarts make of it."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.current = dict(behaviour.current)
        self.staged = dict(behaviour.staged)
        self.jobs: list[dict[str, Any]] = []
        self.power = behaviour.power
        self.boots = 0
        self.performed: list[tuple[str, Any]] = []
        self._running = self._made = 0
        for _ in range(behaviour.history):
            self._job("Completed", "Job completed successfully.")
        if behaviour.committed:
            self.commit()

    @property
    def shown(self) -> dict[str, Any]:
        """The attributes of `Bios`."""
        return {**self.current, **self.staged} if self.behaviour.shows_pending else dict(self.current)

    @property
    def reset_time(self) -> str:
        """When the server last came out of a reset."""
        return BEFORE if not self.boots else f"2026-01-05T09:{self.boots:02d}:00+00:00"

    @property
    def open_jobs(self) -> list[dict[str, Any]]:
        """The jobs that are not over."""
        return [job for job in self.jobs if job["JobState"] in OPEN]

    def stage(self, attributes: Mapping[str, str]) -> None:
        """Stage attributes, all or none."""
        if self.behaviour.refuses:
            raise RefusedError(self.behaviour.refuses)
        if self.open_jobs:
            raise RefusedError("BIOS006: a BIOS job exists already.")
        if unknown := [name for name in attributes if name not in self.current]:
            raise RefusedError(
                f"The property {unknown[0]} is not in the list of valid properties for the resource."
            )
        rules = self.behaviour.rules
        if rules and (reason := rules.refused(self.current, {**self.staged, **attributes})):
            raise RefusedError(f"The value cannot be set, because the BIOS attribute is locked: {reason}.")
        if self.behaviour.keeps_staged:
            attributes = {name: value for name, value in attributes.items() if self.current[name] != value}
        self.staged.update(attributes)

    def commit(self) -> str:
        """Make the job for what is staged.

        Returns:
            Its URI.
        """
        if self.open_jobs:
            raise RefusedError("SYS011: Pending configuration values are already committed.")
        if not self.staged:
            raise RefusedError("BIOS008: there are no pending values.")
        return str(self._job("Scheduled", "Task successfully scheduled.")["@odata.id"])

    def clear(self) -> None:
        """Forget what is staged, unless a job waits for it.

        Dell's Redfish guide for iDRAC 7 and 8, 2.60.60.60, "Supported action: ClearPending", has the action. Its racadm guide has
        the same operation: "if any attribute is not modified or a job is already scheduled for the same device, then the pending
        state is not cleared" (clearpending). The words are those that others have seen in answers to this action: SYS011
        with a job (bmc-toolbox/bmclib at 0843f31, providers/dell/bios_settings_recovery.go, on an R6715), and RAC1035 where
        nothing is staged (openstack-k8s-operators/ci-framework at 1ef81ef, roles/idrac_configuration). Dell's own module therefore deletes a job that waits (dellemc.openmanage, idrac_bios, clear_pending).
        """
        if self.behaviour.refuses:
            raise RefusedError(self.behaviour.refuses)
        if self.open_jobs:
            raise RefusedError(
                "SYS011: Pending configuration values are already committed, unable to perform another set operation."
            )
        if not self.staged:
            raise RefusedError("RAC1035: There are no pending values to be cleared.")
        if self.behaviour.clears == "all":
            self.staged = {}

    def withdraw(self, name: str) -> None:
        """Delete a job and what it would have carried out: idrac_bios stages all of it anew after that (attributes_config)."""
        job = next(job for job in self.jobs if job["Id"] == name)
        if job in self.open_jobs:
            self.staged = {}
        self.jobs.remove(job)

    def reset(self, kind: str) -> None:
        """Accept a reset, and carry it out unless it is one that is ignored."""
        if kind not in self.behaviour.reset_types:
            raise RefusedError(
                f"The value '{kind}' for the property ResetType is not in the list of acceptable values."
            )
        if kind in self.behaviour.ignored:
            return
        if kind in ("ForceOff", "GracefulShutdown"):
            self.power = "Off"
        elif (kind == "On") == (self.power == "Off"):
            self.power = "On"
            self.boots += 1
            self._running = self.behaviour.running
            for job in self.open_jobs:
                job.update(JobState="Running", Message="Job in progress.")

    def tick(self) -> None:
        """Let a running job go on: it is over after so many readings."""
        if self._running:
            self._running -= 1
            return
        for job in self.open_jobs:
            if job["JobState"] == "Running":
                self._end(job)

    def _end(self, job: dict[str, Any]) -> None:
        rejected = self.staged.keys() if self.behaviour.fails else set(self.behaviour.rejects)
        done = {name: value for name, value in self.staged.items() if name not in rejected}
        rules = self.behaviour.rules
        self.current = rules.after_restart(self.current, done) if rules else {**self.current, **done}
        for name, neutral in self.behaviour.once.items():
            if self.current[name] != neutral:
                self.performed.append((name, self.current[name]))
                self.current[name] = neutral
        self.staged = {}
        state = "Failed" if self.behaviour.fails else "CompletedWithErrors" if rejected else "Completed"
        job.update(
            JobState=state,
            PercentComplete=100,
            Message=self.behaviour.message if rejected else "Job completed successfully.",
            CompletionTime=f"2026-01-05T09:{len(self.jobs):02d}:30",
        )

    def _job(self, state: str, message: str) -> dict[str, Any]:
        self._made += 1
        identity = f"JID_{self._made:012d}"
        job = {
            "@odata.id": f"{self.behaviour.jobs}/{identity}",
            "@odata.type": "#DellJob.v1_4_0.DellJob",
            "Id": identity,
            "JobState": state,
            "JobType": "BIOSConfiguration",
            "Message": message,
            "PercentComplete": 100 if state == "Completed" else 0,
            "Name": "Configure: BIOS.Setup.1-1",
            "CompletionTime": None if state in OPEN else "2026-01-04T00:00:00",
        }
        self.jobs.append(job)
        return job
