# -------------------------------------------------------------------------------------------------- the steps

# Runs over a table of options: compare, set what differs, compare again.
#
#   apply, dry_run, verify    the modes, each ends the script
#
# The script has the table as a function `settings` with a line for each option, in the order of writing:
#
#   want SETTING OPTION VALUE [CONDITION...]    to be set; the firmware takes it only while the conditions hold
#   held SETTING OPTION VALUE CONDITION         fixed by the option of the condition: compared, never set
#
# and, for its tool, two functions. Both return 1 when they fail, with a sentence in $answer:
#
#   setting_of OPTION           what it is set to, in $value
#   write_option OPTION VALUE   set it, note_down, and read it back where that can be; a tool that reports success
#                               and shows something else is named in $unshown
#
# $json is `yes` where `verify` is to print JSON; `report_unreadable REASON` does so where nothing can be compared. The other files of this folder have the rest: calls, lock, notes,
# journal, report.

unshown='' unfinished=''

want() { "$step" want "$@"; }
held() { "$step" held "$@"; }

# A step: compare a setting with the server; count, and say it in the way of the mode.
compare() {
    [ -z "$caught" ] || return 0
    kind=$1 setting=$2 option=$3 wanted=$4
    shift 4
    if ! setting_of "$option"; then
        [ -z "$caught" ] || return 0
        verdict=unreadable text="$option: $answer"
    else
        found="$option $value $*
$found"
        verdict=ok text="$option=$value"
        if same "$value" "$wanted"; then
            if noted "$option"; then verdict=pending text="$text, in effect from the next start on"; fi
        elif [ "$kind" = held ] && noted "${1%%=*}"; then
            verdict=pending text="$text, from the next start on $wanted, which ${1%%=*} brings"
        elif [ "$kind" = held ]; then
            verdict=differs text="$text, wanted $wanted, which ${1%%=*} is to bring"
        else
            verdict=differs text="$text, wanted $wanted" to_set=$((to_set + 1))
        fi
    fi
    case $verdict in
        pending) pending=$((pending + 1)) ;;
        differs) differing=$((differing + 1)) ;;
        unreadable) unreadable=$((unreadable + 1)) ;;
    esac
    case $mode$json/$verdict in
        verifyyes/*) report_option "$@" ;;
        verify/*) printf '%-10s %s\n' "$verdict" "$text" ;;
        dry-run/differs)
            if [ "$kind" = want ]; then say "would set $option: $value -> $wanted"; else say "differs: $text"; fi
            ;;
        */unreadable) complain "cannot read $text" ;;
    esac
}

# The result of a comparison, for the report. What a profile fixes is locked.
report_option() {
    case $verdict in
        ok) report "$setting" firmware ok "$wanted" "$value" '' "$option${unfinished:+; $unfinished}" ;;
        pending)
            # What the tool shows is not in effect yet, and it does not show what is.
            report "$setting" firmware pending "$wanted" '' "$wanted" \
                "$option was set since the server started, and takes effect when it restarts${unfinished:+; $unfinished}"
            ;;
        differs)
            if [ "$kind" = held ]; then
                report "$setting" firmware locked "$wanted" "$value" '' "$option is fixed by ${1%%=*}${unfinished:+; $unfinished}"
            else
                report "$setting" firmware differs "$wanted" "$value" '' "$option${unfinished:+; $unfinished}"
            fi
            ;;
        unreadable) report "$setting" firmware unreadable "$wanted" '' '' "$option: $answer" ;;
    esac
}

# Where nothing can be compared, for reason $1: every setting is unreadable.
report_unreadable() {
    [ -n "$json" ] || return 0
    unread_reason=$1 step=report_unread_option
    settings
    print_report "$policy"
}
report_unread_option() { report "$2" firmware unreadable "$4" '' '' "$3: $unread_reason"; }

compare_all() {
    found='' to_set=0 pending=0 differing=0 unreadable=0 step=compare
    settings
    if [ -z "$caught" ]; then return; fi
    [ "$phase" = finished ] || die "interrupted by SIG$caught; $unchanged"
    complain "interrupted by SIG$caught; what was set stays set, and was not compared again"
    exit 6
}

# A step: set a setting that differs.
set_one() {
    [ -z "$caught" ] || failed
    kind=$1 option=$3 wanted=$4
    shift 4
    [ "$kind" = want ] || return 0
    setting_of "$option" || failed "cannot read $option: $answer"
    ! same "$value" "$wanted" || return 0
    old=$value
    hold "$@"
    case $? in
        1)
            complain "$option stays $old: the firmware takes a value only while $*"
            return 0
            ;;
        2) failed "cannot read whether $*: $answer" ;;
    esac
    [ -z "$caught" ] || failed
    note try "$option" "$wanted" || failed "cannot write to $journal"
    tried=$((tried + 1))
    write_option "$option" "$wanted" || failed "could not set $option to $wanted: $answer"
    note set "$option" || failed "cannot write to $journal"
    changed=$((changed + 1))
    say "set $option: $old -> $wanted"
}

# The run has failed for reason $1, or is interrupted: put back what it has changed, and what it may have changed.
failed() {
    if [ -n "$caught" ]; then complain "interrupted by SIG$caught"; else complain "$1"; fi
    if [ "$tried" -eq 0 ]; then
        rm -f "$journal"
        die "$unchanged"
    fi
    complain "putting back what this run has set or tried to set: $tried"
    phase=undoing untrue=$unshown unshown=''
    put_back "$journal" || stay_changed "it is NOT known whether all settings are as they were before this run"
    rm -f "$journal"
    [ -z "$untrue" ] || die "all settings were set back to what they were before this run. syscfg did not show what was set, so what it shows proves nothing: compare after the next start:$untrue"
    die "all settings are as they were before this run"
}

remind() {
    [ "$pending" -eq 0 ] || say "settings that wait for the next start: $pending (this script does not restart the server)"
}

apply() {
    lock_for_change
    recover
    compare_all
    [ "$unreadable" -eq 0 ] || die "$unchanged; settings that cannot be read: $unreadable"
    if [ "$to_set" -gt 0 ]; then
        changed=0 tried=0
        open_journal
        phase=setting step=set_one
        settings
        [ -z "$caught" ] || failed
        if [ "$tried" -eq 0 ]; then
            rm -f "$journal"
        else
            close_saved || failed "cannot keep the old values in $state"
        fi
        phase=finished
        say "settings changed: $changed; to take them back: run this script with --rollback --state $state"
        compare_all
        if [ "$unreadable" -gt 0 ]; then
            complain "what was set stays set; settings that cannot be read again to compare them: $unreadable"
            exit 6
        fi
    else
        say "nothing to change"
    fi
    finish
}

dry_run() {
    lock_for_reading
    compare_all
    [ "$unreadable" -eq 0 ] || die "settings that cannot be read: $unreadable"
    if would_recover; then
        :
    elif [ "$to_set" -eq 0 ]; then
        say "nothing to change"
    else
        say "settings that would be set: $to_set"
    fi
}

verify() {
    lock_for_reading
    is_unfinished || unfinished=''
    compare_all
    [ -z "$json" ] || print_report "$policy" || exit
    if is_unfinished; then
        complain "$unfinished. To take it back: run this script with --rollback --state $state"
        exit 6
    fi
    if [ -n "$json" ]; then
        report_status
        exit
    fi
    finish
}

# The end of what compared all settings.
finish() {
    remind
    if [ "$differing" -gt 0 ]; then
        complain "settings that differ: $differing (--verify shows which)"
        exit 3
    fi
    [ "$unreadable" -eq 0 ] || die "settings that cannot be read: $unreadable"
    exit 0
}

