"""The input to damage: the policies and knowledge of the repository, and the words with a meaning in them."""

import json
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fuzz.property import command
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.language.tables import reserved_words
from support.command import ROOT

SMALL = "goal latency; cpu westmere; platform r710; os rhel 6.4; sockets 2;\n"
"""A policy that has a plan."""


@cache
def policies() -> tuple[str, ...]:
    """The texts of policies: those of the examples, and of the cases of the tests."""
    places = [*(ROOT / "examples").rglob("*.tune"), *(ROOT / "tests/resolution/cases").rglob("*.tune")]
    texts = {place.read_text(encoding="utf-8") for place in places if "expected" not in place.parts}
    return (SMALL, *sorted(text for text in texts if len(text) < 6_000))


@cache
def knowledge() -> tuple[str, ...]:
    """The texts of knowledge files, in pieces of a few declarations."""
    pieces = []
    for place in sorted((ROOT / "stdlib").rglob("*.tune")):
        parts = place.read_text(encoding="utf-8").split("\n\n")
        pieces += ["\n\n".join(parts[at : at + 4]) for at in range(0, len(parts), 4)]
    return tuple(piece for piece in pieces if len(piece) < 6_000)


@cache
def laboratory() -> str:
    """A separate knowledge base, small enough to be proven quickly."""
    return (ROOT / "tests/library/lab.tune").read_text(encoding="utf-8")


@cache
def words() -> tuple[str, ...]:
    """The words of the language, and the names that the standard library knows."""
    known = standard()
    values = {value for variable in known.variables.values() for value in variable.values}
    return tuple(
        sorted(
            {*reserved_words(), *known.variables, *values, *known.sources, *known.hazards, ";", "{", "}", ","}
        )
    )


@cache
def bundle() -> dict[str, bytes]:
    """A bundle of the small policy: its files by path."""
    with tempfile.TemporaryDirectory() as folder:
        assert command("compile", "-e", SMALL, "-o", "out", folder=Path(folder)).status == 0
        out = Path(folder) / "out"
        return {
            str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()
        }


def put(files: dict[str, bytes], folder: Path) -> None:
    """Write files below a folder."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def plan() -> dict[str, Any]:
    """The plan of the bundle, a fresh copy each time."""
    made: dict[str, Any] = json.loads(bundle()["plan.json"])
    return made


def encoded(random: Random, text: str) -> bytes:
    """A text as bytes, which are not UTF-8 if it contains surrogates."""
    return text.encode(errors="surrogatepass") if random.random() < 0.5 else text.encode(errors="replace")
