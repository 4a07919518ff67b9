"""The files by which forges and pre-commit know Setpoint: valid by their schemas, in step with the script, and run."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from consumers.requirement import require, unmet
from review.pipeline import SCRIPT, Pipeline
from review.repository import ENVIRONMENT, Repository
from review.sides import run, write
from support.command import ROOT, Ran
from support.fences import fences
from support.limits import PATIENCE

ACTION = ROOT / "action.yml"
TEMPLATE = ROOT / ".ci/gitlab.yml"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
POLICY = "goal efficiency; cpu westmere; platform r710; workload interactive;\n"


def tool(name: str, *arguments: str, folder: Path = ROOT, timeout: int = PATIENCE) -> Ran:
    """A program of the development environment."""
    done = subprocess.run(
        [sys.executable, "-m", name, *arguments],
        cwd=folder,
        env={**os.environ, **ENVIRONMENT},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("file", "schema"),
    [(".github/workflows/test.yml", "github-workflows"), (".gitlab-ci.yml", "gitlab-ci")],
)
def test_the_projects_own_pipelines_are_valid_and_run_the_test_command(file: str, schema: str) -> None:
    path = ROOT / file
    assert tool("check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(path)).status == 0
    assert ".ci/run" in path.read_text(encoding="utf-8")
    assert "exec make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_workflow_of_releases_is_valid_and_takes_actions_by_their_commit() -> None:
    """It publishes: whoever could move a tag of an action could publish as well."""
    path = ROOT / ".github/workflows/release.yml"
    assert tool("check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(path)).status == 0
    jobs = read(path)["jobs"].values()
    used = [step["uses"] for job in jobs for step in job["steps"] if "uses" in step]
    assert used
    assert [each for each in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each)] == []
    made = [step["run"] for job in jobs for step in job["steps"] if "make release" in step.get("run", "")]
    assert made and all('TAG="$GITHUB_REF_NAME"' in each for each in made)


def test_at_night_they_run_all_of_each_matrix() -> None:
    github = read(ROOT / ".github/workflows/test.yml")
    assert github[True]["schedule"]  # YAML 1.1 takes `on` for a truth value
    steps = [step.get("run", "") for step in github["jobs"]["test"]["steps"]]
    assert ".ci/run OPTIONS=${{ github.event_name == 'schedule' && '--complete' || '' }}" in steps
    gitlab = read(ROOT / ".gitlab-ci.yml")
    (nightly,) = (rule for rule in gitlab["workflow"]["rules"] if "schedule" in rule["if"])
    assert nightly["variables"] == {"OPTIONS": "--complete"}
    assert ".ci/run OPTIONS=$OPTIONS" in gitlab["test"]["script"]
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", "test", "OPTIONS=--complete"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.search(r"/pytest .*--complete$", done.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        (".github/workflows/test.yml", "python"),
        (".gitlab-ci.yml", "python"),
        (".github/workflows/release.yml", "try"),
    ],
)
def test_they_try_every_python_that_is_supported(file: str, name: str) -> None:
    """The versions of the package's classifiers, of which the first is the oldest that it can be installed with."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [
        line.rpartition(" ")[2] for line in project["classifiers"] if re.search(r"Python :: 3\.\d+$", line)
    ]
    jobs = read(ROOT / file)
    job = jobs["jobs"][name] if "jobs" in jobs else jobs[name]
    matrix = (
        job["strategy"]["matrix"]["python"]
        if "strategy" in job
        else job["parallel"]["matrix"][0]["PYTHON_VERSION"]
    )
    assert matrix == named
    assert project["requires-python"] == f">={named[0]}"


def test_pre_commit_runs_the_tools_of_the_checkout() -> None:
    done = tool("pre_commit", "validate-config", str(ROOT / ".pre-commit-config.yaml"))
    assert done.status == 0, done.out + done.err
    hooks = read(ROOT / ".pre-commit-config.yaml")["repos"][0]["hooks"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = [
        makefile.partition(f"\n{each}:")[2].partition("\n\n")[0]
        for each in makefile.partition("\nlint:")[2].partition("\n")[0].split()
    ]
    linted = [re.findall(r"\$\(BIN\)/(.+)", recipe) for recipe in recipes]
    assert linted and all(linted)
    assert {f".venv/bin/{command}" for commands in linted for command in commands} <= {
        hook["entry"] for hook in hooks
    }


@pytest.mark.parametrize(("file", "schema"), [(ACTION, "github-actions"), (TEMPLATE, "gitlab-ci")])
def test_valid_by_the_schema_of_the_forge(file: Path, schema: str, tmp_path: Path) -> None:
    """And the schema detects errors: without `runs`, or with a script that is a number, it is invalid."""
    assert tool("check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(file)).status == 0
    data = read(file)
    spoilt = (
        {k: v for k, v in data.items() if k != "runs"}
        if file == ACTION
        else {**data, "setpoint-review": {"script": 1}}
    )
    (tmp_path / "spoilt.yml").write_text(yaml.safe_dump(spoilt), encoding="utf-8")
    assert (
        tool("check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(tmp_path / "spoilt.yml")).status
        == 1
    )


def test_no_expression_of_github_becomes_text_of_a_command() -> None:
    """What a pull request can choose (its branch, its title) must not be able to write shell."""
    for step in read(ACTION)["runs"]["steps"]:
        assert "${{" not in step["run"], step["name"]


def test_what_they_pass_is_what_the_script_reads() -> None:
    script = SCRIPT.read_text(encoding="utf-8")
    head = script.partition("set -eu")[0]
    known = set(re.findall(r"\b(?:SETPOINT|GH)_[A-Z]+\b", script))
    passed = {name for step in read(ACTION)["runs"]["steps"] for name in step["env"]} - {"ACTION"}
    passed |= set(re.findall(r"SETPOINT_[A-Z]+(?==)", read(ACTION)["runs"]["steps"][1]["run"]))
    template = read(TEMPLATE)
    given = {*template["variables"], *template["setpoint-review"]["variables"]}
    given -= {"SETPOINT_REVISION", "SETPOINT_SOURCE"}  # of the template itself
    assert passed - known == set()
    assert given - known == set()
    assert {name for name in known if name not in head and name != "SETPOINT_PATH"} == set(), (
        "not in the script's head"
    )


def test_the_gitlab_job_keeps_what_the_script_writes() -> None:
    job = read(TEMPLATE)["setpoint-review"]
    out = job["variables"]["SETPOINT_OUT"]
    assert job["artifacts"]["paths"] == [f"{out}/"]
    assert job["artifacts"]["reports"]["junit"] == f"{out}/check.xml"


def test_the_step_of_the_action_comments(tmp_path: Path) -> None:
    """Its own text, with the expressions of GitHub filled in as GitHub would."""
    pipeline = Pipeline(tmp_path, "github")
    pipeline.repository.commit({"policies/web.tune": POLICY})
    base = pipeline.repository.commit({})
    pipeline.repository.commit({"policies/web.tune": POLICY.replace("efficiency", "balanced")})
    action = read(ACTION)
    values = {f"inputs.{name}": str(given["default"]) for name, given in action["inputs"].items()} | {
        "inputs.path": "policies",
        "inputs.base": base,
        "inputs.token": "s3cret",
        "inputs.comment == 'true' && 'github' || 'no'": "github",
        "github.event.pull_request.number": "7",
        "github.action_path": str(ROOT),
    }
    step = action["runs"]["steps"][1]
    env = {k: re.sub(r"\$\{\{ (.*?) \}\}", lambda m: values[m[1]], v) for k, v in step["env"].items()}
    done = subprocess.run(
        [str(require("dash")), "-e", "-c", step["run"]],
        cwd=pipeline.repository.folder,
        env={**pipeline.environment, **env, "RUNNER_TEMP": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "goal is balanced now" in pipeline.comments[0]["body"]
    assert (tmp_path / "setpoint-review/check.sarif").is_file()


PAGE = ROOT / "docs/guides/ci.md"


@pytest.mark.parametrize(
    ("section", "check"),
    [
        ("Before a commit", ("pre_commit", "validate-config")),
        ("GitHub", ("check_jsonschema", "--builtin-schema", "vendor.github-workflows")),
        ("GitLab", ("check_jsonschema", "--builtin-schema", "vendor.gitlab-ci")),
    ],
)
def test_what_the_manual_shows_is_valid(section: str, check: tuple[str, ...], tmp_path: Path) -> None:
    shown = fences(PAGE.read_text(encoding="utf-8"))
    (text,) = (fence.text for fence in shown if fence.section == section and fence.info == ("yaml",))
    (tmp_path / "shown.yaml").write_text(text, encoding="utf-8")
    assert tool(*check, str(tmp_path / "shown.yaml")).status == 0


def test_the_manual_names_everything() -> None:
    """Hooks, inputs, outputs and variables."""
    page = PAGE.read_text(encoding="utf-8")
    action = read(ACTION)
    assert set(re.findall(r"id: (setpoint-\w+)", page)) == {hook["id"] for hook in read(HOOKS)}
    rows = re.findall(r"^\| (`.*?`) \|", page, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == set(action["inputs"])
    assert all(f"`{name}`" in page for name in action["outputs"])
    script = SCRIPT.read_text(encoding="utf-8") + TEMPLATE.read_text(encoding="utf-8")
    assert all(name in script for name in re.findall(r"SETPOINT_[A-Z]+", page))


# ------------------------------------------------------------------------------------------ pre-commit


def test_the_manifest_of_hooks_is_valid() -> None:
    assert tool("pre_commit", "validate-manifest", str(HOOKS)).status == 0


def copy_of_the_project(folder: Path) -> Repository:
    """A repository with the project's files as they lie here, committed: what pre-commit would clone."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    if listed.returncode:
        unmet("this is no git checkout")
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file() and not name.startswith(("tests/", "examples/")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name, follow_symlinks=False)
    made = Repository(folder)
    made.commit({})
    return made


def offline(said: str) -> None:
    """Skip a test if its pip could not connect."""
    if "Could not find a version that satisfies the requirement" in said:
        unmet("pip reaches no registry, so that the package cannot be built from its sources")


def test_the_hooks_run(tmp_path: Path) -> None:
    """As in somebody's repository: pre-commit builds the package from a clone, and runs the hooks on a change."""
    project = copy_of_the_project(tmp_path / "project")
    repository = Repository(tmp_path / "policies")
    repository.commit(
        {"web.tune": POLICY, "old.tune": 'accept turbo-vs-efficiency because "a week" until 2026-01-01;\n'}
    )
    (repository.folder / "web.tune").write_text("goal latncy; cpu westmere", encoding="utf-8")
    repository.git("add", "--all")
    ran = tool(
        "pre_commit",
        "try-repo",
        str(project.folder),
        "--color=never",
        folder=repository.folder,
        timeout=PATIENCE,
    )
    said = ran.out + ran.err
    offline(said)
    results = dict(re.findall(r"^(setpoint \w+)\.+(\w+)$", said, re.M))
    assert results == {"setpoint check": "Failed", "setpoint fmt": "Failed", "setpoint waivers": "Failed"}, (
        said
    )
    assert "did you mean `latency`?" in said
    assert (repository.folder / "web.tune").read_text(encoding="utf-8") == "goal latncy;\ncpu westmere;\n"
    assert "expired" in said


def test_hooks_that_check_the_whole_folder_always_run() -> None:
    """A commit that only deletes an included file changes no file that pre-commit would pass to a hook."""
    whole = [hook for hook in read(HOOKS) if not hook.get("pass_filenames", True)]
    assert [hook["id"] for hook in whole] == ["setpoint-check", "setpoint-waivers"]
    assert all(hook["always_run"] and "files" not in hook for hook in whole)


def test_each_hook_is_a_command_that_takes_its_arguments(tmp_path: Path) -> None:
    folder = write(tmp_path, {"web.tune": "goal efficiency;\ncpu   westmere;\n"})
    for hook in read(HOOKS):
        command, verb = hook["entry"].split()
        assert (command, hook["language"]) == ("setpoint", "python")
        assert run(verb, *hook.get("args", ["web.tune"]), folder=folder).status == 0


# ------------------------------------------------------------------------------------------ installing


@pytest.mark.repeated
def test_the_action_installs_what_it_runs(tmp_path: Path) -> None:
    """Its first step, from a clone of the project, into a separate environment."""
    project = copy_of_the_project(tmp_path / "project")
    step = read(ACTION)["runs"]["steps"][0]
    assert step["env"] == {"ACTION": "${{ github.action_path }}"}
    done = subprocess.run(
        [str(require("dash")), "-e", "-c", step["run"]],
        env={**os.environ, "ACTION": str(project.folder), "RUNNER_TEMP": str(tmp_path), "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    offline(done.stderr)
    assert done.returncode == 0, done.stderr
    command = [str(tmp_path / "setpoint/bin/setpoint"), "plan", "-e", POLICY]
    planned = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert "dell-11g-hpc, Table 6" in planned.stdout
