"""Render models by the templates of a package."""

from collections.abc import Iterable
from functools import cache
from types import ModuleType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from setpoint.compiler.render.compiled import CompiledTemplates
from setpoint.compiler.render.escape import escape
from setpoint.targets._shared.data import folder


def environment(package: ModuleType, **signs: Any) -> Environment:
    """The environment for the templates of a package. `signs` are their delimiters, if not Jinja's own."""
    # Shell, INI and YAML, not HTML: the models' patterns leave nothing to escape. In Markdown, `escape` does.
    templates = Environment(
        loader=FileSystemLoader(folder(package)),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        **signs,
    )
    templates.filters["escape"] = escape
    templates.bytecode_cache = CompiledTemplates(templates, folder(package), sorted(signs.items()))
    return templates


_of = cache(environment)


def render(package: ModuleType, template: str, **values: object) -> str:
    """A template of a package, rendered with `values`."""
    return _of(package).get_template(template).render(values)


LINE = 145
"""Of lists and mappings of YAML that have several items on a line."""


def filled(items: Iterable[str], indent: int) -> str:
    """Items with commas, in lines, as what brackets at this indentation have between them. An item is never broken,
    since a text within it can have spaces."""
    lines: list[str] = []
    for item in map(str, items):  # what `tojson` returns would escape what is added to it
        if lines and indent + len(lines[-1]) + len(item) < LINE:
            lines[-1] += f", {item}"
        else:
            lines.append(item)
    if len(lines) < 2 and indent + len("".join(lines)) < LINE // 2:
        return "".join(lines)
    end = f"\n{' ' * indent}"
    return f"{end}  {f',{end}  '.join(lines)}{end}"
