# --------------------------------------------------------------------------------------------------- the tool

tool() { call "$syscfg" "$@"; }

hint_at() {
    case $1 in
        *"data manager"*) printf ' (start it: /opt/dell/srvadmin/sbin/srvadmin-services.sh start)' ;;
    esac
}

# What the tool shows for option $1, in $value.
read_option() {
    case $1 in
        power) tool power || return 1 ;;
        *) tool "--$1" || return 1 ;;
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
