"""`setpoint compile`: the artifacts of a policy, as a bundle."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain

from setpoint.compiler.binding.levels import Subject
from setpoint.compiler.cli import OK
from setpoint.compiler.cli.arguments import Options, argument
from setpoint.compiler.cli.chosen import (
    ProgramKnowledge,
    all_planned,
    check_names_differ,
    chosen,
    file_names,
    selection_of,
    sources_of,
    with_knowledge,
)
from setpoint.compiler.cli.common import POLICY, SERVER, server_named, show_all, together, verb
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import Program
from setpoint.compiler.lowering.bundle import Bundle, choose
from setpoint.compiler.lowering.target import Fleet, Target, Variant
from setpoint.compiler.pipeline import Planned, Selection, chosen_subjects, lower, lower_fleet, reading, write
from setpoint.compiler.plan.judge import Judged, without_waived
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.policies.findings import with_commands
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.visible import visible


@verb(
    "compile",
    "Write the artifacts of a policy into a folder. With a capture, without the BIOS attributes that this server has already: "
    "`setpoint compile web.tune --against captures/c042.json -o out`.",
    "compile web.tune -o out",
    {
        **POLICY,
        **SERVER,
        "--against CAPTURE": "the captured server to compile for: what it is, its registry and its current values, in place of --registry and --current",
        "-o DIR": argument("the folder to write", dest="folder", required=True),
        "--target NAME…": "only this target; may be repeated",
        "--since EARLIER": argument(
            "a bundle, a policy file or a git revision: what it wrote and this one leaves at its default is set back",
            default=None,
        ),
    },
)
def run(options: Options) -> int:
    """Compile a policy into a folder. Nothing is written unless everything can be."""
    if not options.folder:
        options.error("argument -o: the folder has no name")
    selection = selection_of(options)
    selection = selection._replace(server=server_named(options))
    asked = chosen(options)
    if asked.failed:
        raise together(asked.failed.values())
    with reading(*asked.programs):
        targets = choose(tuple(options.target))
        programs = with_knowledge(asked.programs)
        if options.against:
            selection = _of_capture(options, programs, selection)
        compiled = _compilable(programs, selection)
        before: Mapping[str, Mapping[str, str]] = {}
        if options.since:
            before = _before(options, tuple(plan.subject.name for plan in compiled))
            compiled = _compilable(programs, selection._replace(before=before))
        fleets = _fleets(compiled)
        bundles = [_bundle(options, targets, plan, plan.subject.policy in fleets) for plan in compiled]
        findings = [
            finding
            for plan, bundle in zip(compiled, bundles, strict=True)
            for finding in _findings(plan, bundle, before)
        ]
        show_all(findings, sources_of(*asked.programs))
        common = {policy: lower_fleet(fleet, targets) for policy, fleet in fleets.items()}
        write(tuple(bundles), options.folder, tuple(chain.from_iterable(common.values())))
    for bundle in bundles:
        place = options.folder if len(bundles) == 1 else f"{options.folder}/{bundle.policy}"
        sys.stdout.write(f"{visible(f'{bundle.policy}: {len(bundle.files)} files in {place}')}\n")
    for policy, files in common.items():
        if files:
            what = f"{policy}: {len(files)} files for all of its servers in {options.folder}/{policy}"
            sys.stdout.write(f"{visible(what)}\n")
    sys.stdout.write(_on_request(bundles))
    return OK


def _on_request(bundles: list[Bundle]) -> str:
    """The targets that have no files since another sets all that they set, in a line; "" for none."""
    pairs = dict.fromkeys(pair for bundle in bundles for pair in bundle.spared.items())
    names = ", ".join(f"{name} ({other} sets the same)" for name, other in pairs)
    return f"on request, by --target: {names}\n" if names else ""


def _of_capture(options: Options, programs: tuple[ProgramKnowledge, ...], selection: Selection) -> Selection:
    """The selection for a captured server. Raises SetpointError (E0622, E0624, E0628) if the policy is not for it."""
    from setpoint.compiler.cli.planned_servers import check_is_of, one_captured, recognized, shows_nothing
    from setpoint.compiler.fitting.server import captured_server

    knowledge = programs[0].knowledge
    capture = one_captured(options, knowledge)
    facts = recognized(knowledge)(capture)
    for described_server in _described(programs, selection):
        check_is_of(described_server, capture, facts, knowledge)
    server = captured_server(capture)
    if server is None:
        ways = (
            "capture the controller as well: `setpoint capture --redfish`",
            "or compile without `--against`",
        )
        raise shows_nothing(capture, "no BIOS attributes, so nothing can be left out", *ways)
    return selection._replace(server=server, shown=facts)


def _described(programs: tuple[ProgramKnowledge, ...], selection: Selection) -> list[Plan]:
    """The servers that the selected subjects describe, as plans without decisions.

    Subjects in error are left out; planning reports them.
    """
    from setpoint.compiler.audit.check import described
    from setpoint.compiler.cli.inventory import final_policies

    plans: list[Plan] = []
    for program, knowledge in programs:
        with suppress(SetpointError):
            final = {policy.name for policy in final_policies(program, selection.policy)}
            subjects = chosen_subjects(program, knowledge, selection)
            for subject in (subject for subject in subjects if len(programs) == 1 or subject.policy in final):
                with suppress(SetpointError):
                    plans.append(described(knowledge, subject))
    return plans


class Compiled(NamedTuple):
    """A plan to compile, what it is a plan of, the program that has it, and the knowledge that it was planned with."""

    program: Program
    subject: Subject
    judged: Judged
    knowledge: Knowledge


def _compilable(programs: tuple[ProgramKnowledge, ...], selection: Selection) -> tuple[Compiled, ...]:
    """The plans to compile: of every policy, of its groups, and of the hosts that have a block.

    Raises SetpointError with the errors of all of them.
    """
    done = [(program, plan) for program, planned in all_planned(programs, selection) for plan in planned]
    if not (selection.group or selection.host):
        done += [(pair.program, host) for pair in programs for host in _hosts(pair, selection)]
    errors = [d for _, plan in done for d in plan.findings.errors]
    if errors:
        raise SetpointError(*errors)
    check_names_differ(plan.subject for _, plan in done)
    return tuple(
        Compiled(program, plan.subject, plan.judged, plan.knowledge)
        for program, plan in done
        if plan.judged is not None
    )


def _hosts(asked: ProgramKnowledge, selection: Selection) -> Iterator[Planned]:
    """The blocks for hosts, planned in every group that the host can be in."""
    from setpoint.compiler.policies.check import hosts  # not needed for one group or host

    return (host.planned for host in hosts(asked.program, asked.knowledge, selection))


def _fleets(compiled: tuple[Compiled, ...]) -> dict[str, Fleet]:
    """The policies that have several plans, by name."""
    variants: dict[str, list[Variant]] = {}
    for plan in compiled:
        variant = Variant(plan.judged.plan, plan.subject.group, plan.subject.host)
        variants.setdefault(plan.subject.policy, []).append(variant)
    return {name: Fleet(name, tuple(plans)) for name, plans in variants.items() if len(plans) > 1}


def _bundle(options: Options, targets: dict[str, Target], compiled: Compiled, in_fleet: bool) -> Bundle:
    """The bundle of a plan."""
    names = file_names(compiled.program, options)
    return lower(compiled.knowledge, compiled.judged.plan, targets, bool(options.target), names, in_fleet)


def _findings(
    compiled: Compiled, bundle: Bundle, before: Mapping[str, Mapping[str, str]]
) -> Iterator[Diagnostic]:
    """The findings on a plan and its bundle."""
    judged = compiled.judged
    stays: tuple[Diagnostic, ...] = ()
    if judged.plan.policy in before:
        from setpoint.compiler.comparison.earlier import not_set_back  # only needed here

        stays = not_set_back(judged.plan, before[judged.plan.policy])
    findings = (*judged.diagnostics, *without_waived(judged, bundle.findings), *stays)
    return with_commands(findings, compiled.program, compiled.subject)


def _before(options: Options, policies: tuple[str, ...]) -> Mapping[str, Mapping[str, str]]:
    """The settings that the earlier side of `--since` wrote, for each policy that existed."""
    from setpoint.compiler.cli.sides import side_named
    from setpoint.compiler.comparison.earlier import matched, written_settings

    word = options.since
    if not os.path.lexists(word) and ":" not in word and options.policy:
        here = os.path.relpath(options.policy)
        word = f"{word}:{here if here.startswith('..') else os.path.join('.', here)}"
    earlier = side_named(word, options.root, "")
    if earlier.unread:
        raise together(earlier.unread)
    settings = matched(policies, written_settings(earlier))
    if not settings:
        known = ", ".join(sorted(earlier.entries)) or "no policy"
        options.error(f"--since {options.since}: it has none of these policies, but {known}")
    return settings
