"""A server behind a Redfish service: where its links lead, what its BIOS has and is to get, its jobs, and its restarts.

Nothing is guessed: from the service root over Systems to the server, its `Bios`, the settings resource that this names, the jobs that that
names, and the action that restarts the server (DSP0266, 9.6 "Actions" and 9.10 "Settings resource"). Where a service omits the link to the settings or to its jobs,
the address is the plan's, which has it from a `service` statement.

Some services have no settings resource. They take attributes in `Bios` itself, at its top level, and show nowhere what they have staged: Supermicro's
X11 (DMTF/Redfishtool, issue 41), Cisco's CIMC (REST API programmer's guide 4.1). Others have one that is missing while nothing is staged, so that
only the refusal of a change shows which kind a service is.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from setpoint.targets._client.wire import (
    Answer,
    Document,
    Service,
    StopError,
    ended,
    plain,
    saying,
    sentence,
    succeeded,
)

ROOT = "/redfish/v1/"
RESET = "#ComputerSystem.Reset"
MANY = 2000
"""Pages of jobs, and jobs, that are read at most."""

FEW = 8
"""Processors that are read at most: the first of those in a socket says what all are."""

MOST_SYSTEMS = 32
"""Systems of a service that are looked at to find the server among them."""

JOB_DONE = "Completed"
JOB_FAILED = ("Cancelled", "Exception")
AT_WORK = ("Starting", "Running")
"""The states of a job that is over, or at work (Job.v1_2_1.json, JobState). A plan has those that its services have beside them."""

UNSUCCESSFUL = ("Exception", "Killed", "Cancelled", "Interrupted", "Suspended")
"""The states of a task that comes to nothing, or does not go on by itself (Task_v1.xml, TaskState)."""

FORCED = ("ForceRestart", "PowerCycle")
NO_TIME = "0000-"


def part(document: object, *names: str) -> Any:
    """What is at a place of a document, through objects alone; None where nothing is."""
    for name in names:
        document = document.get(name) if isinstance(document, dict) else None
    return document


def link(document: Document, *names: str) -> str:
    """The address that a property leads to; "" if it leads nowhere."""
    address = part(document, *names, "@odata.id")
    return address if isinstance(address, str) and address.startswith("/") else ""


def shown(value: object) -> str:
    """A value of an attribute in words."""
    return plain(str(value).lower() if isinstance(value, bool) else value)


def pairs(values: Document) -> str:
    """Attributes with their values, in words."""
    return ", ".join(f"{name} = {shown(value)}" for name, value in values.items())


def same(value: object, other: object) -> bool:
    """Whether two values of attributes are the same: a number is not a Boolean, and no text."""
    return type(value) is type(other) and value == other


def without(values: Document, others: Document) -> Document:
    """The values that others do not have, or have otherwise."""
    return {
        name: value for name, value in values.items() if name not in others or not same(value, others[name])
    }


@dataclass
class Times:
    """What changes when a server restarts, as far as its service shows it; "" where it does not."""

    reset: str = ""
    applied: str = ""
    boot: str = ""

    def later(self, before: Times) -> bool:
        """Whether one of them has changed since, so that the server has restarted."""
        mine, old = vars(self), vars(before)
        return any(old[name] and mine[name] and mine[name] != old[name] for name in mine)


class JobWords:
    """What a service says of jobs, and of what is staged: DMTF's states, and the words of the plan.

    Where the plan has none for what a job sets, any may set the BIOS. Where it has none for the action that clears what is staged, none is known.
    """

    def __init__(self, reported: Document) -> None:
        self._kinds = saying(reported, "kind")
        self._bios = saying(reported, "job")
        self._partly = saying(reported, "partly")
        self._failed = (*JOB_FAILED, *saying(reported, "failed"))
        self.target = next(iter(saying(reported, "target")), "")
        self.clear = saying(reported, "clear")

    def sets_bios(self, job: Document) -> bool:
        """Whether a job sets the BIOS."""
        return not self._kinds or any(job.get(kind) in self._bios for kind in self._kinds)

    def has_failed(self, job: Document) -> bool:
        """Whether it is over, and has not set all that it was to set."""
        return job.get("JobState") in (*self._partly, *self._failed)

    def is_over(self, job: Document) -> bool:
        """Whether it is over."""
        return job.get("JobState") == JOB_DONE or self.has_failed(job)

    def has_begun(self, job: Document) -> bool:
        """Whether it is at work, or was carried out at least in part: that happens at a start alone."""
        return job.get("JobState") in (JOB_DONE, *self._partly, *AT_WORK)


@dataclass
class Reading:
    """What the service showed: the attributes in `Bios`, those in the settings resource, and the jobs."""

    bios: Document = field(default_factory=dict)
    settings: Document = field(default_factory=dict)
    etag: str = ""
    jobs: list[Document] = field(default_factory=list)
    words: JobWords = field(default_factory=lambda: JobWords({}))

    @property
    def attributes(self) -> Document:
        """What `Bios` shows."""
        attributes = part(self.bios, "Attributes")
        return attributes if isinstance(attributes, dict) else {}

    @property
    def staged(self) -> Document:
        """What the settings resource shows: what is staged, or all attributes as they will be."""
        attributes = part(self.settings, "Attributes")
        return attributes if isinstance(attributes, dict) else {}

    @property
    def bios_jobs(self) -> list[Document]:
        """The jobs that set the BIOS."""
        return [job for job in self.jobs if self.words.sets_bios(job)]

    @property
    def open_jobs(self) -> list[Document]:
        """Those of them that are not over."""
        return [job for job in self.bios_jobs if not self.words.is_over(job)]

    @property
    def last_words(self) -> list[str]:
        """What the service says of the last change, if not that all went well."""
        shown_last = part(self.bios, "@Redfish.Settings", "Messages")
        listed = (
            [message for message in shown_last if isinstance(message, dict)]
            if isinstance(shown_last, list)
            else []
        )
        return [sentence(message) for message in listed if not succeeded(message)]

    @property
    def on_reset(self) -> bool:
        """Whether the service makes the job by itself, if asked to with what it stages."""
        times = part(self.bios, "@Redfish.Settings", "SupportedApplyTimes")
        return isinstance(times, list) and "OnReset" in times


def job_words(job: Document) -> str:
    """A job in words: in what state it is, and what it says of itself."""
    state, message = job.get("JobState") or job.get("TaskState"), job.get("Message")
    if not message and isinstance(job.get("Messages"), list):
        message = " ".join(sentence(sent) for sent in job["Messages"] if isinstance(sent, dict))
    told = ended(plain(message or "no message"))
    return f"{plain(job.get('Id'))} is {plain(state or 'in no known state')}: {told}"


class Server:
    """One server. `system` is what its service showed last of it."""

    def __init__(self, service: Service, plan: Document) -> None:
        self.service = service
        self.plan = plan
        self.path = self.bios_path = self.settings_path = ""
        self.system: Document = {}
        self.words = JobWords(plan.get("reported") or {})
        self.reading = Reading()
        self.linked = False
        self.unshown = False

    # ------------------------------------------------------------------------------------------------ links

    def find(self, so_far: str) -> None:
        """Go from the root of the service to the server."""
        root = self.service.require(ROOT, so_far)
        systems = link(root.document, "Systems")
        if not systems:
            raise StopError(
                f"{so_far}: the service shows no systems: it may have to be restarted, or is of a chassis"
            )
        listed = self.service.require(systems, so_far).document.get("Members")
        paths = (
            [link(member) for member in listed if isinstance(member, dict)]
            if isinstance(listed, list)
            else []
        )
        wanted = str(self.plan.get("system_uri", "")).rstrip("/")
        paths = [path for path in paths if path.rstrip("/") == wanted] or list(filter(None, paths))[
            :MOST_SYSTEMS
        ]
        documents = {path: self.service.require(path, so_far).document for path in paths}
        fit = [
            path
            for path, system in documents.items()
            if link(system, "Bios") and (len(documents) == 1 or part(system, "Actions", RESET))
        ]
        if len(fit) != 1:
            told = ", ".join(fit or documents) or "none at all"
            what = "several systems have a BIOS" if fit else "no system has a BIOS that the service can set"
            raise StopError(f"{so_far}: {what} ({told})")
        self.path, self.system = fit[0], documents[fit[0]]
        self.bios_path = link(self.system, "Bios")

    def processors(self) -> Iterator[Document]:
        """What the service shows of the server's processors, each read when it is asked for; none where it shows none."""
        place = link(self.system, "Processors")
        listed = self.service.read(place).document.get("Members") if place else None
        for member in listed[:FEW] if isinstance(listed, list) else ():
            if path := link(member):
                yield self.service.read(path).document

    def look(self, so_far: str) -> None:
        """Read the server itself again."""
        self.system = self.service.require(self.path, so_far).document

    def read(self, so_far: str) -> None:
        """Read the attributes, those staged, and the jobs."""
        bios = self.service.require(self.bios_path, so_far)
        leads = link(bios.document, "@Redfish.Settings", "SettingsObject")
        self.linked = bool(leads)
        stated = str(self.plan["settings_uri"])
        itself = [path.rstrip("/") for path in (self.bios_path, str(self.plan.get("bios_uri") or ""))]
        self.settings_path = leads or (stated if stated.rstrip("/") not in itself else "")
        settings = self.staged()
        if not settings.good and settings.status != 404:
            raise StopError(f"{so_far}: the BMC does not show {self.settings_path} {settings.reply}")
        etag = settings.headers.get("etag") or str(settings.document.get("@odata.etag") or "")
        shown_there = settings.document if settings.good else {}
        self.reading = Reading(bios.document, shown_there, etag, words=self.words)
        if not self.reading.attributes:
            raise StopError(
                f"{so_far}: the BMC shows no attributes of the BIOS: some do only when the server has started once"
            )
        self.reading.jobs = self._jobs(so_far) if self.jobs_path else []

    def staged(self, retries: int | None = None) -> Answer:
        """The settings resource; missing where nothing says where it is."""
        return self.service.read(self.settings_path, retries) if self.settings_path else Answer("", 404)

    @property
    def jobs_path(self) -> str:
        """Where the service says that its jobs are; if it does not, where such services were seen to have them; "" for none."""
        makers = part(self.reading.settings, "Oem")
        addresses = (
            [link(maker, "Jobs") for maker in makers.values() if isinstance(maker, dict)]
            if isinstance(makers, dict)
            else []
        )
        return next(filter(None, addresses), str(self.plan.get("jobs_uri") or ""))

    @property
    def clear_path(self) -> str:
        """Where the service clears what is staged; "" if it announces no such action that is known."""
        actions = part(self.reading.settings, "Actions")
        listed = {**actions, **(part(actions, "Oem") or {})} if isinstance(actions, dict) else {}
        known = self.words.clear
        addresses = [
            part(action, "target") for name, action in listed.items() if str(name).rpartition(".")[2] in known
        ]
        return next(
            (address for address in addresses if isinstance(address, str) and address.startswith("/")), ""
        )

    def _jobs(self, so_far: str) -> list[Document]:
        """All jobs, page by page, each as it is."""
        jobs: list[Document] = []
        page = f"{self.jobs_path}?$expand=*($levels=1)"
        for _ in range(MANY):
            if not page or len(jobs) >= MANY:
                break
            answer = self.service.read(page)
            members = answer.document.get("Members")
            if not answer.good or not isinstance(members, list):
                raise StopError(
                    f"{so_far}: unknown whether a BIOS job is open: the BMC does not show its jobs {answer.reply}"
                )
            listed = [job for job in members if isinstance(job, dict)]
            if any("JobState" not in job for job in listed):
                raise StopError(
                    f"{so_far}: unknown whether a BIOS job is open: this service does not expand its list of jobs. Update the"
                    " firmware of the BMC, or set the BIOS with the files in redfish/ of the bundle"
                )
            jobs += listed
            following = answer.document.get("Members@odata.nextLink")
            page = following if isinstance(following, str) and following.startswith("/") else ""
        return jobs

    # ------------------------------------------------------------------------------------------- jobs and tasks

    def job_of(self, answer: Answer) -> str:
        """The address of the job that an answer names in `Location`: itself, or that of its task or of the task's monitor."""
        place = urlsplit(answer.headers.get("location", "")).path
        if not place.startswith("/"):
            return ""
        has_jobs = self.jobs_path and "/TaskService/" in place
        return f"{self.jobs_path}/{place.rstrip('/').rpartition('/')[2]}" if has_jobs else place

    def task_of(self, answer: Answer | None) -> str:
        """The address of the task of an accepted request (202; DSP0266, 12.2), or of what watches it; "" for none, and for a job."""
        if answer is None or answer.status != 202 or self.jobs_path:
            return ""
        return self.job_of(answer) or link(answer.document)

    def task(self, answer: Answer) -> str:
        """Wait for the task of an accepted request, if it has one that ends by itself; what it says if it failed."""
        place = self.task_of(answer)
        for _ in range(self.service.account.retries + 1):
            if not place:
                break
            seen = self.service.read(place, missing=True)
            state = str(seen.document.get("TaskState", ""))
            if state in UNSUCCESSFUL:
                return job_words(seen.document)
            if seen.status != 202 and state not in ("New", "Starting", "Running", "Service"):
                break
            time.sleep(self.service.account.delay)
        return ""

    # ------------------------------------------------------------------------------------------------ restarts

    @property
    def power(self) -> str:
        """Its power state."""
        return plain(self.system.get("PowerState") or "not shown")

    @property
    def times(self) -> Times:
        """What changes when it restarts."""
        reset = str(self.system.get("LastResetTime") or "")
        return Times(
            "" if reset.startswith(NO_TIME) else plain(reset),
            plain(part(self.reading.bios, "@Redfish.Settings", "Time") or ""),
            plain(part(self.system, "BootProgress", "LastStateTime") or ""),
        )

    def restart_kind(self, force: bool, power_on: bool, so_far: str) -> str:
        """The gentlest permitted way to restart it; the run ends if there is none, and says why."""
        action = part(self.system, "Actions", RESET)
        offered, unread = self._offered(action if isinstance(action, dict) else {})
        gentle = ["GracefulRestart", *(FORCED if force else ())]
        permitted = gentle if self.power == "On" else ["On"] if self.power == "Off" and power_on else []
        kind = next((kind for kind in permitted if kind in offered), "")
        if kind:
            return kind
        rough = [kind for kind in FORCED if kind in offered]
        if self.power == "Off" and not power_on:
            why = (
                "the server is off, and it is powered on only with setpoint_reboot_power_on. Without setpoint_reboot, the staged"
                " values wait until it is powered on"
            )
        elif self.power not in ("On", "Off"):
            why = f"the power state of the server is {self.power}. Wait until it is on"
        elif unread:
            why = f"the BMC does not show how it can restart the server {unread}"
        elif rough and self.power == "On":
            why = (
                f"the BMC offers no GracefulRestart. What it offers stops the operating system without a shutdown ({', '.join(rough)}),"
                " and is used only with setpoint_reboot_force. Without setpoint_reboot, restart the server yourself"
            )
        else:
            why = "the BMC offers no restart that is known here. Restart the server yourself, without setpoint_reboot"
        raise StopError(f"{so_far}: {why}")

    def _offered(self, action: Document) -> tuple[list[str], str]:
        """The ways to restart it, which some services list in a resource of their own; and why that could not be read."""
        listed = action.get("ResetType@Redfish.AllowableValues")
        apart = action.get("@Redfish.ActionInfo")
        if listed is None and isinstance(apart, str) and apart.startswith("/"):
            answer = self.service.read(apart)
            if not answer.good:
                return [], f"in {apart} {answer.reply}"
            parameters = answer.document.get("Parameters")
            named = (
                [parameter for parameter in parameters if part(parameter, "Name") == "ResetType"]
                if isinstance(parameters, list)
                else []
            )
            listed = part(named[0], "AllowableValues") if named else None
        return [str(kind) for kind in listed] if isinstance(listed, list) else [], ""

    @property
    def reset_path(self) -> str:
        """Where it is restarted."""
        address = part(self.system, "Actions", RESET, "target")
        return address if isinstance(address, str) and address.startswith("/") else ""
