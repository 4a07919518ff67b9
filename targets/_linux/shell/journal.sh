# ------------------------------------------------------------------------------------------------ the journal

# open_journal, note; the rest is in rollback.sh
#
# A run keeps a journal while it changes settings. First the old values, in reverse order, since what a profile or
# another setting locks goes back before that does:
#
#   OPTION VALUE CONDITION...
#
# then, before each change and after it:
#
#   # try OPTION VALUE
#   # set OPTION
#
# A `try` without its `set` has an unknown outcome.
#
# For tools that set one option at a time. The script has lock.sh, calls.sh and notes.sh with what they need; $found, the
# lines of old values; and for its tool setting_of and write_option: see steps.sh.

open_journal() {
    journal=$state/$prefix.journal
    if ! { this_run | sed 's/^/# /' && printf '%s' "$found"; } 2>/dev/null >"$journal.new" || ! mv "$journal.new" "$journal"; then
        die "cannot save the old values in $state: $unchanged"
    fi
    sync
}

note() { printf '# %s\n' "$*" 2>/dev/null >>"$journal"; }

about_options() { sed -n 's/^# //p' "$1"; }
discard_options() { rm -f "$1"; }

# What is known of a run that has not finished, in $unfinished.
unfinished_options() {
    unfinished=$(awk '
        NR == 1 { policy = substr($0, 3) }
        $1 == "#" && $2 == "run" { by = substr($0, 7) }
        $1 == "#" && $2 == "try" && NF == 4 { value[$3] = $4; if (!($3 in known)) order[++n] = $3; known[$3] = 0 }
        $1 == "#" && $2 == "set" { known[$3] = 1 }
        END {
            for (i = 1; i <= n; i++) {
                text = order[i] "=" value[order[i]]
                if (known[order[i]]) set = set " " text; else unknown = unknown " " text
            }
            printf "the run of policy %s%s did not finish", policy, by ? " (" by ")" : ""
            if (set) printf "; it has set%s", set
            if (unknown) printf "; whether it has set this is not known:%s", unknown
            print ""
        }' "$state/$prefix.journal")
}

# Whether what the tool shows for option $1 proves nothing: the run of journal $saved has set it, or tried to, and the
# server has not started since.
in_doubt() {
    grep -q "^# try $1 " "$saved" || return 1
    [ -z "$boot" ] || ! grep -q '^# boot .' "$saved" || grep -qxF "# boot $boot" "$saved"
}

# Put back the settings of journal $1. What is locked just now gets another turn; what a profile holds to the end, it
# brings back itself.
put_back_options() {
    saved=$1
    if [ ! -r "$saved" ]; then
        complain "cannot read the old values in $saved"
        return 1
    fi
    round=0 settled=' '
    while [ "$round" -lt 3 ]; do
        round=$((round + 1))
        moved='' waiting='' trouble=''
        while read -r option old conditions <&3; do
            [ "$option" != '#' ] || continue
            if [ -n "$caught" ] && [ "$phase" != undoing ]; then
                trouble=yes
                break
            fi
            doubt=
            case $settled in
                *" $option "*) ;;
                *) if in_doubt "$option"; then doubt=yes; fi ;;
            esac
            if [ -z "$doubt" ] && setting_of "$option" && same "$value" "$old"; then continue; fi
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
                moved=yes settled="$settled$option "
            else
                complain "could not put back $option to $old: $answer"
                trouble=yes
            fi
        done 3<"$saved"
        if [ -z "$moved" ] || [ -z "$waiting" ]; then break; fi
    done
    [ -z "$waiting" ] || complain "left to the firmware, which has them locked:$waiting"
    [ -z "$trouble" ]
}
