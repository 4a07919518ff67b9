"""A plain command line is read without argparse, and as argparse reads it."""

import contextlib
import io
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setpoint.compiler.cli import VERBS
from setpoint.compiler.cli.arguments import Options, Parser
from strategies import soon
from support.effort import examples

PARSERS: dict[str, Any] = {
    verb: getattr(import_module(f"setpoint.compiler.cli.{verb}"), f"{verb}_parser")
    for verb in VERBS
    if verb != "kb"
}
PARSERS["kb check"] = import_module("setpoint.compiler.cli.kb.check").check_parser

OPTIONS = sorted(
    {
        flag
        for parser in PARSERS.values()
        for action in parser().argparse()._actions
        for flag in action.option_strings
    }
)
WORDS = [
    "a.tune",
    "b",
    "-",
    "--",
    "",
    "json",
    "text",
    "always",
    "2",
    "-2",
    "- x",
    "--format=json",
    "-ex",
    "--no",
    "--form",
]


def of_argparse(parser: Parser, words: list[str]) -> dict[str, Any] | None:
    """What argparse reads; None if it exits with an error or after the help."""
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            return vars(parser.argparse().parse_intermixed_args(words, Options()))
        except SystemExit:
            return None


@given(
    st.sampled_from(sorted(PARSERS)),
    st.lists(st.one_of(st.sampled_from(WORDS), st.sampled_from(OPTIONS)), max_size=6),
)
@soon(examples(2000))
def test_what_is_read_without_argparse_is_what_argparse_reads(verb: str, words: list[str]) -> None:
    parser = PARSERS[verb]()
    if (found := parser.read_plain(words)) is not None:
        assert vars(found) == of_argparse(parser, words)


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("plan", ["a.tune"]),
        ("plan", ["-e", "goal latency; cpu westmere", "--format", "json", "--no-pager"]),
        ("plan", ["--host", "h", "-"]),
        ("compile", ["a.tune", "-o", "out", "--target", "tuned", "--target", "report"]),
        ("check", ["a", "b", "--format", "sarif", "--statistics"]),
        ("diff", ["a", "b"]),
        ("explain", ["a.tune", "--group", "web", "turbo"]),
        ("diff", ["main...HEAD"]),
        ("fmt", ["--check", "."]),
        ("kb check", []),
    ],
)
def test_usual_command_lines_are_read_without_argparse(verb: str, words: list[str]) -> None:
    parser = PARSERS[verb]()
    found = parser.read_plain(words)
    assert found is not None and vars(found) == of_argparse(parser, words)
