"""The notes of a release: its part of the changelog, as it stands there."""

import re

from release.source import ReleaseError

HEADINGS = ("Added", "Changed", "Removed", "Fixed", "Security", "For contributors")
"""What the entries of a version stand under."""


def notes(changelog: str, version: str) -> str:
    """The notes of a version. Raises `ReleaseError` where the changelog has none, or says that it is not released."""
    found = re.search(
        rf"^## {re.escape(version)}(?P<rest>.*)\n(?P<text>(?:(?!## ).*\n?)*)", changelog, re.MULTILINE
    )
    if not found or not found["text"].strip():
        raise ReleaseError(
            f"CHANGELOG.md has no entries for {version}: write them under `## {version} (DATE)`"
        )
    if not re.fullmatch(r" \(\d{4}-\d\d-\d\d\)", found["rest"]):
        raise ReleaseError(
            f"CHANGELOG.md does not date {version}: its heading is `## {version} (YYYY-MM-DD)`"
        )
    return f"# Setpoint {version}\n\n{found['text'].strip()}\n"
