#!/bin/sh
# Switch the cpuspeed service off, now and from the next start on: policy trading-edge, Enterprise Linux 5 and 6.
#
# cpuspeed service: off; Maximum Performance overrides OS services, and APC scales the frequency without the operating system (dell-11g-hpc, Table 4)
#
#   sh cpuspeed.sh             change what differs
#   sh cpuspeed.sh --dry-run   say what would be changed
#   sh cpuspeed.sh --verify    compare the server with the plan; with --json, print that as JSON
#
# To roll back: chkconfig cpuspeed on; service cpuspeed start
#
# Exit status: 0 as planned or done, 2 usage, 3 --verify found a difference, 4 the service did not change, or its state is
# unknown (chkconfig or service is missing, or fails), 5 the policy is not for this server.
# SETPOINT_IGNORE names checks of the server to skip ("product sockets").
#
# What was checked: shellcheck, and runs under dash with stand-ins for chkconfig and service. It has not been run on
# Enterprise Linux 5 or 6 itself.

set -u
PATH=$PATH:/sbin:/usr/sbin

# The state in chkconfig, the command for `service`, and the words of the messages.
wanted=off
order=stop

say() { printf 'cpuspeed: %s\n' "$*"; }

# ------------------------------------------------------------------------------------------- the report as JSON

# `--verify --json` collects a result for each setting while the script compares, and prints all of them at its end in
# form setpoint.verify/1.
#
#   report SETTING LAYER STATE WANTED FOUND PENDING REASON
#                          collect a result; an empty FOUND or PENDING is null
#   print_report POLICY    print what was collected, a line for each result; 4 if that cannot be
#   report_status          0 all is as wanted; 3 something differs, is pending or locked; else 4, something is unreadable
#
# STATE is ok, pending, differs, locked, unreadable or not-applicable. Any text may hold any byte but NUL: what is no
# UTF-8 becomes U+FFFD. SETPOINT_HOST names the host, if not `uname -n`. Needs od and awk.

report_bytes='' report_worst=0

# The arguments as hexadecimal numbers, a byte each; a zero ends each argument.
report_hex() { printf '%s\000' "$@" | od -An -v -tx1; }

report() {
    case $3 in
        differs | pending | locked) report_worst=3 ;;
        unreadable) [ "$report_worst" -ne 0 ] || report_worst=4 ;;
    esac
    report_bytes="$report_bytes
$(report_hex "$1" "$2" "$4" "$5" "$6" "$3" "$7")"
}

report_status() { return "$report_worst"; }

print_report() {
    for program in od awk; do
        command -v "$program" >/dev/null && continue
        echo "there is no $program on this server: JSON cannot be printed" >&2
        return 4
    done
    {
        report_hex "${SETPOINT_HOST:-$(uname -n)}" "$1"
        printf '%s\n' "$report_bytes"
    } | LC_ALL=C awk '
        # A code point as JSON, in ASCII.
        function put(code) {
            if (code == 34) text = text "\\\""
            else if (code == 92) text = text "\\\\"
            else if (code >= 32 && code < 127) text = text sprintf("%c", code)
            else if (code < 65536) text = text sprintf("\\u%04x", code)
            else {
                code -= 65536
                text = text sprintf("\\u%04x\\u%04x", 55296 + int(code / 1024), 56320 + code % 1024)
            }
        }

        # A byte that begins a character, or none.
        function begin(byte) {
            low = 128
            high = 191
            if (byte < 128) put(byte)
            else if (byte >= 194 && byte <= 223) { missing = 1; point = byte - 192 }
            else if (byte >= 224 && byte <= 239) {
                missing = 2
                point = byte - 224
                if (byte == 224) low = 160
                if (byte == 237) high = 159
            } else if (byte >= 240 && byte <= 244) {
                missing = 3
                point = byte - 240
                if (byte == 240) low = 144
                if (byte == 244) high = 143
            } else put(65533)
        }

        function take(byte) {
            if (missing && byte >= low && byte <= high) {
                low = 128
                high = 191
                point = point * 64 + byte - 128
                if (--missing == 0) put(point)
                return
            }
            if (missing) put(65533)
            missing = 0
            if (byte) begin(byte)
        }

        BEGIN { for (i = 0; i < 256; i++) number[sprintf("%02x", i)] = i }

        {
            for (i = 1; i <= NF; i++) {
                take(number[$i])
                if (number[$i] == 0) {
                    field[++fields] = text
                    text = ""
                }
            }
        }

        function value(at) { return "\"" field[at] "\"" }
        function value_or_null(at) { return field[at] == "" ? "null" : value(at) }

        END {
            printf "{\"schema\": \"setpoint.verify/1\", \"host\": %s, \"policy\": %s, \"results\": [", value(1), value(2)
            for (at = 3; at + 6 <= fields; at += 7) {
                printf "%s\n{\"setting\": %s, \"layer\": %s, ", at == 3 ? "" : ",", value(at), value(at + 1)
                printf "\"wanted\": %s, \"found\": %s, ", value(at + 2), value_or_null(at + 3)
                printf "\"pending\": %s, \"state\": %s, ", value_or_null(at + 4), value(at + 5)
                printf "\"reason\": %s}", value(at + 6)
            }
            print "\n]}"
        }'
}

report_result() { report cpuspeed-service os "$1" "$wanted" "$2" '' "$3"; }

# Where nothing can be compared, for reason $1.
report_unreadable() {
    [ -n "$json" ] || return 0
    report_result unreadable '' "$1"
    print_report 'trading-edge'
}

cannot_tell() {
    report_unreadable "cannot tell how the service stands: $*"
    say "cannot tell how the service stands: $*" >&2
    exit 4
}

# The state of the service: its runlevels, whether it runs, and whether it exists. On a server without the service it
# counts as off; a server without chkconfig may still have it.
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

# Whether it is on (off) at the next start: in runlevels 2 to 5, which chkconfig changes.
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
    if [ -n "$json" ]; then
        if [ -n "$found" ]; then
            report_result differs "$state" "$(printf '%s\n' "$found" | sed 's/^cpuspeed: //' | tr '\n' ';' | sed 's/;$//')"
        elif [ -n "$installed" ]; then
            report_result ok "$state" ''
        else
            report_result ok off 'not installed, as good as off'
        fi
        print_report 'trading-edge' || exit
        report_status
        exit
    fi
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
    unlike_because="${unlike_because:+$unlike_because; }this server reports $it_reports, and the policy $policy_says"
    printf 'this server reports %s, and the policy %s: state %s and compile again\n' \
        "$it_reports" "$policy_says" "$right" >&2
}

# Whether this is such a server; 5 if not, with the reason in $unlike_because, and 2 if a check is to be passed over that
# there is not.
is_the_server() {
    unlike='' unlike_because=''
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

usage() {
    say "usage: sh cpuspeed.sh [--dry-run | --verify [--json]]" >&2
    exit 2
}

dry='' json=''
case $#:${1-}:${2-} in
    0:: | 1:--verify:) ;;
    1:--dry-run:) dry=yes ;;
    2:--verify:--json | 2:--json:--verify) json=yes ;;
    *) usage ;;
esac
is_the_server || {
    status=$?
    [ "$status" -ne 5 ] || report_unreadable "$unlike_because"
    exit "$status"
}
case $json${1-} in
    '' | --dry-run) apply ;;
    *) verify ;;
esac
