"""Reads archives of support data and trees of a controller's answers: damaged as files, as archives, and in what they
have in them.

A token lies beside the folder, and links lead to it. It is never printed.
"""

import bz2
import gzip
import json
import lzma
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Literal

from captures.archive import SOS, SOS_LINKS, SUPPORTCONFIG
from captures.test_carriers import TREE

from fuzz import corpus, spoil
from fuzz.inventories import TOKEN
from fuzz.property import DefectError, command

TARGETS = ("../../../token", "/proc/self/environ", "..", ".", "a/../../b", "x" * 300, "", "\udcff")
"""Where links lead that somebody put there."""

PACKERS: tuple[Callable[[bytes], bytes], ...] = (
    lambda content: content,
    gzip.compress,
    bz2.compress,
    lzma.compress,
)
KINDS = (
    tarfile.REGTYPE,
    tarfile.SYMTYPE,
    tarfile.LNKTYPE,
    tarfile.DIRTYPE,
    tarfile.FIFOTYPE,
    tarfile.GNUTYPE_SPARSE,
    b"Z",
)
FORMS: tuple[Literal[0, 1, 2], ...] = (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT)
ONCE_IN = 3
"""How seldom a part is damaged."""


def once(random: Random, folder: Path) -> None:
    """Spoil a report or a tree, packed or not, and plan a policy with it."""
    files, links = _content(random)
    (folder.parent / "token").write_text(f"{TOKEN}\n", encoding="ascii")
    name = random.choice(("web1.tar.xz", "web1.json", "all/web1.tgz", "all/web1"))
    if random.random() < 0.5:
        _unpacked(random, folder / name, files, links)
    else:
        content = random.choice(PACKERS)(_packed(random, files, links))
        damaged = spoil.data(random, content) if not random.randrange(ONCE_IN) else content
        corpus.put({name: damaged[: random.choice((len(damaged), len(damaged) // 2))]}, folder)
    named = random.choice((name, name.partition("/")[0]))
    ran = command("fleet", "-e", "goal latency;", "--inventory", named, "-o", "out", folder=folder)
    if TOKEN in ran.out + ran.err:
        raise DefectError(f"printed the token: {ran}")


def _content(random: Random) -> tuple[dict[str, str], dict[str, str]]:
    """The files of a report or a tree, some of them damaged, and its links."""
    kind = random.choice(("sos", "supportconfig", "tree"))
    if kind == "tree":
        documents = {
            f"redfish/v1{path}/index.json": spoil.json_text(random, json.loads(json.dumps(data))).decode(
                errors="replace"
            )
            if not random.randrange(ONCE_IN)
            else json.dumps(data)
            for path, data in TREE.items()
        }
        return documents, {}
    files = SOS if kind == "sos" else SUPPORTCONFIG
    damaged = {
        name: spoil.data(random, text.encode()).decode(errors="replace")
        if not random.randrange(ONCE_IN)
        else text
        for name, text in files.items()
    }
    links = dict(SOS_LINKS) if kind == "sos" else {}
    for name in random.sample([*files], random.randrange(3)):
        links[name] = random.choice(TARGETS)
    return damaged, links


def _packed(random: Random, files: dict[str, str], links: dict[str, str]) -> bytes:
    """An archive, with headers that somebody changed."""
    packed = bytearray()
    form = random.choice(FORMS)
    top = random.choice(("report/", "", "./", "../", "/", "a/b/"))
    for name in [*links, *files]:
        member = tarfile.TarInfo(top + name)
        content = files.get(name, "").encode(errors="replace")
        member.size = len(content)
        if name in links:
            member.type, member.linkname, member.size, content = tarfile.SYMTYPE, links[name], 0, b""
        elif not random.randrange(ONCE_IN * 4):
            member.type = random.choice(KINDS)
            member.size = random.choice((member.size, 0, 1 << 30))
        try:
            header = member.tobuf(form, errors="surrogateescape")
        except ValueError:
            continue  # this form cannot say it
        packed += spoil.data(random, header) if not random.randrange(ONCE_IN * 8) else header
        packed += content + bytes(-len(content) % tarfile.BLOCKSIZE)
    return bytes(packed) + bytes(2 * tarfile.BLOCKSIZE)


def _unpacked(random: Random, top: Path, files: dict[str, str], links: dict[str, str]) -> None:
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text, encoding="utf-8", errors="replace")
    for name, target in links.items():
        place = top / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_dir():
            shutil.rmtree(place)
        place.unlink(missing_ok=True)
        if target:
            place.symlink_to(target)
