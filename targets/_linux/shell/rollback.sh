# ------------------------------------------------------------------------------------------------- the way back

# What a run that changes something has found becomes $state/$prefix.rollback.N when the run is complete. Until then it
# is $state/$prefix.journal: one that is there when another run begins belongs to a run that was ended.
#
#   close_saved        the run is complete
#   recover            put back what a run that did not finish had found
#   try_recover        in a dry run: say that it would, and exit with 3
#   set_mode OPTION    note the mode in $mode, for the options --dry-run, --verify and --rollback and those of the script;
#                      --rollback may come with --dry-run, and with --all
#   rollback           put back what was there before the last plan that changed something, however many runs that
#                      plan took; if there is nothing to put back, say so and exit with 0. With --all, put back what was
#                      there before the first run; with --dry-run, say what would be put back, and exit with 3 if anything would
#   stay_changed WHY   exit with 6: something failed, and not all could be put back
#
# The script has lock.sh, calls.sh, and a function `usage` that ends it. $kept says what a run keeps: a `snapshot` (files.sh) or `options`
# (journal.sh). They have
#
#   is_unfinished      whether a run has not finished; what is known of it, in $unfinished
#   put_back SAVED     put back what it has
#   about SAVED        what is known of the run: its policy, then lines of its boot, its plan, and its process
#   discard SAVED      remove it
#
# A plan is known by the checksum of its text, $plan_text, or of the script that has it. $state/$prefix.rolled-back has that of the plan that was taken back last.
# Whoever rolls out to a fleet names the roll-out in SETPOINT_ROLLOUT: then --rollback takes back the runs of that name and
# no others, so that a server on which the roll-out has changed nothing keeps what it has.

plan=${SETPOINT_ROLLOUT:-}
[ -n "$plan" ] || plan=$({ if [ -n "${plan_text-}" ]; then printf '%s\n' "$plan_text" | cksum; else cksum <"$0"; fi; } 2>/dev/null) ||
    plan="of process $$, $(date '+%Y-%m-%d %H:%M:%S')"

is_unfinished() {
    unfinished=
    [ ! -e "$state/$prefix.journal" ] || "unfinished_$kept"
    [ -n "$unfinished" ]
}
put_back() { "put_back_$kept" "$1"; }
about() { "about_$kept" "$1"; }
discard() { "discard_$kept" "$1"; }

# What a run notes of itself.
this_run() {
    printf '%s\nboot %s\nplan %s\nrun by process %s, begun %s\n' "$policy" "$boot" "$plan" "$$" "$(date '+%Y-%m-%d %H:%M:%S')"
}

# The last that was kept, in $saved, and its number in $number; 0 if there is none.
last_saved() {
    number=0
    while [ -e "$state/$prefix.rollback.$((number + 1))" ]; do number=$((number + 1)); done
    saved=$state/$prefix.rollback.$number
}

close_saved() {
    last_saved
    rm -f "$state/$prefix.rolled-back" && mv "$state/$prefix.journal" "$state/$prefix.rollback.$((number + 1))"
    [ ! -e "$state/$prefix.journal" ]
}

recover() {
    is_unfinished || return 0
    complain "$unfinished"
    phase=restoring
    put_back "$state/$prefix.journal" || stay_changed "it is NOT all as before that run"
    discard "$state/$prefix.journal"
    phase=looking unchanged='nothing else was changed'
    say "put back what the unfinished run had found"
}

# The end of a dry run where `recover` would put something back: what differs after that is not known yet.
try_recover() {
    is_unfinished || return 0
    say "$unfinished: that would be taken back first, and then what differs would be changed"
    exit 3
}

mode=apply rolls_all='' would_roll=''
elsewhere='What was applied from another machine, by another way or with another --state is taken back there, in the same way'

set_mode() {
    case $mode:$1 in
        rollback:--all) rolls_all=yes ;;
        *:--all) usage ;;
        apply:*) mode=${1#--} ;;
        rollback:--dry-run | dry-run:--rollback) mode=rollback would_roll=yes ;;
        *) usage ;;
    esac
}

rollback() {
    nothing_kept="no old values are kept in $state. $elsewhere"
    [ -e "$state/$prefix.lock" ] || end_unchanged "$nothing_kept"
    [ -n "$would_roll" ] || lock_for_change
    rolled_back=$state/$prefix.rolled-back restored='' taken_back=${SETPOINT_ROLLOUT:-}
    if is_unfinished; then
        [ -n "$taken_back$rolls_all" ] || note_rollback "$state/$prefix.journal"
        if [ -n "$would_roll" ]; then say "$unfinished: that would be taken back"; else recover; fi
        restored=yes
    elif [ ! -e "$rolled_back" ] && [ -z "$taken_back$rolls_all" ]; then
        last_saved
        [ "$number" -gt 0 ] || end_unchanged "$nothing_kept"
        note_rollback "$saved"
    fi
    [ -n "$taken_back$rolls_all" ] || taken_back=$(cat "$rolled_back")
    last_saved
    while [ "$number" -gt 0 ] && is_to_roll "$saved"; do
        put_back_saved
        restored=yes
    done
    if [ -n "$restored" ]; then
        [ -z "$would_roll" ] || exit 3
        return 0
    fi
    [ -z "$rolls_all" ] || end_unchanged "$nothing_kept"
    [ -n "${SETPOINT_ROLLOUT:-}" ] || end_unchanged "that was done. To go back further, remove $rolled_back first"
    while [ "$number" -gt 0 ]; do
        [ "$(plan_of "$state/$prefix.rollback.$number")" != "$taken_back" ] ||
            die "nothing was changed: another run has changed something since. Roll that back first"
        number=$((number - 1))
    done
    end_unchanged "this roll-out has changed nothing here, or that was done"
}

# Whether run $1 is one of those that are taken back.
is_to_roll() { [ -n "$rolls_all" ] || [ "$(plan_of "$1")" = "$taken_back" ]; }

# Put back the last that was kept, $saved, and find the one before.
put_back_saved() {
    of=$(about "$saved" | head -n 1)
    if [ -n "$would_roll" ]; then
        say "would put back what the run of policy $of had found"
        number=$((number - 1))
        saved=$state/$prefix.rollback.$number
        return
    fi
    say "putting back what the run of policy $of had found"
    # From now on this is what the next run completes, if something ends this one.
    mv "$saved" "$state/$prefix.journal" || die "cannot write to $state: nothing was changed"
    sync
    phase=restoring
    put_back "$state/$prefix.journal" || stay_changed "NOT all could be put back"
    discard "$state/$prefix.journal"
    last_saved
}

end_unchanged() {
    say "nothing to put back: $1"
    exit 0
}

plan_of() { about "$1" | sed -n 's/^plan //p'; }

# The plan of run $1 is the one that is taken back.
note_rollback() {
    taken_back=$(plan_of "$1")
    [ -z "$would_roll" ] || return 0
    if ! printf '%s\n' "$taken_back" >"$rolled_back.new" || ! mv "$rolled_back.new" "$rolled_back"; then
        die "cannot write to $state: nothing was changed"
    fi
    sync
}

stay_changed() {
    [ -z "$caught" ] || complain "interrupted by SIG$caught"
    complain "$1: see above. Remove the cause, then put the rest back: ${way_back:-run this script with --rollback --state $state}"
    exit 6
}
