"""Measure everything that the manual's page on speed shows, and write that page.

    make bench            measure, and write docs/benchmarks.json, .md and .svg

Every figure is CPU time of the user and the system together, of processes of their own, on one processor, in one run:
so ratios between them do not depend on the machine, nor much on its load. Runs of less than a second are repeated, and
the median counts. Nothing may take more than a minute of CPU time (the largest fleet and the proof of the largest
library: three); what would is not measured, and the page estimates it from the largest that was.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks import captures, differing, fleet, page, peers, proof
from benchmarks.cost import LONGEST, Cost, FailedError, TooLongError, cost, on_one_processor, typical
from benchmarks.extract import GROUPS, extract, inventory, policy
from benchmarks.start_up import SETPOINT, start_up
from support.command import ROOT
from support.copies import write as write_library

SIZES = (1_000, 4_000, 10_000)
OTHERS = (250, 1_000)
LINES = (25_000, 100_000)
KINDS = 500
PEERED = (1, 50, 500, 10_000)
"""The numbers of hosts that peers resolve, of so many kinds."""

Costs = dict[str, Cost]
"""Costs by size or by name."""


def main() -> None:
    """Measure, and write the measurements and the page."""
    on_one_processor()
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as place:
        os.environ["XDG_CACHE_HOME"] = cache
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        found = measured(Path(place))
    page.DATA.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    page.write(found)


def measured(place: Path) -> dict[str, Any]:
    """All measurements. Raises DifferentAnswerError, before anything is measured."""
    answers = _peers(place / "peers")
    costs: dict[str, Costs] = {"start": start_up(os.environ)}
    _say("start", costs["start"])
    for name, series in chain(_files(place), _fleets(place), _captures(place), _libraries(place), _edits()):
        costs[name] = series
        _say(name, series)
    return {
        "python": sys.version.partition(" ")[0],
        "costs": {
            name: {size: [round(each.cpu, 5), round(each.memory)] for size, each in series.items()}
            for name, series in costs.items()
        },
        "extract": _size_of_extract(),
        "peers": answers,
    }


def _size_of_extract() -> dict[str, int]:
    """The numbers of settings, of pieces of advice and of limits; of groups, and of those that set something."""
    settings = extract(KINDS)["settings"].values()
    return {
        "settings": len(settings),
        "advice": sum(len(setting["advice"]) for setting in settings),
        "limits": sum(len(setting["limits"]) for setting in settings),
        "groups": len(GROUPS),
        "sets": sum(" set " in group for group in GROUPS.values()),
    }


def _say(name: str, series: Costs) -> None:
    shown = ", ".join(f"{size}: {each.cpu:.3f} s, {each.memory:.0f} MiB" for size, each in series.items())
    print(f"{name}: {shown or 'took too long'}", flush=True)


def _edits() -> Iterator[tuple[str, Costs]]:
    """A check from nothing, and after each kind of edit of the library."""
    yield "edits", {name: proven.cost for name, proven in proof.edited()}


# ------------------------------------------------------------------------------------- many policies


def policy_text(number: int, changed: bool = False) -> str:
    """A policy with a reason of its own; one in ten is `changed`."""
    own = "" if changed and number % 10 == 0 else f' set turbo off because "measured, LAB-{number}";'
    return f"goal latency; cpu skylake; platform r640; os rhel-8; workload comm-bound;{own}"


def other_text(number: int, changed: bool = False) -> str:
    """A policy that says something else than all others; one in ten is `changed`."""
    return f'{policy_text(number, changed)} set busy-poll {number + 1}us because "measured, LAB-{number}";'


def policies_text(size: int, changed: bool = False) -> str:
    """A file with so many policies; one in ten is `changed`."""
    return "".join(f"policy p{n} {{ {policy_text(n, changed)} }}\n" for n in range(size))


def long_text(lines: int) -> str:
    """Policies of ten lines each, which are not formatted."""
    form = "policy p{n} {{\n  goal   latency;\n    cpu skylake;\n platform r640;\n    os rhel-8;\n"
    form += (
        "    workload  comm-bound;\n\n    # a remark\n    set turbo off because 'measured, LAB-{n}';\n}}\n"
    )
    return "".join(form.format(n=number) for number in range(lines // 10)).replace("'", '"')


def _files(place: Path) -> Iterator[tuple[str, Costs]]:
    """Files with many policies, folders with many files, two of them, and files with many lines."""

    def one_file(size: int) -> Cost:
        path = place / "policies.tune"
        path.write_text(policies_text(size), encoding="utf-8")
        return typical(*SETPOINT, "check", str(path))

    def one_folder(size: int) -> Cost:
        return typical(*SETPOINT, "check", str(_folder(place / "old", size)))

    def two_folders(size: int, text: Callable[[int, bool], str] = policy_text) -> Cost:
        old, new = (_folder(place / side, size, side == "new", text) for side in ("old", "new"))
        return typical(*SETPOINT, "diff", str(old), str(new), statuses=(3,))

    def two_files(size: int) -> Cost:
        sides = [place / f"{side}.tune" for side in ("old", "new")]
        for path in sides:
            path.write_text(policies_text(size, changed=path.stem == "new"), encoding="utf-8")
        return typical(*SETPOINT, "diff", *map(str, sides), statuses=(3,))

    def lines(size: int) -> Cost:
        path = place / "long.tune"
        path.write_text(long_text(size), encoding="utf-8")
        return typical(*SETPOINT, "fmt", "--check", str(path), statuses=(3,))

    yield "policies", _series(SIZES, one_file)
    yield "files", _series(SIZES, one_folder)
    yield "diff", _series(SIZES, two_folders)
    yield "diff of files", _series(SIZES[:2], two_files)
    yield "diff of others", _series(OTHERS, lambda size: two_folders(size, other_text))
    yield "fmt", _series(LINES, lines)
    for name, (text, sizes) in differing.SERIES.items():
        yield name, _by_text(differing.checks(place, text, sizes))


def _folder(
    folder: Path, files: int, changed: bool = False, text: Callable[[int, bool], str] = policy_text
) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for number in range(files):
        (folder / f"p{number:06}.tune").write_text(text(number, changed) + "\n", encoding="utf-8")
    return folder


def _series(sizes: Sequence[int], cost_of: Callable[[int], Cost], most: float = LONGEST) -> Costs:
    """The cost of each size, up to the first that can be expected to take more than so many CPU seconds, or does."""
    found: dict[int, Cost] = {}
    for size in sizes:
        if found and peers.is_too_much(found, size, most):
            break
        try:
            found[size] = cost_of(size)
        except TooLongError:
            break
    return _by_text(found)


def _by_text(found: dict[int, Cost]) -> Costs:
    return {str(size): each for size, each in found.items()}


# -------------------------------------------------------------------------------------------- fleets


def _fleets(place: Path) -> Iterator[tuple[str, Costs]]:
    """Fleets of many hosts, blocks for many hosts, and the hosts that the peers resolve."""

    def kinds(size: int) -> Cost:
        table, site = place / "hosts.csv", place / "site.tune"
        site.write_text(policy(), encoding="utf-8")
        with table.open("w", encoding="utf-8") as file:
            file.writelines(inventory(size, KINDS))
        shutil.rmtree(place / "kinds", ignore_errors=True)
        return typical(*SETPOINT, "fleet", str(site), "--inventory", str(table), "-o", str(place / "kinds"))

    blocks: dict[int, Cost] = {}
    found: Costs = {}
    try:
        blocks.update(fleet.checks(place))
        for hosts, classes, used in fleet.fleets(place):
            found[f"{hosts} of {classes}"] = used
    except TooLongError:
        pass  # the page says which are not measured
    yield "blocks", _by_text(blocks)
    yield "fleets", found
    yield "kinds", _series(PEERED, kinds, math.inf)  # 10,000 hosts cost hardly more than one of each kind


def _captures(place: Path) -> Iterator[tuple[str, Costs]]:
    """Captured servers, compared with their plans."""
    yield "verify", _series(captures.SIZES, lambda size: captures.verified(place, size))


# --------------------------------------------------------------------------------- larger libraries


def _libraries(place: Path) -> Iterator[tuple[str, Costs]]:
    """The library with more vendors, installed as a wheel is: the first command, later ones, one more policy, and the
    proof."""
    found: dict[str, Costs] = {"first command": {}, "plan": {}, "one more policy": {}, "kb check": {}}
    plan = (*SETPOINT, "plan", "-e", "goal latency; cpu westmere; workload comm-bound")
    for vendors in proof.VENDORS:
        folder = place / f"library-{vendors}"
        env = _installed(vendors, folder)
        size = str(vendors)
        found["first command"][size] = cost(*plan, env=env)
        found["plan"][size] = typical(*plan, env=env)
        code = "from benchmarks.start_up import one_more_policy; print(one_more_policy())"
        seconds = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
        )
        found["one more policy"][size] = Cost(float(seconds.stdout), 0)
        try:
            found["kb check"][size] = proof.checked(vendors)
        except (TooLongError, FailedError):
            continue  # the page says that it is not measured
    yield from ((f"library: {name}", series) for name, series in found.items())


def _installed(vendors: int, folder: Path) -> dict[str, str]:
    """An installation with a larger library in a folder, and what its wheel would bring along; the environment that
    runs it."""
    package = folder / "setpoint"
    for room in ("compiler", "targets", "grammar"):
        shutil.copytree(ROOT / room, package / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(
        ROOT / ".dev/setpoint/__init__.py", package
    )  # without it a checkout that is installed comes first
    write_library(vendors, package / "stdlib")
    for path in (ROOT / "stdlib").iterdir():
        if path.suffix in (".toml", ".py"):
            shutil.copy(path, package / "stdlib")
    parts = (str(folder), str(ROOT / "tests"))
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(parts), "XDG_CACHE_HOME": str(folder / "cache")}
    made = package / "compiler/files/made"
    made.mkdir()
    code = f"from setpoint.compiler.knowledge.load import ship_made; ship_made({str(made)!r})"
    subprocess.run([sys.executable, "-c", code], env=env, check=True)
    subprocess.run([sys.executable, "-m", "compileall", "-q", package], env=env, check=True)
    return env


# --------------------------------------------------------------------------------------------- peers


def _peers(place: Path) -> dict[str, Any]:
    """The costs of all peers, once their answers are those of Setpoint."""
    folders = {size: place / str(size) for size in PEERED}
    for size, folder in folders.items():
        peers.write(folder, size, KINDS)
    missing = {peer.title: peer.why_missing for peer in peers.PEERS}
    for peer in peers.PEERS:
        if missing[peer.title]:
            continue
        try:
            peers.compare(peer, folders[peer.compared], peer.compared, KINDS)
        except (subprocess.CalledProcessError, OSError, ValueError) as error:
            print(f"{peer.title}: {error}", flush=True)
            missing[peer.title] = "its program fails here"
        else:
            print(f"{peer.title}: its answers for {peer.compared} hosts are those of Setpoint", flush=True)
    found: dict[str, Any] = {}
    for peer in peers.PEERS:
        if missing[peer.title]:
            found[peer.title] = {"missing": missing[peer.title]}
            continue
        costs = _by_text(peers.costs(peer, folders))
        _say(peer.title, costs)
        found[peer.title] = {
            "release": peer.release,
            "compared": peer.compared,
            "costs": {size: [round(each.cpu, 5), round(each.memory)] for size, each in costs.items()},
        }
    return found


if __name__ == "__main__":
    main()
