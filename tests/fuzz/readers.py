"""The readers, by name, and how one run of a reader is made from its seed."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

from fuzz import (
    arguments,
    audits,
    caches,
    captures,
    carriers,
    collected,
    fleets,
    inventories,
    knowledge,
    links,
    manifests,
    plans,
    policy,
    protocol,
    records,
    registries,
    repositories,
    revisions,
    verifications,
)

READERS: dict[str, Callable[[Random, Path], None]] = {
    "policy": policy.once,
    "knowledge": knowledge.once,
    "plans": plans.once,
    "manifests": manifests.once,
    "fleets": fleets.once,
    "records": records.once,
    "registries": registries.once,
    "inventories": inventories.once,
    "captures": captures.once,
    "carriers": carriers.once,
    "collected": collected.once,
    "links": links.once,
    "audits": audits.once,
    "revisions": revisions.once,
    "repositories": repositories.once,
    "caches": caches.once,
    "arguments": arguments.once,
    "protocol": protocol.once,
    "verifications": verifications.once,
}


def run(reader: str, seed: int) -> None:
    """One run. Raises what it finds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "work"
        folder.mkdir()
        READERS[reader](Random(f"{reader} {seed}"), folder)
