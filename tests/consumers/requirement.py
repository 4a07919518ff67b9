"""What a test needs from outside, and what happens where it is missing.

On a developer's machine a missing program is no fault of the change under test: the test skips, and says which package
would bring it. In CI (`CI=true`) everything was to be installed, and a skip would be a silent hole: there it fails.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

PROJECT = Path(__file__).resolve().parents[2]
SYSTEM_FOLDERS = ("/usr/sbin", "/sbin")
"""Where daemons lie: not on every user's PATH."""


def unmet(reason: str) -> NoReturn:
    """Skip the test for `reason`, or fail it where CI promised that nothing is missing."""
    if os.environ.get("CI", "").lower() in {"true", "1"}:
        pytest.fail(f"CI=true, and {reason}", pytrace=False)
    pytest.skip(reason)


def require(tool: str) -> Path:
    """The path of the program `tool`, or else the test is skipped (failed in CI)."""
    search = os.pathsep.join([os.environ.get("PATH", os.defpath), *SYSTEM_FOLDERS])
    found = shutil.which(tool, path=search)
    if found is None:
        unmet(f"{tool} is not installed (tests/install-consumers)")
    return Path(found)
