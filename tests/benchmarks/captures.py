"""What it costs to compare captured servers with their plans: CPU time of `setpoint verify` on a folder of captures, on
one core.

    make bench-captures

The captures are made of the facts of real hosts (`tests/verification/hosts.json`), and as large as those that the
collector prints: with all registers, kernel parameters and services that it asks for. No two are the same: each has
values of its own, which partly are not as planned.
"""

import json
import random
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from verification.found import SERVERS
from verification.hosts import captured

from benchmarks.cost import Cost, cost, on_one_processor
from setpoint.compiler.captures.document import to_json
from setpoint.compiler.captures.wanted import wanted
from setpoint.compiler.knowledge.load import standard

SIZES = (1_000, 5_000)
SETPOINT = (sys.executable, "-m", "setpoint.compiler")
PRODUCTS = {
    "hswep0": "PowerEdge R730",
    "sklep0": "PowerEdge R740",
    "clx2s0": "PowerEdge R740",
    "icx2s0": "PowerEdge R750",
    "icx2s3": "PowerEdge R650",
    "emr0": "PowerEdge R760",
    "gnr0": "PowerEdge R770",
    "milan0": "ProLiant DL385 Gen10 Plus v2",
    "genoa0": "PowerEdge R7625",
}
"""Hosts with the processors that many servers have today, and the model that they are said to be."""

GOVERNOR = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"
UUID = "/sys/class/dmi/id/product_uuid"
DIFFERENT = 0.1
"""The share of the values of the kernel that differ from server to server."""


def policies() -> str:
    """A policy for each model of these hosts."""
    servers = sorted({SERVERS[name].partition(";")[0] for name in PRODUCTS})
    return "".join(
        f"policy {server.partition(' ')[2]} {{ goal latency; {server}; os debian 13; }}\n"
        for server in servers
    )


@cache
def complete(name: str) -> dict[str, Any]:
    """The capture of a host, with a reading or a reason for every place that the collector asks."""
    data = to_json(captured(name))
    read, unread = data["host"]["read"], data["host"]["unread"]
    for place in wanted(standard()):
        if place.startswith("/proc/sys/"):
            read.setdefault(place, "0")
        elif place.startswith("run systemctl"):
            read.setdefault(place, "LoadState=loaded\nActiveState=active\nUnitFileState=enabled")
        elif place.startswith("/sys/class/dmi/"):
            read[place] = PRODUCTS[name] if place.endswith("/product_name") else "Not Specified"
        elif not any(place.partition("*")[0] in each for each in read):
            unread[place] = "absent"
    # Lists of the kernel and of distributions, as long as they are today.
    read["/usr/lib/sysctl.d/*.conf"] = {
        "# what the distribution sets\nkernel.sysrq = 16\n" * 20: "50-default"
    }
    read["/proc/meminfo"] = "\n".join(f"Field{number}:   {number * 4096} kB" for number in range(55))
    return data


def server(number: int) -> dict[str, Any]:
    """The capture of a server, which is like no other."""
    chance = random.Random(number)
    data: dict[str, Any] = json.loads(json.dumps(complete(list(PRODUCTS)[number % len(PRODUCTS)])))
    read = data["host"]["read"]
    for place in sorted(read):
        if place.startswith("/proc/sys/") and chance.random() < DIFFERENT:
            read[place] = str(chance.randrange(100_000))
    first = chance.randrange(1, 8)
    read[GOVERNOR] = {"performance": f"0-{first - 1}", "powersave": f"{first}-63"}
    read[UUID] = f"4c4c4544-0000-4000-8000-{number:012x}"
    read["/proc/cmdline"] = f"BOOT_IMAGE=/vmlinuz root=UUID={number:032x} ro quiet"
    return data


def verified(place: Path, size: int) -> Cost:
    """What it costs to verify so many servers."""
    site, folder = place / "site.tune", place / "captures"
    site.write_text(policies(), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for number in range(size):
        (folder / f"c{number:05}.json").write_text(json.dumps(server(number), indent=0), encoding="utf-8")
    return cost(*SETPOINT, "verify", str(site), "--against", str(folder), statuses=(3,))


if __name__ == "__main__":
    on_one_processor()
    with tempfile.TemporaryDirectory() as made:
        for each in SIZES:
            used = verified(Path(made), each)
            print(f"{each:,} captures: {used.cpu:.1f} s, {used.memory:.0f} MiB", flush=True)
