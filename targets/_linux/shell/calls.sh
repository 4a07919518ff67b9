# ---------------------------------------------------------------------------------------- what it says, and calls

# Output that nobody reads any more, signals, and calls of the tool that a signal does not cut off.
#
#   say TEXT, complain TEXT    on standard output; on standard error, as $script
#   die TEXT                   complain, and exit with 4
#   catch_signals              from here on a signal is noted in $caught; the script looks at it, and ends where it can
#   call PROGRAM ARG...        run the tool; its output is in $answer, and, if it failed (1), what went wrong
#
# The script sets $script, its name; $label, what each line on standard output begins with, or nothing; $patience, the seconds that a call gets to end after a signal; $password, text that
# is withheld from answers, or nothing; and a function `hint_at ANSWER` that prints what to add to the answer of a call that
# failed, or nothing. $phase is what the run is at: `looking`, `setting`, `finished`, `undoing` (after a failure) or
# `restoring` (an earlier state). After a signal a call is refused unless the phase is `undoing`. $unchanged is how a run
# that ends then says that it has changed nothing.

phase=looking unchanged='nothing was changed'
caught='' calling='' watch='' unread=''

# What nobody reads any more does not end the run, which would leave half a policy.
say() {
    [ -z "$unread" ] || return 0
    printf '%s%s\n' "$label" "$*" 2>/dev/null || {
        unread=yes
        exec >/dev/null
        complain "nobody reads the output any more; the run goes on, and its exit status says how it ends"
    }
}
complain() { printf '%s: %s\n' "$script" "$*" >&2 2>/dev/null || :; }
die() {
    complain "$@"
    exit 4
}

catch_signals() {
    trap '' PIPE
    for signal in HUP INT QUIT TERM; do
        # The name is put in now.
        # shellcheck disable=SC2064
        trap "on_signal $signal" "$signal"
    done
}

# Signal $1 came. The call that runs gets some time to end by itself: ended in the middle, it leaves more in doubt.
on_signal() {
    caught=${caught:-$1}
    [ -z "$calling" ] || limit_call
}

limit_call() {
    [ -z "$watch" ] || return 0
    (
        trap 'kill "$nap"; exit' TERM
        for action in TERM KILL; do
            sleep "$patience" &
            nap=$!
            wait "$nap"
            kill -"$action" "$calling"
        done
    ) >/dev/null 2>&1 6<&- 9>&- &
    watch=$!
}

# Run the tool; what it says is in $answer. It runs in the background, since a shell takes no notice of a signal while
# it waits for a program in the foreground, which a tool that hangs never ends.
call() {
    if [ -n "$caught" ] && [ "$phase" != undoing ]; then
        answer="interrupted by SIG$caught"
        return 1
    fi
    answers=$(umask 077 && mktemp "${TMPDIR:-/tmp}/setpoint.XXXXXX" 2>&1) || {
        answer="cannot make a file for its answer: $answers"
        return 1
    }
    exec 7>"$answers"
    exec 6<"$answers"
    rm -f "$answers"
    (
        trap - PIPE
        exec "$@" </dev/null 6<&- 7>&-
    ) >&7 2>&1 &
    calling=$!
    exec 7>&-
    [ -z "$caught" ] || limit_call
    while :; do
        wait "$calling" 2>/dev/null
        ended=$?
        kill -0 "$calling" 2>/dev/null || break
    done
    calling=
    if [ -n "$watch" ]; then
        kill "$watch" 2>/dev/null
        wait "$watch" 2>/dev/null
        watch=
    fi
    answer=$(cat <&6)
    exec 6<&-
    [ "$ended" -ne 0 ] || return 0
    answer="$answer$(hint_at "$answer")"
    if [ -n "$password" ]; then
        case $answer in
            *"$password"*) answer='its answer shows the setup password, and is withheld' ;;
        esac
    fi
    if [ -n "$caught" ]; then answer="interrupted by SIG$caught${answer:+; $answer}"; fi
    answer=${answer:-"it said nothing, and its exit status was $ended"}
    return 1
}
