#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth/ledger.sh UNIT BUILD_DIR: the storage of a unit item by item: what its contract says, beside it the flip-flops that
# synth/run.sh has found, and what a paper claims. Reads the contract, BUILD_DIR/hw.h, BUILD_DIR/synth/UNIT/state.txt and, if
# it is there, synth/claims/UNIT.txt, whose lines are
#   item  STATE BITS  words     the paper gives BITS to what our contract calls STATE or MEMORY ("-": we have no such thing)
#   total BITS        words     the paper's sum and where it stands
# SYNTH_OUT=name: BUILD_DIR/synth/name instead of BUILD_DIR/synth/UNIT.
# Writes BUILD_DIR/synth/UNIT/ledger.md: a table of the STATEs, and of the MEMORYs if there are any, with their area as SRAM.
# An item that names no STATE and no MEMORY is an error.
set -eu
. synth/unit.sh

synth_open "${1:-}" "${2:-}"
claims=synth/claims/$UNIT.txt
[ -f "$claims" ] || claims=/dev/null
flops=$OUT/state.txt srams=$OUT/memory.txt
[ -f "$flops" ] || die "there is no $flops: run synth/run.sh $UNIT $BUILD first"
awk -v unit="$UNIT" -v claims="$claims" -v flops="$flops" -v srams="$srams" '
    BEGIN {
        print "| STATE | elements x width | bits | bytes | flip-flops | paper, bits | meaning; what the paper says |"
        print "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    }
    function fail(message) { print "ledger.sh: error: " claims ": " message > "/dev/stderr"; failed = 1; exit 1 }
    function rest(from,   i, text) { for (i = from; i <= NF; i++) text = text (i > from ? " " : "") $i; return text }
    FILENAME == claims && (/^#/ || NF == 0) { next }
    FILENAME == claims && $1 == "item" && $3 ~ /^[0-9]+$/ {
        if ($2 == "-") { extra[++extras] = $3; extra_words[extras] = rest(4) }
        else { claimed[$2] += $3; words[$2] = words[$2] (words[$2] ? "; " : "") rest(4) }
        items += $3
        next
    }
    FILENAME == claims && $1 == "total" && $2 ~ /^[0-9]+$/ { total = $2; total_words = rest(3); next }
    FILENAME == claims { fail("line " FNR ": expected `item STATE BITS words` or `total BITS words`") }
    FILENAME == flops { found[$1] = $5; next }
    FILENAME == srams { area[$1] = $7; next }
    $1 == "state" {
        bits = $3 * $4
        printf "| `%s` | %d x %d | %d | %.2f | %d | %s | %s%s |\n", $2, $4, $3, bits, bits / 8, found[$2],
            $2 in claimed ? claimed[$2] : "none", rest(6), $2 in claimed ? "; " words[$2] : ""
        sum += bits
        sum_found += found[$2]
        delete claimed[$2]
    }
    $1 == "memory" {
        bits = $3 * $4
        memories = memories sprintf("| `%s` | %d x %d | %d | %.2f | %d | %s | %s%s |\n", $2, $4, $3, bits, bits / 8, area[$2],
            $2 in claimed ? claimed[$2] : "none", rest(6), $2 in claimed ? "; " words[$2] : "")
        memory_sum += bits
        area_sum += area[$2]
        delete claimed[$2]
    }
    END {
        if (failed) exit 1
        for (name in claimed) fail("`" name "` is no STATE and no MEMORY of " unit)
        for (i = 1; i <= extras; i++)
            printf "| - | | 0 | 0 | 0 | %d | %s |\n", extra[i], extra_words[i]
        paper = total != "" ? total : items ? items : "none"
        paper_words = total != "" ? total_words : items ? "sum of all items" : "no paper claims the storage of this unit"
        printf "| **sum** | | **%d** | **%.2f** | **%d** | %s | %s |\n", sum, sum / 8, sum_found, memories == "" ? paper : "",
            memories == "" ? paper_words : "without memories"
        if (memories == "") exit
        print "\n| MEMORY | words x width | bits | bytes | area as SRAM, um2 | paper, bits | meaning; what the paper says |"
        print "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
        printf "%s", memories
        printf "| **sum** | | **%d** | **%.2f** | **%d** | | |\n", memory_sum, memory_sum / 8, area_sum
        printf "| **with STATE** | | **%d** | **%.2f** | | %s | %s |\n", sum + memory_sum, (sum + memory_sum) / 8, paper, paper_words
    }' "$claims" "$flops" "$srams" "$OUT/contract.txt" >"$OUT/ledger.md" || exit 1
cat "$OUT/ledger.md"
