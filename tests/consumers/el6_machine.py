"""A server of Enterprise Linux 6 with tuned 0.2, in a folder: what `el6_stand_in` finds and changes there.

    build(root)
    picture(root)

`build` puts the files that the packages tuned, initscripts and chkconfig have, a profile of the site's own, and the
live values of the kernel. No profile is active yet, and no service is in a runlevel: `begin` has the commands for both.
"""

from __future__ import annotations

from pathlib import Path

STAND_IN = Path(__file__).resolve().parent / "el6_stand_in"
GOVERNOR = "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
THP = "sys/kernel/mm/redhat_transparent_hugepage/enabled"
SWAPPINESS = "proc/sys/vm/swappiness"
LIVE = {GOVERNOR: "ondemand", THP: "[always] madvise never", SWAPPINESS: "40",
        "proc/sys/vm/dirty_ratio": "30", "proc/sys/vm/dirty_background_ratio": "5"}  # fmt: skip

FUNCTIONS = """\
governor=$root/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor
thp=$root/sys/kernel/mm/redhat_transparent_hugepage/enabled
set_cpu_governor() { cat "$governor" >"$root/var/run/tuned/governor"; echo "$1" >"$governor"; }
restore_cpu_governor() { cat "$root/var/run/tuned/governor" >"$governor"; }
set_transparent_hugepages() { cat "$thp" >"$root/var/run/tuned/thp"; echo "always madvise [$1]" >"$thp"; }
restore_transparent_hugepages() { cat "$root/var/run/tuned/thp" >"$thp"; }
process() {
    case $1 in
        start) [ -f "$root/var/lock/subsys/ktune" ] && exit 0 ;;
        stop) [ -f "$root/var/lock/subsys/ktune" ] || exit 0 ;;
    esac
    "$1"
    exit $?
}
"""
"""Functions that tuned brings for ktune.sh: they keep what they found, and the lock of ktune says whether it is on."""

PMQOS = """\
#!/bin/sh
root=${0%/usr/libexec/tuned/*} pid=
read -r pid <"$root/var/run/tuned/pmqos-static.pid" 2>/dev/null
[ -z "$pid" ] || rm -r "$root/var/run/tuned/pmqos-static.pid" "$root/proc/$pid"
if [ "$1" != disable ]; then
    mkdir "$root/proc/4711"
    printf 'python\\0pmqos-static.py\\0%s\\0' "$1" >"$root/proc/4711/cmdline"
    printf 4711 >"$root/var/run/tuned/pmqos-static.pid"
fi
"""
SITE = {
    "tuned.conf": "[main]\n",
    "ktune.sysconfig": 'USE_KTUNE_D="yes"\n',
    "sysctl.ktune": "vm.swappiness = 10\n",
    "ktune.sh": '#!/bin/sh\nroot=$SETPOINT_ROOT\n. "$root/etc/tune-profiles/functions"\n'
    "start() { set_cpu_governor powersave; }\nstop() { restore_cpu_governor; }\n"
    'process "$@"\n',
}
"""A profile of the site's own."""

BY_SERVICE = """\
#!/bin/sh
case " $* " in
    *' cpuspeed '*) exec {folder}/cpuspeed/{name} "$@" ;;
    *) exec {folder}/others/{name} "$@" ;;
esac
"""
"""chkconfig and service: cpuspeed has a stand-in of its own."""

FOLDERS = ("etc/ktune.d", "var/run/tuned", "var/lock/subsys", "fake", "etc/tune-profiles/default")


def build(root: Path, *, is_last: bool = True) -> None:
    """Put the files of such a server in a folder; `is_last` for the last release of tuned 0.2, which is 0.2.22."""
    for path in (*FOLDERS, *(f"etc/rc.d/rc{level}.d" for level in range(7))):
        (root / path).mkdir(parents=True, exist_ok=True)
    if is_last:
        (root / "fake/release").touch()
    files = {f"etc/tune-profiles/site/{name}": text for name, text in SITE.items()}
    files |= {f"etc/tune-profiles/default/{name}": f"# {name}\n" for name in SITE if name != "ktune.sh"}
    files |= {path: f"{text}\n" for path, text in LIVE.items()}
    files |= {
        "etc/sysconfig/ktune": 'SYSCTL="/etc/sysctl.ktune"\nUSE_KTUNE_D="yes"\n',
        "etc/sysctl.ktune": "vm.dirty_ratio = 25\n",
        "etc/tune-profiles/functions": FUNCTIONS,
        "etc/tune-profiles/active-profile": "off",
        "usr/libexec/tuned/pmqos-static.py": PMQOS,
    }
    for path, text in files.items():
        put(root, path, text)
    # As the package has it.
    (root / "etc/tuned.conf").symlink_to(root / "etc/tune-profiles/default/tuned.conf")


def begin(active: str) -> tuple[str, ...]:
    """Commands that add the services, and activate a profile; "" for none."""
    return (
        "chkconfig --add ktune",
        "chkconfig --add tuned",
        "tuned-adm off",
        *([f"tuned-adm profile {active}"] if active else []),
    )


def put(root: Path, path: str, text: str) -> None:
    """Write a file of the server."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755 if path.endswith((".sh", ".py")) else 0o644)


def picture(root: Path) -> dict[str, object]:
    """Links, files and modes of /etc, whether the services run, with what, and all live values."""
    found: dict[str, object] = {}
    for top in ("etc", "proc", "sys", "var/lock"):
        for path in (root / top).rglob("*"):
            name = str(path.relative_to(root))
            if path.is_symlink():
                found[name] = str(path.readlink())
            elif path.is_file():
                found[name] = (path.read_bytes(), path.stat().st_mode)
    return found
