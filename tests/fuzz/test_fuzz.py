"""A short run of every fuzzer, the same each time; `make fuzz` runs them for longer."""

import pytest

from fuzz.readers import READERS, run

RUNS = {
    "policy": 25,
    "knowledge": 2,
    "plans": 25,
    "manifests": 6,
    "fleets": 12,
    "records": 20,
    "registries": 12,
    "inventories": 10,
    "captures": 8,
    "carriers": 12,
    "collected": 20,
    "links": 6,
    "audits": 12,
    "revisions": 4,
    "repositories": 4,
    "caches": 40,
    "arguments": 30,
    "protocol": 6,
    "verifications": 12,
}
"""How many runs take a few seconds."""


@pytest.mark.parametrize("reader", READERS)
def test_the_property_holds_whatever_is_read(reader: str) -> None:
    for seed in range(RUNS[reader]):
        run(reader, seed)
