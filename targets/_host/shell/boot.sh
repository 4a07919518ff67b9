# ------------------------------------------------------------------------------------------------ kernel arguments

# The arguments of a plan on the command lines of the running kernel and of the next start.
#
#   boot_verify, boot_next      the modes that compare; each ends the run
#   boot_apply                    change what differs
#   boot_unreadable REASON        the report where nothing can be compared
#   find_entries                  what the next start will have: $raw, and $next_lines with variables expanded
#   differences LINE              how a command line differs from the plan
#
# How the boot loader is told is a way: grubby.sh, drop_in.sh, pbl.sh, bls.sh and rpm_ostree.sh have a function for each step, named WAY_STEP.

# With $of_menu the entries are those of grub.cfg, even where there is grubby. $other_entries are the entries of a grub.cfg that are
# not this system's, by a pattern for the first line of each.
of_menu='' other_entries=osprober

# The word of the command line $2 that counts for the argument named $1: the last.
counts() {
    last=
    for word in $2; do
        case $word in "$1" | "$1"=*) last=$word ;; esac
    done
    printf '%s\n' "$last"
}

# How the command line $1 differs from the plan, one line a difference.
differences() {
    for argument in $wanted; do
        found=$(counts "${argument%%=*}" "$1")
        [ "$found" = "$argument" ] || say "$argument is to be there, found: ${found:-nothing}"
    done
    for argument in $gone; do leftover "$argument" "$1"; done
}

# What the command line $2 has of $1, which is to be gone.
leftover() {
    found=$(counts "${1%%=*}" "$2")
    case $found in "$1" | "$1"=*) say "$1 is to be gone, found: $found" ;; esac
}

# Whether the kernel shows for setting $1 the text $4 in the file $2; $3 is `is` or `is-not`.
shows() {
    [ "${only:-$1}" = "$1" ] || return 0
    shift
    if ! { read -r text <"$root$1"; } 2>/dev/null; then
        say "this kernel does not show $1 (to this user)" >&2
        return
    fi
    case $2 in
        is) [ "$text" = "$3" ] || say "$1 is to be $3, found: $text" ;;
        is-not) [ "$text" != "$3" ] || say "$1 is not to be $3" ;;
    esac
}

effects() {
    while read -r shown_of file relation content <&7; do
        [ -z "$content" ] || shows "$shown_of" "$file" "$relation" "$content"
    done 7<<SHOWN
$shown
SHOWN
}

# What the boot loader's variables hold, a `name=value` each: of its environment, then of grub.cfg, which comes later. Where
# there is no environment, grub-editenv would make one to list it.
variables() {
    for environment in "$root/boot/grub/grubenv" "$root/boot/grub2/grubenv"; do
        [ ! -r "$environment" ] || sed -n '/^[A-Za-z_][A-Za-z0-9_]*=/p' "$environment"
    done
    [ -z "$config" ] || sed -n 's/^[[:space:]]*set[[:space:]]\{1,\}\([A-Za-z_][A-Za-z0-9_]*=\)/\1/p' "$config"
}

# The command lines $1 as the kernels will get them: a word that is a variable of the boot loader is what that holds.
expanded() {
    {
        variables
        printf '%s\n' -- "$1"
    } | awk '
        !held_all && $0 == "--" { held_all = 1; next }
        !held_all {
            name = value = $0
            sub(/=.*/, "", name)
            sub(/[^=]*=/, "", value)
            gsub(/^["\047]|["\047]$/, "", value)
            held[name] = value
            next
        }
        {
            line = ""
            for (i = 1; i <= NF; i++) {
                word = $i
                if (word ~ /^[$][{]?[A-Za-z_][A-Za-z0-9_]*[}]?$/) {
                    gsub(/[${}]/, "", word)
                    word = held[word]
                }
                line = line (i > 1 ? " " : "") word
            }
            print line
        }'
}

# The command lines that the boot loader has for this system's kernels, one a line; other systems have theirs. With
# $of_menu they are those of grub.cfg, even where there is grubby.
entries() {
    if [ "$way" = bls ]; then
        bls_lines
    elif [ "$way" = rpm_ostree ]; then
        rpm-ostree kargs
    elif [ -z "${SETPOINT_GRUB_CFG:-}$of_menu" ] && command -v grubby >/dev/null; then
        info=$(grubby --info=ALL) || return
        printf '%s\n' "$info" | sed -n 's/^args="\(.*\)"$/\1/p'
    elif [ -n "$config" ]; then
        awk -v others="$other_entries" '
            $1 == "menuentry" { other = $0 ~ others }
            !other && $1 ~ /^linux(16|efi)?$/ && / root=/ {
                $1 = $2 = ""
                print
            }' "$config"
    fi
}

# Find the boot loader's configuration, and read what the next start will have: `next_lines`, with variables expanded.
find_entries() {
    config=
    for file in "${SETPOINT_GRUB_CFG:-}" "$root/boot/grub/grub.cfg" "$root/boot/grub2/grub.cfg"; do
        if [ -r "$file" ]; then
            config=$file
            break
        fi
    done
    raw=$(entries) || return 1
    next_lines=$(expanded "$raw")
}

read_entries() {
    find_entries || {
        if [ "$way" = rpm_ostree ]; then lists='rpm-ostree kargs'; else lists='grubby --info=ALL'; fi
        say "$lists failed${unchanged:+: $unchanged}" >&2
        exit 4
    }
}

# How the next start differs from the plan, one line a difference.
pending() {
    printf '%s\n' "$next_lines" | while IFS= read -r line; do differences "$line"; done | sort -u
}

boot_next() {
    if [ "$way" = bls ]; then
        find_images
        [ -z "$image_advice" ] || die "$image_advice"
    fi
    read_entries
    if [ -z "$raw" ]; then
        say "no entry of a kernel of this system was found with grubby or in ${config:-a grub.cfg}" >&2
        exit 4
    fi
    found=$(pending)
    if [ -n "$found" ]; then
        printf '%s\n' "$found"
        say "the next start differs from the plan: the last word of a name counts, whichever file or variable it is from"
        exit 3
    fi
    say "the next start is as planned"
}

verify_running() {
    line=$(cat "$root/proc/cmdline") || exit 4
    found=$(
        differences "$line"
        effects
    )
    if [ -n "$found" ]; then
        printf '%s\n' "$found"
        say "the running kernel differs from the plan; what has been changed since it started counts from the next start on"
        exit 3
    fi
    say "the running kernel is as planned"
}

# ------------------------------------------------------------------------------------------------ as JSON

# The word that counts on the command line $1 for the argument named $name.
word_on() {
    word=$(counts "$name" "$1")
    printf '%s\n' "${word:-absent}"
}

# Whether the word $1 is as the plan has the argument.
complies() {
    case $rule in
        have) [ "$1" = "$argument" ] ;;
        lack) case $1 in "$argument" | "$argument"=*) return 1 ;; esac ;;
    esac
}

# What the next start will have of it: the first word that is not as planned; without one, the last.
next_word() {
    printf '%s\n' "$next_lines" | {
        while IFS= read -r next_line; do
            word=$(word_on "$next_line")
            complies "$word" || break
        done
        printf '%s\n' "$word"
    }
}

each_argument() {
    while read -r rule setting argument <&8; do
        case $rule in
            have) compare_argument "$rule" "$setting" "$argument" "$argument" ;;
            lack) compare_argument "$rule" "$setting" "$argument" absent ;;
        esac
    done 8<<ARGUMENTS
$arguments
ARGUMENTS
}

compare_argument() {
    rule=$1 setting=$2 argument=$3 name=${3%%=*} goal=$4
    if [ -n "$unreadable" ]; then
        report "$setting" boot unreadable "$goal" '' '' "$unreadable"
        return
    fi
    running=$(word_on "$line")
    unseen=$(only=$setting effects 2>&1 >/dev/null | tr '\n' ';')
    effect=$(only=$setting effects 2>/dev/null | tr '\n' ';')
    [ "$rule" = have ] || ! complies "$running" || goal=$running
    next='' reason=$unseen
    if [ -n "$next_lines" ]; then next=$(next_word); else reason="$reason${reason:+ }$next_unknown"; fi
    if [ -n "$next" ] && ! complies "$next"; then
        [ "$next" != "$running" ] || next=''
        report "$setting" boot differs "$goal" "$running" "$next" "the next start does not have it: some file or variable overrides it, or nothing sets it${effect:+; $effect}"
    elif ! complies "$running"; then
        if [ -n "$next" ]; then
            report "$setting" boot pending "$goal" "$running" "$next" "in force from the next start on"
        else
            report "$setting" boot differs "$goal" "$running" '' "$reason"
        fi
    elif [ -n "$effect" ]; then
        report "$setting" boot differs "$goal" "$running" '' "it is on the command line, and has no effect: $effect"
    else
        report "$setting" boot ok "$goal" "$running" '' "$reason"
    fi
}

verify_json() {
    label='' unreadable='' next_unknown=''
    line=$(cat "$root/proc/cmdline" 2>/dev/null) || unreadable="cannot read $root/proc/cmdline"
    find_entries 2>/dev/null || next_lines=''
    [ -n "$next_lines" ] || next_unknown="no entry of a kernel of this system was found, so what the next start has is not known"
    each_argument
    print_report "$policy" || exit
    report_status
    exit
}

# Where nothing can be compared, for reason $1: every argument is unreadable.
boot_unreadable() {
    unreadable=$1
    each_argument
    print_report "$policy"
}

boot_verify() { if [ -n "$json" ]; then verify_json; else verify_running; fi; }

# ---------------------------------------------------------------------------------------------------- the change

# Whether file $2 is file $1 but for the arguments of the run whose snapshot it is. The environment of GRUB is filled up
# with #.
boot_is_ours() { [ "$(others "$1")" = "$(others "$2")" ]; }
others() {
    awk -v names=" $(tr '\n' ' ' <"$saved/names")" '{
        sub(/#+$/, "")
        line = ""
        count = split($0, words, /[ \t"\047]+/)
        for (i = 1; i <= count; i++) {
            name = words[i]
            sub(/=.*/, "", name)
            if (words[i] != "" && !index(names, " " name " ")) line = line " " words[i]
        }
        print line
    }' "$1"
}

# Linux does not start with a line that is too long; what the boot loader puts before the arguments is not counted here.
check_length() {
    printf '%s\n' "$1" | while IFS= read -r each; do
        [ "$(printf '%s %s' "$each" "$wanted" | wc -c)" -le "${longest:-2047}" ] || die "too long for $longest bytes with the plan's words: $each"
    done || exit 4
}

# The way to the boot loader, in $way: of those of the plan the first whose program is there, or the only one; 1 if there is none.
find_way() {
    way=$by usual=
    for each in $ways; do
        case $each in bls | rpm-ostree) ;; *) usual="${usual:+$usual }$each" ;; esac
        if [ -z "$way" ] && fits "$each"; then way=$each; fi
    done
    # With one usual way alone, what is not there is named.
    case $way$usual in *' '*) ;; *) [ -n "$way" ] || is_deployed || is_systemd_boot || way=$usual ;; esac
    case " $ways " in
        '  ' | *" $way "*) ;;
        *) [ -z "$by" ] || die "the plan has no way $by: nothing was changed" ;;
    esac
    case $way in
        drop-in) way=drop_in of_menu=yes ;;
        rpm-ostree) way=rpm_ostree ;;
        pbl)
            of_menu=yes
            # Entries for recovery have arguments of their own, and none of the defaults.
            other_entries='osprober|-recovery-'
            ;;
    esac
    [ -n "$ways" ] && [ -n "$way" ]
}

# Whether way $1 is one for this system.
fits() {
    if is_deployed; then
        [ "$1" = rpm-ostree ] && command -v rpm-ostree >/dev/null
    elif is_systemd_boot; then
        [ "$1" = bls ]
    else
        case $1 in
            rpm-ostree) return 1 ;;
            bls) ! command -v grubby >/dev/null && has_bls_menu ;;
            *) command -v "$(program_of "$1")" >/dev/null ;;
        esac
    fi
}

# What tells another boot loader than this system's changes nothing that counts.
require_fitting() {
    if is_deployed; then
        [ "$way" = rpm_ostree ] || die "this system is deployed from an image or a tree, which $(program_of "$way") does not change: nothing was changed. Put kernel-args/kargs.d/50-setpoint.toml into the image"
    elif is_systemd_boot; then
        [ "$way" = bls ] || die "the boot loader is systemd-boot, which $(program_of "$way") does not tell: nothing was changed"
    fi
}

require_way() {
    if is_deployed; then die "this system is deployed from an image, and there is no way to its arguments here: nothing was changed. Put kernel-args/kargs.d/50-setpoint.toml into the image"; fi
    if is_systemd_boot && [ -n "$ways" ]; then die "the boot loader is systemd-boot, and the plan has no way to it: nothing was changed. Put the words of kernel-args/cmdline onto its line"; fi
    [ -n "$ways" ] || die "the plan knows no way to this boot loader: put its words on the command line by hand. Nothing was changed"
    die "of the ways of the plan to the boot loader ($ways) none is there: nothing was changed"
}

program_of() { case $1 in drop-in | drop_in) echo update-grub ;; rpm_ostree) echo rpm-ostree ;; bls) echo loader/entries ;; *) echo "$1" ;; esac; }

# Of what is to be gone, what a kernel of the next start has: the grubby of Enterprise Linux 7 and before would take other values as well.
there() {
    for argument in $gone; do
        left=$(printf '%s\n' "$next_lines" | while IFS= read -r next_line; do leftover "$argument" "$next_line"; done)
        [ -z "$left" ] || printf '%s ' "$argument"
    done
}

boot_apply() {
    require_fitting
    "${way}_ready"
    if [ "$mode" = apply ]; then
        lock_for_change
        recover
    else
        try_recover
    fi
    read_entries
    [ -n "$raw" ] || die "$(program_of "$way") names no kernel with arguments: no entry of a kernel of this system was found in ${config:-a grub.cfg}"
    todo=$(pending)
    put=$("${way}_put")
    if [ -z "$todo$put" ]; then
        say "nothing to change"
        return
    fi
    [ -z "$todo" ] || printf '%s\n' "$todo"
    printf '%s\n' "$raw" | sed "s/^/${label}before: /"
    check_length "$next_lines"
    if [ "$mode" = dry-run ]; then
        "${way}_try"
        exit 3
    fi
    open_snapshot
    [ -z "$caught" ] || undo
    phase=setting
    "${way}_change" || undo "$answer"
    find_entries || undo "cannot read what the next start will have"
    todo=$(pending)
    [ -z "$todo" ] || undo "$(program_of "$way") reported success, but $todo"
    changed_all || undo "cannot write to $state"
    [ -z "$caught" ] || undo
    close_saved || undo "cannot keep the snapshot in $state"
    say "changed; in force from the next start on. To take it back: $way_back"
}

# The names of the arguments of a run, for its way back.
boot_save() { printf '%s\n' "$names" >"$1/names"; }

