#!/bin/sh
# Set the kernel arguments of policy fluent for every kernel that the boot loader knows, with grubby.
#
#   sh grubby.sh             change what differs; the next start has it, and is left to you
#   sh grubby.sh --dry-run   say what would be changed
#   sh grubby.sh --verify    compare the running kernel with the plan
#
# Exit status: 0 as planned or done, 2 usage, 3 --verify found a difference, 4 grubby failed.
#
# Where grub2-mkconfig is run by hand (Enterprise Linux 7), the same words belong in GRUB_CMDLINE_LINUX of
# /etc/default/grub: it makes the kernels' lines anew from there.
#
# What is to be there (+) and gone (-), and why:
#   + processor.max_cstate=1: Deepest C-state of acpi_idle: c1; with intel_idle out of the way acpi_idle takes over, and the solution limits it as well (redhat-202743, Resolution: kernel 2.6.32-431.el6)
#   + intel_idle.max_cstate=0: intel_idle driver: off; intel_idle uses C-states that the firmware has switched off (redhat-202743, Resolution: kernel 2.6.32-431.el6)

set -fu
PATH=$PATH:/sbin:/usr/sbin

wanted='processor.max_cstate=1 intel_idle.max_cstate=0'
gone=''

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
    for argument in $gone; do
        found=$(counts "${argument%%=*}" "$1")
        case $found in "$argument" | "$argument"=*) say "$argument is to be gone, found: $found" ;; esac
    done
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

# The command lines of all kernels, one a line.
configured() {
    info=$(grubby --info=ALL) || fail "grubby --info=ALL failed"
    printf '%s\n' "$info" | sed -n 's/^args="\(.*\)"$/\1/p'
}

# How the command lines $1 differ from the plan.
pending() {
    printf '%s\n' "$1" | while IFS= read -r line; do differences "$line"; done | sort -u
}

# Linux does not start with a line that is too long; what the boot loader puts before the arguments is not counted here.
check_length() {
    printf '%s\n' "$1" | while IFS= read -r line; do
        [ "$(printf '%s %s' "$line" "$wanted" | wc -c)" -le 2047 ] || fail "too long for 2047 bytes with the plan's words: $line"
    done || exit 4
}

update() {
    set -- --update-kernel=ALL
    [ -z "$wanted" ] || set -- "$@" "--args=$wanted"
    [ -z "$gone" ] || set -- "$@" "--remove-args=$gone"
    if [ -n "$dry" ]; then
        say "would run: grubby --update-kernel=ALL${wanted:+ --args=\"$wanted\"}${gone:+ --remove-args=\"$gone\"}"
    else
        grubby "$@" || fail "grubby failed"
    fi
}

apply() {
    command -v grubby >/dev/null || fail "grubby is not installed"
    before=$(configured) || exit 4
    [ -n "$before" ] || fail "grubby names no kernel with arguments"
    todo=$(pending "$before")
    if [ -z "$todo" ]; then
        say "nothing to change"
        return
    fi
    printf '%s\n' "$todo"
    printf '%s\n' "$before" | sed 's/^/kernel-args: before: /'
    check_length "$before"
    update
    [ -z "$dry" ] || return 0
    after=$(configured) || exit 4
    todo=$(pending "$after")
    [ -z "$todo" ] || fail "grubby reported success, but $todo"
    say "changed; in force from the next start on"
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
        say "usage: sh grubby.sh [--dry-run | --verify]" >&2
        exit 2
        ;;
esac
