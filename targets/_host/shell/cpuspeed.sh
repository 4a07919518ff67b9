# ----------------------------------------------------------------------------------------------- the cpuspeed service

# The cpuspeed service of Enterprise Linux 5 and 6 is to be in state $wanted, in chkconfig's word, by $order, that of `service`.
find_service_wanted() {
    wanted=$service_state
    case $wanted in on) order=start ;; *) order=stop ;; esac
}

report_result() { report "$service_setting" os "$1" "$wanted" "$2" '' "$3"; }

# Where nothing can be compared, for reason $1.
cpuspeed_unreadable() {
    report_result unreadable '' "$1"
    print_report "$policy"
}

cannot_tell() {
    report_unreadable "cannot tell how the service stands: $*"
    die "cannot tell how the service stands: $*"
}

# The state of the service: its runlevels, whether it runs, and whether it exists. On a server without the service it
# counts as off; a server without chkconfig may still have it.
look() {
    for program in chkconfig service; do
        command -v "$program" >/dev/null || cannot_tell "there is no $program here"
    done
    look_at_service cpuspeed || cannot_tell "$answer"
    installed=yes found=off
    [ "$levels" != missing ] || installed=''
    [ "$running" = no ] || found=on
}

# Whether it is on (off) at the next start: in runlevels 2 to 5, which chkconfig changes.
settled() {
    for level in 2 3 4 5; do
        case $wanted:$levels in
            on:*"$level"*) ;;
            on:*) return 1 ;;
            *"$level"*) return 1 ;;
        esac
    done
}

# Whether it is on (off) now.
in_state() { [ "$found" = "$wanted" ]; }

service_differences() {
    if [ -z "$installed" ]; then
        [ "$wanted" = off ] || echo "is to be on, and is not installed"
        return
    fi
    settled || echo "is to be $wanted in runlevels 2 to 5, found on in: $levels"
    in_state || echo "is to be $wanted now, found: $found"
}

say_differences() { printf '%s\n' "$todo" | while read -r difference; do say "$difference"; done; }

cpuspeed_verify() {
    look
    todo=$(service_differences)
    if [ -n "$json" ]; then
        if [ -n "$todo" ]; then
            report_result differs "$found" "$(printf '%s' "$todo" | tr '\n' ';')"
        elif [ -n "$installed" ]; then
            report_result ok "$found" ''
        else
            report_result ok off 'not installed, as good as off'
        fi
        print_report "$policy" || exit
        report_status
        exit
    fi
    if [ -n "$todo" ]; then
        say_differences
        exit 3
    fi
    if [ -n "$installed" ]; then say "is $wanted, as planned"; else say "is not installed, as good as off"; fi
}

# -------------------------------------------------------------------------------------------------- the change

# What is saved is no file, but the state of the service.
cpuspeed_files() { :; }
cpuspeed_save() { save_service cpuspeed >"$1/service"; }

cpuspeed_put_back() {
    read -r service_name service_levels service_running <"$1/service" || return 1
    ! put_back_service "$service_name" "$service_levels" "$service_running" || return 0
    [ "$phase" != restoring ] || [ -n "$caught" ] || wait_for_firmware
    return 1
}

# While the firmware keeps the frequency to itself, the service does not start, whatever its runlevels. If nothing else is left to put back,
# the run ends here and keeps what it has found: the next one sees the service run.
wait_for_firmware() {
    look_at_service cpuspeed || return 0
    if [ "$levels:$running:$service_running" != "$service_levels:no:yes" ]; then return 0; fi
    complain "cpuspeed ran before, and does not start now, as where the firmware keeps the frequency to itself. Its runlevels are put back. Put back the firmware, too, restart the server, and run this again then: $way_back"
    exit 3
}

cpuspeed_apply() {
    if [ "$mode" = apply ]; then
        lock_for_change
        recover
    else
        try_recover
    fi
    look
    todo=$(service_differences)
    if [ -z "$todo" ]; then
        say "nothing to change"
        return
    fi
    say_differences
    [ -n "$installed" ] || die "nothing was changed"
    if [ "$mode" = dry-run ]; then
        settled || say "would run: chkconfig cpuspeed $wanted"
        in_state || say "would run: service cpuspeed $order"
        exit 3
    fi
    open_snapshot
    [ -z "$caught" ] || undo
    phase=setting
    settled || call chkconfig cpuspeed "$wanted" || undo "chkconfig cpuspeed $wanted failed: $answer"
    in_state || order_service cpuspeed "$order" ||
        undo "$answer. Does the firmware leave the frequency to the operating system?"
    look_at_service cpuspeed || undo "$answer"
    settled || undo "chkconfig reported success, but the service is on in runlevels: $levels"
    [ -z "$caught" ] || undo
    close_saved || undo "cannot keep the snapshot in $state"
    phase=finished
    say "is $wanted. To take it back: $way_back"
}

