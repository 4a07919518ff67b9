"""`setpoint explain`: why a setting has its value, or what a diagnostic code means."""

import argparse
import os
import sys

from setpoint.compiler.cli import IN_ERROR, OK
from setpoint.compiler.cli.common import add_policy, no_such, page_width, parser, program_of, show, today_of
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.pipeline import Selection, knowledge_for, planned


def explain_parser() -> argparse.ArgumentParser:
    """The parser of the arguments of `setpoint explain`."""
    made = parser("explain", "Explain why a setting has its value, or what a diagnostic code means.")
    add_policy(made, positional=False)
    made.add_argument("words", nargs="+", metavar="CODE | POLICY SETTING | SETTING", help="with -e: SETTING")
    return made


def run(arguments: list[str]) -> int:
    """Explain one setting of a policy, or one diagnostic code."""
    options_parser = explain_parser()
    options = options_parser.parse_args(arguments)
    words = list(options.words)
    if options.text is None and len(words) == 1:
        return _code(words[0], options_parser)
    options.policy = None if options.text is not None else words.pop(0)
    if len(words) != 1:
        options_parser.error("name one setting")
    program = program_of(options, options_parser)
    knowledge = knowledge_for(program)
    if words[0] not in knowledge.settings:
        from setpoint.compiler.knowledge.lookup import setting_meant  # only needed for an unknown name

        return no_such("unknown setting", words[0], (), setting_meant(knowledge, words[0]))
    from setpoint.compiler.render.explanation import explanation

    choice = Selection(options.only, options.group, options.host, today_of(options, options_parser))
    status = OK
    for each in planned(program, knowledge, choice):
        if each.plan is not None and each.context is not None:
            if each.subject.name != program.stem:
                sys.stdout.write(f"Policy {each.subject.name}\n")
            sys.stdout.write(explanation(knowledge, each.context, each.plan, words[0], page_width()))
            sys.stdout.flush()
        if each.is_stopped:
            show(each.findings.errors, program.sources)
            status = IN_ERROR
    return status


def _code(word: str, options_parser: argparse.ArgumentParser) -> int:
    from setpoint.compiler.diagnostics.pages import codes, page

    text = page(word.upper())
    if text is not None:
        sys.stdout.write(text)
        return OK
    knowledge = standard()
    if word in knowledge.settings:
        from setpoint.compiler.render.catalogue import entry_text

        sys.stdout.write(entry_text(knowledge, (), word, page_width()))
        sys.stdout.write(f"\n`setpoint explain POLICY {word}` shows which value a policy gets, and why.\n")
        return OK
    if os.path.lexists(word):
        options_parser.error(f"which setting of it? `setpoint explain {word} SETTING`")
    from setpoint.compiler.knowledge.lookup import setting_meant  # only needed for an unknown name

    meant = setting_meant(knowledge, word)
    return no_such("unknown diagnostic or setting", word, codes(), meant)
