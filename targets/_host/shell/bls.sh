# ------------------------------------------------------- kernels, by entries of the Boot Loader Specification

# systemd-boot reads these entries, and so does a GRUB with blscfg; where there is grubby, grubby changes those of GRUB. The words go
# onto the lines `options`, and into /etc/kernel/cmdline, from which kernel-install makes the entries of kernels that are installed later
# (kernel-install(8), 90-loaderentry.install). Without that file new kernels get the words of /usr/lib/kernel/cmdline, which is copied
# then, or of the running kernel. A unified kernel image has its words inside, perhaps signed: there nothing is changed.

# What systemd-boot tells the system of itself (systemd-boot(7), EFI variables).
is_systemd_boot() {
    loader_info=$root/sys/firmware/efi/efivars/LoaderInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f
    [ -r "$loader_info" ] && tr -d '\000' <"$loader_info" | grep -q systemd-boot
}

has_bls_menu() {
    for file in "$root/boot/grub2/grub.cfg" "$root/boot/grub/grub.cfg"; do
        if [ -r "$file" ] && grep -q '^[[:space:]]*blscfg' "$file"; then return 0; fi
    done
    return 1
}

# The files that match pattern $1 where kernel-install looks for the partition of boot loaders.
on_boot_partitions() {
    set +f
    for file in "$root"/efi/$1 "$root"/boot/$1 "$root"/boot/efi/$1; do
        [ ! -f "$file" ] || printf '%s\n' "$file"
    done
    set -f
}

# The entries of this system's kernels: an entry names its machine in a line or in its own name.
bls_entries() {
    on_boot_partitions 'loader/entries/*.conf' | while IFS= read -r file; do
        grep -q '^linux[[:space:]]' "$file" || continue
        machine=$(cat "$root/etc/machine-id" 2>/dev/null)
        of=$(sed -n 's/^machine-id[[:space:]]*//p' "$file" | sed -n 1p)
        [ -n "$of" ] || of=$(printf '%s\n' "${file##*/}" | sed -n 's/^\([0-9a-f]\{32\}\)-.*/\1/p')
        if [ -z "$of" ] || [ -z "$machine" ] || [ "$of" = "$machine" ]; then printf '%s\n' "$file"; fi
    done
}

bls_line() { awk '$1 == "options" { $1 = ""; line = line $0 } END { print substr(line, 2) }' "$1"; }

bls_lines() { bls_entries | while IFS= read -r file; do bls_line "$file"; done; }

# What is to be done about unified kernel images, in $image_advice; nothing without any.
find_images() {
    image_advice='' images=$(on_boot_partitions 'EFI/Linux/*.efi' | tr '\n' ' ')
    [ -z "$images" ] || image_advice="this system has unified kernel images (${images% }), which have their command line inside: nothing was changed. Put the words of kernel-args/cmdline into /etc/kernel/cmdline, build each image anew by \`kernel-install add VERSION KERNEL\`, and restart; what an image was started with is compared by \`verify\`"
}

bls_ready() {
    find_images
    [ -z "$image_advice" ] || die "$image_advice"
    [ -n "$(bls_entries)" ] || die "there is no entry of a kernel of this system in loader/entries: nothing was changed"
    case $(bls_lines) in *'$'*) die "entries of the boot loader have variables of GRUB, which grubby alone changes, and there is no grubby: nothing was changed" ;; esac
}

# What entries of new kernels are made from, in $new_from; nothing if that is the running kernel.
bls_new_from() {
    new_from=$root/etc/kernel/cmdline
    [ -f "$new_from" ] || new_from=$root/usr/lib/kernel/cmdline
    [ -f "$new_from" ] || new_from=
}

bls_put() {
    bls_new_from
    [ -z "$new_from" ] || [ -z "$(differences "$(words_of "$new_from")")" ] || echo yes
}

bls_files() {
    with=$1
    for path in $(bls_entries); do "$with" shared "$path" || return 1; done
    bls_new_from
    case $new_from in
        "$root/etc/kernel/cmdline") "$with" shared "$(readlink -f "$new_from")" ;;
        ?*) "$with" own "$root/etc/kernel/cmdline" ;;
    esac
}

bls_save() { boot_save "$1"; }

# The text of file $1 without the words of the names $2 and without the words $3, and with the words $4 behind the rest. Words are those of
# lines `options`, or with $5 all.
bls_text() {
    awk -v names=" $2 " -v gone=" $3 " -v added="$4" -v all="${5-}" '
        function kept(word) {
            if (index(gone, " " word " ")) return 0
            name = word
            sub(/=.*/, "", name)
            return !index(names, " " name " ") && !index(gone, " " name " ")
        }
        { lines[NR] = $0 }
        all ? !/^#/ : $1 == "options" {
            head[NR] = all ? "" : "options "
            for (i = all ? 1 : 2; i <= NF; i++) if (kept($i)) text[NR] = text[NR] (text[NR] == "" ? "" : " ") $i
            last = NR
        }
        END {
            for (i = 1; i <= NR; i++) {
                if (i in head) {
                    gap = text[i] == "" || added == "" ? "" : " "
                    print head[i] text[i] (i == last ? gap added : "")
                } else print lines[i]
            }
            if (!last && added != "") print (all ? "" : "options ") added
        }' "$1"
}

# Put the text that `bls_text` makes of file $1 in the place of file $2; the rest are its other arguments.
bls_exchange() {
    from=$1 to=$2
    shift 2
    if [ -n "$caught" ] && [ "$phase" != undoing ]; then
        answer="interrupted by SIG$caught"
        return 1
    fi
    {
        (umask 022 && mkdir -p "${to%/*}") && if [ -e "$to" ]; then cp -p "$to" "$to.setpoint"; else : >"$to.setpoint" && chmod 644 "$to.setpoint"; fi &&
            bls_text "$from" "$@" >"$to.setpoint" && mv -f "$to.setpoint" "$to"
    } 2>/dev/null || {
        rm -f "$to.setpoint"
        answer="cannot write $to"
        return 1
    }
}

wanted_names() { for argument in $wanted; do printf '%s ' "${argument%%=*}"; done; }

bls_try() {
    for file in $(bls_entries); do
        [ -z "$(differences "$(bls_line "$file")")" ] || say "would change the line options of $file"
    done
    [ -z "$put" ] || say "would change $root/etc/kernel/cmdline, for kernels that are installed later"
}

bls_change() {
    for file in $(bls_entries); do
        [ -n "$(differences "$(bls_line "$file")")" ] || continue
        bls_exchange "$file" "$file" "$(wanted_names)" "$gone" "$wanted" || return 1
    done
    [ -z "$put" ] || bls_exchange "$new_from" "$(readlink -f "$root/etc/kernel/cmdline" || echo "$root/etc/kernel/cmdline")" "$(wanted_names)" "$gone" "$wanted" all
}

# The words of the line $2 whose names snapshot $1 has.
words_named() {
    for word in $2; do
        if grep -qxF "${word%%=*}" "$1/names"; then printf '%s ' "$word"; fi
    done
}

# Give file $2 the words, by the names of snapshot $1, that the line $3 has in place of those of the line $4.
bls_put_back_words() {
    old=$(words_named "$1" "$3")
    [ "$old" != "$(words_named "$1" "$4")" ] || return 0
    bls_exchange "$2" "$2" "$(tr '\n' ' ' <"$1/names")" '' "${old% }" ${5+"$5"} || {
        complain "$answer"
        return 1
    }
    say "put back the arguments in $2"
}

# What an entry is called without the counter of systemd-boot.
entry_name() {
    name=${1##*/}
    name=${name%.conf}
    printf '%s\n' "${name%%+*}"
}

# The line that the entry $2 had in snapshot $1; a kernel that was installed since gets that of another.
line_before() {
    first='' same=''
    while read -r number kind there path <&3; do
        case $there:$path in present:*/loader/entries/*) ;; *) continue ;; esac
        first=${first:-$number}
        [ "$(entry_name "$path")" != "$(entry_name "$2")" ] || same=${same:-$number}
    done 3<"$1/files"
    bls_line "$1/${same:-$first}"
}

# Files that somebody else has changed since keep his changes, and entries may have another name or be new: there the arguments alone are
# put back.
bls_put_back() {
    [ -z "$2" ] || printf '%s' "$2" | while IFS= read -r path; do
        say "somebody else has changed $path since: only the arguments are put back"
    done
    rest=
    for file in $(bls_entries); do
        bls_put_back_words "$1" "$file" "$(line_before "$1" "$file")" "$(bls_line "$file")" || rest=yes
    done
    while read -r number kind there path <&5; do
        case $path:$2 in
            */kernel/cmdline:*"$path
"*) bls_put_back_words "$1" "$path" "$(words_of "$1/$number")" "$(words_of "$path")" all || rest=yes ;;
        esac
    done 5<"$1/files"
    [ -z "$rest" ]
}

