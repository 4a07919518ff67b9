"""A side at a git revision: its files are extracted into a temporary folder and read there.

All policy files of the revision are extracted, not only those below the compared path, since they may include one
another. Plans and manifests are extracted as well, so that bundles can be compared. Git is asked for objects only
(`git.py`), so that attributes, filters and hooks of the repository have no effect.
"""

import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from types import TracebackType

from setpoint.compiler.comparison.git import RENAMES, GitAnswer, git, refused
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SUFFIX
from setpoint.compiler.knowledge.words import suggestion
from setpoint.compiler.lowering.bundle import MANIFEST
from setpoint.compiler.record import NamedTuple

READ_SUFFIXES = (SUFFIX, "plan.json", "fleet.json", MANIFEST)
"""The endings of the files that a comparison reads."""

FILES, LINKS = ("100644", "100755"), "120000"
"""The modes of git's tree entries that are read; folders are walked, modules left alone."""

HEAD = re.compile(rb"[0-9a-f]+ blob [0-9]{1,18}")
"""The header that git prints before the content of an existing file."""

LONGEST_HEAD = 200
"""How many bytes such a header has at most."""


class ReadablePath(NamedTuple):
    """Where a name on the command line can be read.

    `root` is the folder that includes must stay inside, "" if none is given; `called` is the path as the reader knows
    it.
    """

    path: str
    root: str
    called: str


class FilesOfCommits:
    """Folders with the files of commits, each made once, until the context ends.

    Files other than policies are there if their paths are among `also`, or below one of them.
    """

    def __init__(self, also: tuple[str, ...] = ()) -> None:
        self._also = also
        self._folders: dict[tuple[str, str], str] = {}
        self._made = ExitStack()

    def __enter__(self) -> "FilesOfCommits":
        return self

    def of(self, repository: "Repository", commit: str) -> str:
        """The folder of a commit. Raises SetpointError (E0607)."""
        key = repository.top, commit
        if key not in self._folders:
            also = tuple(os.path.relpath(os.path.realpath(path), repository.top) for path in self._also)
            self._folders[key] = self._made.enter_context(repository.files_at(commit, also))
        return self._folders[key]

    def path(self, repository: "Repository", revision: str, path: str, root: str = "") -> ReadablePath | None:
        """A path as it is called here, at a revision; None if it did not exist. Raises SetpointError (E0607)."""
        inside = os.path.realpath(path)
        if not repository.has(path):
            return None
        folder = self.of(repository, repository.commit(revision))
        place, root_there = (
            os.path.normpath(os.path.join(folder, os.path.relpath(path, repository.top)))
            for path in (inside, os.path.realpath(root))
        )
        if not os.path.lexists(place):
            return None
        return ReadablePath(place, root_there if root else "", os.path.relpath(inside))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._made.close()


@contextmanager
def at(word: str, root: str = "", files: FilesOfCommits | None = None) -> Iterator[ReadablePath]:
    """A path; or `REV:PATH` as in git: from the top of the repository, or from here if it begins with `./` or `../`.

    A word that exists as a file is that file. Raises SetpointError (E0607).
    """
    revision, colon, path = word.partition(":")
    if not colon or os.path.lexists(word):
        yield ReadablePath(word, root, word)
        return
    repository = Repository(".")
    from_here = path.split("/")[0] in (".", "..")
    named = path if from_here else os.path.join(repository.top, path)
    with _files(files) as folders:
        there = folders.path(repository, revision, named, root)
        if there is None:
            outside = "" if repository.has(named) else ": it lies outside of the repository"
            raise missing_path(path or ".", f"at `{revision or 'HEAD'}`{outside}")
        yield there


def _files(given: FilesOfCommits | None) -> AbstractContextManager[FilesOfCommits]:
    """The files that are given, which somebody else ends; else others."""
    return nullcontext(given) if given else FilesOfCommits()


class PathAtCommit(NamedTuple):
    """A path at a commit, or in the folder as it is, for the commit "".

    `later` is the commit that the path is named as of, `word` the reader's name for the commit.
    """

    repository: "Repository"
    commit: str
    later: str
    path: str
    word: str


def between(words: str, path: str) -> tuple[PathAtCommit, PathAtCommit]:
    """Both sides of `A..B` or `A...B`, whose end is the folder if it is empty. Raises SetpointError (E0607)."""
    first, dots, second = words.partition("...") if "..." in words else words.partition("..")
    repository = Repository(path)
    if repository.path.split("/")[0] == "..":
        raise missing_path(path, f"at `{first or 'HEAD'}`: it lies outside of the repository")
    old = repository.commit(first)
    new = repository.commit(second) if second else ""
    if dots == "...":
        old = repository.merge_base(old, new or repository.commit("HEAD"))
    return (
        PathAtCommit(repository, old, new, path, first or "HEAD"),
        PathAtCommit(repository, new, new, path, second),
    )


@contextmanager
def opened(
    placed: PathAtCommit, root: str = "", files: FilesOfCommits | None = None
) -> Iterator[ReadablePath | None]:
    """A path at a commit, named as at the later commit; None if it did not exist."""
    repository, commit, later, called, _ = placed
    if not commit:
        yield ReadablePath(called, root, called) if os.path.lexists(called) else None
        return
    path = repository.path if commit == later else repository.former_path(commit, later)
    with _files(files) as folders:
        folder = folders.of(repository, commit)
        place = os.path.normpath(os.path.join(folder, path))
        inside = os.path.normpath(os.path.join(folder, Repository(root).path)) if root else ""
        yield ReadablePath(place, inside, called) if os.path.lexists(place) else None


class Repository:
    """The repository that contains a path. Raises SetpointError (E0607) if there is none, or no git."""

    def __init__(self, path: str) -> None:
        place = os.path.abspath(path)
        while not os.path.isdir(place):
            place = os.path.dirname(place)
        self.top = place
        done = self._run("rev-parse", "--show-toplevel")
        if done.status:
            raise refused(
                f"`{path}` is not in a git repository",
                done.err,
                "name a file, a folder or a bundle in place of a revision",
                path,
            )
        self.top = os.fsdecode(done.out).removesuffix("\n")
        self.path = os.path.relpath(os.path.realpath(path), self.top)

    def has(self, path: str) -> bool:
        """Whether a path lies in the folder of the repository."""
        return os.path.commonpath([os.path.realpath(path), self.top]) == self.top

    def commit(self, revision: str) -> str:
        """The commit that a name refers to. Raises SetpointError (E0607)."""
        name = revision or "HEAD"
        words = ("rev-parse", "--quiet", "--verify", f"{name}^{{commit}}")
        done = GitAnswer(1, b"", b"") if name.startswith("-") else self._run(*words)
        if done.status:
            names = os.fsdecode(self._run("for-each-ref", "--format=%(refname:short)").out).split()
            near = suggestion(name, names)
            raise refused(
                f"git knows no revision `{name}` here",
                done.err,
                f"did you mean `{near}`?"
                if near
                else "a shallow clone lacks history: fetch the revision first",
                name,
            )
        return done.out.decode().strip()

    def merge_base(self, first: str, second: str) -> str:
        """The merge base of two commits. Raises SetpointError (E0607)."""
        done = self._run("merge-base", first, second)
        if done.status:
            raise refused(
                f"git finds no commit that `{first}` and `{second}` share",
                done.err,
                "a shallow clone lacks history: fetch more of it, or compare `OLD..NEW` with two dots",
            )
        return done.out.decode().strip()

    def former_path(self, old: str, new: str) -> str:
        """The path at the commit `old`, if it was renamed since; else unchanged.

        `new` is a commit, or "" for the files in the folder: of these the names are asked that git's index has.
        """
        if self.path == "." or self._run("cat-file", "-e", f"{old}:{self.path}").status == 0:
            return self.path
        sides = ("diff-tree", "-r", old, new) if new else ("diff-index", "--cached", old)
        done = self._run(*sides, *RENAMES)
        words = done.out.decode(errors="surrogateescape").split("\0")
        for was, is_ in zip(words[1::3], words[2::3], strict=False):
            rest = is_.removeprefix(self.path)
            if rest != is_ and was.endswith(rest) and (not rest or rest.startswith("/")):
                return was.removesuffix(rest) or "."
        return self.path

    @contextmanager
    def files_at(self, commit: str, also: tuple[str, ...] = ()) -> Iterator[str]:
        """A folder with the files of a commit that a comparison may read, and those at or below the paths `also`.

        Raises SetpointError (E0607).
        """
        with tempfile.TemporaryDirectory() as scratch:
            folder = os.path.realpath(scratch)
            contents = self._contents(commit, self._entries(commit, also))
            try:
                _write({os.path.join(folder, name): file for name, file in contents.items()}, folder)
            except OSError as error:
                complaint = (error.strerror or "").encode()
                raise refused(
                    f"a folder cannot have the files of `{commit}`",
                    complaint,
                    "rename the files that no system accepts",
                ) from None
            yield folder

    def _entries(self, commit: str, also: tuple[str, ...]) -> dict[str, tuple[str, bytes]]:
        """The mode and the object of each file of a commit that a comparison may read, by path."""
        below = tuple(f"{path}/" for path in also)
        listed = self._run("ls-tree", "-r", "-z", "--full-tree", commit)
        if listed.status:
            raise _incomplete(commit, listed.err)
        entries = {}
        for line in filter(None, listed.out.split(b"\0")):
            head, _, path = line.partition(b"\t")
            name, (mode, _, object_name) = os.fsdecode(path), head.split()
            is_inside = not {"", ".", ".."} & set(name.split("/"))
            is_read = name.endswith(READ_SUFFIXES) or name in also or name.startswith(below)
            if is_inside and is_read and mode.decode() in (*FILES, LINKS):
                entries[name] = mode.decode(), object_name
        return entries

    def _contents(
        self, commit: str, entries: Mapping[str, tuple[str, bytes]]
    ) -> dict[str, tuple[str, bytes]]:
        """The mode and the content of each of these files."""
        wanted = b"".join(object_name + b"\n" for _, object_name in entries.values())
        answer = self._run("cat-file", "--batch", text=wanted)
        contents, at = {}, 0
        for name, (mode, _) in entries.items():
            head = answer.out[at : at + LONGEST_HEAD].partition(b"\n")[0]
            start = at + len(head) + 1
            at = start + int(head.split()[-1]) + 1 if HEAD.fullmatch(head) else len(answer.out) + 1
            if at > len(answer.out):
                raise _incomplete(commit, answer.err or head)
            contents[name] = mode, answer.out[start : at - 1]
        return contents

    def _run(self, *command: str, text: bytes = b"") -> GitAnswer:
        return git(self.top, *command, text=text)


def _write(files: Mapping[str, tuple[str, bytes]], folder: str) -> None:
    """Write the files of a tree, and the links of it that stay inside. Raises OSError.

    One link can lead through another: all are made when every folder is there, and each is judged when all are made.
    """
    for path, (mode, content) in files.items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if mode in FILES:
            with open(path, "wb") as file:
                file.write(content)
    links = [path for path, (mode, _) in files.items() if mode == LINKS]
    for path in links:
        with suppress(OSError, ValueError):  # of a link that the system refuses, nothing is read
            os.symlink(os.fsdecode(files[path][1]), path)
    for path in filter(os.path.islink, links):
        if os.path.commonpath([os.path.realpath(path), folder]) != folder:
            os.unlink(path)


def _incomplete(commit: str, complaint: bytes) -> SetpointError:
    """The error (E0607) for a repository without all objects of a commit."""
    return refused(
        f"git does not have the files of `{commit}`",
        complaint,
        "a partial clone lacks them: fetch the revision with its files first",
    )


def missing_path(path: str, where: str) -> SetpointError:
    """The error (E0607) for a path that a revision does not have."""
    return SetpointError.of(
        "E0607",
        f"git has no policy files in `{path}` {where}",
        help=("check the path",),
        subject=path,
    )
