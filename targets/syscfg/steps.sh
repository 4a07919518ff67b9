# -------------------------------------------------------------------------------------------------- the steps

want() { "$step" want "$@"; }
held() { "$step" held "$@"; }

# A step: compare a setting with the server; count, and say it in the way of the mode.
compare() {
    kind=$1 option=$2 wanted=$3
    shift 3
    if ! setting_of "$option"; then
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
    case $mode/$verdict in
        verify/*) printf '%-10s %s\n' "$verdict" "$text" ;;
        dry-run/differs)
            if [ "$kind" = want ]; then say "would set $option: $value -> $wanted"; else say "differs: $text"; fi
            ;;
        */unreadable) complain "cannot read $text" ;;
    esac
}

compare_all() {
    found='' to_set=0 pending=0 differing=0 unreadable=0 step=compare
    settings
}

# A step: set a setting that differs.
set_one() {
    kind=$1 option=$2 wanted=$3
    shift 3
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
    write_option "$option" "$wanted" || failed "could not set $option to $wanted: $answer"
    changed=$((changed + 1))
    say "set $option: $old -> $wanted"
}

# The run has failed for reason $1: put back what it has changed.
failed() {
    complain "$1"
    complain "stopped; putting back what this run has changed: $changed"
    if put_back "$saved"; then
        rm -f "$saved"
        die "all settings are as they were before this run"
    fi
    die "NOT all settings are as they were: see above. Remove the cause, then: $0 --rollback --state $state"
}

# Put back the settings of file $1, which has them in reverse order: what a profile or another setting locks goes back
# before that does. What is locked just now gets another turn; what a profile holds to the end, it brings back itself.
put_back() {
    round=0
    while [ "$round" -lt 3 ]; do
        round=$((round + 1))
        moved='' waiting='' trouble=''
        while read -r option old conditions <&3; do
            [ "$option" != '#' ] || continue
            if setting_of "$option" && same "$value" "$old"; then continue; fi
            # The conditions are words of their own.
            # shellcheck disable=SC2086
            hold $conditions
            case $? in
                0) ;;
                1)
                    waiting="$waiting $option"
                    case $conditions in *!=*) trouble=yes ;; esac
                    continue
                    ;;
                2)
                    complain "could not put back $option to $old: $answer"
                    trouble=yes
                    continue
                    ;;
            esac
            if write_option "$option" "$old"; then
                say "put back $option: $old"
                moved=yes
            else
                complain "could not put back $option to $old: $answer"
                trouble=yes
            fi
        done 3<"$1"
        if [ -z "$moved" ] || [ -z "$waiting" ]; then break; fi
    done
    [ -z "$waiting" ] || complain "left to the firmware, which has them locked:$waiting"
    [ -z "$trouble" ]
}

# The last file of old values, in $saved, and its number in $number; 0 if there is none.
last_saved() {
    number=0
    while [ -e "$state/syscfg.rollback.$((number + 1))" ]; do number=$((number + 1)); done
    saved=$state/syscfg.rollback.$number
}

save() {
    umask 077
    mkdir -p "$state" || die "cannot make $state: nothing was changed"
    last_saved
    saved=$state/syscfg.rollback.$((number + 1))
    if ! printf '# %s\n%s' "$policy" "$found" >"$saved.new" || ! mv "$saved.new" "$saved"; then
        die "cannot save the old values in $state: nothing was changed"
    fi
}

remind() {
    [ "$pending" -eq 0 ] || say "settings that wait for the next start: $pending (this script does not restart the server)"
}

apply() {
    compare_all
    [ "$unreadable" -eq 0 ] || die "nothing was changed; settings that cannot be read: $unreadable"
    if [ "$to_set" -gt 0 ]; then
        save
        changed=0
        trap 'complain "interrupted after $changed changes; to take them back: $0 --rollback --state $state"; exit 4' HUP INT TERM
        step=set_one
        settings
        say "settings changed: $changed; to take them back: $0 --rollback --state $state"
        compare_all
    else
        say "nothing to set"
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

rollback() {
    last_saved
    [ "$number" -gt 0 ] || die "no old values in $state"
    say "putting back what the run of policy $(sed -n '1s/^# //p' "$saved") had found"
    put_back "$saved" || die "NOT all settings could be put back: see above. $saved is kept"
    rm -f "$saved"
    say "done; what was put back takes effect when the server restarts"
}

