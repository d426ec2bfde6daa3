#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/glue/run.sh BUILD_DIR [write]: shows that the observers (tb/observe) notice what lockstep cannot: each patch of tests/glue,
# most of them against the machine and the sockets of tb/units, is planted in a copy of the tree, BUILD_DIR/glue/tree. The workload
# of its line `run:` (`run: [OPTION...] WORKLOAD`, of heddle run) must then end with status 3, and with a report that has the
# words of its line `found:`. The same run without the fault must pass. PROFILE in a run is the profile of the workload without
# the fault; WORKLOAD+WORKLOAD are captures of two without the fault, beside each other.
# Compares what was found with tests/glue/EVIDENCE.md, or writes it.
# $FAULTS: only these; $PLANTED=n: no more than n of them, evenly spread. Each must then stand in the page as it was found, or its row is
# written.
set -euo pipefail
unset MAKEFLAGS MFLAGS MAKELEVEL
build=${1:?usage: tests/glue/run.sh BUILD_DIR [write]} write=${2:-}
out=$build/glue

. synth/unit.sh
. tests/copied.sh
. tests/planted.sh

machine=$(sed -n 's/^Written by .*, on `\([a-z0-9]*\)`.*/\1/p' tests/glue/EVIDENCE.md)
[ -n "$write" ] || [[ "$config" = "$machine"* ]] || die "what finds the faults is known of $machine: \`make CONFIG=$machine glue\`"
copy_tree

# found LOG: what an observer says; else what lockstep does: its first line, and the fields of its table, or what is wrong in words.
found() {
    awk '/^OBSERVED / { sub(/^OBSERVED /, ""); print; seen = 1; exit }
        /^MISMATCH / { sub(/^MISMATCH +/, ""); text = $0 }
        /^WRONG / { sub(/^WRONG +/, ""); text = $0; getline; sub(/^ +/, ""); text = text ": " $0 }
        /^  field / { table = 1; next }
        !/^  / { table = 0 }
        table { text = text ", " $1 }
        END { if (!seen) print text }' "$1"
}
value() { sed -n "/^---/q; s/^$2: //p" "$1"; }
words() { awk '/^---/ || /^[a-z]+: / { exit } { text = text (text == "" ? "" : " ") $0 } END { print text }' "$1"; }

# What a run that was interrupted has left planted is built anew.
sed -n 's|^+++ b/||p' tests/glue/*.patch | sort -u | (cd "$tree" && xargs touch)
remake || { cat "$out/make.log" >&2; die "the copy of the tree does not build"; }
patches=()
for patch in tests/glue/*.patch; do
    name=$(basename "$patch" .patch)
    [ -z "${FAULTS:-}" ] || [[ " $FAULTS " == *" $name "* ]] || continue
    [ -n "$(value "$patch" run)" ] && [ -n "$(value "$patch" found)" ] ||
        die "$patch has no line \`run: ...\` or \`found: ...\` before its diff"
    patches+=("$patch")
done
[ ${#patches[@]} -gt 0 ] || die "there is no such fault: $FAULTS"
mapfile -t patches < <(chosen "${patches[@]}")
while read -r workload; do
    make_profile "$workload" || die "no profile of $workload: $(tail -n 1 "$out/profile.log")"
done < <(for patch in "${patches[@]}"; do value "$patch" run; done | sed -n '/PROFILE/s/.* //p' | sort -u)
while read -r workload; do
    make_capture "$workload" || die "no capture of $workload: $(tail -n 1 "$out/capture.log")"
done < <(for patch in "${patches[@]}"; do value "$patch" run; done | sed -n 's/.* \(.*+.*\)/\1/p' | tr '+' '\n' | sort -u)
while read -r arguments; do
    # shellcheck disable=SC2086 # options are words
    [ "$(run sound $arguments)" = 0 ] || die "without a fault, \`$arguments\` does not pass: $(tail -n 1 "$out/sound.log")"
done < <(for patch in "${patches[@]}"; do value "$patch" run; done | sort -u)

passed=0 failed=0 table=$out/table.md
{
    echo "| planted fault | in | what is wrong | run | found |"
    echo "| --- | --- | --- | --- | --- |"
} >"$table"
for patch in "${patches[@]}"; do
    name=$(basename "$patch" .patch) file=$(sed -n 's|^+++ b/||p' "$patch")
    arguments=$(value "$patch" run) expected=$(value "$patch" found)
    patch -d "$tree" -p1 -F0 -s --no-backup-if-mismatch <"$patch" >"$out/patch.log" 2>&1 ||
        die "$patch does not apply any more: $(head -n 1 "$out/patch.log")"
    remake || { cat "$out/make.log" >&2; die "the tree with $patch does not build"; }
    # shellcheck disable=SC2086
    status=$(run "$name" $arguments)
    patch -d "$tree" -R -p1 -s --no-backup-if-mismatch <"$patch"
    report=$(found "$out/$name.log")
    if [ "$status" = 3 ] && [[ "$report" == *"$expected"* ]]; then
        passed=$((passed + 1))
        progress FOUND "$name: $report"
    else
        failed=$((failed + 1))
        progress MISSED "$name: status $status, '$report', expected '$expected'"
    fi
    echo "| \`$name\` | \`$file\` | $(words "$patch") | \`$arguments\` | $report |" >>"$table"
done
echo "faults of the glue, $config: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ] || exit 1
if [ -n "${FAULTS:-}${PLANTED:-}" ] && [ "$write" = write ]; then
    # Rows of the others stay; all in the order of the patches.
    { sed -n '/^| `/p' tests/glue/EVIDENCE.md | grep -vF "$(tail -n +3 "$table" | grep -o '^| `[^`]*`')"; tail -n +3 "$table"; } |
        sort -t '`' -k 2,2 >"$out/rows"
    { head -n 2 "$table"; cat "$out/rows"; } >"$table.new"
    mv "$table.new" "$table"
elif [ -n "${FAULTS:-}${PLANTED:-}" ]; then
    wrong=$(tail -n +3 "$table" | grep -vxFf tests/glue/EVIDENCE.md) || [ $? = 1 ]
    [ -z "$wrong" ] || die "tests/glue/EVIDENCE.md does not say this; \`make glue WRITE=1\` writes it:
$wrong"
    exit 0
fi
{
    echo '<!-- SPDX-License-Identifier: Apache-2.0 -->'
    echo '# Planted faults of the glue, and what found them'
    echo
    echo "Written by \`make glue WRITE=1\`, on \`$config\`. \`OBSERVED\` reports begin with the cycle and the place."
    echo
    cat "$table"
} >"$out/EVIDENCE.md"
if [ "$write" = write ]; then
    cp "$out/EVIDENCE.md" tests/glue/EVIDENCE.md
else
    diff -u tests/glue/EVIDENCE.md "$out/EVIDENCE.md" ||
        die "tests/glue/EVIDENCE.md is not what was found: \`make glue WRITE=1\` writes it"
fi
