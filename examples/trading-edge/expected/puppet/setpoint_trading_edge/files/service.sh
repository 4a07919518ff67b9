#!/bin/sh
# Save the state of a service before Puppet changes it, and restore that state. For chkconfig (Enterprise Linux 5, 6).
#
#   sh service.sh save NAME FILE       save the state of service NAME in FILE
#   sh service.sh restore NAME FILE    restore the state, and remove FILE
#
# FILE has two lines: the runlevels in which the service is on, as in `levels 2345`, and `running yes` or `running no`. If the
# service is not installed, FILE is empty, and nothing is restored.
#
# Exit status: 0 done, 2 wrong usage, 4 something failed.

set -u
LC_ALL=C
export LC_ALL
PATH=$PATH:/sbin:/usr/sbin

fail() {
    printf 'service.sh: %s\n' "$*" >&2
    exit 4
}

case $#:${1-} in
    3:save | 3:restore) ;;
    *)
        echo 'usage: sh service.sh save|restore NAME FILE' >&2
        exit 2
        ;;
esac
name=$2 file=$3
for program in chkconfig service; do
    command -v "$program" >/dev/null || fail "there is no $program on this server"
done

# The state of the service, in $state: nothing if it is not installed.
find_state() {
    state='' running=no
    levels=$(chkconfig --list "$name" 2>/dev/null) || return 0
    ! service "$name" status >/dev/null 2>&1 || running=yes
    state="levels $(printf '%s\n' "$levels" | tr -s '[:blank:]' '[\n*]' | sed -n 's/^\([0-6]\):on$/\1/p' | tr -d '\n')
running $running"
}

save() {
    find_state
    umask 077
    if ! mkdir -p "${file%/*}" || ! printf '%s\n' "$state" >"$file.new" || ! sync || ! mv "$file.new" "$file"; then
        fail "cannot write $file"
    fi
}

# Have the service on in the runlevels $1 only.
set_levels() {
    on=$1 off=
    for level in 0 1 2 3 4 5 6; do
        case $on in
            *"$level"*) ;;
            *) off=$off$level ;;
        esac
    done
    [ -z "$on" ] || chkconfig --level "$on" "$name" on || return
    [ -z "$off" ] || chkconfig --level "$off" "$name" off
}

# Set what differs from the state $wanted.
set_state() {
    levels=${wanted%%
*}
    if [ "${state%%
*}" != "$levels" ]; then set_levels "${levels#levels }" || return; fi
    case $state:$wanted in
        *'running yes:'*'running no') service "$name" stop ;;
        *'running no:'*'running yes') service "$name" start ;;
    esac
}

restore() {
    wanted=$(cat "$file") || fail "cannot read $file"
    if [ -n "$wanted" ]; then
        find_state
        [ -n "$state" ] || fail "there is no service $name on this server"
        set_state || fail "cannot restore service $name"
        find_state
        [ "$state" = "$wanted" ] || fail "service $name is $state, not $wanted"
    fi
    rm -f "$file" || fail "cannot remove $file"
    echo "service $name is as it was before Setpoint"
}

"$1"
