"""Reads git: names of revisions and paths, and the contents of a tree, whose files may have any name."""

import contextlib
import os
import subprocess
from pathlib import Path
from random import Random

from review.repository import ENVIRONMENT

from fuzz import corpus, spoil
from fuzz.property import command
from support.limits import PATIENCE

REVISIONS = [
    "HEAD",
    "HEAD~1",
    "HEAD^",
    "@",
    "main",
    "HEAD^{tree}",
    "HEAD^{}",
    "@{0}",
    "@{yesterday}",
    ":/first",
    "HEAD^2",
    "odd",
    "",
    "-n",
    "--all",
]
NAMES = [b"web.tune", b"a b.tune", b"a\nb.tune", b"\xff.tune", b"\x1b[31m.tune", b"-x.tune", b"x:y.tune", b"HEAD.tune", b"site/web.tune",
         b"\xff/web.tune", b"out/plan.json", b"out/manifest.json", b"a..b.tune", b"'\".tune", b"x" * 200 + b".tune"]  # fmt: skip


def once(random: Random, folder: Path) -> None:
    """Make a small history, and compare what a word or two name in it."""
    place = folder / random.choice(("repository", "a b", os.fsdecode(b"\xff"), "\u202e"))
    place.mkdir()
    _git(place, "init", "--quiet", "--initial-branch=main")
    for _ in range(2):
        for name in random.sample(NAMES, 4):
            file = place / os.fsdecode(name)
            with contextlib.suppress(FileExistsError):
                file.parent.mkdir(exist_ok=True)
            with contextlib.suppress(OSError):  # where a link or a file is in the way, the tree is another
                if random.random() < 0.15 and not os.path.lexists(file):
                    file.symlink_to(
                        random.choice(("web.tune", "..", "/etc", "nowhere", "site", ".", "x" * 300))
                    )
                elif not file.is_symlink():
                    file.write_bytes(_text(random, name))
        _git(place, "add", "--all")
        _git(place, "commit", "--quiet", "--allow-empty", "--message", "first")
    _git(place, "update-ref", os.fsdecode(b"refs/heads/caf\xe9"), "HEAD")
    for _ in range(3):
        words = [_word(random) for _ in range(random.randrange(1, 3))]
        command(
            "diff",
            *words,
            "--format",
            random.choice(("text", "json")),
            folder=place,
            **ENVIRONMENT,
        )


def _text(random: Random, name: bytes) -> bytes:
    if name.endswith(b".json"):
        return (
            spoil.json_text(random, corpus.plan(), 1)
            if name.endswith(b"plan.json")
            else corpus.bundle()["manifest.json"]
        )
    return (
        spoil.text(random, corpus.SMALL, corpus.words()).encode(errors="surrogatepass")
        if random.random() < 0.5
        else corpus.SMALL.encode()
    )


def _word(random: Random) -> str:
    """A side, as a careless user might write it."""
    revision, other = random.choice(REVISIONS), random.choice(REVISIONS)
    path = (
        os.fsdecode(random.choice(NAMES))
        if random.random() < 0.7
        else random.choice((".", "..", "/", "./web.tune", "../web.tune", "site", ""))
    )
    word = random.choice(
        (
            revision,
            f"{revision}:{path}",
            f"{revision}..{other}",
            f"{revision}...{other}",
            path,
            f"{revision}..",
            f"..{other}",
        )
    )
    if random.random() < 0.2:
        at = random.randrange(len(word) + 1)
        word = word[:at] + spoil.word(random)[:100] + word[at:]
    return word


def _git(folder: Path, *arguments: str) -> None:
    """Run a git command; if it fails, the history is just different."""
    subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**os.environ, **ENVIRONMENT},
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
