# --------------------------------------------------------------------------------------------------- live values

# The settings of a plan, compared with the files in which the running system shows them.
#
#   expect SETTING WANTED FILE...          the text of each file that exists
#   expect_least SETTING WANTED FILE...    with `>` in front of WANTED, a number that may be higher
#   expect_offered SETTING WANTED FILE...  of alternatives, a|b, the first that the system offers
#   expect_bias SETTING WANTED FILE...     the processor's energy/performance bias, a name where the kernel has a number
#   expect_latency SETTING WANTED FILE     the exit latency that is asked for in /dev/cpu_dma_latency
#   expect_resume SETTING WANTED FILE...   the same in a file of each CPU
#
# They count in $differing and $unreadable. The script has calls.sh, report.sh and sysfs.sh, and sets $mode, $json and $root, a
# folder in front of all files; $unread_reason, why nothing can be compared at all; $not_in_force, why values are not the plan's although
# they are right; and $unknown, why that cannot be told.

# A setting $1 is $3, for reason $5, where it is to be $2; its state is $4.
result() {
    state_of=$4 why=$5
    if [ -n "$unknown" ] && [ "$state_of" = ok ]; then state_of=unreadable why=$unknown; fi
    if [ -n "$not_in_force" ] && [ "$state_of" = ok ]; then state_of=differs why="it is so by chance: $not_in_force"; fi
    if [ -n "$not_in_force" ] && [ "$4" = differs ]; then why=$not_in_force${5:+; $5}; fi
    case $state_of in
        differs) differing=$((differing + 1)) ;;
        unreadable) unreadable=$((unreadable + 1)) ;;
    esac
    if [ -n "$json" ]; then
        report "$1" os "$state_of" "$2" "$3" '' "$why"
    elif [ "$mode" != apply ] || [ "$state_of" = differs ] || [ "$state_of" = unreadable ]; then
        say "$(printf '%-14s %s: %s, wanted %s%s' "$state_of" "$1" "${3:-nothing found}" "$2" "${why:+ ($why)}")"
    fi
}

# Compare setting $1, wanted $2, in the files from $3 on, by function $fits: FILE WANTED, with the live value in $text.
each_live() {
    setting=$1 wanted=$2 found='' unfit='' hidden='' why=''
    shift 2
    if [ -n "$unread_reason" ]; then
        report "$setting" os unreadable "$wanted" '' '' "$unread_reason"
        return
    fi
    for file in "$@"; do
        [ -e "$file" ] || continue
        if ! read_live "$file"; then
            hidden=$file
            continue
        fi
        case ", $found, " in *", $text, "*) ;; *) found="${found:+$found, }$text" ;; esac
        "$fits" "$file" "$wanted" || unfit=${unfit:-${file#"$root"} is $text}
    done
    if [ -n "$hidden" ]; then
        result "$setting" "$wanted" "$found" unreadable "cannot read ${hidden#"$root"}"
    elif [ -z "$found" ]; then
        result "$setting" "$wanted" '' not-applicable "this server has no ${1#"$root"}"
    elif [ -n "$unfit" ]; then
        result "$setting" "$wanted" "$found" differs "$unfit"
    else
        result "$setting" "$wanted" "$found" ok ''
    fi
}

is_same() { [ "$text" = "$2" ]; }
is_least() { case $2 in ">"*) [ "$text" -ge "${2#>}" ] ;; *) [ "$text" = "$2" ] ;; esac; }

is_offered() {
    choose "$1" "$2"
    [ "$text" = "$choice" ]
}

# The kernel has the bias as a number: Documentation/admin-guide/pm/intel_epb.rst.
is_bias() {
    for bias in $(printf '%s' "$2" | tr '|' ' '); do
        case $bias:$text in
            performance:0 | balance-performance:4 | normal:6 | balance-power:8 | power:15 | powersave:15 | "$text":*) return 0 ;;
        esac
    done
    return 1
}

expect() { fits=is_same && each_live "$@"; }
expect_least() { fits=is_least && each_live "$@"; }
expect_offered() { fits=is_offered && each_live "$@"; }
expect_bias() { fits=is_bias && each_live "$@"; }

# The least latency that any process asks for is in force: the kernel shows it as 32 bits. Nobody asks: 2000 s.
expect_latency() {
    if [ -n "$unread_reason" ]; then
        report "$1" os unreadable "$2" '' '' "$unread_reason"
        return
    fi
    asked=$(latency_of "$2")
    if [ -z "$asked" ]; then
        result "$1" "$2" '' not-applicable "this server has no such idle state"
        return
    fi
    case $asked in none) asked=2000000000 ;; esac
    text=$(od -An -td4 -N4 "$3" 2>/dev/null | tr -d ' \n')
    if [ -z "$text" ]; then
        because="cannot read ${3#"$root"} (root can)"
        [ -e "$3" ] || because="there is no ${3#"$root"} here"
        result "$1" "$2" '' unreadable "$because"
    elif [ "$text" = "$asked" ]; then
        result "$1" "$2" "$text us" ok ''
    elif [ "$text" -lt "$asked" ]; then
        result "$1" "$2" "$text us" differs "some process asks for $text us, where $asked are planned"
    else
        result "$1" "$2" "$text us" differs "nobody asks for $asked us"
    fi
}

# A limit of each CPU: 0 is none.
expect_resume() {
    setting=$1 asked=$(latency_of "$2")
    shift 2
    if [ -z "$asked" ] && [ -z "$unread_reason" ]; then
        result "$setting" '' '' not-applicable "this server has no such idle state"
        return
    fi
    expect "$setting" "$asked" "$@"
}
