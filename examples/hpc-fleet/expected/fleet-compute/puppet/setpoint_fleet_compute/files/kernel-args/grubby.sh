#!/bin/sh
# Set the kernel arguments of policy fleet-compute for every kernel that the boot loader knows, with grubby.
#
#   sh grubby.sh             change what differs; the next start has it, and is left to you
#   sh grubby.sh --dry-run   say what would be changed
#   sh grubby.sh --verify    compare the running kernel with the plan
#   sh grubby.sh --next      compare what the next start will have; of grub.cfg, where there is no grubby
#
# Exit status: 0 as planned or done, 2 usage, 3 --verify or --next found a difference, 4 grubby failed or nothing can be
# read, 5 this is not a server that the policy is for. SETPOINT_IGNORE names checks of the server to pass over ("product
# sockets"), SETPOINT_GRUB_CFG a grub.cfg to look into in any case.
#
# Where grub2-mkconfig is run by hand (Enterprise Linux 7), the same words belong in GRUB_CMDLINE_LINUX of
# /etc/default/grub: it makes the kernels' lines anew from there.
#
# What is to be there (+) and gone (-), and why:
#   + processor.max_cstate=1: Deepest C-state of acpi_idle: c1; with intel_idle out of the way acpi_idle takes over, and the solution limits it as well (redhat-202743, Resolution: kernel 2.6.32-431.el6)
#   - idle=poll: Polling idle loop: off (vendor default [linux-cpuidle, Idle States Control Via Kernel Command Line])
#   + intel_idle.max_cstate=0: intel_idle driver: off; the solution names Enterprise Linux 8, and 4.18 is treated as ignoring the firmware (redhat-202743, Environment; Why the OS might ignore BIOS settings)
#   - skew_tick: Timer ticks skewed between CPUs: off (vendor default [linux-tick-skew, skew_tick=])

set -fu
PATH=$PATH:/sbin:/usr/sbin

wanted='processor.max_cstate=1 intel_idle.max_cstate=0'
gone='idle=poll skew_tick'

# A system that is mounted elsewhere can be looked at through SETPOINT_ROOT.
root=${SETPOINT_ROOT:-}

say() { printf 'kernel-args: %s\n' "$*"; }

# The word of the command line $2 that counts for the argument named $1: the last.
counts() {
    last=
    for word in $2; do
        case $word in "$1" | "$1"=*) last=$word ;; esac
    done
    printf '%s\n' "$last"
}

# How the command line $1 differs from the plan, one line a difference.
differences() {
    for argument in $wanted; do
        found=$(counts "${argument%%=*}" "$1")
        [ "$found" = "$argument" ] || say "$argument is to be there, found: ${found:-nothing}"
    done
    for argument in $gone; do leftover "$argument" "$1"; done
}

# What the command line $2 has of $1, which is to be gone.
leftover() {
    found=$(counts "${1%%=*}" "$2")
    case $found in "$1" | "$1"=*) say "$1 is to be gone, found: $found" ;; esac
}

# Whether the kernel shows the text $3 in the file $1; $2 is `is` or `is-not`.
shows() {
    if ! { read -r text <"$root$1"; } 2>/dev/null; then
        say "this kernel does not show $1 (to this user)" >&2
        return
    fi
    case $2 in
        is) [ "$text" = "$3" ] || say "$1 is to be $3, found: $text" ;;
        is-not) [ "$text" != "$3" ] || say "$1 is not to be $3" ;;
    esac
}

effects() {
    :
    shows /sys/module/processor/parameters/max_cstate is 1
    shows /sys/module/intel_idle/parameters/max_cstate is 0
    shows /sys/devices/system/cpu/cpuidle/current_driver is-not intel_idle
}

# What the boot loader's variables hold, a `name=value` each: of its environment, then of grub.cfg, which comes later. Where
# there is no environment, grub-editenv would make one to list it.
variables() {
    for environment in "$root/boot/grub/grubenv" "$root/boot/grub2/grubenv"; do
        [ ! -r "$environment" ] || sed -n '/^[A-Za-z_][A-Za-z0-9_]*=/p' "$environment"
    done
    [ -z "$config" ] || sed -n 's/^[[:space:]]*set[[:space:]]\{1,\}\([A-Za-z_][A-Za-z0-9_]*=\)/\1/p' "$config"
}

# The command lines $1 as the kernels will get them: a word that is a variable of the boot loader is what that holds.
expanded() {
    {
        variables
        printf '%s\n' -- "$1"
    } | awk '
        !held_all && $0 == "--" { held_all = 1; next }
        !held_all {
            name = value = $0
            sub(/=.*/, "", name)
            sub(/[^=]*=/, "", value)
            gsub(/^["\047]|["\047]$/, "", value)
            held[name] = value
            next
        }
        {
            line = ""
            for (i = 1; i <= NF; i++) {
                word = $i
                if (word ~ /^[$][{]?[A-Za-z_][A-Za-z0-9_]*[}]?$/) {
                    gsub(/[${}]/, "", word)
                    word = held[word]
                }
                line = line (i > 1 ? " " : "") word
            }
            print line
        }'
}

# The command lines that the boot loader has for this system's kernels, one a line; other systems have theirs.
entries() {
    if [ -z "${SETPOINT_GRUB_CFG:-}" ] && command -v grubby >/dev/null; then
        info=$(grubby --info=ALL) || return
        printf '%s\n' "$info" | sed -n 's/^args="\(.*\)"$/\1/p'
    elif [ -n "$config" ]; then
        awk '
            $1 == "menuentry" { other = /osprober/ }
            !other && $1 ~ /^linux(16|efi)?$/ && / root=/ {
                $1 = $2 = ""
                print
            }' "$config"
    fi
}

# Find the boot loader's configuration, and read what the next start will have: `next_lines`, with variables expanded.
read_entries() {
    config=
    for file in "${SETPOINT_GRUB_CFG:-}" "$root/boot/grub/grub.cfg" "$root/boot/grub2/grub.cfg"; do
        if [ -r "$file" ]; then
            config=$file
            break
        fi
    done
    raw=$(entries) || {
        say "grubby --info=ALL failed" >&2
        exit 4
    }
    next_lines=$(expanded "$raw")
}

# How the next start differs from the plan, one line a difference.
pending() {
    printf '%s\n' "$next_lines" | while IFS= read -r line; do differences "$line"; done | sort -u
}

verify_next() {
    read_entries
    if [ -z "$raw" ]; then
        say "no entry of a kernel of this system was found with grubby or in ${config:-a grub.cfg}" >&2
        exit 4
    fi
    found=$(pending)
    if [ -n "$found" ]; then
        printf '%s\n' "$found"
        say "the next start differs from the plan: the last word of a name counts, whichever file or variable it is from"
        exit 3
    fi
    say "the next start is as planned"
}

verify() {
    line=$(cat "$root/proc/cmdline") || exit 4
    found=$(
        differences "$line"
        effects
    )
    if [ -n "$found" ]; then
        printf '%s\n' "$found"
        say "the running kernel differs from the plan; what has been changed since it started counts from the next start on"
        exit 3
    fi
    say "the running kernel is as planned"
}

fail() {
    say "$*" >&2
    exit 4
}

# Linux does not start with a line that is too long; what the boot loader puts before the arguments is not counted here.
check_length() {
    printf '%s\n' "$1" | while IFS= read -r line; do
        [ "$(printf '%s %s' "$line" "$wanted" | wc -c)" -le 2047 ] || fail "too long for 2047 bytes with the plan's words: $line"
    done || exit 4
}

# Of what is to be gone, what is there: the grubby of Enterprise Linux 7 and before would take other values as well.
there() {
    for argument in $gone; do
        left=$(printf '%s\n' "$next_lines" | while IFS= read -r line; do leftover "$argument" "$line"; done)
        [ -z "$left" ] || printf '%s ' "$argument"
    done
}

update() {
    remove=$(there)
    remove=${remove% }
    set -- --update-kernel=ALL
    [ -z "$wanted" ] || set -- "$@" "--args=$wanted"
    [ -z "$remove" ] || set -- "$@" "--remove-args=$remove"
    if [ -n "$dry" ]; then
        say "would run: grubby --update-kernel=ALL${wanted:+ --args=\"$wanted\"}${remove:+ --remove-args=\"$remove\"}"
    else
        grubby "$@" || fail "grubby failed"
    fi
}

apply() {
    command -v grubby >/dev/null || fail "grubby is not installed"
    read_entries
    [ -n "$raw" ] || fail "grubby names no kernel with arguments"
    todo=$(pending)
    if [ -z "$todo" ]; then
        say "nothing to change"
        return
    fi
    printf '%s\n' "$todo"
    printf '%s\n' "$raw" | sed 's/^/kernel-args: before: /'
    check_length "$next_lines"
    update
    [ -z "$dry" ] || return 0
    read_entries
    todo=$(pending)
    [ -z "$todo" ] || fail "grubby reported success, but $todo"
    say "changed; in force from the next start on"
}

# ------------------------------------------------------------------------------ is this a server that the policy is for?
# must_report WHAT FACT VALUE VERB ACCEPTED...     5.6+ is this version or a later one
# SETPOINT_IGNORE names the checks to pass over, such as "product sockets"; SETPOINT_ROOT a system that is mounted elsewhere.

identity() {
    must_report product platform c6420 states 'PowerEdge C6420'
    must_report sockets sockets 2 states '2'
    must_report system os rhel-8 states 'Linux'
    must_report distribution os rhel-8 states 'rhel 8' 'centos 8' 'ol 8' 'almalinux 8' 'rocky 8'
    must_report kernel os rhel-8 states '4.18'
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
    1:--next) verify_next ;;
    *)
        say "usage: sh grubby.sh [--dry-run | --verify | --next]" >&2
        exit 2
        ;;
esac
