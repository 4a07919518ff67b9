"""`setpoint new`: what it makes is right as it is, for Setpoint and for the forges."""

import os
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


def test_a_release_that_names_its_repository_installs_its_own_tag(tmp_path: Path) -> None:
    package = tmp_path / "installed/setpoint-1.2.3.dist-info/METADATA"
    package.parent.mkdir(parents=True)
    package.write_text(
        "Metadata-Version: 2.4\nName: setpoint\nVersion: 1.2.3\nProject-URL: Repository, https://forge.example.org/o/setpoint\n",
        encoding="utf-8",
    )
    paths = f"{package.parents[1]}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    command = [sys.executable, "-m", "setpoint.compiler", "new", "policies"]
    ran = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "policies: 9 files; README.md says how to go on\n"
    stated = read(tmp_path / "policies/.github/workflows/policies.yml")["env"]["SETPOINT"]
    assert stated == "git+https://forge.example.org/o/setpoint@v1.2.3"


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


def test_facts_can_be_left_to_the_inventory(tmp_path: Path) -> None:
    """As the README says: hosts of another kind contradict what the example states, until that is dropped; then the
    hooks pass."""
    assert setpoint("new", "policies", cwd=tmp_path).status == 0
    folder = tmp_path / "policies"
    hosts = folder / "hosts.csv"
    other = "c003.example.org,compute,PowerEdge R750,Intel(R) Xeon(R) Gold 6342 CPU @ 2.80GHz,2,rhel 9.4\n"
    hosts.write_text(hosts.read_text(encoding="utf-8") + other, encoding="utf-8")
    hooks = [hook["entry"].split() for hook in read(folder / ".pre-commit-config.yaml")["repos"][0]["hooks"]]
    checks = [words[1:] for words in hooks if "--inventory" in words]
    assert [words[0] for words in checks] == ["check", "test"]
    assert "or drop `platform c6420`" in setpoint(*checks[0], cwd=folder).out
    policy = folder / "servers.tune"
    kept = (line for line in policy.read_text(encoding="utf-8").splitlines(keepends=True))
    dropped = ("platform ", "cpu ", "os ", "sockets ")
    policy.write_text("".join(line for line in kept if not line.startswith(dropped)), encoding="utf-8")
    assert [setpoint(*words, cwd=folder).status for words in checks] == [0, 0]
    ran = setpoint("check", ".", "--inventory", "hosts.csv", cwd=folder)
    assert "`setpoint explain servers.tune c-states --inventory hosts.csv`" in ran.out
    assert setpoint("explain", "servers.tune", "c-states", "--inventory", "hosts.csv", cwd=folder).status == 0


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
