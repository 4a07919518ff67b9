"""A controller is read over Redfish: what it shows, and whatever else a service can do, or somebody who pretends to be
one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from captures.test_carriers import ROOT, TREE
from consumers.ansible_run import programs
from consumers.redfish_clients import Account, sushy_reads
from consumers.redfish_service import PASSWORD, USER, service
from consumers.redfish_stand_in import SESSIONS, Fault, StandIn, stand_in
from setpoint.compiler.captures import redfish
from setpoint.compiler.captures.redfish import read_controller
from setpoint.compiler.captures.resources import managed_servers
from setpoint.compiler.diagnostics import SetpointError

SYSTEMS, SYSTEM = "/redfish/v1/Systems", "/redfish/v1/Systems/1"
BIOS, STAGED = "/redfish/v1/systems/1/bios", "/redfish/v1/systems/1/bios/settings"


@pytest.fixture(autouse=True)
def account(monkeypatch: pytest.MonkeyPatch) -> None:
    """The account is in the environment, and nobody waits."""
    monkeypatch.setenv(redfish.USER, USER)
    monkeypatch.setenv(redfish.PASSWORD, PASSWORD)
    monkeypatch.setattr(redfish, "MOST_PAUSE", 0.01)


@pytest.fixture(scope="module")
def trusted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the certificate of the services: making one takes a second."""
    return tmp_path_factory.mktemp("trusted")


@pytest.fixture
def bmc(trusted: Path) -> Iterator[StandIn]:
    with stand_in(trusted, {f"/redfish/v1{path}": data for path, data in TREE.items()}) as running:
        yield running
        assert running.sessions == []  # whatever went wrong


def read(bmc: StandIn) -> dict[str, str]:
    """Read the controller; what was not read, by path and reason."""
    found = read_controller(f"https://{bmc.address}", str(bmc.ca))
    return found.unread


def test_what_a_controller_shows(bmc: StandIn) -> None:
    """Links are followed as they are: another case, a slash at the end, a registry of another version."""
    found = read_controller(f"https://{bmc.address}", str(bmc.ca))
    assert {path.removeprefix("/redfish/v1") for path in found.read} == {*TREE} and not found.unread
    (server,) = managed_servers(found)
    assert server.bios["Attributes"] == {"SubNumaClustering": "Enabled"}
    assert server.settings["Attributes"] == {"SubNumaClustering": "Disabled"}
    assert server.registry["RegistryEntries"]["Attributes"] == [{"AttributeName": "SubNumaClustering"}]


def test_jobs(bmc: StandIn) -> None:
    """Of the job service, of tasks, and where the settings link to; a job that is in two collections is one."""
    collections = {"/redfish/v1/Jobs": ["JID_1", "JID_2"], "/redfish/v1/Managers/1/Jobs": ["JID_2", "JID_3"]}
    for collection, names in collections.items():
        paths = [f"{collection}/{name}" for name in names]
        bmc.documents[collection] = {"Members": [{"@odata.id": path} for path in paths]}
        bmc.documents |= {path: {"@odata.id": path, "Id": path.rpartition("/")[2]} for path in paths}
    bmc.documents["/redfish/v1/JobService"] = {"Jobs": {"@odata.id": "/redfish/v1/Jobs"}}
    bmc.documents["/redfish/v1"] = bmc.documents["/redfish/v1"] | {
        "JobService": {"@odata.id": "/redfish/v1/JobService"}
    }
    bmc.documents[STAGED] = bmc.documents[STAGED] | {
        "Oem": {"Maker": {"Jobs": {"@odata.id": "/redfish/v1/Managers/1/Jobs"}}}
    }
    (server,) = managed_servers(read_controller(f"https://{bmc.address}", str(bmc.ca)))
    assert [job["Id"] for job in server.jobs] == ["JID_1", "JID_2", "JID_3"]


def test_only_a_session_is_written(bmc: StandIn) -> None:
    """The password is sent once, in the request that opens the session; the root is read before anything is sent."""
    read(bmc)
    assert [(method, path) for method, path, _ in bmc.requests if method != "GET"] == [
        ("POST", SESSIONS),
        ("DELETE", bmc.requests[-1][1]),
    ]
    assert bmc.requests[0] == ("GET", "/redfish/v1/", "")
    assert not any("Basic" in secret for _, _, secret in bmc.requests)


def test_a_service_without_sessions(trusted: Path) -> None:
    with stand_in(
        trusted, {f"/redfish/v1{path}": data for path, data in TREE.items()}, has_sessions=False
    ) as bmc:
        assert read(bmc) == {}


HTML = b"<html><title>Log in</title></html>"
LOOP = {"Location": f"{STAGED}/"}


@pytest.mark.parametrize(
    ("faults", "reason"),
    [
        ([Fault(401)], "no permission"),
        ([Fault(403, body=HTML)], "no permission"),
        ([Fault(404)], "absent"),
        ([Fault(500)], "failed"),
        ([Fault(body=HTML)], "failed"),
        ([Fault(body=b"[1]")], "failed"),
        ([Fault(body=b'{"a": ' * 300)], "failed"),
        ([Fault(body=json.dumps(ROOT).encode(), cut=True)] * 3, "failed"),
        ([Fault(hang_up=True)] * 3, "failed"),
        ([Fault(503)] * 3, "failed"),
        ([Fault(307, {"Location": "https://127.0.0.2/redfish/v1/x"})], "failed"),  # another host
        ([Fault(302, {"Location": "http://example.org/"})], "failed"),
        ([Fault(308, LOOP)] * 9, "failed"),  # in a circle
        ([Fault(301)], "failed"),  # to nowhere
    ],
    ids=lambda value: (
        "" if isinstance(value, str) else f"{value[0].status}-{len(value)}-{value[0].body[:6]!r}"
    ),
)
def test_what_is_not_read_has_a_reason(bmc: StandIn, faults: list[Fault], reason: str) -> None:
    """Everything else is read."""
    bmc.faults[STAGED] = [*faults]
    assert read(bmc) == {STAGED: reason}


@pytest.mark.parametrize(
    "faults",
    [
        [Fault(503, {"Retry-After": "1"}), Fault(503)],  # busy twice
        [Fault(503, {"Retry-After": "never"})],
        [Fault(hang_up=True), Fault(503)],  # a kept connection that was closed
        [Fault(body=b'{"a": 1}', cut=True)],
    ],
    ids=lambda faults: f"{len(faults)}-{faults[0].status}",
)
def test_what_is_read_in_the_end(bmc: StandIn, faults: list[Fault]) -> None:
    bmc.faults[STAGED] = [*faults]
    assert read(bmc) == {}


def test_a_redirect_to_a_slash(bmc: StandIn) -> None:
    """Some services want one at the end of each path."""
    bmc.faults[BIOS] = [Fault(308, {"Location": f"{BIOS}/"})]
    assert read(bmc) == {}
    assert ("GET", f"{BIOS}/") in [(method, path) for method, path, _ in bmc.requests]


def test_a_redirect_to_another_host_gets_no_account(trusted: Path, bmc: StandIn) -> None:
    """Nor does it get anything else."""
    with stand_in(trusted, {}) as other:
        bmc.faults[STAGED] = [Fault(307, {"Location": f"https://{other.address}{STAGED}"})]
        read(bmc)
        assert other.requests == []


def test_a_slow_answer(bmc: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that never ends, byte by byte, is given up after its time."""
    monkeypatch.setattr(redfish, "MOST_SECONDS", 0.5)
    bmc.faults[STAGED] = [Fault(body=b" " * 1000, slow=0.05)]
    assert read(bmc) == {STAGED: "timed out"}


def test_too_large_an_answer(bmc: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redfish, "MOST_BYTES", 1 << 16)
    bmc.faults[STAGED] = [Fault(body=b" " * (1 << 20))]
    assert read(bmc) == {STAGED: "too large"}


def test_the_whole_reading_ends(bmc: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the time does not suffice for is not asked."""
    monkeypatch.setattr(redfish, "MOST_SECONDS_IN_ALL", 0.8)
    bmc.faults[BIOS] = [Fault(body=b" " * 1000, slow=0.05)]
    assert read(bmc)[BIOS] == "timed out"


def test_thousands_of_members(bmc: StandIn) -> None:
    """As many are read as any service has; the rest is named. Pages that lead to each other end."""
    root = bmc.documents["/redfish/v1"]
    jobs = {
        "Members": [{"@odata.id": f"/redfish/v1/Jobs/{n}"} for n in range(3_000)],
        "Members@odata.nextLink": "/redfish/v1/Jobs?page=1",
    }
    bmc.documents["/redfish/v1"] = root | {"JobService": {"@odata.id": "/redfish/v1/JobService"}}
    bmc.documents["/redfish/v1/JobService"] = {"Jobs": {"@odata.id": "/redfish/v1/Jobs"}}
    bmc.documents["/redfish/v1/Jobs"] = jobs
    unread = read(bmc)
    assert unread["/redfish/v1/Jobs?$skip=500"] == "too large"
    assert len(bmc.requests) < 600
    jobs["Members"] = []
    bmc.documents["/redfish/v1/Jobs?page=1"] = {"Members@odata.nextLink": "/redfish/v1/Jobs"}
    assert read(bmc) == {}


@pytest.mark.parametrize(
    "link",
    [
        "https://example.org/redfish/v1/x",
        "//example.org/x",
        "/redfish/../etc",
        "/a b",
        "",
        1,
        None,
        [],
        "/x" * 999,
    ],
)
def test_a_link_that_leads_out_of_the_service(bmc: StandIn, link: object) -> None:
    """It is not followed."""
    bmc.documents[SYSTEM] = bmc.documents[SYSTEM] | {"Bios": {"@odata.id": link}}
    assert read(bmc) == {}


# ----------------------------------------------------------------------------------------- the whole service


def refusal(url: str, ca: Path | str = "") -> str:
    """Why a service is not read."""
    with pytest.raises(SetpointError) as caught:
        read_controller(url, str(ca))
    (found,) = caught.value.diagnostics
    assert found.code == "E0623"
    assert PASSWORD not in str((found.message, found.notes, found.help))
    return found.message.partition("`: ")[2]


def test_a_certificate_that_is_not_trusted(bmc: StandIn) -> None:
    """No request is sent, and the help says how to trust it."""
    assert refusal(f"https://{bmc.address}") == "its certificate is not trusted: self-signed certificate"
    assert refusal(f"https://localhost:{bmc.port}", bmc.ca).startswith(
        "its certificate is not trusted: Hostname mismatch"
    )
    assert bmc.requests == []


def test_an_account_that_is_refused(bmc: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(redfish.PASSWORD, "wrong")
    assert refusal(f"https://{bmc.address}", bmc.ca) == f"it refuses the account `{USER}`"
    # without sessions, each request is refused
    bmc.has_sessions = False
    assert (
        refusal(f"https://{bmc.address}", bmc.ca)
        == f"it shows nothing to the account `{USER}`: no permission"
    )


@pytest.mark.parametrize(
    ("root", "why"),
    [
        (Fault(body=HTML), "/redfish/v1/ cannot be read: failed"),
        (Fault(404), "/redfish/v1/ cannot be read: absent"),
        (Fault(body=b'{"name": "printer"}'), "/redfish/v1/ is not the root of a Redfish service"),
    ],
)
def test_no_redfish_service(bmc: StandIn, root: Fault, why: str) -> None:
    bmc.faults["/redfish/v1"] = [root]
    assert refusal(f"https://{bmc.address}", bmc.ca) == why
    assert [method for method, _, _ in bmc.requests] == ["GET"]  # and no password


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://bmc.example.org", "over plain http, anybody on the way could read the password"),
        ("https://root:calvin@bmc.example.org", "an address must not have a password"),
        ("ftp://bmc.example.org", "it is no address such as https://bmc.example.org"),
        ("https://bmc:99999", "it is no address: Port out of range 0-65535"),
        ("", "it is no address such as https://bmc.example.org"),
    ],
)
def test_no_address(url: str, why: str) -> None:
    assert refusal(url) == why


def test_nobody_there() -> None:
    assert refusal("https://127.0.0.1:1") == "no connection: [Errno 111] Connection refused"


def test_a_file_without_certificates(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("none", encoding="ascii")
    assert refusal("https://127.0.0.1:1", tmp_path / "ca.pem").startswith("it has no certificates")
    assert refusal("https://127.0.0.1:1", tmp_path / "missing.pem").startswith("it has no certificates")


def test_an_account_in_netrc(bmc: StandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(redfish.PASSWORD)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", open(os.devnull, encoding="ascii"))  # noqa: SIM115
    assert refusal(f"https://{bmc.address}", bmc.ca) == "no account is known"
    quoted = PASSWORD.replace("\\", "\\\\")
    (tmp_path / ".netrc").write_text(
        f'machine 127.0.0.1 login {USER} password "{quoted}"\n', encoding="utf-8"
    )
    (tmp_path / ".netrc").chmod(0o600)
    assert read(bmc) == {}


# ----------------------------------------------------------------------------------------- others' programs


def test_sushy_sees_the_same(tmp_path: Path) -> None:
    """OpenStack's emulator with the BIOS of a captured server, and OpenStack's client."""
    programs()
    with service(tmp_path, "dell-15g-R750") as bmc:
        (server,) = managed_servers(read_controller(f"https://{bmc.address}", str(bmc.ca)))
        seen = sushy_reads(Account(bmc.address, bmc.ca, USER, PASSWORD), tmp_path)
        assert bmc.state()["requests"][:2] == [f"POST {SESSIONS} 201", f"DELETE {SESSIONS}/1 200"]
    assert server.bios["Attributes"] == seen["current"]
    assert server.settings["Attributes"] == seen["pending"]
    assert len(server.registry["RegistryEntries"]["Attributes"]) > 600
