"""`setpoint explain`: why a setting has its value, or what a diagnostic code means."""

import os

from setpoint.compiler.cli import IN_ERROR, OK, OUTSIDE
from setpoint.compiler.cli.arguments import Options, argument
from setpoint.compiler.cli.chosen import program_of, selection_of
from setpoint.compiler.cli.common import (
    INVENTORY,
    SELECTED,
    SERVERS,
    is_missing,
    no_such,
    page_width,
    server_named,
    show,
    today_of,
    verb,
)
from setpoint.compiler.cli.pager import NO_PAGER, write_page
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Knowledge, Setting
from setpoint.compiler.language.program import Program
from setpoint.compiler.pipeline import Planned, Selection, knowledge_for, planned, reading

PICTURES = ".svg"
"""How the name of a picture ends."""


@verb(
    "explain",
    "Explain why a setting has its value, or what a diagnostic code means. With an inventory, which values it has on the hosts, "
    "and why: `setpoint explain site.tune SETTING --inventory hosts.csv`.",
    "explain web.tune turbo",
    {
        **SELECTED,
        **SERVERS,
        **INVENTORY,
        **NO_PAGER,
        "--plot FILE": argument("draw the measurements of the setting as well, as an SVG file", default=None),
        "words CODE | POLICY SETTING | SETTING+": "with -e: SETTING",
    },
)
def run(options: Options) -> int:
    """Explain one setting of a policy, or one diagnostic code."""
    if options.plot is not None and not _can_draw(options):
        return OUTSIDE
    words = list(options.words)
    if options.text is None and len(words) == 1:
        return _code(words[0], options)
    options.policy = None if options.text is not None else words.pop(0)
    if len(words) != 1:
        options.error("name one setting")
    program = program_of(options)
    knowledge = knowledge_for(program)
    if words[0] not in knowledge.settings:
        from setpoint.compiler.knowledge.lookup import setting_meant  # only needed for an unknown name

        return no_such("unknown setting", words[0], (), setting_meant(knowledge, words[0]))
    if options.inventory and not options.host:
        return _on_inventory(options, program, knowledge.settings[words[0]])
    from setpoint.compiler.render.explanation import explanation

    done = _planned(program, knowledge, options)
    if options.plot:
        _write_plot(options, done, words[0])
    texts = []
    for plan in done:
        if plan.plan is not None and plan.context is not None:
            head = f"Policy {plan.subject.name}\n" if plan.subject.name != program.stem else ""
            texts.append(head + explanation(knowledge, plan.context, plan.plan, words[0], page_width()))
    write_page("".join(texts), options)
    stopped = [plan for plan in done if plan.is_stopped]
    for plan in stopped:
        show(plan.findings.errors, program.sources)
    return IN_ERROR if stopped else OK


def _can_draw(options: Options) -> bool:
    """Whether the library for pictures is there; says so if not."""
    if not options.plot.endswith(PICTURES):
        options.error(f"--plot {options.plot}: the name of the picture must end in {PICTURES}")
    return not is_missing("matplotlib", "plots", "`--plot`")


def _planned(program: Program, knowledge: Knowledge, options: Options) -> tuple[Planned, ...]:
    """The plans of the selected policies; with an inventory, that of one host."""
    choice = selection_of(options)
    if options.current or not options.inventory:  # else the registry is that of some hosts
        choice = choice._replace(server=server_named(options))
    if not options.inventory:
        return planned(program, knowledge, choice)
    from setpoint.compiler.cli.inventory import host_planned  # only needed for an inventory

    with reading(program):
        return (host_planned(program, options, choice),)


def _on_inventory(options: Options, program: Program, setting: Setting) -> int:
    """Explain a setting on all hosts of an inventory."""
    from setpoint.compiler.cli.fleet_sides import (
        FleetPlanner,
        Policies,
    )  # only needed for an inventory, as these are
    from setpoint.compiler.cli.inventory import one_policy
    from setpoint.compiler.fleet.registries import without_registry
    from setpoint.compiler.fleet.setting import setting_text

    if options.plot or options.current or options.group:
        options.error("--inventory: with --plot, --current or --group, name one of its hosts by --host")
    candidate = one_policy(program, options)
    selection = Selection(today=today_of(options))
    policies = Policies({(program.path, candidate.name): (program, candidate)})
    with reading(program):
        side = FleetPlanner(options, selection).plan(policies, set())
    show(without_registry(side.unfitted), dict(program.sources))
    (fleet,) = side.fleets.values()
    write_page(setting_text(fleet, setting.name, setting.title, side.left_out, page_width()), options)
    return OK if fleet.hosts else IN_ERROR


def _write_plot(
    options: Options,
    done: tuple[Planned, ...],
    setting: str,
) -> None:
    """Draw the measurements of a setting for one policy, unless it has no plan: its errors are shown later."""
    from setpoint.compiler.files.writing import write_text  # only needed for a picture, as is the next
    from setpoint.compiler.render.plot import plot

    if len(done) > 1:
        names = ", ".join(plan.subject.name for plan in done)
        options.error(f"--plot: choose one policy with --policy or --group: {names}")
    plan = done[0].plan
    if plan is None:
        return
    decision = plan.setting(setting)
    if decision is None:
        options.error(f"--plot: `{setting}` has no value on this server")
    picture = plot(done[0].knowledge, plan, decision)
    if not picture:
        options.error(f"--plot: there is no measurement of `{setting}` for this policy")
    write_text(options.plot, picture)


def _code(word: str, options: Options) -> int:
    from setpoint.compiler.diagnostics.pages import codes, page

    if options.plot:
        options.error("--plot: name a policy and a setting")
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
        options.error(f"which setting of it? `setpoint explain {word} SETTING`")
    from setpoint.compiler.knowledge.lookup import setting_meant  # only needed for an unknown name

    meant = setting_meant(knowledge, word)
    return no_such("unknown diagnostic or setting", word, codes(), meant)
