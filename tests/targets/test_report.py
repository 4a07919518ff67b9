"""The JSON of a verification, as the scripts' shared part prints it: right for any bytes, under every shell and awk.

Python's own UTF-8 decoder says what a text of arbitrary bytes is.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consumers.requirement import require
from setpoint.compiler.render.verification import STATES
from setpoint.compiler.render.verification import Report as Described
from setpoint.targets._linux import part
from support.command import ROOT
from support.effort import examples
from support.golden import compare_schema
from support.limits import PATIENCE
from support.shell import shellcheck, stand_in

SCHEMA = ROOT / "compiler/render/verify.schema.json"

SHELLS = ("dash", "bash", "busybox sh")
AWKS = ("mawk", "gawk", "busybox")
KEYS = ("setting", "layer", "state", "wanted", "found", "pending", "reason")
NULL = ("found", "pending")
REPORT = f"""{part("report")}
while [ $# -gt 0 ]; do
    report "$1" "$2" "$3" "$4" "$5" "$6" "$7"
    shift 7
done
print_report 'the "policy"' || exit
report_status
"""

texts = st.binary(max_size=12).map(lambda text: text.replace(b"\0", b""))
tricky = st.sampled_from(
    [
        b"\xff",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x98\x80",
        b"\xf0\x9f\x98",
        b"\xe0\x80",
        b"\xf4\x90\x80\x80",
        b"\xc3",
        b"\xc3\xa4",
        b'"\\',
        b"\n\t\x01\x7f",
        b"%s\\n$x`y`",
    ]
)
any_text = st.lists(st.one_of(texts, tricky), max_size=4).map(b"".join)
rows = st.lists(st.tuples(*[any_text] * 7), max_size=3)


class Report:
    """What was printed, and the exit status."""

    def __init__(
        self, *rows: tuple[str | bytes, ...], shell: str = "dash", path: str = "/usr/bin:/bin"
    ) -> None:
        program, *applet = shell.split()
        done = subprocess.run(
            [str(require(program)), *applet, "-c", REPORT, "script", *(each for row in rows for each in row)],
            env={"PATH": path, "SETPOINT_HOST": "c042"},
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        self.status, self.printed, self.said = done.returncode, done.stdout, done.stderr.decode()

    @property
    def document(self) -> Any:
        return json.loads(self.printed.decode("ascii"))


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A PATH for each awk, which has that in front."""
    folder = tmp_path_factory.mktemp("awks")
    return {
        awk: os.pathsep.join([str(stand_in(folder / awk, require(awk), "awk")), "/usr/bin", "/bin"])
        for awk in AWKS
    }


@pytest.mark.parametrize(("shell", "awk"), list(zip(SHELLS, AWKS, strict=True)))
@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=rows)
def test_any_bytes_are_what_python_decodes_them_to(
    paths: dict[str, str], shell: str, awk: str, rows: list[tuple[bytes, ...]]
) -> None:
    document = Report(*rows, shell=shell, path=paths[awk]).document
    assert (document["schema"], document["host"], document["policy"]) == (
        "setpoint.verify/1",
        "c042",
        'the "policy"',
    )
    decoded = [[text.decode("utf-8", "replace") for text in row] for row in rows]
    assert document["results"] == [
        {key: text or (None if key in NULL else "") for key, text in zip(KEYS, row, strict=True)}
        for row in decoded
    ]


def row(state: str, found: str = "on") -> tuple[str, ...]:
    return ("turbo", "firmware", state, "off", found, "", "")


def test_the_schema_is_that_of_the_models(update: bool) -> None:
    compare_schema(Described, SCHEMA, update)


@pytest.mark.parametrize("state", STATES)
def test_a_report_fits_the_schema(state: str) -> None:
    document = Report(row(state)).document
    jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")))
    (result,) = Described.model_validate(document).results
    assert (result.state, result.found, result.pending) == (state, "on", None)


@pytest.mark.parametrize(
    ("states", "status"),
    [
        ((), 0),
        (("ok", "not-applicable"), 0),
        (("ok", "differs"), 3),
        (("pending", "ok"), 3),
        (("locked",), 3),
        (("unreadable", "ok"), 4),
        (("unreadable", "differs"), 3),
        (("differs", "unreadable"), 3),
    ],
)
def test_the_status_is_that_of_the_worst_result(states: tuple[str, ...], status: int) -> None:
    report = Report(*map(row, states))
    assert report.status == status
    assert [result["state"] for result in report.document["results"]] == list(states)


def test_without_the_programs_it_needs_there_is_no_report(tmp_path: Path) -> None:
    bare = stand_in(tmp_path / "bare", require("busybox"), "uname", "od")
    report = Report(row("ok"), path=str(bare))
    assert (report.status, report.printed) == (4, b"")
    assert report.said == "there is no awk on this server: JSON cannot be printed\n"


def test_it_is_clean() -> None:
    assert shellcheck(f"#!/bin/sh\n{REPORT}") == ""
