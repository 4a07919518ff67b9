"""Speaking to a Redfish service: one connection, readings that are repeated, and what the service says in words.

Sources: DSP0266 is DMTF's Redfish Specification 1.20; RFC 9110 is HTTP. A reading changes nothing, so it is repeated where the connection
closes, the service is busy or fails (RFC 9110, 9.2.2), or the answer is no JSON, not whole, or by its own words not settled. A request for a
change is sent once: without an answer, only a reading shows what was done. One that was refused for now has changed nothing, and is sent again.
"""

from __future__ import annotations

import base64
import http.client
import json
import re
import socket
import ssl
import time
import urllib.request
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

Document = dict[str, Any]

MOST = 32 * 1024 * 1024
"""Bytes of an answer; the registry of a server has two millions."""

REDIRECTS = 3
ACCEPTED = (200, 201, 202, 204)
UNKNOWN_USER, TOO_MANY = 401, 429
"""The status of a request that was not carried out, since there were too many (RFC 6585, 4)."""

BUSY = (
    "ResourceInStandby",
    "ResourceInUse",
    "ServiceInUnknownState",
    "ServiceShuttingDown",
    "ServiceTemporarilyUnavailable",
    "SessionLimitExceeded",
)
"""Keys of messages that say "not now", of DMTF's Base registry 1.12. A plan has those that its services say beside them."""


OTHER_SERVER, FOREIGN = 5, 7
"""Why a run ends, where there is more to say than that it failed: it is not the server; somebody else is at work."""


class StopError(Exception):
    """The run of a server ends here; the text says why, and what was changed before it. `status` is that of a command which changed nothing."""

    def __init__(self, text: object, status: int = 4) -> None:
        super().__init__(text)
        self.status = status


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
    def reply(self) -> str:
        """The answer in a sentence."""
        if not self.status:
            return f"(no answer): {ended(self.trouble)}"
        refused = "it refuses the user or the password. " if self.status == UNKNOWN_USER else ""
        return f"(HTTP {self.status}): {refused}{ended(self.trouble or said(self.document) or 'no reason is known')}"


def plain(text: object) -> str:
    """A text of the service on one line: no control characters, and not endless."""
    shown = "".join(character if character.isprintable() else " " for character in str(text))
    return shown if len(shown) <= 1000 else f"{shown[:1000]}…"


def ended(text: str) -> str:
    """A text that another sentence can follow."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def messages(document: Document) -> list[Document]:
    """The messages of an answer: of the error, of the whole, and of single properties (DSP0266, 8.6)."""
    error = document.get("error")
    place = error if isinstance(error, dict) else document
    places = [place.get("@Message.ExtendedInfo")]
    places += [value for name, value in document.items() if name.endswith("@Message.ExtendedInfo")]
    listed: list[Document] = []
    for shown in places:
        several = shown if isinstance(shown, list) else [shown]  # some services send one, and no list of it
        listed += [message for message in several if isinstance(message, dict) and message not in listed]
    return listed


def _identity(message: Document) -> str:
    return str(message.get("MessageId") or message.get("MessageID") or "")


def _key(message: Document) -> str:
    return _identity(message).rpartition(".")[2]


def sentence(message: Document) -> str:
    """A message in words. Some services send its identifier and arguments alone: `Base.1.12.PropertyUnknown`, [`Smt`]."""
    text = message.get("Message")
    if text:
        return plain(text)
    identity, name = _identity(message), _key(message)
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    spaced = " ".join(part if part.isupper() else part.lower() for part in spaced.split())
    given = message.get("MessageArgs")
    arguments = [str(argument) for argument in given] if isinstance(given, list) else []
    told = f"{spaced[:1].upper()}{spaced[1:]}{': ' if arguments else ''}{', '.join(arguments)}"
    return plain(f"{told} ({identity})") if name else ""


def said(document: Document) -> str:
    """What an answer says, in sentences; "" if nothing."""
    listed = messages(document)
    told = " ".join(filter(None, map(sentence, listed)))
    error = document.get("error")
    text = error.get("message") if isinstance(error, dict) else None
    text = text.get("value") if isinstance(text, dict) else text  # with its language beside it
    if any(message.get("Message") for message in listed) or not isinstance(text, str):
        return told
    leads_there = "ExtendedInfo" in text
    return told if told and leads_there else " ".join(filter(None, [plain(text), told]))


def succeeded(message: Document) -> bool:
    """Whether a message says no more than that all went well."""
    return _key(message) in ("Success", "NoOperation", "")


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


def saying(reported: Document, meaning: str) -> list[str]:
    """The words of a service that have this meaning."""
    return [word for word, stands_for in reported.items() if stands_for == meaning]


def _lacks_attributes(answer: Answer) -> bool:
    """Whether a resource has `null` for its attributes, as before they are gathered (ibm-openbmc/bmcweb, issue 1007)."""
    return answer.good and answer.document.get("Attributes", answer) is None


class Service:
    """A Redfish service. `reported` are words that only it says, with their meanings; `sent` has what it was asked to change: words, and whether it accepted."""

    def __init__(self, account: Account, reported: Document | None = None) -> None:
        self.account = account
        self.busy = {*BUSY, *saying(reported or {}, "busy")}
        self.sent: list[tuple[str, Answer]] = []
        self._connection: http.client.HTTPConnection | None = None

    def read(self, path: str, retries: int | None = None, missing: bool = False) -> Answer:
        """A resource, read again as long as the answer is none. With `missing`, one that is not there yet is read again, too."""
        left = self.account.retries if retries is None else retries
        late = 0
        while True:
            answer = self._ask("GET", path)
            late += answer.timed_out
            again = answer.status in (0, TOO_MANY) or answer.status >= 500 or bool(answer.trouble)
            again = again or (missing and answer.status == 404) or self._is_busy(answer)
            if not (again or _lacks_attributes(answer)) or left <= 0 or answer.distrusted or late > 1:
                if answer.good and again:
                    answer.trouble = f"what it shows is not settled: {said(answer.document)}"
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
            if answer.status < 400 or not (self._is_busy(answer) or answer.status == TOO_MANY):
                break
            time.sleep(self.account.delay)
            if method == "PATCH":
                self.read(path)  # while a server starts, its controller may be away for a while
        self.sent.append((words, answer))
        return answer

    def _is_busy(self, answer: Answer) -> bool:
        """Whether it says "not now": with what it refuses, or with what it shows and has not settled."""
        return any(_key(message) in self.busy for message in messages(answer.document))

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
            to = urlsplit(place)
            query = to.query or urlsplit(path).query  # of what was asked for, where the service leaves it out
            path = f"{urljoin(path, to.path)}{'?' if query else ''}{query}"
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
            connection = http.client.HTTPSConnection(
                via.hostname or "", via.port or 3128, timeout=self.account.timeout, context=trust
            )
            connection.set_tunnel(host, port)
        else:
            connection = http.client.HTTPSConnection(host, port, timeout=self.account.timeout, context=trust)
        connection.connect()
        return connection


def _acknowledge_at_once(connection: object) -> None:
    """A service that sends head and content of an answer apart waits for the acknowledgement of the head, which Linux delays."""
    if isinstance(connection, socket.socket) and hasattr(socket, "TCP_QUICKACK"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


def _is_here(place: str, host: str) -> bool:
    """Whether an address is of the service: the account is sent nowhere else."""
    return (place.startswith("/") and not place.startswith("//")) or urlsplit(place).netloc == host
