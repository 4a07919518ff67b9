"""Policies, groups and blocks for hosts that say the same are planned once, and everything found is as if each had been
planned."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setpoint.compiler.binding.levels import Subject
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, SetpointError
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.pipeline import Planned, Selection, plan_subject, read
from setpoint.compiler.policies import check, known
from support.effort import examples
from support.forgotten import forget_findings

BASE = 'goal performance; platform c6420; os rhel-9;\naccept advice because "benchmarked";\nfor group compute { goal latency; workload comm-bound; }\n'

STATEMENTS = (
    'set turbo off because "runs hot, HW-{n}";',  # a warning at the statement
    'set turbo off because "advice";',  # a reason that a finding may quote
    'set smt on because "asked for";',
    'set smt on because " ";',  # no reason at all
    'set smt perhaps because "a slip";',  # an error at the value
    'set flux on because "a slip";',  # an error at the name
    'set c-states off because "HW-{n}";',
    "goal balanced;",
    "sockets 2;",
    'accept override of turbo because "HW-{n}" until 2030-01-01;',
    'accept c-state-idle-power because "HW-{n}";',  # has no effect, where the hazard does not occur
    "manage all;",
    'require strength vendor because "HW-{n}";',
    'require strength strong because "a slip";',
)


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the subjects that are planned, in order."""
    names: list[str] = []

    def plan(subject: Subject, knowledge: Knowledge, selection: Selection) -> Planned:
        names.append(subject.name)
        return plan_subject(subject, knowledge, selection)

    monkeypatch.setattr(known, "plan_subject", plan)
    return names


def findings(text: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Diagnostic, ...]:
    """The findings in a text, as if it were the first one."""
    forget_findings()
    path = tmp_path_factory.getbasetemp() / "policy.tune"
    path.write_text(text, encoding="utf-8")
    return tuple(check.check_files({str(path): ""}).findings)


@given(
    st.lists(
        st.tuples(st.sampled_from(("", " in compute")), st.sets(st.sampled_from(STATEMENTS), max_size=3)),
        max_size=6,
    )
)
@settings(max_examples=examples(25), deadline=None)
def test_findings_are_as_if_each_block_had_been_planned(
    tmp_path_factory: pytest.TempPathFactory, blocks: list[tuple[str, set[str]]]
) -> None:
    text = BASE + "".join(
        f"for host c{n}{group} {{\n  {' '.join(sorted(body)).format(n=n)}\n}}\n"
        for n, (group, body) in enumerate(blocks)
    )
    assert findings(text, tmp_path_factory) == found_singly(text, tmp_path_factory)


def found_singly(text: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Diagnostic, ...]:
    """The findings, each subject planned."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(known, "quotes", lambda found, words: True)
        return findings(text, tmp_path_factory)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("policy {name}", "policy {name} extends base", "for group {name}")),
            st.sampled_from(("p{n}", "turbo-{n}", "off{n}")),  # names of which findings contain a part
            st.sets(st.sampled_from(STATEMENTS), max_size=3),
        ),
        max_size=3,
    )
)
@settings(max_examples=examples(25), deadline=None)
def test_findings_are_as_if_each_policy_had_been_planned(
    tmp_path_factory: pytest.TempPathFactory, blocks: list[tuple[str, str, set[str]]]
) -> None:
    text = "policy base { goal performance; platform c6420; os rhel-9; }\n" + "".join(
        f"{head.format(name=name.format(n=n))} {{ goal latency; {' '.join(sorted(body)).format(n=n)} }}\n"
        for n, (head, name, body) in enumerate(blocks)
    )
    assert findings(text, tmp_path_factory) == found_singly(text, tmp_path_factory)


def test_policies_that_say_the_same_are_planned_once(
    tmp_path_factory: pytest.TempPathFactory, planned: list[str]
) -> None:
    found = findings(
        "".join(
            f'policy web{n}x {{ goal latency; cpu skylake; set turbo on because "HW-{n}"; }}\n'
            for n in range(200)
        ),
        tmp_path_factory,
    )
    assert [d.at.line for d in found if d.code == "W0302"] == [*range(1, 201)]
    assert planned == ["web0x"]


def test_a_thousand_exceptions_are_planned_once_and_each_has_its_warning(
    tmp_path_factory: pytest.TempPathFactory, planned: list[str]
) -> None:
    found = findings(
        "goal performance; platform c6420; os rhel-9;\n"
        + "".join(f'for host c{n} {{ set turbo off because "runs hot, HW-{n}"; }}\n' for n in range(1000)),
        tmp_path_factory,
    )
    assert [d.at.line for d in found if d.code == "W0302"] == [*range(2, 1002)]
    assert planned == ["policy", "policy-c0"]


# ---------------------------------------------------------------------------------- again and again

LINES = (
    "goal performance;",
    "goal latency;",
    "platform c6420;",
    "os rhel-9;",
    'set turbo off because "runs hot";',
    'set turbo off because "advice";',
    'set smt perhaps because "a slip";',
    'accept override of turbo because "runs hot";',
    'accept advice because "benchmarked" until 2030-01-01;',
    "",
)

BODY = st.lists(st.sampled_from(LINES), max_size=4, unique=True).map("\n".join)

BLOCKS = st.tuples(
    st.sampled_from(("", "policy web {{ {} }}", "policy shop extends web {{ {} }}")),
    st.sampled_from(("", "for group compute {{ {} }}", "for host c1 {{ {} }}")),
)

TEXTS = st.builds(
    lambda top, blocks, body, scoped: "\n".join(
        [top, "policy web { platform c6420; goal latency; }" * ("extends" in blocks[0])]
        + [form.format(text) for form, text in zip(blocks, (body, scoped), strict=True) if form]
    ),
    BODY,
    BLOCKS,
    BODY,
    BODY,
)


def found_in(text: str, path: str) -> Diagnostics:
    """The findings of a text that an editor has of a file, with what is remembered of the last one."""
    try:
        return Diagnostics.of(check.check_program(read(path, "", {path: text}), known.Known()))
    except SetpointError as error:
        return error.diagnostics


@given(st.lists(TEXTS, min_size=2, max_size=5))
@settings(max_examples=examples(25), deadline=None)
def test_a_file_that_is_checked_again_after_each_change_is_found_as_if_for_the_first_time(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    path = str(tmp_path_factory.getbasetemp() / "edited.tune")
    first = []
    for text in texts:
        forget_findings()
        first.append(found_in(text, path))
    forget_findings()
    assert [found_in(text, path) for text in texts] == first


def test_only_the_group_that_was_changed_is_planned_again(
    tmp_path_factory: pytest.TempPathFactory, planned: list[str]
) -> None:
    path = str(tmp_path_factory.getbasetemp() / "edited.tune")
    forget_findings()
    text = "goal performance; platform c6420;\n" + "".join(
        f"for group g{n} {{ os rhel-9; }}\n" for n in range(3)
    )
    found_in(text, path)
    planned.clear()
    found_in(text.replace("g1 {", "g1 {\n"), path)
    assert planned == []  # only places have changed
    text = text.replace("g1 { os rhel-9;", "g1 { os debian-12;")
    found_in(text, path)
    assert planned == ["edited-g1"]


# --------------------------------------------------------------------------------------- many files


@given(st.lists(TEXTS, min_size=1, max_size=2), st.lists(st.integers(0, 1), min_size=2, max_size=4))
@settings(max_examples=examples(25), deadline=None)
def test_files_of_a_folder_are_found_as_if_each_were_checked_alone(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], files: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("folder")
    roots = {}
    for n, which in enumerate(files):
        (folder / f"p{n}.tune").write_text(texts[which % len(texts)], encoding="utf-8")
        roots[str(folder / f"p{n}.tune")] = ""
    alone: list[Diagnostic] = []
    for path in roots:
        forget_findings()
        alone += check.check_files({path: ""}).findings
    forget_findings()
    assert check.check_files(roots).findings == Diagnostics.of(alone)


def test_files_that_say_the_same_are_planned_once(tmp_path: Path, planned: list[str]) -> None:
    forget_findings()
    for n in range(9):
        text = f'goal latency; cpu {"skylake" if n % 3 else "westmere"}; set turbo off because "LAB-{n}";'
        (tmp_path / f"p{n}.tune").write_text(text, encoding="utf-8")
    found = check.check_files({str(path): "" for path in sorted(tmp_path.iterdir())}).findings
    assert planned == ["p0", "p1"]
    assert {d.at.file for d in found} == {str(path) for path in tmp_path.iterdir()}
