# ------------------------------------------------------------------------------ is this a server that the policy is for?

# What the server reports, compared with what it must report: `is_the_server || exit`.
#
#   must_report WHAT FACT VALUE VERB ACCEPTED...
#                        a check; 5.6+ is this version or a later one, and without any nothing can be compared
#   is_the_server        whether this is such a server: 5 if not, 2 if SETPOINT_IGNORE has a check that there is not
#
# The script has a function `identity` that makes the checks. It sets $report_of, the function that asks for a report (server.sh has one) or sets
# $untold to the reason why nobody can tell, which is noted and stops nothing, and
# $other_checks, more words that SETPOINT_IGNORE may have, for checks of its own. SETPOINT_IGNORE names the checks to pass over, such as "product sockets"; SETPOINT_ROOT a system that is mounted elsewhere.

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

# Whether what is reported as $1 is $2: a release and a kernel may go on behind it, and so may a product behind `*`.
accepts() {
    case $1:$2 in
        kernel:*+) not_before "$reported" "${2%+}" ;;
        kernel:*) case $reported in "$2" | "$2".* | "$2"-*) ;; *) return 1 ;; esac ;;
        distribution:*) case $reported in "$2" | "$2".* | "$2 "*) ;; *) return 1 ;; esac ;;
        processor:*) is_within_numbers "$2" ;;
        product:*"*") case $reported in "${2%?}"*) ;; *) return 1 ;; esac ;;
        *) [ "$reported" = "$2" ] ;;
    esac
}

# Whether each number of $reported is that of $1, or within its range: `family 25 model 0-15` accepts `family 25 model 1 stepping 2`.
# What is reported without a vendor is compared without it.
is_within_numbers() {
    numbers=$reported
    case $reported in "family "*) accepted_numbers=${1#* } ;; *) accepted_numbers=$1 ;; esac
    for word in $accepted_numbers; do
        number=${numbers%% *}
        case $word in
            [0-9]*)
                case $number in '' | *[!0-9]*) return 1 ;; esac
                [ "$number" -ge "${word%-*}" ] && [ "$number" -le "${word#*-}" ] || return 1
                ;;
            *) [ "$number" = "$word" ] || return 1 ;;
        esac
        case $numbers in *" "*) numbers=${numbers#* } ;; *) numbers= ;; esac
    done
}

must_report() {
    what=$1 fact=$2 value=$3 verb=$4
    shift 4
    if [ $# -eq 0 ]; then
        because="no source shows which $what $fact $value reports, so that nothing can be compared" advice='make sure yourself that this is one'
    else
        untold=
        "$report_of" "$what"
        if [ -n "$untold" ]; then
            passed_over="${passed_over}the $what was not compared: $untold
"
            return
        fi
        wanted_reports=
        for name in "$@"; do
            if [ -n "$reported" ] && accepts "$what" "$name"; then return 0; fi
            case $name in *+) name="${name%+} or later" ;; esac
            wanted_reports="${wanted_reports:+$wanted_reports or }$name"
        done
        unlike_in_words
    fi
    case " ${SETPOINT_IGNORE-} " in
        *" $what "*)
            passed_over="${passed_over}passed over: $because
"
            return
            ;;
    esac
    unlike="${unlike:+$unlike }$what"
    unlike_because="${unlike_because:+$unlike_because; }$because"
    printf '%s: %s\n' "$because" "$advice" >&2
}

# That $reported is none of $wanted_reports, in $because, and what to do, in $advice.
unlike_in_words() {
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
    because="this server reports $it_reports, and the policy $policy_says" advice="state $right and compile again"
}

# Whether this is such a server; 5 if not, with the reason in $unlike_because, and 2 if a check is to be passed over that
# there is not. What differs and is passed over is in $passed_over, a line for each.
is_the_server() {
    unlike='' unlike_because='' passed_over=''
    for name in ${SETPOINT_IGNORE-}; do
        case " product processor sockets system distribution kernel $other_checks " in
            *" $name "*) ;;
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
