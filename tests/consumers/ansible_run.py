"""The real Ansible: its linter, its playbooks, and modules by themselves.

A playbook is run on hosts that are this machine, over no connection at all: for a layer that is set through a Redfish
service nothing else is needed. For the rest there is `System`: what a playbook changes is then a folder's, not this
machine's, and the programs that it calls there are stand-ins.

A start of Ansible takes a second, and each task a part of one. So one call does as much as it can: many hosts, many
roles. A play is forked from a process that has loaded Ansible (`ansible_server`), and its tasks run in Ansible's own
process, without its workers (`ansible_in_process`); with `--complete` it is Ansible as it is. Modules are run by a
server, which has imported already what they need (`module_server`).
"""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from consumers.answering import Answering
from consumers.requirement import require, unmet
from support.limits import PATIENCE
from support.servers import server

HERE = Path(__file__).resolve().parent

RESTARTABLE = {"ansible_connection": "restartable"}
"""The variables of a host that may be restarted: a `System`'s (`ansible_connection`)."""

FORKED = "ANSIBLE_FORKED"
"""The variable that says `all` if a play is to run with Ansible's workers unless it asks for the other
(`--complete`)."""

CALLBACK = {"ANSIBLE_STDOUT_CALLBACK": "ansible.posix.json"}
"""What has Ansible print what it has done as JSON."""

CONTROLLER = "localhost"
"""Where Ansible itself runs, among the hosts of a run."""


def programs() -> Path:
    """Where Ansible's programs are (tests/install-consumers); without them the test is skipped."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(cache) / "setpoint-tests" / "ansible"
    if not (folder / "releases").is_file():
        unmet(f"Ansible is not installed in {folder} (tests/install-consumers)")
    return folder / "bin"


@dataclass(frozen=True)
class Task:
    """What came of one task on one host."""

    name: str
    changed: bool
    failed: bool
    result: Mapping[str, Any]

    @property
    def message(self) -> str:
        """What it said, lists joined by blanks."""
        said = self.result.get("msg", "")
        return " ".join(map(str, said)) if isinstance(said, list) else str(said)


@dataclass(frozen=True)
class Run:
    """What a run of a playbook did: exit status, tasks by host (those that were skipped left out), and all that it
    said."""

    status: int
    tasks: Mapping[str, Sequence[Task]]
    said: str

    def changed(self, host: str) -> list[str]:
        """The tasks that changed something on a host, or in check mode would."""
        return [task.name for task in self.tasks[host] if task.changed and not task.failed]

    def failed(self, host: str) -> str:
        """The task that failed on a host and what it said; "" if none did."""
        return next((f"{task.name}: {task.message}" for task in self.tasks[host] if task.failed), "")

    def told(self, host: str, name: str) -> str:
        """What the task of this name said on a host; "" if there was none."""
        return next((task.message for task in self.tasks[host] if task.name == name), "")


class System:
    """A system made of folders (`ansible_sandbox`), with stand-ins for what Ansible's tasks call there."""

    def __init__(self, folder: Path) -> None:
        self.root = folder.resolve()
        for part in ("boot", "etc/alternatives", "programs", "proc/sys", "run", "state", "sys", "var/lib"):
            (self.root / part).mkdir(parents=True)
        for name in ("passwd", "group", "ld.so.cache"):
            if (Path("/etc") / name).exists():
                shutil.copy(Path("/etc") / name, self.root / "etc" / name)
        self.put("/proc/cmdline", "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet\n")
        self.put("/proc/sys/kernel/random/boot_id", "first\n")
        self.put("/state/no-os-release", "")
        self.hold_latency(2000000000)
        self.report("PowerEdge R750", "debian 12", "6.1.0-18-amd64")
        self.environment = {"SYSTEM": str(self.root)}
        self.program("shutdown", "shutdown_stand_in")

    def put(self, path: str, text: str, mode: int = 0o644) -> None:
        """Write a file of the system."""
        place = self.root / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        place.chmod(mode)

    def report(self, product: str, release: str, kernel: str, sockets: int = 2) -> None:
        """Have it report itself as this server with this system."""
        server(self.root, product, sockets, release, kernel)

    def hold_latency(self, microseconds: int) -> None:
        """Have its kernel hold this latency, as /dev/cpu_dma_latency shows it: on Linux, 32 bits."""
        (self.root / "state/cpu_dma_latency").write_bytes(microseconds.to_bytes(4, "little"))

    def read(self, path: str) -> str:
        """The text of a file of the system; "" where there is none."""
        place = self.root / path.lstrip("/")
        return place.read_text(encoding="utf-8") if place.exists() else ""

    def program(self, name: str, source: str, **environment: str) -> None:
        """Give it a program, or another one of that name: one of the stand-ins beside this file, or a script's text."""
        place = self.root / "programs" / name
        place.unlink(missing_ok=True)
        if source.startswith("#!"):
            self.put(f"/programs/{name}", source, 0o755)
        else:
            place.symlink_to(HERE / source)
        self.environment.update(environment)

    def files(self) -> dict[str, bytes]:
        """The files of the system, but for what its programs note."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and not path.is_symlink() and "state" not in path.relative_to(self.root).parts
        }

    def command(self, command: Sequence[str]) -> list[str]:
        """The command that runs `command` on the system."""
        as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
        return [
            str(require("unshare")),
            *as_root,
            "--mount",
            str(HERE / "ansible_sandbox"),
            str(self.root),
            *command,
        ]


def play(
    playbook: Path,
    hosts: Mapping[str, Mapping[str, object]],
    folder: Path,
    *options: str,
    system: System | None = None,
    groups: Mapping[str, Iterable[str]] | None = None,
    batches: Mapping[str, object] | None = None,
    in_process: bool | None = None,
) -> Run:
    """Run a playbook.

    Args:
        playbook: The playbook; its roles are beside it.
        hosts: The hosts with their variables, in the groups of all its roles. All are this machine, and the tasks
            become nobody else.
        folder: Where Ansible keeps what it keeps.
        options: Further options of ansible-playbook.
        system: What the hosts' tasks find instead of this machine's files and programs.
        groups: Further groups of the inventory, with their hosts.
        batches: The variables that say in which batches it acts; all hosts at once, whatever becomes of them, for None.
        in_process: Run the tasks in Ansible's own process (`ansible_in_process`), at a fifth of the cost, or have it
            fork a worker for each, as its users have it; by default in its own, unless all of each matrix is wanted
            (`--complete`).
    """
    folder.mkdir(parents=True, exist_ok=True)
    inventory = folder / "inventory.json"
    local = {
        "ansible_connection": "local",
        "ansible_become": False,
        "ansible_python_interpreter": str(HERE / "module_client"),
    }
    children = {role.name: {"hosts": dict.fromkeys(hosts)} for role in (playbook.parent / "roles").iterdir()}
    children |= {name: {"hosts": dict.fromkeys(members)} for name, members in (groups or {}).items()}
    at_once = {"setpoint_batches": "100%", "setpoint_max_fail_percentage": 100}
    everywhere = {name: {**local, **given} for name, given in {CONTROLLER: {}, **hosts}.items()}
    document = {"all": {"hosts": everywhere, "children": children}}
    inventory.write_text(json.dumps(document), encoding="utf-8")
    arguments = ["--inventory", str(inventory), "--forks", "4", *options]
    arguments += ["--extra-vars", json.dumps(at_once if batches is None else batches), str(playbook)]
    if os.environ.get(FORKED) == "all" if in_process is None else not in_process:
        with tempfile.TemporaryDirectory() as socket:
            served = [str(programs() / "python"), str(HERE / "module_server.py"), f"{socket}/socket"]
            command = [*served, str(programs() / "ansible-playbook"), *arguments]
            done = _run(system.command(command) if system else command, folder, system, CALLBACK)
    else:
        done = _ask(arguments, folder, system)
    if re.match(r"(?:unshare|mount): ", done.stderr):
        unmet(f"this system allows no namespace to run Ansible in: {done.stderr.strip()}")
    return Run(done.returncode, _tasks(done, hosts), done.stdout + done.stderr)


def lint(folder: Path, *paths: Path) -> str:
    """What ansible-lint has to say at the profile `production`, warnings included; "" where it is content."""
    command = [
        str(programs() / "ansible-lint"),
        "--offline",
        "--nocolor",
        "--strict",
        "--profile",
        "production",
        "-q",
    ]
    done = _run([*command, *map(str, paths)], folder, None, {})
    return "" if done.returncode == 0 else done.stdout + done.stderr


def check_syntax(folder: Path, playbooks: Iterable[Path]) -> str:
    """What ansible-playbook has to say of the syntax; "" where it is content."""
    done = _run(
        [str(programs() / "ansible-playbook"), "--syntax-check", *map(str, playbooks)], folder, None, {}
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def module(name: str, folder: Path, **arguments: object) -> dict[str, Any]:
    """What a module answers, run by itself: `dellemc.openmanage.idrac_bios`."""
    namespace, collection, plugin = name.split(".")
    path = f"ansible_collections.{namespace}.{collection}.plugins.modules.{plugin}"
    given = folder / "arguments.json"
    given.write_text(json.dumps({"ANSIBLE_MODULE_ARGS": arguments}), encoding="utf-8")
    done = _run([str(programs() / "python"), "-m", path, str(given)], folder, None, {})
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def settings(folder: Path) -> dict[str, str]:
    """The environment of every run: Ansible keeps what it keeps in `folder`, and finds the connections of the tests."""
    return {
        "LC_ALL": "C.UTF-8",
        "ANSIBLE_HOME": str(folder / "ansible"),
        "ANSIBLE_LOCAL_TEMP": str(folder / "local"),
        "ANSIBLE_REMOTE_TEMP": str(folder / "remote"),
        "ANSIBLE_NOCOLOR": "1",
        "ANSIBLE_PIPELINING": "1",
        "ANSIBLE_LOCALHOST_WARNING": "0",
        "ANSIBLE_INVENTORY_UNPARSED_WARNING": "0",
        "ANSIBLE_CONNECTION_PLUGINS": str(HERE / "ansible_connection"),
    }


def _environment(folder: Path, system: System | None, more: Mapping[str, str]) -> dict[str, str]:
    path = [*([str(system.root / "programs")] if system else []), str(programs())]
    return {
        "PATH": os.pathsep.join([*path, "/usr/sbin", "/usr/bin", "/sbin", "/bin"]),
        "HOME": str(folder),
        **settings(folder),
        **more,
        **(system.environment if system else {}),
    }


def _run(
    command: Sequence[str], folder: Path, system: System | None, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env=_environment(folder, system, environment),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def _ask(arguments: Sequence[str], folder: Path, system: System | None) -> subprocess.CompletedProcess[str]:
    """What `_run` does with ansible-playbook, in a fork of the server."""
    served = _servers()
    environment = _environment(served.folder, system, {**CALLBACK, "MODULE_SERVER": str(served.modules)})
    root = str(system.root) if system else None
    question = {"arguments": arguments, "folder": str(folder), "environment": environment, "system": root}
    answer = served.ansible.ask(question)
    return subprocess.CompletedProcess(arguments, answer["status"], answer["out"], answer["err"])


class Servers(NamedTuple):
    """What stays: Ansible (`ansible_server`) with its folder, and the socket of what runs its modules
    (`module_server`)."""

    ansible: Answering
    folder: Path
    modules: Path


@cache
def _servers() -> Servers:
    """The servers, until this process ends."""
    folder = Path(tempfile.mkdtemp(prefix="ansible-"))
    python, socket = str(programs() / "python"), folder / "socket"
    modules = Answering([python, str(HERE / "module_server.py"), str(socket)])
    modules.ready()
    ansible = Answering(
        [python, str(HERE / "ansible_server.py")], environment=_environment(folder, None, CALLBACK)
    )

    def end() -> None:
        ansible.close()
        modules.close()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    return Servers(ansible, folder, socket)


def _tasks(done: subprocess.CompletedProcess[str], hosts: Iterable[str]) -> dict[str, list[Task]]:
    """The tasks of the JSON that the callback prints, by host; the controller itself is `localhost`."""
    start = done.stdout.find('{\n    "custom_stats"')
    if start < 0:
        raise RuntimeError(f"ansible-playbook did not run:\n{done.stdout}{done.stderr}")
    document, _ = json.JSONDecoder().raw_decode(done.stdout[start:])
    tasks: dict[str, list[Task]] = {host: [] for host in (*hosts, CONTROLLER)}
    for played in document["plays"]:
        for task in played["tasks"]:
            name = task["task"]["name"].rpartition(" : ")[2]
            for host, result in task["hosts"].items():
                if not result.get("skipped"):
                    failed = bool(result.get("failed") or result.get("unreachable"))
                    tasks[host].append(Task(name, bool(result.get("changed")), failed, result))
    return tasks
