"""A repository that would run programs: each key of git's configuration, attribute and hook that can name one does.

Every program is a canary: it leaves a file with its name, and fails. The keys are those of git-config(1),
gitattributes(5) and githooks(5) of git 2.54, so also such as the installed git may not have yet.
"""

from pathlib import Path

VERBS = (
    "add", "blame", "branch", "cat-file", "check-attr", "checkout", "config", "diff", "diff-files", "diff-index", "diff-tree", "fetch",
    "for-each-ref", "hash-object", "log", "ls-files", "ls-tree", "merge-base", "rev-list", "rev-parse", "show", "stash", "status", "tag",
)  # fmt: skip
"""Commands that a repository may give a pager, or try to replace by an alias."""

HOOKS = (
    "applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-applypatch", "post-checkout", "post-commit", "post-index-change",
    "post-merge", "post-receive", "post-rewrite", "post-update", "pre-applypatch", "pre-auto-gc", "pre-commit", "pre-merge-commit",
    "pre-push", "pre-rebase", "pre-receive", "prepare-commit-msg", "proc-receive", "push-to-checkout", "query-watchman",
    "reference-transaction", "sendemail-validate", "update",
)  # fmt: skip

PROGRAMS = (
    "core.alternateRefsCommand", "core.askPass", "core.editor", "core.fsmonitor", "core.gitProxy", "core.pager", "core.sshCommand",
    "credential.helper", "diff.canary.command", "diff.canary.textconv", "diff.external", "difftool.canary.cmd", "filter.canary.clean",
    "filter.canary.smudge", "filter.running.process", "gpg.program", "gpg.openpgp.program", "gpg.ssh.defaultKeyCommand", "gpg.ssh.program",
    "gpg.x509.program", "guitool.canary.cmd", "interactive.diffFilter", "man.canary.cmd", "merge.canary.driver", "mergetool.canary.cmd",
    "receive.procReceiveRefs", "remote.origin.receivepack", "remote.origin.uploadpack",
    "sendemail.sendmailCmd", "sequence.editor",
    "tar.canary.command", "trailer.canary.cmd", "trailer.canary.command", "uploadpack.packObjectsHook", "browser.canary.cmd",
    *(f"pager.{verb}" for verb in VERBS),
    *(f"hook.{name}.command" for name in HOOKS),
)  # fmt: skip
"""The keys whose value is a command."""

SHELL_PROGRAMS = ("submodule.canary.update", *(f"alias.{verb}" for verb in VERBS))
"""The keys whose value is a command after an exclamation mark."""

ATTRIBUTES = "* filter=running diff=canary merge=canary\n*.tune filter=canary\n"


class Canaries:
    """Programs that say which of them were run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sung = folder / "sung"
        self.sung.mkdir(parents=True)

    def program(self, name: str) -> str:
        """The path of a program that leaves a file of this name."""
        made = self.folder / name
        made.write_text(f"#!/bin/sh\n: >'{self.sung}/{name}'\nexit 1\n", encoding="utf-8")
        made.chmod(0o755)
        return str(made)

    @property
    def touched(self) -> set[str]:
        """The programs that were run since the last time that somebody asked."""
        found = {path.name for path in self.sung.iterdir()}
        for path in self.sung.iterdir():
            path.unlink()
        return found


def plant(folder: Path, canaries: Canaries, *, remote: str = "") -> None:
    """Give a repository every key, attribute and hook that runs a program.

    With the address of a remote it keeps what reaches that: what logs in there is the clone's own.
    """
    git = folder / ".git"
    pairs = [(key, canaries.program(key)) for key in PROGRAMS]
    pairs += [(key, f"!{canaries.program(key)}") for key in SHELL_PROGRAMS]
    pairs += [(f"hook.{name}.event", name) for name in HOOKS]
    pairs += [
        ("core.fsmonitorHookVersion", "2"),
        ("protocol.ext.allow", "always"),
        ("remote.origin.url", remote or f"ext::{canaries.program('ext')}"),
        ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.partialclonefilter", "blob:none"),
        ("extensions.partialClone", "origin"),
        ("log.showSignature", "true"),
        ("diff.canary.cachetextconv", "false"),
        ("merge.canary.name", "canary"),
        ("trailer.ifexists", "addIfDifferent"),
    ]
    included = canaries.folder / "included.gitconfig"
    text = "".join(_line(key, value) for key, value in pairs)
    included.write_text(text, encoding="utf-8")
    with (git / "config").open("a", encoding="utf-8") as config:
        config.write(text + _line("include.path", str(included)) + "[core]\n\trepositoryformatversion = 1\n")
    for name in HOOKS:
        hook = git / "hooks" / name
        hook.unlink(missing_ok=True)
        hook.parent.mkdir(exist_ok=True)
        hook.symlink_to(canaries.program(f"hooks {name}"))
    (git / "info").mkdir(exist_ok=True)
    (git / "info/attributes").write_text(ATTRIBUTES, encoding="utf-8")
    (canaries.folder / "alternate").mkdir()
    (git / "objects/info/alternates").write_text(f"{canaries.folder}/alternate\n", encoding="utf-8")


def _line(key: str, value: str) -> str:
    section, _, name = key.rpartition(".")
    section, _, subsection = section.partition(".")
    head = f'[{section} "{subsection}"]' if subsection else f"[{section}]"
    return f'{head}\n\t{name} = "{value}"\n'
