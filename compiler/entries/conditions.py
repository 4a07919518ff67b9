"""Under which conditions the lines of a document hold: tasks and plays of playbooks, documents of a file, and what
functions of NixOS guard. Those of scripts are in `branches`, with what conditions are."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from setpoint.compiler.captures.profiles import is_comment
from setpoint.compiler.entries.branches import MOST_NESTED, QUOTED, Conditions

CONDITION_KEY = re.compile(r"""(\s*(?:- +)?)["']?(?:when|hosts)["']?:\s*(.*)""")
IN_BRACES = re.compile(r"""[^{]*+\{.*["']?\bwhen["']?:\s*([^,}]+)""")
DOCUMENT = re.compile(r"---(?:\s.*)?")

GUARD = re.compile(r"\b(?:mkIf|optionals?|optionalAttrs|optionalString|then|else)\b")
"""What stands in NixOS before an argument or a branch that only holds on a condition."""
BRACKET = re.compile(r"[\[({]|[\])}]")


def of_document(lines: Sequence[str]) -> Mapping[int, Conditions]:
    """The conditions of a document's lines: of their tasks and plays, and of several documents in a file."""
    by_line: dict[int, list[str]] = {}
    for number, document in _documents(lines):
        by_line.setdefault(number, []).append(f"document {document}")
    heads = [(at, head) for at, line in enumerate(lines) if (head := CONDITION_KEY.fullmatch(line))]
    done = column = 0
    for at, head in sorted(heads, key=lambda pair: len(pair[1][1])):
        done, column = done if len(head[1]) == column else 0, len(head[1])
        if at < done:
            continue  # of two such keys in a mapping the first counts
        start, done = _item(lines, at, column)
        said = head[2].strip() or " ".join(_below(lines, at, column))
        for number in range(start + 1, done + 1):
            by_line.setdefault(number, []).append(said)
    braces = ((number, IN_BRACES.match(line)) for number, line in enumerate(lines, 1))
    tasks = ((number, match[1].strip()) for number, match in braces if match)
    for number, said in (*tasks, *_guarded(lines)):
        by_line.setdefault(number, []).append(said)
    return {number: tuple(conditions) for number, conditions in by_line.items()}


def _guarded(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines of arguments of NixOS that only hold on a condition, each with that, the outermost first."""
    within: list[tuple[int, str]] = []
    depth = 0
    for number, line in enumerate(lines, 1):
        if is_comment(line):
            continue
        plain = QUOTED.sub("''", line)
        rest = plain.lstrip(" \t])}")  # what is closed at the beginning is no part of what follows
        before = depth - len(BRACKET.findall(plain.removesuffix(rest)))
        within = [pair for pair in within if pair[0] < before]
        depth += sum(1 if bracket in "[({" else -1 for bracket in BRACKET.findall(plain))
        if GUARD.search(plain) and len(within) < MOST_NESTED:
            within.append((before, f"guard {number}"))
        yield from ((number, guard) for _, guard in within)
        within = [pair for pair in within if pair[0] < depth]


def _documents(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The number of the document that each line is in, if there are several."""
    starts = [at for at, line in enumerate(lines) if DOCUMENT.fullmatch(line)]
    first = next((at for at, line in enumerate(lines) if line.strip() and not is_comment(line)), 0)
    starts = [at for at in starts if at > first]
    for document, (start, end) in enumerate(pairwise((0, *starts, len(lines))) if starts else ()):
        yield from ((number, document) for number in range(start + 1, end + 1))


def _item(lines: Sequence[str], at: int, column: int) -> tuple[int, int]:
    """The lines of the mapping that a key is in, with all keys at one column: the first, and behind the last."""
    start = at
    while start > 0 and not _begins_item(lines[start], column):
        if lines[start - 1].strip() and _column(lines[start - 1]) < column:
            break
        start -= 1
    end = at + 1
    while end < len(lines) and not (
        lines[end].strip() and (_column(lines[end]) < column or _begins_item(lines[end], column))
    ):
        end += 1
    return start, end


def _below(lines: Sequence[str], at: int, column: int) -> Iterator[str]:
    """The lines of a value that begins below its key: deeper ones, or items at the column of the key."""
    for line in lines[at + 1 :]:
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and not (indent > column or (indent == column and line.lstrip().startswith("- "))):
            return
        yield line.strip()


def _begins_item(line: str, column: int) -> bool:
    return _column(line) == column and line.lstrip().startswith("- ")


def _column(line: str) -> int:
    """Where the key of a line begins, behind the dash of an item."""
    match = re.match(r" *(?:- +)?", line)
    return match.end() if match else 0
