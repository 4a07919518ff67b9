"""The client as a command, for somebody who has a bundle and nothing else: `python3 redfish/setpoint_bmc.py try bmc1.example.org`.

It does what the role does with the same code, one server at a time. The account comes from the environment, ~/.netrc or a question, never
from an argument, which every user of the machine can see; the certificate of the controller is always checked.
"""

from __future__ import annotations

import argparse
import getpass
import json
import netrc
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from setpoint.targets._client.identity import CHECKS
from setpoint.targets._client.plan_files import plan_in
from setpoint.targets._client.program import ARGUMENTS, NOT_COMPARED, answer
from setpoint.targets._client.wire import Document, StopError

COMMANDS = {
    "status": "say what an earlier run has kept, then compare as `verify` does",
    "try": "say what would be staged; change nothing",
    "apply": "stage what differs, which takes effect at the next restart",
    "verify": "compare the server with the plan",
    "undo": "put back the values from before the plan",
}

PROGRAM = "setpoint_bmc.py"
"""What the file is called."""

MOST_RESTARTS = 3
"""Of one run: for what is set, for what has to be in effect before it, and for what it locks after all."""

USER, PASSWORD = "SETPOINT_REDFISH_USER", "SETPOINT_REDFISH_PASSWORD"

FINE = ("ok", "not-applicable", "not-compared", "rolled-back")
"""The states of settings that are as they should be."""

DONE, DIFFERS, UNREAD, HALF = 0, 3, 4, 6
STATUSES = """exit status:
  0  as planned or done. apply and undo: what was staged waits for a restart, which is yours unless --restart now was said
  2  wrong usage
  3  verify, status: a value differs, or waits for a restart. try: something would be staged.
     apply, undo: the rest can be staged only after a restart: restart, and run it again; with --restart now: as verify
  4  something failed or cannot be read: nothing was changed
  5  this is not a server of the plan: nothing was changed
  6  something failed, and something was changed or may be
  7  somebody else has staged values or has a job for the BIOS: nothing was changed

The password comes from the variable SETPOINT_REDFISH_PASSWORD, ~/.netrc, or a question.
undo works where apply was run: it needs the values from before, which are kept by the UUID of the server."""

RESTART = (
    "later (the default): restart nothing, what is staged waits; now: restart the server through the controller, by a shutdown of its system"
    " (GracefulRestart), and wait until the values are in effect; by force only with --force"
)

IN_A_ROLE = (
    (r"set setpoint_check_(\w+) to false", r"say `--pass-over \1`"),
    (r"setpoint_ignore_foreign_(settings|jobs)", r"--foreign-\1"),
    (r"setpoint_reboot_power_on", "--power-on"),
    (r"setpoint_reboot_force", "--force"),
    (r"setpoint_reboot", "--restart now"),
    (
        r"setpoint_bmc_host, setpoint_bmc_user and setpoint_bmc_password must name the BMC and its account",
        f"no account is known: set {USER} and {PASSWORD}, or name the controller in ~/.netrc; on a terminal the program asks",
    ),
    (r"setpoint_bmc_host", "the address of the BMC"),
    (r"[Ss]et (--[a-z-]+)", r"say \1"),
    (r"\bthis role\b", "this run"),
    (r"\bsite\.yml", "apply"),
    (r"\bverify\.yml", "verify"),
    (r"\brollback\.yml", "undo"),
)
"""What messages call the options of the role, and what a command calls them."""


def as_command(text: str) -> str:
    """A message of a run in the words of a command."""
    for pattern, words in IN_A_ROLE:
        text = re.sub(pattern, words, text)
    return text


# ---------------------------------------------------------------------------------------------------- whole runs


def state_folder(named: str = "") -> Path:
    """The folder that has the values from before: the one that is named, else one of the user (XDG Base Directory Specification)."""
    own = os.environ.get("XDG_STATE_HOME", "")
    home = Path(own) if os.path.isabs(own) else Path.home() / ".local" / "state"
    return Path(named) if named else home / "setpoint" / "controllers"


def journal_of(folder: Path, host: str) -> str:
    """The file with the values that a server had, by the name of its controller; where its UUID is known, that names the file."""
    return str(folder / f"{re.sub('[^A-Za-z0-9.-]', '_', host)}.json")


def given_for(host: str, state: Path, poll: float, restart: bool, undo: bool, **more: Any) -> Document:
    """What the client is asked, with the defaults for the rest.

    Args:
        host: The address of the controller, by which the server is called unless `more` has its name.
        state: The folder that has the values from before.
        poll: Seconds between two readings at a restart.
        restart: Whether the server may be restarted.
        undo: Whether what was there before is put back.
        more: Other arguments, by their names in `ARGUMENTS`.
    """
    defaults = {name: argument.get("default") for name, argument in ARGUMENTS.items()}
    times = {"job_delay": poll, "read_delay": min(poll, 10)}
    kept = {"journal": journal_of(state, host), "journals": str(state)}
    own = {"host": host, "name": host, **kept, "reboot": restart, "back": undo}
    return {**defaults, **times, **own, **more}


def carried_out(
    given: Document, restart: bool, say: Callable[[str], object], due: bool = False
) -> dict[str, Any]:
    """Stage what differs, or put it back; with `restart`, restart for what must be in effect first, stage the rest, and restart.

    An undo can find only after its restart that something has to be in effect first. A restart that is `due` is made although nothing that
    was staged waits for it.

    Returns the last answer, with what was said of all steps, and whether any of them changed something.
    """
    told: list[str] = []
    changed = False

    def ask(state: str, **more: Any) -> dict[str, Any]:
        nonlocal changed
        came = answer({**given, "state": state, **more}, False)
        changed = changed or bool(came.get("changed"))
        told.extend(sentence for sentence in came.get("told", ()) if sentence not in told)
        return came

    came = ask("staged")
    for _ in range(MOST_RESTARTS if restart else 0):
        if came.get("failed") or not (came["waits"] or due):
            break
        due, first = False, came["first"]
        say("restarting, which takes minutes")
        came = ask("restarted", before=came["before"])
        if came.get("failed") or not (first or came["first"]):
            break
        came = ask("staged", after_restart=bool(first))
    return {**came, "told": told, "changed": changed}


def report(host: str, policy: str, came: dict[str, Any]) -> dict[str, Any]:
    """A comparison in form setpoint.verify/1."""
    return {
        "schema": "setpoint.verify/1",
        "host": host,
        "policy": policy,
        "results": came["results"],
        "notes": came["notes"],
    }


def status_of(results: list[dict[str, Any]]) -> int:
    """0 if all is in effect, 3 if something is not, 4 if nothing differs but something could not be read."""
    states = {row["state"] for row in results} - set(FINE)
    return DIFFERS if states - {"unreadable"} else UNREAD if states else DONE


# ---------------------------------------------------------------------------------------------------- the command


def parser() -> argparse.ArgumentParser:
    """The parser of the arguments."""
    arguments = argparse.ArgumentParser(
        PROGRAM,
        description="Bring the BIOS of one server to the plan of a bundle, through its controller, and back.",
        epilog=STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = "; ".join(f"{name}: {what}" for name, what in COMMANDS.items())
    arguments.add_argument("verb", choices=list(COMMANDS), metavar="VERB", help=verbs)
    arguments.add_argument("host", metavar="BMC", help="the controller, with a port if it has one of its own")
    here = "the folder with apply.json (default: that of this program)"
    arguments.add_argument(
        "--plan", metavar="DIR", default=os.path.dirname(os.path.abspath(sys.argv[0])), help=here
    )
    arguments.add_argument(
        "--user", default="", help=f"the account (default: {USER} with {PASSWORD}, ~/.netrc, or a question)"
    )
    arguments.add_argument("--ca", metavar="FILE", default="", help="certificates that are trusted")
    arguments.add_argument("--state", metavar="DIR", default="", help="where the values from before are kept")
    arguments.add_argument("--restart", choices=("now", "later"), default="later", help=RESTART)
    arguments.add_argument(
        "--force", action="store_true", help="restart without a shutdown where nothing else is offered"
    )
    arguments.add_argument("--power-on", action="store_true", help="power on a server that is off")
    arguments.add_argument(
        "--restarted", action="store_true", help="the server was restarted since it was staged"
    )
    arguments.add_argument(
        "--foreign-settings", action="store_true", help="go on if others have staged something"
    )
    arguments.add_argument("--foreign-jobs", action="store_true", help="go on if another BIOS job is open")
    arguments.add_argument(
        "--pass-over", action="append", choices=[*CHECKS][:2], default=[], help="do not compare this"
    )
    arguments.add_argument(
        "--poll", type=float, default=30, metavar="SECONDS", help="between readings at a restart"
    )
    arguments.add_argument("--json", action="store_true", help="of verify: print form setpoint.verify/1")
    return arguments


def account_for(host: str, user: str) -> tuple[str, str]:
    """The user and the password for a controller; empty if none is known and nobody can be asked."""
    user = user or os.environ.get(USER, "")
    password = os.environ.get(PASSWORD, "")
    if not (user and password):
        with suppress(OSError, netrc.NetrcParseError):
            entry = netrc.netrc().authenticators(host.rpartition(":")[0] or host)
            if entry and user in ("", entry[0]):
                return entry[0], entry[2] or ""
    if sys.stdin.isatty():
        user = user or input(f"User at {host}: ").strip()
        password = password or getpass.getpass(f"Password of {user} at {host}: ")
    return user, password


def command(words: list[str]) -> int:
    """Do what the arguments say; returns the exit status."""
    asked = parser().parse_args(words)
    user, password = account_for(asked.host, asked.user)
    try:
        plan = plan_in(Path(asked.plan))
    except StopError as stop:
        sys.stderr.write(f"{PROGRAM}: {stop}\n")
        return UNREAD
    given = _given(asked, plan, user, password)
    if asked.verb in ("status", "verify"):
        return _compare(given, asked)
    if asked.verb == "try":
        came = answer({**given, "state": "staged"}, True)
        _tell(came)
        return came.get("status", UNREAD) if came.get("failed") else DIFFERS if came["changed"] else DONE
    came = carried_out(given, asked.restart == "now", lambda text: sys.stderr.write(f"{text}\n"))
    _tell(came)
    if came.get("failed"):
        return HALF if came["changed"] or not came.get("unsent", True) else came.get("status", UNREAD)
    if asked.restart == "now":
        status = _compare(given, asked)
        return HALF if status == UNREAD and came["changed"] else status
    if came.get("first"):
        print(f"not done: restart the server, then run {asked.verb} again")
        return DIFFERS
    print("done; what was staged waits for a restart" if came["waits"] else "done")
    return DONE


def _given(asked: argparse.Namespace, plan: Document, user: str, password: str) -> Document:
    """What the client is given for these arguments."""
    return given_for(
        asked.host,
        state_folder(asked.state),
        asked.poll,
        restart=asked.restart == "now",
        undo=asked.verb == "undo",
        user=user,
        password=password,
        ca=asked.ca,
        plan=plan,
        force=asked.force,
        power_on=asked.power_on,
        restarted=asked.restarted,
        foreign_settings=asked.foreign_settings,
        foreign_jobs=asked.foreign_jobs,
        pass_over=asked.pass_over,
    )


def _tell(came: dict[str, Any]) -> None:
    for sentence in came.get("told", ()):
        print(as_command(sentence))
    if came.get("failed"):
        sys.stderr.write(f"{PROGRAM}: {as_command(came['msg'])}\n")


def _compare(given: Document, asked: argparse.Namespace) -> int:
    came = answer({**given, "state": "compared"}, True)
    status = status_of(came["results"])
    if status == UNREAD:
        status = came.get("status", UNREAD)
    if asked.verb == "status":
        none = "no run can be undone" if came.get("uuid") else "not known which server this is"
        words = "values from before are kept in" if came.get("kept") else f"{none}: there is no"
        print(words, came.get("journal") or given["journal"])
    if asked.json:
        print(json.dumps(report(asked.host, given["plan"]["name"], came), indent=1))
        return status
    unread = came["words"].startswith(NOT_COMPARED)
    if unread:
        print(f"unreadable: {', '.join(row['setting'] for row in came['results'])}")
        print(as_command(came["words"]))
    for row in came["results"]:
        if row["state"] not in FINE and not unread:
            words = "" if row["found"] is None else f" found {row['found']},"
            reason = as_command(row["reason"])
            print(f"{row['state']}: {row['setting']}:{words} wanted {row['wanted']} ({reason})")
    if not unread:
        fine = sum(row["state"] in FINE for row in came["results"])
        print(f"as {'before' if given['back'] else 'planned'}: {fine} of {len(came['results'])}")
    for note in came["notes"]:
        print(as_command(note))
    return status


if __name__ == "__main__":
    sys.exit(command(sys.argv[1:]))
