"""The client for controllers in Ansible's own process, without a start of Python for each call: what a task with `setpoint_bmc` does.

The client runs on Ansible's machine in any case. Ansible reads an action plugin before it forks its workers, so that the client is read once
for all hosts.
"""

import json
import runpy
import sys
import types
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

BUNDLE = runpy.run_path(str(Path(__file__).resolve().parent.parent / "module_utils/setpoint_bundle.py"))
CLIENT = "redfish/setpoint_bmc.py"
LOADED: "dict[bytes, types.ModuleType]" = {}


def _client(task: Any) -> Any:
    """The client as a module, None without one. It is no package that Python could find, and no bytecode is to be left beside it."""
    path = BUNDLE["found"](task, CLIENT)
    if path is None:
        return None
    text = path.read_bytes()
    if text not in LOADED:
        name = f"setpoint_bmc_{len(LOADED)}"
        LOADED[text] = sys.modules[name] = types.ModuleType(name)
        exec(compile(text, str(path), "exec"), LOADED[text].__dict__)
    return LOADED[text]


_client(types.SimpleNamespace(_role=None))

EACH = ("setpoint_bmc_host", "setpoint_bmc_user", "setpoint_bmc_password", "setpoint_bmc_ca")
"""The variables of a host by which its controller is reached."""


class ActionModule(ActionBase):  # type: ignore[misc]
    """What a task with `setpoint_bmc` does."""

    _supports_check_mode = True
    _supports_diff = True
    _requires_connection = False

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        """Do what is asked for, and say what came of it."""
        result: dict[str, Any] = super().run(tmp, task_vars)
        client = _client(self._task)
        given = {**self._task.args.pop("common", {}), **self._task.args}
        data = given["plan"]
        documents = [f"{data['bios']}/{name}" for name in client.DOCUMENTS] if client and data["bios"] else []
        if lacking := BUNDLE["lacking"](self._task, CLIENT, *documents):
            return {**result, "failed": True, "msg": lacking}
        try:
            given["plan"] = self._plan(client, data) if documents else {}
        except client.StopError as stop:
            return {**result, "failed": True, "msg": str(stop)}
        self._task.args = given
        _, given = self.validate_argument_spec(argument_spec=client.ARGUMENTS)
        if given["state"] == "unique":
            given["hosts"] = [*self._hosts(given, task_vars)]
        came = client.answer(
            json.loads(json.dumps(given)), self._task.check_mode
        )  # Ansible's texts have types of their own
        return {**result, **came}

    def _plan(self, client: Any, data: dict[str, Any]) -> dict[str, Any]:
        """The plan as the client has it: of its files, with the one-time actions of the role's data."""
        folder = BUNDLE["found"](self._task, f"{data['bios']}/{client.DOCUMENTS[0]}").parent
        plan: dict[str, Any] = client.plan_in(folder)
        once = data.get("once") or []
        plan["bios"]["once"] = once
        plan["bios"]["locks"] += [lock for action in once for lock in action["locks"]]
        return plan

    def _hosts(self, given: dict[str, Any], task_vars: Any) -> Any:
        """All hosts of the play, with where their controllers are and which servers they say that they are."""
        known, role = task_vars["hostvars"], given["role"]
        for name in task_vars["ansible_play_hosts_all"]:
            host = known[name]
            is_checked = host.get(f"{role}_check_server", host.get("setpoint_check_server", True))
            if str(is_checked).lower() in ("false", "no", "off", "0") or not all(map(host.get, EACH[:3])):
                continue
            place, user, password, authority = (str(host.get(variable) or "") for variable in EACH)
            shown = host.get(f"{role}_uuid")
            uuid = str(shown.get("stdout") or "").strip() if isinstance(shown, dict) else ""
            yield {
                "name": name,
                "host": place,
                "user": user,
                "password": password,
                "ca": authority,
                "uuid": uuid,
            }
