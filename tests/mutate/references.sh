#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/mutate/references.sh UNIT BUILD_DIR: small changes of the C reference (cosim/cmutate.c), one after the other. Each must
# be noticed by lockstep with the Verilog, or by the test of the restatement (tests/cmodel). What neither notices is tried out on
# a small unit, in every state with every input; of what tests/mutate/references.same gives a reason for, that is believed.
# Writes BUILD_DIR/references/UNIT: result.txt, verdicts.txt, and a folder for each change. Fails when a change is noticed by
# nothing and not equivalent.
set -eu
. synth/unit.sh
. synth/decide.sh

unit_open "${1:-}" "${2:-}" "references" alone
source=cmodel/$UNIT/$UNIT.c
started=$(date +%s)
rm -rf "$OUT"/[0-9]*
mkdir -p "$OUT/0" "$OUT/small"
cp "$source" "$OUT/0/"
# What all of them share is made here: below, several are made at once.
make_with "$OUT/0" reference
verdict=$(tests/mutate/changed.sh "$UNIT" "$BUILD" "$OUT" 0)
[ "$verdict" = "0 unnoticed" ] || die "the unchanged reference of $UNIT is noticed: $verdict; see $OUT/0"
small=tests/mutate/$UNIT.small
if [ -f "$small" ]; then
    # No size is larger than the configuration's: what lockstep could not notice is not asked for.
    sized_hw "$OUT/small" $(awk -F '[ =]' 'NR == FNR { has[$2] = $3; next }
        /^[A-Z]/ { print $1 "=" ($2 + 0 < has[$1] + 0 ? $2 : has[$1]) }' "$BUILD/hw.h" "$small")
    make_with "$OUT/0" exhaust
    "$OUT/0/exhaust" | grep -q '^equivalent' || die "the unchanged reference of $UNIT is not found to be itself"
fi
build/common/cmutate "$source" >"$OUT/changes.txt"
count=$(wc -l <"$OUT/changes.txt")
progress MUTATE "$source ($CONFIG): $count changes"
: >"$OUT/verdicts.txt"
seq "$count" | xargs -P "$(nproc)" -I{} tests/mutate/changed.sh "$UNIT" "$BUILD" "$OUT" {} >>"$OUT/verdicts.txt" &
attend $! "$count tried" "$OUT/verdicts.txt" || die "a change could not be tried; see above"
sort -n -o "$OUT/verdicts.txt" "$OUT/verdicts.txt"

# The small unit tells changes apart that lockstep does, or it would find anything equivalent.
if [ -f "$small" ]; then
    alive=0
    for number in $(awk '$2 == "noticed" && $3 ~ /^[0-9]/ && ++n % 20 == 1 { print $1 }' "$OUT/verdicts.txt"); do
        make_with "$OUT/$number" exhaust
        ! timeout 60 "$OUT/$number/exhaust" | grep -q '^differs' || alive=$((alive + 1))
        [ "$alive" -lt 3 ] || break
    done
    [ "$alive" -gt 0 ] || die "$UNIT: the small unit tells none of the changes apart that lockstep notices"
fi

number_of() {
    awk "$1"' { n++ } END { print n + 0 }' "$OUT/verdicts.txt"
}
{
    echo "changes=$count"
    echo "broken=$(number_of '$2 == "broken"')"
    echo "same=$(number_of '$2 == "same"')"
    echo "lockstep=$(number_of '$2 == "noticed" && $3 != "no"')"
    echo "restatement=$(number_of '$2 == "noticed" && $4 != "no"')"
    echo "equivalent=$(number_of '$2 == "equivalent"')"
    echo "reasoned=$(number_of '$2 == "reasoned"')"
    echo "different=$(number_of '$2 == "different"')"
    echo "seconds=$(($(date +%s) - started))"
} >"$OUT/result.txt"
cat "$OUT/result.txt"
awk '$2 == "different" { print $1, $2, $3 }' "$OUT/verdicts.txt" | while read -r number verdict; do
    echo "$source:$(sed -n "s/^$number //p" "$OUT/changes.txt"): $verdict"
done >"$OUT/missed.txt"
[ ! -s "$OUT/missed.txt" ] || { cat "$OUT/missed.txt" >&2; die "not all changes of $source are noticed"; }
progress OK "$source: $(number_of '$2 == "noticed"') of $count changes noticed, the others change nothing, $(($(date +%s) - started)) s"
