"""`setpoint explain`: why a setting has its value, or what a diagnostic code means."""

import os

from setpoint.compiler.cli import IN_ERROR, OK, OUTSIDE
from setpoint.compiler.cli.arguments import Options, Parser
from setpoint.compiler.cli.chosen import program_of
from setpoint.compiler.cli.common import (
    add_policy,
    add_server,
    no_such,
    page_width,
    parser,
    server_named,
    show,
    today_of,
)
from setpoint.compiler.cli.pager import add_no_pager, write_page
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.pipeline import Planned, Selection, knowledge_for, planned

PICTURES = ".svg"
"""How the name of a picture ends."""


def explain_parser() -> Parser:
    """The parser of the arguments of `setpoint explain`."""
    made = parser("explain", "Explain why a setting has its value, or what a diagnostic code means.")
    add_policy(made, positional=False)
    add_server(made)
    add_no_pager(made)
    made.add_argument(
        "--plot", metavar="FILE", help="draw the measurements of the setting as well, as an SVG file"
    )
    made.add_argument("words", nargs="+", metavar="CODE | POLICY SETTING | SETTING", help="with -e: SETTING")
    return made


def run(arguments: list[str]) -> int:
    """Explain one setting of a policy, or one diagnostic code."""
    options_parser = explain_parser()
    options = options_parser.parse_args(arguments)
    if options.plot is not None:
        from setpoint.compiler.cli.extras import is_missing  # only needed for a picture

        if not options.plot.endswith(PICTURES):
            options_parser.error(f"--plot {options.plot}: the name of the picture must end in {PICTURES}")
        if is_missing("matplotlib", "plots", "`--plot`"):
            return OUTSIDE
    words = list(options.words)
    if options.text is None and len(words) == 1:
        return _code(words[0], options, options_parser)
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
    choice = choice._replace(server=server_named(options))
    done = planned(program, knowledge, choice)
    if options.plot:
        _write_plot(options, options_parser, done, words[0])
    texts = []
    for each in done:
        if each.plan is not None and each.context is not None:
            head = f"Policy {each.subject.name}\n" if each.subject.name != program.stem else ""
            texts.append(head + explanation(knowledge, each.context, each.plan, words[0], page_width()))
    write_page("".join(texts), options)
    stopped = [each for each in done if each.is_stopped]
    for each in stopped:
        show(each.findings.errors, program.sources)
    return IN_ERROR if stopped else OK


def _write_plot(
    options: Options,
    options_parser: Parser,
    done: tuple[Planned, ...],
    setting: str,
) -> None:
    """Draw the measurements of a setting, for the one policy. Without a plan there is nothing to draw, and the errors follow."""
    from setpoint.compiler.files.writing import write_text  # only needed for a picture, as is the next
    from setpoint.compiler.render.plot import plot

    if len(done) > 1:
        names = ", ".join(each.subject.name for each in done)
        options_parser.error(f"--plot: choose one policy with --policy or --group: {names}")
    plan = done[0].plan
    if plan is None:
        return
    decision = plan.setting(setting)
    if decision is None:
        options_parser.error(f"--plot: `{setting}` has no value on this server")
    picture = plot(done[0].knowledge, plan, decision)
    if not picture:
        options_parser.error(f"--plot: there is no measurement of `{setting}` for this policy")
    write_text(options.plot, picture)


def _code(word: str, options: Options, options_parser: Parser) -> int:
    from setpoint.compiler.diagnostics.pages import codes, page

    if options.plot:
        options_parser.error("--plot: name a policy and a setting")
    text = page(word.upper())
    if text is not None:
        write_page(text, options)
        return OK
    knowledge = standard()
    if word in knowledge.settings:
        from setpoint.compiler.render.catalogue import entry_text

        more = f"\n`setpoint explain POLICY {word}` shows which value a policy gets, and why.\n"
        write_page(entry_text(knowledge, (), word, page_width()) + more, options)
        return OK
    if os.path.lexists(word):
        options_parser.error(f"which setting of it? `setpoint explain {word} SETTING`")
    from setpoint.compiler.knowledge.lookup import setting_meant  # only needed for an unknown name

    meant = setting_meant(knowledge, word)
    return no_such("unknown diagnostic or setting", word, codes(), meant)
