"""ansible-playbook whose tasks run in its own process, one after the other.

    python ansible_in_process.py ARGUMENTS...    what `ansible-playbook ARGUMENTS...` does, with Ansible's Python

Ansible forks a worker for each task on each host. Where the tasks are hundreds and do little, as with many hosts whose
controllers are emulated, the forks are most of the cost. Here the worker's work is done where it would be forked: by
Ansible's own `TaskExecutor`, with its own variables, templates and modules. Only the isolation between the workers is gone,
so a task is copied before it runs, as a fork would copy it.

Templates are compiled once and not for each host: what the compiler makes of a text depends on the text and a few settings
alone. Garbage is collected rarely, since little of what a play makes is garbage before it ends. With `--complete` the tests run Ansible as it is; `test_ansible_in_process` compares the two.
"""

from __future__ import annotations

import copy
import gc
import sys
from collections.abc import Hashable
from types import CodeType
from typing import Any

import jinja2
from ansible._internal import _task
from ansible._internal._templating._jinja_bits import _TemplateCompileContext
from ansible.cli.playbook import main
from ansible.executor.process import worker
from ansible.executor.task_executor import TaskExecutor
from ansible.plugins import strategy
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


def settings(environment: Any) -> Hashable:
    """What a compiled text depends on beside the text."""
    context = _TemplateCompileContext.current(optional=True)
    return (context and context.escape_backslashes, *(getattr(environment, name) for name in SETTINGS))


if __name__ == "__main__":
    gc.set_threshold(100_000, 20, 100)
    strategy.WorkerProcess = InProcess
    for name, method in {"compile": compile_once, "compile_expression": compile_expression_once}.items():
        setattr(jinja2.Environment, name, method)
    sys.argv[0] = "ansible-playbook"
    main()
