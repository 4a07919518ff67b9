"""What a capture says of servers, people and networks is replaced; what it says of settings stays."""

import json
from typing import Any

import pytest

from setpoint.compiler.captures.document import capture_of, to_json
from setpoint.compiler.captures.form import SCHEMA
from setpoint.compiler.captures.redaction import Redactor

HOST_UUID, SWAPPED_UUID = "4c4c4544-0034-3210-8056-b7c04f4d3532", "44454c4c-3400-1032-8056-b7c04f4d3532"
"""A UUID, and the same with the bytes of its first three parts in the other order, as some firmware shows it."""

SECRETS = {
    "serial number": "7ZK4QX2",
    "number of a module": "802C0F3A1B",
    "UUID": HOST_UUID,
    "UUID of a disk": "9f1c2b3a-8d7e-4f60-9a1b-2c3d4e5f6a7b",
    "short UUID of a disk": "1A2B-3C4D",
    "machine id": "0123456789abcdef0123456789abcdee",
    "MAC address": "3c:ec:ef:12:34:56",
    "name with a MAC address": "3cecef123457",
    "InfiniBand GUID": "80:00:02:08:fe:80:00:00:00:00:00:00:b8:59:9f:03:00:d1:aa:bb",
    "IPv4 address": "10.20.30.41",
    "IPv6 address": "2a02:8071:1:2::17",
    "name of the host": "hpc-node17",
    "domain": "lab.umbrella-corp.com",
    "name in a boot line": "boothost9",
    "asset tag": "FIN-00815",
    "password in a boot line": "hunter2pass",
    "password in an address": "s3cretURL",
    "token": "ghp_0123456789abcdefghijABCDEFGHIJ456789",
    "key": "AAAAB3NzaC1yc2EAAAADAQ",
    "hash of a password": "grub.pbkdf2.sha512.10000.ABCDEF0123",
    "hash in the form of crypt": "$6$salt$kK8v",
    "user": "jdoe42",
    "user in a path": "mmustermann",
    "e-mail address": "ops.team@umbrella-corp.com",
    "WWN": "0x5000c500a1b2c3d4",
    "disk": "ata-Samsung_SSD_870_S5Y2NX0R123456",
    "iSCSI name": "iqn.2004-10.com.ubuntu:01:8d5a3f8e4c2b",
    "private key": "MIIEvQIBADANBgkqhkiG9w0",
    "contact": "Erika Musterfrau",
}  # fmt: skip

CMDLINE = (
    "BOOT_IMAGE=/vmlinuz-5.14.0-503.el9.x86_64 root=UUID=9f1c2b3a-8d7e-4f60-9a1b-2c3d4e5f6a7b ro quiet "
    "resume=UUID=1A2B-3C4D systemd.machine_id=0123456789abcdef0123456789abcdee BOOTIF=01-3c-ec-ef-12-34-56 "
    "ifname=enx3cecef123457:3c:ec:ef:12:34:56 ip=10.20.30.41::10.20.30.1:255.255.255.0:boothost9:eth0:none "
    "ip=[2a02:8071:1:2::17]:::64::eth0:none rd.luks.key=AAAAB3NzaC1yc2EAAAADAQ app.password=hunter2pass "
    "inst.ks=https://jdoe42:s3cretURL@ks.lab.umbrella-corp.com/ks.cfg?t=ghp_0123456789abcdefghijABCDEFGHIJ456789 "
    "rd.iscsi.initiator=iqn.2004-10.com.ubuntu:01:8d5a3f8e4c2b rd.lvm.lv=rhel_hpc-node17/root "
    "intel_idle.max_cstate=1 isolcpus=2-31,34-63 nohz_full=2-31 default_hugepagesz=1G vconsole.keymap=us"
)  # fmt: skip

HOST: dict[str, Any] = {
    "/proc/cmdline": CMDLINE,
    "/sys/class/dmi/id/product_uuid": HOST_UUID,
    "/sys/class/dmi/id/product_name": "PowerEdge R750",
    "/sys/class/dmi/id/bios_version": "1.2.3.4",
    "/etc/sysctl.conf": "# by <ops.team@umbrella-corp.com>, see /home/mmustermann/notes\nvm.swappiness = 10\n",
    "/boot/grub2/grub.cfg": 'set superusers="jdoe42"\npassword_pbkdf2 jdoe42 grub.pbkdf2.sha512.10000.ABCDEF0123\n'
    "password --md5 $6$salt$kK8v\nsearch --fs-uuid /dev/disk/by-id/ata-Samsung_SSD_870_S5Y2NX0R123456",
    "/etc/systemd/system.conf": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n-----END PRIVATE KEY-----",
    "run dmidecode -t 17": "Memory Device\n\tSize: 64 GB\n\tSerial Number: 802C0F3A1B\n\tAsset Tag: FIN-00815\n\tSpeed: 3200 MT/s",
    "/sys/class/infiniband/*/address": {SECRETS["InfiniBand GUID"]: "mlx5_0"},
    "/sys/block/*/wwid": {"naa.5000c500a1b2c3d4": "sda", "0x5000c500a1b2c3d4": "sdb"},
    "/boot/loader/entries/*.conf": {"title Linux": "0123456789abcdef0123456789abcdee-5.14.0"},
    "/proc/sys/net/ipv4/tcp_rmem": "4096\t131072\t6291456",
    "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor": {"performance": "0-63"},
    "msr 0x1a4": {"0x5000c500a1b2ffff": "0-63"},
    "run uname -r": "5.14.0-503.el9.x86_64",
}

CONTROLLER: dict[str, Any] = {
    "/redfish/v1/Systems/7ZK4QX2": {
        "@odata.id": "/redfish/v1/Systems/7ZK4QX2",
        "UUID": SWAPPED_UUID.upper(),
        "SerialNumber": "7ZK4QX2",
        "SKU": "7ZK4QX2",
        "AssetTag": "FIN-00815",
        "HostName": "hpc-node17.lab.umbrella-corp.com",
        "Model": "PowerEdge R750",
        "BiosVersion": "1.2.3.4",
        "Contact": "Erika Musterfrau",
        "Description": "idrac-7ZK4QX2 at 10.20.30.41",
    },
    "/redfish/v1/Systems/7ZK4QX2/Bios": {
        "Attributes": {
            "SetupPassword": "hunter2pass",
            "ProcCStates": "Disabled",
            "PasswordStatus": "Unlocked",
            "Iscsi": "",
        }
    },
}


def server(host: dict[str, Any], controller: dict[str, Any], name: str = "hpc-node17") -> Any:
    """A capture with these readings."""
    data = {"schema": SCHEMA, "host": {"read": host}, "controller": {"read": controller}}
    return capture_of(data, f"{name}.json")


def redacted(*captures: Any) -> list[dict[str, Any]]:
    """The JSON of captures that are redacted in one run."""
    redactor = Redactor()
    return [to_json(redactor.redacted(each)) for each in captures]


@pytest.fixture(scope="module")
def shown() -> str:
    """The text of the capture with all secrets, redacted."""
    (data,) = redacted(server(HOST, CONTROLLER))
    return json.dumps(data)


@pytest.mark.parametrize("kind", SECRETS)
def test_no_secret_is_left(kind: str, shown: str) -> None:
    given = json.dumps(to_json(server(HOST, CONTROLLER))).lower()
    assert SECRETS[kind].lower() in given, "planted nowhere"
    assert SECRETS[kind].lower() not in shown.lower()


def test_no_part_of_a_name_or_address_is_left(shown: str) -> None:
    for part in (
        "umbrella",
        "lab.",
        "10.20.30",
        "3c-ec-ef",
        "cecef",
        "jdoe",
        "Musterfrau",
        "3532",
        "S5Y2NX0R",
    ):
        assert part.lower() not in shown.lower(), part


def test_what_settings_are_judged_by_stays() -> None:
    (data,) = redacted(server(HOST, CONTROLLER))
    host, controller = data["host"]["read"], data["controller"]["read"]
    for place in (
        "/sys/class/dmi/id/product_name", "/sys/class/dmi/id/bios_version", "/proc/sys/net/ipv4/tcp_rmem", "run uname -r",
        "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor", "msr 0x1a4",
    ):  # fmt: skip
        assert host[place] == HOST[place]
    assert (
        "intel_idle.max_cstate=1 isolcpus=2-31,34-63 nohz_full=2-31 default_hugepagesz=1G vconsole.keymap=us"
        in host["/proc/cmdline"]
    )
    assert host["/proc/cmdline"].startswith("BOOT_IMAGE=/vmlinuz-5.14.0-503.el9.x86_64 root=UUID=")
    assert "vm.swappiness = 10" in host["/etc/sysctl.conf"]
    assert "Size: 64 GB" in host["run dmidecode -t 17"]
    (system, bios) = controller.values()
    assert system["Model"] == "PowerEdge R750"
    assert system["BiosVersion"] == "1.2.3.4"
    assert bios["Attributes"] == {
        "SetupPassword": "secret-2",
        "ProcCStates": "Disabled",
        "PasswordStatus": "Unlocked",
        "Iscsi": "",
    }


def test_equal_secrets_have_equal_pseudonyms() -> None:
    """In texts, in the fields of resources, and in the paths of both."""
    (data,) = redacted(server(HOST, CONTROLLER))
    (path, system), _ = data["controller"]["read"].items()
    serial = system["SerialNumber"]
    assert path == system["@odata.id"] == f"/redfish/v1/Systems/{serial}"
    assert system["Description"] == f"idrac-{serial} at 198.18.0.1"
    assert (
        system["HostName"].partition(".")[0]
        in data["host"]["read"]["/proc/cmdline"].partition("rd.lvm.lv=rhel_")[2]
    )
    assert "ip=198.18.0.1::198.18.0.2:255.255.255.0:" in data["host"]["read"]["/proc/cmdline"]


def test_a_uuid_still_joins_host_and_controller() -> None:
    """In the other order of its bytes as well."""
    host, controller = redacted(
        server({"/sys/class/dmi/id/product_uuid": HOST_UUID}, {}, "a"),
        server({}, {"/redfish/v1/Systems/1": {"UUID": SWAPPED_UUID.upper()}}, "b"),
    )
    swapped = controller["controller"]["read"]["/redfish/v1/Systems/1"]["UUID"]
    first, second, third, rest = swapped.split("-", 3)
    turned = [
        "".join(reversed([part[at : at + 2] for at in range(0, len(part), 2)]))
        for part in (first, second, third)
    ]
    assert host["host"]["read"]["/sys/class/dmi/id/product_uuid"] == "-".join((*turned, rest))


def test_two_servers_of_two_runs_are_not_taken_for_one() -> None:
    place = "/sys/class/dmi/id/product_uuid"
    first, second = (
        redacted(server({place: uuid}, {}))[0] for uuid in (HOST_UUID, SECRETS["UUID of a disk"])
    )
    assert first["host"]["read"][place] != second["host"]["read"][place]
    assert redacted(server({place: HOST_UUID}, {}))[0] == first


def test_the_readings_of_this_machine_stay(places: tuple[str, ...]) -> None:
    """Of a real kernel, the texts of /proc/sys and /sys have nothing to replace, UUIDs apart."""
    from captures.test_collector import this_machine

    capture = this_machine("dash", places)
    data, shown = to_json(capture)["host"]["read"], redacted(capture)[0]["host"]["read"]
    kernel = [
        place
        for place in data
        if place.startswith(("/proc/sys/", "/sys/", "/proc/cpuinfo")) and "uuid" not in place
    ]
    assert {place: shown[place] for place in kernel} == {place: data[place] for place in kernel}
