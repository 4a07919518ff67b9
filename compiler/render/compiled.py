"""Compiled templates, kept in the user's cache folder.

Jinja compiles a template to Python, which takes longer than everything else that an artifact needs. A template depends
on its text, which Jinja compares itself, and on its environment: the modules that make it and that have its filters,
since a filter of a constant is evaluated by the compiler.

The first bundle compiles dozens of templates, and a cache file is written as a whole. So files are written once, when
the process ends.
"""

import atexit
import marshal
import sys
import zlib
from collections.abc import Iterable
from functools import cached_property

import jinja2.compiler
from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket

from setpoint.compiler.files.cache import keep, recall


class CompiledTemplates(BytecodeCache):
    """The compiled templates of an environment, by its `name`, with the `options` of its modules."""

    def __init__(self, environment: Environment, name: str, options: Iterable[object] = ()) -> None:
        self._environment = environment
        self._cache = f"templates-{zlib.crc32(repr((name, *options)).encode()):08x}"

    @cached_property
    def _files(self) -> list[str]:
        """The modules that the compiled templates depend on."""
        makers = [type(self), *self._environment.filters.values(), self._environment.finalize]
        modules = {maker.__module__ for maker in makers if maker is not None}
        own = sorted(name for name in modules if name.startswith("setpoint."))
        return [str(sys.modules[name].__file__) for name in own] + [jinja2.compiler.__file__]

    @cached_property
    def _codes(self) -> dict[str, tuple[str, bytes]]:
        """The check sum of the text of each template and its marshalled code, by Jinja's key for it."""
        parts = recall(self._cache, self._files)
        return parts[0] if parts else {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give Jinja the code of a template, if it is known."""
        check_sum, code = self._codes.get(bucket.key, ("", b""))
        if check_sum == bucket.checksum:
            bucket.code = marshal.loads(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Remember the code of a template that Jinja has compiled, beside that of the others."""
        self._codes[bucket.key] = bucket.checksum, marshal.dumps(bucket.code)
        _changed.add(self)

    def keep(self) -> None:
        """Write the cache file."""
        keep(self._cache, self._files, [self._codes])


_changed: set[CompiledTemplates] = set()
"""Those with templates that their cache file lacks."""


@atexit.register
def keep_changed() -> None:
    """Write the cache files of all templates that this process has compiled."""
    while _changed:
        _changed.pop().keep()
