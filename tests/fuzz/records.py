"""Reads the records of test runs: exercised.json."""

from pathlib import Path
from random import Random

from fuzz import corpus, spoil
from fuzz.property import command
from setpoint.compiler.knowledge.load import standard


def once(random: Random, folder: Path) -> None:
    """Damage a record, and use it for coverage."""
    known = standard()
    record = {
        "schema": "setpoint.kb-exercised/1",
        "rules": random.sample([rule.name for rule in known.rules], 5),
        "constraints": [constraint.name for constraint in known.constraints][:3],
        "hazards": [*known.hazards],
    }
    corpus.put({"exercised.json": spoil.json_text(random, record), "web.tune": corpus.SMALL.encode()}, folder)
    command(
        "kb",
        "coverage",
        "exercised.json",
        *random.choice(((), ("web.tune",), ("--format", "json"))),
        folder=folder,
    )
