"""Reads BIOS attribute registries and the current values of servers."""

from pathlib import Path
from random import Random

from fuzz import corpus, spoil
from fuzz.property import command
from registries import document

SERVERS = ("dell-12g-R720", "hpe-gen10plusv2-DL385-A42-2.60-amd", "supermicro-SYS-821GE-TNHR")


PLANNED = 0.5
"""How often a policy is planned with the damaged files, and not imported."""


def once(random: Random, folder: Path) -> None:
    """Damage a registry or the current values, and import it, or plan a policy with it."""
    server = random.choice(SERVERS)
    whole = document(server, "BiosRegistry")
    entries = whole["RegistryEntries"]
    for part, count in (("Attributes", 12), ("Dependencies", 20), ("Menus", 5)):
        entries[part] = random.sample(entries[part], min(count, len(entries[part])))
    corpus.put(
        {
            "registry.json": spoil.json_text(random, whole),
            "Bios.json": spoil.json_text(random, document(server, "Bios")),
        },
        folder,
    )
    if random.random() < PLANNED:
        named = random.choice(
            (
                ("--registry", "registry.json"),
                ("--current", "Bios.json"),
                ("--registry", "registry.json", "--current", "Bios.json"),
            )
        )
        text = f"goal latency; platform {random.choice(('r720', 'r720', 'r740'))};"
        verb = random.choice((("plan",), ("plan", "--format", "json"), ("compile", "-o", "out")))
        command(*verb, "-e", text, *named, folder=folder)
        return
    command(
        "kb",
        "import",
        "registry.json",
        *random.choice(((), ("--current", "Bios.json"), ("--platform", "farm"))),
        folder=folder,
    )
