"""What Ansible does again for each task or host, and always to the same end, done once; and what it does slowly, done
quickly.

A template is compiled once, since what the compiler makes of a text depends on the text and a few settings alone; a
filter is looked up once; and a variable is rendered once for all templates that the value of one field leads to. A file
of YAML is parsed once for all hosts.

Ansible looks at each value that a template touches for an undefined one or a deprecated one, and compares lists by
making each element anew for each comparison. A role that compares hundreds of attributes spends half of its time with
that. Here a value that can be neither is not looked at, and lists of plain values are compared by their hashes.
Whatever is not plain is left to Ansible.

`install` puts all of it in place. `test_ansible_in_process` compares a play with one of Ansible as it is.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable
from types import CodeType
from typing import Any

import jinja2
from ansible._internal._templating import _access, _jinja_bits, _lazy_containers, _utils
from ansible._internal._templating._jinja_bits import _TemplateCompileContext
from ansible.module_utils._internal._datatag import (
    AnsibleTaggedObject,
    AnsibleTagHelper,
    _AnsibleTaggedDict,
    _AnsibleTaggedFloat,
    _AnsibleTaggedInt,
    _AnsibleTaggedList,
    _AnsibleTaggedStr,
    _try_get_internal_tags_mapping,
)
from ansible.module_utils._internal._datatag._tags import Deprecated
from ansible.parsing import dataloader
from ansible.plugins import loader
from jinja2.environment import TemplateExpression
from jinja2.nodes import Assign, Name, Template
from jinja2.parser import Parser

# ------------------------------------------------------------------------------------------------------------ once

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
    """A filter or a test of this name, or None; a KeyError if Ansible has none, so that it is Jinja's own, or
    nobody's."""
    key = (self.type, name)
    if key not in found:
        try:
            found[key] = find_plain(self, name)
            if key == ("filter", "difference"):
                found[key]._function = quick_difference(found[key].j2_function)
        except KeyError as error:
            found[key] = error
    if isinstance(found[key], KeyError):
        raise found[key]
    return found[key]


parsed: dict[Hashable, Any] = {}
parse_plain = dataloader.DataLoader.load


def parse_once(self: Any, data: str, file_name: str = "<string>", *others: Any, **more: Any) -> Any:
    """What a text of YAML or JSON says, as Ansible's loader of files asks for it, which copies it."""
    if others or set(more) - {"json_only"}:
        return parse_plain(self, data, file_name, *others, **more)
    key = (
        file_name,
        str(data),
        type(data),
        frozenset(getattr(data, "_ansible_tags_mapping", ())),
        *more.items(),
    )
    if key not in parsed:
        parsed[key] = parse_plain(self, data, file_name, **more)
    return parsed[key]


class Copying:
    """Stands for the module `copy` where files are loaded: texts and numbers need no copy."""

    @staticmethod
    def deepcopy(value: Any) -> Any:
        """A copy of all dicts and lists, with their tags."""
        if type(value) in SCALARS:
            return value
        native = getattr(value, "_native_type", type(value))
        if type(value) not in CONTAINERS or native not in (dict, list):
            return copy.deepcopy(value)
        copied = Copying.deepcopy
        new = {k: copied(v) for k, v in value.items()} if native is dict else [copied(v) for v in value]
        return AnsibleTagHelper.tag_copy(value, new)


# --------------------------------------------------------------------------------------------------------- quickly

NATIVE = frozenset({str, int, float, bool, type(None), list, dict})
TEXTS = frozenset({str, _AnsibleTaggedStr})
SCALARS = frozenset(
    {str, int, float, bool, type(None), _AnsibleTaggedStr, _AnsibleTaggedInt, _AnsibleTaggedFloat}
)
CONTAINERS = frozenset({list, dict, _AnsibleTaggedList, _AnsibleTaggedDict})

notify_plain = _access.AnsibleAccessContext.access


def notify(self: Any, value: Any) -> None:
    """Tell who wants to know of undefined and deprecated values that one is used: nobody asks for others."""
    kind = type(value)
    if kind in NATIVE or (
        issubclass(kind, AnsibleTaggedObject) and Deprecated not in _try_get_internal_tags_mapping(value)
    ):
        return
    notify_plain(self, value)


render_plain = _lazy_containers._AnsibleLazyTemplateMixin._proxy_or_render_lazy_value


def render(self: Any, key: Any, value: Any) -> Any:
    """A value of a container, rendered if it has not been yet."""
    kind = type(value)
    if kind in NATIVE:
        return value
    if kind is _lazy_containers._LazyValue and is_plain(value.value):
        if key is not _lazy_containers._NoKeySentinel:
            self._native_type.__setitem__(self, key, value.value)
        return value.value
    return render_plain(self, key, value)


def is_plain(value: Any) -> bool:
    """Whether a value is a text that cannot be a template, or a number, and nobody has to be told of its use."""
    kind = type(value)
    if kind not in SCALARS or (kind in TEXTS and ("{" in value or value.startswith("#"))):
        return False
    return kind in NATIVE or Deprecated not in _try_get_internal_tags_mapping(value)


def render_list(self: Any) -> None:
    """Render all elements of a list."""
    for key, value in enumerate(list.__iter__(self)):
        if type(value) not in NATIVE:
            render(self, key, value)


def render_dict(self: Any) -> None:
    """Render all values of a dict."""
    for key, value in dict.items(self):
        if type(value) not in NATIVE:
            render(self, key, value)


class NotPlainError(Exception):
    """A value is something else than a text, a number, a list or a dict."""


def hashable(value: Any) -> Hashable:
    """What is equal for two values if they are."""
    if type(value) in SCALARS:
        scalar: Hashable = value
        return scalar
    if isinstance(value, dict):
        return dict, frozenset((key, hashable(each)) for key, each in value.items())
    if isinstance(value, list):
        return list, tuple(hashable(each) for each in value)
    raise NotPlainError


def quick_difference(plain: Any) -> Any:
    """The filter `difference`, which compares each element of a list with each of another where they cannot be
    hashed."""

    @jinja2.pass_environment
    def difference(environment: Any, a: Any, b: Any) -> Any:
        try:
            found = [(each, hashable(each)) for each in a]
            others = {hashable(each) for each in b}
        except (NotPlainError, TypeError):
            return plain(environment, a, b)
        if not any(type(key) is tuple for key in [*(key for _, key in found), *others]):
            return plain(environment, a, b)
        return plain(environment, [each for each, key in found if key not in others], [])

    return difference


passes_plain = _jinja_bits.AnsibleEnvironment.call_test
searched: list[Any] = [None, None]
"""The list in which a text was searched for last, and its texts; None if something else is among them."""


def passes(
    self: Any, name: str, value: Any, args: Any = None, kwargs: Any = None, *others: Any, **more: Any
) -> Any:
    """Whether a value passes a test, as `selectattr` asks for each element: `in` is asked of the same list each
    time."""
    if name == "in" and args and len(args) == 1 and not kwargs and type(value) in TEXTS:
        if searched[0] is not args[0]:
            searched[:] = args[0], texts_of(args[0])
        if searched[1] is not None:
            return value in searched[1]
    return passes_plain(self, name, value, args, kwargs, *others, **more)


def texts_of(values: Any) -> frozenset[str] | None:
    """The elements of a list of texts without templates; None if it is something else."""
    if not isinstance(values, list):
        return None
    raw = [v.value if type(v) is _lazy_containers._LazyValue else v for v in list.__iter__(values)]
    plain = all(type(v) in TEXTS and "{" not in v for v in raw)
    return frozenset(map(str, raw)) if plain else None


def install() -> None:
    """Have Ansible do all this."""
    for name, method in {"compile": compile_once, "compile_expression": compile_expression_once}.items():
        setattr(jinja2.Environment, name, method)
    _jinja_bits._flatten_and_lazify_vars = flatten_once
    loader.Jinja2Loader.get = find_once
    dataloader.DataLoader.load = parse_once
    dataloader.copy = Copying
    _access.AnsibleAccessContext.access = notify
    _lazy_containers._AnsibleLazyTemplateMixin._proxy_or_render_lazy_value = render
    _lazy_containers._AnsibleLazyTemplateList._proxy_or_render_lazy_values = render_list
    _lazy_containers._AnsibleLazyTemplateDict._proxy_or_render_lazy_values = render_dict
    _jinja_bits.AnsibleEnvironment.call_test = passes
