"""Reads plan.json: in a bundle, by its own name, and on both sides of a comparison."""

from pathlib import Path
from random import Random

from fuzz import corpus, spoil
from fuzz.property import command

PAIRS = ["old web.tune", "web.tune old", "old/plan.json web.tune", "old new", "new old", "old old/plan.json"]


def once(random: Random, folder: Path) -> None:
    """Spoil a plan, and compare it."""
    spoilt = spoil.json_text(random, corpus.plan())
    corpus.put({"old/plan.json": spoilt, "web.tune": corpus.SMALL.encode()}, folder)
    corpus.put({f"new/{name}": corpus.bundle()[name] for name in ("plan.json", "manifest.json")}, folder)
    if random.random() < 0.7:
        corpus.put({"old/manifest.json": corpus.bundle()["manifest.json"]}, folder)
    form = random.choice(("text", "markdown", "json"))
    command("diff", *random.choice(PAIRS).split(), "--format", form, folder=folder)
