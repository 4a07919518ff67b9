"""Reads what a collector has printed on a host, cut short or spoiled: by ssh, and as a capture of an inventory."""

import json
import os
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from fuzz import corpus, spoil
from fuzz.property import command

HOST: dict[str, Any] = {
    "/proc/cmdline": "root=UUID=9f1c2b3a-8d7e-4f60-9a1b-2c3d4e5f6a7b ro ip=10.0.0.2::10.0.0.1:255.255.255.0:web1:eth0 a.key=x \u2028",
    "/proc/cpuinfo": "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz\nflags\t\t: fpu msr\n",
    "/etc/os-release": 'ID="rhel"\nVERSION_ID="9.4"\n',
    "/sys/class/dmi/id/product_name": "PowerEdge R750",
    "/sys/class/dmi/id/product_uuid": "4c4c4544-0034-3210-8056-b7c04f4d3532",
    "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor": {"performance": "0-62", "powersave": "63"},
    "/sys/block/*/queue/scheduler": {"[none] mq-deadline": "sda sdb", "none [kyber]": "nvme0n1"},
    "msr 0x1fc": {"0x24005d": "0-63"},
    "run dmidecode -t 17": "Memory Device\n\tSerial Number: 802C0F3A1B\n\tMAC: 3c:ec:ef:12:34:56\n",
}

DOCUMENT: dict[str, Any] = {
    "schema": "setpoint.capture/1",
    "host": {"read": HOST, "unread": {"msr 0x1a4": "no permission", "/sys/none": "absent"}},
    "controller": {
        "read": {
            "/redfish/v1/Systems/7ZK4QX2": {
                "SerialNumber": "7ZK4QX2",
                "HostName": "web1.example.org",
                "Boot": [[], {}],
            }
        },
        "unread": {"/redfish/v1/Systems/7ZK4QX2/Bios": "failed"},
    },
}

WAYS = (
    "capture --ssh web1",
    "capture --ssh web1 -o out",
    "capture --ssh root@web1 --no-redact",
    "check web.tune --inventory hosts",
    "plan web.tune --inventory hosts --host web1",
)


def once(random: Random, folder: Path) -> None:
    """Spoil a document, and read it."""
    whole = json.dumps(DOCUMENT).encode()
    content = random.choice(
        (
            spoil.json_text(random, deepcopy(DOCUMENT)),
            spoil.json_text(random, deepcopy(DOCUMENT)),
            spoil.data(random, whole),
            whole[: random.randrange(len(whole))],
        )
    )
    corpus.put(
        {
            "hosts/web1.json": content,
            "web.tune": b"goal latency;",
            "ssh": b"#!/bin/sh\ncat hosts/web1.json\n",
        },
        folder,
    )
    (folder / "ssh").chmod(0o755)
    words = random.choice(WAYS).split()
    command(*words, folder=folder, PATH=f"{folder}{os.pathsep}{os.environ['PATH']}")
