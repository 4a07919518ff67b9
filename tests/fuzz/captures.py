"""Reads folders of captures: what programs printed on servers, and what controllers answered, cut short or spoiled."""

import json
import os
from copy import deepcopy
from pathlib import Path
from random import Random

from fuzz import corpus, spoil
from fuzz.inventories import CAPTURES, FACTER, FACTS, POLICY, TEXTS
from fuzz.property import command

NAMES = ["hosts/c3.json", "hosts/c4", "hosts/c4/x", "hosts/\udcff/os-release", "hosts/a b/lscpu", "hosts/.hidden/x", "hosts/c1.json",
         "hosts/group_vars/all", "hosts/=cmd/os-release", "hosts/all.json", "hosts/\x1b[31m/os-release"]  # fmt: skip
"""Further files, of a host with a name that something may not expect."""

VERBS = ("fleet -o out", "check-inventory", "plan --host c1", "plan --host c2 --format json")


def once(random: Random, folder: Path) -> None:
    """Spoil captures of a few hosts, and plan a policy with them."""
    whole: list[bytes] = [json.dumps(each).encode() for each in (FACTER, *CAPTURES.values())]
    whole += [text.encode() for text in TEXTS.values()]
    files: dict[str, bytes] = {"facts.toml": FACTS.encode(), "web.tune": POLICY.encode()}
    for name, data in CAPTURES.items():
        files[name] = spoil.json_text(random, deepcopy(data))
    for name, text in TEXTS.items():
        files[name] = spoil.data(random, text.encode())
    for name in random.sample(NAMES, random.randrange(4)):
        content = random.choice(whole)
        files[os.fsdecode(os.fsencode(name))] = random.choice(
            (content, spoil.data(random, content), content[: len(content) // 2])
        )
    for name, content in files.items():
        try:
            corpus.put({name: content}, folder)
        except (FileExistsError, IsADirectoryError, NotADirectoryError):
            continue  # a name that another one has as a folder
    verb, *rest = random.choice(VERBS).split()
    words = ["check", "web.tune"] if verb == "check-inventory" else [verb, "web.tune", *rest]
    command(*words, "--inventory", "hosts", "--facts", "facts.toml", folder=folder)
