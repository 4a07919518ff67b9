# ------------------------------------------------------------------------------------------- files as they were

# A run that changes files saves them first, byte by byte, and --rollback puts them back.
#
#   open_snapshot      save the files before the first change, in the folder $state/$prefix.journal
#   changed_all        the run has made its changes: note what the files are now
#   undo REASON        the run has failed: put back what the snapshot has, and exit with 4; with 6 if that fails
#
# The rest is in rollback.sh. The script has calls.sh, lock.sh, and these functions:
#
#   each_file DO       calls DO own PATH for files that Setpoint alone writes, DO link PATH for such that may be symbolic
#                      links, which are then kept and put back as links, and DO shared PATH for others; DO made PATH for
#                      a shared file that the tool makes if there is none
#   is_ours OLD NEW    whether a shared file NEW is OLD but for what Setpoint changes in it
#   is_made NEW        for DO made: whether the tool can have made file NEW
#   save_more FOLDER   saves what else `put_back_rest` needs in the snapshot
#   put_back_rest FOLDER LEFT
#                      what is to be done when the files of the snapshot are back; it may put_back_files again. LEFT has the files, a line each, that
#                      somebody else has changed since: they are not put back, as that would undo his change too
#
# It may set $put_back_first, a function that is called before the files come back.
#
# A file is exchanged by a rename, so that it is the old one or the new one whenever the run is killed.

put_back_first=:

open_snapshot() {
    snapshot=$state/$prefix.journal
    rm -rf "$snapshot.new"
    saved_files=0
    {
        mkdir "$snapshot.new" &&
            this_run >"$snapshot.new/about" &&
            : >"$snapshot.new/files" && each_file save_file && save_more "$snapshot.new" && sync &&
            mv "$snapshot.new" "$snapshot"
    } 2>/dev/null || {
        rm -rf "$snapshot.new" "$snapshot"
        die "cannot save in $state what is there: $unchanged"
    }
    sync
}

# Whether there is a file $2 of kind $1.
is_there() { [ -e "$2" ] || { [ "$1" = link ] && [ -L "$2" ]; }; }

# Copy file $2 of kind $1 to $3.
copy_file() {
    case $1 in
        link) cp -pP "$2" "$3" ;;
        *) cp -p "$2" "$3" ;;
    esac
}

# Whether file $2 of kind $1 is the same as $3.
is_same_file() {
    if [ "$1" = link ] && { [ -L "$2" ] || [ -L "$3" ]; }; then
        [ "$(readlink "$2")" = "$(readlink "$3")" ]
    else
        cmp -s "$2" "$3"
    fi
}

# Save a file $2 of kind $1, or that it is not there.
save_file() {
    saved_files=$((saved_files + 1))
    if is_there "$1" "$2"; then
        copy_file "$1" "$2" "$snapshot.new/$saved_files" || return 1
        there=present
    else
        there=absent
    fi
    printf '%s %s %s %s\n' "$saved_files" "$1" "$there" "$2" >>"$snapshot.new/files"
}

changed_all() {
    while read -r number kind there path; do
        if [ -e "$path" ]; then
            cksum <"$path" >"$snapshot/$number.after" || return 1
        elif [ "$kind" = made ]; then
            echo absent >"$snapshot/$number.after" || return 1
        fi
    done <"$snapshot/files"
    sync
}

about_snapshot() { cat "$1/about"; }

# What is known of a run that has not finished, in $unfinished.
unfinished_snapshot() {
    unfinished=$(awk '
        NR == 1 { policy = $0 }
        $1 == "run" { by = " (" substr($0, 5) ")" }
        END { printf "the run of policy %s%s did not finish", policy, by }' "$state/$prefix.journal/about")
}

# Put file $1 in the place of $2.
exchange() {
    if copy_file "$kind" "$1" "$2.setpoint" 2>/dev/null; then
        if [ ! -L "$2.setpoint" ] && command -v chcon >/dev/null; then
            chcon --reference="$2" "$2.setpoint" 2>/dev/null
        fi
        if mv -f "$2.setpoint" "$2"; then return 0; fi
    fi
    rm -f "$2.setpoint"
    return 1
}

# Whether $path is another file than the run left.
is_changed_since() { [ "$(cksum <"$path")" != "$(cat "$old.after")" ]; }

leave() {
    left="$left$path
"
}

# Remove what the tool made where there was no file: what the run left, or what the tool can have made in a run that did not
# finish. The tool may make it again when it puts back the rest. A file of somebody else stays.
remove_made() {
    if [ -e "$path" ]; then
        if [ ! -e "$old.removed" ] && [ -s "$old.after" ]; then
            ! is_changed_since
        else
            is_made "$path"
        fi || {
            leave
            return 0
        }
        say "removed $path"
    fi
    : >"$old.removed" && rm -f "$path"
}

# Put back one file of snapshot $saved.
put_back_file() {
    old=$saved/$number
    ! is_there "$kind" "$path.setpoint" || rm -f "$path.setpoint" || return 1
    case $kind:$there in
        own:absent | link:absent)
            is_there "$kind" "$path" || return 0
            rm -f "$path" || return 1
            say "removed $path"
            return 0
            ;;
        made:absent)
            remove_made
            return
            ;;
        *:absent) return 0 ;; # whoever has made it since, keeps it
    esac
    case $kind in shared | made) is_shared=yes ;; *) is_shared='' ;; esac
    if [ ! -e "$path" ] && [ -n "$is_shared" ]; then return 0; fi # its kernel is gone, say
    if is_same_file "$kind" "$old" "$path"; then return 0; fi
    if [ -n "$is_shared" ] && ! is_ours "$old" "$path"; then
        if [ ! -e "$old.after" ] || is_changed_since; then
            leave
            return 0
        fi
    fi
    exchange "$old" "$path" || return 1
    say "put back $path"
}

# Put back the files of snapshot $saved.
put_back_files() {
    left='' trouble=''
    while read -r number kind there path <&3; do
        if [ -n "$caught" ] && [ "$phase" != undoing ]; then
            trouble=yes
            break
        fi
        put_back_file || {
            complain "could not put back $path"
            trouble=yes
        }
    done 3<"$saved/files"
    sync
    [ -z "$trouble" ]
}

# Put back snapshot $1.
put_back_snapshot() {
    saved=$1
    if [ ! -r "$saved/files" ]; then
        complain "cannot read the snapshot $saved"
        return 1
    fi
    "$put_back_first" && put_back_files && put_back_rest "$saved" "$left"
}

# By a rename first, since half a snapshot must not pass for one.
discard_snapshot() {
    rm -rf "$1.old"
    mv "$1" "$1.old"
    rm -rf "$1.old"
}

undo() {
    if [ -n "$caught" ]; then complain "interrupted by SIG$caught"; else complain "$1"; fi
    phase=undoing
    put_back "$snapshot" || stay_changed "it is NOT known whether all is as it was before this run"
    discard "$snapshot"
    die "all is as it was before this run"
}
