"""The pipelines of `setpoint new` in a real repository: their steps are run as the forges run them, with `bash -e`."""

import json
import os
import re
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from review.repository import ENVIRONMENT, Repository

from consumers.requirement import require
from support.command import ROOT, Ran, on_path, setpoint
from support.limits import PATIENCE

TOKEN = "s3cret"
INSTALL = "git+https://git.example.org/example/setpoint@v1"
NEW_MODEL = "x001.example.org,compute,NorthEdge R9999,Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz,2,rhel 9.4\n"
WHEEL = "vendor/setpoint.whl"

GH = f"""#!/bin/sh
[ "$GH_TOKEN" = {TOKEN} ] || exit 1
case "$*" in
    *--paginate*issues/7/comments*) cat "$FORGE/id" 2>/dev/null || true ;;
    *POST*issues/7/comments*) echo 101 >"$FORGE/id"; echo new >>"$FORGE/calls"; cp comment.md "$FORGE/body" ;;
    *PATCH*issues/comments/101*) echo rewritten >>"$FORGE/calls"; cp comment.md "$FORGE/body" ;;
    *) exit 2 ;;
esac
"""
"""Stands in for GitHub's client: it keeps one comment."""

PIP = """#!/bin/sh
for what; do :; done
if [ -f "$what" ]; then cat "$what" >"$FORGE/installed"; else echo "$what" >"$FORGE/installed"; fi
"""
"""Stands in for pip and pipx: it keeps what was to be installed, of a file the content."""


class Forge:
    """A repository made by `setpoint new`, with a change on a branch, and the programs of a job."""

    def __init__(self, folder: Path, install: str = INSTALL, **before: str) -> None:
        assert setpoint("new", "policies", "--install", install, cwd=folder).status == 0
        self.folder = folder
        self.repository = Repository(folder / "policies")
        self.base = self.repository.commit(dict(before))
        self.repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.repository.git("checkout", "--quiet", "-b", "change")
        self.path = on_path(folder)
        for name, text in (("gh", GH), ("pip", PIP), ("pipx", PIP)):
            (folder / "bin" / name).write_text(text, encoding="utf-8")
            (folder / "bin" / name).chmod(0o755)

    def read(self, name: str) -> str:
        """A file of the repository."""
        return (self.repository.folder / name).read_text(encoding="utf-8")

    def kept(self, name: str) -> str:
        """What a stand-in has kept."""
        path = self.folder / name
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def bash(self, script: str, variables: dict[str, str]) -> Ran:
        """Run a step."""
        done = subprocess.run(
            [str(require("bash")), "-e", "-c", script],
            cwd=self.repository.folder,
            env={
                **os.environ,
                **ENVIRONMENT,
                "PATH": self.path,
                "PYTHONPATH": str(ROOT / ".dev"),
                "FORGE": str(self.folder),
                **variables,
            },
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def github(self, event: str = "pull_request") -> dict[str, Ran]:
        """The steps of the workflow, by name; those that use tokens only where the workflow gives them one."""
        workflow = yaml.safe_load(self.read(".github/workflows/policies.yml"))
        files = {name: str(self.folder / name) for name in ("GITHUB_ENV", "GITHUB_STEP_SUMMARY")}
        variables = {**workflow["env"], **files, "RUNNER_TEMP": str(self.folder), "GITHUB_REPOSITORY": "o/p"}
        variables["GITHUB_BASE_REF"] = "main" if event == "pull_request" else ""
        values = {"github.token": TOKEN, "github.event.pull_request.number": "7"}
        (self.folder / "GITHUB_ENV").write_text("", encoding="utf-8")
        done: dict[str, Ran] = {}
        for step in workflow["jobs"]["policies"]["steps"]:
            only_requests = "github.event" in step.get("if", "")
            if "run" not in step or (only_requests and event != "pull_request"):
                continue
            assert "${{" not in step["run"]  # what a request can choose must not be able to write shell
            own = {
                name: re.sub(r"\$\{\{ (.*?) \}\}", lambda m: values[m[1]], text)
                for name, text in step.get("env", {}).items()
            }
            given = dict(line.split("=", 1) for line in self.kept("GITHUB_ENV").splitlines())
            done[step["name"]] = self.bash(step["run"], {**variables, **given, **own})
        return done

    def gitlab(self, **variables: str) -> Ran:
        """The job of the pipeline that checks, as one script."""
        pipeline = yaml.safe_load(self.read(".gitlab-ci.yml"))
        job = pipeline["policies"]
        script = "\n".join(step for step in (*job["before_script"], *job["script"]) if "apt-get" not in step)
        return self.bash(script, {**pipeline["variables"], **variables})


def failed(steps: dict[str, Ran]) -> list[str]:
    """The names of the steps that failed."""
    return [name for name, ran in steps.items() if ran.status]


def test_a_push_is_checked(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    steps = forge.github("push")
    assert (list(steps), failed(steps)) == (
        ["Find what the change started from", "Install Setpoint", "Format", "Check", "Test"],
        [],
    )
    assert forge.kept("installed") == f"{INSTALL}\n"
    assert forge.gitlab().status == 0


def test_without_a_place_to_install_from_they_say_so(tmp_path: Path) -> None:
    forge = Forge(tmp_path, install="")
    said = forge.github()["Install Setpoint"]
    assert (said.status, "state as SETPOINT in .github/workflows/policies.yml" in said.out) == (1, True)
    ran = forge.gitlab()
    assert (ran.status, "state as SETPOINT in .gitlab-ci.yml" in ran.out) == (1, True)


def test_a_change_gets_one_comment_which_is_rewritten(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    text = forge.read("servers.tune").replace("goal performance", "goal latency", 1)
    forge.repository.commit({"servers.tune": text})
    assert failed(forge.github()) == []
    assert failed(forge.github()) == []
    assert forge.kept("calls") == "new\nrewritten\n"
    body = forge.kept("body")
    assert body.startswith("<!-- setpoint -->\n")
    assert "2 hosts" in body
    assert body in forge.kept("GITHUB_STEP_SUMMARY")


def test_an_unknown_model_stops_the_change_that_brings_it_and_no_other(tmp_path: Path) -> None:
    """A change of the inventory alone: the workflow has no filter of paths that would pass over it."""
    forge = Forge(tmp_path)
    forge.repository.commit({"hosts.csv": forge.read("hosts.csv") + NEW_MODEL})
    steps = forge.github()
    assert failed(steps) == ["Check"]
    assert "::error file=hosts.csv,line=5," in steps["Check"].out
    assert forge.gitlab(CI_MERGE_REQUEST_DIFF_BASE_SHA=forge.base).status == 1
    # Once it is there, it stops nobody, and code scanning still has it.
    base = forge.repository.git("rev-parse", "HEAD")
    forge.repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    forge.repository.commit({"hosts.csv": forge.read("hosts.csv") + NEW_MODEL.replace("x001", "x002")})
    assert failed(forge.github()) == []
    (run,) = json.loads(forge.read("check.sarif"))["runs"]
    assert "E0701" in {result["ruleId"] for result in run["results"]}
    assert forge.gitlab(CI_MERGE_REQUEST_DIFF_BASE_SHA=base).status == 0
    trigger = yaml.safe_load(forge.read(".github/workflows/policies.yml"))[
        True
    ]  # YAML 1.1 takes `on` for a truth value
    assert trigger == {"push": {"branches": ["main"]}, "pull_request": None}


def test_nothing_that_a_change_brings_is_installed(tmp_path: Path) -> None:
    """Of a wheel in the repository a pull request gets that of its base."""
    forge = Forge(tmp_path, install=WHEEL, **{WHEEL: "ours"})
    forge.repository.commit({WHEEL: "theirs"})
    assert forge.github()["Install Setpoint"].status == 0
    assert forge.kept("installed") == "ours"
    forge.gitlab(CI_MERGE_REQUEST_DIFF_BASE_SHA=forge.base)
    assert forge.kept("installed") == "ours"
    other = tmp_path / "other"
    other.mkdir()
    new = Forge(other, install=WHEEL)
    new.repository.commit({WHEEL: "theirs"})
    for ran in (new.github()["Install Setpoint"], new.gitlab(CI_MERGE_REQUEST_DIFF_BASE_SHA=new.base)):
        assert (ran.status, "comes with the change, so it is not run" in ran.out) == (1, True)
    assert new.kept("installed") == ""


def test_only_the_step_that_comments_has_a_token(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    workflow = yaml.safe_load(forge.read(".github/workflows/policies.yml"))
    (checkout, *steps) = workflow["jobs"]["policies"]["steps"]
    assert checkout["with"]["persist-credentials"] is False
    assert [step["name"] for step in steps if "token" in str(step.get("env", ""))] == ["Comment"]
    jobs = yaml.safe_load(forge.read(".gitlab-ci.yml"))
    assert {name for name, job in jobs.items() if "SETPOINT_TOKEN" in str(job)} == {"comment"}
    assert jobs["comment"]["variables"] == {"GIT_STRATEGY": "none"}  # it has nothing of the change to run


class Notes(BaseHTTPRequestHandler):
    """Stands in for GitLab: the notes of one merge request, one to a page."""

    notes: list[dict[str, Any]]
    calls: list[str]

    def do(self) -> None:
        """Answer a request."""
        assert self.headers["PRIVATE-TOKEN"] == TOKEN
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "{}")
        type(self).calls.append(self.command)
        path, _, query = self.path.partition("?")
        answer: Any = {"username": "bot"}
        if self.command == "POST":
            answer = {"id": len(self.notes), "author": {"username": "bot"}, **body}
            self.notes.append(answer)
        elif self.command == "PUT":
            answer = self.notes[int(path.rpartition("/")[2])] | body
            self.notes[answer["id"]] = answer
        elif path.endswith("/notes"):
            page = int(query.rpartition("=")[2])
            answer = self.notes[page - 1 : page]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    do_GET = do_POST = do_PUT = do  # noqa: N815 - the names that the base class calls

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


def test_the_comment_on_gitlab_is_rewritten(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    Notes.notes = [{"id": 0, "author": {"username": "bob"}, "body": "<!-- setpoint -->"}]
    Notes.calls = []
    server = HTTPServer(("127.0.0.1", 0), Notes)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    (script,) = yaml.safe_load(forge.read(".gitlab-ci.yml"))["comment"]["script"]
    variables = {
        "CI_API_V4_URL": f"http://127.0.0.1:{server.server_port}",
        "CI_PROJECT_ID": "42",
        "CI_MERGE_REQUEST_IID": "7",
    }
    changes = forge.repository.folder / "changes.md"
    for body in ("<!-- setpoint -->\none", "<!-- setpoint -->\ntwo"):
        changes.write_text(body, encoding="utf-8")
        ran = forge.bash(script, {**variables, "SETPOINT_TOKEN": TOKEN})
        assert (ran.status, TOKEN in ran.out + ran.err) == (0, False), ran.err
        assert Notes.notes[1]["body"] == body
    ran = forge.bash(script, {**variables, "SETPOINT_TOKEN": ""})
    assert (ran.status, ran.out.startswith("no SETPOINT_TOKEN")) == (0, True)
    server.shutdown()
    assert len(Notes.notes) == 2
    assert [call for call in Notes.calls if call != "GET"] == ["POST", "PUT"]


@pytest.mark.parametrize("install", [INSTALL, 'a "b" \\ #c: ${{ d }}', "é"])
def test_what_is_stated_is_a_text_of_the_pipelines(tmp_path: Path, install: str) -> None:
    forge = Forge(tmp_path, install=install)
    assert yaml.safe_load(forge.read(".github/workflows/policies.yml"))["env"]["SETPOINT"] == install
    assert yaml.safe_load(forge.read(".gitlab-ci.yml"))["variables"]["SETPOINT"] == install
