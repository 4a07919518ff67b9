"""Verdicts on the boot line and the running system, which need only what the library spells."""

import pytest

from verification.worlds import asked, host, verdict

SWAPPINESS = "/proc/sys/vm/swappiness"
GOVERNOR = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"
SWAP_10 = 'set swappiness 10 because "a test";'
SKEW = 'set skew-tick on because "a test";'


@pytest.mark.parametrize(
    ("text", "state", "found"),
    [("10\n", "ok", "10"), ("60\n", "differs", "60"), ("10 0", "differs", "10 0")],
)
def test_a_sysctl_is_compared_with_its_file(text: str, state: str, found: str) -> None:
    seen = verdict("swappiness", asked(SWAP_10), host({SWAPPINESS: text}))
    assert (seen.state, seen.found, seen.wanted) == (state, found, "10")
    assert [(each.kind, each.place) for each in seen.readings] == [("in effect", SWAPPINESS)]


@pytest.mark.parametrize(
    ("reason", "state", "change"),
    [
        ("no permission", "unreadable", "collect as root"),
        ("lockdown", "unreadable", "capture the controller as well"),
        ("absent", "not-applicable", ""),
    ],
)
def test_what_was_not_read_is_never_off(reason: str, state: str, change: str) -> None:
    seen = verdict("swappiness", asked(SWAP_10), host({}, {SWAPPINESS: reason}))
    assert (seen.state, seen.found, seen.change) == (state, None, change)


def test_a_place_that_nobody_looked_at_is_unreadable() -> None:
    assert verdict("swappiness", asked(SWAP_10), host({})).state == "unreadable"


FILES = (
    'goal latency; cpu ice-lake; os debian 13; tuned unused; set service-open-files 600000 because "a test";'
)
LIMITS = "run systemctl show -p DefaultLimitNOFILE -p DefaultLimitNOFILESoft"


@pytest.mark.parametrize(("soft", "state"), [(1024, "ok"), (600000, "differs")])
def test_a_limit_of_services_is_compared_with_both_of_its_numbers(soft: int, state: str) -> None:
    text = f"DefaultLimitNOFILE=600000\nDefaultLimitNOFILESoft={soft}\n"
    plan = asked(server=FILES)
    assert verdict("service-open-files", plan, host({LIMITS: text})).state == state


def test_a_later_file_is_blamed_for_another_value() -> None:
    places = {
        SWAPPINESS: "60",
        "/etc/sysctl.d/90-plan.conf": "vm.swappiness=10\n",
        "/etc/sysctl.d/99-database.conf": "# ours\nvm.swappiness = 60\n",
    }
    seen = verdict("swappiness", asked(SWAP_10), host(places))
    assert (seen.state, seen.decided) == ("overridden", "/etc/sysctl.d/99-database.conf")


def test_a_folder_hides_files_of_the_same_name_in_the_next_one() -> None:
    places = {
        SWAPPINESS: "60",
        "/usr/lib/sysctl.d/50.conf": "vm.swappiness=10\n",  # hidden, so nobody wrote 10
        "/etc/sysctl.d/50.conf": "vm.swappiness=60\n",
    }
    seen = verdict("swappiness", asked(SWAP_10), host(places))
    assert (seen.state, seen.decided) == ("differs", "/etc/sysctl.d/50.conf")


TUNED = "/etc/tuned/{}/tuned.conf"


@pytest.mark.parametrize(
    ("profiles", "version", "decided"),
    [
        # what an included profile sets has that as its author
        (
            {"ours": "[main]\ninclude=base\n", "base": "[sysctl]\nvm.swappiness=30\n"},
            "",
            TUNED.format("base"),
        ),
        (
            {"ours": "[main]\ninclude = a ; -base\n", "base": "[vm0]\ntype=sysctl\nvm.swappiness=30\n"},
            "",
            TUNED.format("base"),
        ),
        # the including profile counts more
        (
            {
                "ours": "[main]\ninclude=base\n[sysctl]\nvm.swappiness=30\n",
                "base": "[sysctl]\nvm.swappiness=30\n",
            },
            "",
            TUNED.format("ours"),
        ),
        # and may leave out what it includes
        (
            {"ours": "[main]\ninclude=base\n[sysctl]\nreplace=1\n", "base": "[sysctl]\nvm.swappiness=30\n"},
            "",
            "a program",
        ),
        (
            {
                "ours": "[main]\ninclude=base\n[sysctl]\ndrop=a, vm.swappiness\n",
                "base": "[sysctl]\nvm.swappiness=30\n",
            },
            "",
            "a program",
        ),
        # tuned merges before it sets anything: what another profile writes over, or switches off, nobody sets
        (
            {
                "ours": "[main]\ninclude=base\n[sysctl]\nvm.swappiness=20\n",
                "base": "[sysctl]\nvm.swappiness=30\n",
            },
            "",
            "a program",
        ),
        (
            {"ours": "[main]\ninclude=base\n[sysctl]\nenabled=0\n", "base": "[sysctl]\nvm.swappiness=30\n"},
            "",
            "a program",
        ),
        # profiles that include each other end
        (
            {"ours": "[main]\ninclude=base\n", "base": "[main]\ninclude=ours\n[sysctl]\nvm.swappiness=30\n"},
            "",
            TUNED.format("base"),
        ),
        # what tuned ships is not in a capture: throughput-performance has had 10 in all releases, and virtual-guest 30
        (
            {"ours": "[main]\ninclude=virtual-guest\n"},
            "tuned 2.24.1",
            "the profile virtual-guest that tuned ships",
        ),
        ({"ours": "[main]\ninclude=virtual-guest\n"}, "", "the profile virtual-guest that tuned ships"),
        ({"ours": "[main]\ninclude=throughput-performance\n"}, "tuned 2.24.1", "a program"),
    ],
)
def test_an_included_profile_is_blamed_for_what_it_sets(
    profiles: dict[str, str], version: str, decided: str
) -> None:
    places = {
        SWAPPINESS: "30",
        "/etc/sysctl.d/90-plan.conf": "vm.swappiness=10",
        "/etc/tuned/active_profile": "ours",
        **{TUNED.format(name): text for name, text in profiles.items()},
        **({"run tuned --version": version} if version else {}),
    }
    seen = verdict("swappiness", asked(SWAP_10), host(places))
    assert seen.state == "overridden"
    assert seen.decided.startswith(decided)


def test_the_active_profile_is_blamed_for_another_value() -> None:
    places = {
        SWAPPINESS: "30",
        "/etc/sysctl.d/90-plan.conf": "vm.swappiness=10",
        "/etc/tuned/active_profile": "database",
        "/etc/tuned/database/tuned.conf": "[main]\nsummary=x\n[sysctl]\nvm.swappiness=30\n",
    }
    seen = verdict("swappiness", asked(SWAP_10), host(places))
    assert (seen.state, seen.decided) == ("overridden", "/etc/tuned/database/tuned.conf")


@pytest.mark.parametrize(
    ("governors", "state", "reason"),
    [
        ({"performance": "0-7"}, "ok", ""),
        ({"powersave": "0-7"}, "differs", ""),
        (
            {"performance": "0-5,7", "powersave": "6"},
            "inconsistent",
            "performance on CPUs 0-5,7, powersave on CPU 6",
        ),
    ],
)
def test_every_cpu_counts(governors: dict[str, str], state: str, reason: str) -> None:
    plan = asked('set governor performance because "a test";')
    seen = verdict("governor", plan, host({GOVERNOR: governors}))
    assert (seen.state, seen.reason) == (state, reason)


def test_a_cpu_that_is_offline_does_not_count() -> None:
    places: dict[str, str | dict[str, str]] = {
        GOVERNOR: {"performance": "0-5", "powersave": "6-7"},
        "/sys/devices/system/cpu/present": "0-7",
        "/sys/devices/system/cpu/online": "0-5",
    }
    plan = asked('set governor performance because "a test";')
    assert verdict("governor", plan, host(places)).state == "ok"


def test_a_cpu_that_could_not_be_read_leaves_the_value_open() -> None:
    plan = asked('set governor performance because "a test";')
    capture = host({GOVERNOR: {"performance": "0-5"}}, {GOVERNOR: "failed"})
    assert verdict("governor", plan, capture).state == "unreadable"


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("ro quiet skew_tick=1", "ok"),
        ("ro skew-tick=1", "ok"),  # the kernel takes - for _
        ("ro quiet", "differs"),
        ("ro skew_tick=1 skew_tick=0", "differs"),  # the last one counts
        ("ro -- skew_tick=1", "differs"),  # what follows -- is not the kernel's
    ],
)
def test_an_argument_is_on_the_boot_line(line: str, state: str) -> None:
    seen = verdict("skew-tick", asked(SKEW), host({"/proc/cmdline": line}))
    assert (seen.state, seen.readings[0].kind) == (state, "configured")


def test_an_argument_of_the_next_boot_entry_waits() -> None:
    places = {
        "/proc/cmdline": "ro quiet",
        "run grubby --info=DEFAULT": 'args="ro quiet skew_tick=1"\n',
    }
    seen = verdict("skew-tick", asked(SKEW), host(places))
    assert (seen.state, seen.found, seen.pending) == ("pending", "absent", "skew_tick=1")
    assert seen.change == "restart the server"


def test_an_argument_that_the_next_boot_entry_lacks_is_a_difference_now() -> None:
    places = {
        "/proc/cmdline": "ro skew_tick=1",
        "run grubby --info=DEFAULT": 'args="ro"\n',
    }
    seen = verdict("skew-tick", asked(SKEW), host(places))
    assert (seen.state, seen.pending) == ("differs", "absent")


def test_an_argument_from_before_is_left_over() -> None:
    seen = verdict("idle-poll", asked(), host({"/proc/cmdline": "ro idle=poll"}))
    assert (seen.state, seen.found) == ("differs", "idle=poll")
    assert seen.reason == "left over: the plan leaves it at the kernel's default"


def test_an_argument_that_the_kernel_took_without_effect_is_overridden() -> None:
    plan = asked('set clock-source tsc because "a test";')
    places = {
        "/proc/cmdline": "ro clocksource=tsc",
        "/sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet\n",
    }
    seen = verdict("clock-source", plan, host(places))
    assert (seen.state, seen.decided) == ("overridden", "kernel")


@pytest.mark.parametrize(("latency", "state"), [("2", "ok"), ("0", "differs"), ("133", "differs")])
def test_an_idle_state_is_compared_by_its_latency_on_this_server(latency: str, state: str) -> None:
    idle = "/sys/devices/system/cpu/cpu*/cpuidle/state{}/{}"
    places = {
        idle.format(0, "name"): {"POLL": "0-3"},
        idle.format(0, "latency"): {"0": "0-3"},
        idle.format(1, "name"): {"C1": "0-3"},
        idle.format(1, "latency"): {"2": "0-3"},  # so C1 asks for 2 µs here
        "/sys/devices/system/cpu/cpu*/power/pm_qos_resume_latency_us": {latency: "0-3"},
    }
    plan = asked('set force-latency c1 because "a test";')
    assert verdict("force-latency", plan, host(places)).state == state
