"""`setpoint plan`: the resolved settings and their reasons, without artifacts."""

import os
import sys

from setpoint.compiler.cli import IN_ERROR, OK
from setpoint.compiler.cli.arguments import Options, forms
from setpoint.compiler.cli.chosen import (
    Chosen,
    all_planned,
    chosen,
    program_of,
    selection_of,
    sources_of,
    with_knowledge,
)
from setpoint.compiler.cli.common import (
    INVENTORY,
    POLICY,
    SERVERS,
    page_width,
    server_named,
    show_all,
    status_of,
    verb,
)
from setpoint.compiler.cli.pager import NO_PAGER, write_page
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.hints import Any
from setpoint.compiler.language.program import Program
from setpoint.compiler.pipeline import Planned, Selection, reading
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.policies.findings import pasteable, policy_words, with_commands


@verb(
    "plan",
    "Show the resolved settings of a policy, and why each is what it is. With an inventory, what its hosts get, or one of them: "
    "`setpoint plan site.tune --inventory hosts.csv --host c042`. With captures, what changes on these servers: "
    "`setpoint plan site.tune --against captures`.",
    "plan web.tune --group frontend",
    {
        **POLICY,
        **SERVERS,
        **INVENTORY,
        **forms("text", "json", "markdown", "html"),
        "--all": "in text, list every setting, and give every reason in full",
        "--against CAPTURE…": "a captured server, or a folder of them: what is found there, what changes, and what needs a restart; may be repeated",
        **NO_PAGER,
    },
)
def run(options: Options) -> int:
    """Plan a policy and print it; warnings and errors go to the error stream, or into the JSON."""
    choice = selection_of(options)
    if options.against:
        from setpoint.compiler.cli.plan_against import show_against  # only needed for a captured server

        return show_against(options, choice)
    if options.inventory and not options.host:
        from setpoint.compiler.cli.plan_inventory import on_hosts  # only needed for an inventory

        return on_hosts(options, choice)
    try:
        if options.current or not options.inventory:  # else the registry is that of some hosts
            choice = choice._replace(server=server_named(options))
        if options.inventory:
            done = _on_inventory(options, choice)
            asked = Chosen((), {})
        else:
            asked = chosen(options)
            done = all_planned(with_knowledge(asked.programs), choice)
    except SetpointError as error:
        if options.format != "json":
            raise
        _print_failed(_name(options.policy), error)
        return status_of(error.diagnostics)
    if options.format == "json":
        _print_json(done, asked.failed)
    else:
        write_page(_page([plan for _, plans in done for plan in plans], options), options)
        _show_findings(done, asked)
    is_stopped = any(plan.is_stopped for _, plans in done for plan in plans)
    unreadable = [d for unread in asked.failed.values() for d in unread.diagnostics]
    return status_of(unreadable) or (IN_ERROR if is_stopped else OK)


def _show_findings(done: tuple[tuple[Program, tuple[Planned, ...]], ...], asked: Chosen) -> None:
    """Print the findings of all plans, and of the files that could not be read."""
    findings = [
        finding
        for program, plans in done
        for plan in plans
        for finding in with_commands(plan.findings, program, plan.subject)
    ]
    findings += [d for unread in asked.failed.values() for d in unread.diagnostics]
    show_all(findings, sources_of(*(program for program, _ in done), *asked.failed.values()))


def _on_inventory(options: Options, choice: Selection) -> tuple[tuple[Program, tuple[Planned, ...]], ...]:
    """The plan of one host of an inventory."""
    from setpoint.compiler.cli.inventory import host_planned  # only needed for an inventory

    if options.group:
        options.error("--group: the inventory has the group of the host")
    program = program_of(options)
    with reading(program):
        return ((program, (host_planned(program, options, choice),)),)


def _page(plans: list[Planned], options: Options) -> str:
    """All plans in one text, or in one document."""
    if options.format == "html":
        from setpoint.compiler.render.html import page_of, plans_html  # it loads jinja2

        return plans_html(page_of(plan.knowledge, plan.judged) for plan in plans if plan.judged)
    return "\n".join(_text(plan.judged, options) for plan in plans if plan.judged)


def _text(judged: Judged, options: Options) -> str:
    if options.format == "markdown":
        from setpoint.compiler.render.markdown import plan_markdown

        return plan_markdown(judged)
    if options.all:
        from setpoint.compiler.render.plan_text import plan_text

        return plan_text(judged, page_width())
    from setpoint.compiler.render.plan_brief import plan_brief

    return plan_brief(judged, page_width())


def _print_json(
    done: tuple[tuple[Program, tuple[Planned, ...]], ...], failed: dict[str, SetpointError]
) -> None:
    from setpoint.compiler.plan.as_json import failed_json

    _write_json(
        [_json(program, plan) for program, plans in done for plan in plans]
        + [failed_json(_name(path), (), error.diagnostics) for path, error in failed.items()]
    )


def _json(program: Program, plan: Planned) -> dict[str, Any]:
    from setpoint.compiler.plan.as_json import failed_json, plan_json, with_files

    if plan.judged is None:
        return failed_json(plan.subject.name, plan.facts, plan.findings)
    words = policy_words(program, plan.subject)
    data = plan_json(plan.judged)
    named = with_files(data["diagnostics"], lambda name: name, lambda text: pasteable(text, words))
    return {**data, "diagnostics": named}


def _print_failed(policy: str, error: SetpointError) -> None:
    from setpoint.compiler.plan.as_json import failed_json

    _write_json([failed_json(policy, (), error.diagnostics)])


def _write_json(data: list[dict[str, Any]]) -> None:
    """Write one policy as an object, several as an array."""
    from setpoint.compiler.render.visible import json_text

    sys.stdout.write(json_text(data[0] if len(data) == 1 else data))


def _name(path: str | None) -> str:
    """The name for a file that could not be read."""
    return os.path.splitext(os.path.basename(path or ""))[0].lstrip("-") or "policy"
