"""The command line: one module for each verb, listed in `VERBS`.

The exit status is one of `STATUSES`.

The verb is determined before anything else is imported, so that `plan` does not load what only `compile` needs.
"""

import atexit
import gc
import os
import sys
from importlib import import_module

from setpoint.compiler.knowledge.library import LIBRARY

VERBS = {
    "new": "a folder for policies, with an example, pipelines and a README",
    "plan": "the resolved settings and why, without artifacts",
    "compile": "the artifacts of a policy, as a bundle",
    "fleet": "one role or module for all hosts of an inventory",
    "check": "all errors and warnings of policies and knowledge files",
    "audit": "what is wrong with settings that somebody else has written down",
    "capture": "servers as they are: what is set there, each as one document",
    "adopt": "a policy for captured servers as they are: their intent, and what differs from it",
    "verify": "whether captured servers are as their policy plans",
    "apply": "a bundle, carried out on one server or a handful, and taken back",
    "twin": "a controller to rehearse a roll-out with, from a capture or a registry",
    "diff": "what a change to a policy changes, and why",
    "compare": "two intents side by side, whatever they are called",
    "matrix": "the settings of a server under every goal, side by side",
    "test": "whether plans are as their policies expect",
    "waivers": "the waivers of policies: what is waived, why and until when",
    "explain": "why a setting has its value; or what a diagnostic code means",
    "fmt": "the canonical form of a file",
    "lsp": "a language server, for editors",
    "kb": "the knowledge base: list, show, check, diff, coverage, pins",
    "help": "what a command does: `help plan`, `help kb check`",
    "completion": "a script for a shell, which then completes the command line",
}

OPTIONS = {
    "-h, --help": "this text; after a command, what it does",
    "--version": "the version, and the digest of the library",
}

TRIED = {
    "create": "new",
    "deploy": "apply",
    "format": "fmt",
    "generate": "compile",
    "init": "new",
    "lint": "check",
    "list": "kb",
    "render": "compile",
    "show": "plan",
    "simulate": "twin",
    "validate": "check",
}
"""What other programs call such a verb: the one that is meant here."""

ABOUT = "From the intent of a server to its settings, each with its reason."

OK, IN_ERROR, USAGE, DIFFERENCE, OUTSIDE, PARTLY = range(6)
STOPPED = 128
"""A shell adds to this the number of the signal that stopped a program; 130 for Ctrl-C."""

STATUSES = {
    OK: "done",
    IN_ERROR: "the policy, or the knowledge, is in error",
    USAGE: "wrong usage: an option, or a name on the command line that does not exist",
    DIFFERENCE: "a difference was found",
    OUTSIDE: "a file cannot be read or written; of verify: a server does not show enough to decide",
    PARTLY: "some hosts of an inventory could not be planned; all others are done",
    STOPPED + 1: "it was hung up",
    STOPPED + 2: "somebody has interrupted it",
    STOPPED + 15: "it was terminated",
}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    # A short run makes few reference cycles. To look for them takes a tenth of a plan's time on the way, and another at
    # the end.
    gc.set_threshold(200_000)
    atexit.register(gc.freeze)
    from setpoint.compiler.cli.guard import guarded

    return guarded(_run, sys.argv[1:] if arguments is None else arguments)


def _run(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help"):
        sys.stdout.write(usage())
        return OK if words else USAGE
    if os.environ.get(LIBRARY):
        from setpoint.compiler.cli.library import (
            library_named,  # only needed in place of the installed library
        )

        library_named(os.environ[LIBRARY])
    if words[0] == "--version":
        from setpoint.compiler.knowledge.library import library_digest, stdlib_folder
        from setpoint.compiler.plan.made_with import VERSION

        sys.stdout.write(f"setpoint {VERSION}\nlibrary {library_digest(stdlib_folder())}\n")
        return OK
    if words[0] not in VERBS:
        from setpoint.compiler.cli.common import no_such

        return no_such("unknown command", words[0], VERBS, meant_verbs(words[0]))
    from setpoint.compiler.cli.guard import stoppable

    with stoppable():
        status: int = import_module(f"setpoint.compiler.cli.{words[0]}").run(words[1:])
    return status


def meant_verbs(word: str) -> tuple[str, ...]:
    """The verb that a word of other programs means, if there is one."""
    return (TRIED[word],) if word in TRIED else ()


def usage() -> str:
    """The help of the whole command."""
    lines = ["usage: setpoint COMMAND …\n\n", f"{ABOUT}\n\n", *_listed(VERBS)]
    lines += ["\noptions:\n", *_listed(OPTIONS)]
    lines.append("\n`setpoint help COMMAND` says more about each.\n")
    return "".join(lines)


def _listed(texts: dict[str, str]) -> list[str]:
    width = max(map(len, texts))
    return [f"  {name:<{width}}  {text}\n" for name, text in texts.items()]
