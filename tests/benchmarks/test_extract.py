"""What other languages are measured with is right: the extract of the library resolves to Setpoint's plans.

The other languages are not run here. `make bench` compares all their answers before it measures.
"""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import peers
from benchmarks.cost import Cost
from benchmarks.extract import GROUPS, extract, inventory, kinds, kinds_of, known, policy
from benchmarks.resolvers import by_hand
from support.command import setpoint

SOME = 40
"""How many kinds of hosts are resolved here, of 500."""


@pytest.mark.parametrize(
    "kind", kinds(SOME), ids=lambda kind: f"{kind.group}-{kind.processor}-{kind.network}"
)
def test_the_extract_gives_the_answers_of_setpoint(kind: Any) -> None:
    assert by_hand.resolve(extract(SOME), known(kind).case) == known(kind).answer


def test_the_hosts_are_of_all_groups_and_the_answers_differ() -> None:
    assert {kind.group for kind in kinds(SOME)} == set(GROUPS)
    assert len({json.dumps(known(kind).answer, sort_keys=True) for kind in kinds(SOME)}) >= 8


def test_every_part_of_the_extract_decides_something() -> None:
    """Without its advice, limits, exceptions or conditions, some answer is another one."""

    def answers(part: str, replaced: Any) -> list[dict[str, str]]:
        changed = copy.deepcopy(extract(SOME))
        for setting in changed["settings"].values():
            for place in (setting, *setting["advice"]):
                if part in place:
                    place[part] = replaced
        return [by_hand.resolve(changed, known(kind).case) for kind in kinds(SOME)]

    whole = [known(kind).answer for kind in kinds(SOME)]
    for part, replaced in (("advice", []), ("limits", []), ("unless", []), ("when", {})):
        assert answers(part, replaced) != whole, part


def test_setpoint_reads_the_same_hosts_from_the_inventory(tmp_path: Path) -> None:
    (tmp_path / "site.tune").write_text(policy(), encoding="utf-8")
    (tmp_path / "hosts.csv").write_text("".join(inventory(3, SOME)), encoding="utf-8")
    for host, kind in kinds_of(3, SOME):
        done = setpoint(
            *("plan", "site.tune", "--inventory", "hosts.csv", "--host", host, "--format", "json"),
            cwd=tmp_path,
        )
        settings = json.loads(done.out)["settings"]
        assert {name: each["value"] for name, each in settings.items()} == known(kind).answer


def test_a_wrong_answer_is_noticed(tmp_path: Path) -> None:
    python = peers.PEERS[0]
    peers.write(tmp_path, 3, SOME)
    peers.compare(python, tmp_path, 3, SOME)
    data = json.loads((tmp_path / "extract.json").read_text("utf-8"))
    data["extract"]["settings"]["smt"]["values"] = ["auto"]
    (tmp_path / "extract.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(peers.DifferentAnswerError, match="Python: c000000"):
        peers.compare(python, tmp_path, 3, SOME)


def test_what_would_take_too_long_is_not_run() -> None:
    assert not peers.is_too_much({1: Cost(0.2, 70), 50: Cost(2, 120)}, 500)
    assert peers.is_too_much({1: Cost(0.2, 70), 50: Cost(9, 120)}, 500)
    assert peers.is_too_much({1: Cost(0.2, 70), 50: Cost(2, 1500)}, 500)
    assert not peers.is_too_much({1: Cost(0.2, 700)}, 50)


def test_each_peer_has_a_program() -> None:
    for peer in peers.PEERS:
        named = [part for part in peer.arguments if "RESOLVERS/" in part]
        for part in named:
            assert (peers.RESOLVERS / part.rpartition("RESOLVERS/")[2]).is_file()
        assert named or (peers.RESOLVERS / "resolve.star").is_file()
