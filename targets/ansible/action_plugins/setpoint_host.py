"""The program for hosts, run on a host with a plan: what a task with `setpoint_host` does.

A shell is all that a host needs. The program goes there once, to the folder of temporary files that Ansible has for the user that the task
becomes, under its digest, and is run only if it still has that digest. Its plan goes along in a variable.
"""

import hashlib
import runpy
import shlex
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

BUNDLE = runpy.run_path(str(Path(__file__).resolve().parent.parent / "module_utils/setpoint_bundle.py"))
PROGRAM = "host/setpoint-host"
KEPT = '"$HOME"/.ansible/tmp/setpoint-host'
ABSENT = 87
"""The exit status of a host that does not have the program, as it is in the bundle."""

VERBS = {
    "set": "apply",
    "restored": "undo",
    "compared": "verify",
    "awaited": "next",
    "reported": "verify --json",
    "identified": "identify",
}
TRIED = {"set": "try", "restored": "undo --dry-run"}
"""What check mode runs in place of it."""

CHANGED = {"set": ((0, 3, 6), "nothing to change"), "restored": ((0, 3, 6), "nothing to put back")}
"""The exit statuses with which something was changed, and the words with which nothing was. Where it is only tried, 3 says that it would be."""

ARGUMENTS: dict[str, dict[str, Any]] = {
    "state": {"type": "str", "required": True, "choices": [*VERBS, "found"]},
    "plan": {"type": "str", "default": ""},
    "data": {"type": "dict", "default": {}},
    "options": {"type": "str", "default": ""},
    "rollout": {"type": "str", "default": ""},
    "ignore": {"type": "str", "default": ""},
}


class ActionModule(ActionBase):  # type: ignore[misc]
    """What a task with `setpoint_host` does."""

    _supports_check_mode = True

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        """Run the program, or only require that it is there, with all plans."""
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=ARGUMENTS)
        needed = [PROGRAM, *filter(None, [given["plan"], *_plans(given["data"])])]
        if lacking := BUNDLE["lacking"](self._task, *needed):
            return {**result, "failed": True, "msg": lacking}
        if given["state"] == "found":
            return {**result, "changed": False}
        return {**result, **self._came(given, task_vars["inventory_hostname"])}

    def _came(self, given: dict[str, Any], host: str) -> dict[str, Any]:
        state, is_tried = given["state"], self._task.check_mode
        verb = TRIED.get(state, VERBS[state]) if is_tried else VERBS[state]
        ran = self._ran(given, verb, host)
        rc = ran.get("rc", 4)
        if state == "reported":
            kept = ("rc", "stdout", "stdout_lines", "stderr_lines")
            return {**{name: ran[name] for name in kept if name in ran}, "changed": False, "failed": False}
        said = [*ran.get("stdout_lines", ()), *ran.get("stderr_lines", ())]
        statuses, nothing = CHANGED.get(state, ((), ""))
        is_trial = is_tried and state in TRIED
        changed = rc == 3 if is_trial else rc in statuses and nothing not in ran.get("stdout", "")
        failed = rc not in ((0, 3) if is_trial or state in ("compared", "awaited", "restored") else (0,))
        msg = said or [ran.get("msg") or "the program did not run"]
        return {
            "rc": rc,
            "changed": changed,
            "failed": failed,
            "msg": msg,
            "_ansible_verbose_always": changed,
        }

    def _ran(self, given: dict[str, Any], verb: str, host: str) -> dict[str, Any]:
        """What the program did, said and ended with."""
        program, plan = (BUNDLE["found"](self._task, path) for path in (PROGRAM, given["plan"]))
        own = self._connection._shell.env_prefix(
            SETPOINT_PLAN=plan.read_text(encoding="utf-8"),
            SETPOINT_ROLLOUT=given["rollout"],
            SETPOINT_IGNORE=given["ignore"],
            SETPOINT_HOST=host,
        )
        name, _, option = verb.partition(" ")
        before = f"{self._compute_environment_string({})} {own} /bin/sh"
        behind = f"{name} - {option} {given['options']}"
        digest = hashlib.sha256(program.read_bytes()).hexdigest()
        kept = f"{KEPT}.{digest}"
        ask = f'[ "$(sha256sum {kept} 2>/dev/null | cut -c1-64)" = {digest} ] || exit {ABSENT}; '
        ran = self._low_level_execute_command(cmd=f"{ask}{before} {kept} {behind}", sudoable=True)
        return dict(ran) if ran.get("rc") != ABSENT else self._sent(program, kept, before, behind)

    def _sent(self, program: Path, kept: str, before: str, behind: str) -> dict[str, Any]:
        """The same with the program sent, and kept in place of an earlier one, if the host lets it be."""
        shell = self._connection._shell
        if not shell.tmpdir:
            self._make_tmp_path()
        try:
            place = shell.join_path(shell.tmpdir, program.name)
            self._transfer_file(str(program), place)
            self._fixup_perms2((shell.tmpdir, place), execute=True)
            sent = shlex.quote(place)
            new = f"{kept}.$$"
            keep = f'umask 077; mkdir -p "$HOME"/.ansible/tmp; rm -f {KEPT}.*; cp {sent} {new} && mv -f {new} {kept}'
            run = f"({keep}) >/dev/null 2>&1; {before} {sent} {behind}"
            return dict(self._low_level_execute_command(cmd=run, sudoable=True))
        finally:
            self._remove_tmp_path(shell.tmpdir)


def _plans(data: dict[str, Any]) -> list[str]:
    """The plans that the program is given, each once, by the data of a plan of the role."""
    parts = map(str, (*data.values(), *(data.get("boot") or {}).values()))
    return list(dict.fromkeys(part for part in parts if part.endswith(".plan")))
