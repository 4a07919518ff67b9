"""What became of the pins of sources: is the commit on the branch that the repository publishes, and has a file changed
since.

The history of a repository is cloned without the contents of its files into a temporary folder: commits and folders are
enough to compare two states of a file, since git names contents by their hash. Only the published branch is cloned,
that to which the HEAD of the repository points. So a commit of a pull request that was never merged is not there, nor
does one hide behind the same first digits. Nothing is asked of the network after the clone.

A knowledge base may be somebody else's, and a repository always is. The forms of pins leave no option and no other
protocol (`setpoint.compiler.knowledge.pins`), and git is told so again: it speaks https alone (unless the user's own
configuration says otherwise, as for a mirror), asks for no password and sends none, runs no hook, and checks out
nothing. What a repository answers is a hash, a date or a path, and nothing else is taken for one. A repository that
cannot be read is a finding, and the others are read all the same.
"""

import os
import tempfile
from collections.abc import Iterator

from setpoint.compiler.comparison.git import ENVIRONMENT, OFF, GitAnswer, GitUse, git
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.model import Knowledge, Pin, Source
from setpoint.compiler.knowledge.results import PinnedCommit, PinnedFile, PinnedRepository

CLONE_SECONDS = 1800
"""How long the history of one repository may take."""

OF_A_REPOSITORY = frozenset(
    [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_NAMESPACE",
        "GIT_COMMON_DIR",
        "GIT_SHALLOW_FILE",
        "GIT_ALLOW_PROTOCOL",
    ]
)
"""Variables that mean another repository, as in a hook, or other protocols."""

CLONING = GitUse(
    options=(
        *OFF,
        *("-c", "protocol.allow=never", "-c", "protocol.https.allow=always"),
        *("-c", "credential.helper="),
        *("-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60"),
        *("-c", "gc.auto=0", "-c", "maintenance.auto=false"),
    ),
    environment=(("GIT_ASKPASS", ""), ("GIT_TERMINAL_PROMPT", "0"), ("LC_ALL", "C")),
    without=OF_A_REPOSITORY,
    seconds=CLONE_SECONDS,
    instead="clone it yourself, and compare the files with `git log`",
)

CLONE = (
    *("clone", "--quiet", "--bare", "--filter=blob:none", "--single-branch", "--no-tags", "--template="),
    "--",
)
"""Commits and folders of the published branch; neither contents of files, nor tags, nor what the user's template would
add."""

BARE = "repository.git"


def followed(knowledge: Knowledge, names: frozenset[str]) -> Iterator[PinnedRepository]:
    """What became of the pins of these sources, or of all if none is named, one repository after another by address.

    Raises SetpointError (E0607) if there is no git.
    """
    git(os.curdir, "version", use=CLONING)
    pinned: dict[str, list[tuple[Source, Pin]]] = {}
    for _, source in sorted(knowledge.sources.items()):
        for pin in source.pins if source.name in names or not names else ():
            pinned.setdefault(pin.repository, []).append((source, pin))
    for address, pins in sorted(pinned.items()):
        yield _repository(address, pins)


def _repository(address: str, pins: list[tuple[Source, Pin]]) -> PinnedRepository:
    with tempfile.TemporaryDirectory(prefix="setpoint-", ignore_cleanup_errors=True) as folder:
        try:
            clone = PublishedBranch(address, folder)
            return PinnedRepository(address, tuple(_followed(clone, source, pin) for source, pin in pins))
        except UnreadError as unread:
            lost = tuple(PinnedCommit(source.name, pin, "unread", span=source.span) for source, pin in pins)
            return PinnedRepository(address, lost, unread.diagnostics[0])


def _followed(clone: "PublishedBranch", source: Source, pin: Pin) -> PinnedCommit:
    commits = clone.commits(pin.commit)
    if len(commits) != 1:
        state = "ambiguous" if commits else "unpublished"
        return PinnedCommit(source.name, pin, state, span=source.span)
    (commit,) = commits
    files = tuple(clone.file(commit, path) for path in pin.files)
    return PinnedCommit(source.name, pin, "published", clone.date(commit), files, span=source.span)


class UnreadError(SetpointError):
    """A repository that cannot be read (E0617)."""


class PublishedBranch:
    """The history of the branch that a repository publishes. Raises UnreadError if it cannot be read."""

    def __init__(self, address: str, folder: str) -> None:
        self._address = address
        self._folder = folder
        # Git would take the contents of files from the network where it wants some: without protocols, it cannot.
        asking = (
            *ENVIRONMENT.items(),
            ("GIT_DIR", os.path.join(folder, BARE)),
            ("GIT_LITERAL_PATHSPECS", "1"),
        )
        self._use = CLONING._replace(options=OFF, environment=asking)
        cloned = self._run(CLONING, *CLONE, address, BARE)
        if cloned.status:
            raise self._unread(cloned.err)
        self._head = self._line("rev-parse", "--verify", "--quiet", "HEAD^{commit}")

    def commits(self, begins: str) -> list[str]:
        """The commits of the branch that begin with these digits."""
        if not self._head:
            return []
        objects = self._run(self._use, "rev-parse", f"--disambiguate={begins}").out
        kinds = self._run(self._use, "cat-file", "--batch-check", text=objects).out
        pairs = [line.split() for line in kinds.decode().splitlines()]
        commits = [pair[0] for pair in pairs if pair[1:2] == ["commit"]]
        return [commit for commit in commits if self._is_published(commit)]

    def _is_published(self, commit: str) -> bool:
        return not self._run(self._use, "merge-base", "--is-ancestor", commit, self._head).status

    def date(self, commit: str) -> str:
        """The day of a commit, in ISO form and in the time of whoever made it."""
        return self._newest("%cs", commit, "--")

    def file(self, commit: str, path: str) -> PinnedFile:
        """What became of a file since a commit."""
        then, now = self._content(commit, path), self._content(self._head, path)
        if not then:
            return PinnedFile(path, "absent")
        if then == now:
            return PinnedFile(path, "same")
        change = self._newest("%H %h %cs", f"{commit}..{self._head}", "--", path)
        changed, short, date = change.split() if change else ("", "", "")
        if now:
            return PinnedFile(path, "changed", short, date)
        return PinnedFile(path, "gone", short, date, self._moved(changed, path) if changed else "")

    def _content(self, commit: str, path: str) -> str:
        """The hash of a file's or folder's content in a commit; "" if the commit has no such path."""
        return self._line("rev-parse", "--verify", "--quiet", f"{commit}:{path}")

    def _moved(self, commit: str, path: str) -> str:
        """Where a commit has moved a file to without a change of its content; "" if it has not."""
        command = (
            "diff-tree -r -z --no-commit-id --name-status --diff-filter=R -M100% --no-ext-diff --no-textconv"
        )
        words = os.fsdecode(self._run(self._use, *command.split(), commit).out).split("\0")
        moves = dict(zip(words[1::3], words[2::3], strict=False))
        return moves.get(path, "")

    def _newest(self, form: str, *which: str) -> str:
        """The newest commit in a form: `git log` would want the contents of .mailmap, and may check signatures."""
        return self._line("rev-list", "--max-count=1", f"--format={form}", *which).partition("\n")[2]

    def _line(self, *command: str) -> str:
        """What a command prints, without the end of its last line; "" if it fails."""
        answer = self._run(self._use, *command)
        return "" if answer.status else answer.out.decode(errors="replace").strip()

    def _run(self, use: GitUse, *command: str, text: bytes = b"") -> GitAnswer:
        try:
            return git(self._folder, *command, text=text, use=use)
        except SetpointError as error:
            raise self._unread(error.diagnostics[0].message.encode()) from None

    def _unread(self, complaint: bytes) -> UnreadError:
        reason = complaint.decode(errors="replace").strip().splitlines()
        notes = tuple(f"git: {line}" for line in reason[-1:])
        message = f"the repository `{self._address}` cannot be read"
        how = ("see whether it has moved; its pins were not looked up",)
        return UnreadError(Diagnostic("E0617", message, NOWHERE, notes=notes, help=how))
