"""The page of each diagnostic code: its meaning, an example, and the repair.

The pages are those of the manual (`docs/diagnostics`), which the package contains.
"""

import os

import setpoint

PLACE = ("docs", "diagnostics")


def _folder() -> str:
    places = (os.path.join(path, *PLACE) for path in setpoint.__path__)
    return next((place for place in places if os.path.isdir(place)), "")


def codes() -> tuple[str, ...]:
    """All codes that have a page, in order."""
    return tuple(
        sorted(name[:-3] for name in os.listdir(_folder()) if name[0] in "EKW" and name.endswith(".md"))
    )


def page(code: str) -> str | None:
    """The page of a code, in Markdown; None if there is no such code."""
    if code not in codes():
        return None
    with open(os.path.join(_folder(), f"{code}.md"), encoding="utf-8") as file:
        return file.read()
