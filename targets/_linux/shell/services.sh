# ------------------------------------------------------------------------------------------- services of System V init

# The state of a service, as chkconfig and service of Enterprise Linux 5 and 6 know it, and its way back.
#
#   look_at_service NAME       the runlevels in which it is on, in $levels, and whether it runs, in $running (yes, no); if
#                              that cannot be told, why not, in $answer (1)
#   order_service NAME ORDER   have it start or stop; 1 if it did not, with the reason in $answer
#   save_service NAME          print a line: its name and state
#   put_back_service NAME LEVELS RUNNING
#                              set what differs from that state; 1 if it cannot be, after a complaint
#   call_apart PROGRAM ARG...  as `call`, for a program that may start daemons
#
# $levels is `345` (say), `none`, `unlisted` if chkconfig does not know the service (chkconfig --add), or `missing` if it is not
# installed. The script has calls.sh, and an environment with LC_ALL=C: chkconfig's words are translated.

look_at_service() {
    levels='' running=no
    listed=$(chkconfig --list "$1" 2>&1)
    case $listed in
        *'No such file or directory'*)
            levels=missing
            return 0
            ;;
        *'not referenced in any runlevel'*) levels=unlisted ;;
        *6:o*)
            for word in $listed; do
                case $word in [0-6]:on) levels=$levels${word%:on} ;; esac
            done
            levels=${levels:-none}
            ;;
        *)
            answer="chkconfig says: $listed"
            return 1
            ;;
    esac
    service "$1" status >/dev/null 2>&1
    case $? in
        0) running=yes ;;
        4 | 126 | 127)
            answer="service $1 status fails"
            return 1
            ;;
    esac
}

# A daemon gets no lock, which it would hold until it ends, and what it writes is not for root alone. The shell between has it while the program runs.
call_apart() {
    # shellcheck disable=SC2016
    call sh -c '
        umask 022
        "$@" 9>&- &
        program=$!
        trap "kill $program" TERM
        while :; do
            wait "$program"
            ended=$?
            kill -0 "$program" 2>/dev/null || exit "$ended"
        done' sh "$@"
}

# The exit status of a service says little: ktune fails where one value of many could not be set. What counts is its state.
order_service() {
    call_apart service "$1" "$2"
    said=$answer
    look_at_service "$1" || return 1
    case $2:$running in
        start:yes | stop:no) return 0 ;;
    esac
    answer="service $1 $2 had no effect${said:+: $said}"
    return 1
}

save_service() { look_at_service "$1" && printf '%s %s %s\n' "$1" "$levels" "$running"; }

# Have service $1, which is on in $levels, on in the runlevels $2 only.
set_levels() {
    case $levels:$2 in
        *:missing) return 0 ;;
        *:unlisted)
            call chkconfig --del "$1"
            return
            ;;
        unlisted:*) call chkconfig --add "$1" && look_at_service "$1" || return 1 ;;
    esac
    on='' off=''
    for level in 0 1 2 3 4 5 6; do
        case $2:$levels in
            *"$level"*:*"$level"*) ;;
            *"$level"*:*) on=$on$level ;;
            *:*"$level"*) off=$off$level ;;
        esac
    done
    if [ -n "$on" ]; then call chkconfig --level "$on" "$1" on || return 1; fi
    [ -z "$off" ] || call chkconfig --level "$off" "$1" off
}

put_back_service() {
    if ! look_at_service "$1"; then
        complain "$answer"
        return 1
    fi
    [ "$levels" != "$2" ] || [ "$running" != "$3" ] || return 0
    # A service that was removed since stays removed.
    [ "$levels" != missing ] || return 0
    [ "$levels" = "$2" ] || set_levels "$1" "$2" || {
        complain "chkconfig failed for $1: $answer"
        return 1
    }
    case $running:$3 in
        yes:no) needed=stop ;;
        no:yes) needed=start ;;
        *) needed= ;;
    esac
    [ -z "$needed" ] || order_service "$1" "$needed" || {
        complain "$answer"
        return 1
    }
    case $3 in
        yes) say "service $1: runs again" ;;
        *) say "service $1: is stopped again" ;;
    esac
}
