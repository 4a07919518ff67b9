# ------------------------------------------------------------------------------------------------- files of /sys

# What a file of the kernel has and what it takes.
#
#   read_live FILE                  its text, in $text; of several words the one in brackets, which is in force; blanks for tabs
#   choose FILE ALTERNATIVES        the first of a|b that the file takes, in $choice; the last if it takes none
#   latency_of ALTERNATIVES         print the exit latency in us that is asked for: a number, or that of an idle state
#
# The script sets $root, a folder in front of all files, or nothing.

read_live() {
    # Not with read: it takes a byte at a time, and a sysctl has only one for it.
    text=$(tr '\t' ' ' 2>/dev/null <"$1") || return 1
    case $text in
        *"["*"]"*)
            text=${text#*"["}
            text=${text%%"]"*}
            ;;
    esac
}

# A governor is offered in a file beside it, a scheduler of disks in the file itself.
choose() {
    offered=$(cat "${1%/*}/scaling_available_governors" 2>/dev/null) || offered=$(tr -d '[]' <"$1" 2>/dev/null)
    for choice in $(printf '%s' "$2" | tr '|' ' '); do
        case " $offered " in *" $choice "*) break ;; esac
    done
}

# As tuned resolves it: the first alternative that this server has.
latency_of() {
    for choice in $(printf '%s' "$1" | tr '|' ' '); do
        latency=$choice
        case $choice in
            cstate.id*:*) latency=$(cat "$root/sys/devices/system/cpu/cpu0/cpuidle/state${choice##*:}/latency" 2>/dev/null) ;;
            cstate.name*:*)
                latency=
                for name_file in "$root"/sys/devices/system/cpu/cpu0/cpuidle/state*/name; do
                    [ "$(cat "$name_file" 2>/dev/null)" = "${choice##*:}" ] || continue
                    latency=$(cat "${name_file%/*}/latency")
                    break
                done
                ;;
        esac
        case $choice:$latency in *_no_zero:*:0) latency= ;; esac
        [ -z "$latency" ] || break
    done
    printf '%s\n' "$latency"
}
