"""The role's layers on a host of a policy that names no Linux: one has grubby, and one has update-grub. And its boot
loader on SLES and Ubuntu.

Each system is made of folders, with stand-ins for what the scripts call there.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from consumers.ansible_run import RESTARTABLE, Run, play
from support import ansible_hosts
from support.ansible import R750, role_of
from support.ansible_hosts import Book


@pytest.fixture
def fedora(tmp_path: Path) -> Book:
    return ansible_hosts.fedora(tmp_path)


@pytest.fixture
def debian(tmp_path: Path) -> Book:
    return ansible_hosts.debian(tmp_path)


HOST = ("--tags", "boot,os")
DRIFT = "Set the tuned profile"


def test_where_there_is_grubby_the_role_uses_it(fedora: Book) -> None:
    before = fedora.system.files()
    checked = fedora.run("--check", "--diff", *HOST)
    assert checked.failed("host") == ""
    assert checked.changed("host") == ["Set the boot loader's entries", "Set the tuned profile"]
    assert fedora.system.files() == before

    first = fedora.run(*HOST)
    assert first.failed("host") == ""
    assert fedora.system.read("/state/kernels").split() == ["ro", "root=/dev/sda1", *_words(fedora)]
    assert fedora.system.read("/etc/tuned/profiles/setpoint-r750-any/tuned.conf").startswith(
        "# Policy r750-any"
    )
    assert fedora.calls()[-3:] == [
        "systemctl enable tuned",
        "systemctl start tuned",
        "profile setpoint-r750-any",
    ]

    again = fedora.run(*HOST)
    assert (again.failed("host"), again.changed("host")) == ("", [])


def test_where_there_is_update_grub_the_role_puts_a_drop_in(debian: Book) -> None:
    before = debian.system.files()
    checked = debian.run("--tags", "boot", "--check")
    assert checked.failed("host") == ""
    assert checked.changed("host") == ["Set the boot loader's entries"]
    assert "would run: update-grub" in checked.told("host", "Set the boot loader's entries")
    assert (debian.system.files(), debian.calls()) == (before, [])

    first = debian.run("--tags", "boot")
    assert first.failed("host") == ""
    lines = [line for line in debian.system.read("/boot/grub/grub.cfg").splitlines() if "root=" in line]
    assert [line.split()[3:] for line in lines] == [
        ["ro", *_words(debian), "quiet"],
        ["ro", "single", *_words(debian)],
    ]
    again = debian.run("--tags", "boot")
    assert (again.failed("host"), again.changed("host")) == ("", [])
    assert debian.calls() == ["update-grub"]


@pytest.mark.parametrize(("host", "menu"), [("sles", "grub2"), ("ubuntu", "grub")])
def test_the_boot_loader_of_a_system_that_is_named_is_set_proven_and_put_back(
    host: str, menu: str, tmp_path: Path
) -> None:
    """The whole way: a dry run, the entries, what waits, a restart, verify.yml, a second run, and rollback.yml."""
    book: Book = getattr(ansible_hosts, host)(tmp_path)
    system, before = book.system, _boot_files(book)
    checked = book.run("--check", *BOOT)
    assert (checked.failed("host"), checked.changed("host")) == ("", ["Set the boot loader's entries"])
    assert _boot_files(book) == before
    first = book.run(*BOOT)
    assert (first.failed("host"), first.changed("host")) == ("", ["Set the boot loader's entries"])
    lines = _entries(system.read(f"/boot/{menu}/grub.cfg"))
    assert all({*_words(book)} <= {*line.split()} for line in lines)
    assert not any("intel_idle.max_cstate=9" in line for line in lines)
    assert "skew_tick pending" in book.run(*BOOT, book="verify.yml").failed("host").replace("-", "_")

    system.put("/proc/cmdline", f"BOOT_IMAGE={lines[0].partition(' ')[2]}\n")
    system.put("/proc/sys/kernel/random/boot_id", "second\n")
    assert book.run(*BOOT, book="verify.yml").failed("host") == ""
    again = book.run(*BOOT)
    assert (again.failed("host"), again.changed("host")) == ("", [])

    back = book.run(*BOOT, book="rollback.yml")
    assert (back.failed("host"), _boot_files(book)) == ("", before)


BOOT = ("--tags", "boot")


def _boot_files(book: Book) -> dict[str, bytes]:
    """What a boot loader is told, without what Setpoint keeps."""
    return {
        path: text
        for path, text in book.system.files().items()
        if path.startswith(("boot", "etc/default", "etc/sysconfig"))
    }


def _entries(menu: str) -> list[str]:
    """The lines of the kernels, without those for rescue."""
    lines = (line.strip() for line in menu.splitlines())
    return [line for line in lines if "root=" in line and "single" not in line]


def test_a_role_that_was_moved_without_what_it_runs_changes_nothing(debian: Book) -> None:
    """With the folders that it names in its files it is as in its bundle."""
    site = debian.ansible.parent / "elsewhere/site"
    shutil.copytree(debian.ansible, site)
    moved = debian._replace(ansible=site)
    before = moved.system.files()
    for book in ("site.yml", "verify.yml"):
        failed = moved.run("--tags", "boot", book=book).failed("host")
        assert (
            "Nothing was changed: host/setpoint-host, kernel-args/kernel-args.plan, tuned/tuned.plan of the bundle"
            in failed
        )
        assert "; cp -r host kernel-args tuned /" in failed
    assert (moved.system.files(), moved.calls()) == (before, [])
    (role,) = site.glob("roles/*")
    for folder in ("host", "kernel-args", "tuned"):
        shutil.copytree(debian.ansible.parent / folder, role / "files" / folder)
    done = moved.run("--tags", "boot")
    assert (done.failed("host"), moved.calls()) == ("", ["update-grub"])


def test_the_program_is_sent_once_and_run_only_as_it_is_in_the_bundle(debian: Book) -> None:
    """It is kept under its digest. One that somebody has changed is not run, and sent anew."""
    home, system = debian.system.root.parent / "home", debian.system

    def run() -> Run:
        book = debian.ansible / "site.yml"
        return play(book, {"host": {}}, home, "--tags", "boot", system=system, in_process=False)

    assert run().failed("host") == ""
    (kept,) = (home / ".ansible/tmp").glob("setpoint-host.*")
    program = (debian.ansible.parent / "host/setpoint-host").read_bytes()
    assert kept.read_bytes() == program
    kept.write_text(f"touch {system.root}/owned\n", encoding="utf-8")
    again = run()
    assert (again.failed("host"), again.changed("host")) == ("", [])
    assert not (system.root / "owned").exists()
    assert kept.read_bytes() == program


def test_two_roles_in_a_playbook_each_take_the_plans_of_their_own_bundle(
    debian: Book, tmp_path: Path
) -> None:
    """Ansible has one plugin of a name for all roles."""
    other = role_of(R750.replace("r750-any", "other").replace("latency;", "throughput;"), tmp_path / "other")
    both = debian.ansible / "both.yml"
    books = (f"- ansible.builtin.import_playbook: {folder}/site.yml\n" for folder in (debian.ansible, other))
    both.write_text("".join(books), encoding="utf-8")
    (role,) = (each.name for each in (other / "roles").iterdir())
    groups = {role: ["host"]}
    ran = play(
        both, {"host": {}}, tmp_path / "home", "--tags", "os", "--check", system=debian.system, groups=groups
    )
    told = [task.message for task in ran.tasks["host"] if task.name == "Set the tuned profile"]
    assert [text.split("profile /etc/tuned/")[1].split()[0] for text in told] == [
        "setpoint-r750-any",
        "setpoint-other",
    ]


def _words(book: Book) -> list[str]:
    """The arguments of the policy."""
    plan = (book.ansible.parent / "kernel-args/kernel-args.plan").read_text(encoding="utf-8")
    return [line.split()[2] for line in plan.splitlines() if line.startswith("have ")]


def test_an_update_grub_that_does_nothing_is_found_out(debian: Book) -> None:
    debian.system.put("/state/deaf", "")
    run = debian.run("--tags", "boot")
    assert "update-grub reported success, but" in run.failed("host")
    assert "all is as it was before this run" in run.failed("host")


def test_a_later_drop_in_that_says_otherwise_is_found_out(debian: Book) -> None:
    """The kernel takes the last of a name, and GRUB_CMDLINE_LINUX_DEFAULT comes last."""
    debian.system.put(
        "/etc/default/grub.d/99-local.cfg", "GRUB_CMDLINE_LINUX_DEFAULT='intel_idle.max_cstate=9'\n"
    )
    failed = debian.run("--tags", "boot").failed("host")
    assert "update-grub reported success, but" in failed
    assert "found: intel_idle.max_cstate=9" in failed


def test_a_tuned_that_cannot_keep_the_profile_is_found_out(debian: Book) -> None:
    debian.system.put("/state/deaf", "")
    failed = debian.run("--tags", "os").failed("host")
    assert failed.startswith("Set the tuned profile") and "nobody asks for 3 us" in failed


def test_a_profile_that_something_else_has_changed_is_activated_again(fedora: Book) -> None:
    """It is active, and what it sets is not in force."""
    assert fedora.run("--tags", "os").failed("host") == ""
    fedora.system.hold_latency(2000000000)
    before = fedora.system.files()
    checked = fedora.run("--tags", "os", "--check")
    assert (checked.failed("host"), checked.changed("host")) == ("", [DRIFT])
    assert "nobody asks for 3 us" in checked.told("host", "Set the tuned profile")
    assert (fedora.system.files(), fedora.calls().count("profile setpoint-r750-any")) == (before, 1)

    mended = fedora.run("--tags", "os")
    assert mended.failed("host") == ""
    assert fedora.calls().count("profile setpoint-r750-any") == 2
    assert fedora.run("--tags", "os").changed("host") == []


def test_a_host_that_runs_from_an_image_is_left_alone(fedora: Book) -> None:
    fedora.system.put("/run/ostree-booted", "")
    run = fedora.run("--tags", "boot")
    assert "put kernel-args/kargs.d/50-setpoint.toml of the bundle into the image" in run.failed("host")
    assert set(fedora.calls()) <= {"--info=ALL"}, "it is read, for the report, and not set"
    fedora.system.put("/proc/cmdline", f"ro {' '.join(_words(fedora))}\n")
    assert fedora.run("--tags", "boot").failed("host") == ""


def test_a_layer_that_is_not_asked_for_asks_for_nothing(fedora: Book) -> None:
    """The BMC's account is needed for the BIOS alone; without one that fails before anything is asked."""
    run = fedora.run("--tags", "firmware")
    assert "setpoint_bmc_host, setpoint_bmc_user and setpoint_bmc_password" in run.failed("host")


def test_a_restart_for_one_layer_asks_nothing_of_the_others(fedora: Book) -> None:
    """Neither before it nor after it: not of the BMC, to which there is no account, and not of tuned."""
    chosen = {"--tags": "boot", "--skip-tags": "firmware,os"}
    for option, layers in chosen.items():
        for without in ("/state/kernels", "/proc/cmdline"):
            fedora.system.put(without, "ro root=/dev/sda1 quiet\n")
        run = fedora.run(option, layers, setpoint_reboot=True, **RESTARTABLE)
        assert run.failed("host") == ""
        done = [task.name for task in run.tasks["host"]]
        restarted = done.index("Restart through the operating system")
        assert [name for name in done[restarted + 1 :] if name.startswith("Compare")] == [
            "Compare the running kernel with the policy"
        ]
        assert fedora.calls().count("shutdown -r") == list(chosen).index(option) + 1
        assert "tuned-adm" not in run.said


# --------------------------------------------------------------------------------------------------------- the way back


def test_a_rollback_takes_back_what_this_roll_out_has_changed(fedora: Book, tmp_path: Path) -> None:
    """Two folders of the controller have a roll-out each. The second finds everything as the policy has it."""
    before = fedora.system.read("/state/kernels")
    second = fedora._replace(ansible=role_of(R750, tmp_path / "second"))
    never = fedora._replace(ansible=role_of(R750, tmp_path / "never"))
    assert fedora.run(*HOST).failed("host") == ""
    assert second.run(*HOST).changed("host") == []
    set_up = _set_up(fedora)

    back = second.run(*HOST, book="rollback.yml")
    assert (back.failed("host"), back.changed("host")) == ("", [])
    assert (_set_up(fedora), fedora.calls().count("profile setpoint-r750-any")) == (set_up, 1)
    assert "has not been rolled out to this server" in never.run(*HOST, book="rollback.yml").failed("host")
    assert _set_up(fedora) == set_up

    back = fedora.run(*HOST, book="rollback.yml")
    assert back.failed("host") == ""
    assert back.changed("host") == [
        "Restore the boot loader's entries",
        "Restore the tuned profile",
    ]
    assert fedora.system.read("/state/kernels") == before
    assert "etc/tuned/profiles/setpoint-r750-any/tuned.conf" not in fedora.system.files()


def test_a_plan_that_changed_nothing_takes_back_nothing(fedora: Book) -> None:
    """A policy that is compiled anew is a roll-out of its own, though the name that the controller keeps is the
    same."""
    assert fedora.run(*HOST).failed("host") == ""
    (plan,) = fedora.ansible.glob("roles/*/vars/plans/*.yml")
    text = plan.read_text(encoding="utf-8")
    plan.write_text(text.replace("  digest: ", "  digest: 0"), encoding="utf-8")
    assert plan.read_text(encoding="utf-8") != text
    assert fedora.run(*HOST).changed("host") == []
    set_up = _set_up(fedora)
    for _ in range(2):
        back = fedora.run(*HOST, book="rollback.yml")
        assert (back.failed("host"), back.changed("host")) == ("", [])
        assert _set_up(fedora) == set_up


def _set_up(book: Book) -> dict[str, bytes]:
    """The files of the system, with what the scripts keep, but for the notes of who has a lock."""
    return {name: text for name, text in book.system.files().items() if not name.endswith(".lock")}
