"""Reads settings that somebody else has written down: boot lines, sysctls, tuned profiles, BIOS settings."""

import json
from pathlib import Path
from random import Random

from fuzz import corpus, spoil
from fuzz.property import command

TEXTS = (
    'GRUB_TIMEOUT=5\nGRUB_CMDLINE_LINUX="intel_pstate=passive isolcpus=managed_irq,domain,1-30 nohz_full=1-30 mitigations=off"\n',
    "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet hugepagesz=1G hugepages=40 audit=0 isolcpu=2-5 mce=off nosmt\n",
    "# sysctls\nvm.dirty_ratio = 10\nvm.dirty_bytes = 1000000\nvm/swappiness = 60\nnet.core.busy_poll = 50\n",
    "[main]\nsummary=Lab\ninclude=cpu-partitioning\n[sysctl]\nvm.swappiness=10\n[bootloader]\ncmdline_lab=+nosmt intel_pstate=active\n",
    "| Option | Value |\n|---|---|\n| Logical Processor | Enabled |\n| C States | Disabled |\nTurbo Boost = Enabled\n",
)
ATTRIBUTES = {
    "Attributes": {"ProcCStates": "Disabled", "LogicalProc": "Enabled", "SysProfile": "Custom", "X": 4}
}
SERVERS = (
    "cpu skylake; platform r740; os debian 12",
    "goal latency; cpu skylake; platform r740; os rhel 7",
    "",
)
REPEATED = 0.3
"""How often two files are checked together."""


def once(random: Random, folder: Path) -> None:
    """Damage files of settings, and audit them."""
    names = ["a", "b"] if random.random() < REPEATED else ["a"]
    files = {
        name: spoil.json_text(random, json.loads(json.dumps(ATTRIBUTES)))
        if random.randrange(len(TEXTS) + 1) == 0
        else spoil.data(random, random.choice(TEXTS).encode())
        for name in names
    }
    corpus.put(files, folder)
    more = random.choice(
        (
            (),
            ("--format", "json"),
            ("--format", "sarif"),
            ("--export", "out.tune"),
            ("--as", random.choice(("arguments", "sysctl", "tuned", "bios"))),
        )
    )
    command("audit", *names, "-e", random.choice(SERVERS), *more, folder=folder)
