"""The suites that hold the knowledge base against its sources, run in a process of their own with a plugin watching."""

import os
import subprocess
import sys

from support.command import ROOT

SUITES = ("tests/conformance", "tests/knowledge")


def run_suites(plugin: str, **told: str) -> str:
    """Run the suites with a plugin that reads what it is told from the environment; all that was printed."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            plugin,
            "-p",
            "no:xdist",
            "-p",
            "no:cacheprovider",
            *SUITES,
        ],
        cwd=ROOT,
        env={**os.environ, **told, "PYTHONPATH": f"{ROOT / '.dev'}{os.pathsep}{ROOT / 'tests'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr
