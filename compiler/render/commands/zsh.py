"""The completion script of zsh: specifications for its own `_arguments` and `_describe`.

It can be sourced, or be `_setpoint` in a folder of `fpath`.
"""

import shlex

from setpoint.compiler.render.commands import FILES, FOLDERS, Command, CommandArgument, below

HEAD = """\
#compdef setpoint
# Completion of setpoint for zsh: source <(setpoint completion zsh)

_setpoint() {
    local command=
    if (( CURRENT > 2 )); then
        command=$words[2]
        shift words
        (( CURRENT -= 1 ))
    fi
"""

TAIL = """\
}

if [[ ${funcstack[1]-} == _setpoint ]]; then
    _setpoint "$@"
else
    compdef _setpoint setpoint
fi
"""

ACTIONS = {FILES: "_files", FOLDERS: "_files -/", "": " "}
"""The action that completes a value; a blank completes nothing and only shows the message."""


def zsh(commands: tuple[Command, ...]) -> str:
    """The script."""
    lines = [HEAD]
    for command in commands:
        if command.words and below(commands, command):
            lines += [
                f"    if [[ $command == {shlex.quote(command.name)} ]] && (( CURRENT > 2 )); then\n",
                '        command+=" $words[2]"\n',
                "        shift words\n",
                "        (( CURRENT -= 1 ))\n",
                "    fi\n",
            ]
    lines.append("    case $command in\n")
    for command in commands:
        lines += _command(command, below(commands, command))
    lines.append("    esac\n")
    return "".join(lines) + TAIL


def _command(command: Command, inner: tuple[Command, ...]) -> list[str]:
    specs = [spec for option in command.options for spec in _option(option)]
    lines = [f"        {shlex.quote(command.name)})\n"]
    if inner:
        lines.append("            local -a commands=(\n")
        lines += [
            f"                {shlex.quote(f'{subcommand.words[-1]}:{subcommand.about}')}\n"
            for subcommand in inner
        ]
        lines += [
            "            )\n",
            "            if [[ $words[CURRENT] != -* ]]; then\n",
            "                _describe -t commands command commands\n",
            "                return\n",
            "            fi\n",
        ]
    else:
        specs += [_operand(operand) for operand in command.operands]
    lines.append("            _arguments")
    lines += [f" \\\n                {shlex.quote(spec)}" for spec in specs]
    lines.append("\n            ;;\n")
    return lines


def _option(option: CommandArgument) -> list[str]:
    about = f"[{_message(option.about)}]" if option.about else ""
    others = "*" if option.is_repeated else f"({' '.join(option.flags)})"
    if not option.value:
        return [f"{others}{flag}{about}" for flag in option.flags]
    return [
        f"{others}{flag}{'=' if flag.startswith('--') else '+'}{about}:{_message(option.value)}:{_action(option)}"
        for flag in option.flags
    ]


def _operand(operand: CommandArgument) -> str:
    return f"{'*' if operand.is_repeated else ''}:{_message(operand.value)}:{_action(operand)}"


def _action(argument: CommandArgument) -> str:
    return f"({' '.join(map(shlex.quote, argument.words))})" if argument.words else ACTIONS[argument.paths]


def _message(text: str) -> str:
    """A text as a message of a specification, which ends at a colon or a bracket."""
    return "".join(f"\\{character}" if character in "\\[]:" else character for character in text)
