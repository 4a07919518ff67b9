"""ansible-playbook, where what each of its processes would do again is done once.

    python ansible_playbook.py FOLDER ARGUMENT...        with Ansible's Python

Ansible forks a process for each task on each host. Each of them looks for all filters and tests, and parses and compiles
all templates that it comes across: a quarter of what a play costs. Here the filters and tests are found before the first
fork, and what a template is compiled to is kept in FOLDER, by all that the result depends on: its text, the settings of
the lexer, and whether backslashes are escaped. What the templates then yield, Ansible works out each time.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from pathlib import Path
from types import CodeType
from typing import Any

from ansible._internal._templating import _jinja_bits
from ansible.cli.playbook import main
from ansible.plugins.loader import filter_loader, test_loader
from jinja2.environment import TemplateExpression

Environment: Any = _jinja_bits.AnsibleEnvironment
compile_template, compile_expression = Environment.compile, Environment.compile_expression


class Kept:
    """What templates and expressions were compiled to, in a folder that several processes share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: Path | None = None

    def place(self, environment: Any, kind: str, source: str) -> Path:
        """Where the code of a source is, or will be."""
        context = _jinja_bits._TemplateCompileContext.current(optional=True)
        settings = [getattr(environment, name) for name in _jinja_bits._TEMPLATE_OVERRIDE_FIELD_NAMES]
        key = repr((kind, str(source), context and context.escape_backslashes, settings))
        return self.folder / hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()

    def code(self, place: Path) -> CodeType | None:
        """The code that is there, if any."""
        try:
            code: CodeType = marshal.loads(place.read_bytes())
        except FileNotFoundError:
            return None
        return code

    def keep(self, place: Path, code: CodeType) -> CodeType:
        """Put code there, as a whole or not at all."""
        new = place.with_suffix(f".{os.getpid()}")
        new.write_bytes(marshal.dumps(code))
        new.replace(place)
        return code


def install(kept: Kept) -> None:
    """Have templates and expressions compiled once."""

    def template(self: Any, source: Any, *where: Any, **options: Any) -> Any:
        if where or options:
            return compile_template(self, source, *where, **options)
        if isinstance(source, str):
            place = kept.place(self, "template", source)
            return kept.code(place) or kept.keep(place, compile_template(self, source))
        code = compile_template(self, source)
        if kept.asked:
            kept.keep(kept.asked, code)
            kept.asked = None
        return code

    def expression(self: Any, source: str, undefined_to_none: bool = True) -> TemplateExpression:
        place = kept.place(self, "expression", source)
        if code := kept.code(place):
            made = self.template_class.from_code(self, code, self.make_globals(None), None)
            return TemplateExpression(made, undefined_to_none)
        kept.asked = place  # It compiles a tree, whose text `template` does not see.
        try:
            compiled: TemplateExpression = compile_expression(self, source, undefined_to_none)
            return compiled
        finally:
            kept.asked = None

    Environment.compile, Environment.compile_expression = template, expression


if __name__ == "__main__":
    install(Kept(Path(sys.argv.pop(1))))
    for loader in (filter_loader, test_loader):
        list(loader.all())
    sys.argv[0] = "ansible-playbook"
    sys.exit(main())
