# ------------------------------------------------------------------------------------------------------- syscfg

# syscfg of Dell's Deployment Toolkit, on the server itself: it sets one option at a time.

syscfg=${SYSCFG:-/opt/dell/toolkit/bin/syscfg}
unshown='' unfinished=''

syscfg_begin() {
    password=$setup_password
    catch_signals
}

require_syscfg() {
    command -v "$syscfg" >/dev/null && return 0
    report_unreadable "no syscfg at $syscfg"
    die "no syscfg at $syscfg (SYSCFG names another)"
}

syscfg_call() { call "$syscfg" "$@"; }

syscfg_hint() {
    case $1 in
        *"data manager"*) printf ' (start it: /opt/dell/srvadmin/sbin/srvadmin-services.sh start)' ;;
    esac
}

# What the tool shows for option $1, in $value.
read_option() {
    case $1 in
        power) syscfg_call power || return 1 ;;
        *) syscfg_call "--$1" || return 1 ;;
    esac
    value=$(printf '%s\n' "$answer" | awk -F= -v name="$1" '
        { gsub(/[ \t\r]*=[ \t\r]*/, "="); gsub(/^[ \t\r]+|[ \t\r]+$/, ""); key = tolower($1) }
        key == tolower(name) || (name == "power" && key == "profile") { print $2; exit }')
    case $value in
        '' | *[!A-Za-z0-9._-]*)
            answer="no value in its answer: $answer"
            return 1
            ;;
    esac
}

# What option $1 is set to, in $value. The tool shows the power profile that is in effect; what was set since the
# server started is known from the note that was made of it.
setting_of() {
    read_option "$1" || return 1
    if [ "$1" = power ] && noted power; then value=$note; fi
}

# Set option $1 to $2, and see that it is, where that can be seen.
write_option() {
    case $1 in
        power) syscfg_call power "--profile=$2" --setuppwdoverride || return 1 ;;
        *) syscfg_call "--$1=$2" ${password:+"--valsetuppwd=$password"} || return 1 ;;
    esac
    note_down "$1" "$2"
    [ "$1" != power ] || return 0
    read_option "$1" || return 1
    same "$value" "$2" && return 0
    answer="the tool reported success, but shows $value" unshown="$unshown $1"
    return 1
}

# For each line: compare a setting with the server; count, and say it in the way of the mode.
compare_set() {
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
        verify/* | next/*) printf '%-10s %s\n' "$verdict" "$text" ;;
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
            elif noted "$option"; then
                report "$setting" firmware differs "$wanted" '' "$value" \
                    "$option was set to $value since the server started, and takes effect when it restarts${unfinished:+; $unfinished}"
            else
                report "$setting" firmware differs "$wanted" "$value" '' "$option${unfinished:+; $unfinished}"
            fi
            ;;
        unreadable) report "$setting" firmware unreadable "$wanted" '' '' "$option: $answer" ;;
    esac
}

syscfg_unreadable() { options_unreadable "$1"; }

syscfg_compare() {
    found='' to_set=0 pending=0 differing=0 unreadable=0
    each_option compare_set
    if [ -z "$caught" ]; then return; fi
    [ "$phase" = finished ] || die "interrupted by SIG$caught; $unchanged"
    complain "interrupted by SIG$caught; what was set stays set, and was not compared again"
    exit 6
}

# For each line: set a setting that differs.
set_one() {
    [ -z "$caught" ] || take_back_set
    kind=$1 option=$3 wanted=$4
    shift 4
    [ "$kind" = want ] || return 0
    setting_of "$option" || take_back_set "cannot read $option: $answer"
    ! same "$value" "$wanted" || return 0
    old=$value
    hold "$@"
    case $? in
        1)
            complain "$option stays $old: the firmware takes a value only while $*"
            return 0
            ;;
        2) take_back_set "cannot read whether $*: $answer" ;;
    esac
    [ -z "$caught" ] || take_back_set
    note try "$option" "$wanted" || take_back_set "cannot write to $journal"
    tried=$((tried + 1))
    write_option "$option" "$wanted" || take_back_set "could not set $option to $wanted: $answer"
    note set "$option" || take_back_set "cannot write to $journal"
    changed=$((changed + 1))
    say "set $option: $old -> $wanted"
}

# The run has failed for reason $1, or is interrupted: put back what it has changed, and what it may have changed.
take_back_set() {
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

remind_of_start() {
    [ "$pending" -eq 0 ] || say "settings that wait for the next start: $pending (this program does not restart the server)"
}

syscfg_apply() {
    if [ "$mode" = dry-run ]; then
        syscfg_try
        return
    fi
    lock_for_change
    recover
    syscfg_compare
    [ "$unreadable" -eq 0 ] || die "$unchanged; settings that cannot be read: $unreadable"
    if [ "$to_set" -gt 0 ]; then
        changed=0 tried=0
        open_journal
        phase=setting
        each_option set_one
        [ -z "$caught" ] || take_back_set
        if [ "$tried" -eq 0 ]; then
            rm -f "$journal"
        else
            close_saved || take_back_set "cannot keep the old values in $state"
        fi
        phase=finished
        say "settings changed: $changed; to take them back: $way_back"
        syscfg_compare
        if [ "$unreadable" -gt 0 ]; then
            complain "what was set stays set; settings that cannot be read again to compare them: $unreadable"
            exit 6
        fi
    else
        say "nothing to change"
    fi
    syscfg_finish
}

syscfg_try() {
    lock_for_reading
    syscfg_compare
    [ "$unreadable" -eq 0 ] || die "settings that cannot be read: $unreadable"
    try_recover
    if [ "$to_set" -eq 0 ]; then
        say "nothing to change"
        exit 0
    fi
    say "settings that would be set: $to_set"
    exit 3
}

syscfg_verify() {
    lock_for_reading
    is_unfinished || unfinished=''
    syscfg_compare
    [ -z "$json" ] || print_report "$policy" || exit
    if is_unfinished; then
        complain "$unfinished. To take it back: $way_back"
        exit 6
    fi
    if [ -n "$json" ]; then
        report_status
        exit
    fi
    # What was set is not in effect yet; it is what the next start will have.
    [ "$mode" != verify ] || [ "$pending" -eq 0 ] || [ "$differing" -gt 0 ] || {
        remind_of_start
        exit 3
    }
    syscfg_finish
}

syscfg_next() { syscfg_verify; }

# The end of what compared all settings.
syscfg_finish() {
    remind_of_start
    if [ "$differing" -gt 0 ]; then
        complain "settings that differ: $differing (\`verify\` shows which)"
        exit 3
    fi
    [ "$unreadable" -eq 0 ] || die "settings that cannot be read: $unreadable"
    exit 0
}

