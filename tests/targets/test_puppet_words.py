"""Puppet: what a user has written as a reason is read by people, and by no program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consumers.puppet import Compiler
from setpoint.targets.puppet import TARGET
from support.effort import examples
from support.plans import HOSTILE, because
from support.puppet import EL7, put


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the compiler finds modules in."""
    return tmp_path_factory.mktemp("modules")


@pytest.fixture(scope="module")
def compiler(modules: Path) -> Compiler:
    """Puppet's compiler."""
    return Compiler(modules)


@pytest.fixture(scope="module")
def speak(compiler: Compiler, modules: Path) -> Callable[[str], dict[str, Any]]:
    """The catalog of the module whose every reason is a given text."""

    def compiled(text: str) -> dict[str, Any]:
        put(because(EL7.plan("latency"), text), modules)
        document = compiler.compile("include setpoint_el7_latency", EL7.system).document
        return {key: document[key] for key in ("resources", "edges", "classes")}

    return compiled


@pytest.fixture(scope="module")
def plain(speak: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    """The catalog of the module whose every reason is harmless."""
    return speak("plain words")


INTERPOLATED = (
    "%{facts.os.family} %{lookup('a')} %{::hostname} %{literal('%')}",
    "${facts} $facts <%= 1 %> <% fail('x') %> <%# x -%>",
    "': x\n  - y: &a *a !ruby/object:Object {} [] | >",
    '"\\',
    "'\\",
    "--- ...\n---\n",
)


@pytest.mark.parametrize("text", [*HOSTILE, *INTERPOLATED])
def test_hostile_words_change_no_catalog(
    speak: Callable[[str], dict[str, Any]], plain: dict[str, Any], text: str
) -> None:
    assert speak(text) == plain


PIECES = st.sampled_from(
    [
        "'",
        '"',
        "`",
        "\\",
        "\n",
        "\r",
        "\u2028",
        "\x85",
        "#",
        "%{",
        "${",
        "}",
        "<%",
        "%>",
        "- ",
        ": ",
        "$(id)",
        "---",
    ]
)


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join))
def test_no_words_change_a_catalog(
    speak: Callable[[str], dict[str, Any]], plain: dict[str, Any], text: str
) -> None:
    assert speak(text) == plain


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join))
def test_no_words_leave_their_comment(text: str) -> None:
    """What Puppet and Hiera read is line for line as it is, but for the comments."""
    for plain, said in zip(read_by_puppet("plain words"), read_by_puppet(text), strict=True):
        assert len(plain) == len(said)
        for before, after in zip(plain, said, strict=True):
            assert before == after or (before.lstrip().startswith("#") and after.lstrip().startswith("#"))


def read_by_puppet(text: str) -> list[list[str]]:
    """The lines of each file that Puppet reads, where every reason is a given text."""
    read = ("/manifests/", "/data/", "/templates/", "/types/", "/hiera.yaml", "/metadata.json")
    artifacts = TARGET.emit(because(EL7.plan("latency"), text)).artifacts
    return [a.text.splitlines() for a in artifacts if any(part in a.path for part in read)]
