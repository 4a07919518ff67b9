"""`setpoint compile`: the artifacts of a policy, as a bundle."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

from setpoint.compiler.cli import OK
from setpoint.compiler.cli.chosen import all_planned, check_names_differ, chosen
from setpoint.compiler.cli.common import add_policy, parser, show, today_of, together
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.language.program import INLINE, Program
from setpoint.compiler.lowering.bundle import Bundle, choose
from setpoint.compiler.lowering.target import Target
from setpoint.compiler.pipeline import Selection, lower, write
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.render.visible import visible


def compile_parser() -> ArgumentParser:
    """The parser of the arguments of `setpoint compile`."""
    made = parser("compile", "Write the artifacts of a policy into a folder.")
    add_policy(made)
    made.add_argument("-o", dest="folder", required=True, metavar="DIR", help="the folder to write")
    made.add_argument(
        "--target", action="append", default=[], metavar="NAME", help="only this target; may be repeated"
    )
    made.add_argument(
        "--since",
        metavar="EARLIER",
        help="a bundle, a policy file or a git revision: what it wrote and this one leaves at its default is set back",
    )
    return made


def run(arguments: list[str]) -> int:
    """Compile a policy into a folder. Nothing is written unless everything can be."""
    options_parser = compile_parser()
    options = options_parser.parse_args(arguments)
    if not options.folder:
        options_parser.error("argument -o: the folder has no name")
    selection = Selection(options.only, options.group, options.host, today_of(options, options_parser))
    asked = chosen(options, options_parser)
    if asked.failed:
        raise together(asked.failed.values())
    try:
        targets = choose(tuple(options.target))
        compiled = _compilable(asked.programs, selection)
        before: Mapping[str, Mapping[str, str]] = {}
        if options.since:
            before = _before(options, options_parser, tuple(judged.plan.policy for _, judged in compiled))
            compiled = _compilable(asked.programs, selection._replace(before=before))
        shown: set[Diagnostic] = set()  # findings that several policies share are shown once
        made = [_bundle(options, targets, program, judged, before, shown) for program, judged in compiled]
        write(tuple(made), options.folder)
    except SetpointError as error:
        for program in asked.programs:
            error.sources = {**program.sources, **error.sources}
        raise
    for each in made:
        place = options.folder if len(made) == 1 else f"{options.folder}/{each.policy}"
        sys.stdout.write(f"{visible(f'{each.policy}: {len(each.files)} files in {place}')}\n")
    return OK


def _compilable(programs: tuple[Program, ...], selection: Selection) -> tuple[tuple[Program, Judged], ...]:
    """The plans to compile, each with its program. Raises SetpointError with the errors of all policies."""
    done = [(program, each) for program, planned in all_planned(programs, selection) for each in planned]
    errors = [d for _, each in done for d in each.findings.errors]
    if errors:
        raise SetpointError(*errors)
    check_names_differ(each.subject for _, each in done)
    return tuple((program, each.judged) for program, each in done if each.judged is not None)


def _bundle(
    options: Namespace,
    targets: dict[str, Target],
    program: Program,
    judged: Judged,
    before: Mapping[str, Mapping[str, str]],
    shown: set[Diagnostic],
) -> Bundle:
    """The bundle of a plan; its diagnostics are shown once."""
    given = options.policy or ""
    folder = options.root or (given if os.path.isdir(given) else os.path.dirname(given)) or "."
    names = {name: _printable(os.path.relpath(name, folder)) for name in program.sources if name != INLINE}
    plan = judged.plan
    made = lower(plan, targets, bool(options.target), names)
    stays: tuple[Diagnostic, ...] = ()
    if plan.policy in before:
        from setpoint.compiler.comparison.earlier import not_set_back  # only needed here

        stays = not_set_back(plan, before[plan.policy])
    show((*judged.diagnostics, *made.findings, *stays), program.sources, shown)
    return made


def _before(
    options: Namespace, options_parser: ArgumentParser, policies: tuple[str, ...]
) -> Mapping[str, Mapping[str, str]]:
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
    found = matched(policies, written_settings(earlier))
    if not found:
        known = ", ".join(sorted(earlier.entries)) or "no policy"
        options_parser.error(f"--since {options.since}: it has none of these policies, but {known}")
    return found


def _printable(path: str) -> str:
    """A path as characters, with an escape for each byte that is not UTF-8."""
    return os.fsencode(path).decode(errors="backslashreplace")
