"""Read a server's controller over Redfish: a client that only reads, and trusts nobody.

A controller is an old, slow computer in a network of its own, or somebody who pretends to be one. So its certificate is
verified, and there is no way to leave that out; the password goes to the address that the user named alone, over TLS;
each answer has a size and a time at most, and so has all of it. What cannot be read is a reason in the capture
(`resources.py`), and only what concerns the whole service is an error. GET requests are repeated where a controller is
busy, or closes the connection, as many do. One session is opened, and closed again.

User and password come from the environment (SETPOINT_REDFISH_USER, SETPOINT_REDFISH_PASSWORD), ~/.netrc, or a question
on the terminal; never from arguments, which every user of the machine can see.

Sources: DMTF DSP0266 1.20, 13.3 (sessions), 8.2 (redirects); what controllers do: docs/guides/captures.md.
"""

import getpass
import netrc
import os
import ssl
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from urllib import parse

from setpoint.compiler.captures.model import Controller
from setpoint.compiler.captures.resources import (
    ABSENT,
    ROOT,
    TOO_LARGE,
    UnreadPlaceError,
    controller_of,
    path_of,
)
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.files.reading import MOST_BYTES, parse_json
from setpoint.compiler.record import NamedTuple

if TYPE_CHECKING:
    import httpx

USER, PASSWORD = "SETPOINT_REDFISH_USER", "SETPOINT_REDFISH_PASSWORD"
"""The variables of the environment with the account."""

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""The hosts that plain http is good for: a tunnel, or a simulator, on the same machine."""

MOST_SECONDS = 60.0
"""How long one answer may take: slow controllers take some 20 s for their largest documents."""

MOST_SECONDS_IN_ALL = 1_200.0
"""How long all of it may take."""

TRIES = 3
"""How often a document is asked for."""

MOST_PAUSE = 10.0
"""The longest pause before a request is repeated, in seconds."""

MOST_REDIRECTS = 3
"""How many redirects are followed for one document: some services want a slash at the end."""

REDIRECTS, BUSY = (301, 302, 307, 308), (429, 502, 503, 504)
UNAUTHORIZED = (401, 403)
REASONS = {401: "no permission", 403: "no permission", 404: ABSENT, 410: ABSENT, 413: TOO_LARGE}
"""Statuses of answers, and what they mean for a document."""

SESSIONS = f"{ROOT}/SessionService/Sessions"
"""Where sessions are opened if the service root does not say it (DSP0266, 13.3.4)."""


Answer = tuple[int, Mapping[str, str], bytes]
"""The status, the headers and the content of an answer."""


class Account(NamedTuple):
    """A user of a controller, and the password."""

    user: str
    password: str

    def __repr__(self) -> str:
        return f"Account({self.user!r})"


def read_controller(url: str, ca_file: str = "") -> Controller:
    """What the controller at an address shows, such as `https://bmc.example.org` or `bmc.example.org`.

    Args:
        url: The address, with a port if it is not 443.
        ca_file: A file with the certificates of trusted authorities, or the controller's own; else those of the system
            are trusted.

    Raises SetpointError (E0623) if it cannot be reached or trusted, is no Redfish service, or refuses the account.
    """
    address = _address(url)
    with _client(address, ca_file) as client, _watched(client):
        service = _Conversation(client, address)
        root = service.root()
        account = account_of(address)
        with _session(service, root, account):
            controller = controller_of(service.document)
        if len(controller.read) == 1 and controller.unread:
            why = next(iter(controller.unread.values()))
            raise _refused(service.host, f"it shows nothing to the account `{account.user}`: {why}")
        return controller


def account_for_address(url: str) -> tuple[str, str, str]:
    """The address of a controller in full, and the user and the password for it. Raises SetpointError (E0623)."""
    address = _address(url)
    return address.geturl(), *account_of(address)


def account_of(address: parse.SplitResult) -> Account:
    """The account for a controller. Raises SetpointError (E0623) if there is none."""
    user, password = os.environ.get(USER, ""), os.environ.get(PASSWORD, "")
    if user and password:
        return Account(user, password)
    host = address.hostname or ""
    with suppress(OSError, netrc.NetrcParseError):
        if entry := netrc.netrc().authenticators(host):
            return Account(entry[0] or entry[1], entry[2] or "")
    if not sys.stdin.isatty():
        raise _refused(host, "no account is known", f"set {USER} and {PASSWORD}, or add `{host}` to ~/.netrc")
    if not user:
        sys.stderr.write(f"User at {host}: ")
        user = sys.stdin.readline().strip()
    return Account(user, password or getpass.getpass(f"Password of {user} at {host}: "))


# ----------------------------------------------------------------------------------------- the connection


def _address(url: str) -> parse.SplitResult:
    try:
        address = parse.urlsplit(url if "://" in url else f"https://{url}")
        host, _ = address.hostname, address.port
    except ValueError as error:
        raise _refused(url, f"it is no address: {error}") from None
    if address.username or address.password:
        hidden = f"{address.scheme}://{host}"
        raise _refused(hidden, "an address must not have a password", f"set {USER} and {PASSWORD}")
    if not host or address.scheme not in ("https", "http"):
        raise _refused(url, "it is no address such as https://bmc.example.org")
    if address.scheme == "http" and host not in LOOPBACK:
        raise _refused(url, "over plain http, anybody on the way could read the password", "use https")
    return parse.SplitResult(address.scheme, address.netloc, "", "", "")


def _client(address: parse.SplitResult, ca_file: str) -> "httpx.Client":
    import httpx  # an extra, and only for this

    try:
        context = ssl.create_default_context(cafile=ca_file or None)
    except (OSError, ssl.SSLError) as error:
        why = error.strerror or str(error)
        raise _refused(ca_file, f"it has no certificates: {why}", "name a file in PEM form") from None
    return httpx.Client(
        base_url=address.geturl(),
        verify=context,
        timeout=MOST_SECONDS,
        trust_env=False,
        follow_redirects=False,
        headers={"Accept": "application/json", "OData-Version": "4.0", "Accept-Encoding": "gzip, identity"},
    )


@contextmanager
def _watched(client: "httpx.Client") -> Iterator[None]:
    """Close the connections after the longest time: a service can send its headers byte by byte."""
    timer = threading.Timer(MOST_SECONDS_IN_ALL + 1, client.close)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class _Conversation:
    """Asks for documents. `deadline` is when all of it ends."""

    def __init__(self, client: "httpx.Client", address: parse.SplitResult) -> None:
        self.client = client
        self.host = address.netloc
        self._address = address
        self._deadline = time.monotonic() + MOST_SECONDS_IN_ALL

    def root(self) -> Any:
        """The service root, which needs no account. Raises SetpointError (E0623)."""
        try:
            root = self._asked(ROOT + "/")
        except _ConnectionError as error:
            raise _unreachable(self.host, error) from None
        except UnreadPlaceError as error:
            raise _refused(
                self.host, f"{ROOT}/ cannot be read: {error}", "is it the address of a controller?"
            ) from None
        if not isinstance(root, dict) or path_of(root) != ROOT:
            raise _refused(self.host, f"{ROOT}/ is not the root of a Redfish service")
        return root

    def document(self, link: str) -> Any:
        """The document at a link. Raises UnreadPlaceError."""
        try:
            return self._asked(link)
        except _ConnectionError as error:
            raise UnreadPlaceError("timed out" if error.is_slow else "failed") from None

    def _asked(self, link: str) -> Any:
        """The document at a link. Raises UnreadPlaceError and _ConnectionError."""
        asked = {link}
        for _ in range(MOST_REDIRECTS + 1):
            status, headers, content = self._answer(link)
            if status not in REDIRECTS:
                break
            link = self._redirected(link, headers.get("location", ""))
            if link in asked:
                raise UnreadPlaceError("failed")
            asked.add(link)
        if status != 200:
            raise UnreadPlaceError(REASONS.get(status, "failed"))
        try:
            return parse_json(content.decode("utf-8-sig"))
        except ValueError:  # HTML, or broken off
            raise UnreadPlaceError("failed") from None

    def _redirected(self, link: str, location: str) -> str:
        """Where a redirect leads within the service; elsewhere nothing is asked, since the account is of this one."""
        to = parse.urlsplit(parse.urljoin(f"{self._address.geturl()}{link}", location))
        if (to.scheme, to.netloc) != (self._address.scheme, self._address.netloc) or not path_of(to.path):
            raise UnreadPlaceError("failed")
        return to.path

    def _answer(self, link: str) -> Answer:
        """An answer: status, headers and content. Raises UnreadPlaceError and _ConnectionError."""
        for tried in range(1, TRIES + 1):
            try:
                status, headers, content = self.send("GET", link)
            except _ConnectionError as error:
                if tried == TRIES or not error.is_worth_it:
                    raise
                self._pause(str(2**tried))
                continue
            if status not in BUSY or tried == TRIES:
                return status, headers, content
            self._pause(headers.get("retry-after", str(2**tried)))
        raise UnreadPlaceError("failed")

    def _pause(self, seconds: str) -> None:
        wanted = (
            float(seconds) if seconds.isascii() and seconds.isdecimal() and len(seconds) < 4 else MOST_PAUSE
        )
        time.sleep(max(0.0, min(wanted, MOST_PAUSE, self._deadline - time.monotonic())))

    def end(self, session: str) -> None:
        """Close a session, also after the time for reading is over. Raises UnreadPlaceError and _ConnectionError."""
        self._deadline = time.monotonic() + MOST_PAUSE
        self.send("DELETE", session)

    def send(self, method: str, link: str, data: Any = None) -> Answer:
        """Send a request, and return the answer. Raises UnreadPlaceError and _ConnectionError."""
        import httpx

        end = min(self._deadline, time.monotonic() + MOST_SECONDS)
        if time.monotonic() >= self._deadline:
            raise UnreadPlaceError("timed out")
        content = bytearray()
        try:
            with self.client.stream(method, link, json=data) as response:
                for piece in response.iter_bytes():
                    content += piece
                    if len(content) > MOST_BYTES:
                        raise UnreadPlaceError(TOO_LARGE)
                    if time.monotonic() > end:
                        raise UnreadPlaceError("timed out")
                return response.status_code, response.headers, bytes(content)
        except httpx.HTTPError as error:
            raise _ConnectionError(error) from None


class _ConnectionError(Exception):
    """A request failed without an answer."""

    def __init__(self, cause: "httpx.HTTPError") -> None:
        import httpx

        super().__init__(" ".join(str(cause).split()) or type(cause).__name__)
        self.is_slow = isinstance(cause, httpx.TimeoutException)
        self.is_worth_it = isinstance(cause, httpx.RemoteProtocolError | httpx.ReadError | httpx.WriteError)


# ----------------------------------------------------------------------------------------- sessions


@contextmanager
def _session(service: _Conversation, root: Any, account: Account) -> Iterator[None]:
    """Be logged in: by a session, or by the password with each request where a service has no sessions."""
    import httpx

    links = root.get("Links")
    path = path_of(links.get("Sessions")) if isinstance(links, dict) else ""
    path = path or SESSIONS
    opened = ""
    try:
        given = {"UserName": account.user, "Password": account.password}
        status, headers, content = service.send("POST", path, given)
    except _ConnectionError as error:
        raise _unreachable(service.host, error) from None
    except UnreadPlaceError as error:
        raise _refused(service.host, f"it does not open a session: {error}") from None
    if status in (200, 201) and (token := headers.get("x-auth-token", "")):
        service.client.headers["X-Auth-Token"] = token
        opened = _opened(headers.get("location", ""), content, path)
    elif status in UNAUTHORIZED:
        raise _refused(service.host, f"it refuses the account `{account.user}`", "check user and password")
    else:
        service.client.auth = httpx.BasicAuth(account.user, account.password)
    try:
        yield
    finally:
        if opened:
            with suppress(UnreadPlaceError, _ConnectionError):
                service.end(opened)


def _opened(location: str, content: bytes, sessions: str) -> str:
    """The path of the session in the answer's header or its document; "" if neither has one."""
    path = path_of(parse.urlsplit(location).path)
    if not path:
        with suppress(ValueError):
            path = path_of(parse_json(content.decode()))
    return path if path.startswith(f"{sessions.rstrip('/')}/") else ""


# ----------------------------------------------------------------------------------------- errors


def _unreachable(host: str, error: _ConnectionError) -> SetpointError:
    why = str(error)
    if "CERTIFICATE_VERIFY_FAILED" in why:
        help_ = "name the authority of its certificate, or the certificate itself, with `--ca-file`"
        why = why.partition("failed: ")[2].partition(" (_ssl")[0] or why
        return _refused(host, f"its certificate is not trusted: {why}", help_)
    return _refused(host, "it does not answer in time" if error.is_slow else f"no connection: {why}")


def _refused(host: str, why: str, *help_: str) -> SetpointError:
    """The error about a controller that cannot be read (E0623)."""
    return SetpointError.of("E0623", f"cannot read the controller `{host}`: {why}", help=help_, subject=host)
