"""How fast an editor has its answers while one types in a file of 1,000 lines, in milliseconds.

    make bench-editor

Each figure is from a change of the text to the answer, over the protocol: to the findings, which come when the editor
has been silent for a moment, and to a completion asked for at once. A file without groups is the peer: it costs what
the protocol and that moment cost. Every round changes another group.

In a knowledge file rules are changed so that they tie with others, and changed back, when the first findings are there.
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


RULES = 60
LAB = 'source lab { title "Bench notes"; publisher "Our lab"; scope cpu skylake; }\n'
RULE = """
rule r{number} of lab at "run {number}" {{
    when goal {goal}, {case};
    use {use};
    because "measured";
}}
"""
GOALS = ("latency", "throughput", "efficiency", "performance")
CASES = ("workload comm-bound", "workload cpu-bound", "platform r740", "platform r640", "cpu skylake")
USES = ("turbo on", "c-states off", "smt on")


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


def knowledge(uses: tuple[str, ...]) -> str:
    """A site's knowledge file: each setting for each goal in some cases; those of one goal recommend the same."""
    return LAB + "".join(
        RULE.format(
            number=number,
            goal=GOALS[number % 4],
            case=CASES[number // 4 % 5],
            use=uses[number // 20],
        )
        for number in range(RULES)
    )


def measured_ties(editor: Editor) -> tuple[int, float, float]:
    """The lines of a knowledge file, and median milliseconds until the findings of a change that makes ties, and of one
    back."""
    name, fine = "lab.tune", knowledge(USES)
    starts = [at for use in USES for at in range(len(fine)) if fine.startswith(f"use {use}", at)]
    tied: list[float] = []
    mended: list[float] = []
    editor.writes(fine.replace(USES[0], "turbo off", 1), name)
    editor.shows(name, "K01")
    for start in starts[::3]:
        words = fine[start:].split(";")[0]
        other = words.replace(" on", " off") if words.endswith(" on") else words.replace(" off", " on")
        for text_, times in ((fine[:start] + other + fine[start + len(words) :], tied), (fine, mended)):
            begin = time.perf_counter()
            editor.writes(text_, name)
            times.append(time.perf_counter() - begin)
    return fine.count("\n"), median(tied) * 1000, median(mended) * 1000


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        editor = Editor(Path(folder))
        for groups in (0, 166):
            lines = text(groups, 0, "").count("\n")
            found, completed = measured(editor, groups)
            print(f"{lines:5} lines: findings after {found:.0f} ms, completion after {completed:.0f} ms")
        lines, tied, mended = measured_ties(editor)
        print(f"{lines:5} lines of knowledge: ties shown after {tied:.0f} ms, and gone after {mended:.0f} ms")
        editor.close()


if __name__ == "__main__":
    main()
