"""Values that do not arrive, whatever they are: a command leaves them pending, a task is refused, a variable is
assigned again below.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import SourceText, lines_of
from setpoint.compiler.entries.blocks import indent_of
from setpoint.compiler.entries.boot_lines import ASSIGNED, replaced_lines
from setpoint.compiler.entries.carried import carried
from setpoint.compiler.entries.commands import BETWEEN, COMMENT
from setpoint.compiler.entries.lines import line_span
from setpoint.compiler.entries.model import MOST_REPEATED, Entry
from setpoint.compiler.entries.nested import KEY_OF_TASK, OF_MODULE


def replaced(source: SourceText) -> Iterator[Diagnostic]:
    """The findings about variables of a boot loader's configuration that are assigned again below (E0906)."""
    lines = lines_of(source.text)
    for number, again in replaced_lines(lines):
        name = ASSIGNED.match(lines[number - 1])
        if name is not None:
            message = f"`{name[1]}` is assigned again: a shell reads the file, so that only the last boot line counts"
            labels = (Label(line_span(source.name, again, lines[again - 1]), "this counts"),)
            span = line_span(source.name, number, lines[number - 1])
            yield Diagnostic("E0906", message, span, "replaced", labels, (), ("keep one of them",))


def left_pending(source: SourceText, entries: Iterable[Entry]) -> Iterator[Diagnostic]:
    """The findings about commands, by which a text has these entries, whose values a restart does not write into the
    firmware: nothing asks for that, or it was asked for before, and the controller refuses them meanwhile (W0908)."""
    pending = carried().pending
    lines = [("" if COMMENT.match(line) else line) for line in lines_of(source.text)]
    numbers = (command.span.line for command in entries) if pending else ()
    places = [number for number in numbers if _is(pending["set"], lines[number - 1])]
    if not places:
        return
    is_ready = source.text.startswith("#!") or any(
        _is(pending[form], line) for form in ("restart", "other_job") for line in lines
    )
    jobs = [number for number, line in enumerate(lines, 1) if _is(pending["job"], line)]
    if is_ready and not jobs:
        yield _pending(source, places[-1], pending["unwritten"])
    for job in jobs if source.text.startswith("#!") else ():  # a note may have restarts in its prose
        late = next((number for number in places if number > job), 0)
        between = lines_of(source.text)[job : late - 1]  # what a comment says may be a restart
        is_at_once = indent_of(lines[job - 1]) == indent_of(lines[late - 1])
        is_waiting = _is(pending["waiting"], lines[job - 1]) and is_at_once
        if late and is_waiting and all(BETWEEN.fullmatch(line) for line in between):
            yield _pending(source, late, pending["late"])


def _is(form: str, line: str) -> bool:
    return bool(re.search(form, line, re.IGNORECASE))


def _pending(source: SourceText, number: int, said: Mapping[str, str]) -> Diagnostic:
    """The finding about a command, in the words of one of the library's tables."""
    line = lines_of(source.text)[number - 1]
    message = f"`{line.strip()[:MOST_REPEATED]}` {said['what']}: {said['because']}"
    span, notes = line_span(source.name, number, line), (f"source: {said['at']}",)
    return Diagnostic("W0908", message, span, "pending", (), notes, (said["help"],))


def refused_tasks(source: SourceText) -> Iterator[Diagnostic]:
    """The findings about tasks of Ansible with a text that a key beside it excludes (E0907): the play ends there."""
    lines, place = lines_of(source.text), source.spans()
    for task in carried().tasks:
        for match in re.finditer(OF_MODULE.format(module=task["module"]), source.text, re.MULTILINE):
            keys = {key[1]: key for key in KEY_OF_TASK.finditer(source.text, match.start(2), match.end(2))}
            key, by = (keys.get(task[name]) for name in ("key", "by"))
            taken = task["takes"].get(by[2], "").split() if key and by else []
            if key is None or by is None or not taken or key[2] in taken:
                continue
            near = next((name for name in taken if name.endswith(key[2])), "")
            help_ = f"did you mean `{near}`?" if near else f"taken: {', '.join(taken)}"
            number = place(*key.span(1)).line
            message = (
                f"`{key[2]}` is no {key[1]} of `{task['module']}` for the {by[1]} `{by[2]}`: the task fails"
            )
            span = line_span(source.name, number, lines[number - 1])
            yield Diagnostic("E0907", message, span, "not taken", (), (f"source: {task['at']}",), (help_,))
