"""What the role keeps on Ansible's machine: the name of a roll-out, and the report of a server.

A report is complete: it has a result for each setting of the plan, whatever was compared. What was not is told, with the reason.
"""

import json
import os
import random
import runpy
import time
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

BUNDLE = runpy.run_path(str(Path(__file__).resolve().parent.parent / "module_utils/setpoint_bundle.py"))

LAYERS = {"syscfg": "firmware", "boot": "boot", "cpuspeed": "os", "tuned": "os", "systemd": "os"}
"""What sets something on the host, by its name in the plan's data, and the layer of that."""

FORM = "setpoint.verify/1"
IN_FORCE = ("ok", "not-applicable", "not-compared", "rolled-back")
NOT_CHOSEN = "this layer was not chosen"

RESTORED = {0: "rolled-back", 3: "pending"}
"""What the exit status of an undo says of a layer. With another one nothing is known but what the program said."""

ARGUMENTS: dict[str, dict[str, Any]] = {
    "state": {"type": "str", "required": True, "choices": ["named", "reported"]},
    "file": {"type": "path", "required": True},
    "host": {"type": "str", "default": ""},
    "data": {"type": "dict", "default": {}},
    "rollout": {"type": "str", "default": ""},
    "compared": {"type": "dict", "default": {}},
    "restored": {"type": "dict", "default": {}},
    "failure": {"type": "str", "default": ""},
    "required": {"type": "bool", "default": True},
}


class ActionModule(ActionBase):  # type: ignore[misc]
    """What a task with `setpoint_rollout` does."""

    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        """Name a roll-out, unless it has a name, or write a report; the run of a host fails where the policy is not in force."""
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=ARGUMENTS)
        file = Path(given["file"])
        if given["state"] == "named":
            if not file.exists():
                name = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{random.randrange(99999)}"
                _write(file, name, 0o700, 0o600)
            return {**result, "changed": False}
        given = json.loads(json.dumps(given))  # Ansible's texts have types of their own
        report = written(given, self._bios(given["data"]))
        _write(file, report_text(report), 0o755, 0o644)
        failed, told = verdict(report, given)
        told.append(f"The report: {file}")
        return {**result, "changed": False, "failed": failed, "msg": told}

    def _bios(self, data: dict[str, Any]) -> dict[str, tuple[str, Any]]:
        """The setting of each attribute of the BIOS, and the value that it is to have; nothing if the role was moved without the file."""
        file = BUNDLE["found"](self._task, f"{data['bios']}/expected.json") if data.get("bios") else None
        expected = json.loads(file.read_text(encoding="utf-8"))["attributes"] if file else {}
        return {name: (entry["setting"], entry["wanted"]) for name, entry in expected.items()}


def _write(file: Path, text: str, folder_mode: int, mode: int) -> None:
    """Write a file, so that it is whole whatever happens meanwhile."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=folder_mode)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    new.write_text(text, encoding="utf-8")
    new.chmod(mode)
    new.replace(file)


def written(given: dict[str, Any], attributes: dict[str, tuple[str, Any]]) -> dict[str, Any]:
    """The report of a server; `attributes` are those of its BIOS, each with its setting and value."""
    data, compared = given["data"], given["compared"]
    bios = compared.get("bios") or {}
    unreached = f"{NOT_CHOSEN}, or the run failed before it" if given["failure"] else NOT_CHOSEN
    results = _bios(attributes, bios, unreached)
    for key, layer in LAYERS.items():
        if data.get(key):
            restored = (given["restored"] or {}).get(key) or {}
            results += _layer(data, key, layer, compared.get(key) or {}, restored, unreached)
    why = f"the role does not set it: vars/plans/{data['name']}.yml says why"
    results += [
        _line(setting, layer, value, why, state="not-compared")
        for setting, layer, value in data.get("left") or []
    ]
    notes = [given["failure"]] if given["failure"] else []
    for key in LAYERS:
        notes += _shown(compared.get(key) or {}).get("notes") or []
    return {
        "schema": FORM,
        "host": given["host"],
        "policy": data["name"],
        "plan": data.get("digest", ""),
        "rollout": given["rollout"],
        "results": results,
        "notes": list(dict.fromkeys([*notes, *(bios.get("notes") or [])])),
    }


def report_text(report: dict[str, Any]) -> str:
    """It as JSON, a line for each result, in ASCII."""
    head = json.dumps({name: value for name, value in report.items() if name not in ("results", "notes")})
    results = ",\n".join(map(json.dumps, report["results"]))
    return f'{head[:-1]}, "results": [\n{results}\n], "notes": {json.dumps(report["notes"])}}}\n'


def verdict(report: dict[str, Any], given: dict[str, Any]) -> tuple[bool, list[str]]:
    """Whether the run of a host fails, and what is to be said of it."""
    bios = given["compared"].get("bios") or {}
    unmet = [row for row in report["results"] if row["state"] not in IN_FORCE]
    elsewhere = [row for row in unmet if row["layer"] != "firmware" or not given["data"].get("bios")]
    told = [*filter(None, [bios.get("words")]), *_in_words(elsewhere)]
    if failure := given["failure"]:
        is_met = all(row["state"] in ("ok", "not-applicable") for row in report["results"])
        more = [sentence for sentence in told if sentence not in failure] or [
            "all as the plan has it"
        ] * is_met
        return True, [failure, *(["What the server is left with:", *more] if more else [])]
    if unmet or told:
        return bool(given["required"]), told or _in_words(unmet)
    met, back, without = (_settings(report, state) for state in ("ok", "rolled-back", "not-applicable"))
    lines = [f"Settings as they were before the policy: {len(back)}."] if back else []
    lines += [f"Settings in effect as the policy has them: {len(met)}."] if met or not back else []
    lines += [f"This server has nothing to set for: {', '.join(without)}."] if without else []
    lines += _in_words([row for row in report["results"] if row["state"] == "not-compared"])
    return False, [*lines, *(bios.get("told") or [])]


def _settings(report: dict[str, Any], state: str) -> list[str]:
    """The settings with a result in this state."""
    return list(dict.fromkeys(row["setting"] for row in report["results"] if row["state"] == state))


def _bios(
    attributes: dict[str, tuple[str, Any]], came: dict[str, Any], unreached: str
) -> list[dict[str, Any]]:
    """What was found of the BIOS. What was not looked at is told as such, for the reason `unreached`."""
    if came.get("results") is not None:
        return list(came["results"])
    why = came.get("msg") or unreached
    return [
        _line(setting, "firmware", _text(wanted), f"{name}: {why}", state="not-compared")
        for name, (setting, wanted) in attributes.items()
    ]


def _layer(
    data: dict[str, Any],
    key: str,
    layer: str,
    came: dict[str, Any],
    restored: dict[str, Any],
    unreached: str,
) -> list[dict[str, Any]]:
    """What a program found on the host, or restored there; all of its settings, in what order it has them."""
    wanted: dict[str, Any] = data["settings"].get(key) or {}
    if "rc" in restored and not came.get("stdout"):
        state, why = RESTORED.get(restored["rc"], "unreadable"), " ".join(restored["msg"])
    elif not came or came.get("skipped"):
        state, why = "not-compared", unreached
    else:
        lines = [*(came.get("stderr_lines") or []), *(came.get("stdout_lines") or [])]
        state, why = "unreadable", " ".join(lines) or str(came.get("msg") or "the program did not run")
    results: list[dict[str, Any]] = _shown(came).get("results") or []
    if results:
        state, why = "not-compared", "nothing on the server shows it"
    shown = {row["setting"] for row in results}
    return results + [
        _line(name, layer, _text(value), why, state=state)
        for name, value in wanted.items()
        if name not in shown
    ]


def _shown(came: dict[str, Any]) -> dict[str, Any]:
    """The report that a program printed on the host."""
    text = str(came.get("stdout") or "")
    report: dict[str, Any] = json.loads(text) if text.startswith('{"schema"') else {}
    return report


def _line(setting: str, layer: str, wanted: str, reason: str, *, state: str) -> dict[str, Any]:
    return {
        "setting": setting,
        "layer": layer,
        "wanted": wanted,
        "found": None,
        "pending": None,
        "state": state,
        "reason": reason,
    }


def _in_words(results: list[dict[str, Any]]) -> list[str]:
    """Results in words, those together of which the same is known: nothing, for the same reason."""
    alike: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for number, row in enumerate(results):
        state = row["state"] if row["found"] is None else str(number)
        alike.setdefault((state, row["reason"]), []).append(row)
    return [_words(rows[0]) if len(rows) == 1 else _together(rows) for rows in alike.values()]


def _words(row: dict[str, Any]) -> str:
    value = row["found"] or "not known"
    return f"{row['setting']} {row['state']}, wanted {row['wanted']}, found {value}: {row['reason']}"


def _together(results: list[dict[str, Any]]) -> str:
    names = ", ".join(dict.fromkeys(row["setting"] for row in results))
    return f"{results[0]['state']}: {results[0]['reason']}: {names}"


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
