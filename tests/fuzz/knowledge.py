"""Reads knowledge: a site's own beside the standard library, and a small knowledge base that is proven and compared."""

from pathlib import Path
from random import Random

from fuzz import corpus, spoil
from fuzz.property import command

OF_A_SITE = [
    "plan web.tune", "plan web.tune --format json", "check web.tune", "check . --format json", "explain web.tune smt",
    "fmt site.tune", "compile web.tune -o out", "diff good.tune web.tune", "kb coverage web.tune --format json",
]  # fmt: skip

OF_A_BASE = [
    "kb check lab.tune", "kb check lab.tune --format json", "kb check lab.tune --format sarif --quiet", "kb diff good.tune lab.tune",
    "kb diff lab.tune good.tune --format json", "fmt lab.tune", "check lab.tune", "kb disputes lab.tune",
]  # fmt: skip


def once(random: Random, folder: Path) -> None:
    """Spoil a piece of knowledge, and have a command or two read it."""
    if random.random() < 0.5:
        spoilt = spoil.text(random, corpus.laboratory(), _words(), random.choice(corpus.knowledge()))
        corpus.put(
            {"lab.tune": corpus.encoded(random, spoilt), "good.tune": corpus.laboratory().encode()}, folder
        )
        for verb in random.sample(OF_A_BASE, 2):
            command(*verb.split(), folder=folder)
        return
    piece, other = random.choice(corpus.knowledge()), random.choice(corpus.knowledge())
    spoilt = spoil.text(random, _renamed(random, piece), corpus.words(), other)
    policy = f'include "site.tune";\n{corpus.SMALL}'
    corpus.put(
        {
            "site.tune": corpus.encoded(random, spoilt),
            "web.tune": policy.encode(),
            "good.tune": corpus.SMALL.encode(),
        },
        folder,
    )
    command(*random.choice(OF_A_SITE).split(), folder=folder)


def _words() -> tuple[str, ...]:
    return tuple(sorted({*corpus.laboratory().split(), *corpus.words()[:200]}))


def _renamed(random: Random, piece: str) -> str:
    """Half of the time with other names: duplicate declarations are refused before anything else is read."""
    names = [word for word in corpus.words() if "-" in word and word in piece]
    for name in names if random.random() < 0.5 else ():
        piece = piece.replace(name, f"{name}-own") if random.random() < 0.5 else piece
    return piece
