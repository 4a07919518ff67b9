"""Which files of tests run by day, and in which order.

A file is one worker's, so those that take longest come first, for all workers to end at the same time. How long each took is recorded
in `tests/durations.json` by `pytest --record-durations`.

Roll-outs take a third of the time, since each starts what a server has. By day a part of them runs, drawn by the commit: each
commit draws another, so that the commits of a week run all of them; and so does each night, with `--complete`. What is named on the
command line always runs.
"""

import json
import subprocess
from collections.abc import Iterable, Mapping

from support.command import ROOT

RECORD = ROOT / "tests/durations.json"
"""Seconds by file, for those that take one or more."""

DRAWN = "rollouts/"
"""The folder of which a part is drawn."""

PART = "ROLLOUTS"
"""The variable of the environment with the number of the part, empty for all of them."""

PARTS = 5
"""How many parts it has."""


def recorded() -> dict[str, int]:
    """The seconds that files took when they were last recorded, by their paths in `tests`."""
    seconds: dict[str, int] = json.loads(RECORD.read_text(encoding="utf-8"))
    return seconds


def record(seconds: Mapping[str, float]) -> None:
    """Record how long files took. What did not run keeps its time, unless it is gone."""
    known = recorded() | {path: round(taken) for path, taken in seconds.items()}
    kept = {
        path: taken for path, taken in sorted(known.items()) if taken and (ROOT / "tests" / path).is_file()
    }
    RECORD.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def parts(paths: Iterable[str], seconds: Mapping[str, int]) -> list[list[str]]:
    """Files in parts that take about the same time: each, from the longest on, goes to the part that has least so far."""
    divided: list[list[str]] = [[] for _ in range(PARTS)]
    for path in sorted(paths, key=lambda path: (-seconds.get(path, 0), path)):
        min(divided, key=lambda part: sum(seconds.get(each, 0) for each in part)).append(path)
    return divided


def drawn() -> int | None:
    """The part that the commit draws; None where there is none, and all run."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return int(done.stdout, 16) % PARTS if done.returncode == 0 else None
