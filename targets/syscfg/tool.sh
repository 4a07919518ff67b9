# --------------------------------------------------------------------------------------------------- the tool

say() { printf '%s\n' "$*"; }
complain() { printf 'apply.sh: %s\n' "$*" >&2; }
die() {
    complain "$@"
    exit 4
}

# Run the tool; what it says is in $answer.
tool() {
    answer=$("$syscfg" "$@" 2>&1 </dev/null) && return 0
    case $answer in
        *"data manager"*) answer="$answer (start it: /opt/dell/srvadmin/sbin/srvadmin-services.sh start)" ;;
    esac
    if [ -n "$password" ]; then
        case $answer in
            *"$password"*) answer='its answer shows the setup password, and is withheld' ;;
        esac
    fi
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
    answer="the tool reported success, but shows $value"
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

