#!/bin/sh
# Policy trading-edge, for tuned 0.2 of Enterprise Linux 6: goal latency, workload comm-bound. The ktune service calls it with start and stop.
#
# On a server that the policy is not for, start does nothing, and ends with 5. SETPOINT_IGNORE names checks of the server to
# pass over ("product sockets"). `setpoint-host verify` compares the running system with the plan.
#
# What was checked: shellcheck, and a run under dash with stand-ins for the functions of tuned. It has not been run on
# Enterprise Linux 6 itself.

# Checks that setpoint-host was told to pass over when it installed the profile.
ignored=''
SETPOINT_IGNORE=${SETPOINT_IGNORE-$ignored}

# A system that is mounted elsewhere can be looked at through SETPOINT_ROOT.
root=${SETPOINT_ROOT:-}

# tuned's functions: those that start and stop call, and `process`, which calls start or stop.
# shellcheck source=/dev/null
. "$root/etc/tune-profiles/functions"

# tuned's daemon for a latency request: it holds one until it ends. It is part of tuned 0.2.22 and later.
pmqos=$root/usr/libexec/tuned/pmqos-static.py

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

# The checks of the server that the policy is for.
identity() {
    must_report product platform r710 states 'PowerEdge R710'
    must_report sockets sockets 2 states '2'
    must_report system os rhel-6 states 'Linux'
    must_report distribution os rhel-6 states 'Red Hat Enterprise Linux Server release 6' 'CentOS release 6' 'Scientific Linux release 6'
    # nothing to compare: the kernel of os rhel-6
}
report_of=server_reports other_checks=''

# What this server reports as $1, in $reported; nothing if it does not.
server_reports() {
    reported='' identity_root=${SETPOINT_ROOT:-}
    case $1 in
        product)
            { read -r reported <"$identity_root/sys/class/dmi/id/product_name"; } 2>/dev/null || :
            if [ -z "$reported$identity_root" ] && command -v dmidecode >/dev/null; then
                reported=$(dmidecode -s system-product-name 2>/dev/null | sed -n '/^[^#]/{s/ *$//p;q;}')
            fi
            ;;
        sockets)
            reported=$(
                set +f
                cat "$identity_root"/sys/devices/system/cpu/cpu[0-9]*/topology/physical_package_id 2>/dev/null |
                    sort -u | grep -c '^[0-9]'
            ) || reported=
            ;;
        system) { read -r reported <"$identity_root/proc/sys/kernel/ostype"; } 2>/dev/null || : ;;
        kernel) { read -r reported <"$identity_root/proc/sys/kernel/osrelease"; } 2>/dev/null || : ;;
        distribution)
            for release in etc/os-release usr/lib/os-release; do
                [ -s "$identity_root/$release" ] || continue
                reported="$(release_field ID) $(release_field VERSION_ID)"
                reported=${reported% }
                return
            done
            { read -r reported <"$identity_root/etc/redhat-release"; } 2>/dev/null || :
            ;;
    esac
}

# A field of the os-release file. The file is shell, and is not run.
release_field() {
    sed -n "s/^$1=//p" "$identity_root/$release" | tr -d "\"'" | head -n 1
}

# ------------------------------------------------------------------------------ is this a server that the policy is for?

# What the server reports, compared with what it must report: `is_the_server || exit`.
#
#   must_report WHAT FACT VALUE VERB ACCEPTED...
#                        a check; 5.6+ is this version or a later one, and without any nothing can be compared
#   is_the_server        whether this is such a server: 5 if not, 2 if SETPOINT_IGNORE has a check that there is not
#
# The script has a function `identity` that makes the checks. It sets $report_of, the function that asks for a report (server.sh has one), and
# $other_checks, more words that SETPOINT_IGNORE may have, for checks of its own. SETPOINT_IGNORE names the checks to pass over, such as "product sockets"; SETPOINT_ROOT a system that is mounted elsewhere.

# Whether version $1 is $2 or later, number by number.
not_before() {
    is=$1 least=$2
    while [ -n "$least" ]; do
        number=${is%%.*}
        number=${number%%[!0-9]*}
        [ "${number:-0}" -eq "${least%%.*}" ] || break
        case $is in *.*) is=${is#*.} ;; *) is=0 ;; esac
        case $least in *.*) least=${least#*.} ;; *) return 0 ;; esac
    done
    [ "${number:-0}" -gt "${least%%.*}" ]
}

# Whether what is reported as $1 is $2: a release and a kernel may go on behind it, and so may a product behind `*`.
accepts() {
    case $1:$2 in
        kernel:*+) not_before "$reported" "${2%+}" ;;
        kernel:*) case $reported in "$2" | "$2".* | "$2"-*) ;; *) return 1 ;; esac ;;
        distribution:*) case $reported in "$2" | "$2".* | "$2 "*) ;; *) return 1 ;; esac ;;
        product:*"*") case $reported in "${2%?}"*) ;; *) return 1 ;; esac ;;
        *) [ "$reported" = "$2" ] ;;
    esac
}

must_report() {
    what=$1 fact=$2 value=$3 verb=$4
    shift 4
    case " ${SETPOINT_IGNORE-} " in *" $what "*) return 0 ;; esac
    if [ $# -eq 0 ]; then
        unlike="${unlike:+$unlike }$what"
        reported="no source shows which $what $fact $value reports, so that nothing can be compared"
        unlike_because="${unlike_because:+$unlike_because; }$reported"
        printf '%s: make sure yourself that this is one\n' "$reported" >&2
        return
    fi
    "$report_of" "$what"
    wanted_reports=
    for name in "$@"; do
        if [ -n "$reported" ] && accepts "$what" "$name"; then return 0; fi
        case $name in *+) name="${name%+} or later" ;; esac
        wanted_reports="${wanted_reports:+$wanted_reports or }$name"
    done
    unlike="${unlike:+$unlike }$what"
    case $what in
        sockets)
            right="\"$fact ${reported:-N}\"" policy_says="$verb $value"
            if [ "$reported" = 1 ]; then it_reports="1 processor socket"; else it_reports="${reported:-no} processor sockets"; fi
            ;;
        *)
            right="the right $fact" policy_says="$verb $fact $value ($wanted_reports)"
            if [ -n "$reported" ]; then it_reports="the $what $reported"; else it_reports="no $what"; fi
            ;;
    esac
    unlike_because="${unlike_because:+$unlike_because; }this server reports $it_reports, and the policy $policy_says"
    printf 'this server reports %s, and the policy %s: state %s and compile again\n' \
        "$it_reports" "$policy_says" "$right" >&2
}

# Whether this is such a server; 5 if not, with the reason in $unlike_because, and 2 if a check is to be passed over that
# there is not.
is_the_server() {
    unlike='' unlike_because=''
    for name in ${SETPOINT_IGNORE-}; do
        case " product sockets system distribution kernel $other_checks " in
            *" $name "*) ;;
            *)
                printf 'SETPOINT_IGNORE: there is no check %s\n' "$name" >&2
                return 2
                ;;
        esac
    done
    identity
    [ -n "$unlike" ] || return 0
    printf 'Nothing was changed. If this is the server that was meant: SETPOINT_IGNORE="%s"\n' "$unlike" >&2
    return 5
}


start() {
    is_the_server || return
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

process "$@"
