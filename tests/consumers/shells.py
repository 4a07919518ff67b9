"""Ask a real shell what it completes a command line with.

Bash and zsh complete only where somebody types, so they get a terminal of their own, a line, and the key that inserts
all matches; then the line is run, with `setpoint` a function that writes down its arguments. What the shell quoted
wrongly, or even ran, shows. Fish can be asked by a command.
"""

from __future__ import annotations

import os
import pty
import select
import subprocess
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from consumers.requirement import require
from support.limits import PATIENCE

PROMPT = "ready to complete> "
KEEP = 'number=0; setpoint() { printf "%s\\0" "$@" >"$ANSWERS/$number"; number=$((number+1)); }\n'

BASH = "source $SCRIPT\nbind 'set completion-query-items 0' '\"\\C-xa\": insert-completions'\n" + KEEP
ZSH = (
    "autoload -Uz compinit && compinit -u -D\nsource $SCRIPT\nbindkey -e\n"
    "zle -C all-matches complete-word _generic\nbindkey '^Xa' all-matches\n"
    "zstyle ':completion:all-matches:*' completer _all_matches _complete\n"
    "zstyle ':completion:all-matches:*' insert true\n"
) + KEEP


def offered(shell: str, script: str, lines: Sequence[str], folder: Path, scratch: Path) -> list[list[str]]:
    """What the shell puts in place of the last word of each line, sorted; run in `folder`, with files in `scratch`."""
    program = require(shell)
    file = scratch / f"completion.{shell}"
    file.write_text(script, encoding="utf-8")
    answers = scratch / "answers"
    answers.mkdir()
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(scratch),
        "ZDOTDIR": str(scratch),
        "LC_ALL": "C.UTF-8",
        "TERM": "dumb",
        "INPUTRC": "/dev/null",
        "SCRIPT": str(file),
        "ANSWERS": str(answers),
    }
    if shell == "fish":
        return [_by_fish(program, line, folder, env) for line in lines]
    start = scratch / (".zshrc" if shell == "zsh" else "bashrc")
    start.write_text(f"{ZSH if shell == 'zsh' else BASH}PS1='{PROMPT}'\n", encoding="utf-8")
    command = [str(program), *(["--noprofile", "--rcfile", str(start)] if shell == "bash" else ["-d"]), "-i"]
    _type(command, lines, folder, env)
    found = []
    for number, line in enumerate(lines):
        words = (answers / str(number)).read_text(encoding="utf-8").split("\0")[:-1]
        before = len(line.rpartition(" ")[0].split()) - 1
        found.append(sorted(words[before:]))
    return found


def _by_fish(program: Path, line: str, folder: Path, env: dict[str, str]) -> list[str]:
    asked = ["source $SCRIPT; complete -C $argv[1]", line]
    done = subprocess.run(
        [str(program), "-N", "-c", *asked],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stderr == ""
    return sorted(answer.partition("\t")[0] for answer in done.stdout.splitlines())


def _type(command: list[str], lines: Sequence[str], folder: Path, env: dict[str, str]) -> None:
    """Run a shell on a terminal, type each line at its prompt with the key for all matches, and leave."""
    terminal, inner = pty.openpty()
    shell = subprocess.Popen(
        command, cwd=folder, env=env, stdin=inner, stdout=inner, stderr=inner, start_new_session=True
    )
    os.close(inner)
    waiting = [*(f"{line}\x18a\r" for line in lines), "exit\r"]
    seen, end = b"", monotonic() + PATIENCE
    try:
        while select.select([terminal], [], [], max(0.0, end - monotonic()))[0]:
            try:
                part = os.read(terminal, 65536)
            except OSError:  # Linux says so of a terminal that nobody has open any more
                return
            if not part:
                return
            seen += part
            if waiting and PROMPT.encode() in seen:
                os.write(terminal, waiting.pop(0).encode())
                seen = b""
        raise AssertionError(f"{command[0]} does not answer: {seen!r}")
    finally:
        shell.kill()
        shell.wait()
        os.close(terminal)
