"""Reads policies: every verb on a policy that is damaged in its words, its bytes, or its includes."""

from pathlib import Path
from random import Random

from fuzz import corpus, spoil
from fuzz.property import command

VERBS = [
    "plan web.tune", "plan web.tune --format json", "plan web.tune --format markdown", "check web.tune",
    "check web.tune --format json", "check . --format sarif", "check . --format junit", "check . --format github", "fmt web.tune",
    "fmt --check .", "explain web.tune smt", "compile web.tune -o out", "compile web.tune -o out --target tuned", "waivers .",
    "waivers . --format json", "kb coverage .", "diff good.tune web.tune", "diff web.tune good.tune --format markdown",
    "diff web.tune good.tune --format json",
]  # fmt: skip


def once(random: Random, folder: Path) -> None:
    """Spoil a policy, and have two commands read it."""
    source = random.choice(corpus.policies())
    if random.random() < 0.8:
        spoilt = corpus.encoded(
            random, spoil.text(random, source, corpus.words(), random.choice(corpus.policies()))
        )
    else:
        spoilt = spoil.data(random, source.encode())
    files = {"web.tune": spoilt, "good.tune": corpus.SMALL.encode()}
    if random.random() < 0.15:
        files |= _including(random, spoilt)
    corpus.put(files, folder)
    for verb in random.sample(VERBS, 2):
        command(*verb.split(), folder=folder)


def _including(random: Random, spoilt: bytes) -> dict[str, bytes]:
    """Files that include each other, and some that there are not."""
    names = [
        "web.tune",
        "site/a.tune",
        "site/b.tune",
        "none.tune",
        "../x.tune",
        "site",
        "",
        ".",
        "/dev/zero",
        "/dev/tty",
        spoil.odd(random),
    ]
    texts = {}
    for name in ("web.tune", "site/a.tune", "site/b.tune"):
        lines = "".join(f'include "{random.choice(names)}";\n' for _ in range(random.randrange(3)))
        texts[name] = lines.encode(errors="surrogatepass") + (spoilt if random.random() < 0.5 else b"")
    return texts
