"""The completion script of fish: one `complete` for each completion, with the command that it belongs to."""

from setpoint.compiler.render.commands import FILES, FOLDERS, Command, CommandArgument, below

HEAD = """\
# Completion of setpoint for fish: setpoint completion fish | source

function __setpoint_in -d 'Whether the command is this one'
    set -l words (commandline -opc)
    for word in $argv
        set -e words[1]
        test "$words[1]" = $word; or return 1
    end
end

function __setpoint_after -d 'Whether the next word follows the command immediately'
    test (count (commandline -opc)) -eq (math (count $argv) + 1); and __setpoint_in $argv
end

complete -c setpoint -f
"""

PATHS = {FILES: " -r -F", FOLDERS: " -x -a '(__fish_complete_directories)'", "": " -x"}
"""How the value of an option is completed."""


def fish(commands: tuple[Command, ...]) -> str:
    """The script."""
    lines = [HEAD]
    for command in commands:
        inner = below(commands, command)
        where = " ".join(["__setpoint_after" if inner else "__setpoint_in", *command.words])
        here = f"complete -c setpoint -n {_quoted(where)}"
        lines += ["\n", f"# {' '.join(['setpoint', *command.words])}\n"]
        for subcommand in inner:
            lines.append(f"{here} -a {_quoted(_word(subcommand.words[-1]))} -d {_line(subcommand.about)}\n")
        lines += [here + _option(option) + "\n" for option in command.options]
        if not inner and command.offered:
            lines.append(f"{here} -a {_words(command.offered)}\n")
        if not inner and command.paths:
            lines.append(f"{here} -F\n")
    return "".join(lines)


def _option(option: CommandArgument) -> str:
    text = "".join(
        f" -l {_quoted(flag[2:])}" if flag.startswith("--") else f" -s {_quoted(flag[1:])}"
        for flag in option.flags
    )
    if option.value:
        text += f" -x -a {_words(option.words)}" if option.words else PATHS[option.paths]
    return f"{text} -d {_line(option.about)}" if option.about else text


def _words(words: tuple[str, ...]) -> str:
    """Words as one argument of `-a`, which fish expands once more."""
    return _quoted(" ".join(_word(word) for word in words))


def _word(word: str) -> str:
    return word if word.replace("-", "").replace("_", "").isalnum() else _quoted(word)


def _line(text: str) -> str:
    """A text as one line, for the list of completions."""
    return _quoted(" ".join(text.split()))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
