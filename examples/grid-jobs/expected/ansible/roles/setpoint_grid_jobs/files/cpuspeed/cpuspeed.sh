#!/bin/sh
# Switch the cpuspeed service off, now and from the next start on: policy grid-jobs, Enterprise Linux 5 and 6.
#
# cpuspeed service: off; Maximum Performance overrides OS services, and APC scales the frequency without the operating system (dell-11g-hpc, Table 4)
#
#   sh cpuspeed.sh             change what differs
#   sh cpuspeed.sh --dry-run   say what would be changed
#   sh cpuspeed.sh --verify    compare the server with the plan
#
# To roll back: chkconfig cpuspeed on; service cpuspeed start
#
# Exit status: 0 as planned or done, 2 usage, 3 --verify found a difference, 4 the service did not do as told.
#
# What was checked: shellcheck, and runs under dash with stand-ins for chkconfig and service. It has not been run on
# Enterprise Linux 5 or 6 itself.

set -u
PATH=$PATH:/sbin:/usr/sbin

# What chkconfig calls it, what `service` is told, and what is said of it.
wanted=off
order=stop

say() { printf 'cpuspeed: %s\n' "$*"; }

# Whether the service is there at all. A server without it has it as good as off.
present() { LC_ALL=C chkconfig --list cpuspeed >/dev/null 2>&1; }

# Whether it is to be on (off) at the next start: in runlevels 2 to 5, which are those that chkconfig changes.
settled() {
    levels=$(LC_ALL=C chkconfig --list cpuspeed)
    for level in 2 3 4 5; do
        case $levels in
            *"$level:$wanted"*) ;;
            *) return 1 ;;
        esac
    done
}

# Whether it is on (off) now.
in_state() {
    if service cpuspeed status >/dev/null 2>&1; then state=on; else state=off; fi
    [ "$state" = "$wanted" ]
}

differences() {
    if ! present; then
        [ "$wanted" = off ] || say "is to be on, and is not installed"
        return
    fi
    settled || say "is to be $wanted in runlevels 2 to 5, found: $levels"
    in_state || say "is to be $wanted now, found: $state"
}

change() {
    if [ -n "$dry" ]; then
        say "would run: $*"
    elif ! "$@"; then
        say "failed: $*" >&2
        exit 4
    fi
}

apply() {
    todo=$(differences)
    if [ -z "$todo" ]; then
        say "nothing to change"
        return
    fi
    printf '%s\n' "$todo"
    present || exit 4
    settled || change chkconfig cpuspeed "$wanted"
    in_state || change service cpuspeed "$order"
    [ -z "$dry" ] || return 0
    todo=$(differences)
    if [ -n "$todo" ]; then
        printf '%s\n' "$todo" >&2
        say "the service did not do as told: does the firmware leave the frequency to the operating system?" >&2
        exit 4
    fi
}

verify() {
    found=$(differences)
    if [ -n "$found" ]; then
        printf '%s\n' "$found"
        exit 3
    fi
    say "is $wanted, as planned"
}

dry=
case $#:${1-} in
    0:) apply ;;
    1:--dry-run)
        dry=yes
        apply
        ;;
    1:--verify) verify ;;
    *)
        say "usage: sh cpuspeed.sh [--dry-run | --verify]" >&2
        exit 2
        ;;
esac
