"""The collector on a kernel of its own: Debian's, booted in QEMU, with busybox alone, as root and as another user."""

import json
import re

import pytest

from consumers.kernel import ON_ANY_HOST, TWO_NODES, emulate
from consumers.kernel_image import require_initramfs, require_module, with_files
from setpoint.compiler.captures.document import capture_of
from setpoint.compiler.captures.model import Reading, Readings
from setpoint.compiler.captures.script import collector
from support.limits import PATIENCE

INIT = """#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /tmp /etc
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
chmod 1777 /tmp
echo root:x:0:0::/:/bin/sh > /etc/passwd; echo nobody:x:65534:65534::/:/bin/sh >> /etc/passwd
exec > /dev/console 2>&1
cd /
echo
echo '== unloaded'; sh /collector
insmod /msr.ko
echo '== root'; sh /collector
echo '== nobody'; su nobody -c 'sh /collector'
echo '== left'; ls -A /tmp
echo '== end'
poweroff -f
"""

UUID = "4c4c4544-0034-3210-8056-b7c04f4d3532"

CMDLINE = "mitigations=off skew_tick=1 transparent_hugepage=never hugepages=16"


@pytest.fixture(scope="module")
def captures(places: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Readings]:
    """What the collector reads before the module of registers is loaded, after that, and as another user."""
    folder = tmp_path_factory.mktemp("kernel")
    (folder / "msr.ko").write_bytes(require_module("msr").read_bytes())
    (folder / "collector").write_text(collector(places, "0.0"), encoding="utf-8")
    (folder / "start").write_text(INIT, encoding="utf-8")
    (folder / "start").chmod(0o755)
    made = with_files(require_initramfs(), folder, "collector", "start", "msr.ko")
    machine = [
        "-smp",
        "2,sockets=1,cores=2,threads=1",
        "-m",
        "256",
        "-initrd",
        str(made),
        "-uuid",
        UUID,
        *TWO_NODES,
    ]
    output = emulate(
        machine, f"console=ttyS0 quiet rdinit=/start {ON_ANY_HOST} {CMDLINE}", PATIENCE, cpu="Skylake-Server"
    )
    parts = dict(re.findall(r"^== (\w+)\n(.*?)(?=^== )", output, re.MULTILINE | re.DOTALL))
    assert list(parts) == ["unloaded", "root", "nobody", "left"], output[-3_000:]
    assert parts.pop("left") == ""
    found = {name: capture_of(json.loads(text), name).host for name, text in parts.items()}
    return {name: host for name, host in found.items() if host is not None}


def test_registers_are_read_once_the_module_is_loaded(captures: dict[str, Readings]) -> None:
    """QEMU has IA32_MISC_ENABLE and the APIC's base. What it does not have, the guest cannot see."""
    assert captures["unloaded"].unread["msr 0x1a0"] == "no module"
    assert captures["nobody"].unread["msr 0x1a0"] == "no permission"
    root = captures["root"]
    (enabled,) = root.read["msr 0x1a0"]
    assert (int(enabled.text, 16) & 1, enabled.where) == (1, "0-1"), "fast strings are on"
    assert {each.where for each in root.read["msr 0x1b"]} == {"0", "1"}, (
        "the bit of the boot processor differs"
    )


def test_the_kernel_is_seen_as_it_was_started(captures: dict[str, Readings]) -> None:
    for host in captures.values():
        assert CMDLINE in (host.text("/proc/cmdline") or "")
        assert host.text("/sys/kernel/mm/transparent_hugepage/enabled") == "always madvise [never]"
        siblings = host.read["/sys/devices/system/cpu/cpu*/topology/thread_siblings_list"]
        assert siblings == (Reading("0", "0"), Reading("1", "1"))
        assert host.read["/sys/devices/system/node/node*/cpulist"] == (Reading("0", "0"), Reading("1", "1"))
        vulnerable = host.read["/sys/devices/system/cpu/vulnerabilities/*"]
        assert any("meltdown" in each.where and each.text.startswith("Vulnerable") for each in vulnerable)


def test_files_of_root_alone_are_no_permission(captures: dict[str, Readings]) -> None:
    uuid = "/sys/class/dmi/id/product_uuid"
    assert captures["root"].text(uuid) == UUID
    assert captures["nobody"].unread[uuid] == "no permission"


def test_each_place_is_read_or_has_a_reason(captures: dict[str, Readings], places: tuple[str, ...]) -> None:
    for name, host in captures.items():
        lost = [place for place in places if not host.at(place) and place not in host.unread]
        assert lost == [], name
