"""Host and controller of one server are joined by its UUID, in whichever order of bytes each of them prints it."""

from __future__ import annotations

import pytest

from setpoint.compiler.captures.join import joined
from setpoint.compiler.captures.model import Capture, Controller, Reading, Readings
from setpoint.compiler.diagnostics import SetpointError

ONE = "005cb4e7-0989-eb11-8000-3cecef7e6a3c"
SWAPPED = "e7b45c00-8909-11eb-8000-3cecef7e6a3c"
"""One UUID as a board showed it over Redfish, and as its DMI data have it (metal-stack/go-hal, issue 57)."""

UNSET = "03000200-0400-0500-0006-000700080009"


def host(name: str, uuid: str, place: str = "/sys/class/dmi/id/product_uuid") -> Capture:
    """A host, with its UUID in a file or in what dmidecode prints."""
    text = f"{uuid}\n" if place.startswith("/") else f"Handle 0x1\nSystem Information\n\tUUID: {uuid}\n"
    return Capture(name, Readings({place: (Reading(text),)}, {}), None)


def controller(name: str, *uuids: str) -> Capture:
    """A controller with a server for each UUID."""
    systems = {
        f"/redfish/v1/Systems/{n}": {"UUID": uuid, "Bios": {"@odata.id": f"/redfish/v1/Systems/{n}/Bios"}}
        for n, uuid in enumerate(uuids)
    }
    read = {
        "/redfish/v1": {"Systems": {"@odata.id": "/redfish/v1/Systems"}},
        "/redfish/v1/Systems": {"Members": [{"@odata.id": path} for path in systems]},
        **{path: {"@odata.id": path, **system} for path, system in systems.items()},
        **{f"{path}/Bios": {"Attributes": {"Server": path[-1]}} for path in systems},
    }  # fmt: skip
    return Capture(name, None, Controller(read, {}))


def sides(captures: list[Capture]) -> dict[str, str]:
    """Which sides each capture has."""
    return {each.name: "host" * bool(each.host) + "+bmc" * bool(each.controller) for each in joined(captures)}


@pytest.mark.parametrize("uuid", [ONE, ONE.upper(), SWAPPED])
@pytest.mark.parametrize("place", ["/sys/class/dmi/id/product_uuid", "run dmidecode"])
def test_one_server(uuid: str, place: str) -> None:
    """Whichever comes first, and whatever the case of the letters."""
    both = [host("web1", ONE, place), controller("bmc1", uuid)]
    assert sides(both) == {"web1": "host+bmc"}
    assert sides(both[::-1]) == {"web1": "host+bmc"}


@pytest.mark.parametrize(
    "uuid", ["", "not settable", UNSET, "0" * 8 + "-0000-0000-0000-" + "0" * 12, ONE[:-1] + "d"]
)
def test_two_servers(uuid: str) -> None:
    """What is no UUID, or what boards share that were never given one, joins nothing."""
    assert sides([host("web1", uuid), controller("bmc1", uuid if uuid[:2] != ONE[:2] else ONE)]) == {
        "web1": "host",
        "bmc1": "+bmc",
    }


def test_what_is_joined_already() -> None:
    whole = Capture("web1", *host("", ONE)[1:2], controller("", ONE).controller)
    assert sides([whole]) == {"web1": "host+bmc"}


def test_hosts_that_share_a_uuid_without_a_controller() -> None:
    """Nothing has to be joined."""
    assert sides([host("web1", ONE), host("web2", SWAPPED)]) == {"web1": "host", "web2": "host"}


@pytest.mark.parametrize(
    ("captures", "message"),
    [
        ([host("web1", ONE), host("web2", SWAPPED), controller("bmc1", ONE)], "2 hosts have the UUID"),
        (
            [host("web1", ONE), controller("bmc1", ONE), controller("bmc2", ONE)],
            "2 controllers have the UUID",
        ),
    ],
)
def test_what_cannot_be_joined(captures: list[Capture], message: str) -> None:
    with pytest.raises(SetpointError, match=message):
        sides(captures)
    errors: list[str] = []
    found = [*joined(captures, lambda name, error: errors.append(name))]
    assert set(errors) <= {"web1", "web2"} and errors
    assert not any(each.host and each.controller for each in found)


def test_one_controller_of_two_servers() -> None:
    """Each host gets the part of its own server."""
    captures = [
        host("web1", "11111111-2222-3333-4444-555555555555"),
        host("web2", ONE),
        controller("bmc", ONE, "11111111-2222-3333-4444-555555555555"),
    ]
    found = {each.name: each.controller for each in joined(captures)}
    for name, member in (("web1", "/redfish/v1/Systems/1"), ("web2", "/redfish/v1/Systems/0")):
        mine = found[name]
        assert mine and mine.read["/redfish/v1/Systems"]["Members"] == [{"@odata.id": member}]
