"""Foreign JSON is read or refused with a code, whatever it contains."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from review.sides import run

from setpoint.compiler.files.reading import MOST_BYTES, MOST_LEVELS, parse_json
from setpoint.compiler.lowering.bundle import manifest_of
from support.command import in_shell, setpoint

POLICY = "goal latency; cpu westmere;"


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle to be copied."""
    folder = tmp_path_factory.mktemp("bundle")
    assert setpoint("compile", "-e", POLICY, "-o", "out", cwd=folder).status == 0
    return folder / "out"


@pytest.fixture
def folder(tmp_path: Path, bundle: Path) -> Path:
    """A folder with a copy of the bundle, a policy, and a record of a test run."""
    in_shell(f"cp -r {bundle} out", tmp_path)
    (tmp_path / "web.tune").write_text(POLICY)
    record = {"schema": "setpoint.kb-exercised/1", "rules": [], "constraints": [], "hazards": []}
    (tmp_path / "record.json").write_text(json.dumps(record))
    return tmp_path


READERS = {
    "out/plan.json": ("diff out web.tune", "E0606"),
    "out/plan.json by name": ("diff web.tune out/plan.json", "E0606"),
    "record.json": ("kb coverage record.json", "E0606"),
    "out/manifest.json": ("compile web.tune -o out", "E0605"),
}
"""The commands that read JSON, by the file that they read, and the code with which they refuse it."""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("levels", [MOST_LEVELS, 100_000])
@pytest.mark.parametrize("brackets", ["[]", "{}"])
def test_json_that_is_nested_deep_is_refused(folder: Path, reader: str, levels: int, brackets: str) -> None:
    command, code = READERS[reader]
    begin = "[" if brackets == "[]" else '{"x": '
    file = folder / reader.split()[0]
    file.write_text('{"schema": "setpoint.plan/2", "x": ' + begin * levels + "1" + brackets[1] * levels + "}")
    ran = run(*command.split(), folder=folder)
    assert (ran.status, f"error[{code}]" in ran.err, "Traceback" in ran.err) == (4, True, False)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", ["", "nul", "NaN", "9" * 5_000, "\ufeff{}", b"\xff\xfe{\0}\0", "[1e999]"])
def test_a_file_that_is_not_json_is_refused(folder: Path, reader: str, text: str | bytes) -> None:
    command, code = READERS[reader]
    (folder / reader.split()[0]).write_bytes(text.encode() if isinstance(text, str) else text)
    ran = run(*command.split(), folder=folder)
    wanted = "E0604" if isinstance(text, bytes) and code == "E0606" else code
    assert (ran.status, f"error[{wanted}]" in ran.err, "Traceback" in ran.err) == (4, True, False)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_pipe_in_its_place_is_not_waited_for(
    folder: Path, reader: str, make: Callable[[Path], None]
) -> None:
    command, code = READERS[reader]
    (folder / reader.split()[0]).unlink()
    make(folder / reader.split()[0])
    ran = run(*command.split(), folder=folder)
    assert (ran.status, "Traceback" in ran.err) == (4, False)
    assert f"error[{'E0605' if code == 'E0605' else 'E0601'}]" in ran.err or code != "E0605"


def test_a_manifest_that_lists_itself_does_not_recurse(folder: Path) -> None:
    (folder / "out/manifest.json").write_text('{"schema": "setpoint.bundles/1", "policies": [".", ".."]}')
    ran = run("compile", "web.tune", "-o", "out", folder=folder)
    assert (ran.status, "error[E0605]: `out` exists and holds" in ran.err) == (4, True)


@pytest.mark.parametrize(
    "change",
    [{"targets": [["tuned"]]}, {"targets": "tuned"}, {"files": [{"path": 1, "mode": [], "sha256": {}}]},
     {"files": {"path": "x"}}, {"files": ["x"]}, {"schema": ["setpoint.bundle/1"]}],
)  # fmt: skip
def test_a_manifest_of_another_shape_says_nothing(folder: Path, change: dict[str, Any]) -> None:
    file = folder / "out/manifest.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    assert manifest_of(str(folder / "out")) is None
    ran = run("diff", "out", "web.tune", folder=folder)
    assert (ran.status, ran.out) == (0, "No change: every policy has the same plan.\n")


def test_json_may_be_as_deep_as_ours_ten_times_over() -> None:
    data: Any = 1
    for _ in range(MOST_LEVELS):
        data = [data]
    assert parse_json(json.dumps(data)) == data
    with pytest.raises(ValueError, match=f"nested more than {MOST_LEVELS} levels deep"):
        parse_json(json.dumps([data]))


# --------------------------------------------------------------------------------------- other files


@pytest.mark.parametrize("command", ["plan big.tune", "check big.tune", "fmt big.tune", "plan /dev/stdin"])
def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path, command: str) -> None:
    with (tmp_path / "big.tune").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    ran = in_shell(f"yes '#' | setpoint {command}", tmp_path)
    assert (ran.status, "error[E0608]" in ran.out + ran.err) == (4, True)


@pytest.mark.parametrize("place", ["/dev/stdin", "/dev/fd/0"])
def test_a_policy_may_come_from_a_pipe_that_a_shell_hands_over(tmp_path: Path, place: str) -> None:
    assert in_shell(f"echo '{POLICY}' | setpoint plan {place}", tmp_path).status == 0
