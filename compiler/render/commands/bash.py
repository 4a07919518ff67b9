"""The completion script of bash.

Words are compared one by one and never given to `compgen -W`, which would expand them as the shell does. Names of files
are left to readline, which quotes them and knows `~` and variables. Bash splits `--format=json` at the `=`.
"""

import shlex

from setpoint.compiler.render.commands import FILES, FOLDERS, Command, CommandArgument, below

HEAD = """\
# Completion of setpoint for bash: source <(setpoint completion bash)

_setpoint_words() {
    local word
    for word in "$@"; do
        [[ $word != "$current"* ]] || COMPREPLY+=("$word")
    done
}

_setpoint() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=
    COMPREPLY=()
    if [[ $current == = ]]; then
        current=
    elif [[ $before == = ]] && (( COMP_CWORD > 2 )); then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
"""

TAIL = """\
}

complete -F _setpoint setpoint
"""


def bash(commands: tuple[Command, ...]) -> str:
    """The script."""
    lines = [HEAD, "    (( COMP_CWORD < 2 )) || command=${COMP_WORDS[1]}\n"]
    for command in commands:
        if command.words and below(commands, command):
            lines.append(
                f'    [[ $command != {shlex.quote(command.name)} ]] || (( COMP_CWORD < 3 )) || command+=" ${{COMP_WORDS[2]}}"\n'
            )
    lines.append("    case $command in\n")
    for command in commands:
        lines += _command(command, below(commands, command))
    lines.append("    esac\n")
    return "".join(lines) + TAIL


def _command(command: Command, inner: tuple[Command, ...]) -> list[str]:
    flags = [flag for option in command.options for flag in option.flags]
    words = [subcommand.words[-1] for subcommand in inner] or list(command.offered)
    return [
        f"        {_word(command.name)})\n",
        *_values(command.options),
        "            if [[ $current == -* ]]; then\n",
        f"                {_words(flags)}\n",
        "            else\n",
        f"                {_offer(words, command.paths) or ':'}\n",
        "            fi\n",
        "            ;;\n",
    ]


def _values(options: tuple[CommandArgument, ...]) -> list[str]:
    """The completions of option values; options with the same ones are grouped."""
    flags: dict[str, list[str]] = {}
    for option in options:
        if option.value:
            flags.setdefault(_offer(option.words, option.paths), []).extend(map(_word, option.flags))
    cases = [
        f"                {' | '.join(those)}) {f'{offer}; ' if offer else ''}return ;;\n"
        for offer, those in flags.items()
    ]
    return ["            case $before in\n", *cases, "            esac\n"] if cases else []


def _offer(words: list[str] | tuple[str, ...], paths: str) -> str:
    parts = [_words(words)] if words else []
    if paths:
        parts.append({FILES: "compopt -o default", FOLDERS: "compopt -o dirnames"}[paths])
    return "; ".join(parts)


def _words(words: list[str] | tuple[str, ...]) -> str:
    return " ".join(["_setpoint_words", *(_word(word) for word in words)])


def _word(word: str) -> str:
    return shlex.quote(word)
