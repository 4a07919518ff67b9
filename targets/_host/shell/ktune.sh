# ------------------------------------------------------------------------------------- a profile of tuned 0.2

# tuned 0.2 links the files of a profile, and renames what was there, in `tuned-adm profile` (tuned_adm.py, Tuned_adm.profile).
# The ktune service applies the links, and reverts them; the tuned service is a daemon that our profile keeps idle.

# tuned-adm itself switches the services on.
ktune_service() { :; }

ktune_activate() {
    call_apart tuned-adm profile "$profile" || {
        answer="tuned-adm failed: $answer"
        return 1
    }
}

# What the link $1 of tuned-adm leads to, in the folder of the profile.
links="etc/tuned.conf:tuned.conf
etc/sysconfig/ktune:ktune.sysconfig
etc/ktune.d/tunedadm.conf:sysctl.ktune
etc/ktune.d/tunedadm.sh:ktune.sh"

# The profile that is active, in $active; nothing if there is none. Why it is not the plan's, in $not_in_force; that it cannot
# be told, in $unknown. The lock of the ktune service is looked at, since only root may ask for its status.
ktune_find() {
    not_in_force='' unknown='' active=''
    command -v tuned-adm >/dev/null || {
        not_in_force="tuned is not installed"
        return
    }
    adm_says=$(tuned-adm active 2>&1)
    case $adm_says in
        *'Current active profile: '*)
            active=$(printf '%s\n' "$adm_says" | sed -n 's/^Current active profile: //p')
            case $active in
                "$profile") find_links ;;
                off | '') active='' not_in_force="tuned has no active profile" ;;
                *) not_in_force="tuned's active profile is $active" ;;
            esac
            ;;
        *) unknown="tuned-adm does not tell which profile is active: $adm_says" not_in_force=$unknown ;;
    esac
}

# Why the profile is not in force, though it is active.
find_links() {
    for link in $links; do
        [ "$(readlink "$root/${link%%:*}")" = "$home/$profile/${link#*:}" ] || {
            not_in_force="/${link%%:*} is not the profile's"
            return
        }
    done
    case $adm_says in
        *'Service ktune: enabled'*) ;;
        *) not_in_force="the ktune service does not start with the server" ;;
    esac
    [ -e "$root/var/lock/subsys/ktune" ] || not_in_force="the ktune service has not been started"
}

# A daemon of tuned's (pmqos-static.py) holds the latency request: its number is in a file, its request in its arguments.
find_latency() {
    found=none holder=''
    { read -r holder <"$root/var/run/tuned/pmqos-static.pid"; } 2>/dev/null || :
    if [ -n "$holder" ] && [ -r "$root/proc/$holder/cmdline" ]; then
        found=$(tr '\0' '\n' <"$root/proc/$holder/cmdline" | sed -n 's/^cpu_dma_latency=//p')
        found=${found:-none}
    fi
}

expect_held() {
    if [ -n "$unread_reason" ]; then
        report "$1" os unreadable "$2" '' '' "$unread_reason"
        return
    fi
    find_latency
    # It writes its number only after it has become a daemon.
    if [ "$found" != "$2" ] && [ "$phase" = finished ]; then
        sleep 1
        find_latency
    fi
    if [ "$found" = "$2" ]; then
        result "$1" "$2" "$found" ok ''
    elif [ "$2" != none ] && [ ! -x "$root/usr/libexec/tuned/pmqos-static.py" ]; then
        result "$1" "$2" "$found" differs "this tuned has no /usr/libexec/tuned/pmqos-static.py: update the package"
    else
        result "$1" "$2" "$found" differs "pmqos-static.py holds cpu_dma_latency $found"
    fi
}

# What the services start with and apply, before the files change: ktune reverts with what the profile of now has.
stop_services() {
    for service in ktune tuned; do
        look_at_service "$service" || return 1
        [ "$running" = no ] || order_service "$service" stop || return 1
    done
}

# The profile, the files that tuned-adm writes or renames, and its links.
ktune_files() {
    for name in $paths; do "$1" own "$home/$profile/$name" || return 1; done
    "$1" own "$root/etc/tune-profiles/active-profile" || return 1
    for name in tuned.conf tuned.conf.bckp sysconfig/ktune sysconfig/ktune.bckp ktune.d/tunedadm.conf ktune.d/tunedadm.sh; do
        "$1" link "$root/etc/$name" || return 1
    done
}

ktune_save() { { save_service ktune && save_service tuned; } >"$1/services"; }

ktune_first() {
    stop_services || {
        complain "$answer"
        return 1
    }
}

ktune_put_back() {
    while read -r service_name service_levels service_running <&4; do
        put_back_service "$service_name" "$service_levels" "$service_running" || return 1
    done 4<"$1/services"
    rmdir "$home/$profile" 2>/dev/null || :
    ktune_find
    say "active again: ${active:-no profile}"
}

