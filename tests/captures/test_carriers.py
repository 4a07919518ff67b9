"""What carries captures: documents, archives of support data and the same unpacked, trees of answers, outputs of
programs, folders of all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from captures.archive import GOLD, SOS, SOS_LINKS, SUPPORTCONFIG, pack, unpack
from setpoint.compiler.captures.carriers import capture_from, captures_in
from setpoint.compiler.captures.model import Capture, Reading
from setpoint.compiler.diagnostics import SetpointError

PLACES = (
    "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
    "/sys/devices/system/cpu/cpu*/cpuidle/state*/disable",
    "/sys/devices/system/cpu/vulnerabilities/*",
    "/sys/block/*/queue/scheduler",
    "/proc/sys/kernel/numa_balancing",
    "/proc/sys/net/ipv4/conf/*/rp_filter",
    "/proc/sys/vm/swappiness",
    "run systemctl show -p ActiveState irqbalance.service",
    "run dmidecode -t 17",
    "list /sys/devices/system/cpu/cpuidle",
    "msr 0x1a4",
)
"""What is wanted of reports, besides who the server is."""


def read(path: str) -> dict[str, tuple[Reading, ...]]:
    """What was read on the host."""
    host = capture_from(path, places=PLACES).host
    assert host
    return host.read


SOS_READ = {
    "/etc/os-release": (Reading('ID="rhel"\nVERSION_ID="9.4"'),),  # through a link
    "/proc/cmdline": (Reading("BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet"),),
    "/sys/class/dmi/id/product_name": (Reading("PowerEdge R740"),),  # through a link of a folder
    "run lscpu": (Reading(SOS["sos_commands/processor/lscpu"].strip()),),
    # cpu0 to cpu2 are links to policies, so that one place has two texts
    "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor": (
        Reading("performance", "0-1"),
        Reading("powersave", "2"),
    ),
    # one star is kept, that of the CPU
    "/sys/devices/system/cpu/cpu*/cpuidle/state1/disable": (Reading("0", "0-1"),),
    "/sys/block/*/queue/scheduler": (Reading("[mq-deadline] none", "sda"),),
    # sos does not copy /proc/sys: `sysctl -a` has it
    "/proc/sys/kernel/numa_balancing": (Reading("1"),),
    "run systemctl show -p ActiveState irqbalance.service": (Reading("ActiveState=active"),),
    "list /sys/devices/system/cpu/cpuidle": (Reading("current_driver"),),
}


@pytest.mark.parametrize("ending", ["tar", "tar.gz", "tgz", "tar.xz", "txz", "tar.bz2", "tbz"])
def test_a_report_of_sos(tmp_path: Path, ending: str) -> None:
    """Whatever packs it. Its logs are not read, and what it lacks is not called absent."""
    path = pack(tmp_path / f"sosreport.{ending}", SOS, SOS_LINKS)
    found = capture_from(path, places=PLACES)
    assert found.host and found.host.read == SOS_READ
    assert not found.host.unread
    assert found.name == "web1.example.org"


def test_a_report_of_sos_that_was_unpacked(tmp_path: Path) -> None:
    assert read(unpack(tmp_path / "report", SOS, SOS_LINKS)) == SOS_READ


@pytest.mark.parametrize("is_packed", [True, False])
def test_a_report_of_supportconfig(tmp_path: Path, is_packed: bool) -> None:
    """Programs are called without their paths; what was not there is not read."""
    path = (
        pack(tmp_path / "scc_db1_241129_1200.txz", SUPPORTCONFIG, top="scc_db1_241129_1200/")
        if is_packed
        else unpack(tmp_path / "scc", SUPPORTCONFIG)
    )
    assert read(path) == {
        "/etc/os-release": (Reading('ID="sles"\nVERSION_ID="15.6"'),),
        "/proc/cmdline": (Reading("BOOT_IMAGE=/boot/vmlinuz root=UUID=1 quiet"),),
        "run lscpu": (Reading(f"Architecture:  x86_64\nModel name:  {GOLD}\nSocket(s):  2"),),
        "run uname -r": (Reading("6.4.0-150600.23-default"),),
        "run uname -a": (Reading("Linux db1 6.4.0-150600.23-default #1 SMP x86_64 GNU/Linux"),),
        "/proc/sys/kernel/numa_balancing": (Reading("0"),),
        "/proc/sys/vm/swappiness": (Reading("10"),),
        "/sys/devices/system/cpu/vulnerabilities/*": (
            Reading("Mitigation: Clear CPU buffers; SMT vulnerable", "mds"),
            Reading("Not affected", "meltdown"),
        ),
    }
    assert capture_from(path).name == "db1"


DMIDECODE = """\
# dmidecode 3.4
SMBIOS 3.2.0 present.

Handle 0x0100, DMI type 1, 27 bytes
System Information
\tProduct Name: PowerEdge R740

Handle 0x1100, DMI type 17, 84 bytes
Memory Device
\tConfigured Memory Speed: 2666 MT/s

Handle 0x1101, DMI type 17, 84 bytes
Memory Device
\tConfigured Memory Speed: 2400 MT/s

"""


def test_one_kind_of_structures_of_dmidecode(tmp_path: Path) -> None:
    """Reports have all kinds together."""
    path = pack(tmp_path / "report.tar.xz", SOS | {"sos_commands/hardware/dmidecode": DMIDECODE})
    (found,) = read(path)["run dmidecode -t 17"]
    assert found.text.count("Memory Device") == 2
    assert "PowerEdge" not in found.text


SERVICES = """\
Type=dbus
Id=irqbalance.service
LoadState=loaded
ActiveState=active

Type=simple
Id=tuned.service
LoadState=loaded
ActiveState=inactive
UnitFileState=disabled
"""


def test_one_of_all_services(tmp_path: Path) -> None:
    """sos has all properties of all services in one file."""
    path = pack(
        tmp_path / "report.tar.xz", SOS | {"sos_commands/systemd/systemctl_show_service_--all": SERVICES}
    )
    place = "run systemctl show -p LoadState -p ActiveState -p UnitFileState {}.service"
    host = capture_from(path, places=[place.format(name) for name in ("tuned", "other")]).host
    assert (
        host
        and host.text(place.format("tuned"))
        == "LoadState=loaded\nActiveState=inactive\nUnitFileState=disabled"
    )
    assert place.format("other") not in host.read


def test_processors_that_are_alike(tmp_path: Path) -> None:
    """As the collector has them, one of each socket is enough; the release of the kernel is among all that uname
    prints."""
    cpus = [f"processor : {n}\nmodel name: x\nphysical id: {n % 2}\ncpu MHz: {n}" for n in range(6)]
    uname = "Linux web1 5.14.0-503.el9.x86_64 #1 SMP x86_64 GNU/Linux\n"
    files = SOS | {"proc/cpuinfo": "\n\n".join(cpus) + "\n\n", "sos_commands/kernel/uname_-a": uname}
    host = capture_from(pack(tmp_path / "report.tar.xz", files)).host
    assert host and host.text("/proc/cpuinfo") == f"{cpus[0]}\n\n{cpus[1]}"
    assert host.text("run uname -r") == "5.14.0-503.el9.x86_64"


def test_a_folder_with_outputs_of_programs(tmp_path: Path) -> None:
    """Recognised by content; of `sysctl -a`, what is wanted."""
    texts = {
        "a": "ID=debian\nVERSION_ID='12'\n",
        "b": DMIDECODE,
        "c": "BOOT_IMAGE=/vmlinuz ro isolcpus=2-31\n",
        "d": "kernel.numa_balancing = 0\nkernel.ostype = Linux\n",
        "e": "processor\t: 0\nmodel name\t: x\n",
        "f": "Linux web1 6.1.0 #1 SMP x86_64 GNU/Linux\n",
        "notes.txt": "nothing\n",
        "picture.png": "\0\1\2",
    }
    found = capture_from(unpack(tmp_path / "web1", texts), places=PLACES)
    assert found.name == "web1"
    assert found.host and [*found.host.read] == [
        "/proc/sys/kernel/numa_balancing",
        "/etc/os-release",
        "run dmidecode",
        "/proc/cmdline",
        "/proc/cpuinfo",
        "run uname -a",
    ]


ROOT = {
    "@odata.id": "/redfish/v1/",
    "Systems": {"@odata.id": "/redfish/v1/Systems"},
    "Registries": {"@odata.id": "/redfish/v1/Registries"},
}
TREE = {
    "": ROOT,
    "/Systems": {"Members": [{"@odata.id": "/redfish/v1/Systems/1"}]},
    "/Systems/1": {"UUID": "38947555-7742-3448-3784-823347823834", "Bios": {"@odata.id": "/redfish/v1/systems/1/bios"}},
    "/systems/1/bios": {
        "AttributeRegistry": "BiosAttributeRegistryU46.v1_2_0",
        "Attributes": {"SubNumaClustering": "Enabled"},
        "@Redfish.Settings": {"SettingsObject": {"@odata.id": "/redfish/v1/systems/1/bios/settings/"}},
    },
    "/systems/1/bios/settings": {"Attributes": {"SubNumaClustering": "Disabled"}},
    "/Registries": {"Members": [{"@odata.id": "/redfish/v1/Registries/Base.1.0"}, {"@odata.id": "/redfish/v1/Registries/BiosAttributeRegistryU46.v1_1_0"}]},
    "/Registries/BiosAttributeRegistryU46.v1_1_0": {
        "Location": [{"Language": "ja", "Uri": "/redfish/v1/r/ja"}, {"Language": "en", "Uri": "/redfish/v1/r/en"}]
    },
    "/r/en": {"RegistryEntries": {"Attributes": [{"AttributeName": "SubNumaClustering", "HelpText": "long"}]}},
}  # fmt: skip
"""A service whose links have another case, a slash at the end, and a registry of another version than the Bios resource
names."""


def mockup(is_short: bool = False) -> dict[str, str]:
    """The files of a tree of answers."""
    top = "" if is_short else "redfish/v1"
    return {f"{top}{path}/index.json".lstrip("/"): json.dumps(data) for path, data in TREE.items()}


def check_controller(capture: Capture) -> None:
    """Check that all of TREE was read, without the texts that explain attributes."""
    read = capture.controller.read if capture.controller else {}
    assert {path.removeprefix("/redfish/v1") for path in read} == {*TREE}
    assert read["/redfish/v1/r/en"]["RegistryEntries"]["Attributes"] == [
        {"AttributeName": "SubNumaClustering"}
    ]


@pytest.mark.parametrize("is_short", [False, True])
def test_a_tree_of_answers(tmp_path: Path, is_short: bool) -> None:
    check_controller(capture_from(unpack(tmp_path / "bmc1", mockup(is_short))))
    check_controller(capture_from(pack(tmp_path / "bmc1.tgz", mockup(is_short), top="bmc1/")))
    check_controller(capture_from(pack(tmp_path / "bmc1.tar", mockup(is_short), top="")))


def test_an_answer_with_a_status(tmp_path: Path) -> None:
    """libredfish keeps answers that refuse something as `custom.json`."""
    files = mockup()
    del files["redfish/v1/Systems/index.json"]
    files["redfish/v1/Systems/custom.json"] = json.dumps({"status": 403, "body": "<html>"})
    found = capture_from(unpack(tmp_path / "bmc1", files)).controller
    assert found and found.unread == {"/redfish/v1/Systems": "no permission"}


def test_a_folder_of_servers(tmp_path: Path) -> None:
    """Each entry is a server, in the order of their names; other files are passed over, and errors do not end the
    rest."""
    unpack(tmp_path / "all/web2", {"os-release": "ID=debian\n"})
    pack(tmp_path / "all/web1.tar.gz", SOS, SOS_LINKS)
    (tmp_path / "all/list.txt").write_text("web1 web2", encoding="utf-8")
    (tmp_path / "all/web3.json").write_text('{"a": ', encoding="utf-8")
    (tmp_path / "all/web4.json").write_text(
        json.dumps({"schema": "setpoint.capture/1", "host": {"read": {}}}), encoding="utf-8"
    )
    errors: list[str] = []
    found = [
        *captures_in([str(tmp_path / "all")], on_error=lambda name, error: errors.append(f"{name}: {error}"))
    ]
    assert [each.name for each in found] == ["web1.example.org", "web2", "web4"]
    (error,) = errors
    assert error.startswith("web3: no capture in ") and "is not JSON" in error


def test_a_folder_with_two_captures_of_one_server(tmp_path: Path) -> None:
    """Host and controller in one folder are one server, whether or not their UUIDs were read."""
    host = {"schema": "setpoint.capture/1", "host": {"read": {"/proc/cmdline": "ro"}}}
    controller = {"schema": "setpoint.capture/1", "controller": {"read": {"/redfish/v1": ROOT}}}
    unpack(tmp_path / "all/web1", {"bmc.json": json.dumps(controller), "host.json": json.dumps(host)})
    (found,) = captures_in([str(tmp_path / "all")])
    assert found.name == "web1" and found.host and found.controller


def test_captures_are_read_when_their_turn_comes(tmp_path: Path) -> None:
    unpack(
        tmp_path / "all",
        {"a.json": json.dumps({"schema": "setpoint.capture/1", "host": {"read": {}}}), "b.json": "{"},
    )
    found = captures_in([str(tmp_path / "all")])
    assert next(found).name == "a"
    with pytest.raises(SetpointError, match="not JSON"):
        next(found)


def test_a_folder_without_a_capture(tmp_path: Path) -> None:
    with pytest.raises(SetpointError, match="none of its files is a capture"):
        next(captures_in([unpack(tmp_path / "notes", {"a.txt": "hello\n"})]))
