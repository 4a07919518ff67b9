"""What an editor shows above policies, groups and hosts: the values and hazards that differ from the last commit."""

import subprocess
from pathlib import Path

import pytest
from lsprotocol import types
from review.hostile import Canaries, plant

from support.editor import Editor

POLICY = """policy web {{
    cpu westmere;
    for group front {{ goal latency; }}
    for group store {{ goal {goal}; }}
}}
"""
ALONE = "goal latency; cpu westmere;\n"
TURBO = 'set turbo off because "PERF-212"'


class Repository:
    """A git repository whose files an editor has open."""

    def __init__(self, folder: Path, editor: Editor) -> None:
        self.folder, self.editor = folder, editor
        self.git("init", "-q")

    def commit(self, text: str, name: str = "web.tune") -> None:
        """Save a file and commit it."""
        (self.folder / name).write_text(text, encoding="utf-8")
        self.git("add", ".")
        self.git("commit", "-qm", "a change")

    def write(self, text: str, name: str = "web.tune") -> dict[int, str]:
        """Write a file in the editor; the titles above its lines."""
        self.editor.writes(text, str(self.folder / name))
        return {each.range.start.line + 1: each.command.title for each in self.lenses(name) if each.command}

    def lenses(self, name: str = "web.tune") -> list[types.CodeLens]:
        """The lenses of an open file, with their titles."""
        ask = self.editor.requests
        document = types.TextDocumentIdentifier(self.editor.uri(str(self.folder / name)))
        found = self.editor.answer(ask.text_document_code_lens_async(types.CodeLensParams(document)))
        return [self.editor.answer(ask.code_lens_resolve_async(each)) for each in found or ()]

    def git(self, *words: str) -> None:
        """Run a command of git."""
        who = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *words], cwd=self.folder, check=True)


@pytest.fixture
def repository(tmp_path: Path, editor: Editor) -> Repository:
    """A repository with a commit of `web.tune`."""
    made = Repository(tmp_path, editor)
    made.commit(POLICY.format(goal="latency"))
    return made


def test_each_block_has_what_it_changes(repository: Repository) -> None:
    same = repository.write(POLICY.format(goal="latency"))
    assert same == dict.fromkeys((1, 3, 4), "no value changed since the last commit")
    assert repository.write("# moved\n" + POLICY.format(goal=f"latency; {TURBO}")) == {
        2: "1 value changed since the last commit: turbo on -> off",
        4: "no value changed since the last commit",
        5: "1 value changed since the last commit: turbo on -> off",
    }


def test_hazards_that_come_or_go_are_named(repository: Repository) -> None:
    front = 3
    risk = 'set c-states on because "cooling"'
    taken = f'{risk}; accept c-states-vs-latency because "measured" until 2099-01-01'
    assert repository.write(POLICY.format(goal=f"latency; {risk}"))[front + 1] == (
        "3 values changed since the last commit: c-states off -> on, acpi-idle-limit c1 -> none, intel-idle off -> on; "
        "hazard c-states-vs-latency appears and stops the build; hazard c-state-idle-power no longer occurs"
    )
    repository.commit(POLICY.format(goal=f"latency; {risk}"))
    assert repository.write(POLICY.format(goal=f"latency; {taken}"))[front + 1] == (
        "no value changed since the last commit; hazard c-states-vs-latency is waived until 2099-01-01"
    )


def test_what_the_commit_does_not_have_is_new(repository: Repository) -> None:
    text = POLICY.format(goal="latency") + "policy db { goal throughput; cpu westmere; }\n"
    assert repository.write(text)[6] == "new since the last commit"
    assert repository.write(ALONE, "other.tune") == {1: "new since the last commit"}


def test_what_has_no_plan_is_not_compared(repository: Repository) -> None:
    """An error says nothing of values: neither now, nor in the commit."""
    front, store = 3, 4
    shown = repository.write(POLICY.format(goal='latency; set turbo maybe because "a slip"'))
    assert shown[front] == "no value changed since the last commit"
    assert shown[store] == "not compared with the last commit: it has no plan while it is in error"

    repository.commit(POLICY.format(goal="speed"))
    shown = repository.write(POLICY.format(goal="latency"))
    assert shown[front] == "no value changed since the last commit"
    assert shown[store] == "not compared with the last commit: it has no plan there"


@pytest.mark.parametrize("damage", ["policy web {", ""])
def test_a_commit_that_cannot_be_read_is_not_compared(repository: Repository, damage: str) -> None:
    """Its text is none of the language, or git does not have its objects any more."""
    if damage:
        repository.commit(damage)
    else:
        for path in (repository.folder / ".git/objects").glob("??/*"):
            if (
                subprocess.run(
                    ["git", "cat-file", "-t", path.parent.name + path.name],
                    cwd=repository.folder,
                    capture_output=True,
                    check=True,
                ).stdout
                == b"blob\n"
            ):
                path.unlink()
    shown = repository.write(POLICY.format(goal="latency"))
    assert set(shown.values()) == {"not compared with the last commit, which cannot be read"}


def test_a_policy_without_a_block_has_its_changes_above_its_first_statement(repository: Repository) -> None:
    repository.commit(ALONE, "hpc.tune")
    assert repository.write(f"# about\n{ALONE}", "hpc.tune") == {2: "no value changed since the last commit"}
    (text,) = repository.write(ALONE.replace("latency", "efficiency"), "hpc.tune").values()
    assert ", …; hazard c-state-idle-power no longer occurs" in text


def test_a_commit_made_meanwhile_is_the_last_one(repository: Repository) -> None:
    changed = POLICY.format(goal=f"latency; {TURBO}")
    assert repository.write(changed)[4].startswith("1 value changed")
    repository.commit(changed)
    assert repository.write(changed)[4] == "no value changed since the last commit"


def test_the_command_shows_every_change(repository: Repository) -> None:
    shown: list[types.ShowMessageParams] = []
    ask = repository.editor.requests

    def keep(params: types.ShowMessageParams) -> None:
        shown.append(params)

    ask.feature(types.WINDOW_SHOW_MESSAGE)(keep)
    repository.write(POLICY.format(goal="efficiency"))
    (command,) = (each.command for each in repository.lenses() if each.range.start.line == 3)
    assert command is not None
    asked = types.ExecuteCommandParams(command.command, command.arguments)
    repository.editor.answer(ask.workspace_execute_command_async(asked))
    lines = shown[0].message.splitlines()
    assert "c-states off -> on" in lines
    hazards = [line for line in lines if line.startswith("hazard ")]
    assert f"{len(lines) - len(hazards)} values changed" in command.title


@pytest.mark.parametrize("text", [ALONE, "goal", "policy a extends a { }"])
def test_outside_of_a_repository_nothing_is_shown(tmp_path: Path, editor: Editor, text: str) -> None:
    name = str(tmp_path / "alone.tune")
    editor.writes(text, name)
    document = types.TextDocumentIdentifier(editor.uri(name))
    asked = editor.requests.text_document_code_lens_async(types.CodeLensParams(document))
    assert not editor.answer(asked)


def test_what_cannot_be_read_has_no_changes(repository: Repository) -> None:
    assert repository.write("policy web {") == {}


def test_a_text_that_was_never_saved_has_no_changes(editor: Editor) -> None:
    """Editors give it an address without a file: it is in no repository, wherever the server was started."""
    ask = editor.requests
    item = types.TextDocumentItem("untitled:Untitled-1", "tune", 1, ALONE)
    ask.text_document_did_open(types.DidOpenTextDocumentParams(item))
    asked = types.CodeLensParams(types.TextDocumentIdentifier(item.uri))
    assert not editor.answer(ask.text_document_code_lens_async(asked))


def test_what_the_repository_names_is_not_run(repository: Repository, tmp_path: Path) -> None:
    """The last commit has the file under another name, and git would ask filters and monitors about it."""
    (tmp_path / "web.tune").rename(tmp_path / "moved.tune")
    repository.git("add", "-A")
    canaries = Canaries(tmp_path / "canaries")
    plant(tmp_path, canaries)
    titles = repository.write(POLICY.format(goal=f"latency; {TURBO}"), "moved.tune")
    assert canaries.touched == set()
    assert titles[4] == "1 value changed since the last commit: turbo on -> off"
