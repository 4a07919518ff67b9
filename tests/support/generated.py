"""`python -m support.generated [COMMITS]`: how much of what the last commits added is generated, by file.

A reviewer reads what people wrote, and of what was made only what shows them the change. `GENERATED` has the files of
the repository that programs write, each with its reader. The house rules keep their share under a tenth.

A line that changes goes and comes, and so counts once. What only goes is nothing to read: a file that leaves git would
be most of a hundred commits.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from fnmatch import fnmatchcase

from support.command import ROOT

GENERATED = {
    "examples/*/expected/*": "reviewers: what a change changes for a plan and for a server",
    "docs/benchmarks.*": "readers of the manual, which shows what was measured last",
    "docs/architecture.svg": "readers of the manual",
    "docs/editors/vscode/package-lock.json": "npm",
    "docs/playground/package-lock.json": "npm",
    "docs/editors/vscode/syntaxes/*": "editors, which read it from here",
    "compiler/*.schema.json": "programs of others, and reviewers: a form that changes",
    "tests/language/scopes/*": "reviewers: how an editor colours a text",
    "tests/language/format/*": "reviewers: the form of a text",
    "tests/docs/setting.md": "reviewers: the form of a page",
    "tests/proof/mutants.txt": "people: scores by kind and survivors; the tests: digests, by which nobody spends an hour on all mutants again",
    "tests/durations.json": "the tests, which begin with what takes long",
    ".ci/release/locked.txt": "pip",
    ".ci/release/tools.txt": "pip",
}
"""The files that programs write, and who reads them."""

COMMITS = 100


def is_generated(path: str) -> bool:
    """Whether a program writes a file."""
    return any(fnmatchcase(path, pattern) for pattern in GENERATED)


def added_lines(commits: int) -> Counter[str]:
    """How many lines the last commits added to each file, without the commits that git blame leaves out."""
    ignored = (ROOT / ".git-blame-ignore-revs").read_text(encoding="utf-8").split("\n")
    listing = ["git", "log", f"-{commits}", "--no-merges", "--no-renames", "--numstat", "--format=%H"]
    out = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    lines: Counter[str] = Counter()
    counted = True
    for line in filter(None, out.splitlines()):
        added, _, rest = line.partition("\t")
        path = rest.partition("\t")[2]
        if not path:
            counted = line not in ignored
        elif counted and added != "-":
            lines[path] += int(added)
    return lines


def generated_of(lines: Counter[str]) -> Counter[str]:
    """Those of the files that programs write."""
    return Counter({path: count for path, count in lines.items() if is_generated(path)})


def main(arguments: list[str]) -> int:
    """Print the share, and the files that make it up."""
    lines = added_lines(int(arguments[0]) if arguments else COMMITS)
    generated = generated_of(lines)
    share = generated.total() / max(1, lines.total())
    print(f"{generated.total()} of {lines.total()} added lines are generated: {share:.1%}")
    for path, count in generated.most_common(30):
        print(f"{count:7}  {path}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
