"""How much of a bundle somebody has to read: its lines without the two programs, that for hosts and the client.

A program is the same file in every bundle, so it is reviewed and tested once. All else is counted. What an operator
needs is not cut to fit: what stands in a bundle twice is.
"""

from pathlib import Path

import pytest

from setpoint.targets._client import client
from setpoint.targets._client.plan_files import DOCUMENTS
from setpoint.targets._host import program
from support.command import setpoint

MOST = 2500
"""Lines of a bundle of one server, without the programs."""

DATA = 300
"""Lines of the plans that its programs read."""

LATENCY = 'goal latency; os rhel 9; workload comm-bound; set c-states off because "jitter"; platform'
SERVERS = {
    "trading-edge": ("examples/trading-edge/trading.tune",),
    "efficient-web": ("examples/efficient-web/web.tune",),
    "grid-jobs": ("examples/grid-jobs/grid.tune",),
    "lab-findings": ("examples/lab-findings/fluent.tune",),
    "rehearsal": ("examples/rehearsal/rehearsal.tune",),
    "dell": ("-e", f"{LATENCY} r750"),
    "hpe": ("-e", f"{LATENCY} dl360-gen10-plus"),
    "lenovo": ("-e", f"{LATENCY} sr670-v2"),
    "supermicro": ("-e", f"{LATENCY} sys-821ge-tnhr"),
}
"""The examples for single servers, of which some have several policies, and of each maker one with many settings."""

PROGRAMS = {program().text, client().text}


def lines(files: list[Path]) -> int:
    """The number of lines of files that are no program."""
    texts = (file.read_text(encoding="utf-8") for file in files if file.is_file())
    return sum(text.count("\n") for text in texts if text not in PROGRAMS)


@pytest.fixture(scope="module", params=SERVERS.values(), ids=[*SERVERS])
def bundles(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The bundles of some policies, as they are made without options."""
    folder = tmp_path_factory.mktemp("bundle") / "out"
    ran = setpoint("compile", *request.param, "-o", str(folder), "--today", "2026-11-20")
    assert ran.status == 0, ran.err
    return [plan.parent for plan in folder.rglob("plan.json")]


def test_a_bundle_is_short(bundles: list[Path]) -> None:
    for bundle in bundles:
        assert 1000 < lines([*bundle.rglob("*")]) < MOST


def test_the_plans_of_its_programs_are_shorter(bundles: list[Path]) -> None:
    """Those of the program for hosts, and what the client reads."""
    for bundle in bundles:
        read = [*bundle.rglob("*.plan"), *map((bundle / "redfish").joinpath, DOCUMENTS)]
        assert 40 < lines(read) < DATA
