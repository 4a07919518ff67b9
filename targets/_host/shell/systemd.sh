# --------------------------------------------------------------------------- files for sysctl.d, udev and systemd

unit=$plan_name.service
link=$root/etc/systemd/system/basic.target.wants/$unit
sysctls=/etc/sysctl.d/90-$plan_name.conf

# The files of the plan, and the services whose drop-ins it has. An earlier plan can have had drop-ins for other services and slices.
find_files() {
    files=$paths services=
    while read -r _ _ of _ <&8; do
        case "$services " in *" $of "*) continue ;; esac
        case $of in *.service) services="$services $of" ;; esac
    done 8<<DROP_INS
$drop_ins
DROP_INS
    for stale in "$root"/etc/systemd/system/*.service.d/90-"$plan_name".conf "$root"/etc/systemd/system/*.slice.d/90-"$plan_name".conf; do
        stale=${stale#"$root"}
        case "$stale " in *'*'*) continue ;; esac
        case " $paths " in *" $stale "*) continue ;; esac
        files="$files $stale"
        stale=${stale%.d/*}
        case $stale in *.service) services="$services ${stale##*/}" ;; esac
    done
}

# Why the files are not in force, in $not_in_force; nothing if they are.
find_in_force() {
    not_in_force='' unknown='' put='' unit_was=''
    ! has_text "/etc/systemd/system/$unit" || find_unit
    for path in $files; do
        is_put "$path" || put="$put $path"
    done
    [ -z "$put" ] || not_in_force="the plan's files are not in their places"
    find_tuned
    [ -z "$tuned" ] || not_in_force="the profile $tuned of tuned is active, and sets the same values"
}

find_unit() {
    unit_was=$(systemctl is-active "$unit" 2>/dev/null)
    case $unit_was in
        active) ;;
        '') not_in_force="systemctl does not say whether $unit is active" ;;
        *) not_in_force="$unit is $unit_was" ;;
    esac
    [ -L "$link" ] || not_in_force="$unit does not start with the server"
}

is_put() {
    if ! has_text "$1"; then
        [ ! -e "$root$1" ]
        return
    fi
    text_of "$1" 2>/dev/null | cmp -s - "$root$1" || return 1
    [ "$(mode_of "$1")" != 755 ] || [ -x "$root$1" ]
}

# tuned, where a profile of it is active, would set the same values.
find_tuned() {
    tuned=
    command -v tuned-adm >/dev/null || return 0
    tuned=$(tuned-adm active 2>/dev/null | sed -n 's/^Current active profile: //p')
}

systemd_compare() {
    differing=0 unreadable=0 waiting=0
    find_in_force
    settings
    while IFS= read -r row <&8; do
        [ -n "$row" ] || continue
        row_value=${row#*' = '}
        # Words without blanks.
        # shellcheck disable=SC2086
        set -- ${row%%' = '*}
        expect_drop_in "$2" "$row_value" "$3" "$4"
    done 8<<DROP_INS
$drop_ins
DROP_INS
}

# A drop-in has setting $1 as $2, for $3, by option $4. Of systemd's own, the affinity of its process shows whether it was started with
# it; the limits that services get it tells: of a soft and a hard one, the hard one.
expect_drop_in() {
    if [ -n "$unread_reason" ]; then
        report "$1" os unreadable "$2" '' '' "$unread_reason"
    elif [ -n "$put" ]; then
        result "$1" "$2" '' differs ''
    elif [ "$3" != system.conf ]; then
        result "$1" "$2" "$2" ok "in the drop-in for $3"
    else
        case $4 in
            CPUAffinity) text=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "$root/proc/1/status" 2>/dev/null) ;;
            *) text=$(systemctl show --property="$4" --value 2>/dev/null) ;;
        esac
        if [ "$text" = "${2#*:}" ]; then
            result "$1" "$2" "$text" ok ''
        else
            waiting=$((waiting + 1))
            if [ -n "$json" ]; then
                report "$1" os pending "$2" "$text" "$2" 'takes effect with the next start'
            else
                say "pending        $1: ${text:-unknown}, $2 from the next start on"
            fi
        fi
    fi
}

systemd_verify() {
    runs_systemd || {
        report_unreadable "this system does not run systemd"
        die "this system does not run systemd"
    }
    compare_all
    if [ -n "$json" ]; then
        print_report "$policy" || exit
        report_status
        exit
    fi
    [ -z "$not_in_force" ] || complain "$not_in_force${put:+:$put}"
    if [ "$differing" -gt 0 ]; then exit 3; fi
    [ "$unreadable" -eq 0 ] || exit 4
    if [ -n "$not_in_force" ] || [ "$waiting" -gt 0 ]; then exit 3; fi
    exit 0
}

runs_systemd() { [ -d "$root/run/systemd/system" ] && command -v systemctl >/dev/null; }

# Where nothing can be compared, for reason $1: every setting is unreadable.
systemd_unreadable() {
    unread_reason=$1
    compare_all
    print_report "$policy"
}

systemd_files() {
    for path in $files; do "$1" own "$root$path" || return 1; done
    "$1" link "$link" && each_mask "$1"
}

# The live values, and whether a unit of an earlier plan is active.
systemd_save() {
    {
        live_files | while IFS= read -r live; do
            read_live "$live" || return 1
            printf '%s %s\n' "$live" "$text"
            twin_of "$live"
        done
    } >"$1/live" && save_cards >"$1/cards" && save_units "$1/units" && { systemctl is-active "$unit" >"$1/active" 2>/dev/null || :; }
}

# What network cards have of the parameters that are changed.
save_cards() {
    [ -n "$cards_wanted" ] || return 0
    while read -r card; do
        while read -r _ _ kind parameter _ <&8; do
            [ -n "$parameter" ] || continue
            if read_card "$card" "$kind $parameter"; then printf '%s %s %s\n' "$card" "$kind $parameter" "$text"; fi
        done 8<<WANTED
$cards_wanted
WANTED
    done <<CARDS
$(cards)
CARDS
}

# Limits of dirty memory come in pairs, of which the kernel keeps the one that was written last and shows 0 for the other.
twin_of() {
    case $1 in
        */dirty_*bytes) twin=${1%bytes}ratio ;;
        */dirty_*ratio) twin=${1%ratio}bytes ;;
        *) return 0 ;;
    esac
    [ ! -e "$twin" ] || printf '%s %s\n' "$twin" "$(cat "$twin")"
}

# What the unit has set it puts back itself, before its files change. Without an answer it may be active.
systemd_first() {
    if unit_is=$(systemctl is-active "$unit" 2>/dev/null); then
        call systemctl stop "$unit" || {
            complain "systemctl stop $unit failed: $answer"
            return 1
        }
    elif [ -z "$unit_is" ]; then
        answer="systemctl does not say whether $unit is active"
        complain "$answer"
        return 1
    fi
}

systemd_put_back() {
    read_again || {
        complain "$answer"
        return 1
    }
    if [ -n "$masks" ] || [ -s "$1/units" ]; then
        start_units "$1/units" || {
            complain "$answer"
            return 1
        }
    fi
    if [ "$(cat "$1/active")" = active ]; then
        call systemctl start "$unit" || {
            complain "systemctl start $unit failed: $answer"
            return 1
        }
    fi
    trouble=
    while read -r live text; do
        [ -e "$live" ] || continue
        case $live:$text in */dirty_*:0) continue ;; esac
        was=$text
        read_live "$live" || text=
        if [ "$text" = "$was" ] || printf '%s\n' "$was" 2>/dev/null >"$live"; then continue; fi
        complain "could not put back ${live#"$root"}: $was"
        trouble=yes
    done <"$1/live"
    put_back_cards "$1/cards" || trouble=yes
    [ -z "$trouble" ]
}

# Put back what network cards had, by the lines of file $1. The last first: delays are put back before a card adapts them again.
put_back_cards() {
    refused=
    while read -r card kind name was; do
        if [ -z "$card" ] || ! read_card "$card" "$kind $name" || [ "$text" = "$was" ]; then continue; fi
        if answer=$(write_card "$card" "$kind $name" "$was" 2>&1); then continue; fi
        complain "could not put back $kind $name of $card: $was: $answer"
        refused=yes
    done <<CARDS
$(sed -n '1!G;h;$p' "$1" 2>/dev/null)
CARDS
    [ -z "$refused" ]
}

# Have the files read again by whom they are for.
read_again() {
    call systemctl daemon-reload || {
        answer="systemctl daemon-reload failed: $answer"
        return 1
    }
    for service in $services; do
        call systemctl try-restart "$service" || {
            answer="systemctl try-restart $service failed: $answer"
            return 1
        }
    done
    call udevadm control --reload || {
        answer="udevadm control --reload failed: $answer"
        return 1
    }
}

put_files() {
    for path in $files; do
        if ! has_text "$path"; then
            rm -f "$root$path" || return 1
            continue
        fi
        # The lock has set a umask for the folder of snapshots.
        (umask 022 && mkdir -p "$root${path%/*}") || return 1
        text_of "$path" >"$root$path.setpoint" && chmod "$(mode_of "$path")" "$root$path.setpoint" &&
            mv -f "$root$path.setpoint" "$root$path" || return 1
    done
}

# Set the values that the files have.
set_values() {
    if has_text "$sysctls"; then
        call sysctl -q -e -p "$root$sysctls" || {
            answer="sysctl failed: $answer"
            return 1
        }
    fi
    # The triggers are words.
    # shellcheck disable=SC2086
    [ -z "$triggers" ] || { call udevadm trigger --action=change $triggers && call udevadm settle; } || {
        answer="udevadm failed: $answer"
        return 1
    }
    if has_text "/etc/systemd/system/$unit"; then
        { call systemctl enable "$unit" && call systemctl restart "$unit"; } || {
            answer="systemctl could not start $unit: $answer"
            return 1
        }
    else
        rm -f "$link" || return 1
    fi
}

systemd_apply() {
    runs_systemd || die "this system does not run systemd: nothing was changed"
    find_tuned
    [ -z "$tuned" ] ||
        die "the profile $tuned of tuned is active, and sets the same values: nothing was changed. Run \`tuned-adm off\` first, or drop \`tuned unused\` from the policy"
    if [ "$mode" = apply ]; then
        lock_for_change
        recover
    else
        try_recover
    fi
    compare_all
    find_unmasked
    if [ -z "$not_in_force" ] && [ "$differing" -eq 0 ]; then
        say "nothing to change"
        return
    fi
    if [ "$mode" = dry-run ]; then
        for path in $put; do
            if has_text "$path"; then say "would write $path"; else say "would remove $path"; fi
        done
        [ -z "$not_in_force" ] || say "not in force: $not_in_force"
        for one in $unmasked; do say "would mask $one"; done
        say "would set the values that differ"
        exit 3
    fi
    # Where only live values have drifted, the files stay, and there is nothing to go back to.
    drifted=
    [ -n "$not_in_force$unmasked" ] || drifted=yes
    open_snapshot
    [ -z "$caught" ] || undo
    phase=setting
    systemd_first || undo "$answer"
    put_files || undo "cannot write the files"
    mask_units || undo "$answer"
    read_again || undo "$answer"
    set_values || undo "$answer"
    find_in_force
    [ -z "$not_in_force" ] || undo "systemd reported success, but $not_in_force"
    changed_all || undo "cannot write to $state"
    [ -z "$caught" ] || undo
    if [ -n "$drifted" ]; then
        discard "$snapshot"
        say "set again"
    else
        close_saved || undo "cannot keep the snapshot in $state"
        say "changed. To take it back: $way_back"
    fi
    finish_live
}

