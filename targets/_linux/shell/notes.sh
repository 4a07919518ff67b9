# ---------------------------------------------------------------------- what was set since the start, and conditions

# A tool that shows a value as soon as it is set does not tell whether it is in effect. What was set since the server
# started is noted in $state/$prefix.set, with the boot id in front.
#
#   note_down OPTION VALUE, noted OPTION    write a note; whether there is one, with its value in $note
#   same VALUE VALUE                        whether a tool means the same by both
#   hold CONDITION...                       whether OPTION=VALUE and OPTION!=VALUE are so now; needs setting_of
#
# The script sets $boot, the boot id, or nothing where there is none; $state and $prefix.

# The options that were set since the server started: its boot id, then OPTION VALUE.
note_down() {
    [ -n "$boot" ] || return 0
    if [ "$(head -n 1 "$state/$prefix.set" 2>/dev/null)" != "$boot" ]; then
        printf '%s\n' "$boot" >"$state/$prefix.set"
    fi
    printf '%s %s\n' "$1" "$2" >>"$state/$prefix.set" || complain "could not note in $state that $1 was set"
}

# Whether option $1 was set since the server started; to what, in $note.
noted() {
    note=
    [ -r "$state/$prefix.set" ] || return 1
    note=$(awk -v boot="$boot" -v option="$1" '
        NR == 1 && (boot == "" || $0 != boot) { exit }
        $1 == option { last = $2 }
        END { print last }' "$state/$prefix.set")
    [ -n "$note" ]
}

# Enabled, enabled and enable are the same value.
same() { [ "$1" = "$2" ] || [ "$(plain "$1")" = "$(plain "$2")" ]; }
plain() {
    printf '%s\n' "$1" | tr '[:upper:]' '[:lower:]' | sed -e 's/^enabled$/enable/' -e 's/^disabled$/disable/'
}

# Whether conditions OPTION=VALUE and OPTION!=VALUE hold just now: 0 they do, 1 they do not, 2 that cannot be read.
hold() {
    for condition in "$@"; do
        case $condition in
            *!=*)
                setting_of "${condition%%!=*}" || return 2
                same "$value" "${condition#*!=}" && return 1
                ;;
            *)
                setting_of "${condition%%=*}" || return 2
                same "$value" "${condition#*=}" || return 1
                ;;
        esac
    done
    return 0
}
