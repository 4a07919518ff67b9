# ------------------------------------------------------------------------- the way back of what racadm has set

# A job that has not run is deleted, and what was staged is cleared. After the restart the old values are staged, in the
# order of the table: a profile before its members, and members only where the profile lets them be written; others it
# brings back itself. What it would leave as it is goes first, with a restart of its own.

racadm_undo() {
    if [ -n "$would_roll" ]; then
        lock_for_reading
        look_around
        [ -z "$job" ] || say "job $job is open"
        if is_unfinished || is_leftover; then
            say "${unfinished:-an unfinished rollback has left staged values}: what is staged would be cleared first"
            exit 3
        fi
    else
        lock_for_change
        clean_up
    fi
    last_saved
    if [ "$number" -eq 0 ]; then
        say "nothing to put back: no old values of $prefix are kept in $state. $elsewhere; so is what was applied to this iDRAC by another name"
        exit 0
    fi
    old_lines=$(lines_to_put_back)
    deleted=
    if [ -n "$job" ] && [ "$job" = "$(sed -n 's/^# back //p' "$saved" | tail -n 1)" ]; then put_back_later; fi
    case $rolls_all in yes) of="the first run" ;; *) of="the run of policy $(sed -n '1s/^# //p' "$saved")" ;; esac
    [ -n "$would_roll" ] || say "putting back what $of had found"
    if [ -n "$job" ]; then
        [ "$job" = "$(job_of "$saved")" ] || foreign_job
        if [ -n "$would_roll" ]; then
            deleted="would delete the job, and clear what is staged"
            say "$deleted"
        else
            delete_job
            look_around
        fi
    fi
    [ -n "$job" ] || nothing_foreign
    later='' to_stage='' found='' due=''
    plan_back keeps
    [ -n "$to_stage" ] || plan_back all
    [ -z "$would_roll" ] || would_put_back
    if [ -z "$to_stage" ]; then
        discard_saved
        say "${deleted:-nothing to put back}"
        exit 0
    fi
    carry_out
    if [ -n "$due" ]; then
        [ -z "$staged" ] || printf '# back %s\n' "$job" >>"$saved"
        rm -f "$journal"
        say "made job $job, which sets them $when"
        put_back_later
    fi
    rm -f "$journal"
    discard_saved
    [ -z "$waiting" ] || say "left to the firmware, which has them locked:$waiting"
    [ -z "$staged" ] || say "made job $job, which sets them $when"
    exit 0
}

# The old values: those of the last run or, with --all, of each option the first that was found.
lines_to_put_back() {
    first=$number
    [ -z "$rolls_all" ] || first=1
    while [ "$first" -le "$number" ]; do
        sed '/^#/d' "$state/$prefix.rollback.$first"
        first=$((first + 1))
    done | awk '!seen[$2]++'
}

# Remove what has been put back, the last one first.
discard_saved() {
    rm -f "$saved"
    while [ -n "$rolls_all" ] && [ "$number" -gt 0 ]; do
        rm -f "$state/$prefix.rollback.$number"
        number=$((number - 1))
    done
}

# The end of a rollback whose job brings only what goes first.
put_back_later() {
    if [ -n "$would_roll" ]; then
        say "nothing to change: the rest can be put back only after that restart"
        exit 0
    fi
    if [ -n "$accepts_pending" ]; then
        say "the rest can be put back only after that restart"
        exit 0
    fi
    complain "the rest can be put back only after that restart: run \`undo\` again then"
    exit 3
}

# The end of a dry run.
would_put_back() {
    say_to_stage "would put back" ""
    [ -z "$due" ] || say "the rest only after that restart, in a second run"
    [ -n "$to_stage$deleted" ] || say "nothing to put back: the old values would only be removed"
    [ -z "$to_stage$deleted" ] || exit 3
    exit 0
}

# What is to be staged. First what a profile of the old state locks and leaves as it is, with the values that let it be
# written; then all.
plan_back() {
    while read -r setting option old keeps conditions <&3; do
        [ -n "$old" ] || continue
        look_up "${option##*.}" || continue
        [ "$1" = all ] || found="$found$setting $option $current $keeps $conditions$newline"
        [ "$current" != "$old" ] || continue
        if [ "$1" = all ]; then
            to_stage="$to_stage$option $old $conditions$newline"
            continue
        fi
        [ "$keeps" = keeps ] || continue
        for condition in $conditions; do
            # A condition that held before lets it be written in the end.
            if printf '%s\n' "$old_lines" | grep -q "\.${condition%%[=!]*} ${condition#*=} "; then continue; fi
            due=yes
            opener=$(printf '%s\n' "$old_lines" | awk -v name=".${condition%%[=!]*}" 'index($2 " ", name " ") { print $2 }')
            case $condition in
                *!=*) ;;
                *) [ -z "$opener" ] || to_stage="$to_stage$opener ${condition#*=}$newline" ;;
            esac
            to_stage="$to_stage$option $old $condition$newline"
        done
    done 3<<END
$old_lines
END
}

# The job has not run: without it, and with nothing staged, all is as before.
delete_job() {
    case $jobs in *"$tab"Running*) foreign_job "it runs just now: run \`undo\` again when it has ended" ;; esac
    phase=undoing journal=$saved ignored=''
    note delete "$job" || die "cannot write to $saved: nothing was changed"
    racadm_call jobqueue delete -i "$job"
    why=$answer
    read_jobs || stay_staged "whether job $job is deleted is not known: $answer"
    [ -z "$job" ] || stay_staged "could not delete job $job: $why"
    clear_staged || stay_staged "$answer"
    phase=looking deleted="deleted the job, and cleared what was staged: nothing changes at the next restart"
}

