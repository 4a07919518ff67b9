"""The same policy and knowledge give the same bytes, whatever the order of the knowledge files and Python's hash
seed."""

import json
import random
from pathlib import Path

import pytest

from setpoint.compiler.diagnostics.source import SUFFIX, SourceText
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.library import stdlib_folder
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.language.syntax import File
from setpoint.compiler.pipeline import planned
from setpoint.compiler.plan.as_json import failed_json, plan_json
from support.command import setpoint

POLICIES = (
    "goal latency; cpu westmere; workload comm-bound",
    "goal efficiency; cpu sandy-bridge; manage all",
    "goal performance; cpu skylake; workload cpu-bound; memory-locality good",
    'goal throughput; workload hep; cpu nehalem; os slc 5; set turbo off because "heat"',
    'goal balanced; platform r750; set system-profile dapc because "fleet"; set c-states off because "jitter"',
    'goal latency; cpu e5-4620; sockets 4; set node-interleaving on because "habit"; set smt on because "licence"',
    'goal efficiency; cpu westmere; set turbo on because "deadline"',
)


@pytest.fixture(scope="module")
def files() -> tuple[File, ...]:
    """The knowledge files, read once."""
    return tuple(
        parse(SourceText(str(path), path.read_text(encoding="utf-8")))
        for path in sorted(Path(stdlib_folder()).rglob(f"*{SUFFIX}"))
    )


def shuffled(files: tuple[File, ...], seed: int) -> Knowledge:
    """The knowledge base from the same files in another order, the statements in each in another order."""
    chance = random.Random(seed)
    mixed = [file._replace(body=tuple(chance.sample(file.body, len(file.body)))) for file in files]
    chance.shuffle(mixed)
    return build(LayeredFile(file, "stdlib") for file in mixed)


def outcome(text: str, knowledge: Knowledge) -> str:
    """The result of a policy, to the last byte."""
    (done,) = planned(program_of_text(text), knowledge)
    if done.judged is not None:
        return json.dumps(plan_json(done.judged))
    return json.dumps(failed_json(done.subject.name, done.facts, done.findings))


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_knowledge_decides_nothing(files: tuple[File, ...], seed: int) -> None:
    straight, mixed = build(LayeredFile(file, "stdlib") for file in files), shuffled(files, seed)
    assert mixed == straight
    for text in POLICIES:
        assert outcome(text, mixed) == outcome(text, straight)


def test_the_hash_seed_decides_nothing(tmp_path: Path) -> None:
    """Each seed reads the knowledge files for itself: the cache of the other is not in its reach."""
    policy = tmp_path / "all.tune"
    blocks = [f"policy p{number} {{ {text} }}\n" for number, text in enumerate(POLICIES)]
    policy.write_text("".join(blocks), encoding="utf-8")
    seen = []
    for seed in ("0", "1"):
        env = {"PYTHONHASHSEED": seed, "XDG_CACHE_HOME": str(tmp_path / f"cache-{seed}")}
        ran = setpoint("plan", "all.tune", "--format", "json", "--today", "2026-01-01", cwd=tmp_path, env=env)
        bundle = tmp_path / f"bundle-{seed}"
        arguments = ("compile", "all.tune", "--policy", "p0", "--today", "2026-01-01", "-o", str(bundle))
        assert setpoint(*arguments, cwd=tmp_path, env=env).status == 0
        made = {str(p.relative_to(bundle)): p.read_bytes() for p in sorted(bundle.rglob("*")) if p.is_file()}
        seen.append((ran.status, ran.out, ran.err, made))
    assert seen[0][1].count('"schema"') == len(POLICIES)
    assert seen[0] == seen[1]
