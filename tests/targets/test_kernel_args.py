"""Kernel arguments: each form read by what will read it, and the words booted by a real kernel."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.grub import grub_cfg
from consumers.kernel import LONGEST, boot, early
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.resolution.spellings import spelled_values
from setpoint.targets._kernel.lower import lower
from setpoint.targets._kernel.model import KernelArgument, KernelArguments
from setpoint.targets.kernel_args import TARGET
from support.host import run_host, words_of
from support.plans import HOSTILE, because, planned
from support.shell import Ran, code, run, shellcheck, stand_in

PROGRAM_PATH = "host/setpoint-host"

GRUBBY = Path(__file__).resolve().parents[1] / "consumers" / "grubby_stand_in"

LATENCY = "goal latency; cpu westmere; workload comm-bound"
"""C-states off, so intel_idle off and acpi_idle held at C1; the ticks skewed."""

BACK = "goal efficiency; cpu skylake; manage all"
"""Everything at the kernel's defaults, and written: all arguments are to be gone."""

POLLING = (
    "goal latency; cpu westmere; set idle-poll on because 'a test'; set smt off because 'a test'".replace(
        "'", '"'
    )
)


def files(plan: Plan) -> dict[str, str]:
    """The text of each file that the target emits, by its path in the target's folder."""
    return {
        artifact.path.removeprefix("kernel-args/"): artifact.text for artifact in TARGET.emit(plan).artifacts
    }


def lowered(plan: Plan) -> tuple[KernelArgument, ...]:
    """The words that a plan comes to; none where it has no model."""
    arguments = lower(plan).model
    return arguments.words if arguments else ()


def words(plan: Plan) -> dict[str, bool]:
    """The arguments of a plan, and whether each is to be there."""
    return {word.argument: word.wanted for word in lowered(plan)}


# ------------------------------------------------------------------------------------------------------------ words


def test_what_is_said_of_a_plan() -> None:
    assert words(planned(LATENCY)) == {
        "processor.max_cstate=1": True,
        "intel_idle.max_cstate=0": True,
        "skew_tick=1": True,
        "idle=poll": False,
    }
    assert words(planned(POLLING))["idle=poll"]


def test_a_value_that_goes_back_to_the_default_takes_its_argument_away() -> None:
    assert words(planned(BACK)) == {
        "processor.max_cstate": False,
        "idle=poll": False,
        "intel_idle.max_cstate": False,
        "skew_tick": False,
    }


def test_a_policy_that_leaves_a_setting_at_its_default_takes_the_argument_of_an_earlier_one_away() -> None:
    """Nobody has to write `manage all` for that."""
    plain = planned("goal efficiency; cpu skylake")
    assert words(plain) == words(planned(BACK))
    assert TARGET.emit(plain).expressed == {"acpi-idle-limit", "idle-poll", "intel-idle", "skew-tick"}
    assert TARGET.emit(plain).left_out == {}


MANY = (
    "goal latency; cpu skylake; os debian 12;"
    'set isolated-cpus 2-5 because "a test"; set tickless-cpus 2-5 because "a test";'
    'set rcu-offloaded-cpus 2-5 because "a test"; set interrupt-cpus 0-1 because "a test";'
    'set soft-lockup-detector off because "a test"; set tsc-checks reliable because "a test";'
    'set clock-source tsc because "a test"; set machine-checks ignore-corrected because "a test";'
    'set intel-pstate passive because "a test"; set idle-governor teo because "a test";'
    'set kernel-smt off because "a test"; set mitigations auto-nosmt because "a test";'
    'set iommu-passthrough on because "a test"; set intel-iommu on because "a test";'
    'set kernel-aspm off because "a test"; set huge-page-size 2m because "a test";'
    'set huge-pages-at-boot 8 because "a test"'
)
"""Every argument of Linux 6.1 that only a policy asks for, on an Intel server."""

ASKED = (
    "clocksource=tsc default_hugepagesz=2M hugepages=8 cpuidle.governor=teo intel_iommu=on intel_pstate=passive "
    "irqaffinity=0-1 iommu=pt isolcpus=managed_irq,domain,2-5 pcie_aspm=off nosmt mce=ignore_ce mitigations=auto,nosmt "
    "rcu_nocbs=2-5 nosoftlockup nohz_full=2-5 tsc=reliable"
)


def test_an_argument_whose_default_no_source_states_stays_unless_asked_for() -> None:
    """A server's own `mitigations=` or `hugepages=` is not taken away by a policy that does not mention it."""
    assert not any("mitigations" in word for word in words(planned(BACK)))
    asked = planned(
        'goal latency; cpu skylake; os debian 12; set mitigations kernel-default because "a test"'
    )
    assert words(asked)["mitigations"] is False


def test_what_only_a_policy_asks_for_is_written() -> None:
    asked = {word for word, wanted in words(planned(MANY)).items() if wanted}
    assert asked - words(planned(LATENCY)).keys() == set(ASKED.split())


VECTORS = {
    "auto-no-user": ("mitigations=auto,no_user_kernel,no_user_user", "mitigations-for-trusted-users"),
    "auto-no-guest": ("mitigations=auto,no_guest_host,no_guest_guest", "mitigations-for-trusted-guests"),
    "auto-no-cross-thread": ("mitigations=auto,no_cross_thread", "mitigations-for-trusted-siblings"),
}


@pytest.mark.parametrize("value", VECTORS)
def test_attack_vectors_are_behind_commas(value: str) -> None:
    """Linux separates all of them by commas, since GRUB would take a semicolon for the end of a command."""
    argument, hazard = VECTORS[value]
    plan = planned(
        "goal latency; cpu ice-lake; os ubuntu 26.04;"
        f'set mitigations {value} because "a test"; accept {hazard} because "a test"'
    )
    assert argument in files(plan)["cmdline"].split()


def test_the_size_of_huge_pages_is_before_their_number() -> None:
    """Linux reads `hugepages=` for the size before it."""
    line = files(planned(MANY))["cmdline"].split()
    assert line.index("default_hugepagesz=2M") < line.index("hugepages=8")


def test_every_boot_setting_of_the_knowledge_base_is_spelled_as_its_label_says(knowledge: Knowledge) -> None:
    """The labels are the arguments; a value without one is the kernel's own choice."""
    base = planned(LATENCY)
    decision = base.settings[0]
    usual = knowledge.variables["os"].bit("rhel-8")
    for setting in knowledge.settings.values():
        if setting.layer != "boot":
            continue
        for offer in knowledge.offers[setting.name]:
            here = dict(offer.when)["os"]
            bits = {"os": here & usual or here & -here}
            for value, label in zip(offer.values, offer.labels, strict=True):
                if "*" in label:  # a number or a list, which `MANY` has
                    continue
                spelled = decision._replace(
                    setting=setting.name,
                    layer="boot",
                    value=value,
                    unwritten="",
                    spelled=spelled_values(knowledge, setting.name, value, bits, NOWHERE),
                )
                (word,) = lowered(base._replace(settings=(spelled,)))
                assert word.wanted == bool(label), f"{setting.name} {value}"
                if word.wanted:
                    assert word.argument == label


def test_a_setting_without_an_argument_is_left_out_by_name() -> None:
    plan = planned(LATENCY)
    unknown = plan.settings[0]._replace(setting="site-magic", layer="boot", value="on", unwritten="")
    emission = TARGET.emit(plan._replace(settings=(*plan.settings, unknown)))
    assert emission.left_out == {"site-magic": "no kernel argument is known for `site-magic on`"}
    assert emission.expressed == {"intel-idle", "acpi-idle-limit", "skew-tick", "idle-poll"}


ISOLATION = [
    # What is set of the two settings that isolcpus= has, and the words for it.
    ("isolated-cpus 2-5", {"isolcpus=managed_irq,domain,2-5": True}),
    ("managed-interrupt-cpus 2-5", {"isolcpus=managed_irq,2-5": True}),
    ("isolated-cpus none; managed-interrupt-cpus 2-5", {"isolcpus=managed_irq,2-5": True}),
    ("isolated-cpus 2-5; managed-interrupt-cpus none", {"isolcpus=managed_irq,domain,2-5": True}),
    ("isolated-cpus none; managed-interrupt-cpus none", {"isolcpus": False}),
]


@pytest.mark.parametrize(("sets", "expected"), ISOLATION)
def test_an_argument_that_two_settings_share_is_there_once(sets: str, expected: dict[str, bool]) -> None:
    stated = [f'set {each.strip()} because "a test";' for each in sets.split(";")]
    plan = planned(f"goal latency; cpu skylake; os debian 12; {' '.join(stated)}")
    assert {name: there for name, there in words(plan).items() if name.startswith("isolcpus")} == expected
    assert {each.split()[0] for each in sets.split("; ")} <= TARGET.emit(plan).expressed


def a_word(argument: str, wanted: bool = True) -> KernelArgument:
    return KernelArgument(setting="s", argument=argument, wanted=wanted, reason="(r)")


@pytest.mark.parametrize(
    ("some", "complaint"),
    [
        ([a_word("idle=poll"), a_word("idle=poll", wanted=False)], "occurs twice"),
        ([a_word("a=1"), a_word("a=2")], "occurs twice"),
        ([a_word(f"long_name_{n}=" + "x" * 100) for n in range(20)], "takes 2047"),
        ([a_word(f"a{n}=1") for n in range(33)], "Linux panics"),
    ],
)
def test_the_limits_of_the_command_line_are_kept(some: list[KernelArgument], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        KernelArguments(policy="p", forms=(), words=tuple(some), longest=LONGEST, most=32, menu="")


@pytest.mark.parametrize("argument", ["a b", "a;b", "a=$(b)", 'a="b"', "a'", "", "=1", "a\n", "a=`b`"])
def test_an_argument_is_one_word_without_quotes(argument: str) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        a_word(argument)


# ------------------------------------------------------------------------------------------------------------ forms


OWN_LINUX = 'own; os own { title "Linux of our own"; within linux; }'
"""A system of which nothing is known but that it is Linux."""


@pytest.mark.parametrize(
    ("os", "expected"),
    [
        (OWN_LINUX, {PROGRAM_PATH, "cmdline", "kernel-args.plan"}),
        ("rhel 5", {PROGRAM_PATH, "cmdline", "kernel-args.plan", "grub-legacy.txt"}),
        ("slc 5", {PROGRAM_PATH, "cmdline", "kernel-args.plan", "grub-legacy.txt"}),
        ("sles 11", {PROGRAM_PATH, "cmdline", "kernel-args.plan", "grub-legacy.txt"}),
        ("sles 12", {PROGRAM_PATH, "cmdline", "kernel-args.plan"}),
        ("sles 15.1", {PROGRAM_PATH, "cmdline", "kernel-args.plan"}),
        ("sles 15.2", {PROGRAM_PATH, "cmdline", "kernel-args.plan"}),
        ("sles 15.3", {PROGRAM_PATH, "cmdline", "kernel-args.plan"}),
        ("sles 15", {PROGRAM_PATH, "cmdline", "kernel-args.plan"}),
        ("sles 16", {PROGRAM_PATH, "cmdline", "kernel-args.plan"}),
        ("rhel 6.4", {PROGRAM_PATH, "cmdline", "kernel-args.plan"}),
        ("rhel 7", {PROGRAM_PATH, "cmdline", "kernel-args.plan"}),
        ("rhel 8", {PROGRAM_PATH, "cmdline", "kernel-args.plan"}),
        ("rhel 9", {PROGRAM_PATH, "cmdline", "kernel-args.plan", "kargs.d/50-setpoint.toml"}),
        ("debian 12", {PROGRAM_PATH, "cmdline", "kernel-args.plan", "default-grub.d/50-setpoint.cfg"}),
        ("ubuntu 20.04", {PROGRAM_PATH, "cmdline", "kernel-args.plan", "default-grub.d/50-setpoint.cfg"}),
        ("ubuntu 24.04", {PROGRAM_PATH, "cmdline", "kernel-args.plan", "default-grub.d/50-setpoint.cfg"}),
        (
            "modern-linux",
            {
                PROGRAM_PATH,
                "cmdline",
                "kernel-args.plan",
                "default-grub.d/50-setpoint.cfg",
                "kargs.d/50-setpoint.toml",
            },
        ),
    ],
)
def test_an_os_gets_the_forms_that_it_can_use(os: str, expected: set[str]) -> None:
    plan = planned(f"goal latency; cpu westmere; os {os}")
    assert TARGET.unsupported_reason(plan) == ""
    assert set(files(plan)) == expected


@pytest.mark.parametrize(
    ("os", "why"),
    [
        (
            "rhel 5",
            "edited by hand: put the line of kernel-args/grub-legacy.txt (target kernel-args) into it",
        ),
        ("sles 11", "boot menu is edited by hand"),
        (OWN_LINUX, "not known how this system keeps its command line"),
    ],
)
def test_what_only_a_human_can_put_in_its_place_is_not_carried(os: str, why: str) -> None:
    """The texts are there all the same: they say what to put, and the program tells whether it was."""
    emission = TARGET.emit(planned(f"goal latency; cpu westmere; os {os}"))
    assert emission.expressed == frozenset()
    assert why in emission.left_out["acpi-idle-limit"]
    assert "kernel-args/kernel-args.plan" in {artifact.path for artifact in emission.artifacts}


def test_every_linux_is_served_and_nothing_else(knowledge: Knowledge) -> None:
    plan = planned(LATENCY)
    (fact,) = (f for f in plan.facts if f.name == "os")
    others = tuple(f for f in plan.facts if f.name != "os")
    variable = knowledge.variables["os"]
    for os in variable.values:
        above = tuple(v for v in variable.values if v != os and variable.bit(os) & variable.below(v))
        unsupported_reason = TARGET.unsupported_reason(
            plan._replace(facts=(*others, fact._replace(value=os, above=above)))
        )
        assert (unsupported_reason == "") == ("linux" in (os, *above)), os
    assert (
        TARGET.unsupported_reason(planned("goal latency; cpu skylake; os windows"))
        == "`windows` is not Linux"
    )
    assert TARGET.unsupported_reason(plan._replace(facts=others)) == "the plan names no operating system"


def test_scripts_can_be_executed_and_texts_cannot() -> None:
    plan = planned(LATENCY)
    assert {a.path.rpartition("/")[2]: a.mode for a in TARGET.emit(plan).artifacts} == {
        "setpoint-host": 0o755,
        "cmdline": 0o644,
        "kernel-args.plan": 0o644,
        "50-setpoint.cfg": 0o644,
        "50-setpoint.toml": 0o644,
    }


def test_the_line_alone() -> None:
    assert (
        files(planned(LATENCY))["cmdline"] == "processor.max_cstate=1 intel_idle.max_cstate=0 skew_tick=1\n"
    )
    assert files(planned(BACK))["cmdline"] == "\n"


def test_enterprise_linux_5_gets_words_and_where_to_put_them() -> None:
    text = files(planned("goal latency; cpu westmere; os rhel 5"))["grub-legacy.txt"]
    assert "/boot/grub/grub.conf" in text
    assert "      processor.max_cstate=1\n" in text
    assert "255 bytes" in text
    assert (
        "/boot/grub/menu.lst" in files(planned("goal latency; cpu westmere; os sles 11"))["grub-legacy.txt"]
    )


def test_kargs_d_is_toml_with_the_two_keys_that_bootc_knows() -> None:
    def read(policy: str) -> dict[str, object]:
        return tomllib.loads(files(planned(policy))["kargs.d/50-setpoint.toml"])

    assert read(LATENCY) == {
        "match-architectures": ["x86_64"],
        "kargs": ["processor.max_cstate=1", "intel_idle.max_cstate=0", "skew_tick=1"],
    }
    assert read(BACK)["kargs"] == []


# ---------------------------------------------------------------------------------------------- /etc/default/grub.d


def default_grub(plan: Plan, **before: str) -> dict[str, str]:
    """The two variables after /etc/default/grub (`before`) and the drop-in were read, with -e as grub-mkconfig does."""
    lines = [f"{name}='{value}'" for name, value in before.items()]
    script = "\n".join(["set -e", *lines, files(plan)["default-grub.d/50-setpoint.cfg"]])
    shown = 'printf \'%s\\n\' "$GRUB_CMDLINE_LINUX" "$GRUB_CMDLINE_LINUX_DEFAULT"'
    done = run(f"{script}\n{shown}\n")
    assert done.status == 0, done.said
    return dict(
        zip(("GRUB_CMDLINE_LINUX", "GRUB_CMDLINE_LINUX_DEFAULT"), done.said.split("\n"), strict=False)
    )


def test_the_drop_in_adds_after_what_is_there() -> None:
    found = default_grub(
        planned(LATENCY),
        GRUB_CMDLINE_LINUX="console=ttyS0  crashkernel=1G",
        GRUB_CMDLINE_LINUX_DEFAULT="quiet",
    )
    assert found == {
        "GRUB_CMDLINE_LINUX": "console=ttyS0  crashkernel=1G processor.max_cstate=1 intel_idle.max_cstate=0 skew_tick=1",
        "GRUB_CMDLINE_LINUX_DEFAULT": "quiet",
    }
    assert default_grub(planned(LATENCY))["GRUB_CMDLINE_LINUX"] == files(planned(LATENCY))["cmdline"].strip()


def test_the_drop_in_takes_out_what_would_come_after_its_own() -> None:
    found = default_grub(
        planned(LATENCY),
        GRUB_CMDLINE_LINUX="intel_idle.max_cstate=2 a=* intel_idle.max_cstate=3 xintel_idle.max_cstate=4",
        GRUB_CMDLINE_LINUX_DEFAULT="processor.max_cstate skew_tick=0 processorXmax_cstate=9",
    )
    assert found == {
        "GRUB_CMDLINE_LINUX": "a=* xintel_idle.max_cstate=4 processor.max_cstate=1 intel_idle.max_cstate=0 skew_tick=1",
        "GRUB_CMDLINE_LINUX_DEFAULT": "processorXmax_cstate=9",
    }


def test_the_drop_in_takes_back_what_a_policy_put_there() -> None:
    found = default_grub(
        planned(BACK),
        GRUB_CMDLINE_LINUX="idle=poll quiet intel_idle.max_cstate=0 processor.max_cstate=1",
        GRUB_CMDLINE_LINUX_DEFAULT="idle=nomwait skew_tick=1",
    )
    assert found == {"GRUB_CMDLINE_LINUX": "quiet", "GRUB_CMDLINE_LINUX_DEFAULT": "idle=nomwait"}


# ------------------------------------------------------------------------------------------------------------ grubby


class Grubby:
    """A boot loader's configuration with a stand-in for grubby to change it."""

    def __init__(self, folder: Path, kernels: Iterable[str], dialect: str = "bls") -> None:
        self.programs = stand_in(folder / "bin", GRUBBY, "grubby")
        self.file = folder / "kernels"
        self.file.write_text("".join(f"{line}\n" for line in kernels), encoding="utf-8")
        self.noted = folder / "calls"
        self.dialect = dialect
        self.root = ""

    def run(self, plan: Plan, *arguments: str) -> Ran:
        self.noted.write_text("", encoding="utf-8")
        return run_host(
            files(plan)["kernel-args.plan"],
            *(arguments or ("apply",)),
            "--state",
            str(self.file.parent / "state"),
            programs=self.programs,
            GRUBBY_KERNELS=str(self.file),
            GRUBBY_CALLS=str(self.noted),
            GRUBBY_DIALECT=self.dialect,
            SETPOINT_ROOT=self.root,
        )

    @property
    def kernels(self) -> list[str]:
        return self.file.read_text(encoding="utf-8").splitlines()

    @property
    def changes(self) -> list[str]:
        """The calls that change something."""
        return [call for call in self.noted.read_text(encoding="utf-8").splitlines() if call != "--info=ALL"]


KERNELS = ("ro rhgb quiet", "ro intel_idle.max_cstate=2 $tuned_params")


@pytest.mark.parametrize("dialect", ["bls", "c"])
def test_grubby_sets_every_kernel_and_the_second_run_changes_nothing(tmp_path: Path, dialect: str) -> None:
    grubby = Grubby(tmp_path, KERNELS, dialect)
    done = grubby.run(planned(LATENCY))
    assert done.status == 0
    line = "processor.max_cstate=1 intel_idle.max_cstate=0 skew_tick=1"
    assert grubby.changes == [f"--update-kernel=ALL --args={line}"]
    assert grubby.kernels == [f"ro rhgb quiet {line}", f"ro $tuned_params {line}"]
    assert "intel_idle.max_cstate=0 is to be there, found: intel_idle.max_cstate=2" in done.said
    assert "before: ro rhgb quiet" in done.said
    again = grubby.run(planned(LATENCY))
    assert (again.status, again.said, grubby.changes) == (0, "kernel-args: nothing to change\n", [])


@pytest.mark.parametrize("dialect", ["bls", "c"])
def test_grubby_takes_back(tmp_path: Path, dialect: str) -> None:
    grubby = Grubby(tmp_path, KERNELS, dialect)
    assert grubby.run(planned(LATENCY)).status == 0
    assert grubby.run(planned(BACK)).status == 0
    assert grubby.changes == [
        "--update-kernel=ALL --remove-args=processor.max_cstate intel_idle.max_cstate skew_tick"
    ]
    assert grubby.kernels == ["ro rhgb quiet", "ro $tuned_params"]
    assert grubby.run(planned(BACK)).said == "kernel-args: nothing to change\n"


def test_other_values_of_idle_are_no_business_of_idle_poll(tmp_path: Path) -> None:
    grubby = Grubby(tmp_path, ["ro idle=nomwait"])
    assert grubby.run(planned(BACK)).said == "kernel-args: nothing to change\n"


@pytest.mark.parametrize("dialect", ["bls", "c"])
def test_what_is_not_there_is_not_taken_away(tmp_path: Path, dialect: str) -> None:
    """The grubby of Enterprise Linux 7 would take `idle=nomwait` for `idle=poll`."""
    grubby = Grubby(tmp_path, ["ro idle=nomwait skew_tick=1"], dialect)
    assert grubby.run(planned(BACK)).status == 0
    assert grubby.changes == ["--update-kernel=ALL --remove-args=skew_tick"]
    assert grubby.kernels == ["ro idle=nomwait"]


def test_a_dry_run_says_the_command_and_changes_nothing(tmp_path: Path) -> None:
    grubby = Grubby(tmp_path, KERNELS)
    done = grubby.run(planned(LATENCY), "try")
    assert done.status == 3
    assert 'would run: grubby --update-kernel=ALL --args="processor.max_cstate=1' in done.said
    assert (grubby.changes, grubby.kernels) == ([], list(KERNELS))


@pytest.mark.parametrize(
    ("kernels", "dialect", "reason"),
    [
        (KERNELS, "broken", "grubby reported success, but"),
        ((), "bls", "grubby names no kernel"),
        (["ro " + "x" * 2000], "bls", "too long for 2047 bytes"),
    ],
)
def test_what_grubby_cannot_do_is_no_success(
    tmp_path: Path, kernels: Iterable[str], dialect: str, reason: str
) -> None:
    grubby = Grubby(tmp_path, kernels, dialect)
    done = grubby.run(planned(LATENCY))
    assert (done.status, reason in done.said) == (4, True), done.said


def test_a_server_without_grubby_is_no_success() -> None:
    assert run_host(files(planned(f"{LATENCY}; os rhel 8"))["kernel-args.plan"]) == (
        4,
        "setpoint-host: grubby is not installed: nothing was changed\n",
    )


@pytest.mark.parametrize("arguments", [("verfiy",), ("verify", "--all"), ("try", "--json"), ("",), ("-n",)])
def test_what_a_script_does_not_know_it_does_not_do(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    grubby = Grubby(tmp_path, KERNELS)
    assert grubby.run(planned(LATENCY), *arguments).status == 2
    assert grubby.kernels == list(KERNELS)


# ----------------------------------------------------------------------------------------------------------- verify


def root(folder: Path, contents: Mapping[str, str]) -> str:
    """A root folder with these files of /proc and /sys."""
    for path, content in contents.items():
        file = folder / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{content}\n", encoding="utf-8")
    return str(folder)


IDLE = "/sys/devices/system/cpu/cpuidle/current_driver"


@pytest.mark.parametrize("os", ["rhel 8", "debian 12"])
def test_verify_sees_words_and_effects(tmp_path: Path, os: str) -> None:
    text = files(planned(f"{LATENCY}; os {os}"))["kernel-args.plan"]
    good = {
        "/proc/cmdline": "ro intel_idle.max_cstate=9 processor.max_cstate=1 intel_idle.max_cstate=0 skew_tick=1",
        "/sys/module/intel_idle/parameters/max_cstate": "0",
        "/sys/module/processor/parameters/max_cstate": "1",
        IDLE: "acpi_idle",
    }

    def verify(name: str, **changed: str) -> Ran:
        paths = {
            "cmdline": "/proc/cmdline",
            "intel_idle": "/sys/module/intel_idle/parameters/max_cstate",
            "driver": IDLE,
        }
        here = root(tmp_path / name, {**good, **{paths[key]: value for key, value in changed.items()}})
        return run_host(text, "verify", SETPOINT_ROOT=here)

    assert verify("good") == (0, "kernel-args: the running kernel is as planned\n")
    overridden = verify("overridden", cmdline=good["/proc/cmdline"] + " intel_idle.max_cstate=3")
    assert (overridden.status, "found: intel_idle.max_cstate=3" in overridden.said) == (3, True)
    ineffective = verify("ineffective", intel_idle="9", driver="intel_idle")
    assert ineffective.status == 3
    assert "/sys/module/intel_idle/parameters/max_cstate is to be 0, found: 9" in ineffective.said
    assert f"{IDLE} is not to be intel_idle" in ineffective.said


# --------------------------------------------------------------------------------------------------- the next start

MENU = """
set tuned_params="{tuned}"
menuentry 'Debian GNU/Linux' {{
\tlinux\t/boot/vmlinuz-6.1 root=/dev/sda1 ro quiet {line} $tuned_params
\tinitrd\t/boot/initrd.img-6.1
}}
menuentry 'Windows (on /dev/sdb1)' --class windows $menuentry_id_option 'osprober-efi' {{
\tlinux\t/vmlinuz root=/dev/sdb1 ro
}}
menuentry 'Memory test' {{
\tlinux16\t/boot/memtest86+.bin
}}
"""
"""What grub-mkconfig makes, with the variable of tuned's bootloader plugin and the system that os-prober has found."""

PLANNED = "processor.max_cstate=1 intel_idle.max_cstate=0 skew_tick=1"


@pytest.mark.parametrize(
    ("line", "tuned", "status", "told"),
    [
        (PLANNED, "", 0, "the next start is as planned"),
        (PLANNED, "nosoftlockup", 0, "the next start is as planned"),
        (f"{PLANNED} skew_tick=0", "", 3, "skew_tick=1 is to be there, found: skew_tick=0"),
        (PLANNED, "intel_idle.max_cstate=1", 3, "intel_idle.max_cstate=0 is to be there, found: intel_idle.max_cstate=1"),
        ("", PLANNED, 0, "the next start is as planned"),
        (f"{PLANNED} idle=poll", "", 3, "idle=poll is to be gone"),
        ("", "", 3, "found: nothing"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("shell", ["dash", "bash", "busybox sh"])
def test_the_last_word_that_the_next_start_will_have_counts(
    tmp_path: Path, shell: str, line: str, tuned: str, status: int, told: str
) -> None:
    """Whichever drop-in or variable it is from."""
    where = root(tmp_path, {"/boot/grub/grub.cfg": MENU.format(line=line, tuned=tuned)})
    script = files(planned(f"{LATENCY}; os debian 12"))["kernel-args.plan"]
    done = run_host(script, "next", shell=shell, SETPOINT_ROOT=where)
    assert (done.status, told in done.said) == (status, True), done.said


TUNED = 'GRUB_CMDLINE_LINUX_DEFAULT="${GRUB_CMDLINE_LINUX_DEFAULT:+$GRUB_CMDLINE_LINUX_DEFAULT }\\$tuned_params"\n'
"""What tuned's bootloader plugin adds to /etc/default/grub."""


@pytest.mark.parametrize(
    ("default", "tuned", "expected"),
    [
        ({"grub": "GRUB_CMDLINE_LINUX_DEFAULT='quiet intel_idle.max_cstate=9'\n"}, "", ""),
        ({"grub": f"GRUB_CMDLINE_LINUX_DEFAULT=quiet\n{TUNED}"}, "nosoftlockup", ""),
        ({"grub": f"GRUB_CMDLINE_LINUX_DEFAULT=quiet\n{TUNED}"}, "skew_tick=0", "skew_tick=1 is to be there, found: skew_tick=0"),
        ({"grub.d/99-local.cfg": "GRUB_CMDLINE_LINUX_DEFAULT=idle=poll\n"}, "", "idle=poll is to be gone, found: idle=poll"),
        ({"grub.d/99-local.cfg": "GRUB_CMDLINE_LINUX=\n"}, "", "skew_tick=1 is to be there, found: nothing"),
    ],
)  # fmt: skip
def test_what_grub_mkconfig_makes_is_read_as_the_kernel_will_get_it(
    tmp_path: Path, default: dict[str, str], tuned: str, expected: str
) -> None:
    """With the real grub-mkconfig, and tuned's own part of it."""
    texts = files(planned(f"{LATENCY}; os debian 12"))
    drop_in = {"grub.d/50-setpoint.cfg": texts["default-grub.d/50-setpoint.cfg"]}
    assert (
        "intel_idle.max_cstate=0" in grub_cfg(tmp_path, {"grub": "", **drop_in, **default}, tuned) or expected
    )
    done = run_host(texts["kernel-args.plan"], "next", SETPOINT_ROOT=str(tmp_path))
    assert (done.status, expected in done.said) == (3 if expected else 0, True), done.said


def test_a_grub_cfg_can_be_in_a_place_of_its_own(tmp_path: Path) -> None:
    script = files(planned(f"{LATENCY}; os debian 12"))["kernel-args.plan"]
    done = run_host(script, "next", SETPOINT_ROOT=str(tmp_path))
    assert (done.status, "no entry of a kernel of this system was found" in done.said) == (4, True)
    (tmp_path / "mine.cfg").write_text(MENU.format(line=PLANNED, tuned=""), encoding="utf-8")
    done = run_host(script, "next", SETPOINT_ROOT=str(tmp_path), SETPOINT_GRUB_CFG=str(tmp_path / "mine.cfg"))
    assert done.status == 0


def test_grubby_is_told_what_a_variable_overrides(tmp_path: Path) -> None:
    """`--update-kernel` cannot change what tuned keeps in the environment of GRUB, so that there is no success."""
    grubby = Grubby(tmp_path, [f"ro {PLANNED} $tuned_params"])
    environment = "# GRUB Environment Block\ntuned_params=skew_tick=0\n########"
    grubby.root = root(tmp_path, {"/boot/grub2/grubenv": environment})
    done = grubby.run(planned(LATENCY), "next")
    assert (done.status, "skew_tick=1 is to be there, found: skew_tick=0" in done.said) == (3, True)
    grubby.dialect = "broken"
    done = grubby.run(planned(LATENCY))
    assert (done.status, "grubby reported success, but" in done.said) == (4, True)


def test_verify_sees_what_is_to_be_gone(tmp_path: Path) -> None:
    text = files(planned(f"{BACK}; os debian 12"))["kernel-args.plan"]
    assert (
        run_host(
            text, "verify", SETPOINT_ROOT=root(tmp_path / "good", {"/proc/cmdline": "ro quiet idle=halt"})
        ).status
        == 0
    )
    done = run_host(
        text, "verify", SETPOINT_ROOT=root(tmp_path / "bad", {"/proc/cmdline": "ro idle=poll skew_tick"})
    )
    assert done.status == 3
    assert "idle=poll is to be gone" in done.said
    assert "skew_tick is to be gone" in done.said


def test_what_a_kernel_does_not_show_is_said_and_is_no_difference(tmp_path: Path) -> None:
    here = root(tmp_path, {"/proc/cmdline": "processor.max_cstate=1"})
    done = run_host(
        files(planned("goal latency; cpu westmere; os rhel 5"))["kernel-args.plan"],
        "verify",
        SETPOINT_ROOT=here,
    )
    assert done.status == 0
    assert "does not show /sys/module/processor/parameters/max_cstate" in done.said


# -------------------------------------------------------------------------------------------------------------- JSON


def results(script: str, where: str) -> tuple[int, dict[str, dict[str, str | None]]]:
    """The exit status of `--verify --json`, and each setting's result."""
    done = run_host(script, "verify", "--json", SETPOINT_ROOT=where, SETPOINT_HOST="c042")
    document = json.loads(done.said)
    assert (document["schema"], document["host"], document["policy"]) == (
        "setpoint.verify/1",
        "c042",
        "policy",
    )
    assert {each["layer"] for each in document["results"]} == {"boot"}
    return done.status, {each["setting"]: each for each in document["results"]}


@pytest.mark.parametrize(
    ("running", "line", "state", "found", "pending"),
    [
        (PLANNED, PLANNED, "ok", "skew_tick=1", None),
        ("quiet", PLANNED, "pending", "absent", "skew_tick=1"),
        ("quiet", "quiet", "differs", "absent", None),
        (PLANNED, "quiet", "differs", "skew_tick=1", "absent"),
        (PLANNED, f"{PLANNED} skew_tick=0", "differs", "skew_tick=1", "skew_tick=0"),
    ],
)
def test_json_tells_what_is_in_effect_from_what_waits_for_the_next_start(
    tmp_path: Path, running: str, line: str, state: str, found: str, pending: str | None
) -> None:
    menu = MENU.format(line=line, tuned="")
    where = root(tmp_path, {"/proc/cmdline": f"ro {running}", "/boot/grub/grub.cfg": menu})
    for os in ("rhel 9", "debian 12"):
        script = files(planned(f"{LATENCY}; os {os}"))["kernel-args.plan"]
        status, found_results = results(script, where)
        skew = found_results["skew-tick"]
        assert (skew["state"], skew["wanted"], skew["found"], skew["pending"]) == (
            state,
            "skew_tick=1",
            found,
            pending,
        )
        assert status == (0 if state == "ok" else 3)
        poll = found_results["idle-poll"]
        assert (poll["state"], poll["wanted"], poll["found"]) == ("ok", "absent", "absent")


def test_json_tells_of_an_argument_without_effect_and_of_what_the_kernel_hides(tmp_path: Path) -> None:
    where = root(
        tmp_path,
        {
            "/proc/cmdline": PLANNED,
            "/boot/grub/grub.cfg": MENU.format(line=PLANNED, tuned=""),
            IDLE: "intel_idle",
        },
    )
    status, found = results(files(planned(f"{LATENCY}; os debian 12"))["kernel-args.plan"], where)
    assert (status, found["intel-idle"]["state"], found["acpi-idle-limit"]["state"]) == (3, "differs", "ok")
    assert f"{IDLE} is not to be intel_idle" in str(found["intel-idle"]["reason"])
    assert "this kernel does not show" in str(found["acpi-idle-limit"]["reason"])


def test_json_without_anything_to_read_or_on_another_server_is_unreadable(tmp_path: Path) -> None:
    script = files(planned(f"{LATENCY}; os debian 12"))["kernel-args.plan"]
    status, found = results(script, str(tmp_path))
    assert (status, {each["state"] for each in found.values()}) == (4, {"unreadable"})
    where = root(tmp_path, {"/proc/sys/kernel/ostype": "FreeBSD"})
    done = run_host(
        script, "verify", "--json", SETPOINT_ROOT=where, SETPOINT_IGNORE="product sockets distribution kernel"
    )
    document, _ = json.JSONDecoder().raw_decode(done.said)
    assert done.status == 5
    assert "this server reports the system FreeBSD" in document["results"][0]["reason"]


# ------------------------------------------------------------------------------------------------- the real kernel


def test_linux_knows_every_argument() -> None:
    every = "processor.max_cstate=1 intel_idle.max_cstate=0 idle=poll skew_tick=1"
    assert sorted(every.split()) == sorted({*words(planned(LATENCY)), *words(planned(POLLING))})
    found = early(every)
    assert (found.unknown, found.malformed) == ((), ())


def test_linux_knows_what_only_a_policy_asks_for() -> None:
    found = early(ASKED, cpus=8, cpu="Skylake-Server")
    assert (found.unknown, found.malformed) == ((), ())
    drivers = early(
        "amd_pstate=passive intel_pstate=active nosmt=force mitigations=off isolcpus=managed_irq,1", cpus=2
    )
    assert (drivers.unknown, drivers.malformed) == ((), ())


@pytest.mark.parametrize("policy", [LATENCY, POLLING])
def test_linux_does_as_planned_and_the_script_agrees(tmp_path: Path, policy: str) -> None:
    """The kernel boots with the line; verify then looks at what that kernel shows."""
    plan = planned(f"{policy}; os debian 12")
    emitted = files(plan)
    done = boot(emitted["cmdline"].strip(), smt=False)
    assert (done.unknown, done.malformed) == ((), ())
    assert done.parameter("intel_idle.max_cstate") == "0"
    assert done.parameter("processor.max_cstate") == "1"
    assert done.cpuidle_driver == "none"
    verified = run_host(emitted["kernel-args.plan"], "verify", SETPOINT_ROOT=root(tmp_path, done.facts))
    assert verified == (0, "kernel-args: the running kernel is as planned\n")


def test_the_script_sees_that_linux_was_booted_without(tmp_path: Path) -> None:
    emitted = files(planned(f"{LATENCY}; os debian 12"))
    done = boot(smt=False)
    verified = run_host(emitted["kernel-args.plan"], "verify", SETPOINT_ROOT=root(tmp_path, done.facts))
    assert verified.status == 3
    for part in (
        "skew_tick=1 is to be there, found: nothing",
        "/sys/module/intel_idle/parameters/max_cstate is to be 0, found: 9",
        "/sys/module/processor/parameters/max_cstate is to be 1, found: 8",
    ):
        assert part in verified.said


# --------------------------------------------------------------------------------------------- what users may write

ALL = (
    "goal latency; cpu westmere",
    "goal latency; cpu westmere; os debian 12",
    "goal latency; cpu westmere; os rhel 5",
    BACK,
)


@pytest.mark.parametrize("policy", ALL)
def test_shellcheck_is_content(policy: str) -> None:
    for path, text in files(planned(policy)).items():
        if path.endswith(".cfg"):
            assert shellcheck(text) == "", path


@given(st.one_of(st.sampled_from(HOSTILE), st.text()), st.sampled_from(("set", "rule")))
def test_a_reason_is_a_comment_and_nothing_else(text: str, kind: str) -> None:
    plain, other = files(planned(LATENCY)), files(because(planned(LATENCY), text, kind))
    assert plain.keys() == other.keys()
    assert plain["cmdline"] == other["cmdline"]
    path = "default-grub.d/50-setpoint.cfg"
    assert code(plain[path]) == code(other[path])
    assert words_of(plain["kernel-args.plan"]) == words_of(other["kernel-args.plan"])
    path = "kargs.d/50-setpoint.toml"
    assert tomllib.loads(plain[path]) == tomllib.loads(other[path])
    assert all(line.isprintable() for text in other.values() for line in text.split("\n"))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_reason_changes_nothing_that_a_script_does(tmp_path: Path, text: str) -> None:
    grubby = Grubby(tmp_path, KERNELS)
    plain = grubby.run(planned(LATENCY), "try")
    assert grubby.run(because(planned(LATENCY), text), "try") == plain
    assert default_grub(because(planned(LATENCY), text), GRUB_CMDLINE_LINUX="x") == default_grub(
        planned(LATENCY), GRUB_CMDLINE_LINUX="x"
    )
    assert not Path("/tmp/owned").exists()
