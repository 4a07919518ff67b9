"""Render models by the templates of a package."""

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
