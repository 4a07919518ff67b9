#!/bin/sh
# BIOS settings of policy fleet-login for c6420, set with Dell's syscfg.
#
#   apply.sh               set what differs; if anything fails, put back what this run has changed
#   apply.sh --dry-run     show what would be set, change nothing
#   apply.sh --verify      compare every setting with the policy
#   apply.sh --rollback    put back what the last run that set something had found
#   ... --state DIR        keep old values and notes in DIR instead of /var/lib/setpoint
#
# Before all of it but --rollback it looks whether this is a server that the policy is for.
#
# Exit status: 0 all is as wanted, 2 wrong usage, 3 a setting differs, 4 something failed, 5 this is another server.
# Environment: SETPOINT_IGNORE, checks of the server to pass over ("product sockets");
# SYSCFG, the tool (/opt/dell/toolkit/bin/syscfg); SETPOINT_SETUP_PASSWORD, the server's setup
# password if it has one. This script never restarts the server; what it sets takes effect when the server restarts.
#
# How far to trust it: the options are BIOS attributes by name, as public scripts for the R720 and the R630 have them. No
# reference of the options could be had, and none that says how far beyond the 14th generation the toolkit reaches.
# How the setup password is handed over (--valsetuppwd) is taken from Dell's client tool of the same family. What was
# checked: shellcheck, and runs with a stand-in for syscfg, not with syscfg itself. Try it on one server first.
# Where the server's iDRAC can be reached, prefer Redfish (target `redfish`).

# A trace would show the password.
[ -z "${SETPOINT_SETUP_PASSWORD:+set}" ] || set +x
set -u
LC_ALL=C
export LC_ALL
password=${SETPOINT_SETUP_PASSWORD-}
unset SETPOINT_SETUP_PASSWORD
syscfg=${SYSCFG:-/opt/dell/toolkit/bin/syscfg}
state=/var/lib/setpoint
policy='fleet-login'
boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null) || boot=

# ---------------------------------------------------------------------------------------------- what is wanted
# want OPTION VALUE [CONDITION]    to be set; the firmware takes it only while the condition holds
# held OPTION VALUE CONDITION      fixed by the system profile: compared, never set

settings() {
    want SysProfile                  PerfPerWattOptimizedDapc                         # dell-14g-hpc, System Profiles; Conclusion
    want LogicalProc                 Enabled                                          # dell-12g-tuning, Logical Processor
    want DynamicCoreAllocation       Disabled                                         # dell-12g-tuning, Logical processor idling
    want ProcVirtualization          Enabled                                          # dell-bios-registries, R740 and R750 registries, ProcVirtualization help text
    want ProcAdjCacheLine            Enabled                                          # dell-12g-tuning, Processor prefetchers
    want ProcHwPrefetcher            Enabled                                          # dell-12g-tuning, Processor prefetchers
    want DcuStreamerPrefetcher       Enabled                                          # dell-12g-tuning, Processor prefetchers
    want DcuIpPrefetcher             Enabled                                          # dell-12g-tuning, Processor prefetchers
    want SubNumaCluster              Disabled                 NodeInterleave!=Enabled # dell-14g-hpc, Sub-NUMA cluster
    want ProcCores                   All                                              # dell-bios-registries, R740 and R750 registries, ProcCores help text
    want NodeInterleave              Disabled                                         # dell-bios-registries, R740 and R750 registries, NodeInterleave help text
    held ProcPwrPerf                 SysDbpm                  SysProfile=Custom       # dell-14g-hpc, System Profiles; Conclusion, by way of system-profile dapc
    held MemFrequency                MaxPerf                  SysProfile=Custom       # dell-14g-hpc, System Profiles; Conclusion, by way of system-profile dapc
    held ProcTurboMode               Enabled                  SysProfile=Custom       # dell-14g-hpc, System Profiles; Conclusion, by way of system-profile dapc
    held ProcC1E                     Enabled                  SysProfile=Custom       # dell-14g-hpc, System Profiles; Conclusion, by way of system-profile dapc
    held ProcCStates                 Enabled                  SysProfile=Custom       # dell-14g-hpc, System Profiles; Conclusion, by way of system-profile dapc
    held MonitorMwait                Enabled                  SysProfile=Custom       # dell-bios-registries, R740 registry, MonitorMwait help text
    held MemPatrolScrub              Standard                 SysProfile=Custom       # dell-14g-hpc, System Profiles; Conclusion, by way of system-profile dapc
    held MemRefreshRate              1x                       SysProfile=Custom       # dell-14g-hpc, System Profiles; Conclusion, by way of system-profile dapc
    held Proc1TurboCoreNum           All                      SysProfile=Custom       # dell-14g-hpc, System Profiles; Conclusion, by way of system-profile dapc
    held Proc2TurboCoreNum           All                      SysProfile=Custom       # dell-14g-hpc, System Profiles; Conclusion, by way of system-profile dapc
    held WriteDataCrc                Disabled                 SysProfile=Custom       # dell-14g-hpc, System Profiles; Conclusion, by way of system-profile dapc
    held UncoreFrequency             DynamicUFS               SysProfile=Custom       # dell-14g-hpc, System Profiles; Conclusion, by way of system-profile dapc
    held EnergyPerformanceBias       BalancedPerformance      SysProfile=Custom       # dell-14g-hpc, System Profiles; Conclusion, by way of system-profile dapc
    held CpuInterconnectBusLinkPower Enabled                  SysProfile=Custom       # dell-14g-hpc, System Profiles; Conclusion, by way of system-profile dapc
    held PcieAspmL1                  Enabled                  SysProfile=Custom       # dell-14g-hpc, System Profiles; Conclusion, by way of system-profile dapc
}

# ------------------------------------------------------------------------------ is this a server that the policy is for?
# must_report WHAT FACT VALUE VERB ACCEPTED...     5.6+ is this version or a later one
# SETPOINT_IGNORE names the checks to pass over, such as "product sockets"; SETPOINT_ROOT a system that is mounted elsewhere.

identity() {
    must_report product platform c6420 states 'PowerEdge C6420'
    must_report sockets sockets 2 states '2'
    must_report system os rhel-8 states 'Linux'
    must_report distribution os rhel-8 states 'rhel 8' 'centos 8' 'ol 8' 'almalinux 8' 'rocky 8'
    must_report kernel os rhel-8 states '4.18'
}

# What this server reports as $1, in $reported; nothing if it does not.
report_of() {
    reported=
    case $1 in
        product)
            { read -r reported <"$identity_root/sys/class/dmi/id/product_name"; } 2>/dev/null || :
            if [ -z "$reported$identity_root" ] && command -v dmidecode >/dev/null; then
                reported=$(dmidecode -s system-product-name 2>/dev/null | sed -n '/^[^#]/{s/ *$//p;q;}')
            fi
            ;;
        sockets)
            reported=$(
                set +f
                cat "$identity_root"/sys/devices/system/cpu/cpu[0-9]*/topology/physical_package_id 2>/dev/null |
                    sort -u | grep -c '^[0-9]'
            ) || reported=
            ;;
        system) { read -r reported <"$identity_root/proc/sys/kernel/ostype"; } 2>/dev/null || : ;;
        kernel) { read -r reported <"$identity_root/proc/sys/kernel/osrelease"; } 2>/dev/null || : ;;
        distribution)
            for release in etc/os-release usr/lib/os-release; do
                [ -s "$identity_root/$release" ] || continue
                reported="$(release_field ID) $(release_field VERSION_ID)"
                reported=${reported% }
                return
            done
            { read -r reported <"$identity_root/etc/redhat-release"; } 2>/dev/null || :
            ;;
    esac
}

# A field of the os-release file. The file is shell, and is not run.
release_field() {
    sed -n "s/^$1=//p" "$identity_root/$release" | tr -d "\"'" | head -n 1
}

# Whether version $1 is $2 or later, number by number.
not_before() {
    is=$1 least=$2
    while [ -n "$least" ]; do
        number=${is%%.*}
        number=${number%%[!0-9]*}
        [ "${number:-0}" -eq "${least%%.*}" ] || break
        case $is in *.*) is=${is#*.} ;; *) is=0 ;; esac
        case $least in *.*) least=${least#*.} ;; *) return 0 ;; esac
    done
    [ "${number:-0}" -gt "${least%%.*}" ]
}

# Whether what is reported as $1 is $2: a release and a kernel may go on behind it.
accepts() {
    case $1:$2 in
        kernel:*+) not_before "$reported" "${2%+}" ;;
        kernel:*) case $reported in "$2" | "$2".* | "$2"-*) ;; *) return 1 ;; esac ;;
        distribution:*) case $reported in "$2" | "$2".* | "$2 "*) ;; *) return 1 ;; esac ;;
        *) [ "$reported" = "$2" ] ;;
    esac
}

must_report() {
    what=$1 fact=$2 value=$3 verb=$4
    shift 4
    case " ${SETPOINT_IGNORE-} " in *" $what "*) return 0 ;; esac
    report_of "$what"
    wanted_reports=
    for name in "$@"; do
        if [ -n "$reported" ] && accepts "$what" "$name"; then return 0; fi
        case $name in *+) name="${name%+} or later" ;; esac
        wanted_reports="${wanted_reports:+$wanted_reports or }$name"
    done
    unlike="${unlike:+$unlike }$what"
    case $what in
        sockets)
            right="\"$fact ${reported:-N}\"" policy_says="$verb $value"
            if [ "$reported" = 1 ]; then it_reports="1 processor socket"; else it_reports="${reported:-no} processor sockets"; fi
            ;;
        *)
            right="the right $fact" policy_says="$verb $fact $value ($wanted_reports)"
            if [ -n "$reported" ]; then it_reports="the $what $reported"; else it_reports="no $what"; fi
            ;;
    esac
    printf 'this server reports %s, and the policy %s: state %s and compile again\n' \
        "$it_reports" "$policy_says" "$right" >&2
}

# Whether this is such a server; 5 if not, and 2 if a check is to be passed over that there is not.
is_the_server() {
    identity_root=${SETPOINT_ROOT:-} unlike=''
    for name in ${SETPOINT_IGNORE-}; do
        case $name in
            product | sockets | system | distribution | kernel) ;;
            *)
                printf 'SETPOINT_IGNORE: there is no check %s\n' "$name" >&2
                return 2
                ;;
        esac
    done
    identity
    [ -n "$unlike" ] || return 0
    printf 'Nothing was changed. If this is the server that was meant: SETPOINT_IGNORE="%s"\n' "$unlike" >&2
    return 5
}

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

# -------------------------------------------------------------------------------------------------- the steps

want() { "$step" want "$@"; }
held() { "$step" held "$@"; }

# A step: compare a setting with the server; count, and say it in the way of the mode.
compare() {
    kind=$1 option=$2 wanted=$3
    shift 3
    if ! setting_of "$option"; then
        verdict=unreadable text="$option: $answer"
    else
        found="$option $value $*
$found"
        verdict=ok text="$option=$value"
        if same "$value" "$wanted"; then
            if noted "$option"; then verdict=pending text="$text, in effect from the next start on"; fi
        elif [ "$kind" = held ] && noted "${1%%=*}"; then
            verdict=pending text="$text, from the next start on $wanted, which ${1%%=*} brings"
        elif [ "$kind" = held ]; then
            verdict=differs text="$text, wanted $wanted, which ${1%%=*} is to bring"
        else
            verdict=differs text="$text, wanted $wanted" to_set=$((to_set + 1))
        fi
    fi
    case $verdict in
        pending) pending=$((pending + 1)) ;;
        differs) differing=$((differing + 1)) ;;
        unreadable) unreadable=$((unreadable + 1)) ;;
    esac
    case $mode/$verdict in
        verify/*) printf '%-10s %s\n' "$verdict" "$text" ;;
        dry-run/differs)
            if [ "$kind" = want ]; then say "would set $option: $value -> $wanted"; else say "differs: $text"; fi
            ;;
        */unreadable) complain "cannot read $text" ;;
    esac
}

compare_all() {
    found='' to_set=0 pending=0 differing=0 unreadable=0 step=compare
    settings
}

# A step: set a setting that differs.
set_one() {
    kind=$1 option=$2 wanted=$3
    shift 3
    [ "$kind" = want ] || return 0
    setting_of "$option" || failed "cannot read $option: $answer"
    ! same "$value" "$wanted" || return 0
    old=$value
    hold "$@"
    case $? in
        1)
            complain "$option stays $old: the firmware takes a value only while $*"
            return 0
            ;;
        2) failed "cannot read whether $*: $answer" ;;
    esac
    write_option "$option" "$wanted" || failed "could not set $option to $wanted: $answer"
    changed=$((changed + 1))
    say "set $option: $old -> $wanted"
}

# The run has failed for reason $1: put back what it has changed.
failed() {
    complain "$1"
    complain "stopped; putting back what this run has changed: $changed"
    if put_back "$saved"; then
        rm -f "$saved"
        die "all settings are as they were before this run"
    fi
    die "NOT all settings are as they were: see above. Remove the cause, then: $0 --rollback --state $state"
}

# Put back the settings of file $1, which has them in reverse order: what a profile or another setting locks goes back
# before that does. What is locked just now gets another turn; what a profile holds to the end, it brings back itself.
put_back() {
    round=0
    while [ "$round" -lt 3 ]; do
        round=$((round + 1))
        moved='' waiting='' trouble=''
        while read -r option old conditions <&3; do
            [ "$option" != '#' ] || continue
            if setting_of "$option" && same "$value" "$old"; then continue; fi
            # The conditions are words of their own.
            # shellcheck disable=SC2086
            hold $conditions
            case $? in
                0) ;;
                1)
                    waiting="$waiting $option"
                    case $conditions in *!=*) trouble=yes ;; esac
                    continue
                    ;;
                2)
                    complain "could not put back $option to $old: $answer"
                    trouble=yes
                    continue
                    ;;
            esac
            if write_option "$option" "$old"; then
                say "put back $option: $old"
                moved=yes
            else
                complain "could not put back $option to $old: $answer"
                trouble=yes
            fi
        done 3<"$1"
        if [ -z "$moved" ] || [ -z "$waiting" ]; then break; fi
    done
    [ -z "$waiting" ] || complain "left to the firmware, which has them locked:$waiting"
    [ -z "$trouble" ]
}

# The last file of old values, in $saved, and its number in $number; 0 if there is none.
last_saved() {
    number=0
    while [ -e "$state/syscfg.rollback.$((number + 1))" ]; do number=$((number + 1)); done
    saved=$state/syscfg.rollback.$number
}

save() {
    umask 077
    mkdir -p "$state" || die "cannot make $state: nothing was changed"
    last_saved
    saved=$state/syscfg.rollback.$((number + 1))
    if ! printf '# %s\n%s' "$policy" "$found" >"$saved.new" || ! mv "$saved.new" "$saved"; then
        die "cannot save the old values in $state: nothing was changed"
    fi
}

remind() {
    [ "$pending" -eq 0 ] || say "settings that wait for the next start: $pending (this script does not restart the server)"
}

apply() {
    compare_all
    [ "$unreadable" -eq 0 ] || die "nothing was changed; settings that cannot be read: $unreadable"
    if [ "$to_set" -gt 0 ]; then
        save
        changed=0
        trap 'complain "interrupted after $changed changes; to take them back: $0 --rollback --state $state"; exit 4' HUP INT TERM
        step=set_one
        settings
        say "settings changed: $changed; to take them back: $0 --rollback --state $state"
        compare_all
    else
        say "nothing to set"
    fi
    finish
}

# The end of what compared all settings.
finish() {
    remind
    if [ "$differing" -gt 0 ]; then
        complain "settings that differ: $differing (--verify shows which)"
        exit 3
    fi
    [ "$unreadable" -eq 0 ] || die "settings that cannot be read: $unreadable"
    exit 0
}

rollback() {
    last_saved
    [ "$number" -gt 0 ] || die "no old values in $state"
    say "putting back what the run of policy $(sed -n '1s/^# //p' "$saved") had found"
    put_back "$saved" || die "NOT all settings could be put back: see above. $saved is kept"
    rm -f "$saved"
    say "done; what was put back takes effect when the server restarts"
}

usage() {
    complain "usage: apply.sh [--dry-run | --verify | --rollback] [--state DIR]"
    exit 2
}

mode=apply
while [ $# -gt 0 ]; do
    case $1 in
        --dry-run | --verify | --rollback)
            [ "$mode" = apply ] || usage
            mode=${1#--}
            ;;
        --state)
            [ -n "${2-}" ] || usage
            state=$2
            shift
            ;;
        -h | --help)
            sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
            exit 0
            ;;
        *) usage ;;
    esac
    shift
done
case $state in /*) ;; *) state=$PWD/$state ;; esac
if [ "$mode" != rollback ]; then is_the_server || exit; fi
command -v "$syscfg" >/dev/null || die "no syscfg at $syscfg (SYSCFG names another)"

case $mode in
    apply) apply ;;
    dry-run)
        compare_all
        [ "$unreadable" -eq 0 ] || die "settings that cannot be read: $unreadable"
        say "settings that would be set: $to_set"
        ;;
    verify)
        compare_all
        finish
        ;;
    rollback) rollback ;;
esac
