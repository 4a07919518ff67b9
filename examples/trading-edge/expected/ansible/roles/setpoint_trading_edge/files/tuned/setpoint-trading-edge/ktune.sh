#!/bin/sh
# Policy trading-edge, for tuned 0.2 of Enterprise Linux 6: goal latency, workload comm-bound. The ktune service calls it with start and stop.
#
#   sh ktune.sh status    compare the running system with the plan
#
# Exit status of status: 0 as planned, 3 a difference.
#
# What was checked: shellcheck, and a run under dash with stand-ins for the functions of tuned. It has not been run on
# Enterprise Linux 6 itself.

# A system that is mounted elsewhere can be looked at through SETPOINT_ROOT.
root=${SETPOINT_ROOT:-}

# tuned's functions: those that start and stop call, and `process`, which calls start, stop or status.
# shellcheck source=/dev/null
. "$root/etc/tune-profiles/functions"

# tuned's daemon for a latency request: it holds one until it ends. It is part of tuned 0.2.22 and later.
pmqos=$root/usr/libexec/tuned/pmqos-static.py
pmqos_pid=$root/var/run/tuned/pmqos-static.pid

hold_latency() {
    if [ "$1" = none ]; then
        release_latency
    else
        "$pmqos" "cpu_dma_latency=$1"
    fi
}

release_latency() {
    "$pmqos" disable
}

# Whether the daemon holds a request for $1 us; for none, that there is no daemon.
expect_latency() {
    wanted=$1
    found=none
    pid=
    { read -r pid <"$pmqos_pid"; } 2>/dev/null || :
    if [ -n "$pid" ] && [ -r "$root/proc/$pid/cmdline" ]; then
        found=$(tr '\0' '\n' <"$root/proc/$pid/cmdline" | sed -n 's/^cpu_dma_latency=//p')
    fi
    if [ "$found" != "$wanted" ]; then
        printf 'pmqos-static.py: cpu_dma_latency %s is wanted, found: %s\n' "$wanted" "$found"
        differ=3
    fi
}

start() {
    # Longest exit latency of an idle state: c1 (tuned-el6, ktune.sh: pmqos-static.py cpu_dma_latency=1)
    hold_latency 1
    # Transparent huge pages: never (tuned-el6, ktune.sh: set_transparent_hugepages never)
    set_transparent_hugepages never
    return 0
}

stop() {
    restore_transparent_hugepages
    release_latency
    return 0
}

# Whether the files from $2 on hold $1. Of several words the one in brackets is in force: always madvise [never].
expect() {
    wanted=$1
    shift
    for file in "$@"; do
        { read -r found <"$file"; } 2>/dev/null || continue
        case $found in
            *"["*"]"*)
                found=${found#*"["}
                found=${found%%"]"*}
                ;;
        esac
        if [ "$found" != "$wanted" ]; then
            printf '%s: %s is wanted, found: %s\n' "${file#"$root"}" "$wanted" "$found"
            differ=3
        fi
    done
}

status() {
    differ=0
    expect_latency 1
    expect never "$root"/sys/kernel/mm/redhat_transparent_hugepage/enabled
    return "$differ"
}

process "$@"
