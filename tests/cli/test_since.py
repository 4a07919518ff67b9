"""`compile --since`: settings that an earlier bundle wrote, and this policy leaves at their defaults, are set back."""

import json
from pathlib import Path
from typing import Any

import pytest
from review.repository import Repository
from review.sides import run, write

from support.command import setpoint

LATENCY = "policy search { goal latency; cpu skylake; platform r740; workload comm-bound; }"
BALANCED = "policy search { goal balanced; cpu skylake; platform r740; }"
QUIET = {"correctable-ecc-smi", "dcu-ip-prefetcher", "dcu-streamer-prefetcher", "smt"}
"""Of the firmware, what the first policy writes and the second leaves at its default."""

ADVISED = QUIET - {"correctable-ecc-smi"}
"""Of these, the defaults that advice out of scope asks for, which is too little to write them."""


def compiled(folder: Path, policy: str, *arguments: str) -> str:
    """The output of `compile` for a policy, whose bundle is in `folder/out`."""
    write(folder, policy)
    ran = run("compile", "policy.tune", "-o", "out", *arguments, folder=folder)
    assert ran.status == 0, ran.err
    return ran.err


def settings(bundle: Path) -> dict[str, Any]:
    """The settings of a bundle's plan."""
    found: dict[str, Any] = json.loads((bundle / "plan.json").read_text(encoding="utf-8"))["settings"]
    return found


def written(bundle: Path) -> set[str]:
    """What a bundle writes of the firmware."""
    return {name for name, d in settings(bundle).items() if d["written"] and d["layer"] == "firmware"}


@pytest.fixture
def earlier(tmp_path: Path) -> str:
    """A bundle for latency."""
    compiled(tmp_path / "old", LATENCY)
    return str(tmp_path / "old" / "out")


def test_what_the_earlier_bundle_wrote_is_set_back(tmp_path: Path, earlier: str) -> None:
    compiled(tmp_path / "plain", BALANCED)
    compiled(tmp_path / "since", BALANCED, "--since", earlier)
    plain, since = written(tmp_path / "plain/out"), written(tmp_path / "since/out")
    assert since - plain == QUIET
    assert plain <= since
    for name, decision in settings(tmp_path / "since/out").items():
        if name in QUIET:
            assert decision["value"] == decision["default"]
            assert decision["from"] == ("rule" if name in ADVISED else "default")
            assert decision["notes"] == [
                {"kind": "set-back", "text": "set back: an earlier bundle of this policy wrote it"}
            ]
    values = {name: d["value"] for name, d in settings(tmp_path / "plain/out").items()}
    assert values == {name: d["value"] for name, d in settings(tmp_path / "since/out").items()}


def test_settings_are_set_back_from_bundle_to_bundle(tmp_path: Path, earlier: str) -> None:
    """A server that missed the second one still gets everything it needs from the third."""
    compiled(tmp_path / "second", BALANCED, "--since", earlier)
    compiled(tmp_path / "third", BALANCED, "--since", str(tmp_path / "second/out"))
    assert written(tmp_path / "third/out") >= QUIET


def test_a_policy_at_a_revision_will_do(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    first = repository.commit({"site/policy.tune": LATENCY})
    compiled(tmp_path / "site", BALANCED, "--since", first)
    assert written(tmp_path / "site/out") >= QUIET
    compiled(tmp_path / "site", BALANCED, "--since", f"{first}:site/policy.tune")
    assert written(tmp_path / "site/out") >= QUIET


def test_an_error_in_a_revision_names_the_file_as_the_reader_knows_it(tmp_path: Path) -> None:
    first = Repository(tmp_path).commit({"policy.tune": "goal {"})
    write(tmp_path, BALANCED)
    ran = run("compile", "policy.tune", "-o", "out", "--since", first, folder=tmp_path)
    assert "error[E0101]" in ran.err
    assert "--> policy.tune:1:6" in ran.err
    assert " 1 | goal {" in ran.err


def test_of_several_policies_each_is_set_back_from_its_own(tmp_path: Path) -> None:
    """One that was not there before has nothing to set back."""
    other = "policy other { goal balanced; cpu skylake; platform r740; }"
    compiled(tmp_path / "old", f"{LATENCY}\n{other}")
    compiled(
        tmp_path / "new",
        f"{BALANCED}\n{other}\n{other.replace('other', 'third')}",
        "--since",
        str(tmp_path / "old/out"),
    )
    out = tmp_path / "new/out"
    assert written(out / "search") >= QUIET
    assert written(out / "other") == written(out / "third") == written(out / "search") - QUIET


def test_settings_that_another_layer_reverts_cause_no_warning(tmp_path: Path) -> None:
    """tuned reverts what its profile has set."""
    compiled(tmp_path / "old", "goal throughput; cpu skylake; platform r740;")
    assert settings(tmp_path / "old/out")["readahead"]["written"]
    assert "W0502" not in compiled(tmp_path / "new", BALANCED, "--since", str(tmp_path / "old/out"))


@pytest.mark.parametrize(
    ("word", "status", "shown"),
    [
        ("nowhere", 2, "error[E0607]: `.` is not in a git repository"),
        ("elsewhere", 2, "--since elsewhere: it has none of these policies, but one, two"),
        ("broken.tune", 1, "error[E0101]"),
    ],
)
def test_an_invalid_earlier_side_is_an_error(tmp_path: Path, word: str, status: int, shown: str) -> None:
    compiled(tmp_path, LATENCY.replace("search", "one") + LATENCY.replace("search", "two"))
    (tmp_path / "out").rename(tmp_path / "elsewhere")
    (tmp_path / "broken.tune").write_text("goal {", encoding="utf-8")
    write(tmp_path, BALANCED)
    ran = setpoint("compile", "policy.tune", "-o", "out", "--since", word, cwd=tmp_path)
    assert (ran.status, shown in ran.err) == (status, True), ran.err
    assert not (tmp_path / "out").exists()
