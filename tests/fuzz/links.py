"""Reads and writes trees of files in which any name can be a link: outside, around, to a device, to a pipe, to itself.

A secret lies outside of the tree, and one in a file of another kind within it. Neither is ever shown or copied, and
nothing outside changes.
"""

import os
from pathlib import Path
from random import Random

from fuzz import corpus
from fuzz.inventories import CAPTURES, TABLE, TEXTS
from fuzz.property import DefectError, command, content

SECRET = "npm_Abc123SECRET"
TOKEN = f"//registry/:_authToken={SECRET}\n".encode()
ENDINGS = ("", ".tune", ".json", ".csv", ".toml")

FILES = {
    "web.tune": corpus.SMALL.encode(),
    "site/own.tune": b'source lab { title "x"; publisher "x"; }',
    "site/more.tune": b'include "own.tune"; include "../web.tune"; goal latency;',
    "hosts.csv": TABLE.encode(),
    "facts.toml": b'[hosts]\ngroups = ["role"]\n',
    "record.json": b"{}",
    "registries/a.json": b"{}",
    "grub": b"isolcpus=2-7\n",
    **dict.fromkeys(CAPTURES, b"{}"),
    **{name: text.encode() for name, text in TEXTS.items()},
}
"""The tree before names in it become links; a bundle in `out` comes with it."""

SPECIAL = ["/proc/self/environ", "/proc/self/root/etc/passwd", "/proc/self/cwd", "/dev/zero", "/dev/stdin", "/etc", "/etc/passwd",
           "..", ".", "../..", "nowhere", "x" * 300, "x" * 5_000]  # fmt: skip

COMMANDS = [
    "check .", "check --root . . --also junit=found.xml --also sarif=found.sarif", "check site --root . --format json", "check web.tune",
    "check site/more.tune --format github", "fmt .", "plan site/more.tune --root .", "kb coverage record.json site", "waivers .",
    "check web.tune --inventory hosts.csv --facts facts.toml", "check web.tune --inventory hosts",
    "fleet web.tune --inventory hosts.csv -o fleet", "diff out web.tune", "diff out/plan.json site", "compare web.tune site/more.tune",
    "compile web.tune -o out --target report", "compile web.tune -o site/new --target report", "new site/made", "audit grub out/plan.json",
    "plan web.tune --registry registries/a.json", "plan web.tune --current record.json",
    "fleet web.tune --inventory hosts.csv --registry registries -o fleet",
]  # fmt: skip


def once(random: Random, folder: Path) -> None:
    """Make a tree, turn names in it into links, and run commands on it."""
    outside = folder.parent / "outside"
    corpus.put({f"secret{ending}": TOKEN for ending in ENDINGS}, outside)
    corpus.put({f"site/secret{ending}": TOKEN for ending in ENDINGS}, outside)
    os.mkfifo(outside / "pipe")
    tree = {**FILES, **{f"out/{name}": text for name, text in corpus.bundle().items()}}
    corpus.put(tree, folder)
    corpus.put({".npmrc": TOKEN, "site/.npmrc": TOKEN}, folder)
    names = sorted(
        {*tree, "site", "hosts", "hosts/c1", "out", "registries", "found.xml", "fleet", "site/new"}
    )
    for name in random.sample(names, random.choice((1, 1, 2, 4, 8))):
        _link(random, folder, outside, name, names)
    before = content(outside)
    for words in random.sample(COMMANDS, 3):
        ran = command(*words.split(), folder=folder)
        if SECRET in ran.out + ran.err:
            raise DefectError(f"{words!r} shows a secret: {ran.out + ran.err!r}")
        for path in (Path(place, name) for place, _, here in os.walk(folder) for name in here):
            is_ours = not path.is_symlink() and path.is_file() and path.name != ".npmrc"
            if is_ours and SECRET.encode() in path.read_bytes():
                raise DefectError(f"{words!r} copies a secret to {path}")
        if content(outside) != before:
            raise DefectError(f"{words!r} changes what lies outside")


def _link(random: Random, folder: Path, outside: Path, name: str, names: list[str]) -> None:
    """Make a name a link; where a link is on the way already, or a folder with files in it, it is moved away first."""
    place = folder / name
    if any(parent.is_symlink() for parent in place.parents):
        return
    if place.exists() and not place.is_symlink():
        place.rename(outside.parent / f"away-{name.replace('/', '-')}")
    target = random.choice(
        (
            str(outside / f"secret{place.suffix}"),
            os.path.relpath(outside / f"secret{random.choice(ENDINGS)}", place.parent),
            str(outside / "site"),
            str(outside / "pipe"),
            str(outside / "new"),
            ".npmrc",
            name.rpartition("/")[2],
            os.path.relpath(folder / random.choice(names), place.parent),
            random.choice(SPECIAL),
        )
    )
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        place.symlink_to(target)
    except OSError:
        return  # no system has such a link
