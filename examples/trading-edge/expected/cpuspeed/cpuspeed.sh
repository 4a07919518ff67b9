#!/bin/sh
# Switch the cpuspeed service off, now and from the next start on: policy trading-edge, Enterprise Linux 5 and 6.
#
# cpuspeed service: off; Maximum Performance overrides OS services, and APC scales the frequency without the operating system (dell-11g-hpc, Table 4)
#
#   sh cpuspeed.sh             change what differs
#   sh cpuspeed.sh --dry-run   say what would be changed
#   sh cpuspeed.sh --verify    compare the server with the plan
#
# To roll back: chkconfig cpuspeed on; service cpuspeed start
#
# Exit status: 0 as planned or done, 2 usage, 3 --verify found a difference, 4 the service did not do as told, or nobody can
# tell how it stands (chkconfig or service is missing, or fails), 5 this is not a server that the policy is for.
# SETPOINT_IGNORE names checks of the server to pass over ("product sockets").
#
# What was checked: shellcheck, and runs under dash with stand-ins for chkconfig and service. It has not been run on
# Enterprise Linux 5 or 6 itself.

set -u
PATH=$PATH:/sbin:/usr/sbin

# What chkconfig calls it, what `service` is told, and what is said of it.
wanted=off
order=stop

say() { printf 'cpuspeed: %s\n' "$*"; }

cannot_tell() {
    say "cannot tell how the service stands: $*" >&2
    exit 4
}

# How the service stands: its runlevels, whether it runs, and whether it is there at all. A server that has no such service
# has it as good as off; one that has no chkconfig may have it all the same.
look() {
    for program in chkconfig service; do
        command -v "$program" >/dev/null || cannot_tell "there is no $program here"
    done
    installed=yes state=off
    levels=$(LC_ALL=C chkconfig --list cpuspeed 2>&1) || case $levels in
        *'No such file or directory'*)
            installed=''
            return
            ;;
        *) cannot_tell "chkconfig says: $levels" ;;
    esac
    service cpuspeed status >/dev/null 2>&1
    case $? in
        0) state=on ;;
        4 | 126 | 127) cannot_tell "service cpuspeed status fails" ;;
    esac
}

# Whether it is to be on (off) at the next start: in runlevels 2 to 5, which are those that chkconfig changes.
settled() {
    for level in 2 3 4 5; do
        case $levels in
            *"$level:$wanted"*) ;;
            *) return 1 ;;
        esac
    done
}

# Whether it is on (off) now.
in_state() { [ "$state" = "$wanted" ]; }

differences() {
    if [ -z "$installed" ]; then
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
    look
    todo=$(differences)
    if [ -z "$todo" ]; then
        say "nothing to change"
        return
    fi
    printf '%s\n' "$todo"
    [ -n "$installed" ] || exit 4
    settled || change chkconfig cpuspeed "$wanted"
    in_state || change service cpuspeed "$order"
    [ -z "$dry" ] || return 0
    look
    todo=$(differences)
    if [ -n "$todo" ]; then
        printf '%s\n' "$todo" >&2
        say "the service did not do as told: does the firmware leave the frequency to the operating system?" >&2
        exit 4
    fi
}

verify() {
    look
    found=$(differences)
    if [ -n "$found" ]; then
        printf '%s\n' "$found"
        exit 3
    fi
    if [ -n "$installed" ]; then say "is $wanted, as planned"; else say "is not installed, as good as off"; fi
}

# ------------------------------------------------------------------------------ is this a server that the policy is for?
# must_report WHAT FACT VALUE VERB ACCEPTED...     5.6+ is this version or a later one
# SETPOINT_IGNORE names the checks to pass over, such as "product sockets"; SETPOINT_ROOT a system that is mounted elsewhere.

identity() {
    must_report product platform r710 states 'PowerEdge R710'
    must_report sockets sockets 2 states '2'
    must_report system os rhel-6 states 'Linux'
    must_report distribution os rhel-6 states 'Red Hat Enterprise Linux Server release 6' 'CentOS release 6' 'Scientific Linux release 6'
    # nothing to compare: the kernel of os rhel-6
}

# What this server reports as $1, in $reported; nothing if it does not.
report_of() {
    reported=
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

# Whether what is reported as $1 is $2: a release and a kernel may go on behind it.
accepts() {
    case $1:$2 in
        kernel:*+) not_before "$reported" "${2%+}" ;;
        kernel:*) case $reported in "$2" | "$2".* | "$2"-*) ;; *) return 1 ;; esac ;;
        distribution:*) case $reported in "$2" | "$2".* | "$2 "*) ;; *) return 1 ;; esac ;;
        *) [ "$reported" = "$2" ] ;;
    esac
}

must_report() {
    what=$1 fact=$2 value=$3 verb=$4
    shift 4
    case " ${SETPOINT_IGNORE-} " in *" $what "*) return 0 ;; esac
    report_of "$what"
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
    printf 'this server reports %s, and the policy %s: state %s and compile again\n' \
        "$it_reports" "$policy_says" "$right" >&2
}

# Whether this is such a server; 5 if not, and 2 if a check is to be passed over that there is not.
is_the_server() {
    identity_root=${SETPOINT_ROOT:-} unlike=''
    for name in ${SETPOINT_IGNORE-}; do
        case $name in
            product | sockets | system | distribution | kernel) ;;
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

dry=
is_the_server || exit
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
