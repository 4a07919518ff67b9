"""Reads the folder of a fleet: as a side of a comparison, and as the earlier fleet of another."""

import json
import tempfile
from functools import cache
from pathlib import Path
from random import Random

from fuzz import corpus, spoil
from fuzz.property import command

HOSTS = "host,model,processor,sockets,os\nn1,PowerEdge R710,,2,rhel 6.4\nn2,PowerEdge R710,,2,rhel 6.5\n"
READ = ("fleet.json", "plan.json", "manifest.json")
"""What of a folder is read."""


@cache
def fleet() -> dict[str, bytes]:
    """The folder of a small fleet: its files that are read, by path."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus.put({"hosts.csv": HOSTS.encode()}, folder)
        words = ("-e", corpus.SMALL.replace("rhel 6.4", "rhel 6"), "--inventory", "hosts.csv", "-o", "out")
        assert command("fleet", *words, "--target", "ansible", folder=folder).status == 0
        found = sorted(path for path in (folder / "out").rglob("*") if path.name in READ)
        return {str(path.relative_to(folder / "out")): path.read_bytes() for path in found}


def once(random: Random, folder: Path) -> None:
    """Spoil one of its files, or take one away, and compare it with itself as it was."""
    files = dict(fleet())
    wrong = random.choice([*files])
    if random.random() < 0.1:
        del files[wrong]
    elif random.random() < 0.7:
        files[wrong] = spoil.json_text(random, json.loads(files[wrong]))
    else:
        files[wrong] = spoil.data(random, files[wrong])
    corpus.put({f"spoilt/{name}": content for name, content in files.items()}, folder)
    corpus.put({f"whole/{name}": content for name, content in fleet().items()}, folder)
    corpus.put({"hosts.csv": HOSTS.encode(), "web.tune": corpus.SMALL.encode()}, folder)
    sides = random.choice((("spoilt", "whole"), ("whole", "spoilt"), ("spoilt", "web.tune")))
    inventory = () if "web.tune" not in sides else ("--inventory", "hosts.csv", "--since", "spoilt")
    command(
        "diff", *sides, *inventory, "--format", random.choice(("text", "markdown", "json")), folder=folder
    )
