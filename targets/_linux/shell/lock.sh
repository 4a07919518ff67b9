# --------------------------------------------------------------------------------------------------- the lock

# Runs that change settings exclude each other and runs that compare. The kernel holds the lock (flock, on file
# descriptor 9), so that it ends with the processes that have it, however they end. What the script calls has it too: what
# a run that was killed left running is waited for.
#
#   lock_for_change     make $state, and take the lock; exits with 7 if another run has it, naming its process
#   lock_for_reading    the same beside other runs that only compare
#
# The script sets $state, an absolute path; $prefix, what the names of its files in there begin with; $mode; $policy. It has
# complain, die and $unchanged of calls.sh. In a mode that prints JSON it may set $on_busy, a function that is called with
# the reason before the exit.

lock_file=$prefix.lock on_busy=:

lock_for_change() {
    command -v flock >/dev/null || die "there is no flock on this server (util-linux has it): nothing was changed"
    umask 077
    if ! mkdir -p "$state" 2>/dev/null || ! true 2>/dev/null >>"$state/$lock_file"; then
        die "cannot write to $state: nothing was changed"
    fi
    exec 9>>"$state/$lock_file"
    take_lock -x
    printf 'process %s, %s of policy %s, since %s\n' "$$" "${run_verb:---$mode}" "$policy" "$(date '+%Y-%m-%d %H:%M:%S')" >"$state/$lock_file"
}

# A run that only compares makes no file: without one nothing was changed here yet.
lock_for_reading() {
    if [ ! -r "$state/$lock_file" ] || ! command -v flock >/dev/null; then return 0; fi
    exec 9<"$state/$lock_file"
    take_lock -s
}

take_lock() {
    flock -n "$1" 9
    case $? in
        0) ;;
        1) busy ;;
        *) die "cannot lock $state/$lock_file: nothing was changed" ;;
    esac
}

# The lock is held: say by whom, and end.
busy() {
    exec 9>&-
    lock=$(cd "$state" && pwd -P)/$lock_file
    holders=$(
        set +f
        # The names that matter have digits only.
        # shellcheck disable=SC2012
        ls -l /proc/[0-9]*/fd/9 2>/dev/null | LOCK=$lock awk '
            (at = index($0, "/proc/")) && (arrow = index($0, "/fd/9 -> ")) {
                process = substr($0, at + 6, arrow - at - 6)
                if (substr($0, arrow + 9) == ENVIRON["LOCK"]) print process
            }'
    )
    owner=$(sed -n '1s/^process \([0-9]*\),.*/\1/p' "$lock")
    who=
    for process in $holders; do
        if [ "$process" = "$owner" ]; then
            who=$(cat "$lock")
            break
        fi
        name=$(sed 's/.*(\(.*\)).*/\1/' "/proc/$process/stat" 2>/dev/null)
        [ -z "$name" ] || who="${who:+$who and }process $process ($name)" # else it has ended by now
    done
    "$on_busy" "$lock is held by ${who:-another process}"
    complain "nothing was changed: $lock is held by ${who:-another process}. Run this again when that has ended"
    exit 7
}
