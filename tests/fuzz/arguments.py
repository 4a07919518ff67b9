"""Reads the command line and the environment: options in any order, with any words, and variables with any value."""

from pathlib import Path
from random import Random

from fuzz import corpus, spoil
from fuzz.property import command

VERBS = [
    "plan",
    "compile",
    "check",
    "explain",
    "diff",
    "waivers",
    "fmt",
    "kb list",
    "kb show",
    "kb diff",
    "kb coverage",
    "kb",
    "help",
    "completion",
    "",
]
"""Without `kb check`: proving the whole library takes a minute; `knowledge` proves a small one."""

OPTIONS = [
    "-e", "--policy", "--group", "--host", "--root", "--today", "--format", "--also", "--may-be-gone", "-o", "--target", "--within",
    "--check", "--help", "--version", "-h", "--", "-", "--quiet", "-ex", "-o=x", "--format=json", "--today=2026-02-30",
]  # fmt: skip

WORDS = [
    "web.tune", "site", ".", "..", "out", "none.tune", "none.json", "text", "json", "markdown", "sarif", "2027-01-01", "99999", "-1", "smt",
    "turbo", "E0101", "e0101", "standard", "sources", "json=found.json", "junit=/dev/null", "sarif=site", "=", "x=y", "tuned", "report",
    "web.tune/x", "/proc/x", "/dev/null", "x" * 300, "a/b/c", "man", "bash", "dell-11g-hpc", "dell-11g-hpc.table-6", "HEAD", "HEAD..",
]  # fmt: skip

VARIABLES = {
    "COLUMNS": ["²", "-1", "0", "9" * 5_000, "1e3", " 100", "100", ""],
    "XDG_CACHE_HOME": ["relative", "/dev/null", "/proc", "/nowhere/x", ""],
    "HOME": ["", "relative", "/dev/null"],
    "LC_ALL": ["C", "xx_XX", ""],
    "GIT_DIR": ["", "/nowhere", "/dev/null"],
    "PATH": ["", "/nowhere"],
    "TZ": ["", "nowhere", ":/dev/zero"],
    "LINES": ["x"],
}


def once(random: Random, folder: Path) -> None:
    """Run a command with arguments that nobody would use."""
    corpus.put(
        {"web.tune": corpus.SMALL.encode(), "site/own.tune": b'source lab { title "x"; publisher "x"; }'},
        folder,
    )
    words = random.choice(VERBS).split()
    for _ in range(random.randrange(6)):
        words.append(_word(random))
    env = {name: random.choice(values) for name, values in VARIABLES.items() if random.random() < 0.15}
    command(*words, folder=folder, **env)


def _word(random: Random) -> str:
    way = random.random()
    if way < 0.4:
        return random.choice(OPTIONS)
    if way < 0.8:
        return random.choice(WORDS)
    if way < 0.9:
        return random.choice(corpus.words())
    return spoil.word(random).replace("/", "")[:5_000]
