# ----------------------------------------------------------------------------------------- live values of network cards

#   expect_card SETTING WANTED PARAMETER   a parameter of each network card that has it
#
# As in live.sh, which the script has as well, and cards.sh. What is right on some cards and not there on others is as it is to be; the
# result names the others.

expect_card() {
    setting=$1 wanted=$2 found='' unfit='' lacking=''
    if [ -n "$unread_reason" ]; then
        report "$setting" os unreadable "$wanted" '' '' "$unread_reason"
        return
    fi
    command -v ethtool >/dev/null || {
        result "$setting" "$wanted" '' unreadable "there is no ethtool on this server"
        return
    }
    while read -r card; do
        [ -n "$card" ] || continue
        if ! read_card "$card" "$3"; then
            lacking="${lacking:+$lacking, }$card"
            continue
        fi
        case ", $found, " in *", $text, "*) ;; *) found="${found:+$found, }$text" ;; esac
        [ "$text" = "$wanted" ] || unfit="${unfit:+$unfit, }$card has $text"
    done <<CARDS
$(cards)
CARDS
    lacking=${lacking:+"without \`$3\`: $lacking"}
    if [ -z "$found" ]; then
        result "$setting" "$wanted" '' not-applicable "${lacking:-this server has no network card}"
    elif [ -n "$unfit" ]; then
        result "$setting" "$wanted" "$found" differs "$unfit${lacking:+; $lacking}"
    else
        result "$setting" "$wanted" "$found" ok "$lacking"
    fi
}
