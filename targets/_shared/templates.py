"""From a model to text, by the templates of a package."""

from functools import cache
from types import ModuleType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from setpoint.targets._shared.data import folder


def environment(package: ModuleType, **signs: Any) -> Environment:
    """What reads the templates of a package. `signs` are those of its templates, where they differ from Jinja's own."""
    # Shell, INI and YAML, no HTML: there is nothing to escape but what the models' patterns have let through.
    return Environment(
        loader=FileSystemLoader(folder(package)),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        **signs,
    )


_of = cache(environment)


def render(package: ModuleType, template: str, **values: object) -> str:
    """A template of a package, with `values`."""
    return _of(package).get_template(template).render(values)
