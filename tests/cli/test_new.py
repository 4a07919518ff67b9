"""`setpoint new`: what it makes is right as it is, for Setpoint and for the forges."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.command import setpoint

SCHEMAS = {
    ".github/workflows/policies.yml": "vendor.github-workflows",
    ".gitlab-ci.yml": "vendor.gitlab-ci",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("work")
    ran = setpoint("new", "policies", cwd=folder)
    assert (ran.status, ran.out.splitlines()) == (
        0,
        [
            "policies: 9 files; README.md says how to go on",
            "state as SETPOINT in the pipelines what Setpoint is installed from; they fail until then",
        ],
    )
    return folder / "policies"


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_policies_are_right_as_they_are(made: Path) -> None:
    assert setpoint("fmt", "--check", ".", cwd=made).status == 0
    assert setpoint("check", ".", cwd=made).status == 0
    ran = setpoint("test", ".", cwd=made)
    assert (ran.status, ran.out.splitlines()[-1]) == (0, "3 expectations of 2 plans: all hold")


def test_the_readme_says_what_can_be_done(made: Path) -> None:
    text = (made / "README.md").read_text(encoding="utf-8")
    commands = [words.split("`")[0] for words in text.split("`setpoint ")[1:]]
    assert len(commands) > 7
    subprocess.run(["git", "init", "-q"], cwd=made, check=True)
    subprocess.run(["git", "add", "."], cwd=made, check=True)
    author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *author, "commit", "-q", "-m", "Policies"], cwd=made, check=True)
    assert {command: setpoint(*command.split(), cwd=made).status for command in commands} == dict.fromkeys(
        commands, 0
    )


@pytest.mark.parametrize(("name", "schema"), SCHEMAS.items())
def test_the_forges_accept_the_pipelines(made: Path, name: str, schema: str) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(made / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_hooks_are_valid(made: Path) -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-config", str(made / ".pre-commit-config.yaml")]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0


def test_what_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/todo").write_text("mine", encoding="utf-8")
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    for name in ("notes", "file"):
        ran = setpoint("new", name, cwd=tmp_path)
        assert (ran.status, ran.err.split("\n")[0]) == (
            4,
            f"error[E0605]: `{name}` has something in it already",
        )
    assert setpoint("new", ".", cwd=tmp_path / "notes").status == 4
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "notes", "todo"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "policies").mkdir()
    assert setpoint("new", "policies", cwd=tmp_path).status == 0
    assert (tmp_path / "policies/servers.tune").exists()
