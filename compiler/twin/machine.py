"""The server behind the service: attributes, what is staged, jobs and tasks, its power and its restarts.

A restart takes its time. It is over after so many readings of what would show it, for tests, or after some seconds, for
everyone else; then what was staged is in effect, as far as the registry lets it be, and jobs and tasks are over. No
clock is shown: what the service calls the time of an event is the event's number, in seconds, so that a rehearsal gives
the same answers twice.
"""

import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from setpoint.compiler.record import NamedTuple
from setpoint.compiler.twin.dialects import ControllerDialect
from setpoint.compiler.twin.rules import FirmwareRules

NOTHING: Mapping[str, Any] = MappingProxyType({})
OFF = ("ForceOff", "GracefulShutdown")
"""The reset types that end with a server that is off (Resource.json, ResetType)."""

START = ("On", "ForceOn")
NO_RESTART = ("Nmi", "Suspend", "Pause", "Resume")
"""The reset types after which the server has not come out of a reset."""


class RefusedError(Exception):
    """A request that the service refuses: by which of its messages, with which arguments, and the property that is
    meant."""

    def __init__(self, kind: str, *arguments: str, about: str = "", status: int = 400) -> None:
        super().__init__(kind, *arguments)
        self.kind, self.arguments, self.about, self.status = kind, arguments, about, status


class Setup(NamedTuple):
    """A server as it is at first, and what it does otherwise than the plainest one.

    Attributes:
        dialect: What its service is like.
        current: The attributes in effect.
        rules: What the attributes obey; without it any value is taken, and no attribute sets another.
        documents: What its service shows, by path, where that is known; the dialect has the rest.
        system: What the system shows otherwise; `manager` what the manager does.
        processor: Vendor, family, model and stepping of the processors, which a capture shows by itself.
        staged: What somebody else has staged; with `committed` a job waits for it.
        power: `PowerState` at first.
        starting: How many readings of the Bios, its settings or its job a restart takes; with `seconds` it takes these
            instead.
        once: Attributes that perform something when they are set, and then have this value again.
        history: Jobs that are over, before all others; `page`: members on a page of the queue, 0 for all.
        busy: How many readings of each resource are answered by 503 first; `lost`: requests that are carried out once
            without an answer.
        drops: Attributes of a PATCH that are taken and not staged; `rejects`: those that the restart does not set.
        ignored: Reset types that are answered and not carried out: an operating system can ignore a graceful one.
        fails: Whether a job sets nothing and fails, with `message`; `refuses`: words with which every PATCH is refused.
        denies: The message with which every PATCH is denied (403): `lockdown` or `licence`.
        stuck: Whether a restart leaves a job as it is, with `message`: it waits for ever (NVIDIA/libredfish,
            src/dell.rs).
        late: How many readings of a job's address find nothing there yet (openstack/sushy,
            fix-dell-bmc-404-race-condition).
        clears: Whether the action that forgets what is staged does so.
        boots: Of how many starts a restart consists. Where jobs are, the first sets what was staged, and the job is
            over after the last (ironcore-dev/metal-operator, issue 81; NVIDIA/libredfish, issue 25: the values are
            shown before the job is over). Where values are judged at the start, there are others only if one is refused
            (lenovo/python-redfish-lenovo, issue 174).
        slashes: Whether an address without a slash at its end is moved to the one with it (308), and all links have
            one: iLO 5 before 1.40 (HPEDevCom/redfishdocs, ilo5_changelog.md, "Trailing slashes on URIs").
        jobless: Whether a request for what is staged already is answered with 200, and makes no job, nor is hindered by
            one that waits (NVIDIA/libredfish, issue 97).
        exhausted: Whether no job is made, because there are as many as there may be (RAC0524 of Dell's EEMI registry).
        blind: Whether there is no inventory, so that no BIOS is shown or changed until a person intervenes (SYS435,
            RAC0772 of the same; the status is in no document, and is 400 here).
        forgets: Whether a task is gone when it is over, and its job is not (dell/iDRAC-Redfish-Scripting, issue 275).
        tells: Whether the answer to a PATCH names what it `drops` (PropertyNotPatched of Lenovo's ExtendedError
            registry).
        silent: Whether nothing tells of what the restart `rejects`: a memory mode that does not fit the memory is a job
            that is done (UEFI0096 and others of Dell's EEMI registry are in the log alone).
        distrusts: Whether a version that the service itself has given is refused, and `*` alone is taken
            (ansible-collections/community.general, issues 6434 and 11261).
        unseen: Attributes that are not shown before the next start, as after an update
            (dsx-ai-factory/infra-controller, issues 557 and 3667).
        timeless: Whether LastResetTime is no date (NVIDIA/libredfish at c094c9e, tests/mockups/dell_multi_dpu).
        hesitates: How many resets are refused first, as soon after another one (openstack/sushy,
            retry-ilo-not-ready-error).
        stubborn: Reset types of which the task fails, and nothing restarts (the same mockups, nvidia_viking,
            TaskService/Tasks/3).
    """

    dialect: ControllerDialect
    current: Mapping[str, Any]
    rules: FirmwareRules | None = None
    documents: Mapping[str, Any] = NOTHING
    system: Mapping[str, Any] = NOTHING
    manager: Mapping[str, Any] = NOTHING
    processor: tuple[str, int, int, int] | None = None
    staged: Mapping[str, Any] = NOTHING
    committed: bool = False
    power: str = "On"
    starting: int = 2
    seconds: float = 0.0
    once: Mapping[str, Any] = NOTHING
    history: int = 0
    page: int = 0
    busy: int = 0
    lost: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    rejects: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    fails: bool = False
    message: str = ""
    refuses: str = ""
    denies: str = ""
    stuck: bool = False
    late: int = 0
    clears: bool = True
    boots: int = 1
    slashes: bool = False
    jobless: bool = False
    exhausted: bool = False
    blind: bool = False
    forgets: bool = False
    tells: bool = False
    silent: bool = False
    distrusts: bool = False
    unseen: tuple[str, ...] = ()
    timeless: bool = False
    hesitates: int = 0
    stubborn: tuple[str, ...] = ()


class Machine:
    """One server: what requests and restarts make of it. `setup` may be replaced at any time, which is how faults come
    and go."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.current = dict(setup.current)
        self.before = dict(setup.current)
        self.staged = dict(setup.staged)
        self.jobs: list[dict[str, Any]] = []
        self.tasks: list[dict[str, Any]] = []
        self.power = setup.power
        self.boots = self.applied = self.changes = self.events = 0
        self.reset_event = self.applied_event = 0
        self.messages: list[tuple[str, tuple[str, ...]]] = [("taken", ())]
        self.performed: list[tuple[str, Any]] = []
        self._left, self._until, self._made, self._more, self._refused = 0, 0.0, 0, 0, 0
        self._rejected: set[str] | None = None
        for _ in range(setup.history):
            self._job("done", "Job completed successfully.")
        if setup.committed:
            self.commit()

    @property
    def dialect(self) -> ControllerDialect:
        """What its service is like."""
        return self.setup.dialect

    @property
    def is_starting(self) -> bool:
        """Whether the server has been restarted and is not up yet."""
        return bool(self._left or self._until)

    @property
    def shown(self) -> dict[str, Any]:
        """The attributes of the Bios resource."""
        shown = {**self.current, **self.staged} if self.dialect.early else dict(self.current)
        rules = self.setup.rules
        if not self.boots:
            shown = {name: value for name, value in shown.items() if name not in self.setup.unseen}
        if not self.dialect.hides_locked or rules is None:
            return shown
        return {name: value for name, value in shown.items() if not rules.registry.lock(name, shown)}

    @property
    def settings(self) -> dict[str, Any] | None:
        """The attributes of the settings resource; None if it has no such member."""
        if self.dialect.shows == "all":
            return {**self.current, **self.staged}
        return dict(self.staged) if self.staged or self.dialect.shows == "staged" else None

    @property
    def version(self) -> str:
        """The version of the settings resource, another one after each change of it (RFC 9110, 8.8.3)."""
        return self.dialect.etag.format(f"{self.changes:032X}") if self.dialect.etag else ""

    @property
    def open_jobs(self) -> list[dict[str, Any]]:
        """The jobs that are not over."""
        states = self.dialect.job_states
        return [job for job in self.jobs if job["JobState"] in (states["waiting"], states["running"])]

    def moment(self, event: int) -> str:
        """The time of an event, as the service shows it."""
        return f"2026-01-05T{8 + event // 3600 % 12:02d}:{event // 60 % 60:02d}:{event % 60:02d}+00:00"

    # ------------------------------------------------------------------------------------------- requests

    def stage(self, attributes: Mapping[str, Any]) -> None:
        """Stage attributes, all or none. Raises RefusedError."""
        if self.setup.refuses:
            raise RefusedError("refused", self.setup.refuses)
        if self.setup.denies:
            raise RefusedError(self.setup.denies, status=403)
        if self.setup.blind:
            raise RefusedError("unset")
        if self.open_jobs:
            raise RefusedError("waiting")
        if self.dialect.during_post == "refuses" and self.is_starting:
            raise RefusedError("post", *sorted(attributes)[:1])
        if self.dialect.judges == "once":
            for name, kind, arguments in self._objections({**self.staged, **attributes}):
                raise RefusedError(kind, *arguments, about=name)
        taken = {name: value for name, value in attributes.items() if name not in self.setup.drops}
        if self.dialect.equal == "ignored":
            taken = {name: value for name, value in taken.items() if self.current.get(name) != value}
        self.staged.update(taken)
        if self.dialect.equal == "clears":
            changed = {name: value for name, value in self.staged.items() if self.current.get(name) != value}
            self.staged = changed
        self.changes += 1

    def _objections(self, staged: Mapping[str, Any]) -> list[tuple[str, str, tuple[str, ...]]]:
        """What is wrong with what would be staged: the attribute, the message, its arguments."""
        unknown = [name for name in staged if name not in self.current]
        objections: list[tuple[str, str, tuple[str, ...]]] = [(name, "unknown", (name,)) for name in unknown]
        known = {name: value for name, value in staged.items() if name in self.current}
        rules = self.setup.rules
        for refusal in rules.refusals(self.current, known) if rules else ():
            attribute = rules.registry.attributes.get(refusal.attribute) if rules else None
            value = known[refusal.attribute]
            is_value = attribute is not None and attribute.objection(value) is not None
            arguments = (refusal.attribute, str(value) if is_value else refusal.reason)
            objections.append((refusal.attribute, "value" if is_value else "locked", arguments))
        return objections

    def commit(self) -> dict[str, Any]:
        """Make the job for what is staged. Raises RefusedError."""
        if self.open_jobs:
            raise RefusedError("committed")
        if self.setup.exhausted:
            raise RefusedError("exhausted")
        if not self.staged:
            raise RefusedError("nothing")
        return self._job("waiting", "Task successfully scheduled.")

    def clear(self) -> None:
        """Forget what is staged, unless a job waits for it. Raises RefusedError."""
        if self.setup.refuses:
            raise RefusedError("refused", self.setup.refuses)
        if self.open_jobs:
            raise RefusedError("committed")
        if not self.staged:
            raise RefusedError("cleared")
        if self.setup.clears:
            self.staged = {}
            self.changes += 1

    def withdraw(self, name: str) -> None:
        """Delete a job, and what it would have set. Raises RefusedError for one that runs."""
        job = next(job for job in self.jobs if job["Id"] == name)
        if job["JobState"] == self.dialect.job_states["running"]:
            raise RefusedError("running")
        if job in self.open_jobs:
            self.staged = {}
        self.jobs.remove(job)

    def reset(self, kind: str) -> None:
        """Take a reset, and carry it out unless it is one that is ignored. Raises RefusedError."""
        if kind not in self.dialect.resets:
            raise RefusedError("reset", str(kind), about="ResetType")
        if self.power == "Off" and kind not in START and self.dialect.when_off == "refuses":
            raise RefusedError("powered", "Power is off")
        if self._refused < self.setup.hesitates:
            self._refused += 1
            raise RefusedError("powered", "Power is off")
        if kind in (*self.setup.ignored, *self.setup.stubborn, *NO_RESTART):
            return
        self.events += 1
        if kind in OFF or (kind == "PushPowerButton" and self.power == "On"):
            self.power = "Off"
        elif (kind in (*START, "PushPowerButton")) == (self.power == "Off"):
            self._start()

    def _start(self) -> None:
        self.power = "On"
        self.boots += 1
        self.events += 1
        self.reset_event = self.events
        states = self.dialect.job_states
        for job in self.open_jobs:
            if self.setup.stuck:
                job.update(Message=self.setup.message)
                return
            job.update(JobState=states["running"], Message="Job in progress.")
        self._more = self.setup.boots - 1
        self._rejected = None
        self._begin()

    def _begin(self) -> None:
        """Begin a start."""
        if self.setup.seconds:
            self._until = time.monotonic() + self.setup.seconds
        elif self.setup.starting:
            self._left = self.setup.starting
        else:
            self._end()

    def _end(self) -> None:
        """End a start. The last one ends what was staged; a job has set it in the first."""
        if not self.dialect.jobs and self.dialect.judges == "start" and not self._failed():
            self._more = 0
        if self._rejected is None and (self.open_jobs or not (self._more or self.dialect.jobs)):
            self._set()
        if not self._more:
            self._finish()
            return
        self._more -= 1
        self.boots += 1
        self.events += 1
        self.reset_event = self.events
        self._begin()

    # ------------------------------------------------------------------------------------------- a restart

    def tick(self) -> None:
        """Let a server that is starting go on."""
        if self._until and time.monotonic() >= self._until:
            self._until = 0.0
            self._end()
        elif self._left:
            self._left -= 1
            if not self._left:
                self._end()

    def pass_time(self) -> None:
        """Let a server that is starting go on if that takes seconds, and not readings."""
        if self._until:
            self.tick()

    def _failed(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """What of the staged the restart does not set: the attribute, the message, its arguments."""
        objections = self._objections(self.staged) if self.dialect.judges == "start" else []
        failed = self.staged if self.setup.fails else {*self.setup.rejects} & {*self.staged}
        return [*objections, *((name, "value", (name, str(self.staged[name]))) for name in sorted(failed))]

    def _set(self) -> None:
        """Set what is staged."""
        failed = self._failed()
        self._rejected = {name for name, _, _ in failed}
        done = {name: value for name, value in self.staged.items() if name not in self._rejected}
        rules = self.setup.rules
        self.before = self.current
        self.current = rules.after_restart(self.current, done) if rules else {**self.current, **done}
        for name, neutral in self.setup.once.items():
            if self.current[name] != neutral:
                self.performed.append((name, self.current[name]))
                self.current[name] = neutral
        told = [] if self.setup.silent else [(kind, arguments) for _, kind, arguments in failed]
        self.messages = [("taken", ()), *told]

    def _finish(self) -> None:
        """End what was staged, and its job or task, if that was set: where there is a queue, only what has a job is."""
        if self._rejected is None:
            return
        self.staged = {}
        self.applied += 1
        self.changes += 1
        self.events += 1
        self.applied_event = self.events
        rejected = self._rejected and not self.setup.silent
        state = "failed" if self.setup.fails else "partly" if rejected else "done"
        message = self.setup.message if rejected else "Job completed successfully."
        for job in (*self.open_jobs, *(task for task in self.tasks if not task["PercentComplete"])):
            word = self.dialect.job_states[state]
            job.update(JobState=word, PercentComplete=100, Message=message, CompletionTime=self._completed())

    def _completed(self) -> str:
        return self.moment(self.events).partition("+")[0]

    def _job(self, state: str, message: str) -> dict[str, Any]:
        self._made += 1
        name = self.dialect.job_name.format(self._made)
        is_over = state == "done"
        job = {
            "@odata.id": f"{self.dialect.jobs}/{name}",
            "Id": name,
            "JobState": self.dialect.job_states[state],
            "Message": message,
            "PercentComplete": 100 if is_over else 0,
            "CompletionTime": self._completed() if is_over else None,
            **self.dialect.shown.get("job", {}),
        }
        self.jobs.append(job)
        return job

    def task(self, failed: str = "") -> dict[str, Any]:
        """Make a task for what was asked for, which ends with the next restart, or has failed in these words."""
        self._made += 1
        states = self.dialect.job_states
        task = {
            "Id": str(self._made),
            "Name": "Task",
            "JobState": states["failed" if failed else "waiting"],
            "Message": failed,
            "PercentComplete": 100 if failed else 0,
        }
        self.tasks.append(task)
        return task
