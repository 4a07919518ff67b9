"""A plan as the client wants it, of the files that a bundle has for programs: `apply.json` and `expected.json`.

The role has the same files read. What somebody has changed in them by hand is not believed to be of their form: each document is looked
at as far as the client uses it.
"""

from __future__ import annotations

import json
from pathlib import Path

from setpoint.targets._client.wire import Document, StopError

DOCUMENTS = ("apply.json", "expected.json")
"""The files, in the folder of a plan."""

FORM = "setpoint.redfish.apply/2"
KINDS = {"Model": "product", "ProcessorId": "processor", "ProcessorSummary.Count": "sockets"}
"""What of a server is compared, by the property of its system, or of its processors."""

STEPS = {"first": "first", "then": "write", "along": "fixed"}
"""What the client calls the steps of the attributes."""


def plan_in(folder: Path) -> Document:
    """The plan in a folder `redfish/` of a bundle. Raises StopError where there is none."""
    apply, expected = (_document(folder / name) for name in DOCUMENTS)
    if apply.get("schema") != FORM:
        raise StopError(f"Nothing was changed: {folder / 'apply.json'} is not of the form {FORM}")
    try:
        return {
            "name": str(expected["policy"]),
            "reports": {
                KINDS[report["property"]]: {
                    "fact": str(report["fact"]),
                    "value": str(report["value"]),
                    "verb": str(report["verb"]),
                    "accepted": [str(name) for name in report["accepts"]],
                }
                for report in apply["identify"]["expects"]
            },
            "bios": _bios(apply, expected["attributes"]),
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise StopError(
            f"Nothing was changed: the files in {folder} are not of their form: {error}"
        ) from None


def _document(path: Path) -> Document:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StopError(f"Nothing was changed: {path} cannot be read: {error}") from None
    if not isinstance(document, dict):
        raise StopError(f"Nothing was changed: {path} is no JSON object")
    return document


def _bios(apply: Document, expected: Document) -> Document:
    parts: dict[str, Document] = {"first": {}, "write": {}, "fixed": {}}
    for name, entry in expected.items():
        parts[STEPS[entry["step"]]][name] = entry["wanted"]
    first = apply.get("first") or {"opens": {}}
    requests = [request for way in apply["ways"] for request in way["requests"]]
    return {
        **parts,
        "locks": [_lock(lock["while"], lock["attributes"]) for lock in apply["writable"]],
        "along": [
            {"attribute": name, "governor": governor}
            for name, governors in apply["along"].items()
            for governor in governors
        ],
        "opens": [
            {"attribute": name, "governor": governor, "value": value}
            for name, values in first["opens"].items()
            for governor, value in values.items()
        ],
        "assumed": apply["assumed"],
        "settings": {name: str(entry["setting"]) for name, entry in expected.items()},
        "firmware": str(apply.get("firmware") or ""),
        "system_uri": str(apply["identify"]["uri"]),
        "bios_uri": str(apply["verify"]["uri"]),
        "settings_uri": _uri(requests, "PATCH"),
        "jobs_uri": _uri(requests, "POST"),
        "reported": {str(word): str(meaning) for word, meaning in (apply.get("reported") or {}).items()},
    }


def _lock(need: Document, names: list[str]) -> Document:
    """What locks attributes: another one that has a value, or does not have it."""
    is_free = "is" in need
    value = need["is"] if is_free else need["is-not"]
    return {
        "attributes": list(names),
        "is" if is_free else "is_not": {"key": need["attribute"], "value": value},
    }


def _uri(requests: list[Document], method: str) -> str:
    return next((str(request["uri"]) for request in requests if request["method"] == method), "")
