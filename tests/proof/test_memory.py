"""What is proven already is not proven again, and nothing that would be found is missed.

A proof must agree with its `reference`, with a memory that has seen the knowledge base before the change, and all
earlier changes. `tests/library` does the same with slips in the library.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from proof.random_knowledge import built, statements
from proof.reference import agrees, by_the_whole, shown
from proof.small import BASE, constraint, hazard, knowledge, rule
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.results import Proof
from setpoint.compiler.language.parse import parse
from setpoint.compiler.proof import memory as on_disk
from setpoint.compiler.proof.extract import SHOWN, Fingerprints, extract
from setpoint.compiler.proof.memory import KeptMemory, Memory, PartResult
from setpoint.compiler.proof.prove import prove
from setpoint.compiler.proof.reachable import Group
from support.command import ROOT

ASKING = 'severity warning; asks "how warm the hall is";'
"""The fields of a hazard that may warn of advice."""

SEEDS = 60
"""How many knowledge bases at random are changed; `--complete` changes ten times as many."""


FURTHER_VALUES = (
    'model m0 { title "Zero"; }',
    'model m0 { title "Zero"; allows fans one; }',
    'model m4 { title "Four"; within m2; }',
    'model m4 { title "Four"; within m1; implies fans two; }',
    'model m4 { title "Four"; follows m1; }',
    'fans three { title "Three"; }',
)
"""Values that are added to facts of a knowledge base at random."""


class Counting(Memory):
    """A memory that counts what has to be proven."""

    def __init__(self) -> None:
        super().__init__()
        self.learnt = 0

    def learn(self, fingerprint: str, result: PartResult) -> None:
        self.learnt += 1
        super().learn(fingerprint, result)


# ------------------------------------------------------------------------------------ the same is found


def test_knowledge_at_random_and_each_statement_less(complete: bool) -> None:
    """A statement is dropped, moves to the end or is replaced by another one, or a value of a fact is added that may be
    like another; all of them move to other lines, or have other texts."""
    memory, found, changes = Memory(), 0, 0
    for seed in range(SEEDS * (10 if complete else 1)):
        text, random = statements(seed), Random(seed)
        first = next(i for i, line in enumerate(text) if line.startswith("options"))
        number = random.randrange(first, len(text))
        others = statements(seed + 1)[first:]
        for changed in (
            text,
            [*text[:number], *text[number + 1 :]],
            [*text[:number], *text[number + 1 :], text[number]],
            ["", "", *text],
            [re.sub(r'(title|because) "', r'\1 "New: ', line) for line in text],
            [*text[:number], random.choice(others), *text[number + 1 :]],
            [*text, 'fact spare { title "Spare"; values s1, s2; }'],
            [*text, random.choice(FURTHER_VALUES)],
        ):
            try:
                base = built(changed)
            except (SetpointError, AssertionError):
                continue  # an exception to the rule that was dropped
            if base is not None:
                found += len(agrees(base, memory).found)
                changes += 1
    assert changes > 2 * SEEDS
    assert found > SEEDS


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ([rule("a", "boost off", "model m1")], [rule("b", "boost on", "rack front")], "K01"),
        ([constraint("k", "boost on", "require fans high")], [constraint("l", "boost on", "require fans low")], "K13"),
        ([hazard("h", "boost off")], [constraint("k", "goal any", "require boost on")], "K04"),
        ([hazard("h", "boost off", "severity error;")], [rule("a", "boost off", "model m1")], "K10"),
        ([rule("a", "fans low", "model m1, rack front")], [constraint("k", "model m1", "forbid")], None),
        ([rule("a", "mode b", "boost off")], [constraint("k", "goal any", "require boost on")], "K04"),
        (["options of paper { boost on, off default on at \"Menu\" if model m1; }"], [], None),
        (["assume model m1 because \"usual\";"], ["model m3 { title \"M3\"; implies rack front; }"], None),
        ([rule("dead", "fans low", "model m1")], [rule("better", "fans high", "model m1", "strength measured;")], "K04"),
    ],
)  # fmt: skip
def test_what_a_further_statement_spoils_is_found(
    before: list[str], after: list[str], code: str | None
) -> None:
    memory = Memory()
    first, second = knowledge(*before), knowledge(*before, *after)
    agrees(first, memory)
    found = agrees(second, memory).found
    assert code is None or code in {d.code for d in found} - {d.code for d in by_the_whole(first).found}


def test_what_an_extract_has_is_in_its_fingerprint(knowledge: Knowledge) -> None:
    """Of each kind of statement, unless an extract has none of it. The files of a site say whose a statement is, and
    digests decide nothing."""
    read = extract(knowledge, frozenset(knowledge.settings), knowledge.hazards, knowledge.effects)
    usual = Fingerprints(read).of((), read)
    for field, content in vars(read).items():
        if not content or field in ("site", "digests"):
            continue
        less: dict[str, Any] = (
            {field: content[1:]} if isinstance(content, tuple) else {field: another(content)}
        )
        other = read._replace(**less)
        assert Fingerprints(other).of((), other) != usual, field


def test_what_only_findings_show_decides_nothing() -> None:
    """A knowledge base at random without the fields that no fingerprint has: the checks find the same at the same
    places."""
    found = 0
    for seed in range(SEEDS):
        base = built(statements(seed))
        if base is None:
            continue
        bare = without_shown(base)
        assert bare != base
        expected = by_the_whole(base)
        assert shown(by_the_whole(bare).found) == shown(expected.found)
        found += len(expected.found)
    assert found > SEEDS


def without_shown(value: Any) -> Any:
    """A knowledge base, or what is in it, with nothing in the fields that only findings show."""
    if isinstance(value, Knowledge):
        return value._replace(**{name: without_shown(each) for name, each in vars(value).items()})
    if isinstance(value, dict):
        return {name: without_shown(each) for name, each in value.items()}
    if type(value) in SHOWN:
        fields = {name: getattr(value, name) for name in SHOWN[type(value)]}
        empty = {name: None if name == "citation" else type(each)() for name, each in fields.items()}
        return value._replace(**empty)
    return tuple(map(without_shown, value)) if type(value) is tuple else value


def another(content: dict[str, Any]) -> dict[str, Any]:
    """Statements by name, the first of which has another name, or is left out where there are several of a name. A
    value of a fact implies something."""
    (name, first), *others = content.items()
    if isinstance(first, dict):
        value = next(iter(first.values()))
        return {**content, name: {**first, value.name: value._replace(implies=((name, value.name),))}}
    return dict([*([(name, first._replace(name="another"))] if hasattr(first, "name") else []), *others])


def test_whose_statement_it_is_makes_a_difference() -> None:
    """What cannot occur is a finding only if it is the site's, and what a site overrides only if it is the
    library's."""
    memory = Memory()
    never = constraint("k", "boost off", "require boost on")
    impossible, other = hazard("h", "boost off"), rule("own", "mode b", "model m1")
    of_library = proof_of(memory, BASE + never + impossible, other)
    of_site = proof_of(memory, BASE + never, other + impossible)
    assert "K04" not in {d.code for d in of_library.findings}
    assert "K04" in {d.code for d in of_site.findings}
    assert of_site == proof_of(Memory(), BASE + never, other + impossible)
    library, better = BASE + rule("dead", "fans low", "model m1"), rule("better", "fans high", "model m1")
    assert proof_of(memory, library, better).overridden == ("dead",)
    assert proof_of(memory, library, other).overridden == ()
    assert proof_of(memory, library, better).overridden == ("dead",)


def test_a_site_beside_a_library_that_is_proven_by_itself() -> None:
    """What nothing is found in as a library's own is taken over; nothing else is, of knowledge at random."""
    recalled = 0
    for seed in range(SEEDS):
        random = Random(seed)
        texts: tuple[list[str], list[str]] = [], []
        for text in statements(seed):
            texts[bool(re.match("(rule|table|hazard) ", text)) and random.random() < 0.3].append(text)
        try:
            both = layered("\n".join(texts[0]), "\n".join(texts[1]))
        except SetpointError:
            continue
        memory = Recalling()
        prove(both._replace(site=frozenset()), memory)
        agrees(both, memory)
        recalled += memory.recalled
    assert recalled > SEEDS // 3


class Recalling(Memory):
    """A memory that counts how often it had what was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.recalled = 0

    def recall(self, fingerprint: str) -> PartResult | None:
        found = super().recall(fingerprint)
        self.recalled += found is not None
        return found


def proof_of(memory: Memory, library: str, site: str) -> Proof:
    """The proof of a library with a site's statements, without its duration."""
    proof = prove(layered(library, site), memory)
    return proof._replace(statistics=proof.statistics._replace(seconds=0))


def layered(library: str, site: str) -> Knowledge:
    """A library with a site's statements."""
    texts = SourceText("small.tune", library), SourceText("site.tune", site)
    files = zip(map(parse, texts), ("stdlib", "site"), strict=True)
    return build(LayeredFile(tree, layer) for tree, layer in files)


# ------------------------------------------------------------------------------------ what is proven again


def beside_two_rules(check: Callable[[Knowledge, Memory], object]) -> Callable[..., int]:
    """Tells how many parts a check proves once two rules have been proven and statements are added to them; what it
    proves is kept."""
    memory = Counting()
    before = [rule("a", "boost off", "model m1"), rule("b", "mode b", "rack front")]
    prove(knowledge(*before), memory)

    def proven_again(*more: str) -> int:
        last = memory.learnt
        check(knowledge(*before, *more), memory)
        return memory.learnt - last

    return proven_again


def test_only_what_a_statement_concerns_is_proven_again() -> None:
    """Settings that nothing connects with it are not, nor are the facts."""
    memory = Counting()
    before = [rule("a", "boost off", "model m1"), hazard("h", "boost off", ASKING)]
    prove(knowledge(*before), memory)
    assert memory.learnt == len(["facts", "boost", "fans", "mode", "h"])
    prove(knowledge(*before, rule("b", "mode b", "rack front")), memory)
    assert memory.learnt == 5 + len(["mode"])
    prove(knowledge(*before, rule("b", "boost on", "rack front", "exception to a;")), memory)
    assert memory.learnt == 6 + len(["boost", "h"])


def test_facts_that_a_part_does_not_depend_on_do_not_matter_to_it() -> None:
    proven_again = beside_two_rules(prove)
    room = 'fact room { title "Room"; values warm, cold; }'
    third = 'model m3 { title "M3"; }'
    assumed = 'assume rack front when model m1 because "usual";'
    assert proven_again(room) == len(["facts"])
    assert proven_again(third, rule("c", "boost on", "model m3")) == len(["facts", "boost"])
    assert proven_again(assumed) == len(["facts", "mode"])
    # By the assumption, the rule is about the model, where m3 is like m2.
    assert proven_again(assumed, third) == len(["facts"])
    linked = 'model m3 { title "M3"; implies rack front; }'
    assert proven_again(room, linked) == len(["facts", "boost", "mode"])


def test_a_value_like_another_one_is_not_proven_again() -> None:
    """It is, where something tells the two apart: a condition, what follows from it, what goes with it, or an
    assumption."""
    proven_again = beside_two_rules(agrees)
    like_m2 = 'model m3 { title "M3"; }'
    assert proven_again(like_m2) == len(["facts"])
    assert proven_again(like_m2, 'model m4 { title "M4"; }') == len(["facts"])
    assert proven_again(like_m2, rule("c", "boost on", "model m3")) == len(["boost"])
    assert proven_again('model m3 { title "M3"; implies rack front; }') == len(["facts", "boost", "mode"])
    assert proven_again('model m3 { title "M3"; allows rack front; }') == len(["facts", "boost", "mode"])
    assert proven_again(like_m2, 'assume rack front when model m3 because "usual";') == len(["facts", "mode"])


def test_a_statement_that_moves_is_not_proven_again() -> None:
    memory = Counting()
    text = [
        rule("a", "boost off", "model m1"),
        hazard("h", "boost off, fans low", ASKING),
        'assume rack front when model m1 because "x";',
    ]
    prove(knowledge(*text), memory)
    parts = memory.learnt
    assert prove(knowledge("", "", *text), memory).findings == ()
    assert prove(knowledge(*reversed(text)), memory).findings == (), "one behind another"
    assert memory.learnt == parts


def test_other_titles_reasons_and_contents_are_not_proven_again() -> None:
    memory = Counting()
    text = [rule("a", "boost off", "model m1"), hazard("h", "boost off, fans low", ASKING)]
    prove(knowledge(*text), memory)
    parts = memory.learnt
    for written, other in (
        ('because "', 'because "so far, '),
        ('title "', 'title "A new '),
        ('publisher "', 'contents "T1"; publisher "'),
    ):
        changed = knowledge(
            *(line.replace(written, other) for line in text), base=BASE.replace(written, other)
        )
        assert changed != knowledge(*text)
        prove(changed, memory)
        assert memory.learnt == parts, other


def test_a_finding_is_made_anew_with_the_place_that_it_now_has() -> None:
    memory = Counting()
    tie = [rule("a", "boost off", "model m1"), rule("b", "boost on", "rack front")]
    (first,) = prove(knowledge(*tie), memory).findings
    (second,) = prove(knowledge("", "", *tie), memory).findings
    assert second.at.line == first.at.line + 2
    assert second.others[0].span.line == first.others[0].span.line + 2
    assert second.notes == first.notes


def test_an_assumption_that_moves_is_still_used() -> None:
    """Which assumptions are in use is known by their numbers, and the combinations of facts are remembered."""
    memory = Memory()
    usual = [
        'assume rack front when model m1 because "x";',
        'assume rack front when model m2, rack back because "y";',
    ]
    before = prove(knowledge(*usual), memory).findings
    after = prove(knowledge("", *usual), memory).findings
    assert [d.message for d in after] == [d.message for d in before]
    assert after == prove(knowledge("", *usual)).findings
    assert before


# ------------------------------------------------------------------------------------ on disk


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder of this test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/setpoint"


def kept(base: Knowledge) -> int:
    """Prove with the memory on disk; return how many parts were proven."""
    proven = 0

    class Watched(KeptMemory):
        def learn(self, fingerprint: str, result: PartResult) -> None:
            nonlocal proven
            proven += 1
            super().learn(fingerprint, result)

    memory = Watched()
    prove(base, memory)
    memory.keep()
    return proven


def test_the_next_process_need_not_prove_it(folder: Path) -> None:
    base = knowledge(rule("a", "boost off", "model m1"))
    assert kept(base) > 0
    assert kept(base) == 0
    assert kept(knowledge(rule("a", "boost on", "model m1"))) > 0
    assert kept(base) == 0
    assert sorted(path.name.partition("-")[0] for path in folder.iterdir()) == ["combinations", "proof"]


def test_two_that_check_at_once_keep_what_both_have_proven(folder: Path) -> None:
    first, second = (
        knowledge(rule("a", "boost off", "model m1")),
        knowledge(rule("b", "fans mid", "rack front")),
    )
    memories = KeptMemory(), KeptMemory()
    for memory, base in zip(memories, (first, second), strict=True):
        prove(base, memory)
    for memory in memories:
        memory.keep()
    assert (kept(first), kept(second)) == (0, 0)


FINGERPRINTS = """
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.proof.memory import Memory, PartResult
from setpoint.compiler.proof.prove import Proving

class Asking(Memory):
    def recall(self, fingerprint):
        print(fingerprint)
        return PartResult()

Proving(standard(), Asking()).parts()
"""


def test_every_process_has_the_same_fingerprints_of_the_library() -> None:
    """Whatever order its sets have. Otherwise the next process would prove again what is proven."""
    seen = {
        subprocess.run(
            [sys.executable, "-c", FINGERPRINTS],
            env={**os.environ, "PYTHONPATH": str(ROOT / ".dev"), "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(seen) == 1
    assert len(seen.pop().splitlines()) > 50


def test_a_finding_is_not_kept(folder: Path) -> None:
    base = knowledge(rule("a", "boost off", "model m1"), rule("b", "boost on", "rack front"))
    kept(base)
    assert kept(base) == 1


@pytest.mark.parametrize("spoil", ["damaged", "empty", "open to others", "gone"])
def test_a_file_that_cannot_be_trusted_is_made_again(folder: Path, spoil: str) -> None:
    base = knowledge(rule("a", "boost off", "model m1"))
    parts = kept(base)
    (file,) = folder.glob("proof-*")
    content = file.read_bytes()
    match spoil:
        case "damaged":
            file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        case "empty":
            file.write_bytes(b"")
        case "open to others":
            file.chmod(0o666)
        case "gone":
            file.unlink()
    assert kept(base) == parts
    assert kept(base) == 0


def test_another_compiler_proves_everything_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = knowledge(rule("a", "boost off", "model m1"))
    modules = dict(on_disk._modules())
    monkeypatch.setattr(on_disk, "_modules", lambda: iter(modules.items()))
    parts = kept(base)
    assert kept(base) == 0
    modules["setpoint.compiler.proof.checks.ties"] += "# another check\n"
    assert kept(base) == parts
    del modules["setpoint.compiler.proof.checks.ties"]
    assert kept(base) == parts


def test_every_module_of_the_proof_counts_and_no_other() -> None:
    names = {name.removeprefix("setpoint.compiler.") for name, _ in on_disk._modules()}
    assert {
        "proof.checks.ties",
        "proof.sets.cascade",
        "binding.facts",
        "record",
        "proof.memory",
    } <= names
    assert not {name for name in names if name.startswith(("cli", "lsp", "lowering", "knowledge.build"))}


CALLED = """
import os, sys
from proof.small import constraint, hazard, knowledge, rule
from setpoint.compiler.proof.memory import Memory
from setpoint.compiler.proof.prove import Proving
import setpoint.compiler

base = knowledge(
    rule("a", "boost off", "model m1"),
    rule("b", "mode b", "rack front"),
    constraint("k", "boost off, model m1", "require fans low"),
    'effect noise of paper at "N" { title "Noise"; values loud, quiet; case loud when fans high; otherwise quiet; }',
    hazard("h", "mode c, noise loud"),
)
called = set()
sys.setprofile(lambda frame, event, argument: called.add(frame.f_code.co_filename))
parts = Proving(base, Memory()).parts()
sys.setprofile(None)
assert [part.findings for part in parts] == [()] * 5, parts
top = os.path.realpath(setpoint.compiler.__path__[0])
print(*{path for path in map(os.path.realpath, called) if path.startswith(top)})
"""


def test_the_modules_that_count_have_all_code_that_runs() -> None:
    """Of a proof whose parts have no findings, and are kept."""
    names = {name.replace(".", "/").removeprefix("setpoint/") for name, _ in on_disk._modules()}
    counting = {str(ROOT / f"{name}{end}") for name in names for end in (".py", "/__init__.py")}
    folders = os.pathsep.join((str(ROOT / ".dev"), str(ROOT / "tests")))
    called = subprocess.run(
        [sys.executable, "-c", CALLED],
        env={**os.environ, "PYTHONPATH": folders},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert len(called) > 20
    assert set(called) <= counting


def test_the_results_that_were_not_used_for_longest_are_dropped(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (
        knowledge(rule("a", "boost off", "model m1")),
        knowledge(rule("b", "fans mid", "rack front")),
    )
    parts = kept(first)
    monkeypatch.setattr(on_disk, "MOST_KEPT", parts)
    assert kept(second) > 0
    assert kept(second) == 0
    assert kept(first) > 0


def test_without_a_folder_all_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "relative")
    base = knowledge(rule("a", "boost off", "model m1"))
    assert kept(base) == kept(base) > 0


def test_facts_and_hazards_of_a_library_are_not_proven_again_beside_a_site() -> None:
    """Also in its first proof: what facts can be together is nobody's own, and a hazard of the site is a part by
    itself."""

    class Reaching(Recalling):
        made = 0

        def _reachable(self, base: Knowledge, facts: str) -> tuple[Group, ...]:
            self.made += 1
            return super()._reachable(base, facts)

    memory = Reaching()
    library = BASE + rule("a", "boost off", "model m1") + hazard("h", "boost off", ASKING)
    prove(layered(library, "")._replace(site=frozenset()), memory)
    parts, learnt = len(["facts", "boost", "fans", "mode", "h"]), len(memory._used)
    assert (memory.made, memory.recalled, learnt) == (1, 0, parts)
    beside = layered(library, hazard("own", "boost off", ASKING))
    agrees(beside, memory)
    assert (memory.made, memory.recalled) == (1, parts), "all but the site's own hazard"
    assumed = layered(library, 'assume rack front when model m1 because "usual";')
    agrees(assumed, memory)
    assert memory.made == 2, "an assumption decides what can be together"
