"""Reads BIOS attribute registries and the current values of servers."""

from pathlib import Path
from random import Random

from fuzz import corpus, spoil
from fuzz.property import command
from registries import document

SERVERS = ("dell-12g-R720", "hpe-gen10plusv2-DL385-A42-2.60-amd", "supermicro-SYS-821GE-TNHR")


def once(random: Random, folder: Path) -> None:
    """Damage a registry or the current values, and import it."""
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
    command(
        "kb",
        "import",
        "registry.json",
        *random.choice(((), ("--current", "Bios.json"), ("--platform", "farm"))),
        folder=folder,
    )
