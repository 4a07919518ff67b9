"""A policy file and the files that it includes, within one folder."""

import os
from pathlib import Path

import pytest

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.language.program import MOST_LEVELS, Program, program_of_file, program_of_text
from setpoint.compiler.language.syntax import Fact, Set


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def errors_of(path: Path, root: str = "") -> tuple[Diagnostic, ...]:
    with pytest.raises(SetpointError) as caught:
        program_of_file(str(path), root)
    return caught.value.diagnostics


def stated(program: Program) -> list[str]:
    return [
        s.name.text if isinstance(s, Fact) else s.setting.text
        for s in program.body
        if isinstance(s, Fact | Set)
    ]


def test_included_statements_replace_the_include(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.tune": 'goal latency; include "site/b.tune"; workload hep;',
            "site/b.tune": 'cpu x5670; include "c.tune"; sockets 2;',
            "site/c.tune": "platform r710;",
        },
    )
    program = program_of_file(str(tmp_path / "a.tune"))
    assert stated(program) == ["goal", "cpu", "platform", "sockets", "workload"]
    assert [Path(name).name for name in program.sources] == ["a.tune", "b.tune", "c.tune"]


def test_knowledge_of_an_included_file_is_the_sites_own(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.tune": 'include "lab.tune"; goal latency;',
            "lab.tune": 'source lab { title "Lab"; publisher "Example"; } set turbo off because "lab";',
        },
    )
    program = program_of_file(str(tmp_path / "a.tune"))
    assert [Path(file.name).name for file in program.site] == ["lab.tune"]
    assert stated(program) == ["turbo", "goal"]


def test_a_file_that_is_included_twice_is_read_once(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.tune": 'include "b.tune"; include "c.tune"; include "./b.tune";',
            "b.tune": "goal latency;",
            "c.tune": 'include "b.tune";',
        },
    )
    assert stated(program_of_file(str(tmp_path / "a.tune"))) == ["goal"]


def test_errors_of_all_files_come_together(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.tune": 'set turbo off; include "b.tune"; include "none.tune";',
            "b.tune": "set smt off;",
        },
    )
    write(
        tmp_path,
        {"a.tune": 'include "b.tune"; include "none.tune"; include "c.tune";', "c.tune": "accept x;"},
    )
    found = errors_of(tmp_path / "a.tune")
    assert [(d.code, Path(d.at.file).name) for d in found] == [
        ("E0601", "a.tune"), ("E0104", "b.tune"), ("E0104", "c.tune"),
    ]  # fmt: skip


def test_a_missing_file_is_shown_at_its_include(tmp_path: Path) -> None:
    write(tmp_path, {"a.tune": 'goal latency;\ninclude "none.tune";'})
    (found,) = errors_of(tmp_path / "a.tune")
    assert (found.code, found.at.line, found.at.column) == ("E0601", 2, 9)
    assert "none.tune" in found.message


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    (tmp_path / "site.tune").mkdir()
    write(tmp_path, {"a.tune": 'include "site.tune";'})
    (found,) = errors_of(tmp_path / "a.tune")
    assert found.code == "E0601"


def test_the_error_for_a_missing_policy_has_no_place(tmp_path: Path) -> None:
    (found,) = errors_of(tmp_path / "none.tune")
    assert (found.code, found.at.line) == ("E0601", 0)


def test_a_circle_shows_the_way_round(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"a.tune": 'include "b.tune";', "b.tune": 'include "c.tune";', "c.tune": 'include "a.tune";'},
    )
    (found,) = errors_of(tmp_path / "a.tune")
    assert (found.code, Path(found.at.file).name) == ("E0602", "c.tune")
    assert [Path(label.span.file).name for label in found.others] == ["a.tune", "b.tune"]


def test_a_file_that_includes_itself(tmp_path: Path) -> None:
    write(tmp_path, {"a.tune": 'include "a.tune";'})
    (found,) = errors_of(tmp_path / "a.tune")
    assert found.code == "E0602"


@pytest.mark.parametrize(
    "path", ["../other.tune", "/etc/hostname", "/proc/self/environ", "site/../../other.tune"]
)
def test_a_path_that_leads_outside(tmp_path: Path, path: str) -> None:
    write(
        tmp_path, {"site/a.tune": f'include "{path}";', "other.tune": "goal latency;", "site/site/x.tune": ""}
    )
    (found,) = errors_of(tmp_path / "site" / "a.tune")
    assert (found.code, found.at.line) == ("E0603", 1)
    assert "--root" in found.help[0]


def test_a_link_that_leads_outside(tmp_path: Path) -> None:
    write(tmp_path, {"other.tune": "goal latency;", "site/a.tune": 'include "link.tune";'})
    (tmp_path / "site" / "link.tune").symlink_to(tmp_path / "other.tune")
    (found,) = errors_of(tmp_path / "site" / "a.tune")
    assert found.code == "E0603"


def test_a_wider_root_lets_it_in(tmp_path: Path) -> None:
    write(tmp_path, {"other.tune": "goal latency;", "site/a.tune": 'include "../other.tune";'})
    assert stated(program_of_file(str(tmp_path / "site" / "a.tune"), str(tmp_path))) == ["goal"]


def test_a_text_includes_from_the_root(tmp_path: Path) -> None:
    write(tmp_path, {"b.tune": "goal latency;"})
    assert stated(program_of_text('include "b.tune";', str(tmp_path))) == ["goal"]


def test_a_file_that_is_not_utf_8_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "b.tune").write_bytes(b'set turbo off because "l\xe4stig";')
    write(tmp_path, {"a.tune": 'include "b.tune";'})
    assert [d.code for d in errors_of(tmp_path / "a.tune")] == ["E0604"]
    assert [d.code for d in errors_of(tmp_path / "b.tune")] == ["E0604"]


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.tune").write_bytes(b"\xef\xbb\xbfgoal latency;\r\ncpu x5670;\r\n")
    assert stated(program_of_file(str(tmp_path / "a.tune"))) == ["goal", "cpu"]


def test_a_path_that_no_system_has(tmp_path: Path) -> None:
    write(tmp_path, {"a.tune": f'include "{"x" * 5000}.tune";'})
    (found,) = errors_of(tmp_path / "a.tune")
    assert found.code == "E0601"


@pytest.mark.parametrize("policy", ["a.tune", "pipe.tune"])
def test_a_pipe_is_refused_since_nobody_may_ever_write_to_it(tmp_path: Path, policy: str) -> None:
    os.mkfifo(tmp_path / "pipe.tune")
    write(tmp_path, {"a.tune": 'include "pipe.tune";'})
    (found,) = errors_of(tmp_path / policy)
    assert found.code == "E0601"
    assert found.message.endswith("not a regular file")


def test_a_device_is_refused_since_it_may_never_end() -> None:
    (found,) = errors_of(Path("/dev/zero"))
    assert (found.code, found.message) == ("E0601", "cannot read `/dev/zero`: not a regular file")


def chain(folder: Path, length: int) -> Path:
    """A file that includes another, and so on, until there are so many includes; the last file states a goal."""
    links = {f"f{i}.tune": f'include "f{i + 1}.tune";' for i in range(length)}
    write(folder, {**links, f"f{length}.tune": "goal latency;"})
    return folder / "f0.tune"


def test_includes_may_be_deep(tmp_path: Path) -> None:
    assert stated(program_of_file(str(chain(tmp_path, MOST_LEVELS)))) == ["goal"]


def test_includes_without_end_are_an_error_as_any_other(tmp_path: Path) -> None:
    (found,) = errors_of(chain(tmp_path, 1_500))
    assert (found.code, Path(found.at.file).name) == ("E0602", f"f{MOST_LEVELS}.tune")
    assert "more than 100 files deep" in found.message
