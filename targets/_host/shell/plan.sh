# ---------------------------------------------------------------------------------------------------- the plan

# A plan is lines of words, each with its reason behind ` # `; lines that begin with # are comments. The lines below `file` that
# begin with | are the text of that file, and may have any character. No line becomes a command.
#
#   setpoint.plan/1 PART            kernel-args, tuned, ktune, systemd, cpuspeed, racadm, syscfg or parts
#   policy NAME
#   server WHAT FACT VALUE VERB [| REPORT]...      what such a server reports: see must_report
#
#   way grubby|drop-in|pbl|bls|rpm-ostree
#                                   kernel-args: how the boot loader is told, the first that is there
#   longest BYTES                   the longest command line
#   have SETTING ARGUMENT           an argument that is to be there, lack one that is to be gone
#   shows SETTING FILE is|is-not TEXT              what the kernel then shows
#
#   name NAME                       tuned, systemd: the name of the profile, of the unit
#   includes PROFILE                tuned: the profile that this one includes
#   file PATH MODE, absent PATH     a file that is put there, or must not be there
#   trigger SUBSYSTEM               systemd: of which udev is to set the devices again
#   value|least|first|bias|latency|resume|held SETTING [FILE...] = VALUE
#                                   live values, compared by a function of live.sh
#   card SETTING KIND PARAMETER = VALUE, drop-in SETTING OF OPTION = VALUE, mask SETTING VALUE UNIT
#
#   service SETTING NAME on|off     cpuspeed
#
#   plan DIGEST                     parts: what tells the whole plan from another
#   part PART                       parts: a plan that lies beside this one, see parts.sh
#   setting SETTING LAYER PART VALUE               parts: a setting of the whole plan, and the part that has it, or -
#
#   groups GROUP...                 racadm: the groups of attributes that are read
#   want|held|first|open SETTING OPTION VALUE [CONDITION...]
#                                   racadm, syscfg: an option of the BIOS, see options.sh. It can be written only while OTHER=VALUE and
#                                   OTHER!=VALUE hold. `keeps` (racadm): a profile that locks it may leave it as it is.
#                                   `unless:CONDITION` (racadm): not where that is so already

usage() {
    complain "usage: sh setpoint-host identify | status | try | apply | verify | next | undo | pending | undone PLAN [--json] [--all] [--dry-run] [--state DIR] [--by WAY] [--ssh USER@HOST | --host HOST --user USER [--insecure]] [--restart graceful | forced | powercycle] [--accept-pending]; --help says what they do"
    exit 2
}

refuse() { die "$plan_file cannot be used: $1: nothing was changed"; }

load_plan() {
    if [ "$plan_file" = - ]; then
        plan_text=${SETPOINT_PLAN-}
    else
        plan_text=$(cat "$plan_file" 2>/dev/null) || refuse "it cannot be read"
    fi
    plan_lines=$(printf '%s\n' "$plan_text" | sed -e '/^[#|]/d' -e '/^ *$/d' -e 's/ # .*//' -e 's/ *$//')
    odd=$(printf '%s\n' "$plan_lines" | tr '\000-\011\013-\037' '?' | grep '[^]A-Za-z0-9 _.,:+=!/|<>*(){}[@~-]' | sed -n 1p)
    [ -z "$odd" ] || refuse "this line has a character that no plan has: $(printf '%s' "$odd" | tr -cd '[:print:]')"
    part='' policy='' servers='' ways='' longest='' wanted='' gone='' names='' arguments='' shown=''
    plan_name='' included='' paths='' triggers='' checks='' cards_wanted='' drop_ins='' masks='' mask_lines=''
    service_setting='' service_state='' groups='' options='' digest='' listed='' settings_listed=''
    set -f
    while IFS= read -r line; do
        [ -n "$line" ] || continue
        # The words of a line.
        # shellcheck disable=SC2086
        set -- $line
        take_line "$@" || refuse "this line is none of a plan: $line"
    done <<LINES
$plan_lines
LINES
    set +f
    [ -n "$policy" ] || refuse "it begins with no setpoint.plan/1, or names no policy"
}

take_line() {
    case $part:$1:$# in
        :setpoint.plan/1:2)
            case $2 in
                kernel-args | tuned | ktune | systemd | cpuspeed | racadm | syscfg | parts) part=$2 ;;
                *) return 1 ;;
            esac
            ;;
        :*) return 1 ;;
        *:policy:2) policy=$2 ;;
        *:server:*)
            [ $# -ge 5 ] || return 1
            servers="$servers${line#server }
"
            ;;
        kernel-args:*) take_argument "$@" ;;
        tuned:* | ktune:* | systemd:*) take_value "$@" ;;
        racadm:* | syscfg:*) take_option "$@" ;;
        parts:*) take_part "$@" ;;
        cpuspeed:service:4)
            [ "$3" = cpuspeed ] || return 1
            case $4 in on | off) service_setting=$2 service_state=$4 ;; *) return 1 ;; esac
            ;;
        *) return 1 ;;
    esac
}

take_part() {
    case $1:$# in
        plan:2)
            case $2 in *[!0-9a-f]*) return 1 ;; *) digest=$2 ;; esac
            ;;
        part:2)
            case $2 in kernel-args | cpuspeed | tuned | systemd | racadm | syscfg) listed="${listed:+$listed }$2" ;; *) return 1 ;; esac
            ;;
        setting:*)
            [ $# -ge 4 ] && is_value "$2" || return 1
            case $3 in firmware | boot | os) ;; *) return 1 ;; esac
            settings_listed="$settings_listed${line#setting }
" ;;
        *) return 1 ;;
    esac
}

take_argument() {
    case $1:$# in
        way:2)
            case $2 in grubby | drop-in | pbl | bls | rpm-ostree) ways="${ways:+$ways }$2" ;; *) return 1 ;; esac
            ;;
        longest:2)
            case $2 in *[!0-9]*) return 1 ;; *) longest=$2 ;; esac
            ;;
        have:3 | lack:3)
            names="${names:+$names
}${3%%=*}"
            arguments="$arguments$1 $2 $3
"
            case $1 in have) wanted="${wanted:+$wanted }$3" ;; *) gone="${gone:+$gone }$3" ;; esac
            ;;
        file:3) [ "$2" = /etc/default/grub.d/50-setpoint.cfg ] || return 1 ;;
        shows:5)
            case $4 in is | is-not) shown="$shown$2 $3 $4 $5
" ;; *) return 1 ;; esac
            ;;
        *) return 1 ;;
    esac
}

take_value() {
    case $1:$# in
        name:2)
            case $2 in */* | .*) return 1 ;; *) plan_name=$2 ;; esac
            ;;
        includes:2)
            case $2 in */* | .*) return 1 ;; *) included=$2 ;; esac
            ;;
        file:3)
            case $2:$3 in *..*) return 1 ;; *:644 | *:755) paths="${paths:+$paths }$2" ;; *) return 1 ;; esac
            ;;
        absent:2)
            case $2 in *..*) return 1 ;; *) paths="${paths:+$paths }$2" ;; esac
            ;;
        trigger:2) triggers="$triggers --subsystem-match=$2" ;;
        mask:4)
            masks="${masks:+$masks }$4"
            mask_lines="$mask_lines$2 $3 $4
"
            ;;
        value:* | least:* | first:* | bias:* | latency:* | resume:* | held:* | card:* | drop-in:*)
            case $line in *' = '*) ;; *) return 1 ;; esac
            case $1 in
                card) cards_wanted="$cards_wanted$line
" ;;
                drop-in) drop_ins="$drop_ins$line
" ;;
                *) checks="$checks$line
" ;;
            esac
            ;;
        *) return 1 ;;
    esac
}

take_option() {
    case $part:$1 in
        racadm:groups)
            [ $# -gt 1 ] || return 1
            shift
            for word in "$@"; do
                is_name "$word" || return 1
            done
            groups=$*
            ;;
        *:want | *:held | racadm:first | racadm:open)
            [ $# -ge 4 ] || return 1
            [ "$1:$2" = open:- ] || is_value "$2" || return 1
            is_option "$3" && is_value "$4" || return 1
            options="$options$line
"
            shift 4
            for word in "$@"; do
                is_condition "$word" || return 1
            done
            ;;
        *) return 1 ;;
    esac
}

# What tools are given as arguments, one of them by a shell of its own: words of this shape, and no others.
is_name() { case $1 in '' | [!A-Za-z]* | *[!A-Za-z0-9]*) return 1 ;; esac }
is_value() { case $1 in '' | [!A-Za-z0-9_]* | *[!A-Za-z0-9_.-]*) return 1 ;; esac }
is_option() {
    word=${1#BIOS.}
    if [ "$part" = syscfg ]; then
        is_name "$1"
        return
    fi
    [ "$1" != "$word" ] && is_name "${word%%.*}" && is_name "${word#*.}"
}
is_condition() {
    word=$1
    if [ "$part" = racadm ]; then
        [ "$1" != keeps ] || return 0
        word=${1#unless:}
    fi
    case $word in *=*) ;; *) return 1 ;; esac
    is_name "${word%%[=!]*}" || return 1
    word=${word#"${word%%[=!]*}"}
    word=${word#!}
    case $word in =*) is_value "${word#=}" ;; *) return 1 ;; esac
}

# The mode of file $1 of the plan, nothing for one without a text; its text.
mode_of() { printf '%s\n' "$plan_lines" | awk -v path="$1" '$1 == "file" && $2 == path { print $3 }'; }
text_of() {
    printf '%s\n' "$plan_text" | awk -v path="$1" '
        /^[|]/ && on { sub(/^[|] ?/, ""); print; next }
        /^[|]/ || /^#/ { next }
        { on = $1 == "file" && $2 == path }'
}
has_text() { printf '%s\n' "$plan_lines" | grep -q "^file $1 "; }

# The checks of the server, one for each line.
identity() {
    while IFS= read -r check <&8; do
        [ -n "$check" ] || continue
        accepted=
        case $check in *' | '*) accepted=${check#*' | '} ;; esac
        # Words without blanks.
        # shellcheck disable=SC2086
        set -- ${check%%' | '*}
        while [ -n "$accepted" ]; do
            set -- "$@" "${accepted%%' | '*}"
            case $accepted in *' | '*) accepted=${accepted#*' | '} ;; *) accepted='' ;; esac
        done
        must_report "$@"
    done 8<<CHECKS
$servers
CHECKS
}

run_verb=${1-} plan_file=${2-}
case $run_verb in
    identify | status | try | apply | verify | next | undo | pending | undone) ;;
    -h | --help)
        sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    *) usage ;;
esac
[ -n "$plan_file" ] || usage
load_plan
prefix=$part
case $part in
    kernel-args) label='kernel-args: ' ;;
    cpuspeed) label='cpuspeed: ' ;;
    ktune) prefix=tuned ;;
esac
