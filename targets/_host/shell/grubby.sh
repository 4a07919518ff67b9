# ------------------------------------------------------------------------------------------------- kernels, by grubby

grubby_ready() { command -v grubby >/dev/null || die "grubby is not installed: nothing was changed"; }
grubby_put() { :; }

# Where releases keep the kernels' command lines: the entries of the boot loader specification, the environment and the
# menus of GRUB, and what new kernels get theirs from.
grubby_files() {
    set +f
    set -- "$1" "$root"/boot/loader/entries/*.conf "$root"/boot/grub2/grubenv "$root"/boot/grub2/grub.cfg \
        "$root"/boot/efi/EFI/*/grubenv "$root"/boot/efi/EFI/*/grub.cfg "$root"/boot/efi/EFI/*/grub.conf \
        "$root"/boot/grub/grub.conf "$root"/boot/grub/menu.lst "$root"/boot/extlinux/extlinux.conf "$root"/etc/default/grub
    set -f
    with=$1 seen=' '
    shift
    for path in "$@"; do
        [ -f "$path" ] || continue
        path=$(readlink -f "$path")
        case $seen in *" $path "*) continue ;; esac
        seen="$seen$path "
        "$with" shared "$path" || return 1
    done
    # The grubby of the BLS entries makes this file if there is none, when it changes all kernels (update_bls_fragment of
    # grubby-bls, grubby-8.40-48.el8 and grubby-8.40-63.el9).
    path=$root/etc/kernel/cmdline
    [ ! -L "$path" ] || path=$(readlink -f "$path")
    "$with" made "$path"
}

# The kernels with their arguments, a line each.
kernels() { grubby --info=ALL | sed -n -e 's/^kernel="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' -e 's/^args="\(.*\)"$/ \1/p' | awk '
    /^ / { print kernel $0; next }
    { kernel = $0 }'; }

# Whether grubby can have made file $1: but for the arguments of the run, it has those of a kernel, from before the run or now,
# and root=, which --info shows apart. It is empty while grubby writes it.
grubby_is_made() {
    { cat "$saved/kernels" && kernels; } | awk -v names=" $(tr '\n' ' ' <"$saved/names")root " -v file="$1" '
        function others(line, from) {
            kept = ""
            count = split(line, words)
            for (i = from; i <= count; i++) {
                name = words[i]
                sub(/=.*/, "", name)
                if (!index(names, " " name " ")) kept = kept " " words[i]
            }
            return kept
        }
        BEGIN {
            while ((getline line <file) > 0) text = text " " line
            made = others(text, 1)
            found = made == ""
        }
        others($0, 2) == made { found = 1 }
        END { exit !found }'
}

grubby_save() { boot_save "$1" && kernels >"$1/kernels"; }

# Give $kernel, which has the arguments $line, those that it had in snapshot $1. One that was installed since gets those of
# another, as it has got them when it was installed.
put_back_kernel() {
    before=$(awk -v kernel="$kernel" '$1 == kernel { print; exit }' "$1/kernels")
    [ -n "$before" ] || before=$(sed -n 1p "$1/kernels")
    put_back_words "$1" "$kernel" "$before" "$line"
}

# Give kernel $2, or ALL, the words of the line $3 in place of those of $4, by the names of snapshot $1.
put_back_words() {
    of=$2 add='' remove=''
    while read -r name; do
        old=$(counts "$name" "$3")
        new=$(counts "$name" "$4")
        if [ "$old" = "$new" ]; then continue; fi
        if [ -n "$old" ]; then add="$add $old"; else remove="$remove $new"; fi
    done <"$1/names"
    if [ -z "$add$remove" ]; then return 0; fi
    set -- --update-kernel="$of"
    [ -z "$add" ] || set -- "$@" "--args=${add# }"
    [ -z "$remove" ] || set -- "$@" "--remove-args=${remove# }"
    if ! call grubby "$@"; then
        complain "grubby failed for $of: $answer"
        return 1
    fi
    say "put back the arguments of $of"
}

# The words of file $1, on one line.
words_of() { [ ! -e "$1" ] || sed '/^[[:space:]]*#/d' "$1" | tr '"\047\n\t' '    '; }

# What kernels that are installed later get their arguments from follows a change of all kernels alone. The other files are
# put back again after it. Where two had different words, both get those of the first.
put_back_for_new() {
    again=''
    while read -r number kind there path <&5; do
        case $2 in *"$path
"*) ;; *) continue ;; esac
        case $path in
            */etc/default/grub | */etc/kernel/cmdline) ;; # of these, only a change of all kernels changes the arguments
            *) continue ;;
        esac
        put_back_words "$1" ALL "$(words_of "$1/$number")" "$(words_of "$path")" || return 1
        [ -z "$add$remove" ] || again=yes
    done 5<<FILES
$(sort -rn "$1/files")
FILES
    [ -z "$again" ] || put_back_files
}

# Files that somebody else has changed since keep his changes: of these, grubby changes the arguments alone.
grubby_put_back() {
    [ -z "$2" ] || printf '%s' "$2" | while IFS= read -r path; do
        say "somebody else has changed $path since: only the arguments are put back"
    done
    put_back_for_new "$1" "$2" || return 1
    now=$(kernels) || {
        complain "grubby --info=ALL failed"
        return 1
    }
    [ -n "$now" ] || return 0
    rest=
    while read -r kernel line <&4; do put_back_kernel "$1" || rest=yes; done 4<<KERNELS
$now
KERNELS
    [ -z "$rest" ]
}

grubby_try() {
    remove=$(there)
    remove=${remove% }
    say "would run: grubby --update-kernel=ALL${wanted:+ --args=\"$wanted\"}${remove:+ --remove-args=\"$remove\"}"
}

grubby_change() {
    remove=$(there)
    remove=${remove% }
    set -- --update-kernel=ALL
    [ -z "$wanted" ] || set -- "$@" "--args=$wanted"
    [ -z "$remove" ] || set -- "$@" "--remove-args=$remove"
    call grubby "$@" || {
        answer="grubby failed: $answer"
        return 1
    }
}

