"""Words to files: the plan for `host/setpoint-host`, and one template for each other form."""

from collections.abc import Iterator

import setpoint.targets._kernel as kernel
import setpoint.targets.kernel_args as package
from setpoint.compiler.lowering.target import Artifact, Procedure
from setpoint.targets._host import columns, file_lines, plan_text, program
from setpoint.targets._kernel.files import FOLDER, PLAN, file_of, files_of, ways_of
from setpoint.targets._kernel.model import KernelArguments
from setpoint.targets._shared.data import data
from setpoint.targets._shared.target import ON_SERVER, by_plan
from setpoint.targets._shared.templates import render

DROP_IN = "/etc/default/grub.d/50-setpoint.cfg"
"""Where GRUB reads the file of the form `default-grub`."""


def artifacts(model: KernelArguments) -> tuple[Artifact, ...]:
    """The program for hosts, and the files of the forms, in their order."""
    files = [program()]
    for form in model.forms:
        file = file_of(form)
        text = _plan(model) if form == PLAN else render(package, file.template, m=model)
        files.append(Artifact(file.path, text))
    return tuple(files)


def _plan(model: KernelArguments) -> str:
    """The plan: the ways to the boot loader, and the words with the reason of each."""
    return plan_text(
        "kernel-args", model.policy, "Kernel arguments", model.identification, list(_plan_lines(model))
    )


def _plan_lines(model: KernelArguments) -> Iterator[str]:
    if model.ways:
        yield "# How the boot loader is told: the first of these that is there."
        yield from (f"way {way}" for way in model.ways)
    yield f"longest {model.longest}"
    yield from ("", "# Arguments that are to be there (have) and gone (lack).")
    yield from columns(
        [
            ("have" if word.wanted else "lack", word.setting, word.argument, word.reason)
            for word in model.words
        ]
    )
    shown = [
        ("shows", word.setting, content.file, "is" if content.same else "is-not", content.content, "")
        for word in model.words
        for content in word.shows
    ]
    if shown:
        yield from ("", "# What the running kernel then shows.", *columns(shown))
    if "drop-in" in model.ways:
        yield from ("", "# The file for GRUB, which grub-mkconfig reads.")
        yield from file_lines(DROP_IN, render(package, file_of("default-grub").template, m=model), "644")


def alternatives(words: list[str]) -> str:
    """`a, b or c`."""
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def procedure(files: tuple[Artifact, ...]) -> Procedure:
    """How the files are used: by the program that changes the line, or by hand and by the program that verifies it."""
    usage = by_plan(f"{FOLDER}/kernel-args.plan")(files)
    assert usage is not None
    if ways := ways_of(files):
        words = {way: data(kernel)["way"][way] for way in ways}
        deployed = " and the next deployment" if "rpm-ostree" in words else ""
        image = (
            f". A system that runs from an image takes them from there, and the Ansible role leaves it alone: put `{file_of('kargs-d').path}` into the image"
            if "kargs-d" in files_of(files)
            else ""
        )
        first = "what the server has first of " if len(ways) > 1 else ""
        return usage._replace(
            remark=f"boot arguments are set for all installed kernels{deployed}, by {first}{alternatives([*words.values()])}"
            f". `{file_of('cmdline').path}` has them on one line, for images{image}",
            stand_ins=tuple(f"`{way}`" for way in ways if way in data(kernel)["tried"]["stand-ins"]),
        )
    hands = [hand for form in files_of(files) if (hand := file_of(form).by_hand)]
    return Procedure(ON_SERVER, verify=usage.verify, remark=hands[-1] if hands else "")
