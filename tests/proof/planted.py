"""What the tables of planted defects share: how one is planted and checked, and which are by default.

A defect is checked in a copy of the whole library, which takes some seconds of computing time; all hundred would take
as long as many other suites together. So the tests try a sample of each table, the same each time, and all
of them with `pytest --complete`, which is what `make planted` does. What the defects leave as it is gets proven once.
"""

import os
from collections.abc import Iterable
from functools import cache
from zlib import crc32

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.load import stdlib_text, trees
from setpoint.compiler.language.parse import parse
from setpoint.compiler.proof.prove import prove
from support.proven import library_memory

OUT_OF_REACH = ""
"""No check finds it, and none can without the source in hand."""

ONE_IN = 30
"""A defect of the sample is one in so many, and there is one of each table. Their names decide."""

OF_MOST = {"profile with an empty cell"}
"""Defects in what most of the proof depends on, so that it is made anew; they are not of the sample."""


def sample(names: Iterable[str]) -> list[str]:
    """The names of a table's defects that are tried: a sample, or all with `--complete`."""
    every = list(names)
    if os.environ.get("PLANTED") == "all":
        return every
    tried = sorted((name for name in every if name not in OF_MOST), key=lambda name: crc32(name.encode()))
    first = tried[: -(-len(every) // ONE_IN)]
    return [name for name in every if name in first]


def edited(texts: dict[str, str]) -> set[str]:
    """The codes that the check finds in a library whose files of these names have these texts instead."""
    for name in texts:
        assert stdlib_text(name), f"the library has no {name}"
    return found(
        *(
            LayeredFile(parse(SourceText(one.file.name, texts[one.file.name])), "stdlib")
            if one.file.name in texts
            else one
            for one in library()
        )
    )


def beside_the_library(text: str) -> set[str]:
    """The codes that the check reports for a site's file beside the library."""
    return found(*library(), LayeredFile(parse(SourceText("site.tune", text)), "site"))


@cache
def library() -> tuple[LayeredFile, ...]:
    return tuple(LayeredFile(tree, "stdlib") for tree in trees())


def found(*files: LayeredFile) -> set[str]:
    """The codes that the check of these files finds."""
    try:
        return {d.code for d in prove(build(files), library_memory()).findings}
    except SetpointError as error:
        return {d.code for d in error.diagnostics}
