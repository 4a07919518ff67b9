"""The program for hosts, run on a host with a plan: what a task with `setpoint_host` does.

The program goes to the host as a script does, so that a shell is all that a host needs. Its plan goes along in a variable. Both lie in the
bundle that the role is in, or in `files/` of the role, under the same paths.
"""

import shlex
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

PROGRAM = "host/setpoint-host"
ROLE = Path(__file__).resolve().parent.parent
PLACES = (ROLE / "files", ROLE.parent.parent.parent)
"""Where the program and the plans are looked for: in the role, if it was moved, and in its bundle."""

VERBS = {
    "set": "apply",
    "restored": "undo",
    "compared": "verify",
    "reported": "verify --json",
    "identified": "identify",
}
TRIED = {"set": "try", "restored": "undo --dry-run"}
"""What check mode runs in place of it."""

CHANGED = {"set": ((0, 3, 6), "nothing to change"), "restored": ((0, 6), "nothing to roll back")}
"""The exit statuses with which something was or would be changed, and the words with which nothing was."""

ARGUMENTS: dict[str, dict[str, Any]] = {
    "state": {"type": "str", "required": True, "choices": [*VERBS, "found"]},
    "plan": {"type": "str", "default": ""},
    "data": {"type": "dict", "default": {}},
    "options": {"type": "str", "default": ""},
    "rollout": {"type": "str", "default": ""},
    "ignore": {"type": "str", "default": ""},
}


def found(path: str) -> "Path | None":
    """The file of the bundle with this path."""
    return next((place / path for place in PLACES if (place / path).is_file()), None)


class ActionModule(ActionBase):  # type: ignore[misc]
    """What a task with `setpoint_host` does."""

    _supports_check_mode = True

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        """Run the program, or only require that it is there, with all plans."""
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, given = self.validate_argument_spec(argument_spec=ARGUMENTS)
        needed = [PROGRAM, *filter(None, [given["plan"], *_plans(given["data"])])]
        if lacking := [path for path in needed if found(path) is None]:
            return {**result, "failed": True, "msg": _lacking(lacking)}
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
        changed = rc in statuses and nothing not in ran.get("stdout", "")
        failed = rc not in ((0, 3) if state == "compared" else (0,))
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
        program, plan = found(PROGRAM), found(given["plan"])
        assert program is not None
        assert plan is not None
        shell = self._connection._shell
        if not shell.tmpdir:
            self._make_tmp_path()
        try:
            place = shell.join_path(shell.tmpdir, program.name)
            self._transfer_file(str(program), place)
            self._fixup_perms2((shell.tmpdir, place), execute=True)
            own = shell.env_prefix(
                SETPOINT_PLAN=plan.read_text(encoding="utf-8"),
                SETPOINT_ROLLOUT=given["rollout"],
                SETPOINT_IGNORE=given["ignore"],
                SETPOINT_HOST=host,
            )
            name, _, option = verb.partition(" ")
            command = f"/bin/sh {shlex.quote(place)} {name} - {option} {given['options']}"
            whole = shell.wrap_for_exec(f"{self._compute_environment_string({})} {own} {command}")
            return dict(self._low_level_execute_command(cmd=whole, sudoable=True))
        finally:
            self._remove_tmp_path(shell.tmpdir)


def _plans(data: dict[str, Any]) -> list[str]:
    """The plans that the program is given, by the data of a plan of the role."""
    boot = data.get("boot") or {}
    return [
        boot.get("plan", ""),
        *(data.get(part) or "" for part in ("syscfg", "cpuspeed", "tuned", "systemd")),
    ]


def _lacking(paths: list[str]) -> str:
    folders = " ".join(dict.fromkeys(path.partition("/")[0] for path in paths))
    return (
        f"Nothing was changed: {', '.join(paths)} of the bundle {'are' if len(paths) > 1 else 'is'} neither in {PLACES[0]} nor where the "
        f"bundle would be. The role was moved without what it runs: in the bundle, mkdir -p {PLACES[0]}; cp -r {folders} {PLACES[0]}"
    )
