"""The manual page, in roff for the macros of man(7): one page with all commands.

It has no date, so that the same version gives the same page. All text goes through `_text`: roff has instructions that
begin with a backslash anywhere, or with a dot or an apostrophe at the start of a line, and sets a bare `-` as a hyphen,
which nobody can copy as an option.
"""

from collections.abc import Mapping

from setpoint.compiler.render.commands import Command, CommandArgument

SPECIAL = {
    "\\": "\\e",
    "-": "\\-",
    "'": "\\(aq",
    "`": "\\(ga",
    "^": "\\(ha",
    "~": "\\(ti",
    '"': "\\(dq",
}
"""Characters that roff would interpret or replace."""


def man(commands: tuple[Command, ...], version: str, statuses: Mapping[int, str]) -> str:
    """The page of all commands; the first of them is the program itself."""
    program, *others = commands
    lines = [
        f'.TH SETPOINT 1 "" "setpoint {_text(version)}" "User Commands"',
        ".nh",
        ".ad l",
        ".SH NAME",
        f"setpoint \\- {_text(program.about)}",
        ".SH SYNOPSIS",
    ]
    lines += _synopsis(program)
    lines += [".SH DESCRIPTION", _text(program.description), ".SH OPTIONS"]
    lines += [line for option in program.options for line in _argument(option)]
    lines.append(".SH COMMANDS")
    for command in others:
        lines += [
            f".SS setpoint {_text(command.name)}",
            *_synopsis(command),
            ".PP",
            _text(command.description),
        ]
        lines += [line for argument in (*command.operands, *command.options) for line in _argument(argument)]
    lines.append(".SH EXIT STATUS")
    for status, what in statuses.items():
        lines += [".TP", f".B {status}", _text(what)]
    return "\n".join(lines) + "\n"


def _synopsis(command: Command) -> list[str]:
    """The command and its arguments, unfilled words that are never broken in the middle."""
    words = " ".join(argument.synopsis for argument in (*command.options, *command.operands))
    return [f".B setpoint {_text(command.name)}".rstrip(), _text(words)]


def _argument(argument: CommandArgument) -> list[str]:
    value = f"\\fI{_text(argument.value)}\\fR" if argument.value else ""
    head = ", ".join(f"\\fB{_text(flag)}\\fR {value}".rstrip() for flag in argument.flags) or value
    return [".TP", head, _text(argument.about) or "\\&"]


def _text(text: str) -> str:
    """A text as one line of words."""
    words = " ".join(text.split())
    escaped = "".join(
        SPECIAL.get(character, character if character.isascii() else f"\\[u{ord(character):04X}]")
        for character in words
    )
    return f"\\&{escaped}" if escaped.startswith(".") else escaped
