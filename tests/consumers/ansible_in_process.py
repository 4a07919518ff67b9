"""ansible-playbook whose tasks run in its own process, one after the other.

    python ansible_in_process.py ARGUMENTS...    what `ansible-playbook ARGUMENTS...` does, with Ansible's Python

Ansible forks a worker for each task on each host. Where the tasks are hundreds and do little, as with many hosts whose
controllers are emulated, the forks are most of the cost. Here the worker's work is done where it would be forked: by
Ansible's own `TaskExecutor`, with its own variables, templates and modules. Only the isolation between the workers is gone,
so a task is copied before it runs, as a fork would copy it.

What Ansible does again for each task or host, and always to the same end, is done once: a template is compiled once, since
what the compiler makes of a text depends on the text and a few settings alone; a filter is looked up once; and a variable is
rendered once for all templates that the value of one field leads to. A module goes to `module_server` straight away, without
the shell and the Python that would hand it on, and `uri` gets no folder for files that it does not send. What Ansible packs of
itself to send it with a module is packed once for all plays (`PACKED`): no role has modules of its own. Garbage is collected
rarely, since little of what a play makes is garbage before it ends.

With `--complete` the tests run Ansible as it is; `test_ansible_in_process` compares the two.
"""

from __future__ import annotations

import copy
import gc
import os
import socket
import sys
from array import array
from collections.abc import Hashable
from pathlib import Path
from types import CodeType
from typing import Any

import jinja2
from ansible import constants
from ansible._internal import _task
from ansible._internal._templating import _jinja_bits, _utils
from ansible._internal._templating._jinja_bits import _TemplateCompileContext
from ansible.cli.playbook import main
from ansible.executor.process import worker
from ansible.executor.task_executor import TaskExecutor
from ansible.plugins import action, loader, strategy
from ansible.plugins.connection import local
from jinja2.environment import TemplateExpression
from jinja2.nodes import Assign, Name, Template
from jinja2.parser import Parser


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


SETTINGS = (
    "block_start_string",
    "variable_start_string",
    "comment_start_string",
    "line_statement_prefix",
    "line_comment_prefix",
    "trim_blocks",
    "lstrip_blocks",
    "newline_sequence",
    "keep_trailing_newline",
)
"""What of an environment a compiled text depends on."""

compiled: dict[Hashable, CodeType] = {}
compile_plain = jinja2.Environment.compile


def compile_once(self: Any, source: Any, *arguments: Any, **more: Any) -> Any:
    """Compile a template, unless that has been done."""
    if arguments or more or not isinstance(source, str):
        return compile_plain(self, source, *arguments, **more)
    key = ("template", str(source), settings(self))
    if key not in compiled:
        compiled[key] = compile_plain(self, source)
    return compiled[key]


def compile_expression_once(self: Any, source: str, undefined_to_none: bool = True) -> TemplateExpression:
    """Compile an expression as `jinja2.Environment.compile_expression` does, unless that has been done."""
    key = ("expression", str(source), settings(self))
    if key not in compiled:
        parser = Parser(self, source, state="variable")
        expression = parser.parse_expression()
        if not parser.stream.eos:
            raise jinja2.TemplateSyntaxError("chunk after expression", parser.stream.current.lineno)
        expression.set_environment(self)
        assigned = Assign(Name("result", "store"), expression, lineno=1)
        compiled[key] = compile_plain(self, Template([assigned], lineno=1))
    template = self.template_class.from_code(self, compiled[key], self.make_globals(None))
    return TemplateExpression(template, undefined_to_none)


flatten_plain = _jinja_bits._flatten_and_lazify_vars


def flatten_once(mapping: Any) -> Any:
    """The layers in which a template finds its variables: the same for all templates that a field leads to.

    Ansible renders a value when it is asked for, and keeps it in the layer. It makes new layers for each template.
    """
    context = _utils.TemplateContext.current(optional=True)
    if context is None or type(mapping) is not dict or mapping is not context.templar.available_variables:
        return flatten_plain(mapping)
    templar = context.templar
    while context._parent_ctx:
        context = context._parent_ctx
    kept = vars(context).setdefault("kept", {})
    key = (id(templar), id(mapping))
    if key not in kept:
        kept[key] = (templar, mapping, [*flatten_plain(mapping)])
    return kept[key][2]


def settings(environment: Any) -> Hashable:
    """What a compiled text depends on beside the text."""
    context = _TemplateCompileContext.current(optional=True)
    return (context and context.escape_backslashes, *(getattr(environment, name) for name in SETTINGS))


found: dict[Hashable, Any] = {}
find_plain = loader.Jinja2Loader.get


def find_once(self: Any, name: str) -> Any:
    """A filter or a test of this name, or None; a KeyError if Ansible has none, so that it is Jinja's own, or nobody's."""
    key = (self.type, name)
    if key not in found:
        try:
            found[key] = find_plain(self, name)
        except KeyError as error:
            found[key] = error
    if isinstance(found[key], KeyError):
        raise found[key]
    return found[key]


CLIENT = Path(__file__).resolve().parent / "module_client"
execute_plain = local.Connection.exec_command


def execute(
    self: Any, cmd: str, in_data: bytes | None = None, sudoable: bool = True
) -> tuple[int, bytes, bytes]:
    """Run a command; if it is the client of `module_server`, do what it does."""
    if in_data is None or cmd != f"/bin/sh -c '{CLIENT} && sleep 0'":
        plain: tuple[int, bytes, bytes] = execute_plain(self, cmd, in_data, sudoable)
        return plain
    output = array("i", [os.memfd_create(name) for name in ("output", "errors")])
    variables = b"\0".join(name + b"=" + value for name, value in os.environb.items())
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(os.environ["MODULE_SERVER"])
        server.sendmsg([os.fsencode(os.getcwd()) + b"\0\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, output)])
        server.sendall(variables + b"\0\0" + in_data)
        server.shutdown(socket.SHUT_WR)
        answer = server.recv(1)
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


PACKED = Path(sys.prefix) / "packed"
"""Where Ansible finds the modules that it has packed before; it writes a file there completely or not at all."""


if __name__ == "__main__":
    PACKED.mkdir(exist_ok=True)
    (Path(constants.DEFAULT_LOCAL_TMP) / "ansiballz_cache").symlink_to(PACKED)
    gc.set_threshold(100_000, 20, 100)
    strategy.WorkerProcess = InProcess
    for name, method in {"compile": compile_once, "compile_expression": compile_expression_once}.items():
        setattr(jinja2.Environment, name, method)
    _jinja_bits._flatten_and_lazify_vars = flatten_once
    loader.Jinja2Loader.get = find_once
    local.Connection.exec_command = execute
    action.ActionBase._early_needs_tmp_path = needs_folder
    sys.argv[0] = "ansible-playbook"
    main()
