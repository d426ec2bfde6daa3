# SPDX-License-Identifier: Apache-2.0
# tests/planted.sh: deliberately wrong copies of the RTL, for tests that show that a check can fail. Sourced after
# synth/unit.sh. A planted bug is a patch file: prose, `key: value` lines, then a diff against rtl/.

# plant PATCH DIRECTORY: a copy of rtl/ in DIRECTORY with the bug in it. It must apply exactly.
plant() {
    rm -rf "$2" && mkdir -p "$2" && cp -r rtl "$2/rtl" || die "cannot copy rtl/ to $2"
    patch -d "$2" -p1 -F0 -s --no-backup-if-mismatch <"$1" >"$2/patch.log" 2>&1 || {
        cat "$2/patch.log" >&2
        die "$1 does not apply to rtl/ any more: make it fit the RTL as it is now"
    }
}

# chosen PATCH...: those of them that are tried: $PLANTED, evenly spread; all, where that is not set.
chosen() {
    number=0
    for patch; do
        number=$((number + 1))
        [ $((number * ${PLANTED:-$#} / $#)) -eq $(((number - 1) * ${PLANTED:-$#} / $#)) ] || echo "$patch"
    done
}

# planted_value PATCH KEY [DEFAULT]: what the patch file says after `KEY: `; an error if it does not and there is no DEFAULT.
planted_value() {
    awk -v key="$2: " -v default="${3:-}" '/^---/ { exit } index($0, key) == 1 { print substr($0, length(key) + 1); found = 1; exit }
        END { if (!found && default != "") print default; else if (!found) exit 1 }' "$1" || die "$1 has no line \`$2: ...\` before its diff"
}

# planted_words PATCH: the prose of the patch, in one line.
planted_words() {
    awk '/^---/ || /^[a-z]+: / { exit } NF { text = text (text == "" ? "" : " ") $0 } END { print text }' "$1"
}

# faults_table: the faults planted in UNIT; what it says is shown when each is reported on fields that its patch predicts.
faults_table() {
    echo "| planted fault | what it does | reported on one or more of |"
    echo "| --- | --- | --- |"
    for patch in tests/faults/"$UNIT"/*.patch; do
        echo "| \`$(basename "$patch" .patch)\` | $(planted_words "$patch") |" \
            "$(planted_value "$patch" fields | sed 's/[^ ][^ ]*/`&`/g; s/ /, /g') |"
    done
}
