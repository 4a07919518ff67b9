"""Reads git repositories that want to run programs: random configurations, attributes, hooks and modules, damaged and
incomplete objects.

Every program that a repository names is a canary (`review/hostile.py`), which leaves a file if it is run. None ever is.
"""

import shutil
import tempfile
from functools import cache
from pathlib import Path
from random import Random

from review.hostile import ATTRIBUTES, HOOKS, PROGRAMS, SHELL_PROGRAMS, Canaries
from review.repository import ENVIRONMENT, Repository

from fuzz import corpus, spoil
from fuzz.property import DefectError, command

SITE = 'source lab { title "x"; publisher "x"; }\n'
CHANGED = corpus.SMALL.replace("latency", "efficiency")
SIGNED = "tree {tree}\nparent {parent}\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\ngpgsig -----BEGIN {kind} SIGNATURE-----\n \n -----END {kind} SIGNATURE-----\n\nsigned\n"

OTHERS = (
    ("core.fsmonitorHookVersion", "2"), ("core.untrackedCache", "true"), ("core.worktree", "../other"), ("core.bare", "true"),
    ("core.attributesFile", "{folder}/attributes"), ("core.excludesFile", "{folder}/attributes"), ("core.sparseCheckout", "true"),
    ("core.autocrlf", "true"), ("core.commitGraph", "true"), ("core.multiPackIndex", "true"), ("core.splitIndex", "true"),
    ("extensions.worktreeConfig", "true"), ("extensions.partialClone", "origin"), ("extensions.objectFormat", "sha256"),
    ("remote.origin.promisor", "true"), ("remote.origin.partialclonefilter", "blob:none"), ("remote.origin.url", "ext::{program}"),
    ("remote.origin.vcs", "canary"), ("remote.origin.proxy", "ext::{program}"), ("protocol.allow", "always"), ("protocol.ext.allow", "always"),
    ("log.showSignature", "true"), ("merge.renormalize", "true"), ("diff.ignoreSubmodules", "none"), ("diff.submodule", "diff"),
    ("status.submoduleSummary", "true"), ("submodule.recurse", "true"), ("submodule.module.active", "true"), ("submodule.module.url", "ext::{program}"),
    ("url.ext::{program}.insteadOf", "https://example.org/"), ("feature.manyFiles", "true"), ("gc.auto", "1"), ("maintenance.auto", "true"),
    ("trace2.eventTarget", "af_unix:{folder}/none"), ("safe.bareRepository", "all"), ("safe.directory", "*"), ("help.autocorrect", "immediate"),
    ("include.path", "{folder}/included"), ("includeIf.gitdir:**.path", "{folder}/included"), ("includeIf.onbranch:**.path", "{folder}/included"),
    ("includeIf.hasconfig:remote.*.url:**.path", "{folder}/included"), ("filter.canary.required", "true"), ("diff.canary.cachetextconv", "true"),
)  # fmt: skip
"""Further keys: those that lead to programs, or have git look at more than it needs. `{program}` is a canary,
`{folder}` where it is."""

COMMANDS = [
    "diff before..HEAD", "diff before...HEAD policies", "diff before.. policies", "diff HEAD.. moved.tune", "diff HEAD.. .",
    "diff before policies/web.tune", "diff before:former/web.tune policies/web.tune --format json", "diff signed..HEAD .",
    "diff HEAD:module/x.tune moved.tune", "diff nonsense moved.tune", "check --since before policies/web.tune moved.tune", "check . --since HEAD",
    "compile --since before:former/web.tune policies/web.tune -o out --target report", "kb diff before:former/lab.tune policies/lab.tune",
    "diff before..HEAD policies/web.tune --inventory hosts.csv", "fmt --check .", "waivers .",
]  # fmt: skip

SOMETIMES = 0.3
"""How often a repository has each further kind of trouble."""


@cache
def _made() -> tuple[tempfile.TemporaryDirectory[str], Path]:
    """A repository with policies that were changed and moved, a signed commit and a module, and the folder that it lies
    in."""
    holder = tempfile.TemporaryDirectory()
    made = Repository(Path(holder.name) / "repository")
    made.commit({"former/web.tune": corpus.SMALL, "former/lab.tune": SITE, "alone.tune": corpus.SMALL})
    made.git("tag", "before")
    made.git("mv", "former", "policies")
    made.commit({"policies/web.tune": CHANGED, ".gitattributes": ATTRIBUTES})
    head, tree = made.git("rev-parse", "HEAD", "HEAD^{tree}").split()
    for kind in ("PGP", "SSH", "SIGNED MESSAGE"):
        text = SIGNED.format(tree=tree, parent=head, kind=kind)
        made.git(
            "tag", "--force", "signed", made.git("hash-object", "-t", "commit", "-w", "--stdin", text=text)
        )
    made.git("update-index", "--add", "--cacheinfo", f"160000,{head},module")
    made.git("mv", "alone.tune", "moved.tune")
    made.commit(
        {".gitmodules": '[submodule "module"]\n\tpath = module\n\turl = ./module\n\tupdate = !false\n'}
    )
    made.git("mv", "moved.tune", "again.tune")
    (made.folder / "moved.tune").write_text(CHANGED, encoding="utf-8")
    (made.folder / "hosts.csv").write_text("host,model\nc1,PowerEdge R710\n", encoding="utf-8")
    return holder, made.folder


def once(random: Random, folder: Path) -> None:
    """Make a repository hostile, and compare its revisions."""
    place = folder / "repository"
    shutil.copytree(_made()[1], place, symlinks=True)
    canaries = Canaries(folder.parent / "canaries")
    _plant(random, place / ".git", canaries)
    if random.random() < SOMETIMES:
        shutil.copytree(place / ".git", place / "module/.git", symlinks=True)
    if random.random() < SOMETIMES:
        (place / ".gitattributes").write_bytes(spoil.data(random, ATTRIBUTES.encode()))
    if random.random() < SOMETIMES:
        _damage(random, place / ".git")
    for words in random.sample(COMMANDS, 3):
        ran = command(*words.split(), folder=place, **ENVIRONMENT)
        if sung := canaries.touched:
            raise DefectError(f"{words!r} ran {sorted(sung)}: {ran}")


def _plant(random: Random, git: Path, canaries: Canaries) -> None:
    """Give a repository some of the keys, attributes and hooks that run programs."""
    included, attributes = canaries.folder / "included", canaries.folder / "attributes"
    included.write_text(_configuration(random, canaries), encoding="utf-8")
    attributes.write_text(ATTRIBUTES, encoding="utf-8")
    with (git / "config").open("a", encoding="utf-8") as config:
        config.write(_configuration(random, canaries))
    if random.random() < SOMETIMES:
        (git / "config.worktree").write_text(_configuration(random, canaries), encoding="utf-8")
    for name in random.sample(HOOKS, random.randrange(len(HOOKS))):
        hook = git / "hooks" / name
        hook.unlink(missing_ok=True)
        hook.symlink_to(canaries.program(f"hooks {name}"))
    if random.random() < SOMETIMES:
        (git / "info/attributes").write_text(ATTRIBUTES, encoding="utf-8")
    if random.random() < SOMETIMES:
        (git / "objects/info/alternates").write_text(
            f"{canaries.folder}\n{git}/objects\nnowhere\n", encoding="utf-8"
        )


def _configuration(random: Random, canaries: Canaries) -> str:
    """Some keys in random order, with programs as git takes them: a path, a line of a shell, or after an exclamation
    mark."""
    keys = [*PROGRAMS, *SHELL_PROGRAMS, *(f"hook.{name}.command" for name in HOOKS)]
    pairs = []
    for key in random.sample(keys, random.choice((1, 5, 40, len(keys)))):
        program = canaries.program(key)
        line = random.choice(
            (program, program, f"{program} %f", f"sh -c {program}", f"!{program}", f"{program};")
        )
        pairs.append((key, f"!{program}" if key in SHELL_PROGRAMS else line))
    pairs += [(f"hook.{name}.event", name) for name in HOOKS]
    program = canaries.program("other")
    for key, value in random.sample(OTHERS, random.choice((0, 1, 3, 10))):
        pairs.append((key.format(program=program), value.format(program=program, folder=canaries.folder)))
    random.shuffle(pairs)
    return "".join(_line(random, key, value) for key, value in pairs)


def _line(random: Random, key: str, value: str) -> str:
    section, _, rest = key.partition(".")
    subsection, _, name = rest.rpartition(".")
    section = random.choice((section, section.upper(), section.title()))
    head = f'[{section} "{subsection}"]' if subsection else f"[{section}]"
    return f'{head}\n\t{random.choice((name, name.upper()))} = "{value}"\n'


def _damage(random: Random, git: Path) -> None:
    """Spoil, remove or exchange files that git keeps."""
    files = sorted(path for path in git.rglob("*") if path.is_file() and not path.is_symlink())
    for path in random.sample(files, random.choice((1, 2, 10))):
        path.chmod(0o644)
        match random.randrange(3):
            case 0:
                path.unlink()
            case 1:
                path.write_bytes(spoil.data(random, path.read_bytes()))
            case _:
                path.write_bytes(random.choice((b"", b"ref: refs/heads/main\n", b"\0" * 100)))
