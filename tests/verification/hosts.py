"""Captures of real hosts, made of the facts in `hosts.json` (`take_hosts` says where these are from), and changes of
them."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from setpoint.compiler.captures.model import Capture, Controller, Reading, Readings

FACTS = Path(__file__).with_name("hosts.json")

RELEASE = 'ID=debian\nVERSION_ID="13"\n'
"""The hosts ran kernels of their own; the newest system of the library is the nearest to these."""


@cache
def facts() -> dict[str, Any]:
    """The facts of all hosts, by name."""
    data: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
    return data


def captured(name: str) -> Capture:
    """The capture of a host."""
    host = facts()[name]
    read = {place: readings(found) for place, found in host["read"].items()}
    read |= {
        "/proc/cmdline": readings(f"ro {host['cmdline']}"),
        "/proc/cpuinfo": readings(_info(host["cpuinfo"])),
        "run uname -r": readings(host["kernel"]),
        "/etc/os-release": readings(RELEASE),
    }
    if int(host["cpuinfo"]["siblings"]) > int(host["cpuinfo"]["cpu cores"]):
        read["/sys/devices/system/cpu/smt/control"] = readings("on")
    return Capture(name, Readings(read, {}), None)


def readings(found: str | Mapping[str, str]) -> tuple[Reading, ...]:
    """Readings as a capture's JSON has them."""
    if isinstance(found, str):
        return (Reading(found),)
    return tuple(Reading(text, where) for text, where in found.items())


def with_places(capture: Capture, places: Mapping[str, str | Mapping[str, str]]) -> Capture:
    """The capture with other readings at some places."""
    assert capture.host is not None
    read = {**capture.host.read, **{place: readings(found) for place, found in places.items()}}
    return capture._replace(host=capture.host._replace(read=read))


def with_unread(capture: Capture, unread: dict[str, str]) -> Capture:
    """The capture without some places, each with the reason."""
    assert capture.host is not None
    read = {place: found for place, found in capture.host.read.items() if place not in unread}
    return capture._replace(host=Readings(read, {**capture.host.unread, **unread}))


def with_controller(
    capture: Capture, current: dict[str, Any], staged: dict[str, Any] | None = None
) -> Capture:
    """The capture with the answers of a controller: attributes, and those that are staged."""
    bios, settings = "/redfish/v1/Systems/1/Bios", "/redfish/v1/Systems/1/Bios/Settings"
    read: dict[str, Any] = {
        bios: {
            "@odata.id": bios,
            "@odata.type": "#Bios.v1_2_0.Bios",
            "Attributes": current,
            "@Redfish.Settings": {"SettingsObject": {"@odata.id": settings}},
        },
        settings: {"@odata.id": settings, "@odata.type": "#Bios.v1_2_0.Bios", "Attributes": staged or {}},
    }
    read["/redfish/v1"] = {"@odata.id": "/redfish/v1", "Systems": {"@odata.id": "/redfish/v1/Systems"}}
    read["/redfish/v1/Systems"] = {
        "@odata.id": "/redfish/v1/Systems",
        "Members": [{"@odata.id": "/redfish/v1/Systems/1"}],
    }
    read["/redfish/v1/Systems/1"] = {"@odata.id": "/redfish/v1/Systems/1", "Bios": {"@odata.id": bios}}
    return capture._replace(controller=Controller(read, {}))


def _info(fields: dict[str, str]) -> str:
    """The text of /proc/cpuinfo: a processor of each package."""
    kept = {key: value for key, value in fields.items() if key != "packages"}
    blocks = []
    for package in range(int(fields["packages"])):
        lines = {"processor": str(package), **kept, "physical id": str(package)}
        blocks.append("".join(f"{key}\t: {value}\n" for key, value in lines.items()))
    return "\n".join(blocks)
