# ------------------------------------------------------------------------------------------- the report as JSON

# `--verify --json` collects a result for each setting while the script compares, and prints all of them at its end in
# form setpoint.verify/1.
#
#   report SETTING LAYER STATE WANTED FOUND PENDING REASON
#                          collect a result; an empty FOUND or PENDING is null
#   print_report POLICY    print what was collected, a line for each result, and the lines of $passed_over as notes; 4 if that cannot be
#   report_status          0 all is as wanted; 3 something differs, is pending or locked; else 4, something is unreadable
#
# STATE is ok, pending, differs, locked, unreadable or not-applicable. Any text may hold any byte but NUL: what is no
# UTF-8 becomes U+FFFD. SETPOINT_HOST names the host, if not `uname -n`. Needs od and awk.

report_bytes='' report_worst=0 passed_over=''

# The arguments as hexadecimal numbers, a byte each; a zero ends each argument.
report_hex() { printf '%s\000' "$@" | od -An -v -tx1; }

report() {
    case $3 in
        differs | pending | locked) report_worst=3 ;;
        unreadable) [ "$report_worst" -ne 0 ] || report_worst=4 ;;
    esac
    report_bytes="$report_bytes
$(report_hex "$1" "$2" "$4" "$5" "$6" "$3" "$7")"
}

report_status() { return "$report_worst"; }

print_report() {
    for program in od awk; do
        command -v "$program" >/dev/null && continue
        echo "there is no $program on this server: JSON cannot be printed" >&2
        return 4
    done
    {
        report_hex "${SETPOINT_HOST:-$(uname -n)}" "$1" "${passed_over%?}"
        printf '%s\n' "$report_bytes"
    } | LC_ALL=C awk '
        # A code point as JSON, in ASCII.
        function put(code) {
            if (code == 34) text = text "\\\""
            else if (code == 92) text = text "\\\\"
            else if (code >= 32 && code < 127) text = text sprintf("%c", code)
            else if (code < 65536) text = text sprintf("\\u%04x", code)
            else {
                code -= 65536
                text = text sprintf("\\u%04x\\u%04x", 55296 + int(code / 1024), 56320 + code % 1024)
            }
        }

        # A byte that begins a character, or none.
        function begin(byte) {
            low = 128
            high = 191
            if (byte < 128) put(byte)
            else if (byte >= 194 && byte <= 223) { missing = 1; point = byte - 192 }
            else if (byte >= 224 && byte <= 239) {
                missing = 2
                point = byte - 224
                if (byte == 224) low = 160
                if (byte == 237) high = 159
            } else if (byte >= 240 && byte <= 244) {
                missing = 3
                point = byte - 240
                if (byte == 240) low = 144
                if (byte == 244) high = 143
            } else put(65533)
        }

        function take(byte) {
            if (missing && byte >= low && byte <= high) {
                low = 128
                high = 191
                point = point * 64 + byte - 128
                if (--missing == 0) put(point)
                return
            }
            if (missing) put(65533)
            missing = 0
            if (byte) begin(byte)
        }

        BEGIN { for (i = 0; i < 256; i++) number[sprintf("%02x", i)] = i }

        {
            for (i = 1; i <= NF; i++) {
                take(number[$i])
                if (number[$i] == 0) {
                    field[++fields] = text
                    text = ""
                }
            }
        }

        function value(at) { return "\"" field[at] "\"" }
        function value_or_null(at) { return field[at] == "" ? "null" : value(at) }

        END {
            printf "{\"schema\": \"setpoint.verify/1\", \"host\": %s, \"policy\": %s, ", value(1), value(2)
            if (field[3] != "") {
                gsub(/\\u000a/, "\", \"", field[3])
                printf "\"notes\": [%s], ", value(3)
            }
            printf "\"results\": ["
            for (at = 4; at + 6 <= fields; at += 7) {
                printf "%s\n{\"setting\": %s, \"layer\": %s, ", at == 4 ? "" : ",", value(at), value(at + 1)
                printf "\"wanted\": %s, \"found\": %s, ", value(at + 2), value_or_null(at + 3)
                printf "\"pending\": %s, \"state\": %s, ", value_or_null(at + 4), value(at + 5)
                printf "\"reason\": %s}", value(at + 6)
            }
            print "\n]}"
        }'
}
