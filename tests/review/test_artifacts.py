"""The artifacts that a change affects: those whose files differ, by a value or by a fact alone."""

from pathlib import Path

import pytest

from review.sides import TODAY, Files, compare, only, run, setting, write
from setpoint.compiler.comparison.differences import differences
from setpoint.compiler.comparison.sides import side
from setpoint.compiler.lowering.bundle import bundle, choose
from setpoint.compiler.plan.difference import Comparison
from setpoint.compiler.render.difference import comparison_text
from setpoint.compiler.render.difference_json import comparison_json
from setpoint.compiler.render.difference_words import headline
from support.plans import plan_of_text

SERVER = "goal latency; cpu e5-2690; platform r720; workload hpc; sockets 2;"
NAMED = f"{SERVER} os rhel 7.9;"
WEB = "goal balanced; cpu westmere; platform r710; os rhel 6.4; workload interactive;"


def artifacts(comparison: Comparison) -> dict[str, tuple[str, ...]]:
    """The artifacts that change for the one policy that differs, with the settings in them that do."""
    return {carrier.target: carrier.settings for carrier in only(comparison).artifacts}


def made(policy: str) -> dict[str, set[tuple[str, str]]]:
    """The files that something reads, by the folder of their target: paths and texts."""
    found: dict[str, set[tuple[str, str]]] = {}
    for file in bundle(plan_of_text(policy), choose(()), asked=False).files:
        if "/" in file.path and not file.path.endswith(".md"):
            found.setdefault(file.path.partition("/")[0], set()).add((file.path, file.text))
    return found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (NAMED, SERVER),
        (NAMED, NAMED.replace("rhel 7.9", "rhel 6.4")),
        (
            "goal latency; cpu skylake; platform r740; os rhel 8.10;",
            "goal latency; cpu skylake; platform r740; os debian 12;",
        ),
        (NAMED, NAMED.replace("platform r720", "platform r720xd")),
        (NAMED, NAMED.replace("sockets 2;", "")),
    ],
)
def test_a_fact_alone_changes_artifacts_that_spell_it_differently(tmp_path: Path, old: str, new: str) -> None:
    before, after = made(old), made(new)
    differ = {target for target in {*before, *after} if before.get(target) != after.get(target)}
    assert set(artifacts(compare(tmp_path, old, new))) == differ


def test_the_changed_fact_is_named(tmp_path: Path) -> None:
    found = compare(tmp_path, NAMED, SERVER)
    assert artifacts(found) == {"ansible": (), "kernel-args": (), "puppet": (), "tuned": ()}
    assert headline(found) == "1 policy changes: no value, but artifacts."
    text = comparison_text(found, 110)
    assert "Artifacts that change, for another os: ansible, kernel-args, puppet, tuned." in text
    assert '"kernel-args": []' in comparison_json(found)


def test_a_value_changes_the_artifacts_that_set_it(tmp_path: Path) -> None:
    found = artifacts(compare(tmp_path, WEB, f'{WEB} set turbo off because "jitter";'))
    assert found["syscfg"] == ("turbo",)
    assert "cpuspeed" not in found


def test_a_value_that_is_no_longer_written_leaves_its_artifact(tmp_path: Path) -> None:
    """Without effect on servers: the value is the vendor's default."""
    difference = only(compare(tmp_path, f"{WEB} manage all", WEB))
    assert {c.kind for c in difference.settings} == {"left"}
    carrying = {carrier.target for carrier in difference.artifacts if carrier.settings}
    assert carrying == {"ansible", "puppet", "tuned"}


def test_a_default_that_an_artifact_spells_out_is_still_set(tmp_path: Path) -> None:
    """tuned.conf says `force_latency=none`, and so the servers do not keep the limit that they had."""
    limited = "goal latency; cpu skylake; platform r740; os debian 12;"
    comparison = compare(tmp_path, limited, limited.replace("latency", "balanced"))
    (change,) = (c for c in only(comparison).settings if c.setting == "force-latency")
    assert change.old is not None
    assert change.new is not None
    assert (change.kind, change.old.value, change.new.value) == ("value", "c1", "none")
    assert "force-latency" in artifacts(comparison)["tuned"]
    (line,) = (
        line
        for line in comparison_text(comparison, 300).splitlines()
        if "force-latency" in line and "c1" in line
    )
    assert "no artifact sets it" not in line


def test_what_an_artifact_still_sets_is_known_of_a_bundle_as_well(tmp_path: Path) -> None:
    """What its plan would be emitted as is asked of the targets, as for a policy."""
    limited = "goal latency; cpu skylake; platform r740; os debian 12;"
    old = write(tmp_path / "old", limited)
    new = write(tmp_path / "new", limited.replace("latency", "balanced"))
    assert run("compile", "policy.tune", "-o", "out", folder=new).status == 0
    comparison = differences(side(str(old), "", TODAY), side(str(new / "out"), "", TODAY))
    assert setting(only(comparison), "force-latency").kind == "value"


def test_a_value_that_no_artifact_sets_any_more_is_reported(tmp_path: Path) -> None:
    comparison = compare(tmp_path, f'{WEB} set virtualization off because "no guests";', WEB)
    changes = {c.setting: c.kind for c in only(comparison).settings}
    assert changes["virtualization"] == "stops"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            f'policy a {{ {NAMED} set turbo off because "jitter" }}',
            f'policy b {{ set turbo off because "PERF-212"; {NAMED} }}',
        ),
        (
            f'{NAMED} accept c-state-idle-power because "one"',
            f'{NAMED} accept c-state-idle-power because "two"',
        ),
    ],
)
def test_another_name_or_reason_does_not_change_artifacts(tmp_path: Path, old: Files, new: Files) -> None:
    assert artifacts(compare(tmp_path, old, new)) == {}


def test_what_a_hazard_stops_has_no_artifacts(tmp_path: Path) -> None:
    stopped = 'goal efficiency; cpu westmere; set turbo on because "deadline";'
    found = compare(tmp_path, {"a.tune": SERVER}, {"a.tune": SERVER, "w2.tune": stopped})
    text = comparison_text(found, 110)
    assert text.startswith("Policy w2 is new and does not compile\n")
    assert "Artifacts" not in text
    assert artifacts(found) == {}


# ------------------------------------------------------------------------------------------ bundles


def compiled(folder: Path, policy: str, *arguments: str) -> str:
    """A bundle of the policy `policy.tune`, whatever lay there before."""
    write(folder, policy)
    ran = run("compile", "policy.tune", "-o", "bundle", *arguments, folder=folder)
    assert ran.status == 0, ran.err
    return str(folder / "bundle")


@pytest.mark.parametrize("form", ["bundle", "policy"])
def test_the_manifest_of_a_bundle_shows_changed_artifacts(tmp_path: Path, form: str) -> None:
    old = compiled(tmp_path / "old", NAMED)
    new = compiled(tmp_path / "new", SERVER) if form == "bundle" else str(write(tmp_path / "p", SERVER))
    found = differences(side(old, "", ""), side(new, "", ""))
    assert artifacts(found) == {"ansible": (), "kernel-args": (), "puppet": (), "tuned": ()}


def test_a_bundle_is_compared_by_what_it_was_made_for(tmp_path: Path) -> None:
    old = compiled(tmp_path / "old", NAMED, "--target", "tuned")
    new = write(tmp_path / "p", SERVER)
    assert artifacts(differences(side(old, "", ""), side(str(new), "", ""))) == {"tuned": ()}


def test_what_a_bundle_was_asked_for_is_compared_though_another_way_sets_the_same(tmp_path: Path) -> None:
    """A policy alone is compared without such a way, since no bundle of it has one unless it is asked for."""
    old = compiled(tmp_path / "old", NAMED, "--target", "syscfg")
    same, other = write(tmp_path / "same", NAMED), write(tmp_path / "other", SERVER)
    assert differences(side(old, "", ""), side(str(same), "", "")).differences == ()
    assert artifacts(differences(side(old, "", ""), side(str(other), "", ""))) == {"syscfg": ()}


def test_a_bundle_of_the_same_policy_under_another_name_does_not_differ(tmp_path: Path) -> None:
    old = compiled(tmp_path / "old", f"policy a {{ {NAMED} }}")
    new = compiled(tmp_path / "new", f"policy b {{ {NAMED} }}")
    assert differences(side(old, "", ""), side(new, "", "")).differences == ()


def test_a_bundle_of_another_target_version_is_reported(tmp_path: Path) -> None:
    """Every value is unchanged, but the file differs."""
    old, new = compiled(tmp_path / "old", NAMED), compiled(tmp_path / "new", NAMED)
    manifest = Path(new) / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    place = text.index('"sha256": "', text.index('"racadm/racadm.plan"')) + len('"sha256": "')
    manifest.write_text(text[:place] + "0" * 64 + text[place + 64 :], encoding="utf-8")
    found = differences(side(old, "", ""), side(new, "", ""))
    assert artifacts(found) == {"racadm": ()}
    shown = "Artifacts that change, though no value that they set changes: racadm."
    assert shown in comparison_text(found, 110)
