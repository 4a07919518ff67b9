"""The options and operands of the commands, read from their parsers.

A parser has a placeholder for a value (`metavar`), but not the kind of value. A placeholder has one meaning in all
commands, so a table can give the kind.
"""

import argparse
from collections.abc import Iterator
from importlib import import_module

from setpoint.compiler.cli import ABOUT, OPTIONS, VERBS, kb
from setpoint.compiler.lowering.target import targets
from setpoint.compiler.render.catalogue import KINDS
from setpoint.compiler.render.commands import FILES, FOLDERS, Command, CommandArgument

PATHS = {
    "A": FILES,
    "B": FILES,
    "CODE | POLICY SETTING | SETTING": FILES,
    "BUNDLE": FOLDERS,
    "CAPTURE": FILES,
    "DIR": FOLDERS,
    "EARLIER": FILES,
    "INVENTORY": FILES,
    "FILE": FILES,
    "NEW": FILES,
    "NEW | PATH": FILES,
    "OLD": FILES,
    "REGISTRY": FILES,
    "OLD | REV..REV": FILES,
    "PATH": FILES,
    "POLICY": FILES,
}
"""Placeholders for names of files or folders."""


def commands() -> tuple[Command, ...]:
    """The program itself, and all commands in the order in which they are listed."""
    about = f"{ABOUT[0].lower()}{ABOUT[1:].rstrip('.')}"
    return (
        Command(
            (), about, ABOUT, tuple(_own_options()), (CommandArgument((), "COMMAND", "COMMAND ...", ""),)
        ),
        *_verbs(),
    )


def _verbs() -> Iterator[Command]:
    for verb, about in VERBS.items():
        module = import_module(f"setpoint.compiler.cli.{verb}")
        if module is not kb:
            yield _command((verb,), about, module.run.parser.argparse())
            continue
        yield _command((verb,), about, kb.kb_parser())
        for inner, (name, what) in kb.VERBS.items():
            inner_module = import_module(f"setpoint.compiler.cli.kb.{name}")
            yield _command((verb, inner), what, getattr(inner_module, f"run_{inner}").parser.argparse())


def _own_options() -> Iterator[CommandArgument]:
    for flags, about in OPTIONS.items():
        yield CommandArgument(tuple(flags.split(", ")), "", f"[{flags.split(', ')[0]}]", about)


def _command(words: tuple[str, ...], about: str, parser: argparse.ArgumentParser) -> Command:
    arguments = [_argument(action, parser) for action in parser._actions]
    return Command(
        words,
        about,
        parser.description or "",
        tuple(argument for argument in arguments if argument.flags),
        tuple(argument for argument in arguments if not argument.flags),
    )


def _argument(action: argparse.Action, parser: argparse.ArgumentParser) -> CommandArgument:
    flags = tuple(action.option_strings)
    choices = tuple(map(str, action.choices or ()))
    value = "" if action.nargs == 0 else str(action.metavar or f"{{{','.join(choices)}}}")
    return CommandArgument(
        flags,
        value,
        _synopsis(action, flags, value),
        # argparse has no public way to fill in a help text's references to its option
        parser._get_formatter()._expand_help(action) if action.help else "",
        choices or _words(flags, value),
        PATHS.get(value, ""),
        action.nargs in ("+", "*") or type(action).__name__ == "_AppendAction",
    )


def _synopsis(action: argparse.Action, flags: tuple[str, ...], value: str) -> str:
    if flags:
        text = f"{flags[0]} {value}".rstrip()
        return text if action.required else f"[{text}]"
    forms = {
        "?": f"[{value}]",
        "*": f"[{value} ...]",
        "+": f"{value} [{value} ...]",
        argparse.PARSER: f"{value} ...",
    }
    return forms.get(str(action.nargs), value)


def _words(flags: tuple[str, ...], value: str) -> tuple[str, ...]:
    """The words to offer if the parser itself has no choices."""
    if "--target" in flags:
        return tuple(targets())
    if value == "KIND":
        from setpoint.compiler.cli.kb.look import TARGETS

        return (*sorted(KINDS), TARGETS)
    return tuple(VERBS) if value == "COMMAND | CODE" else ()
