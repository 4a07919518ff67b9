"""ansible-playbook whose tasks run in its own process, one after the other.

    python ansible_in_process.py ARGUMENTS...    what `ansible-playbook ARGUMENTS...` does, with Ansible's Python

Ansible forks a worker for each task on each host. Where the tasks are hundreds and do little, as with many hosts whose
controllers are emulated, the forks are most of the cost. Here the worker's work is done where it would be forked: by
Ansible's own `TaskExecutor`, with its own variables, templates and modules. Only the isolation between the workers is
gone, so a task is copied before it runs, as a fork would copy it.

What Ansible does again for each task or host, and always to the same end, is done once (`ansible_once`). A module goes
to `module_server` straight away, without the shell and the Python that would hand it on, and `uri` gets no folder for
files that it does not send. What Ansible packs of itself to send it with a module is packed once for all plays with the
same module in their roles (`PACKED`). Garbage is collected rarely, since little of what a play makes is garbage before
it ends.

With `--complete` the tests run Ansible as it is; `test_ansible_in_process` compares the two.
"""

from __future__ import annotations

import copy
import gc
import os
import socket
import sys
from array import array
from hashlib import sha256
from pathlib import Path
from typing import Any

import ansible_once
from ansible import constants
from ansible._internal import _task
from ansible.cli.playbook import main
from ansible.executor.process import worker
from ansible.executor.task_executor import TaskExecutor
from ansible.plugins import action, strategy
from ansible.plugins.connection import local


class InProcess(worker.WorkerProcess):  # type: ignore[misc]
    """A worker whose task is over when `start` returns."""

    def start(self) -> None:
        """Run the task and send its result."""
        worker.current_worker = self
        task = self._task.copy(exclude_parent=True)
        task._parent = self._task._parent
        host = copy.copy(self._host)
        with _task.TaskContext(task):
            result = TaskExecutor(
                host,
                task,
                self._task_vars,
                self._play_context.copy(),
                self._loader,
                self._shared_loader_obj,
                self._final_q,
                self._variable_manager,
            ).run()
        host.vars, host.groups = {}, []
        sent = worker._RawTaskResult(host=host, task=task, return_data=result, task_fields=task.dump_attrs())
        self._final_q.send_task_result(sent)

    def is_alive(self) -> bool:
        """Whether it is still at work: never."""
        return False

    def close(self) -> None:
        """Nothing is to be released."""


CLIENT = Path(__file__).resolve().parent / "module_client"
execute_plain = local.Connection.exec_command


def execute(
    self: Any, cmd: str, in_data: bytes | None = None, sudoable: bool = True
) -> tuple[int, bytes, bytes]:
    """Run a command; if it is the client of `module_server`, do what it does."""
    if in_data is None or cmd != f"/bin/sh -c '{CLIENT} && sleep 0'":
        plain: tuple[int, bytes, bytes] = execute_plain(self, cmd, in_data, sudoable)
        return plain
    output = [os.memfd_create(name) for name in ("output", "errors")]
    namespaces = [os.open(f"/proc/self/ns/{name}", os.O_RDONLY) for name in ("user", "mnt")]
    handed = array("i", output + namespaces)
    variables = b"\0".join(name + b"=" + value for name, value in os.environb.items())
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(os.environ["MODULE_SERVER"])
        server.sendmsg([os.fsencode(os.getcwd()) + b"\0\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, handed)])
        server.sendall(variables + b"\0\0" + in_data)
        server.shutdown(socket.SHUT_WR)
        answer = server.recv(1)
    for descriptor in namespaces:
        os.close(descriptor)
    said = []
    for descriptor in output:
        os.lseek(descriptor, 0, os.SEEK_SET)
        with open(descriptor, "rb") as file:
            said.append(file.read())
    return answer[0] if answer else 1, said[0], said[1]


needs_folder_plain = action.ActionBase._early_needs_tmp_path


def needs_folder(self: Any) -> bool:
    """Whether an action needs a folder for files of its own. `uri` asks for one always, and needs it to send a file."""
    return needs_folder_plain(self) and not (
        type(self).__module__.endswith(".uri") and "src" not in self._task.args
    )


CLIENT_OF_ROLES = Path(__file__).resolve().parents[2] / "targets" / "_client"
PACKED = (
    Path(sys.prefix)
    / f"packed-{sha256(b''.join(p.read_bytes() for p in sorted(CLIENT_OF_ROLES.glob('*.py')))).hexdigest()[:12]}"
)
"""Where Ansible finds the modules that it has packed before; it writes a file there completely or not at all."""


def prepare() -> None:
    """Have Ansible do all this."""
    PACKED.mkdir(parents=True, exist_ok=True)
    gc.set_threshold(100_000, 20, 100)
    strategy.WorkerProcess = InProcess
    ansible_once.install()
    local.Connection.exec_command = execute
    action.ActionBase._early_needs_tmp_path = needs_folder


def run(arguments: list[str]) -> None:
    """Do what `ansible-playbook` does with these arguments, and end with its exit status (SystemExit)."""
    (Path(constants.DEFAULT_LOCAL_TMP) / "ansiballz_cache").symlink_to(PACKED)
    sys.argv = ["ansible-playbook", *arguments]
    main()


if __name__ == "__main__":
    prepare()
    run(sys.argv[1:])
