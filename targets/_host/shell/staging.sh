# ----------------------------------------------------------------------------------- the journal, staging, the job

# What is set by racadm is staged only: until a job is made of it, `clearpending` takes all of it back. A run that stages
# keeps a journal as that of journal.sh, with these lines:
#
#   SETTING OPTION VALUE KEEPS CONDITION… the old values; KEEPS is `keeps` where a profile may leave the value as it is
#   # try OPTION VALUE OLD                before each value that is staged
#   # try job                             before the job is made
#   # job JID                             after it
#   # refused ATTRIBUTE…                  what could not be staged before the restart
#   # delete JID                          before a rollback deletes the job
#   # back JID                            the job of a rollback that goes on after the restart
#
# At the end of the run it becomes $prefix.rollback.N, which `undo` puts back. A journal that is there when another run
# begins belongs to a run that was ended.

job_of() { sed -n 's/^# job //p' "$1" 2>/dev/null | tail -n 1; }

# Whether CONDITION... hold in what is staged: ATTRIBUTE=VALUE, ATTRIBUTE!=VALUE.
is_staged() {
    for condition in "$@"; do
        look_up "${condition%%[=!]*}" || return 1
        is=${pending:-$current}
        case $condition in
            *!=*) [ "$is" != "${condition#*!=}" ] || return 1 ;;
            *) [ "$is" = "${condition#*=}" ] || return 1 ;;
        esac
    done
}

# Stage a value: OPTION VALUE CONDITION... What cannot be written before a restart is in $waiting.
stage() {
    [ -z "$caught" ] || unstage
    option=$1 wanted=$2 attribute=${1##*.}
    shift 2
    look_up "$attribute" || unstage "the server does not show $attribute"
    from=${pending:-$current}
    [ "$from" != "$wanted" ] || return 0
    if ! is_staged "$@"; then
        waiting="$waiting $attribute"
        return 0
    fi
    look_up "$attribute"
    note try "$option" "$wanted" "$current" || unstage "cannot write to $journal"
    tried=$((tried + 1))
    if ! racadm_call set "$option" "$wanted"; then
        # Some firmware looks at what is in effect, and not at what is staged.
        if [ $# -gt 0 ] && [ -z "$caught" ]; then
            case $answer in
                *RAC1025* | *read-only* | *"read only"* | *dependen*)
                    waiting="$waiting $attribute"
                    return 0
                    ;;
            esac
        fi
        unstage "could not stage $attribute=$wanted: $answer"
    fi
    idrac_shows="$newline$attribute$tab$locked$tab$current$tab$wanted$idrac_shows"
    staged="$staged $attribute=$wanted"
    say "staged $attribute: $from -> $wanted"
}

# Say what would be staged, which is called $1. With $2, what is staged already counts as what is there.
say_to_stage() {
    while read -r option wanted conditions; do
        [ -n "$option" ] || continue
        look_up "${option##*.}"
        [ -z "$2" ] || current=${pending:-$current}
        [ "$current" = "$wanted" ] || say "$1 ${option##*.}: $current -> $wanted"
    done <<END
$(printf '%s' "$to_stage")
END
}

# See that what was staged is there, and nothing of somebody else's beside it.
check_staged() {
    read_everything || unstage "cannot read what was staged: $answer"
    for each in $staged; do
        look_up "${each%%=*}" || unstage "${each%%=*} is not shown any more"
        [ "${pending:-$current}" = "${each#*=}" ] || unstage "racadm reported success, but shows ${each%%=*}=${pending:-$current}"
    done
    foreign=
    for each in $(staged_values | tr ' ' '_'); do
        case " $staged $ignored " in *" $each "*) ;; *) foreign="$foreign $each" ;; esac
    done
    [ -z "$foreign" ] || unstage "somebody else has staged meanwhile:$foreign"
}

# Make the job of all that is staged. An answer that got lost is looked up in the queue.
make_job() {
    note try job || unstage "cannot write to $journal"
    made=yes
    case $restart in
        none) racadm_call jobqueue create "$bios" -r none || made= ;;
        *) racadm_call jobqueue create "$bios" -r "$restart" -s TIME_NOW -e TIME_NA || made= ;;
    esac
    why=$answer
    job=$(printf '%s\n' "$why" | sed -n 's/.*\(JID_[0-9][0-9]*\).*/\1/p' | tail -n 1)
    if [ -z "$made" ] || [ -z "$job" ]; then
        phase=undoing
        read_jobs || stay_staged "whether there is a job is not known: $why; and the queue cannot be read: $answer"
        [ -n "$job" ] || unstage "no job was made: $why"
        complain "the answer was: $why. Job $job is there all the same"
    fi
    note job "$job" || complain "could not note job $job in $journal"
}

# The run has failed for reason $1, or is interrupted: take back what it has staged.
unstage() {
    if [ -n "$caught" ]; then complain "interrupted by SIG$caught"; else complain "$1"; fi
    phase=undoing
    if [ "$tried" -eq 0 ]; then
        rm -f "$journal"
        die "$unchanged"
    fi
    clear_staged || stay_staged "$answer"
    rm -f "$journal"
    die "what this run had staged is cleared: all settings are as they were before this run"
}

# Take back all that is staged, which must be what the journal has and nothing else.
clear_staged() {
    if [ -n "$ignored" ]; then
        answer="values of somebody else are staged, too, and would be cleared: $ignored"
        return 1
    fi
    read_everything || return 1
    find_others
    if [ -n "$others" ]; then
        answer="somebody else has staged, too:$others"
        return 1
    fi
    # It fails where nothing is staged, and some firmware does not show what is.
    cleared=
    racadm_call clearpending "$bios" || cleared=$answer
    # The groups are words.
    # shellcheck disable=SC2086
    read_groups $groups || return 1
    [ -z "$(staged_values)" ] || {
        answer="what was staged could not be cleared: $cleared"
        return 1
    }
    while read -r hash try option wanted from <&4; do
        if [ "$hash $try" != '# try' ] || [ -z "$from" ]; then continue; fi
        if ! look_up "${option##*.}" || [ "$current" != "$from" ]; then
            answer="${option##*.} was $from, and shows $current"
            return 1
        fi
    done 4<"$journal"
}

# What is staged and is not in the journal, into $others.
find_others() {
    others=
    for each in $(staged_values | tr ' ' '_'); do
        grep -q "^# try BIOS\.[A-Za-z0-9]*\.${each%%=*} ${each#*=} " "$journal" || others="$others $each"
    done
}

# Whether what is staged was left by a rollback that was ended after it had deleted the job.
is_leftover() {
    if [ -n "$job" ] || [ -z "$(staged_values)" ]; then return 1; fi
    last_saved
    grep -q '^# delete ' "$saved" 2>/dev/null || return 1
    journal=$saved
    find_others
    [ -z "$others" ]
}

# Take back what a run or a rollback that did not finish has left.
clean_up() {
    look_around
    if is_unfinished; then
        recover_staged
        look_around
    fi
    if is_leftover; then
        phase=restoring ignored=''
        clear_staged || stay_staged "$answer"
        phase=looking unchanged='nothing else was changed'
        say "cleared what an unfinished rollback had left"
        look_around
    fi
}

stay_staged() {
    complain "$1"
    complain "values may be STAGED, and a job may be open. Look at both: racadm jobqueue view, and \`verify\`. Then \`apply\` again, or \`undo\`"
    exit 6
}

# What a run that did not finish has left: take it back, or keep the job that it made.
recover_staged() {
    complain "$unfinished"
    journal=$state/$prefix.journal phase=restoring ignored=''
    last=$(job_of "$journal")
    if [ -n "$job" ]; then
        if [ -z "$last" ] && ! grep -q '^# try job$' "$journal"; then
            stay_staged "somebody has made job $job of what it had staged"
        fi
        [ -n "$last" ] || note job "$job"
        complain "it had made job $job, which is kept"
        close_saved || die "cannot write to $state: nothing was changed"
    elif [ -n "$last" ] || { grep -q '^# try job$' "$journal" && tries_are_current; }; then
        complain "it had made a job, which has ended"
        close_saved || die "cannot write to $state: nothing was changed"
    else
        clear_staged || stay_staged "$answer"
        rm -f "$journal"
        say "cleared what the unfinished run had staged"
    fi
    phase=looking unchanged='nothing else was changed'
}

tries_are_current() {
    while read -r hash try option wanted from; do
        if [ "$hash $try" != '# try' ] || [ -z "$from" ]; then continue; fi
        if ! look_up "${option##*.}" || [ "$current" != "$wanted" ]; then return 1; fi
    done <"$journal"
}

