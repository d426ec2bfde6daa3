#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/formal/run.sh UNIT BUILD_DIR: proves every rule of tests/formal/UNIT_props.sv and every promise of the contract at the
# sizes of tests/formal/UNIT.sizes, and shows at each that the proof fails on each planted bug of its rule
# (tests/formal/rules.sh). Reads besides: rtl/UNIT, rtl/prim, the contract, synth/unit.sh, synth/contract.c, tests/planted.sh. Writes below BUILD_DIR/prove/UNIT: SIZE/results, a line for each proof with its seconds,
# and, if all is well, report.md, the table of what is proved.
# SIZES="4 8": only these; PLANTED=n: no more than n of the planted bugs, evenly spread, and each rule only at the first size that has
# it. With either there is no report.md.
# JOBS=n processes at a time (default: all processors), PROVE_SECONDS=n for one proof (default 900).
# Fails when a rule is not proved, a planted bug is not found, or a rule has no planted bug.
set -eu
. synth/unit.sh
. synth/decide.sh
. tests/planted.sh

unit_open "${1:-}" "${2:-}" "prove" alone
. tests/formal/rules.sh
started=$(date +%s)

for rule in $rules; do
    [ -n "$(rule_bugs "$rule")" ] ||
        die "rule $rule has no planted bug: neither $bugs/$rule-*.patch nor one of tests/faults/$UNIT that says \`refutes: $rule\`"
done
strange=$(echo "$planted_bugs" | cut -d' ' -f1 | grep -vxF "$(echo $rules | tr ' ' '\n')" | sort -u | paste -sd' ' -)
[ -z "$strange" ] || die "planted bugs name rules that $props does not have: $strange"

chosen $(echo "$planted_bugs" | cut -d' ' -f2 | sort -u) >"$OUT/tried"
jobs=$OUT/jobs
: >"$jobs"
rm -f "$OUT/report.md" "$OUT/result.txt" "$OUT"/*/results
size_rows >"$OUT/all-sizes"
while IFS= read -r row; do
    size=${row%%|*}
    case " ${SIZES:-$size} " in *" $size "*) echo "$row" ;; esac
done <"$OUT/all-sizes" >"$OUT/sizes"
[ -s "$OUT/sizes" ] || die "$sizes has none of the sizes $SIZES; it has: $(cut -d'|' -f1 "$OUT/all-sizes" | paste -sd' ' -)"
takes=$(sed 's|//.*||' "$props" | grep -owE 'pick|WITH' | sort -u)
while IFS='|' read -r size params restrict list words; do
    dir=$OUT/$size
    rm -rf "$dir" && mkdir -p "$dir"
    # The contract with the parameters of this size.
    sized_hw "$dir" $params
    list_contract "$dir" "$dir/contract.txt"
    awk -v unit="$UNIT" -v restrict="$restrict" -v takes="$(echo $takes)" -f tests/formal/wrap.awk "$dir/contract.txt" >"$dir/proof.sv"
    : >"$dir/results"
    for rule in $list; do
        [ -z "${PLANTED:-}" ] || ! grep -q " $rule\$" "$jobs" || continue
        echo "$UNIT $dir $rule" >>"$jobs"
        rule_bugs "$rule" | grep -xFf "$OUT/tried" | while IFS= read -r patch; do
            echo "$UNIT $dir $rule $patch" >>"$jobs"
        done
    done
done <"$OUT/sizes"

total=$(wc -l <"$jobs")
progress PROVE "$UNIT: $(echo "$rules" | wc -w) rules, $total proofs with those on planted bugs"
LOWER_ASSERTIONS=$(lower_assertions || true)
export LOWER_ASSERTIONS
xargs -P "${JOBS:-$(nproc)}" -L 1 tests/formal/prove.sh <"$jobs" &
attend $! "$total" "$OUT"/*/results || die "a proof could not be run; see above"

# Every proof has its verdict; the report stands only if all are as they must be.
failed=0
for rule in $rules; do
    proved=0
    while IFS='|' read -r size params restrict list words; do
        while read -r number name verdict seconds detail; do
            [ "$number" = "$rule" ] || continue
            case $name-$verdict in
            rtl-proved) proved=$((proved + 1)) ;;
            rtl-*)
                echo "$rule at size $size: $verdict $detail: $(rule_words "$rule")" >&2
                failed=1
                ;;
            *-refuted) ;;
            *)
                echo "$rule at size $size: the planted bug $name was not found: $verdict $detail" >&2
                failed=1
                ;;
            esac
        done <"$OUT/$size/results"
    done <"$OUT/sizes"
    [ "$proved" -gt 0 ] || {
        echo "$rule is proved at no size: $sizes names it nowhere" >&2
        failed=1
    }
done
[ "$failed" -eq 0 ] || die "$UNIT: not every rule is proved, or not every planted bug is found"
if [ -z "${SIZES:-}${PLANTED:-}" ]; then
    rules_table >"$OUT/report.md"
    cat "$OUT/report.md"
fi
{
    echo "unit=$UNIT"
    echo "rules=$(echo "$rules" | wc -w)"
    echo "proved=$(cat "$OUT"/*/results | grep -c ' rtl proved ')"
    echo "planted_found=$(cat "$OUT"/*/results | grep -v ' rtl ' | grep -c ' refuted ')"
    echo "proofs=$total"
    echo "seconds=$(($(date +%s) - started))"
} >"$OUT/result.txt"
progress OK "$UNIT: every rule proved, every planted bug found${PLANTED:+ of the $PLANTED tried}, $(($(date +%s) - started)) s"
