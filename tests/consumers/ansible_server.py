"""ansible-playbook that need not be loaded: each play is a fork of this process, which has loaded it.

    python ansible_server.py    with Ansible's Python; a question a line on standard input, an answer a line on standard
    output

    {"arguments": [...], "folder": PATH, "environment": {...}, "system": PATH or null}
    {"status": NUMBER, "out": TEXT, "err": TEXT}

To load Ansible is half of what a small play costs. A fork does what `ansible_in_process` does when it is started, in
the folder and with the environment of the question, and in a namespace if the play is for a system made of folders
(`ansible_sandbox`). What Ansible reads of the environment while it is loaded is the server's (`ansible_run.settings`):
where it keeps its files, and how it prints. A fork gets a folder for temporary files of its own.

A fork tells its parent which modules it has loaded and which templates it has compiled, so that the next one need not.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import marshal
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import ansible_in_process
import ansible_once
from ansible import constants

SANDBOX = Path(__file__).resolve().parent / "ansible_sandbox"
MOUNTS, USER = 0x00020000, 0x10000000
"""Flags of unshare(2), from linux/sched.h."""

Question = Mapping[str, Any]


def serve() -> None:
    """Answer until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    ansible_in_process.prepare()
    for line in sys.stdin:
        gc.freeze()
        answers.write(json.dumps(answer(json.loads(line))) + "\n")
        answers.flush()


def answer(question: Question) -> dict[str, Any]:
    """Run a play in a fork."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as learnt:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = run(question, out.fileno(), err.fileno(), learnt)
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                for stream in (sys.stdout, sys.stderr):
                    stream.flush()
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        learn(read(learnt))
        said = [read(stream).decode("utf-8", "replace") for stream in (out, err)]
    return {"status": status, "out": said[0], "err": said[1]}


def read(file: IO[bytes]) -> bytes:
    """All of a file."""
    file.seek(0)
    return file.read()


def run(question: Question, out: int, err: int, learnt: IO[bytes]) -> int:
    """Run a play in this process. Its exit status."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for standard, given in enumerate((nothing, out, err)):
        os.dup2(given, standard)
    os.environ.clear()
    os.environ.update(question["environment"])
    if question["system"] and (status := isolate(question["system"])):
        return status
    os.chdir(question["folder"])
    modules, templates = set(sys.modules), set(ansible_once.compiled)
    folder = Path(constants.DEFAULT_LOCAL_TMP)
    constants.DEFAULT_LOCAL_TMP = tempfile.mkdtemp(prefix=f"ansible-local-{os.getpid()}", dir=folder.parent)
    try:
        ansible_in_process.run(question["arguments"])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        shutil.rmtree(constants.DEFAULT_LOCAL_TMP, ignore_errors=True)
        compiled = {
            key: marshal.dumps(code) for key, code in ansible_once.compiled.items() if key not in templates
        }
        learnt.write(pickle.dumps((sorted(sys.modules.keys() - modules), compiled)))
        learnt.flush()
    return 0


def isolate(system: str) -> int:
    """What `unshare --mount --map-root-user` and `ansible_sandbox` do, the former as far as this is not root. The exit
    status."""
    user, group = os.geteuid(), os.getegid()
    library = ctypes.CDLL(None, use_errno=True)
    if library.unshare(MOUNTS | (USER if user else 0)):
        sys.stderr.write(f"unshare: {os.strerror(ctypes.get_errno())}\n")
        return 1
    if user:
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
            Path("/proc/self", name).write_text(text, encoding="utf-8")
    return subprocess.run([SANDBOX, system, "true"], check=False).returncode


def learn(told: bytes) -> None:
    """Load the modules and the templates that a fork has loaded. Those of collections are found in a play only."""
    if not told:
        return
    names, compiled = pickle.loads(told)
    for name in names:
        if name.startswith("ansible.") and not name.startswith("ansible.plugins.callback"):
            with suppress(Exception):
                importlib.import_module(name)
    ansible_once.compiled.update({key: marshal.loads(code) for key, code in compiled.items()})


if __name__ == "__main__":
    serve()
