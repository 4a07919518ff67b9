# ---------------------------------------------------------------------------------------------- units that are masked

# A unit of systemd is masked by a link to /dev/null of its name in /etc/systemd/system: nothing starts it then.
#
#   find_unmasked           the units of $masks that are not masked, or still run, in $unmasked
#   mask_units              mask and stop these; 1 if that fails, with the reason in $answer
#   each_mask DO            as `each_file` of files.sh, for the links
#   save_units FILE         note which of the units run
#   start_units FILE        with the links as they were, start those that ran; 1 if that fails, with the reason in $answer
#   expect_masked SETTING WANTED UNIT
#                           as in live.sh
#
# The script has calls.sh and live.sh, and sets $masks, the units of the plan as words.

mask_folder=$root/etc/systemd/system

is_masked() { [ "$(readlink "$mask_folder/$1" 2>/dev/null)" = /dev/null ]; }

is_running() { systemctl is-active "$1" >/dev/null 2>&1; }

find_unmasked() {
    unmasked=
    for one in $masks; do
        if ! is_masked "$one" || is_running "$one"; then unmasked="$unmasked $one"; fi
    done
}

# Each is stopped first: a timer that is masked while it is active fails when systemd reads the links.
mask_units() {
    [ -n "$unmasked" ] || return 0
    for one in $unmasked; do
        if is_running "$one"; then
            call systemctl stop "$one" || {
                answer="systemctl stop $one failed: $answer"
                return 1
            }
        fi
        if is_masked "$one"; then continue; fi
        # A unit that somebody has written or linked there stays.
        ln -s /dev/null "$mask_folder/$one" 2>/dev/null || {
            answer="cannot mask $one: $mask_folder has a file of that name, or cannot be written"
            return 1
        }
    done
    reload_units
}

reload_units() {
    call systemctl daemon-reload || {
        answer="systemctl daemon-reload failed: $answer"
        return 1
    }
}

each_mask() {
    for one in $masks; do "$1" link "$mask_folder/$one" || return 1; done
}

save_units() {
    for one in $masks; do
        ! is_running "$one" || echo "$one"
    done >"$1"
}

start_units() {
    reload_units || return 1
    # A plan before this one can have had no units.
    [ -e "$1" ] || return 0
    while read -r one; do
        if is_running "$one" || is_masked "$one" || call systemctl start "$one"; then continue; fi
        answer="systemctl start $one failed: $answer"
        return 1
    done <"$1"
}

expect_masked() {
    if [ -n "$unread_reason" ]; then
        report "$1" os unreadable "$2" '' '' "$unread_reason"
    elif ! is_masked "$3"; then
        result "$1" "$2" '' differs "$3 is not masked"
    elif is_running "$3"; then
        result "$1" "$2" '' differs "$3 is masked, and still runs"
    else
        result "$1" "$2" "$2" ok "$3 is masked"
    fi
}
