#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/faults/run.sh UNIT BUILD_DIR: shows that lockstep notices. Each patch of tests/faults/UNIT is planted in a copy of rtl/,
# which runs against the reference under random inputs: the run must end in a mismatch, and every field that the report names
# must be one on which the patch predicts it (`fields: name...`). Which of them differ first depends on the inputs. A patch that plants
# nothing at some sizes says at which it does (`if: CONDITION`, of the numbers in hw.h).
# Writes BUILD_DIR/faults/UNIT if all are found: report.md, the faults, and found.md, when each was found.
# PLANTED=n: no more than n of them, evenly spread; then nothing is written.
set -eu
. synth/unit.sh
. tests/planted.sh

unit_open "${1:-}" "${2:-}" "faults" alone
passed=0 failed=0
rm -f "$OUT/report.md" "$OUT/found.md"
{
    echo "| planted fault | seed | cycle | differs first on |"
    echo "| --- | ---: | ---: | --- |"
} >"$OUT/found"
for patch in $(chosen tests/faults/"$UNIT"/*.patch); do
    [ -f "$patch" ] || die "there is no planted fault in tests/faults/$UNIT"
    name=$(basename "$patch" .patch)
    condition=$(planted_value "$patch" if 1)
    if ! holds "$BUILD" "$condition"; then
        progress NONE "$name: plants nothing, as $condition does not hold"
        continue
    fi
    plant "$patch" "$OUT/$name"
    expected=$(planted_value "$patch" fields)
    make_with "$OUT/$name" variant >"$OUT/$name/make.log" 2>&1 ||
        { cat "$OUT/$name/make.log" >&2; die "the RTL with $patch does not build"; }
    status=0
    "$OUT/$name/random" --cycles=4000000 --seeds=10 >"$OUT/$name/report.txt" || status=$?
    # All fields of the table, each once, without an index.
    found=$(awk '/^  field /{ on = 1; next } !/^  /{ on = 0 } on { sub(/[^a-z_0-9].*/, "", $1); if (!seen[$1]++) list = list (list ? " " : "") $1 }
        END { print list }' "$OUT/$name/report.txt")
    other=$(for field in $found; do case " $expected " in *" $field "*) ;; *) echo "$field" ;; esac; done)
    if [ "$status" = 3 ] && [ -n "$found" ] && [ -z "$other" ]; then
        passed=$((passed + 1))
        progress FOUND "$name: $(sed -n 's/^MISMATCH *//p' "$OUT/$name/report.txt"), fields: $found"
        sed -n "s/^MISMATCH .*seed \([0-9]*\) .*cycle \([0-9]*\).*/| \`$name\` | \1 | \2 |/p" "$OUT/$name/report.txt" | tr '\n' ' ' >>"$OUT/found"
        echo "$found |" | sed 's/[a-z_0-9][a-z_0-9]*/`&`/g; s/` `/`, `/g' >>"$OUT/found"
    else
        failed=$((failed + 1))
        progress MISSED "$name: status $status, fields '$found', expected some of '$expected' and no others"
    fi
done
echo "faults of $UNIT: $passed passed, $failed failed"
[ "$failed" = 0 ]
[ -z "${PLANTED:-}" ] || exit 0
faults_table >"$OUT/report.md"
mv "$OUT/found" "$OUT/found.md"
