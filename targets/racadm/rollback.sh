# ------------------------------------------------------------------------------------------------ the rollback

# A job that has not run is deleted, and what was staged is cleared. After the restart the old values are staged, in the
# order of the table: a profile before its members, and members only where the profile lets them be written; others it
# brings back itself. What it would leave as it is goes first, with a restart of its own.

rollback() {
    lock_for_change
    look_around
    if is_unfinished; then
        recover
        look_around
    fi
    last_saved
    [ "$number" -gt 0 ] || die "no old values in $state"
    deleted=
    say "putting back what the run of policy $(sed -n '1s/^# //p' "$saved") had found"
    if [ -n "$job" ]; then
        [ "$job" = "$(job_of "$saved")" ] || foreign_job
        delete_job
        look_around
    fi
    nothing_foreign
    later='' to_stage='' old_values='' due=''
    plan_back keeps
    [ -n "$to_stage" ] || plan_back all
    if [ -z "$to_stage" ]; then
        rm -f "$saved"
        say "${deleted:-nothing to put back}"
        exit 0
    fi
    carry_out
    rm -f "$journal"
    if [ -n "$due" ]; then
        say "made job $job, which sets them $when"
        complain "the rest can be put back only after that restart: run --rollback again then"
        exit 3
    fi
    rm -f "$saved"
    [ -z "$waiting" ] || say "left to the firmware, which has them locked:$waiting"
    [ -z "$staged" ] || say "made job $job, which sets them $when"
    exit 0
}

# What is to be staged. First what a profile of the old state locks and leaves as it is, with the values that let it be
# written; then all.
plan_back() {
    while read -r setting option old keeps conditions <&3; do
        [ -n "$old" ] || continue
        look "${option##*.}" || continue
        [ "$1" = all ] || old_values="$old_values$setting $option $current $keeps $conditions$newline"
        [ "$current" != "$old" ] || continue
        if [ "$1" = all ]; then
            to_stage="$to_stage$option $old $conditions$newline"
            continue
        fi
        [ "$keeps" = keeps ] || continue
        for condition in $conditions; do
            # A condition that held before lets it be written in the end.
            if grep -q "^[^#].*\.${condition%%[=!]*} ${condition#*=} " "$saved"; then continue; fi
            due=yes
            opener=$(awk -v name=".${condition%%[=!]*}" 'index($2 " ", name " ") { print $2 }' "$saved")
            case $condition in
                *!=*) ;;
                *) [ -z "$opener" ] || to_stage="$to_stage$opener ${condition#*=}$newline" ;;
            esac
            to_stage="$to_stage$option $old $condition$newline"
        done
    done 3<<END
$(sed '/^#/d' "$saved")
END
}

# The job has not run: without it, and with nothing staged, all is as before.
delete_job() {
    case $jobs in *"$tab"Running*) foreign_job "it runs just now: run --rollback again when it has ended" ;; esac
    phase=undoing journal=$saved ignored=''
    tool jobqueue delete -i "$job"
    why=$answer
    read_jobs || stay_staged "whether job $job is deleted is not known: $answer"
    [ -z "$job" ] || stay_staged "could not delete job $job: $why"
    clear_staged || stay_staged "$answer"
    phase=looking deleted="deleted the job, and cleared what was staged: nothing changes at the next restart"
}
