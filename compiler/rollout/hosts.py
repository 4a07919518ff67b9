"""The program for hosts, run on a host with the plans of a bundle: here, or by the system's own ssh.

Each step is one script for a shell, which is its standard input, as for a capture. The script puts the program and the
plans into a private folder, runs them, prints what each of them said, and removes the folder. So nothing is left on a
host but what the program keeps for its way back, and a connection that breaks leaves no half of a step: what was begun
runs to its end there.

A host is foreign: what it prints has limits of size and time, and becomes results only if it has their form.
"""

import json
import re
import secrets
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from typing import Any

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.files.printed import printed
from setpoint.compiler.files.reading import MOST_BYTES
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.rollout.bundles import Deployable, HostPlan

MOST_SECONDS = 900
"""The longest step on a host: a boot loader's files, written by its slowest tools."""

MOST_OF_COMPLAINTS = 500
"""How much of what a program says on its error stream is shown, from its end."""

HEAD = """umask 077
d=$(mktemp -d) || exit 4
trap 'rm -rf "$d"' EXIT
u=$(cat /sys/class/dmi/id/product_uuid 2>/dev/null || dmidecode -s system-uuid 2>/dev/null | sed -n '$p')
b=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
"""
"""The beginning of each script: the private folder, and which server this is."""

RUN = """run() {
    sh "$d/setpoint-host" "$2" "$d/$1.plan" $3 </dev/null >"$d/out" 2>"$d/err"
    s=$?
    printf '%s did %s %s %s\\n' "$m" "$1" "$2" "$s"
    cat "$d/out"
    printf '\\n%s complained\\n' "$m"
    cat "$d/err"
    printf '\\n%s ended\\n' "$m"
    case $2:$s in undo:3) return 0 ;; esac
    return $s
}
"""
"""Run verb $2 with the plan of part $1 and option $3, and print what it said between marks. What waits for a restart
does not stop an undo: the restart may wait for what other plans put back."""


IGNORE = re.compile(r'SETPOINT_IGNORE="([a-z ]+)"')
"""What the program for hosts calls checks that are to be passed over."""


class HostRun(NamedTuple):
    """What a verb said of a plan: the exit status, the output, and the complaints."""

    part: str
    verb: str
    status: int
    out: str
    err: str

    @property
    def words(self) -> str:
        """The last lines of what it said, on one line."""
        said = " ".join(line.strip() for line in (self.err or self.out).splitlines() if line.strip())
        said = IGNORE.sub(lambda match: " ".join(f"--pass-over {name}" for name in match[1].split()), said)
        return said[-MOST_OF_COMPLAINTS:] or f"it ended with status {self.status}"

    @property
    def results(self) -> list[dict[str, Any]]:
        """The results of `verify --json`; none if it printed something else."""
        try:
            return [{name: _text(result[name]) for name in RESULT} for result in self._report["results"]]
        except (KeyError, TypeError):
            return []

    @property
    def notes(self) -> list[str]:
        """The notes of `verify --json`."""
        notes = self._report.get("notes")
        return list(map(str, notes)) if isinstance(notes, list) else []

    @property
    def _report(self) -> dict[str, Any]:
        try:
            report = json.loads(self.out)
        except (ValueError, RecursionError):
            return {}
        return report if isinstance(report, dict) else {}


RESULT = ("setting", "layer", "wanted", "found", "pending", "state", "reason")
"""The fields of a result in form setpoint.verify/1."""


def _text(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError("no text")
    return value


class HostAnswer(NamedTuple):
    """The output of a step: the server's UUID, the identifier of its start, "" if not shown, and each run."""

    uuid: str
    boot: str
    runs: tuple[HostRun, ...]


class HostShell(NamedTuple):
    """A host: its name, the command for a shell there, and the checks of the server that are `ignored`."""

    name: str
    command: tuple[str, ...]
    ignored: tuple[str, ...] = ()

    def run(
        self, bundle: Deployable, plans: Sequence[HostPlan], verbs: Sequence[str], stop: bool = False
    ) -> HostAnswer:
        """Run verbs with options for plans; with `stop`, none after one that fails. Raises SetpointError (E0653)."""
        mark = f"setpoint-{secrets.token_hex(8)}"
        script = "".join(self._script(bundle, plans, verbs, stop, mark))
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as complaints:
            given.write(script.encode("utf-8", "surrogateescape"))
            given.seek(0)
            try:
                process = subprocess.Popen(
                    self.command, stdin=given, stdout=subprocess.PIPE, stderr=complaints
                )
            except OSError as error:
                raise self._unreached(f"cannot run {self.command[0]}: {error.strerror}") from None
            out = printed(process, MOST_SECONDS, MOST_BYTES)
            complaints.seek(max(0, complaints.seek(0, 2) - MOST_OF_COMPLAINTS))
            said = complaints.read().decode(errors="replace").strip()
        text = out.content.decode(errors="replace")
        if out.is_late or out.is_too_much or f"{mark} whole" not in text:
            late = f"no end after {MOST_SECONDS} seconds" if out.is_late else ""
            raise self._unreached(late or said or f"{self.command[0]} ended with status {process.returncode}")
        return _answer(text, mark)

    def _script(
        self, bundle: Deployable, plans: Sequence[HostPlan], verbs: Sequence[str], stop: bool, mark: str
    ) -> Sequence[str]:
        lines = [HEAD, f"m={mark}\n", RUN]
        lines.append(
            f"export SETPOINT_HOST={shlex.quote(self.name)} SETPOINT_IGNORE={shlex.quote(' '.join(self.ignored))}\n"
        )
        for name, text in (
            ("setpoint-host", bundle.program),
            *((f"{plan.part}.plan", plan.text) for plan in plans),
        ):
            whole = text if text.endswith("\n") else f"{text}\n"
            lines.append(f"cat >\"$d\"/{shlex.quote(name)} <<'{mark}' || exit 4\n{whole}{mark}\n")
        lines.append('printf \'%s uuid %s\\n%s boot %s\\n\' "$m" "$u" "$m" "$b"\n')
        runs = [(plan.part, *f"{verb} ".split(" ", 2)[:2]) for verb in verbs for plan in plans]
        joined = " && " if stop else "; "
        lines.append(
            joined.join(f"run {shlex.quote(part)} {verb} {option}" for part, verb, option in runs) + "\n"
        )
        lines.append("printf '%s whole\\n' \"$m\"\nexit 0\n")
        return lines

    def _unreached(self, why: str) -> SetpointError:
        message = f"cannot work on `{self.name}`: {why[:MOST_OF_COMPLAINTS]}"
        help_ = "`--sudo` works as root by `sudo -n`, and `--ssh-option` gives ssh an option"
        return SetpointError.of("E0653", message, help=(help_,))


def _answer(text: str, mark: str) -> HostAnswer:
    """What was printed between the marks; what a login prints before is passed over."""
    pieces = text.split(f"{mark} ")[1:]
    known = {"uuid": "", "boot": ""}
    runs = []
    for at, piece in enumerate(pieces):
        first, _, rest = piece.partition("\n")
        word, *words = first.split(" ")
        if word in known:
            known[word] = " ".join(words).strip()
        elif word == "did" and len(words) == 3 and words[2].isdigit():
            err = pieces[at + 1].partition("\n")[2].strip()
            runs.append(HostRun(words[0], words[1], int(words[2]), rest.strip(), err))
    return HostAnswer(known["uuid"], known["boot"], tuple(runs))
