"""How fast an editor has its answers while one types in a file of 1,000 lines, in milliseconds.

    make bench-editor

Each figure is from a change of the text to the answer, over the protocol: to the findings, which come when the editor has been silent
for a moment, and to a completion asked for at once. A file without groups is the peer: it costs what the protocol and that moment
cost. Every round changes another group.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lsprotocol import types

from support.editor import Editor

ROUNDS = 20
SERVER = "goal latency;\ncpu westmere;\nos rhel 6.4;\nworkload comm-bound;\n"
SERVER += 'accept override of turbo because "benchmarked";\n'
GROUP = """
for group g{number} {{
    set turbo off because "PERF-{number}";
    os rhel 9;
    sockets 2;
}}
"""


def text(groups: int, changed: int, reason: str) -> str:
    """A policy with some groups, one of which has another reason."""
    blocks = [GROUP.format(number=number) for number in range(groups)]
    return SERVER + "".join(blocks).replace(f'"PERF-{changed}"', f'"{reason}"')


def measured(editor: Editor, groups: int) -> tuple[float, float]:
    """Median milliseconds until the findings of a change, and until a completion behind it."""
    name = f"{groups}.tune"
    document = types.TextDocumentIdentifier(editor.uri(name))
    behind = types.CompletionParams(document, types.Position(5, 0))
    found, completed = [], []
    editor.writes(text(groups, 0, "first"), name)
    for round_ in range(ROUNDS):
        start = time.perf_counter()
        editor.writes(text(groups, round_, f"now {round_}"), name)
        found.append(time.perf_counter() - start)
        start = time.perf_counter()
        editor.answer(editor.requests.text_document_completion_async(behind))
        completed.append(time.perf_counter() - start)
    return median(found) * 1000, median(completed) * 1000


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        editor = Editor(Path(folder))
        for groups in (0, 166):
            lines = text(groups, 0, "").count("\n")
            found, completed = measured(editor, groups)
            print(f"{lines:5} lines: findings after {found:.0f} ms, completion after {completed:.0f} ms")
        editor.close()


if __name__ == "__main__":
    main()
