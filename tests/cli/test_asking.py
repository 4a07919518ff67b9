"""Questions: `help`, `kb list`, `explain` for a setting alone, and `compare` for two intents."""

import json
import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from setpoint.compiler.cli import TRIED, VERBS, kb
from support.command import setpoint

LATENCY = "goal latency; cpu westmere; os rhel 6.4"
EFFICIENCY = "goal efficiency; cpu westmere; os rhel 6.4"


# -------------------------------------------------------------------------------------------------- help


@pytest.mark.parametrize("verb", sorted(set(VERBS) - {"help", "kb"}))
def test_help_is_the_text_of_the_option(verb: str) -> None:
    asked = setpoint("help", verb)
    assert (asked.status, asked.out) == (0, setpoint(verb, "--help").out)


def test_help_without_a_command_lists_all_of_them() -> None:
    listed = setpoint("help")
    assert (listed.status, listed.out) == (0, setpoint("--help").out)
    assert [verb for verb in VERBS if f"\n  {verb} " not in listed.out] == []


def test_help_goes_into_the_knowledge_base() -> None:
    assert setpoint("help", "kb", "check").out == setpoint("kb", "check", "--help").out


def test_help_knows_diagnostic_codes() -> None:
    assert setpoint("help", "e0301").out.startswith("# E0301: ")


@pytest.mark.parametrize(
    ("word", "verb"),
    [
        ("lint", "check"), ("validate", "check"), ("init", "new"), ("deploy", "apply"),
        ("format", "fmt"), ("show", "plan"), ("pla", "plan"),
    ],
)  # fmt: skip
def test_words_of_other_programs_lead_to_the_verb(word: str, verb: str) -> None:
    for words in ((word, "web.tune"), ("help", word)):
        ran = setpoint(*words)
        assert (ran.status, ran.err) == (2, f"setpoint: unknown command `{word}`; did you mean `{verb}`?\n")


def test_words_of_other_programs_are_no_verbs() -> None:
    assert not set(TRIED) & set(VERBS)
    assert set(TRIED.values()) <= set(VERBS)


@pytest.mark.parametrize(
    "command", [*(verb for verb in VERBS if verb != "kb"), *(f"kb {verb}" for verb in kb.VERBS)]
)
def test_help_ends_with_an_example_that_can_be_typed(command: str) -> None:
    verb = command.split()[-1]
    place = f"kb.{kb.VERBS[verb][0]}" if command.startswith("kb ") else verb
    run = f"run_{verb}" if command.startswith("kb ") else "run"
    parser = getattr(import_module(f"setpoint.compiler.cli.{place}"), run).parser
    assert parser.example.startswith(command)
    assert setpoint(*command.split(), "--help").out.endswith(f"\n\nexample:\n  setpoint {parser.example}\n")
    parser.parse_args(shlex.split(parser.example.removeprefix(command)))


def test_the_help_of_all_of_kb_has_one() -> None:
    assert setpoint("kb", "--help").out.endswith("\n\nexample:\n  setpoint kb show turbo\n")


def test_an_error_is_above_the_usage() -> None:
    said = setpoint("plan", "--nonsense").err
    assert said.startswith(
        "setpoint plan: error: unrecognized arguments: --nonsense\n\nusage: setpoint plan "
    )


def test_help_for_an_unknown_name_suggests_a_command() -> None:
    asked = setpoint("help", "plna")
    assert (asked.status, asked.err) == (2, "setpoint: unknown command `plna`; did you mean `plan`?\n")


# ----------------------------------------------------------------------------------------------- kb list


def test_the_values_of_a_fact_are_a_tree() -> None:
    listed = setpoint("kb", "list", "workload")
    assert listed.status == 0
    assert "\n  hpc                    High performance computing\n    ansys " in listed.out
    assert "\n    comm-bound           Bound by communication between nodes\n      wrf " in listed.out


@pytest.mark.parametrize(
    ("one", "same"), [("goal", "goals"), ("platform", "platforms"), ("settings", "setting")]
)
def test_a_kind_is_found_in_the_singular_and_in_the_plural(one: str, same: str) -> None:
    assert setpoint("kb", "list", one).out == setpoint("kb", "list", same).out != ""


def test_targets_are_listed_with_their_layers() -> None:
    assert "\n  tuned        tuned profile: os\n" in setpoint("kb", "list", "targets").out


def test_the_list_of_everything_is_data_as_well() -> None:
    data = json.loads(setpoint("kb", "list", "--format", "json").out)
    assert data["schema"] == "setpoint.kb-list/1"
    assert {"sources", "facts", "settings", "rules", "hazards", "constraints", "effects", "targets"} < set(
        data
    )
    (smt,) = [each for each in data["settings"] if each["name"] == "smt"]
    assert (smt["layer"], smt["values"]) == ("firmware", ["on", "off", "auto"])
    (wrf,) = [
        each
        for each in json.loads(setpoint("kb", "list", "workload", "--format", "json").out)["workload"]
        if each["name"] == "wrf"
    ]
    assert (wrf["within"], wrf["source"]) == ("comm-bound", "dell-11g-hpc")


def test_an_unknown_kind_is_wrong_usage() -> None:
    listed = setpoint("kb", "list", "hazrads")
    assert (listed.status, listed.err) == (2, "setpoint: unknown kind `hazrads`; did you mean `hazards`?\n")


# ----------------------------------------------------------------------------------------------- explain


def test_a_setting_is_explained_without_a_policy() -> None:
    """Its offers and recommendations for all servers; a policy determines which of these apply."""
    asked = setpoint("explain", "turbo")
    assert asked.status == 0
    assert asked.out.startswith("setting turbo: Turbo Mode, firmware")
    assert "\nrecommended\n" in asked.out
    assert asked.out.endswith("`setpoint explain POLICY turbo` shows which value a policy gets, and why.\n")


# ----------------------------------------------------------------------------------------------- compare


def test_two_intents_are_compared_whatever_they_are_called(tmp_path: Path) -> None:
    (tmp_path / "trading.tune").write_text(LATENCY)
    (tmp_path / "archive.tune").write_text(EFFICIENCY)
    compared = setpoint("compare", "trading.tune", "archive.tune", cwd=tmp_path)
    assert compared.status == 3
    head, _, facts, goal, *_ = compared.out.splitlines()
    assert (head.split(), facts, goal.split()) == (
        ["trading", "archive"],
        "Facts",
        ["goal", "latency", "efficiency"],
    )


def test_the_same_intent_under_two_names_has_no_differences(tmp_path: Path) -> None:
    (tmp_path / "one.tune").write_text(LATENCY)
    (tmp_path / "other.tune").write_text(LATENCY)
    compared = setpoint("compare", "one.tune", "other.tune", cwd=tmp_path)
    assert (compared.status, compared.out) == (0, "No change: every policy has the same plan.\n")


def test_an_intent_can_be_given_as_text() -> None:
    assert setpoint("compare", LATENCY, LATENCY).status == 0
    assert re.search(
        r"^  goal +latency +efficiency$", setpoint("compare", LATENCY, EFFICIENCY).out, re.MULTILINE
    )


def test_one_of_several_policies_is_chosen_by_name(tmp_path: Path) -> None:
    (tmp_path / "site.tune").write_text(f"policy a {{ {LATENCY}; }} policy b {{ {EFFICIENCY}; }}")
    asked = setpoint("compare", "site.tune", "site.tune", cwd=tmp_path)
    assert (asked.status, "choose one policy with --policy or --with; it has: a, b" in asked.err) == (2, True)
    compared = setpoint("compare", "site.tune", "site.tune", "--policy", "a", "--with", "b", cwd=tmp_path)
    assert (compared.status, compared.out.splitlines()[0].split()) == (3, ["a", "b"])


def test_an_intent_in_error_is_not_compared() -> None:
    compared = setpoint("compare", "gaol latency; cpu westmere", LATENCY)
    assert (compared.status, compared.out) == (1, "")
    assert compared.err == "setpoint: gaol latency; cpu westmere: E0201: unknown fact `gaol`\n"
