# ------------------------------------------------------------------------------------------ a profile of tuned

# tuned_apply and tuned_verify are for both layouts of tuned; what differs is in functions of the part: tuned_STEP here, ktune_STEP in
# ktune.sh for tuned 0.2 of Enterprise Linux 6.

profile=$plan_name service_orders=''
case $part in
    ktune) home=$root/etc/tune-profiles ;;
    *)
        # From 2.23 on tuned has its profiles in a folder of their own, and looks nowhere else.
        home=$root/etc/tuned
        if [ -d "$home/profiles" ]; then home=$home/profiles; fi
        ;;
esac
home=${SETPOINT_TUNED_FOLDER:-$home}

# The profile that is active, in $active; nothing if there is none. Why it is not the plan's, in $not_in_force; that it cannot
# be told, in $unknown.
tuned_find() {
    not_in_force='' unknown='' active=''
    command -v tuned-adm >/dev/null || {
        not_in_force="tuned is not installed"
        return
    }
    adm_says=$(tuned-adm active 2>&1)
    case $adm_says in
        *'Current active profile: '*)
            active=$(printf '%s\n' "$adm_says" | sed -n 's/^Current active profile: //p')
            [ "$active" = "$profile" ] || not_in_force="tuned's active profile is $active"
            ;;
        *'No current active profile'*) not_in_force="tuned has no active profile" ;;
        *'daemon is not running'*) not_in_force="tuned's daemon does not run" ;;
        *) unknown="tuned-adm does not tell which profile is active: $adm_says" not_in_force=$unknown ;;
    esac
}

# tuned's daemon, where systemd has it in hand: what is to be changed so that it runs, now and after each start, in
# $service_orders; what would change that back, in $service_was.
tuned_service() {
    service_orders='' service_was=''
    if [ ! -d "$root/run/systemd/system" ] || ! command -v systemctl >/dev/null; then return 0; fi
    systemctl is-enabled tuned >/dev/null 2>&1 || service_orders=enable service_was=disable
    systemctl is-active tuned >/dev/null 2>&1 || service_orders="$service_orders start" service_was="$service_was stop"
}

change_service() {
    for order in $1; do
        call systemctl "$order" tuned || {
            answer="systemctl $order tuned failed: $answer"
            return 1
        }
    done
}

tuned_compare() {
    differing=0 unreadable=0
    "${part}_find"
    settings
}

tuned_verify() {
    command -v tuned-adm >/dev/null || {
        report_unreadable "tuned is not installed"
        die "tuned is not installed"
    }
    compare_all
    if [ -n "$json" ]; then
        print_report "$policy" || exit
        report_status
        exit
    fi
    [ -z "$not_in_force" ] || complain "$not_in_force, wanted $profile"
    if [ "$differing" -gt 0 ]; then exit 3; fi
    [ "$unreadable" -eq 0 ] || exit 4
    [ -z "$not_in_force" ] || exit 3
    exit 0
}

# Where nothing can be compared, for reason $1: every setting is unreadable.
tuned_unreadable() {
    unread_reason=$1
    settings
    print_report "$policy"
}

# Whether tuned has the profile that this one includes: shipped, in either layout, or the site's own.
is_included_there() {
    for folder in "$root/usr/lib/tuned/profiles" "$root/usr/lib/tuned" "$home"; do
        [ ! -f "$folder/$included/tuned.conf" ] || return 0
    done
    return 1
}

# What the profile's script has set on network cards it puts back itself, before it changes or goes: tuned looks for it afterwards only.
cards_script=$home/$profile/network-cards.sh
tuned_first() {
    [ -e "$cards_script" ] || return 0
    call sh "$cards_script" stop || {
        answer="$cards_script stop failed: $answer"
        complain "$answer"
        return 1
    }
}

# The profile, and what tuned keeps of its choice.
tuned_files() {
    "$1" own "$home/$profile/tuned.conf" && "$1" own "$root/etc/tuned/active_profile" && "$1" own "$root/etc/tuned/profile_mode" &&
        "$1" own "$cards_script" && each_mask "$1"
}

is_idle() { [ "$not_in_force" = "tuned's daemon does not run" ]; }

# Whether tuned's daemon runs, as tuned-adm finds it out. Where no profile is written down, tuned-adm does not say.
daemon_runs() { kill -0 "$(cat "$root/run/tuned/tuned.pid" 2>/dev/null)" 2>/dev/null; }

tuned_save() {
    tuned_find
    if is_idle; then : >"$1/idle" || return 1; fi
    [ -z "$unknown" ] && printf '%s\n' "$active" >"$1/active" && printf '%s\n' "$service_was" >"$1/service" && save_units "$1/units"
}

# tuned is given the profile that it had; then the files are put back once more, since it has written to them.
tuned_put_back() {
    # Before tuned has its profile again, since one of them may choose profiles.
    if [ -n "$masks" ] || [ -s "$saved/units" ]; then
        start_units "$saved/units" || {
            complain "$answer"
            return 1
        }
    fi
    tuned_find
    # Without its daemon tuned has written down what it would activate, and no more.
    if [ -e "$saved/idle" ] && is_idle; then
        say "tuned's daemon did not run and does not: no profile was active"
    else
        activate_former || return 1
    fi
    change_service "$(cat "$saved/service")" || {
        complain "$answer"
        return 1
    }
    put_back_files || return 1
    rmdir "$home/$profile" 2>/dev/null || :
}

activate_former() {
    former=$(cat "$saved/active")
    if [ "$(cat "$root/etc/tuned/profile_mode" 2>/dev/null)" = auto ]; then
        set -- auto_profile
    elif [ -n "$former" ]; then
        # A list of profiles is more than one word.
        # shellcheck disable=SC2086
        set -- profile $former
    else
        if [ -z "$active$unknown" ] && ! daemon_runs; then
            say "tuned's daemon does not run: no profile is active"
            return
        fi
        set -- off
    fi
    # It needs the daemon, which somebody may have stopped since; the state of that follows.
    tuned_service
    change_service "$service_orders" || {
        complain "$answer"
        return 1
    }
    call tuned-adm "$@" || {
        complain "tuned-adm $* failed: $answer"
        return 1
    }
    tuned_find
    if [ "$active" != "$former" ] || [ -n "$unknown" ]; then
        complain "tuned-adm $* reported success, but the active profile is ${active:-none}, not ${former:-none}"
        return 1
    fi
    say "active again: ${former:-no profile}"
}

is_profile_put() {
    for name in $paths; do
        text_of "$name" 2>/dev/null | cmp -s - "$home/$profile/$name" || return 1
        case $name in *.sh) [ -x "$home/$profile/$name" ] || return 1 ;; esac
    done
    # An earlier plan can have had values for network cards.
    case " $paths " in *" network-cards.sh "*) ;; *) [ ! -e "$cards_script" ] ;; esac
}

put_profile() {
    # The lock has set a umask for the folder of snapshots.
    (umask 022 && mkdir -p "$home/$profile") || return 1
    for name in $paths; do
        case $name in
            *.sh) mode_of_file=755 ;;
            *) mode_of_file=644 ;;
        esac
        text_of "$name" >"$home/$profile/$name.setpoint" && chmod "$mode_of_file" "$home/$profile/$name.setpoint" &&
            mv -f "$home/$profile/$name.setpoint" "$home/$profile/$name" || return 1
    done
    case " $paths " in *" network-cards.sh "*) ;; *) [ ! -e "$cards_script" ] || rm -f "$cards_script" ;; esac
}

tuned_apply() {
    command -v tuned-adm >/dev/null || die "tuned is not installed: nothing was changed"
    if [ "$mode" = apply ]; then
        lock_for_change
        recover
    else
        try_recover
    fi
    [ -z "$included" ] || is_included_there || die "tuned has no profile $included here, on which this one builds"
    put=
    is_profile_put || put=yes
    "${part}_service"
    compare_all
    find_unmasked
    if [ -z "$put$not_in_force$service_orders" ] && [ "$differing" -eq 0 ]; then
        say "nothing to change"
        return
    fi
    if [ "$mode" = dry-run ]; then
        [ -z "$put" ] || say "would write the profile $home/$profile"
        [ -z "$not_in_force" ] || say "not in force: $not_in_force"
        for order in $service_orders; do say "would run: systemctl $order tuned"; done
        for one in $unmasked; do say "would mask $one"; done
        say "would run: tuned-adm profile $profile"
        exit 3
    fi
    # Where only live values have drifted, the files and the profile stay, and there is nothing to go back to.
    drifted=
    [ -n "$put$not_in_force$service_orders$unmasked" ] || drifted=yes
    open_snapshot
    [ -z "$caught" ] || undo
    phase=setting
    "${part}_first" || undo "$answer"
    put_profile || undo "cannot write the profile $home/$profile"
    # Before tuned has its profile, since one of them may choose profiles.
    mask_units || undo "$answer"
    "${part}_activate" || undo "$answer"
    "${part}_find"
    [ -z "$not_in_force" ] || undo "tuned-adm reported success, but $not_in_force"
    changed_all || undo "cannot write to $state"
    [ -z "$caught" ] || undo
    if [ -n "$drifted" ]; then
        discard "$snapshot"
        say "activated again: $profile"
    else
        close_saved || undo "cannot keep the snapshot in $state"
        say "changed. To take it back: $way_back"
    fi
    finish_live
}

tuned_activate() {
    change_service "$service_orders" || return 1
    call tuned-adm profile "$profile" || {
        answer="tuned-adm failed: $answer"
        return 1
    }
}

