"""A plain command line is read without argparse, and as argparse reads it."""

import contextlib
import io
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setpoint.compiler.cli import VERBS
from setpoint.compiler.cli.arguments import Options, Parser, argument, forms
from strategies import soon
from support.effort import examples

PARSERS: dict[str, Any] = {
    verb: import_module(f"setpoint.compiler.cli.{verb}").run.parser for verb in VERBS if verb != "kb"
}
PARSERS["kb check"] = import_module("setpoint.compiler.cli.kb.check").run_check.parser

OPTIONS = sorted(
    {
        flag
        for parser in PARSERS.values()
        for action in parser.argparse()._actions
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
    parser = PARSERS[verb]
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
    parser = PARSERS[verb]
    found = parser.read_plain(words)
    assert found is not None and vars(found) == of_argparse(parser, words)


ROWS = {
    "--all": "a flag",
    "--group NAME": "a text",
    "--target NAME…": "several times",
    "--ssh HOST+": "several words",
    "-o DIR": argument("a name of its own", dest="folder", required=True),
    **forms("text", "json"),
    "policy POLICY": "one word",
    "other POLICY?": "may be left out",
}


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("-o out a.tune", {"folder": "out", "policy": "a.tune", "other": None}),
        ("a.tune b.tune -o out", {"policy": "a.tune", "other": "b.tune"}),
        ("a.tune -o out", {"all": False, "group": "", "target": [], "ssh": [], "format": "text"}),
        ("a.tune -o out --all --group g", {"all": True, "group": "g"}),
        ("a.tune -o out --target x --target y", {"target": ["x", "y"]}),
        ("a.tune -o out --ssh x y --ssh z", {"ssh": ["x", "y", "z"]}),
        ("a.tune -o out --format json", {"format": "json"}),
    ],
)
def test_words_of_a_row_say_what_an_argument_takes(words: str, values: dict[str, Any]) -> None:
    read = vars(Parser("setpoint verb", "", "", ROWS).parse_args(words.split()))
    assert {name: read[name] for name in values} == values


@pytest.mark.parametrize("words", ["a.tune", "-o out", "a.tune -o out --format xml", "a b c -o out", "a -o"])
def test_other_words_are_wrong_usage(words: str) -> None:
    assert of_argparse(Parser("setpoint verb", "", "", ROWS), words.split()) is None
