"""Trees of stored answers of a controller: a folder for each path of the service, with `index.json` in it.

DMTF's Redfish-Mockup-Creator writes them, its Redfish-Mockup-Server serves them, and so do vendors and test suites.
Their README (section "Mockup folder structure") has the form: `redfish/v1/…/index.json` with the service's answers; in
the short form the tree begins at the service root. NVIDIA/libredfish has `custom.json` in place of `index.json` for an
answer with another status than 200.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from setpoint.compiler.captures.model import Controller
from setpoint.compiler.captures.resources import ABSENT, ROOT, UnreadPlaceError, controller_of, path_of
from setpoint.compiler.captures.tree import CaptureTree
from setpoint.compiler.files.reading import parse_json

INDEX, CUSTOM = "index.json", "custom.json"
"""The files with a document, and with an answer that has a status."""

REASONS = {401: "no permission", 403: "no permission", 404: ABSENT, 410: ABSENT}
"""Why a document is not read, by the status of the answer; others are failures."""


def mockup_root(tree: CaptureTree, top: str) -> str | None:
    """The folder of a tree that stands for the host, "" for all of it; None if the tree has no service root.

    In the short form, the folder stands for the service root, and is returned with a slash at its end.
    """
    for folder in (top, *(f"{top}/{name}".lstrip("/") for name in tree.names(top))):
        if INDEX in tree.names(f"{folder}{ROOT}".lstrip("/")):
            return folder
    if INDEX in tree.names(top):
        try:
            document = _document(tree, f"{top}/{INDEX}".lstrip("/"))
        except UnreadPlaceError:
            return None
        if isinstance(document, Mapping) and path_of(document) == ROOT:
            return f"{top}/"
    return None


def controller_of_mockup(tree: CaptureTree, root: str) -> Controller:
    """What a tree has of a controller; `root` is from `mockup_root`."""
    return controller_of(_asks(tree, root))


def _asks(tree: CaptureTree, root: str) -> Callable[[str], Any]:
    is_short = root.endswith("/")
    top = root.rstrip("/")

    def ask(link: str) -> Any:
        path = path_of(link)
        if is_short:
            if not f"{path}/".startswith(f"{ROOT}/"):
                raise UnreadPlaceError(ABSENT)
            path = path[len(ROOT) :]
        folder = f"{top}{path}".lstrip("/")
        names = tree.names(folder)
        if CUSTOM in names:
            return _custom(_document(tree, f"{folder}/{CUSTOM}"))
        if INDEX not in names:
            raise UnreadPlaceError(ABSENT)
        return _document(tree, f"{folder}/{INDEX}".lstrip("/"))

    return ask


def _custom(answer: Any) -> Any:
    """The document of an answer with a status."""
    status = answer.get("status") if isinstance(answer, Mapping) else None
    if status != 200:
        raise UnreadPlaceError(REASONS.get(status, "failed") if isinstance(status, int) else "failed")
    return answer.get("body")


def _document(tree: CaptureTree, name: str) -> Any:
    text = tree.text(name)
    try:
        return parse_json(text)
    except (json.JSONDecodeError, ValueError):
        raise UnreadPlaceError("failed") from None
