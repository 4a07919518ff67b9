#!/usr/bin/python3
"""Set the BIOS of a server through its controller's Redfish service (DSP0266): compare, stage, restart, prove, put back.

This is the same program in every bundle: only the standard library, and Ansible's module_utils where Ansible runs it.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import socket
import ssl
import time
import urllib.request
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit


# ---------------------------------------------------------------------------------------------------- wire
# Speaking to a Redfish service: one connection, readings that are repeated, and what the service says in words.
#
# Sources: DSP0266 is DMTF's Redfish Specification 1.20; RFC 9110 is HTTP. A reading changes nothing, so it is repeated where the connection
# closes, the service is busy or fails (RFC 9110, 9.2.2), or the answer is no JSON or not whole. A request for a change is sent once: without
# an answer, only a reading shows what was done. One that was refused because the server is starting has changed nothing, and is sent again.


Document = dict[str, Any]

MOST = 32 * 1024 * 1024
"""Bytes of an answer; the registry of a server has two millions."""

REDIRECTS = 3
ACCEPTED = (200, 201, 202, 204)
PASSING = re.compile(r"DuringSystemPOST$|AfterSystemPOST$|NotReadyRetry$|TemporarilyUnavailable$|InUse$")
"""Ends of the identifiers of messages that say "not now": of DMTF's Base registry, and of services that refuse changes while a
server starts (HPEDevCom/redfishdocs, ilo6_msgregs170.md)."""


class StopError(Exception):
    """The run of a server ends here; the text says why, and what was changed before it."""


@dataclass
class Answer:
    """What came of a request. `status` is 0 without an answer, and `trouble` says why, or what is wrong with an answer of 200."""

    path: str
    status: int = 0
    document: Document = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    trouble: str = ""
    timed_out: bool = False
    distrusted: bool = False

    @property
    def good(self) -> bool:
        """Whether it is what was asked for."""
        return self.status == 200 and not self.trouble

    @property
    def outcome(self) -> str:
        """Of a request for a change: `done`, `refused`, or `unknown`, where only a reading shows what was done."""
        if self.status in ACCEPTED:
            return "done"
        return "refused" if 400 <= self.status < 500 else "unknown"

    @property
    def passing(self) -> bool:
        """Whether the service refused it only for now."""
        return self.status >= 400 and any(PASSING.search(one) for one in _identities(self.document))

    @property
    def reply(self) -> str:
        """The answer in a sentence."""
        if not self.status:
            return f"(no answer): {self.trouble}"
        return f"(HTTP {self.status}): {self.trouble or said(self.document) or 'no reason is known'}"


def plain(text: object) -> str:
    """A text of the service on one line: no control characters, and not endless."""
    shown = "".join(one if one.isprintable() else " " for one in str(text))
    return shown if len(shown) <= 1000 else f"{shown[:1000]}…"


def messages(document: Document) -> list[Document]:
    """The messages of an answer: of the error, of the whole, and of single properties (DSP0266, 8.6)."""
    error = document.get("error")
    place = error if isinstance(error, dict) else document
    found = [place.get("@Message.ExtendedInfo")]
    found += [value for name, value in document.items() if name.endswith("@Message.ExtendedInfo")]
    listed: list[Document] = []
    for each in found:
        listed += (
            [one for one in each if isinstance(one, dict) and one not in listed]
            if isinstance(each, list)
            else []
        )
    return listed


def _identity(message: Document) -> str:
    return str(message.get("MessageId") or message.get("MessageID") or "")


def _identities(document: Document) -> list[str]:
    return [_identity(one) for one in messages(document)]


def sentence(message: Document) -> str:
    """A message in words. Some services send its identifier and arguments alone: `Base.1.12.PropertyUnknown`, [`Smt`]."""
    text = message.get("Message")
    if text:
        return plain(text)
    identity = _identity(message)
    name = identity.rpartition(".")[2]
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    spaced = " ".join(part if part.isupper() else part.lower() for part in spaced.split())
    given = message.get("MessageArgs")
    arguments = [str(one) for one in given] if isinstance(given, list) else []
    told = f"{spaced[:1].upper()}{spaced[1:]}{': ' if arguments else ''}{', '.join(arguments)}"
    return plain(f"{told} ({identity})") if name else ""


def said(document: Document) -> str:
    """What an answer says, in sentences; "" if nothing."""
    listed = messages(document)
    told = " ".join(filter(None, map(sentence, listed)))
    error = document.get("error")
    text = error.get("message") if isinstance(error, dict) else None
    if any(one.get("Message") for one in listed) or not isinstance(text, str):
        return told
    leads_there = "ExtendedInfo" in text
    return told if told and leads_there else " ".join(filter(None, [plain(text), told]))


def succeeded(message: Document) -> bool:
    """Whether a message says no more than that all went well."""
    return _identity(message).rpartition(".")[2] in ("Success", "NoOperation", "")


@dataclass
class Account:
    """Where the service is, and as whom to speak to it.

    Attributes:
        host: Its address, with a port if it has one of its own.
        user: The account.
        password: Its password.
        ca: A file with the certificate of the authority that has signed the service's; "" for those that the system trusts.
        verify: Whether the certificate is checked.
        timeout: Seconds to wait for an answer.
        retries: How often a reading is repeated.
        delay: Seconds between its repetitions.
    """

    host: str
    user: str
    password: str
    ca: str = ""
    verify: bool = True
    timeout: float = 60
    retries: int = 5
    delay: float = 10


class Service:
    """A Redfish service. `sent` has what it was asked to change: words, and whether it accepted."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.sent: list[tuple[str, Answer]] = []
        self._connection: http.client.HTTPConnection | None = None

    def read(self, path: str, retries: int | None = None, missing: bool = False) -> Answer:
        """A resource, read again as long as the answer is none. With `missing`, one that is not there yet is read again, too."""
        left = self.account.retries if retries is None else retries
        late = 0
        while True:
            answer = self._ask("GET", path)
            late += answer.timed_out
            again = answer.status in (0, 429) or answer.status >= 500 or bool(answer.trouble)
            again = again or (missing and answer.status == 404)
            if not again or left <= 0 or answer.distrusted or late > 1:
                return answer
            left -= 1
            time.sleep(self.account.delay)

    def require(self, path: str, so_far: str) -> Answer:
        """A resource that must be there; else the run ends."""
        answer = self.read(path)
        if not answer.good:
            raise StopError(f"{so_far}: the BMC does not show {path} {answer.reply}")
        return answer

    def change(
        self, words: str, method: str, path: str, body: Document, headers: dict[str, str] | None = None
    ) -> Answer:
        """Ask for a change, once; again only after a refusal that is for now."""
        for _ in range(self.account.retries + 1):
            answer = self._ask(method, path, body, headers)
            if not answer.passing:
                break
            time.sleep(self.account.delay)
            if method == "PATCH":
                self.read(path)  # while a server starts, its controller may be away for a while
        self.sent.append((words, answer))
        return answer

    def close(self) -> None:
        """End the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(
        self, method: str, path: str, body: Document | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        for _ in range(REDIRECTS):
            answer = self._once(method, path, body, headers or {})
            place = answer.headers.get("location", "")
            if (
                answer.status not in (301, 302, 307, 308)
                or not place
                or not _is_here(place, self.account.host)
            ):
                break
            path = urljoin(path, urlsplit(place).path)
        return answer

    def _once(self, method: str, path: str, body: Document | None, headers: dict[str, str]) -> Answer:
        """One request. A reading for which the service has closed the connection that was kept is sent over a new one."""
        answer = Answer(path)
        content = None if body is None else json.dumps(body).encode()
        if method != "GET":
            self.close()  # so that a connection that the service has closed meanwhile is not taken for a lost answer
        kept = self._connection is not None
        try:
            connection = self._connection = self._connection or self._connect()
            connection.request(method, path, content, {**self._headers(content), **headers})
            _acknowledge_at_once(connection.sock)
            response = connection.getresponse()
            answer.status = response.status
            answer.headers = {name.lower(): value for name, value in response.getheaders()}
            text = self._content(response)
            if response.will_close:
                self.close()
            self._parse(answer, text)
        except ssl.SSLCertVerificationError as error:
            answer.trouble, answer.distrusted = (
                f"its certificate is not trusted: {error.verify_message}",
                True,
            )
        except (OSError, http.client.HTTPException, ValueError) as error:
            ends = (ssl.SSLEOFError, ssl.SSLZeroReturnError)
            answer.distrusted = isinstance(error, ssl.SSLError) and not isinstance(error, ends)
            answer.timed_out = isinstance(error, TimeoutError)
            answer.status, answer.trouble = self._gone(answer.status, error)
        if answer.trouble:
            self.close()
        if kept and not answer.status and not answer.timed_out:
            return self._once(method, path, body, headers)
        return answer

    @staticmethod
    def _gone(status: int, error: Exception) -> tuple[int, str]:
        """What is told of an answer that did not come, or not whole."""
        if isinstance(error, http.client.IncompleteRead):
            return status, "its answer was cut off"
        if isinstance(error, TimeoutError):
            return 0, "it did not answer in time"
        if (
            isinstance(error, (http.client.RemoteDisconnected, ConnectionError, ssl.SSLEOFError))
            and not status
        ):
            reason = "refused" if isinstance(error, ConnectionRefusedError) else "closed"
            return 0, f"it {reason} the connection"
        return 0, plain(error) or type(error).__name__

    @staticmethod
    def _parse(answer: Answer, text: bytes) -> None:
        """Note the document of an answer. What is no JSON is no answer, but for an error, where the status says enough."""
        if not text.strip():
            if answer.status == 200:
                answer.trouble = "its answer is empty"
            return
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            document = None
        if isinstance(document, dict):
            answer.document = document
        else:
            kind = plain(answer.headers.get("content-type", "")).partition(";")[0] or "of no stated type"
            answer.trouble = f"its answer is no JSON object ({kind}, {len(text)} bytes)"

    def _content(self, response: http.client.HTTPResponse) -> bytes:
        """The content, which must be whole, in time and not endless."""
        end = time.monotonic() + 4 * self.account.timeout
        parts, size = [], 0
        while part := response.read1(65536):
            parts.append(part)
            size += len(part)
            if size > MOST:
                raise ValueError(f"its answer is longer than {MOST} bytes")
            if time.monotonic() > end:
                raise TimeoutError
        wanted = response.headers.get("Content-Length", "")
        if wanted.isdigit() and size < int(wanted) and not response.chunked:
            raise http.client.IncompleteRead(b"")
        response.close()  # of the answer, not of the connection
        return b"".join(parts)

    def _headers(self, content: bytes | None) -> dict[str, str]:
        token = base64.b64encode(f"{self.account.user}:{self.account.password}".encode()).decode()
        more = {"Content-Type": "application/json"} if content is not None else {}
        return {
            "Authorization": f"Basic {token}",
            "Accept": "application/json",
            "OData-Version": "4.0",
            **more,
        }

    def _connect(self) -> http.client.HTTPConnection:
        """A connection; through the proxy of the environment, if there is one for this address."""
        place = urlsplit(f"//{self.account.host}")
        host, port = place.hostname or "", place.port or 443
        trust = ssl.create_default_context(cafile=self.account.ca or None)
        if not self.account.verify:
            trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
        proxy = urllib.request.getproxies().get("https", "")
        if proxy and not urllib.request.proxy_bypass(self.account.host):
            via = urlsplit(proxy if "//" in proxy else f"//{proxy}")
            made = http.client.HTTPSConnection(
                via.hostname or "", via.port or 3128, timeout=self.account.timeout, context=trust
            )
            made.set_tunnel(host, port)
        else:
            made = http.client.HTTPSConnection(host, port, timeout=self.account.timeout, context=trust)
        made.connect()
        return made


def _acknowledge_at_once(connection: object) -> None:
    """A service that sends head and content of an answer apart waits for the acknowledgement of the head, which Linux delays."""
    if isinstance(connection, socket.socket) and hasattr(socket, "TCP_QUICKACK"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


def _is_here(place: str, host: str) -> bool:
    """Whether an address is of the service: the account is sent nowhere else."""
    return (place.startswith("/") and not place.startswith("//")) or urlsplit(place).netloc == host


# ---------------------------------------------------------------------------------------------------- server
# A server behind a Redfish service: where its links lead, what its BIOS has and is to get, its jobs, and its restarts.
#
# Nothing is guessed: from the service root over Systems to the server, its `Bios`, the settings resource that this names, the jobs that that
# names, and the action that restarts the server (DSP0266, 9.6 "Actions" and 9.10 "Settings resource"). Where a service omits the link to the settings or to its jobs,
# the address is the plan's, which has it from a `service` statement.


ROOT = "/redfish/v1/"
RESET = "#ComputerSystem.Reset"
MANY = 2000
"""Pages of jobs, and jobs, that are read at most."""

OVER = ("Completed", "CompletedWithErrors", "Failed")
CARRIED_OUT = OVER[:2]
AT_WORK = ("Starting", "Running")
FORCED = ("ForceRestart", "PowerCycle")
NO_TIME = "0000-"


def part(document: object, *names: str) -> Any:
    """What is at a place of a document, through objects alone; None where nothing is."""
    for name in names:
        document = document.get(name) if isinstance(document, dict) else None
    return document


def link(document: Document, *names: str) -> str:
    """The address that a property leads to; "" if it leads nowhere."""
    found = part(document, *names, "@odata.id")
    return found if isinstance(found, str) and found.startswith("/") else ""


def shown(value: object) -> str:
    """A value of an attribute in words."""
    return plain(str(value).lower() if isinstance(value, bool) else value)


def pairs(values: Document) -> str:
    """Attributes with their values, in words."""
    return ", ".join(f"{name} = {shown(value)}" for name, value in values.items())


def same(one: object, other: object) -> bool:
    """Whether two values of attributes are the same: a number is not a Boolean, and no text."""
    return type(one) is type(other) and one == other


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


@dataclass
class Reading:
    """What the service showed: the attributes in `Bios`, those in the settings resource, and the jobs."""

    bios: Document = field(default_factory=dict)
    settings: Document = field(default_factory=dict)
    etag: str = ""
    jobs: list[Document] = field(default_factory=list)

    @property
    def attributes(self) -> Document:
        """What `Bios` shows."""
        found = part(self.bios, "Attributes")
        return found if isinstance(found, dict) else {}

    @property
    def staged(self) -> Document:
        """What the settings resource shows: what is staged, or all attributes as they will be."""
        found = part(self.settings, "Attributes")
        return found if isinstance(found, dict) else {}

    @property
    def bios_jobs(self) -> list[Document]:
        """The jobs that set the BIOS."""
        return [job for job in self.jobs if job.get("JobType") == "BIOSConfiguration"]

    @property
    def open_jobs(self) -> list[Document]:
        """Those of them that are not over."""
        return [job for job in self.bios_jobs if job.get("JobState") not in OVER]

    @property
    def last_words(self) -> list[str]:
        """What the service says of the last change, if not that all went well."""
        found = part(self.bios, "@Redfish.Settings", "Messages")
        listed = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
        return [sentence(one) for one in listed if not succeeded(one)]

    @property
    def on_reset(self) -> bool:
        """Whether the service makes the job by itself, if asked to with what it stages."""
        times = part(self.bios, "@Redfish.Settings", "SupportedApplyTimes")
        return isinstance(times, list) and "OnReset" in times


def job_words(job: Document) -> str:
    """A job in words: in what state it is, and what it says of itself."""
    state, message = job.get("JobState") or job.get("TaskState"), job.get("Message")
    if not message and isinstance(job.get("Messages"), list):
        message = " ".join(sentence(one) for one in job["Messages"] if isinstance(one, dict))
    return (
        f"{plain(job.get('Id'))} is {plain(state or 'in no known state')}: {plain(message or 'no message')}"
    )


class Server:
    """One server. `system` is what its service showed last of it."""

    def __init__(self, service: Service, plan: Document) -> None:
        self.service = service
        self.plan = plan
        self.path = self.bios_path = self.settings_path = ""
        self.system: Document = {}
        self.reading = Reading()

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
        members = [link(one) for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        wanted = str(self.plan.get("system_uri", "")).rstrip("/")
        members = [one for one in members if one.rstrip("/") == wanted] or [one for one in members if one][
            :32
        ]
        found = {one: self.service.require(one, so_far).document for one in members}
        fit = [
            one
            for one in found
            if link(found[one], "Bios") and (len(found) == 1 or part(found[one], "Actions", RESET))
        ]
        if len(fit) != 1:
            told = ", ".join(fit or found) or "none at all"
            what = "several systems have a BIOS" if fit else "no system has a BIOS that the service can set"
            raise StopError(f"{so_far}: {what} ({told})")
        self.path, self.system = fit[0], found[fit[0]]
        self.bios_path = link(self.system, "Bios")

    def look(self, so_far: str) -> None:
        """Read the server itself again."""
        self.system = self.service.require(self.path, so_far).document

    def read(self, so_far: str) -> None:
        """Read the attributes, those staged, and the jobs."""
        bios = self.service.require(self.bios_path, so_far)
        self.settings_path = link(bios.document, "@Redfish.Settings", "SettingsObject") or str(
            self.plan["settings_uri"]
        )
        settings = self.service.read(self.settings_path)
        if not settings.good and settings.status != 404:
            raise StopError(f"{so_far}: the BMC does not show {self.settings_path} {settings.reply}")
        etag = settings.headers.get("etag") or str(settings.document.get("@odata.etag") or "")
        shown_there = settings.document if settings.good else {}
        self.reading = Reading(bios.document, shown_there, etag)
        if not self.reading.attributes:
            raise StopError(
                f"{so_far}: the BMC shows no attributes of the BIOS: some do only when the server has started once"
            )
        self.reading.jobs = self._jobs(so_far) if self.jobs_path else []

    @property
    def jobs_path(self) -> str:
        """Where the service says that its jobs are; if it does not, where such services were seen to have them; "" for none."""
        makers = part(self.reading.settings, "Oem")
        found = (
            [link(one, "Jobs") for one in makers.values() if isinstance(one, dict)]
            if isinstance(makers, dict)
            else []
        )
        return next(filter(None, found), str(self.plan.get("jobs_uri") or ""))

    @property
    def clear_path(self) -> str:
        """Where the service clears what is staged; "" if it announces no such action."""
        actions = part(self.reading.settings, "Actions")
        listed = {**actions, **(part(actions, "Oem") or {})} if isinstance(actions, dict) else {}
        found = [part(one, "target") for name, one in listed.items() if str(name).endswith(".ClearPending")]
        return next((one for one in found if isinstance(one, str) and one.startswith("/")), "")

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
            listed = [one for one in members if isinstance(one, dict)]
            if any("JobType" not in one for one in listed):
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

    def task(self, answer: Answer) -> str:
        """Wait for the task of an accepted request (202; DSP0266, 12.2), if it has one that ends by itself; what it says if it failed."""
        if answer.status != 202 or self.jobs_path:
            return ""
        place = self.job_of(answer) or link(answer.document)
        for _ in range(self.service.account.retries + 1):
            if not place:
                break
            seen = self.service.read(place, missing=True)
            state = str(seen.document.get("TaskState", ""))
            if state in ("Exception", "Killed", "Cancelled", "Interrupted", "Suspended"):
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
        kind = next((one for one in permitted if one in offered), "")
        if kind:
            return kind
        rough = [one for one in FORCED if one in offered]
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
                [one for one in parameters if part(one, "Name") == "ResetType"]
                if isinstance(parameters, list)
                else []
            )
            listed = part(named[0], "AllowableValues") if named else None
        return [str(one) for one in listed] if isinstance(listed, list) else [], ""

    @property
    def reset_path(self) -> str:
        """Where it is restarted."""
        found = part(self.system, "Actions", RESET, "target")
        return found if isinstance(found, str) and found.startswith("/") else ""


# ---------------------------------------------------------------------------------------------------- state
# What a server has, beside what its plan wants: what is in effect, what waits, what can be staged now, and why the rest is not.
#
# A value is in effect when `Bios` shows it, nothing stages it, no job is open that hides what it carries, and the journal does not know
# better: services exist that show a staged value in `Bios` at once. The journal is a file on the machine that this runs on. It has the
# values from before the plan, for an exact way back, and what a run has staged until a restart is proven.


RESULTS = ("setting", "layer", "wanted", "found", "pending", "state", "reason")


@dataclass
class Journal:
    """What is kept of a server.

    Attributes:
        file: Where.
        plan: The name of the plan.
        changes: The end state of that plan.
        attributes: The values from before it, of what it changes.
        opened: What it writes only to be able to write the rest.
        early: What a run has staged that `Bios` showed at once, before any restart.
        times: When the server had last restarted when that was staged.
        bios: The version of its BIOS at that time.
    """

    file: Path
    plan: str = ""
    changes: Document = field(default_factory=dict)
    attributes: Document = field(default_factory=dict)
    opened: Document = field(default_factory=dict)
    early: Document = field(default_factory=dict)
    times: Times = field(default_factory=Times)
    bios: str = ""
    exists: bool = False

    @classmethod
    def of(cls, file: Path) -> Journal:
        """The journal in a file; an empty one where there is none."""
        made = cls(file)
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return made
        except (OSError, ValueError) as error:
            raise StopError(f"Nothing was changed: the journal {file} cannot be read: {error}") from None
        if not isinstance(kept, dict):
            raise StopError(f"Nothing was changed: {file} is no journal")
        for name in ("plan", "changes", "attributes", "opened", "early", "bios"):
            if isinstance(kept.get(name), type(getattr(made, name))):
                setattr(made, name, kept[name])
        times = kept.get("times")
        if isinstance(times, dict):
            made.times = Times(*(str(times.get(name, "")) for name in ("reset", "applied", "boot")))
        made.exists = True
        return made

    def keep(self) -> None:
        """Write it, so that it is whole whatever happens meanwhile."""
        kept = {**asdict(self), "file": None, "exists": None}
        text = json.dumps({name: value for name, value in kept.items() if value is not None}, indent=4)
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = self.file.with_name(f"{self.file.name}.new")
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as opened:
            opened.write(text + "\n")
            opened.flush()
            os.fsync(opened.fileno())
        new.replace(self.file)
        self.exists = True


@dataclass
class Permissions:
    """What a run may do beside what is its own."""

    foreign_settings: bool = False
    foreign_jobs: bool = False
    reboot: bool = False
    force: bool = False
    power_on: bool = False


@dataclass
class Wanted:
    """What is asked of a run.

    Attributes:
        plan: The BIOS part of the plan's data.
        name: The plan's name.
        reports: What the service must report of the server: `product` and `sockets`, as far as they are to be checked.
        may: The permissions.
        through_bmc: Whether a restart goes through the service.
        dry: Whether nothing is changed.
        back: Whether the values from before the plan are restored.
        retries: How often the end of a job, or of a restart, is looked for again.
        delay: Seconds between these readings.
        opening: How a message opens that says why the run ends before it has asked for anything.
        restarted: Whether somebody knows that the server has restarted since the last run.
        uuid: The host's own UUID; "" if it is not known.
        claims: A folder with a file for each server that a host has been found to be; None not to compare hosts with each other.
        host: The name of the host.
    """

    plan: Document
    name: str = ""
    reports: Document = field(default_factory=dict)
    may: Permissions = field(default_factory=Permissions)
    through_bmc: bool = True
    dry: bool = False
    back: bool = False
    retries: int = 60
    delay: float = 30
    opening: str = "Nothing was changed"
    restarted: bool = False
    uuid: str = ""
    claims: Path | None = None
    host: str = ""


@dataclass
class State:
    """A reading of a server, beside its plan.

    Attributes:
        plan: The BIOS part of the plan's data: `first`, `write`, `fixed`, `along`, `opens`, `locks`, `others`, `assumed`, `once`.
        reading: What was read.
        has_jobs: Whether a job carries out what is staged.
        journal: What is kept of the server.
        may: The permissions.
        back: Whether the values from before the plan are restored.
    """

    plan: Document
    reading: Reading
    has_jobs: bool
    journal: Journal
    may: Permissions
    back: bool = False

    def __post_init__(self) -> None:
        given = self.plan
        self.written: Document = {**given["first"], **given["write"]}
        self.expected: Document = {**self.written, **given["fixed"]}
        self.once: Document = {
            name: value for each in given.get("once") or [] for name, value in each["attributes"].items()
        }
        looked_at = {*self.expected, *given["others"]}
        now = self.reading.attributes
        self.current: Document = {name: value for name, value in now.items() if name in looked_at}
        staged = self.reading.staged if self.has_jobs else without(self.reading.staged, now)
        early = {name: value for name, value in self.journal.early.items() if same(now.get(name), value)}
        self.pending: Document = {**early, **staged}
        self.open_jobs = self.reading.open_jobs
        self.running_jobs = [job for job in self.open_jobs if job.get("JobState") in ("Starting", "Running")]

    # -------------------------------------------------------------------------------------------- what is staged

    @property
    def opened(self) -> Document:
        """What is written so that attributes that go first can be."""
        first = self.first_waiting
        return {one["governor"]: one["value"] for one in self.plan["opens"] if one["attribute"] in first}

    @property
    def foreign(self) -> Document:
        """What is staged and not what the plan has."""
        rest = self.pending
        ours = [self.expected, self.once, self.opened]
        ours += [self.journal.changes, self.journal.opened] if self.back else []
        for each in ours:
            rest = without(rest, each)
        return rest

    @property
    def own(self) -> Document:
        """The rest of what is staged."""
        return without(self.pending, self.foreign)

    @property
    def in_effect(self) -> Document:
        """What is in effect for certain. Where a job is open and nothing is seen to be staged, that is nothing."""
        if self.open_jobs and not self.pending and not self.may.foreign_jobs:
            return {}
        return {name: value for name, value in self.current.items() if name not in self.pending}

    @property
    def next(self) -> Document:
        """What the server has after the next restart."""
        return {**self.current, **self.pending}

    # ---------------------------------------------------------------------------------------------- what is wanted

    @property
    def differing(self) -> list[str]:
        """What of the end state is not in effect."""
        return list(without(self.expected, self.in_effect))

    @property
    def stuck(self) -> list[str]:
        """What of it others set, which are as they should be: this BIOS sets it otherwise."""
        differing = self.differing
        along = {one["attribute"] for one in self.plan["along"]}
        coming = {one["attribute"] for one in self.plan["along"] if one["governor"] in differing}
        return [name for name in differing if name in along and name not in coming]

    @property
    def waiting(self) -> list[str]:
        """What is to be written and not in effect."""
        stuck = self.stuck
        return [name for name in self.differing if name in self.written and name not in stuck]

    @property
    def first_waiting(self) -> list[str]:
        """What of it must be in effect before the rest is written."""
        return [name for name in self.waiting if name in self.plan["first"]]

    @property
    def first_stage(self) -> Document:
        """What to stage of that, with what lets it be written."""
        first = self.first_waiting
        return {**{name: self.plan["first"][name] for name in first}, **self.opened}

    @property
    def unknown(self) -> list[str]:
        """What is to be written that this server does not have."""
        return [name for name in self.written if name not in self.current]

    @property
    def otherwise(self) -> list[str]:
        """What the plan leaves alone and takes to be otherwise than it is."""
        known = {name: value for name, value in self.plan["assumed"].items() if name in self.current}
        return list(without(known, self.next))

    def locked(self, wanted: Document, along: Document | None = None) -> list[str]:
        """Which of the attributes to be staged are locked where the request leads, in sentences."""
        after = {**self.next, **(along or {}), **wanted}
        told = []
        for lock in self.plan["locks"]:
            need, bar = lock.get("is"), lock.get("is_not")
            lacks = need is not None and not _holds(after, need)
            barred = bar is not None and _holds(after, bar)
            if lock["attribute"] in wanted and (lacks or barred):
                told.append(str(lock["words"]))
        return told

    @property
    def once_pending(self) -> list[str]:
        """What performs a one-time action and is staged."""
        return [
            name
            for name, value in self.once.items()
            if name in self.pending and same(self.pending[name], value)
        ]

    @property
    def waits(self) -> bool:
        """Whether anything waits for a restart."""
        once = bool(self.once_pending) and not self.back
        return bool(self.waiting or once or (self.open_jobs and not self.may.foreign_jobs))

    # ------------------------------------------------------------------------------------------------- in words

    def seen(self, name: str) -> str:
        """A value that the server has, or is to have, in words."""
        found = self.next
        return shown(found[name]) if name in found else "not there"

    def change(self, wanted: Document) -> list[str]:
        """How attributes would change."""
        return [f"{name}: {self.seen(name)} -> {shown(value)}" for name, value in wanted.items()]

    def wrong(self, wanted: Document) -> list[str]:
        """How attributes differ."""
        return [
            f"{name}: {self.seen(name)}, wanted {shown(value)}"
            for name, value in without(wanted, self.next).items()
        ]

    @property
    def jobs_told(self) -> str:
        """The jobs that are open."""
        return "; ".join(map(job_words, self.open_jobs))

    @property
    def stuck_told(self) -> str:
        """What is stuck, with what sets it."""
        return "; ".join(
            f"{name}: {self.seen(name)}, wanted {shown(self.expected[name])}, set by {self.set_by(name)}"
            for name in self.stuck
        )

    def set_by(self, name: str) -> str:
        """What sets an attribute."""
        return next((str(one["governor"]) for one in self.plan["along"] if one["attribute"] == name), "")

    @property
    def notes(self) -> list[str]:
        """What was found beside the settings."""
        told = []
        wrong = self.wrong(self.expected)
        ended = [
            job
            for job in self.reading.bios_jobs
            if isinstance(job.get("CompletionTime"), str) and job not in self.open_jobs
        ]
        ended.sort(key=lambda job: str(job["CompletionTime"]))
        if wrong and ended and ended[-1].get("JobState") != "Completed":
            told.append(f"The last BIOS job: {job_words(ended[-1])}")
        if wrong and self.reading.last_words:
            told.append(f"What the service says of the last change: {' '.join(self.reading.last_words)}")
        if self.foreign and not self.may.foreign_settings:
            told.append(f"Staged by somebody else: {pairs(self.foreign)}.")
        if self.open_jobs and (self.own or not self.may.foreign_jobs):
            told.append(f"BIOS jobs that are open: {self.jobs_told}")
        return told

    @property
    def reasons(self) -> str:
        """Why the plan is not in effect, in sentences; "" where it is."""
        told = []
        wrong = self.wrong(self.expected)
        if wrong:
            told.append(f"Not as the policy has it: {'; '.join(wrong)}.")
        if self.stuck:
            told.append(
                f"Set by what locks it, which is as the policy has it, and cannot be written: {self.stuck_told}. This BIOS sets it"
                " otherwise than the one that the policy was compiled for."
            )
        if self.first_waiting and wrong:
            first = ", ".join(self.first_waiting)
            told.append(
                f"To be set in a restart of its own, since the rest of the policy locks it: {first}. Run site.yml."
            )
        own = f"Staged, and in effect only {self.when}: {pairs(self.own)}." if self.own else ""
        notes = self.notes
        before = [note for note in notes if not note.startswith(("Staged by", "BIOS jobs"))]
        return " ".join(
            [*told, *before, *filter(None, [own]), *(note for note in notes if note not in before)]
        )

    @property
    def when(self) -> str:
        """When what is staged takes effect."""
        return "when a job has carried it out at a restart" if self.has_jobs else "after a restart"

    def results(self) -> list[dict[str, Any]]:
        """A result for each attribute of the end state, as in form setpoint.verify/1."""
        return [self._result(name, wanted) for name, wanted in self.expected.items()]

    def _result(self, name: str, wanted: object) -> dict[str, Any]:
        jobs = self.jobs_told or (
            "no job waits to carry it out" if self.has_jobs else "it waits for a restart"
        )
        has, waits, by = self.current.get(name), self.pending.get(name), self.set_by(name)
        found: object = None
        pending: object = None
        if name not in self.current:
            state, reason = "differs", f"this server's BIOS has no {name}"
        elif name in self.pending and same(waits, wanted):
            state, pending, reason = "pending", wanted, f"{name} is staged; {jobs}"
        elif name in self.pending:
            state, pending, reason = "differs", waits, f"{name}: somebody else has staged {shown(waits)}"
        elif name not in self.in_effect:
            state, reason = (
                "unreadable",
                f"{name} is shown as {shown(has)}, and a BIOS job is open that may set it: {jobs}",
            )
        elif same(has, wanted):
            state, found, reason = "ok", wanted, name
        elif by in self.pending and same(self.pending[by], self.expected.get(by)):
            state, found, pending, reason = (
                "pending",
                has,
                wanted,
                f"{name} comes with {by}, which is staged; {jobs}",
            )
        elif name in self.stuck:
            state, found, reason = "locked", has, f"{name} is fixed by {by}"
        else:
            other = " has another type on this server" if shown(has) == shown(wanted) else ""
            state, found, reason = "differs", has, f"{name}{other}"
        return result(self.plan, name, wanted, found, pending, state, reason)


def restored(plan: Document, journal: Journal) -> Document:
    """The plan that brings back what the journal has. What is locked then is not written: the firmware sets it along with its lock."""
    before = journal.attributes
    along = [
        {"attribute": lock["attribute"], "governor": one["key"]}
        for lock in plan["locks"]
        for one in (lock.get("is") or lock["is_not"],)
        if one["key"] in before and _holds(before, one) != ("is" in lock)
    ]
    locked = {one["attribute"] for one in along}
    looked_at = [*plan["first"], *plan["write"], *plan["fixed"], *plan["others"]]
    return {
        **plan,
        "first": {},
        "write": {name: value for name, value in before.items() if name not in locked},
        "fixed": {name: value for name, value in before.items() if name in locked},
        "along": along,
        "opens": [],
        "assumed": {},
        "others": looked_at,
    }


def _holds(values: Document, one: Document) -> bool:
    """Whether a condition holds: an entry with `key` and `value` is among the values."""
    return one["key"] in values and same(values[one["key"]], one["value"])


def result(
    plan: Document, name: str, wanted: object, found: object, pending: object, state: str, reason: str
) -> dict[str, Any]:
    """A line of the report."""
    setting = plan["settings"].get(name, name)
    texts = [None if value is None else shown(value) for value in (wanted, found, pending)]
    return dict(zip(RESULTS, (setting, "firmware", *texts, state, reason), strict=True))


# ---------------------------------------------------------------------------------------------------- identity
# Whether a controller is that of the server which is meant: its kind, and the server itself.
#
# The kind is the product name and the number of processors. The server itself is its UUID, which the host shows as well, and which no
# other host has.


def require_kind(system: Document, reports: Document, so_far: str) -> None:
    """Require a server that reports the product and the sockets that the plan is for, as far as it has them."""
    wanted = reports.get("product")
    if wanted:
        _require_product(plain(system.get("Model") or "none").strip(), wanted, so_far)
    wanted = reports.get("sockets")
    count = part(system, "ProcessorSummary", "Count")
    reported = plain("no" if count is None else count)
    if wanted and reported not in wanted["accepted"]:
        raise StopError(
            f"{so_far}: this server reports {reported} processor {'socket' if reported == '1' else 'sockets'}, and the policy"
            f' {wanted["verb"]} {wanted["value"]}: state "{wanted["fact"]} {reported}" and compile again, or set'
            " setpoint_check_sockets to false"
        )


def _require_product(reported: str, wanted: Document, so_far: str) -> None:
    accepted = wanted["accepted"]
    if not accepted:
        raise StopError(
            f"{so_far}: no source shows which product {wanted['fact']} {wanted['value']} reports, so that nothing can be"
            " compared: make sure yourself that this is one, and set setpoint_check_product to false"
        )
    patterns = (re.escape(name[:-1]) + ".*" if name.endswith("*") else re.escape(name) for name in accepted)
    if not any(re.fullmatch(one, reported) for one in patterns):
        raise StopError(
            f"{so_far}: this server reports the product {reported}, and the policy {wanted['verb']} {wanted['fact']}"
            f" {wanted['value']} ({' or '.join(accepted)}): state the right {wanted['fact']} and compile again, or set"
            " setpoint_check_product to false"
        )


def require_same(shown: str, host: str, so_far: str) -> None:
    """Require that the UUID that the controller shows is the host's own, in either byte order; one that says nothing is passed over."""
    own, found = uuids(host), uuids(shown)
    if own and found and not own & found:
        raise StopError(
            f"{so_far}: the BMC is that of another server: it shows the UUID {shown}, and the host has {plain(host)}. Correct"
            " setpoint_bmc_host, or set setpoint_check_server to false"
        )


def claim(shown: str, folder: Path, host: str, so_far: str, dry: bool) -> None:
    """Require that no other host has the server, and note in a folder that this host has it."""
    found = uuids(shown)
    if not found:
        return
    place = folder / min(found)
    if not dry:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = place.with_name(f"{place.name}.{os.getpid()}")
        new.write_text(host, encoding="utf-8")
        try:
            os.link(new, place)  # whole, or not at all, and one of several hosts alone
        except FileExistsError:
            pass
        finally:
            new.unlink()
    other = place.read_text(encoding="utf-8") if place.exists() else host
    if other != host:
        raise StopError(
            f"{so_far}: the BMC is that of host {plain(other)}, too: both have the server with the UUID {shown}. Correct"
            f" setpoint_bmc_host; if the server has a new name, remove {place}"
        )


def uuids(text: str) -> set[str]:
    """A UUID in both byte orders of its first three fields, which tools show differently; empty for none, or for one of many servers.

    SMBIOS 2.6 made them little-endian, and not every service followed (metal-stack/go-hal, issue 57).
    """
    found = re.search(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text.lower())
    digits = found[0].replace("-", "") if found else ""
    if len(set(digits)) < 4 or digits == "03000200040005000006000700080009":
        return set()
    fields = (digits[:8], digits[8:12], digits[12:16])
    turned = "".join("".join(re.findall("..", one)[::-1]) for one in fields)
    return {digits, turned + digits[16:]}


# ---------------------------------------------------------------------------------------------------- proof
# A server that restarts: when what was staged is over, and what proves that the server restarted.
#
# A controller accepts a restart that an operating system then ignores. Proof is a staged value that is now in effect, or that the settings
# resource does not have any more; a later time of the last reset or of the last change; a server that was off and is on; a job that was
# carried out or is at work, since that happens at a start alone. A value that `Bios` showed before the restart proves nothing when it shows it
# again.


@dataclass
class Before:
    """A server before its restart: what it had staged, the jobs to wait for, its times and its power."""

    own: Document = field(default_factory=dict)
    once: list[str] = field(default_factory=list)
    awaited: list[str] = field(default_factory=list)
    times: Times = field(default_factory=Times)
    power: str = "On"


class Watch:
    """A server that restarts: what its readings prove so far. A reading that fails proves nothing."""

    def __init__(self, server: Server, before: Before, proven: bool) -> None:
        self.server = server
        self.before = before
        self.proven = proven
        self.over = self.taken = False
        self.jobs: dict[str, Document] = {}
        self.unread: dict[str, Answer] = {}
        self.system = Answer("")
        self._was_off = before.power == "Off"
        # What `Bios` shows already proves nothing when it shows it again.
        self._new = without(before.own, server.reading.attributes)

    @property
    def unfinished(self) -> list[Document]:
        """The jobs that are not over."""
        return [job for job in self.jobs.values() if job.get("JobState") not in OVER]

    @property
    def unsuccessful(self) -> list[Document]:
        """Those that have not succeeded."""
        return [job for job in self.jobs.values() if job.get("JobState") in OVER[1:]]

    def look(self) -> None:
        """Look once."""
        ended = self._look_at_jobs() if self.before.awaited else self._look_at_settings()
        self.system = self.server.service.read(self.server.path, 0)
        if self.system.good:
            self.server.system = self.system.document
            self._was_off = self._was_off or self.server.power == "Off"
            if self._was_off and self.server.power == "On":
                self.proven = True
        times = self.server.times
        if times.later(self.before.times):
            self.proven = True
            self.taken = self.taken or bool(
                self.before.times.applied and times.applied != self.before.times.applied
            )
        self.over = ended or (
            self.proven and not self.before.awaited and not self.before.own and not self.before.once
        )

    def _look_at_jobs(self) -> bool:
        """Whether all jobs are over. One that was carried out, or is at work, proves a restart: that happens at a start alone."""
        for place in self.before.awaited:
            if self.jobs.get(place, {}).get("JobState") in OVER:
                continue
            answer = self.server.service.read(place, 0)
            self.unread.pop(place, None)
            if answer.good and answer.document.get("JobState"):
                self.jobs[place] = answer.document
                if answer.document["JobState"] in (*CARRIED_OUT, *AT_WORK):
                    self.proven = True
            elif answer.status == 404:
                self.jobs.pop(place, None)
            else:
                self.unread[place] = answer
        return not self.unread and not self.unfinished

    def _look_at_settings(self) -> bool:
        """Without jobs: any staged value that is now in effect, or is not staged any more, is proof. Whether all of them are in effect."""
        bios = self.server.service.read(self.server.bios_path, 0)
        settings = self.server.service.read(self.server.settings_path, 0)
        if bios.good:
            self.server.reading.bios = bios.document
        now = self.server.reading.attributes if bios.good else {}
        gone = settings.good or settings.status == 404
        staged = part(settings.document, "Attributes") if settings.good else None
        rest = staged if isinstance(staged, dict) else {}
        taken = [name for name, value in self._new.items() if same(now.get(name), value)]
        if bios.good and gone:
            wanted = {
                **self._new,
                **{name: self.before.own[name] for name in self.before.once if name in self.before.own},
            }
            taken += [name for name, value in wanted.items() if not same(rest.get(name), value)]
        if taken:
            self.proven = self.taken = True
        return bool(self.proven and bios.good and not without(self.before.own, now)) or bool(
            taken and gone and not without(rest, now)
        )


# ---------------------------------------------------------------------------------------------------- run
# A run for one server: is it the right one, what is to be staged, the restart and its proof, the way back.
#
# What a service reports is believed only when a reading shows it. Each way in which a run can end before its goal is a `StopError`, whose text
# says what was changed before it.


BIOS_WORDS = "stage the attributes"


class Run:
    """A run. `told` has what is to be known of one that goes on, `changed` whether it changed something, or would."""

    def __init__(self, server: Server, wanted: Wanted, journal: Journal) -> None:
        self.server = server
        self.wanted = wanted
        self.journal = journal
        self.plan = restored(wanted.plan, journal) if wanted.back else wanted.plan
        self.told: list[str] = []
        self.changed = False
        self.diff: dict[str, str] = {}
        self.awaited: list[str] = []
        self.state: State

    # ------------------------------------------------------------------------------------------ what was done so far

    @property
    def so_far(self) -> str:
        """What the run has changed, as the opening of a sentence that says why it goes no further."""
        sent = self.server.service.sent
        if not sent:
            return self.wanted.opening
        words = ", ".join(
            f"{words} ({'accepted' if one.status in ACCEPTED else 'not confirmed'})" for words, one in sent
        )
        sure = all(one.status in ACCEPTED for _, one in sent)
        return f"This run has asked the BMC to {words}{'. Nothing more was changed' if sure else ', and for nothing more'}"

    def read(self) -> State:
        """Read the BIOS, and what it means for the plan."""
        self.server.read(self.so_far)
        journal = self.journal
        if journal.early and (self.wanted.restarted or self.server.times.later(journal.times)):
            journal.early = {}
        has_jobs = bool(self.server.jobs_path)
        self.state = State(
            self.plan, self.server.reading, has_jobs, journal, self.wanted.may, self.wanted.back
        )
        return self.state

    # ------------------------------------------------------------------------------------------------ which server

    def identify(self) -> None:
        """Find the server, and require that it is the right one."""
        wanted = self.wanted
        self.server.find(self.so_far)
        require_kind(self.server.system, wanted.reports, self.so_far)
        uuid = plain(self.server.system.get("UUID") or "")
        require_same(uuid, wanted.uuid, self.so_far)
        if wanted.claims is not None:
            claim(uuid, wanted.claims, wanted.host, self.so_far, wanted.dry)

    # ---------------------------------------------------------------------------------------------------- staging

    def apply(self, after_restart: bool = False) -> None:
        """Stage what can be staged now: what must be in effect first, else all that differs."""
        state = self.read()
        if self.wanted.back and not self.journal.attributes:
            self.told.append(f"BIOS: nothing to roll back. Going by {self.journal.file}, nothing was changed")
            return
        self._require(state)
        first = state.first_waiting
        if after_restart and first:
            raise StopError(
                f"The server was restarted, and its BIOS still has other values for {', '.join(first)}; the rest was not staged."
                f" {state.reasons}"
            )
        if first and (state.opened or state.waiting != first):
            self.told.append(
                f"Two restarts are needed: the rest of the policy locks {' and '.join(first)}, so the first restart puts these in effect."
                " With setpoint_reboot, this run does both. Without it, restart after this run, run it again, and restart once more"
            )
        self._require_restart(state)
        if not first:
            self.stage(self.plan["write"], self.plan["fixed"])
            return
        self.stage(state.first_stage)
        if not self.wanted.may.reboot:
            self.told.append(
                f"Restart and run this again: the rest can be staged when these are in effect: {', '.join(first)}"
            )

    def _require(self, state: State) -> None:
        if state.unknown:
            raise StopError(
                f"{self.so_far}: this server's BIOS has no {', '.join(state.unknown)}. Is the policy for another platform?"
            )
        if state.otherwise:
            self.note_otherwise()
        if state.stuck:
            raise StopError(
                f"{self.so_far}: these attributes cannot be written, since the attribute that sets them is already as in the policy:"
                f" {state.stuck_told}. This BIOS differs from the one that the policy was compiled for. State its values in the"
                ' policy, or state "system-profile custom" to write them'
            )

    def note_otherwise(self) -> None:
        """Tell what the policy leaves alone and takes to be otherwise."""
        state, assumed = self.state, self.plan["assumed"]
        told = "; ".join(
            f"{name}: {state.seen(name)}, assumed {plain(assumed[name])}" for name in state.otherwise
        )
        self.told.append(
            "The policy does not manage these attributes, and assumes other values than this server has. They are not changed:"
            f' {told}. To set them, state them in the policy, or "manage all"'
        )

    def _require_restart(self, state: State, waits: bool | None = None) -> None:
        """Require a way to restart the server, before anything is staged for a restart."""
        if self.wanted.may.reboot and self.wanted.through_bmc and (state.waits if waits is None else waits):
            self.server.restart_kind(self.wanted.may.force, self.wanted.may.power_on, self.so_far)

    def stage(self, wanted: Document, along: Document | None = None) -> None:
        """Stage attributes, with a job where the service has these, unless both is done; and read it back."""
        state = self.state
        asked = without(wanted, state.next)
        self._others(state, asked)
        if locked := state.locked(asked, along):
            raise StopError(
                f"{self.so_far}: {'; '.join(locked)}. This server has another value, and the policy does not change it: set it yourself, or"
                " state it in the policy"
            )
        stale = without(state.pending, state.expected) if self.wanted.back else {}
        clears = bool(stale and self.server.clear_path and not state.foreign and not state.open_jobs)
        if asked:
            self.told += state.change(asked)
            self._differ(state, asked)
        if clears:
            self.told.append(f"Clear the values that are staged without a job: {pairs(stale)}")
        to_wait = list(without(wanted, state.in_effect))
        jobless = bool(to_wait and state.has_jobs and not state.open_jobs)
        if self.wanted.dry:
            if jobless and not asked and not clears:
                self.told.append(f"A job would be made for the staged values: {', '.join(to_wait)}")
            self.changed = bool(asked or clears or jobless)
            return
        if not self.wanted.back:
            self._note(state)
        if clears:
            self._clear(stale)
            asked = without(wanted, self.state.next)
        answer = self._send(asked, state.reading.on_reset and state.has_jobs) if asked else None
        if without(wanted, self.state.in_effect) and self.state.has_jobs:
            self._job(wanted, answer)

    def _differ(self, state: State, asked: Document) -> None:
        """Note the difference in the form that Ansible shows."""
        self.diff = {
            "before": "".join(f"{name}: {state.seen(name)}\n" for name in asked),
            "after": pairs(asked).replace(" = ", ": ").replace(", ", "\n") + "\n",
        }

    def _others(self, state: State, asked: Document) -> None:
        """Require that nobody else has staged anything: a job, or a restart, carries out all that is."""
        foreign = state.foreign
        jobs = state.open_jobs if asked or foreign or (self.wanted.may.reboot and not state.pending) else []
        if jobs and not self.wanted.may.foreign_jobs:
            raise StopError(
                f"{self.so_far}: a BIOS job is open, and nothing shows that it is for this policy. {state.jobs_told} Staged by somebody"
                f" else: {pairs(foreign) or 'nothing that is shown'}. Let the job run, or delete it. To continue anyway, set"
                " setpoint_ignore_foreign_jobs"
            )
        if foreign and not self.wanted.may.foreign_settings:
            raise StopError(
                f"{self.so_far}: somebody else has staged {pairs(foreign)}, and a job of this role would apply that, too. Apply or clear it"
                " first. To apply it together with the policy, set setpoint_ignore_foreign_settings"
            )

    def _note(self, state: State) -> None:
        """Keep the values that the plan replaces, before the first of them is changed; those that an earlier run of it kept stay."""
        journal = self.journal
        again = journal.attributes if journal.changes == state.expected else {}
        opened = {one["governor"]: one["value"] for one in self.plan["opens"]}
        touched = {*state.differing, *state.opened}
        journal.attributes = {
            **{name: value for name, value in state.current.items() if name in touched},
            **again,
        }
        journal.plan, journal.changes, journal.opened = self.wanted.name, state.expected, opened
        journal.bios = plain(self.server.system.get("BiosVersion") or "")
        journal.keep()

    def _clear(self, stale: Document) -> None:
        """Clear what an interrupted run has staged: some services ignore a value that is in effect, and would keep the staged one."""
        answer = self.server.service.change("clear the staged values", "POST", self.server.clear_path, {})
        if answer.outcome == "refused":
            raise StopError(
                f"Nothing was changed: the BMC refused to clear the staged values {answer.reply} Staged: {pairs(stale)}"
            )
        self.changed = answer.outcome == "done"
        for _ in range(self.server.service.account.retries + 1):
            state = self.read()
            if not state.pending:
                break
            time.sleep(self.server.service.account.delay)
        if state.pending:
            how = "accepted the request to clear the staged values"
            self.changed = False
            if answer.outcome != "done":
                how = f"did not confirm the request to clear the staged values {answer.reply}"
            raise StopError(
                f"The BMC {how} Still staged: {pairs(state.pending)}. Run rollback.yml again, or clear them in the BMC"
            )
        self.changed = True
        if answer.outcome != "done":
            self.told.append(
                f"The BMC did not confirm the request to clear the staged values {answer.reply} Read back: nothing is staged"
            )

    def _send(self, asked: Document, on_reset: bool) -> Answer:
        """Ask the service to stage attributes, and read back what came of it."""
        answer = self._patch(asked, on_reset)
        if answer.outcome == "refused":
            raise StopError(f"Nothing was staged: the BMC refused the attributes {answer.reply}")
        had = self.changed
        self.changed = had or answer.outcome == "done"
        failed = self.server.task(answer)
        state = self.read()
        missing = without(asked, state.next)
        self.changed = had or len(missing) < len(asked)
        if missing:
            self._miss(asked, missing, answer, failed)
        early = {
            name: value for name, value in asked.items() if same(state.reading.attributes.get(name), value)
        }
        if early and not state.has_jobs:
            self.journal.early = {**self.journal.early, **early}
            self.journal.times = self.server.times
            self.journal.keep()
            self.state = State(
                self.plan, state.reading, False, self.journal, self.wanted.may, self.wanted.back
            )
        if answer.outcome == "unknown":
            self.told.append(
                f"The BMC did not confirm the request to {BIOS_WORDS} {answer.reply} Read back: all of them are staged"
            )
        return answer

    def _miss(self, asked: Document, missing: Document, answer: Answer, failed: str) -> None:
        """End a run of which some attributes are not staged: which, why, and what of the rest is."""
        how = "reported success and dropped"
        if failed:
            how = f"accepted the attributes, and its task failed ({failed}). Not staged:"
        elif answer.outcome == "unknown":
            how = f"did not confirm the request to {BIOS_WORDS} {answer.reply} Not staged:"
        rest = without(asked, missing)
        told = f"The BMC {how} {'; '.join(self.state.change(missing))}."
        words = answer.reply.partition("): ")[2] if answer.outcome == "done" and answer.document else ""
        if words and words != "no reason is known" and not failed:
            told += f" It said: {words}"
        if rest:
            told += f" The rest is staged, and in effect {self.state.when}: {pairs(rest)}. To take it back, run rollback.yml"
        raise StopError(told)

    def _patch(self, asked: Document, on_reset: bool) -> Answer:
        """The request. Some services take it only for the version that there is (RFC 9110, 13.1.1); some know no version of their own."""
        body: Document = {"Attributes": asked}
        if on_reset:
            body["@Redfish.SettingsApplyTime"] = {"ApplyTime": "OnReset"}
        tag = self.server.reading.etag
        for attempt in range(3):
            headers = {"If-Match": tag} if tag else {}
            answer = self.server.service.change(BIOS_WORDS, "PATCH", self.server.settings_path, body, headers)
            if answer.status not in (412, 428) or attempt == 2:
                break
            self.server.service.sent.pop()
            again = self.server.service.read(self.server.settings_path)
            fresh = again.headers.get("etag") or str(again.document.get("@odata.etag") or "")
            tag = fresh if fresh and fresh != tag else "*"
        return answer

    def _job(self, wanted: Document, patched: Answer | None) -> None:
        """Make sure that a job carries out what is staged: one of the service's own, or one that is asked for."""
        made = patched
        on_reset = self.state.reading.on_reset
        if not self.state.open_jobs and (patched is None or not on_reset):
            path = self.server.jobs_path
            made = self.server.service.change(
                "make the job", "POST", path, {"TargetSettingsURI": self.server.settings_path}
            )
            if made.outcome == "refused":
                raise StopError(
                    f"The attributes are staged, but the BMC refused to make the job {made.reply}"
                )
            self.changed = self.changed or made.outcome == "done"
            self.read()
            if made.outcome == "unknown" and self.state.open_jobs:
                self.changed = True
                self.told.append(
                    f"The BMC did not confirm the request to make the job {made.reply} Read back: {self.state.jobs_told}"
                )
        place = self.server.job_of(made) if made is not None else ""
        self.awaited = [str(job.get("@odata.id")) for job in self.state.open_jobs] or list(
            filter(None, [place])
        )
        if not self.awaited:
            how = ""
            if made is not None:
                verb = "accepted" if made.outcome == "done" else "did not confirm"
                how = f" The BMC {verb} the request to make one {made.reply}"
            waits = ", ".join(without(wanted, self.state.in_effect))
            raise StopError(f"Staged, but no job waits to carry it out: {waits}.{how} Run this again")

    # --------------------------------------------------------------------------------------------------- restarts

    def before(self) -> Before:
        """What is to be compared after a restart."""
        state = self.state
        awaited = self.awaited or [str(job.get("@odata.id")) for job in state.open_jobs]
        return Before(state.own, state.once_pending, awaited, self.server.times, self.server.power)

    def restart(self, awaited: list[str]) -> None:
        """Restart the server through its controller, unless a job is at work, and wait until what was staged is in effect."""
        self.read()
        before = self.before()
        before.awaited = before.awaited or awaited
        if self.state.running_jobs:
            self.wait(before, proven=True)
            return
        staged = "The staged values wait for a restart"
        may = self.wanted.may
        kind = self.server.restart_kind(may.force, may.power_on, staged)
        answer = self.server.service.change(
            "restart the server", "POST", self.server.reset_path, {"ResetType": kind}
        )
        if answer.outcome == "refused":
            raise StopError(f"{staged}: the BMC refused {kind} {answer.reply}")
        self.changed = self.changed or answer.outcome == "done"
        self.wait(before, proven=False, kind=kind, answer=answer)
        if answer.outcome == "unknown":
            self.changed = True
            self.told.append(
                f"The BMC did not confirm the request to restart the server {answer.reply} Read back: the server restarted"
            )

    def wait(self, before: Before, proven: bool, kind: str = "", answer: Answer | None = None) -> None:
        """Wait for the end of the jobs, or until what was staged is in effect, and for proof of the restart.

        While a server starts, its controller may be busy or not answer: a reading that fails counts as "not yet".
        """
        watch = Watch(self.server, before, proven)
        left, last = self.wanted.retries, self.server.service.account.retries
        while True:
            watch.look()
            settled = watch.over or watch.taken
            if (watch.over and watch.proven) or (settled and last <= 0) or left <= 0:
                break
            last, left = last - settled, left - 1
            time.sleep(self.wanted.delay)
        if not watch.proven:
            raise StopError(self._unproven(watch, kind, answer))
        self.changed = True
        self._ended(watch, proven)
        if self.journal.early:
            self.journal.early = {}
            self.journal.keep()
        self.wanted.restarted = True
        self.read()

    def _unproven(self, watch: Watch, kind: str, answer: Answer | None) -> str:
        verb = "accepted" if answer is None or answer.outcome == "done" else "did not confirm"
        told = [f"The BMC {verb} {kind}, and nothing shows that the server restarted."]
        if watch.system.good:
            reset = self.server.times.reset
            told.append(
                f"Its power state is {self.server.power}, and its last reset {f'was at {reset}' if reset else 'is not shown'}."
            )
        else:
            told.append(f"The BMC does not show its power state {watch.system.reply}")
        told += [job_words(job) for job in watch.jobs.values()]
        if kind == "GracefulRestart":
            told.append("An operating system can ignore or delay a graceful restart. Nothing was forced.")
        if watch.unsuccessful:
            told.append("No job waits any more: look at the console of the server, then run this again")
        elif watch.unfinished and not watch.unread:
            told.append(
                "The staged values wait for a restart: look at the console of the server, restart it yourself, then run verify.yml"
            )
        elif self.state.has_jobs:
            told.append(
                "Unknown whether the BIOS job still waits: look at the console of the server, then run this again"
            )
        else:
            told.append("Look at the console of the server, and run verify.yml when it is up")
        return " ".join(told)

    def _ended(self, watch: Watch, ran: bool) -> None:
        """Require that the jobs that were waited for have ended well."""
        if watch.unfinished or watch.unread:
            subject = (
                "The BIOS job"
                if ran and self.wanted.through_bmc
                else "The server restarted, but its BIOS job"
            )
            told = (
                "; ".join(map(job_words, watch.unfinished))
                or f"Its state cannot be read {next(iter(watch.unread.values())).reply}"
            )
            raise StopError(
                f"{subject} was still open after {self.wanted.retries} more readings, {self.wanted.delay:g} seconds apart. {told} Look at the"
                " server's console and at the BMC's job queue; when the job is over, run this again"
            )
        if watch.unsuccessful:
            state = self.read()
            told = "; ".join(map(job_words, watch.unsuccessful))
            raise StopError(f"The BIOS job did not succeed. {told} {state.reasons}")

    # --------------------------------------------------------------------------------------------- one-time actions

    def find_once(self, recorded: dict[str, str]) -> dict[str, Any]:
        """Which one-time actions to ask for now, by what the records of the server say: nothing, `asked`, or `staged`."""
        state = self.read()
        listed = self.plan.get("once") or []
        staged = [name for name, text in recorded.items() if "staged" in text]
        asked = [name for name, text in recorded.items() if "asked" in text and name not in staged]
        new = [one for one in listed if one["record"] not in (*staged, *asked)]
        wanted: Document = {name: value for one in new for name, value in one["attributes"].items()}
        if lacking := [name for name in wanted if name not in state.current]:
            raise StopError(
                f"{self.so_far}: this server's BIOS has no {', '.join(lacking)}, or hides it now. Is the policy for another platform?"
            )
        if there := [name for name in wanted if same(state.next.get(name), wanted[name])]:
            raise StopError(
                f"{self.so_far}: this server shows already what performs the one-time actions, and nothing records that this policy has asked"
                f" for it: {', '.join(there)}. Set it back in the BIOS, then run this again"
            )
        waits = bool(state.once_pending)
        locked = state.locked(wanted)
        if locked:
            self.told.append(
                f"Not performed now: {'; '.join(locked)}. If the policy changes that, run this again after the restart"
            )
        seen = [one["record"] for one in listed if set(one["attributes"]) <= set(state.once_pending)]
        if unknown := [name for name in asked if name not in seen]:
            self.told.append(
                "An earlier run was interrupted when it asked for this, and it may have been performed:"
                f" {', '.join(unknown)}. It is not performed again. If it was not, remove its record on the server, and run this again"
            )
        now = [] if locked or waits else [str(one["record"]) for one in new]
        if now:
            self.told.append(f"To be performed once, at a restart before the rest is set: {', '.join(now)}")
            self.changed = self.wanted.dry
            self._require_restart(state, True)
        return {"next": now, "seen": [name for name in asked if name in seen], "waits": waits}

    def stage_once(self, records: list[str]) -> None:
        """Stage what performs these actions."""
        self.read()
        self.stage(
            {
                name: value
                for one in self.plan.get("once") or []
                if one["record"] in records
                for name, value in one["attributes"].items()
            }
        )


# ---------------------------------------------------------------------------------------------------- program
# The client as an Ansible module: what it is given, and what it answers.
#
# It runs where the controllers can be reached, which is Ansible's own machine, and asks nothing of the server's operating system.


VERSION = "1"
"""Of what the client is given and answers."""

STATES = ("staged", "restarted", "waited", "compared", "once", "performed")

ARGUMENTS: dict[str, dict[str, Any]] = {
    "state": {"type": "str", "required": True, "choices": list(STATES)},
    "host": {"type": "str", "required": True},
    "user": {"type": "str", "required": True},
    "password": {"type": "str", "required": True, "no_log": True},
    "ca": {"type": "path", "default": ""},
    "validate_certs": {"type": "bool", "default": True},
    "timeout": {"type": "float", "default": 60},
    "read_retries": {"type": "int", "default": 5},
    "read_delay": {"type": "float", "default": 10},
    "job_retries": {"type": "int", "default": 60},
    "job_delay": {"type": "float", "default": 30},
    "plan": {"type": "dict", "required": True},
    "name": {"type": "str", "required": True},
    "journal": {"type": "path", "required": True},
    "claims": {"type": "path", "default": ""},
    "uuid": {"type": "str", "default": ""},
    "pass_over": {"type": "list", "elements": "str", "default": []},
    "reboot": {"type": "bool", "default": False},
    "through_bmc": {"type": "bool", "default": True},
    "force": {"type": "bool", "default": False},
    "power_on": {"type": "bool", "default": False},
    "foreign_settings": {"type": "bool", "default": False},
    "foreign_jobs": {"type": "bool", "default": False},
    "back": {"type": "bool", "default": False},
    "after_restart": {"type": "bool", "default": False},
    "restarted": {"type": "bool", "default": False},
    "before": {"type": "dict", "default": {}},
    "recorded": {"type": "dict", "default": {}},
    "records": {"type": "list", "elements": "str", "default": []},
}
"""Its options, as Ansible has them."""

OPENINGS = {"restarted": "The staged values wait for a restart", "waited": "The server restarted"}


def answer(given: Document, dry: bool) -> dict[str, Any]:
    """Do what is asked for, and say what came of it: `failed` and `msg` where a run ends before its goal."""
    account = Account(
        given["host"],
        given["user"],
        given["password"],
        given["ca"] or "",
        given["validate_certs"],
        given["timeout"],
        given["read_retries"],
        given["read_delay"],
    )
    if not (account.host and account.user and account.password):
        why = (
            "setpoint_bmc_host, setpoint_bmc_user and setpoint_bmc_password must name the BMC and its account"
        )
        more = (
            _unread(given["plan"]["bios"], why)
            if given["state"] == "compared"
            else {"failed": True, "msg": why}
        )
        return {"changed": False, "told": [], **more}
    service = Service(account)
    run: Run | None = None
    try:
        run = _run(service, given, dry)
        more = _compared(run) if given["state"] == "compared" else _done(run, given)
        return {**_answered(run), **more}
    except StopError as stop:
        told = _answered(run) if run is not None else {"changed": False, "told": []}
        return {**told, "failed": True, "msg": str(stop)}
    finally:
        service.close()


def _run(service: Service, given: Document, dry: bool) -> Run:
    plan = given["plan"]
    reports = {kind: one for kind, one in plan["reports"].items() if kind not in given["pass_over"]}
    may = Permissions(
        *(given[name] for name in ("foreign_settings", "foreign_jobs", "reboot", "force", "power_on"))
    )
    opening = (
        "Nothing more was changed"
        if given["after_restart"]
        else OPENINGS.get(given["state"], "Nothing was changed")
    )
    has_claims = given["claims"] and "server" not in given["pass_over"]
    wanted = Wanted(
        plan=plan["bios"],
        name=plan["name"],
        reports=reports,
        may=may,
        through_bmc=given["through_bmc"],
        dry=dry or given["state"] == "compared",
        back=given["back"],
        retries=given["job_retries"],
        delay=given["job_delay"],
        opening=opening,
        restarted=given["restarted"],
        uuid="" if "server" in given["pass_over"] else given["uuid"],
        claims=Path(given["claims"]) if has_claims else None,
        host=given["name"],
    )
    journal = Journal.of(Path(given["journal"]))
    return Run(Server(service, plan["bios"]), wanted, journal)


def _done(run: Run, given: Document) -> dict[str, Any]:
    run.identify()
    if given["state"] == "staged":
        run.apply(given["after_restart"])
    elif given["state"] == "restarted":
        run.restart(list(given["before"].get("awaited", [])))
    elif given["state"] == "waited":
        kept = given["before"]
        times = Times(*(str(kept.get("times", {}).get(name, "")) for name in ("reset", "applied", "boot")))
        before = Before(kept.get("own", {}), kept.get("once", []), kept.get("awaited", []), times)
        run.read()
        run.wait(before, proven=True)
    elif given["state"] == "once":
        return {"once": run.find_once(given["recorded"])}
    else:
        run.stage_once(given["records"])
    return {}


def _answered(run: Run) -> dict[str, Any]:
    """What is said of every run; of the server, if it was read."""
    said: dict[str, Any] = {"changed": run.changed, "told": [plain(one) for one in run.told]}
    if run.diff:
        said["diff"] = run.diff
    sent = run.server.service.sent
    said["unsent"] = all(one.outcome == "refused" for _, one in sent)
    if hasattr(run, "state"):
        state = run.state
        said |= {
            "waits": state.waits,
            "first": state.first_waiting,
            "running": bool(state.running_jobs),
            "once_waits": bool(state.once_pending) and not state.back,
            "once_pending": state.once_pending,
            "before": asdict(run.before()),
        }
    return said


def _compared(run: Run) -> dict[str, Any]:
    """The comparison with the plan. What keeps it from being made does not keep other layers from being compared."""
    try:
        run.identify()
        state = run.read()
    except StopError as stop:
        why = str(stop).removeprefix("Nothing was changed: ")
        return _unread(run.plan, why)
    notes = state.notes
    version = plain(run.server.system.get("BiosVersion") or "")
    if run.journal.bios and version and version != run.journal.bios:
        notes.append(
            f"The BIOS was updated since the policy was rolled out: from {run.journal.bios} to {version}."
        )
    if state.otherwise:
        run.note_otherwise()
    results = state.results()
    if run.wanted.back:
        results = [{**one, "state": "rolled-back"} if one["state"] == "ok" else one for one in results]
        rest = {name: value for name, value in run.journal.changes.items() if name not in state.expected}
        results += [
            result(
                run.plan,
                name,
                value,
                state.current.get(name),
                None,
                "rolled-back",
                f"{name} was so before the policy",
            )
            for name, value in rest.items()
        ]
    return {"changed": False, "results": results, "notes": notes, "words": state.reasons}


def _unread(plan: Document, why: str) -> dict[str, Any]:
    """The comparison where nothing could be read."""
    expected = {**plan["first"], **plan["write"], **plan["fixed"]}
    results = [
        result(plan, one, value, None, None, "unreadable", f"{one}: {why}") for one, value in expected.items()
    ]
    return {"results": results, "notes": [], "words": why}


def module() -> None:
    """Answer as an Ansible module does."""
    from ansible.module_utils.basic import AnsibleModule

    asked = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    came = answer(asked.params, asked.check_mode)
    if came.pop("failed", False):
        kept = ("msg", "told", "changed", "unsent", "diff")
        asked.fail_json(**{name: came[name] for name in kept if name in came})
    asked.exit_json(**came)


if __name__ == "__main__":
    module()
