# --------------------------------------------------------------------------------------------------- the tool

# What nobody reads any more does not end the run, which would leave half a policy.
say() {
    [ -z "$unread" ] || return 0
    printf '%s\n' "$*" 2>/dev/null || {
        unread=yes
        exec >/dev/null
        complain "nobody reads the output any more; the run goes on, and its exit status says how it ends"
    }
}
complain() { printf 'apply.sh: %s\n' "$*" >&2 2>/dev/null || :; }
die() {
    complain "$@"
    exit 4
}

# Signal $1 came. The call that runs gets some time to end by itself: ended in the middle, it leaves more in doubt.
on_signal() {
    caught=${caught:-$1}
    [ -z "$call" ] || limit_call
}

limit_call() {
    [ -z "$watch" ] || return 0
    (
        trap 'kill "$nap"; exit' TERM
        for action in TERM KILL; do
            sleep "$patience" &
            nap=$!
            wait "$nap"
            kill -"$action" "$call"
        done
    ) >/dev/null 2>&1 6<&- 9>&- &
    watch=$!
}

# Run the tool; what it says is in $answer. It runs in the background, since a shell takes no notice of a signal while
# it waits for a program in the foreground, which a tool that hangs never ends.
tool() {
    if [ -n "$caught" ] && [ "$phase" != undoing ]; then
        answer="interrupted by SIG$caught"
        return 1
    fi
    answers=$(umask 077 && mktemp "${TMPDIR:-/tmp}/setpoint.XXXXXX" 2>&1) || {
        answer="cannot make a file for its answer: $answers"
        return 1
    }
    exec 7>"$answers"
    exec 6<"$answers"
    rm -f "$answers"
    (
        trap - PIPE
        exec "$syscfg" "$@" </dev/null 6<&- 7>&-
    ) >&7 2>&1 &
    call=$!
    exec 7>&-
    [ -z "$caught" ] || limit_call
    while :; do
        wait "$call" 2>/dev/null
        ended=$?
        kill -0 "$call" 2>/dev/null || break
    done
    call=
    if [ -n "$watch" ]; then
        kill "$watch" 2>/dev/null
        wait "$watch" 2>/dev/null
        watch=
    fi
    answer=$(cat <&6)
    exec 6<&-
    [ "$ended" -ne 0 ] || return 0
    case $answer in
        *"data manager"*) answer="$answer (start it: /opt/dell/srvadmin/sbin/srvadmin-services.sh start)" ;;
    esac
    if [ -n "$password" ]; then
        case $answer in
            *"$password"*) answer='its answer shows the setup password, and is withheld' ;;
        esac
    fi
    if [ -n "$caught" ]; then answer="interrupted by SIG$caught${answer:+; $answer}"; fi
    answer=${answer:-"it said nothing, and its exit status was $ended"}
    return 1
}

# What the tool shows for option $1, in $value.
read_option() {
    case $1 in
        power) tool power || return 1 ;;
        *) tool "--$1" || return 1 ;;
    esac
    value=$(printf '%s\n' "$answer" | awk -F= -v name="$1" '
        { gsub(/[ \t\r]/, ""); key = tolower($1) }
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
        power) tool power "--profile=$2" --setuppwdoverride || return 1 ;;
        *) tool "--$1=$2" ${password:+"--valsetuppwd=$password"} || return 1 ;;
    esac
    note_down "$1" "$2"
    [ "$1" != power ] || return 0
    read_option "$1" || return 1
    same "$value" "$2" && return 0
    answer="the tool reported success, but shows $value" unshown="$unshown $1"
    return 1
}

# The options that were set since the server started: its boot id, then OPTION VALUE.
note_down() {
    [ -n "$boot" ] || return 0
    if [ "$(head -n 1 "$state/syscfg.set" 2>/dev/null)" != "$boot" ]; then
        printf '%s\n' "$boot" >"$state/syscfg.set"
    fi
    printf '%s %s\n' "$1" "$2" >>"$state/syscfg.set" || complain "could not note in $state that $1 was set"
}

# Whether option $1 was set since the server started; to what, in $note.
noted() {
    note=
    [ -r "$state/syscfg.set" ] || return 1
    note=$(awk -v boot="$boot" -v option="$1" '
        NR == 1 && (boot == "" || $0 != boot) { exit }
        $1 == option { last = $2 }
        END { print last }' "$state/syscfg.set")
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

