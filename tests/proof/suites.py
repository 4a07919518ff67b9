"""The suites that hold the knowledge base against its sources, run in a process of their own with a plugin watching.

This is the second time that a whole test run runs them; so it leaves out what takes most of their time and tests no
statement in particular.
"""

import os
import subprocess
import sys

from support.command import ROOT

SUITES = ("tests/conformance", "tests/knowledge")

SWEEPS = (
    "tests/conformance/test_advice_in_words.py",
    "tests/knowledge/test_every_context.py",
    "tests/knowledge/test_names_people_use.py",
    "tests/knowledge/test_reported.py",
    "tests/knowledge/test_unknown_values.py",
)
"""Tests of the suites that go through thousands of policies, or are about names: what they alone exercise has no test
of its own."""


def run_suites(plugin: str, **shown: str) -> str:
    """Run the suites with a plugin that gets its parameters from the environment; return all output."""
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
            *(f"--ignore={sweep}" for sweep in SWEEPS),
        ],
        cwd=ROOT,
        env={**os.environ, **shown, "PYTHONPATH": f"{ROOT / '.dev'}{os.pathsep}{ROOT / 'tests'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr
