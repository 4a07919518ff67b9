# ------------------------------------------------------------------------------------------- what a plan of racadm does

# The words of a line of the table.
take_option_row() {
    kind=$1 setting=$2 option=$3 wanted=$4 attribute=${3##*.}
    shift 4
    keeps=- conditions='' exceptions=''
    for each in "$@"; do
        case $each in
            keeps) keeps=keeps ;;
            unless:*) exceptions="$exceptions ${each#unless:}" ;;
            *) conditions="$conditions${conditions:+ }$each" ;;
        esac
    done
}

# For each line: compare a setting with the server; count, and say it in the way of the mode.
compare_staged() {
    [ "$1" != open ] || return 0
    take_option_row "$@"
    governor=${conditions%%[=!]*}
    verdict=ok reason='' text=''
    if ! look_up "$attribute"; then
        verdict=unreadable current='' pending='' reason="the server does not show $attribute"
    elif [ "$current" = "$wanted" ] && [ -n "$pending" ] && [ "$pending" != "$wanted" ]; then
        verdict=differs reason="$attribute becomes $pending when the server restarts"
    elif [ "$current" = "$wanted" ]; then
        # Some firmware shows what is staged as if it were in effect, and no value as pending.
        if [ -n "$job" ] && [ -z "$visible" ]; then
            verdict=pending reason="$attribute is shown so, and job $job has not run"
        fi
    elif [ "$pending" = "$wanted" ]; then
        verdict=pending reason="$attribute is staged${job:+ in job $job}"
        [ -n "$job" ] || reason="$attribute is staged, and no job is there to set it"
    else
        seen=$current seen_staged=$pending verdict=differs
        # The conditions are words of their own.
        # shellcheck disable=SC2086
        if [ "$kind" = held ] && ! is_staged $conditions && look_up "$governor" && [ -n "$pending" ]; then
            verdict=pending reason="$attribute comes with $governor=$pending"
        elif [ "$kind" = held ]; then
            verdict=locked reason="$attribute is fixed by $governor"
        fi
        current=$seen pending=$seen_staged
    fi
    case $verdict in
        ok) ;;
        pending) pending_count=$((pending_count + 1)) ;;
        unreadable) unreadable=$((unreadable + 1)) ;;
        *) differing=$((differing + 1)) ;;
    esac
    case $mode$json in
        verifyyes) report "$setting" firmware "$verdict" "$wanted" "$current" "$pending" "${reason:-$attribute}${trouble:+; $trouble}" ;;
        verify | next)
            text="$attribute=$current"
            [ -z "$pending" ] || text="$text (staged: $pending)"
            [ "$verdict" = unreadable ] && text=$reason
            case $verdict in ok | unreadable) ;; *) text="$text, wanted $wanted${reason:+; $reason}" ;; esac
            printf '%-10s %s\n' "$verdict" "$text"
            ;;
        *) [ "$verdict" != unreadable ] || complain "$reason" ;;
    esac
}

racadm_compare() {
    pending_count=0 differing=0 unreadable=0 visible=$(staged_values)
    each_option compare_staged
}

racadm_unreadable() { options_unreadable "$1"; }

unreachable() {
    report_unreadable "$answer"
    die "cannot read $1: $answer: $unchanged"
}

# For each line: what must be right before the rest, and is not, into $due. Where what brings it is right already and it is not,
# the firmware has chosen otherwise, and another restart would change nothing.
find_due() {
    [ "$1" = first ] || return 0
    take_option_row "$@"
    # The exceptions are words of their own.
    # shellcheck disable=SC2086
    if [ -n "$exceptions" ] && is_staged $exceptions; then return 0; fi
    if look_up "$attribute" && [ "$current" != "$wanted" ]; then due="$due $attribute"; fi
}

# For each line: the old value of a setting, for the journal.
old_value() {
    take_option_row "$@"
    look_up "$attribute" || return 0
    case $found in *" $option "*) return 0 ;; esac
    # The journal has words.
    case $current in '' | *' '*) die "$unchanged: the old value of $attribute could not be put back: it is '$current', which is not one word" ;; esac
    found="$found$setting $option $current $keeps $conditions$newline"
}

# What is to be staged now, into $to_stage: OPTION VALUE CONDITION... a line each; and what only a later run can set, into
# $later. While the job of the last run is open, that includes what the firmware refused to that run.
plan_changes() {
    due='' later='' to_stage='' refused=''
    last_saved
    [ "$job" != "$(job_of "$saved")" ] || refused=$(sed -n 's/^# refused //p' "$saved" 2>/dev/null)
    each_option find_due
    each_option find_change
}

# For each line, of plan_changes.
find_change() {
    take_option_row "$@"
    look_up "$attribute" || return 0
    now=${pending:-$current}
    case $kind in
        held) return 0 ;;
        open) [ -n "$due" ] || return 0 ;;
        first) case " $due " in *" $attribute "*) ;; *) return 0 ;; esac ;;
        want)
            case " $refused " in
                *" $attribute "*) is_late=yes ;;
                *) is_late=$due ;;
            esac
            if [ -n "$is_late" ]; then
                [ "$now" = "$wanted" ] || later="$later $attribute"
                return 0
            fi
            ;;
    esac
    [ "$now" = "$wanted" ] || to_stage="$to_stage$option $wanted $conditions$newline"
}

# Everything about the server that a change depends on. What somebody else has at work stops it.
look_around() {
    read_jobs || unreachable "the job queue"
    read_everything || unreachable "the settings"
}

nothing_foreign() {
    ignored=$(staged_values | tr ' \n' '_ ')
    ignored=${ignored% }
    [ -n "$ignored" ] || return 0
    case " ${SETPOINT_IGNORE-} " in *" staged "*) return 0 ;; esac
    complain "somebody else has staged values, and no job: $ignored"
    complain "nothing was changed. Find out whose they are: racadm clearpending $bios clears them. To have them set with this policy: SETPOINT_IGNORE=staged"
    exit 7
}

foreign_job() {
    complain "$unchanged: a job for the BIOS is open, and there can be only one: $(printf '%s' "$jobs" | head -n 1 | tr '\t' ' ')"
    complain "${1:-it was not made by this program. Wait until it has run, or find out whose it is}"
    exit 7
}

# Carry out $to_stage: stage it, look at it, make a job of it.
carry_out() {
    tried=0 waiting='' staged=''
    open_journal
    phase=setting
    # The lines are words; the table has nothing else.
    while read -r option wanted conditions <&3; do
        # shellcheck disable=SC2086
        stage "$option" "$wanted" $conditions
    done 3<<END
$(printf '%s' "$to_stage")
END
    [ -z "$caught" ] || unstage
    if [ -z "$staged$ignored" ]; then
        rm -f "$journal"
        return 0
    fi
    check_staged
    [ -z "$caught" ] || unstage
    make_job
    phase=finished
}

racadm_apply() {
    [ "$mode" = apply ] || racadm_try
    lock_for_change
    clean_up
    racadm_compare
    [ "$unreadable" -eq 0 ] || die "$unchanged; settings that cannot be read: $unreadable"
    plan_changes
    found=''
    if [ -n "$job" ]; then
        [ -z "$to_stage" ] || foreign_job "it does not set: $(printf '%s' "$to_stage" | awk '{ printf "%s%s=%s", sep, $1, $2; sep = " " }')"
        say "nothing to stage: job $job waits for the restart"
        racadm_finish
    fi
    nothing_foreign
    if [ -z "$to_stage" ] && { [ -z "$ignored" ] || [ "$pending_count" -eq 0 ]; }; then
        say "nothing to stage"
        racadm_finish
    fi
    if [ "$restart" != none ]; then
        racadm_call serveraction powerstatus || unreachable "whether the server runs"
        case $answer in *[Oo][Ff][Ff]*) die "the server is off, and this program does not start it: $unchanged" ;; esac
    fi
    each_option old_value
    # The second of two runs that belong together: the old values are those of the first.
    last_saved
    continued=
    if [ -z "$due" ] && [ "$number" -gt 0 ] && grep -q '^# to be continued$' "$saved" && [ "$(sed -n '1s/^# //p' "$saved")" = "$policy" ]; then
        continued=$saved found="$(sed '/^#/d' "$saved")$newline"
    fi
    carry_out
    if [ -e "$journal" ]; then
        [ -z "$waiting" ] || note "refused$waiting"
        [ -z "$later$waiting" ] || note to be continued
        [ -z "$continued" ] || rm -f "$continued"
        close_saved || complain "cannot keep the old values in $state"
        say "made job $job, which sets them $when"
        say "to take them back: $way_back"
    fi
    [ -z "$caught" ] || {
        complain "interrupted by SIG$caught; job $job is complete"
        exit 6
    }
    later="$later$waiting"
    [ -z "$later" ] || continue_later "that restart"
    exit 0
}

# The end of a run that leaves $later to the next one, which follows restart $1.
continue_later() {
    if [ -n "$accepts_pending" ] && [ -n "$job" ]; then
        say "these can be written only after $1:$later"
        exit 0
    fi
    complain "these can be written only after $1:$later. Run this again then"
    exit 3
}

# The end of a run that staged nothing.
racadm_finish() {
    [ -z "$later" ] || continue_later "the restart"
    [ "$differing" -eq 0 ] || {
        complain "settings that differ: $differing (\`verify\` shows which)"
        exit 3
    }
    exit 0
}

racadm_try() {
    lock_for_reading
    look_around
    racadm_compare
    [ "$unreadable" -eq 0 ] || die "settings that cannot be read: $unreadable"
    would_clear=
    if is_unfinished; then
        would_clear=yes
        say "$unfinished: what it has staged would be cleared first"
    fi
    plan_changes
    [ -z "$job" ] || say "job $job is open"
    if is_leftover; then
        would_clear=yes
        say "an unfinished rollback has left staged values: they would be cleared first"
    else
        is_unfinished || [ -n "$job" ] || nothing_foreign
    fi
    say_to_stage "would stage" staged
    [ -z "$later" ] || say "only after that restart, in a second run:$later"
    [ -n "$to_stage$later" ] || say "nothing to stage"
    [ -z "$to_stage$later$would_clear" ] || exit 3
    exit 0
}

racadm_verify() {
    compare_with_plan
    if [ -n "$accepts_pending" ] && [ -n "$job" ] && [ "$unreadable" -eq 0 ]; then
        plan_changes
        [ -n "$to_stage" ] || { [ -z "$later" ] && [ "$differing" -gt 0 ]; } || exit 0
    fi
    end_compared "$pending_count"
}

# What the next start will have: what is staged in a job counts.
racadm_next() {
    compare_with_plan
    if [ -n "$job" ]; then end_compared 0; else end_compared "$pending_count"; fi
}

compare_with_plan() {
    lock_for_reading
    read_jobs || unreachable "the job queue"
    trouble=
    if is_unfinished; then trouble=$unfinished; fi
    last_saved
    if [ "$number" -gt 0 ]; then
        last=$(job_of "$saved")
        [ -z "$last" ] || outcome_of "$last"
        case ${outcome-} in Failed* | *[Ee]rrors*) trouble="${trouble:+$trouble; }job $last: $outcome" ;; esac
    fi
    racadm_compare
    [ -z "$json" ] || print_report "$policy" || exit
    [ -z "$trouble" ] || complain "$trouble"
    ! is_unfinished || exit 6
}

# The end of a comparison in which $1 settings wait for a restart that would have to be there now.
end_compared() {
    if [ "$((differing + $1))" -gt 0 ]; then
        complain "settings that differ: $differing; that wait for a restart: $pending_count"
        exit 3
    fi
    [ "$unreadable" -eq 0 ] || die "settings that cannot be read: $unreadable"
    exit 0
}

