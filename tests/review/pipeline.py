"""A forge's pipeline, as a script sees it: a real repository, a stand-in for the forge, and its environment."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from consumers.requirement import require
from review.repository import ENVIRONMENT, Repository
from support.command import ROOT, Ran
from support.limits import PATIENCE
from support.shell import stand_in
from support.warm import CLIENT, server

SCRIPT = ROOT / ".ci/review"
TOKEN = "s3cret"

FORGES = {
    "github": {
        "GITHUB_ACTIONS": "true",
        "GITHUB_REPOSITORY": "owner/policies",
        "GH_TOKEN": TOKEN,
        "SETPOINT_NUMBER": "7",
    },
    "gitlab": {
        "GITLAB_CI": "true",
        "CI_API_V4_URL": "https://gitlab.example/api/v4",
        "CI_PROJECT_ID": "42",
        "SETPOINT_TOKEN": TOKEN,
        "SETPOINT_NUMBER": "7",
    },
}
"""What the forges set in a job, and what their templates add."""

BOT = {"github": "github-actions[bot]", "gitlab": "setpoint-bot"}


class Pipeline:
    """Jobs of one forge in one repository."""

    def __init__(self, folder: Path, forge: str) -> None:
        self.forge = forge
        self.folder = folder
        self.repository = Repository(folder / "repository")
        self.forge_folder = folder / "forge"
        self.forge_folder.mkdir()
        self.programs = stand_in(folder / "programs", ROOT / "tests/review/forge_stand_in", "gh", "curl")
        command = self.programs / "setpoint"
        command.write_text(f'#!/bin/sh\nexec {sys.executable} -IS {CLIENT} "$@"\n', encoding="utf-8")
        command.chmod(0o755)

    @property
    def environment(self) -> dict[str, str]:
        """Of a job: nothing of this machine but its programs."""
        return {
            "PATH": os.pathsep.join(
                [str(self.programs), os.path.dirname(sys.executable), "/usr/bin", "/bin"]
            ),
            "PYTHONPATH": str(ROOT / ".dev"),
            "HOME": os.environ.get("HOME", "/"),
            "SETPOINT_SERVER": server(),
            "FORGE": str(self.forge_folder),
            "PYTHON": sys.executable,
            **ENVIRONMENT,
            **FORGES.get(self.forge, {}),
        }

    def run(self, *arguments: str, **variables: str) -> Ran:
        """Run the script as a job does."""
        return self.run_in(self.repository.folder, *arguments, **variables)

    def run_in(self, folder: Path, *arguments: str, **variables: str) -> Ran:
        """The same in another clone."""
        done = subprocess.run(
            [str(require("dash")), str(SCRIPT), *arguments],
            cwd=folder,
            env={**self.environment, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    @property
    def comments(self) -> list[dict[str, Any]]:
        """The comments on the request, in order."""
        path = self.forge_folder / "comments.json"
        found: list[dict[str, Any]] = json.loads(path.read_text()) if path.exists() else []
        return found

    @comments.setter
    def comments(self, comments: list[dict[str, Any]]) -> None:
        (self.forge_folder / "comments.json").write_text(json.dumps(comments))

    @property
    def calls(self) -> list[list[str]]:
        """What the forge was asked, as command lines."""
        path = self.forge_folder / "calls.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def refuse(self) -> None:
        """From now on the forge refuses all requests."""
        (self.forge_folder / "refuses").touch()
