"""Reads manifest.json: of a folder that `compile` would replace, and of a bundle that is compared."""

import json
from pathlib import Path
from random import Random

from fuzz import corpus, spoil
from fuzz.property import command, content

SEVERAL = {"schema": "setpoint.bundles/1", "policies": ["a", "b", ".", "..", "a/..", "x\n", "/etc"]}


def once(random: Random, folder: Path) -> None:
    """Spoil a manifest; nothing that is not of a bundle may be lost, whatever it says."""
    files = dict(corpus.bundle())
    whole = SEVERAL if random.random() < 0.3 else json.loads(files["manifest.json"])
    files["manifest.json"] = spoil.json_text(random, json.loads(json.dumps(whole)))
    mine = random.random() < 0.5
    if mine:
        files[random.choice(("notes.txt", "tuned/notes.txt", "a/notes.txt"))] = b"do not lose this"
    corpus.put({f"out/{name}": text for name, text in files.items()}, folder)
    corpus.put({"web.tune": corpus.SMALL.encode()}, folder)
    for form in random.sample(("text", "markdown", "json"), 1):
        command("diff", "out", "web.tune", "--format", form, folder=folder)
    command(
        "compile",
        "web.tune",
        "-o",
        "out",
        "--target",
        random.choice(("tuned", "report", "syscfg")),
        folder=folder,
    )
    assert not mine or b"do not lose this" in content(folder).values(), "somebody's own file is lost"
