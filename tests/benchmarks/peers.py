"""The peers: other languages, each with a program that resolves the extract of the library (`extract.py`).

The programs are in `resolvers/`, written as users of each language would write them, and `install-peers` installs what
runs them. Before anything is measured, all answers of all peers are compared with Setpoint's plans.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.cost import LONGEST, Cost, FailedError, TooLongError, typical
from benchmarks.extract import cases, extract, kinds_of, known

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "setpoint-benchmarks"
RESOLVERS = Path(__file__).parent / "resolvers"
MOST_MEMORY = 6 * 1024
"""The MiB that a run may be expected to take."""

REPEATED = 4
"""By how much hosts of kinds that occurred before can be expected to cost less: a language may keep what it has
resolved."""


class Peer(NamedTuple):
    """A language: the name of its program, "" for Python's, and the arguments; for how many hosts its answers are
    compared.

    In arguments, RESOLVERS stands for the folder of the programs, and EXTRACT and HOSTS for the data. It runs in the
    folder of the data.
    """

    title: str
    program: str
    arguments: tuple[str, ...]
    compared: int = 500

    @property
    def why_missing(self) -> str:
        """Why it cannot be measured; "" if it can."""
        if not self.program or (CACHE / "bin" / self.program).exists():
            return ""
        reason = CACHE / f"{self.program}.missing"
        return reason.read_text("utf-8").strip() if reason.exists() else "it is not installed"

    @property
    def release(self) -> str:
        """The release that was installed."""
        if not self.program:
            return sys.version.partition(" ")[0]
        return (CACHE / f"{self.program}.release").read_text("utf-8").strip().rpartition("@")[2].lstrip("v")

    def command(self, folder: Path) -> list[str]:
        """What resolves the hosts of a folder."""
        program = str(CACHE / "bin" / self.program) if self.program else sys.executable
        places = {
            "RESOLVERS": RESOLVERS,
            "EXTRACT": folder / "extract.json",
            "HOSTS": folder / "hosts.json",
        }
        arguments = list(self.arguments)
        for name, place in places.items():
            arguments = [argument.replace(name, str(place)) for argument in arguments]
        return [program, *arguments]

    def answers(self, folder: Path) -> dict[str, dict[str, str]]:
        """The settings of each host of a folder."""
        done = subprocess.run(self.command(folder), capture_output=True, text=True, check=True, cwd=folder)
        printed: dict[str, Any] = json.loads(done.stdout or done.stderr)
        found: dict[str, dict[str, str]] = printed.get("answers", printed)  # Pkl names what it evaluates
        return found


DATA = ("EXTRACT", "HOSTS", "RESOLVERS/resolve.cue")
PEERS = (
    Peer("Python", "", ("RESOLVERS/by_hand.py", "EXTRACT", "HOSTS")),
    Peer("Starlark", "starlark", ("resolve.star",)),
    Peer(
        "Pkl",
        "pkl",
        (
            "eval",
            "--format=json",
            "--property=extract=EXTRACT",
            "--property=hosts=HOSTS",
            "RESOLVERS/resolve.pkl",
        ),
    ),
    Peer(
        "OPA (Rego)",
        "opa",
        (
            *("eval", "--format=raw", "--data=EXTRACT", "--data=RESOLVERS/resolve.rego", "--input=HOSTS"),
            "data.resolve.answers",
        ),
    ),
    Peer(
        "Jsonnet",
        "jsonnet",
        ("--tla-code-file", "extract=EXTRACT", "--tla-code-file", "hosts=HOSTS", "RESOLVERS/resolve.jsonnet"),
    ),
    Peer("CUE", "cue", ("export", "--expression=answers", *DATA), compared=50),
)


class DifferentAnswerError(Exception):
    """A peer does not resolve what Setpoint plans."""


def write(folder: Path, hosts: int, kinds: int) -> None:
    """Write the data of the peers: the extract and the hosts, as JSON and as Starlark, which cannot read files."""
    folder.mkdir(parents=True, exist_ok=True)
    data = {"extract": extract(kinds), "hosts": cases(hosts, kinds)}
    for name, content in data.items():
        (folder / f"{name}.json").write_text(json.dumps({name: content}), encoding="utf-8")
    star = "".join(f"{name.upper()} = {content!r}\n" for name, content in data.items())
    (folder / "data.star").write_text(star, encoding="utf-8")
    shutil.copy(RESOLVERS / "resolve.star", folder)


def compare(peer: Peer, folder: Path, hosts: int, kinds: int) -> None:
    """Compare all answers of a peer with Setpoint's plans. Raises DifferentAnswerError."""
    found = peer.answers(folder)
    for host, kind in kinds_of(hosts, kinds):
        if found.get(host) != known(kind).answer:
            raise DifferentAnswerError(f"{peer.title}: {host}, {kind}")


def costs(peer: Peer, folders: Mapping[int, Path]) -> dict[int, Cost]:
    """What a peer costs for each number of hosts, up to the first that takes too long or fails for want of memory."""
    found: dict[int, Cost] = {}
    for hosts, folder in folders.items():
        if found and is_too_much(found, hosts, REPEATED * LONGEST):
            break
        try:
            found[hosts] = typical(*peer.command(folder), cwd=folder)
        except (TooLongError, FailedError):
            break
    return found


def is_too_much(found: Mapping[int, Cost], size: int, most: float = LONGEST) -> bool:
    """Whether a larger size can be expected to take more CPU seconds, or too much memory, given the costs of smaller
    ones.

    Time is expected in proportion to the largest, memory to grow as it did between the two largest.
    """
    *_, largest = sorted(found)
    if found[largest].cpu * size / largest > most:
        return True
    before = [each for each in sorted(found) if each < largest][-1:]
    grown = [(found[largest].memory - found[each].memory) / (largest - each) for each in before]
    return any(found[largest].memory + each * (size - largest) > MOST_MEMORY for each in grown)
