#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/evidence.sh write|check UNIT BUILD_DIR: rtl/UNIT/EVIDENCE.md, the page of what commands have found out about a unit.
# Its sections are about gtx480; two tables have a row for each configuration.
#
# write  takes each section from the report that its command has left in BUILD_DIR. Where there is none, or one that is older
#        than the unit, the section stays as it is, and a message says which command makes it. With another configuration than
#        gtx480 only the rows of that one are written.
# check  compares with the page what is known without a long run: synthesis, storage, the rules and the planted faults; besides,
#        the port table of rtl/UNIT/README.md and the unit's line of the first page. With another configuration than gtx480, of
#        synthesis the row of that one, and no storage. Then it changes each of them: what goes unnoticed is an error, too.
#        Reads build/gtx480/check/UNIT/expand.
set -eu
. synth/unit.sh
. tests/planted.sh

mode=${1:-}
case $mode in
write | check) shift ;;
*) die "usage: tests/evidence.sh write|check UNIT BUILD_DIR" ;;
esac
unit_open "${1:-}" "${2:-}" "evidence"
. tests/formal/rules.sh
page=rtl/$UNIT/EVIDENCE.md
made=$OUT/EVIDENCE.md

# section_of FILE TITLE: the section as it stands there.
section_of() {
    awk -v title="## $2" '/^## / { on = $0 == title } on' "$1"
}
[ -f "$page" ] && cp "$page" "$OUT/old.md" || : >"$OUT/old.md"

# fresh REPORT: it is there, and newer than the unit and, unless it is about synthesis or proofs, the unit's random inputs.
fresh() {
    case $1 in
    "$BUILD"/synth/* | "$BUILD"/prove/*) inputs= ;;
    *) inputs=tests/cosim/${UNIT}_stimulus.c ;;
    esac
    [ -s "$1" ] && [ -z "$(find "rtl/$UNIT" rtl/prim "cmodel/$UNIT" ${inputs:+"$inputs"} -type f ! -name '*.md' -newer "$1")" ]
}

# section TITLE COMMAND REPORT WORDS: from the report, or as it was. A report that is no Markdown is shown as text, without the
# speed of the run.
section() {
    if { [ "$CONFIG" = gtx480 ] || [ $mode = check ]; } && fresh "$3"; then
        printf '## %s\n\n`%s`: %s\n\n' "$1" "$2 UNIT=$UNIT" "$4"
        case $3 in
        *.md) cat "$3" ;;
        *) printf '```\n%s\n```\n' "$(sed 's|, [0-9]* cycles/s||' "$3")" ;;
        esac
        echo
    else
        [ "$CONFIG" != gtx480 ] || [ $mode = check ] ||
            progress KEPT "$page: $1; \`$2 UNIT=$UNIT\` would make a new report" >&2
        section_of "$OUT/old.md" "$1"
    fi
}

# What a soak has done, with the program of its last piece; nothing, when a file of the unit is newer.
soaked() {
    notes=build/soak/$CONFIG-$UNIT
    ! fresh "$notes" || awk '{ cycles[$1] += $3; seeds[$1] += 10; last = $1 }
        END { printf "millions=%d\nseeds=%d\n", cycles[last] / 1000000, seeds[last] }' "$notes" >"$1"
}

# rows TITLE COMMAND HEADER RESULT KEY...: a table with a row of KEYs for each configuration: this one's from its result.txt, the
# others' as they were.
rows() {
    title=$1 command=$2 header=$3 result=$4
    shift 4
    printf '## %s\n\n`%s`\n\n| configuration | %s |\n' "$title" "$command" "$header"
    echo "| configuration | $header |" | sed 's/[^|][^|]*/ ---: /g; s/---:/---/'
    for ini in configs/*.ini; do
        config=$(basename "$ini" .ini)
        if [ "$config" = "$CONFIG" ] && fresh "$result"; then
            printf '| %s |' "$config"
            for key; do
                printf ' %s |' "$(sed -n "s/^$key=//p" "$result")"
            done
            echo
        else
            section_of "$OUT/old.md" "$title" | grep "^| $config |" || true
        fi
    done
    echo
}

write_page() {
    proofs=$BUILD/prove/$UNIT/report.md faults=$BUILD/faults/$UNIT/report.md when=$BUILD/faults/$UNIT/found.md
    mutation=$BUILD/mutate/$UNIT variants=$BUILD/synth/$UNIT-variants lockstep=$BUILD/cosim/$UNIT coverage=$BUILD/coverage/$UNIT
    references=$BUILD/references/$UNIT soak=$OUT/soak.txt storage=$BUILD/synth/$UNIT/ledger.md synthesis=$BUILD/synth/$UNIT/report.md
    libraries=$BUILD/synth/$UNIT-libraries energies=$BUILD/synth/$UNIT-energies pipeline=$BUILD/synth/$UNIT-pipeline memories=$BUILD/synth/$UNIT/memories.md
    wires=$BUILD/synth/$UNIT/wires/report.md
    if [ $mode = check ]; then # long runs, and those of another length, are not compared: nothing of theirs lies in OUT
        proofs=$OUT/rules.md faults=$OUT/faults.md when=$OUT/found.md mutation=$OUT variants=$OUT lockstep=$OUT coverage=$OUT references=$OUT
        libraries=$OUT energies=$OUT pipeline=$OUT memories=$OUT/none wires=$OUT/none
        [ "$CONFIG" = gtx480 ] || storage=$OUT/none synthesis=$OUT/none
        (unit_open "$UNIT" build/gtx480 evidence && rules_table) >"$proofs" # the page is about the sizes of that one
        faults_table >"$faults"
    else
        rm -f "$mutation/fields.md"
        ! fresh "$mutation/report.md" || sed '1,/^$/d' "$mutation/report.md" >"$mutation/fields.md"
    fi
    rm -f "$soak"
    [ $mode = check ] || soaked "$soak"
    printf '<!-- SPDX-License-Identifier: Apache-2.0 -->\n# %s: evidence\n\n' "$UNIT"
    printf 'Written by `make evidence UNIT=%s`, not by hand; `make docs` compares it with the tree.' "$UNIT"
    printf ' What is meant and why stands in [README.md](README.md).\n\n'
    section Storage "make synth" "$storage" \
        "what the contract says, the flip-flops that synthesis has found, and what a paper claims."
    section Synthesis "make synth" "$synthesis" \
        "Yosys to OSU 0.18 um, delays by OpenSTA before placement and without wires."
    rows "Synthesis on each configuration" "make synth UNIT=$UNIT CONFIG=..." \
        "STATE bits | flip-flops | MEMORY bits | cells | area um2 | gate equivalents | critical path ns" "$BUILD/synth/$UNIT/result.txt" \
        state_bits flip_flops memory_bits cells area_um2 ge critical_path_ns
    section "Libraries and clocks" "make libraries" "$libraries/report.md" \
        "the smallest buffer, NAND2 and flip-flop are found in each; cells are sized for the clock, and a slack below 0 says by how much it is missed."
    section "Wires" "make wires" "$wires" \
        "placed by graywolf and routed by qrouter; a layout counts when Heddle's own check finds it to be the netlist. Delays by OpenSTA with the resistances and capacitances of the wires, the clock being ideal; [how](../../synth/README.md#wires)."
    ! grep -q '^MEMORY(' "cmodel/$UNIT/$UNIT.def" || section "Memories" "make memories" "$memories" \
        "as SRAM by [a model](../../synth/README.md#the-area-of-a-memory), and as an array of flip-flops with its decoder and multiplexers, mapped."
    section "At the machine's clock" "make pipeline" "$pipeline/report.md" \
        "how many cycles late the unit would decide if its slowest path were cut into stages of one cycle, and what that costs in the machine."
    section "Energy" "make energies" "$energies/report.md" \
        "what the edges of the netlist cost, before layout and without glitches, in lockstep under random inputs and in kernels; [how it is counted](../../synth/README.md#what-its-edges-cost)."
    [ ! -f "synth/variants/$UNIT.txt" ] || section "Other ways to build it" "make variants" "$variants/report.md" \
        "the parts and parameters of \`synth/variants/$UNIT.txt\`."
    section "Formal rules" "make prove" "$proofs" \
        "each rule is proved without a bound on the number of cycles; each planted bug makes the proof of its rule fail."
    section "Planted faults" "make faults" "$faults" \
        "each fault is planted in the Verilog and found by lockstep, on fields that its patch predicts and on no others."
    section "When they are found" "make faults" "$when" \
        "the first difference under random inputs: seed, cycle, and the fields on which Verilog and reference differ in that cycle."
    rows "Mutants on each configuration" "make mutate UNIT=$UNIT CONFIG=..." \
        "mutants | killed | proven equivalent | different, not noticed | undecided" "$mutation/result.txt" \
        mutants killed equivalent different undecided
    section "What the mutants differ on" "make mutate" "$mutation/fields.md" \
        "the field on which lockstep notices a mutant first, and after how many cycles."
    rows "Changes of the C reference on each configuration" "make mutate-reference UNIT=$UNIT CONFIG=..." \
        "changes | do not compile | same code | noticed by lockstep | noticed by the restatement | equivalent where tried out | equivalent for a reason | missed" \
        "$references/result.txt" changes broken same lockstep restatement equivalent reasoned different
    section Lockstep "make cosim CYCLES=10000000" "$lockstep/report.txt" \
        "random inputs, every output and register compared in every cycle."
    rows "Soak on each configuration" "make soak SOAKED=...,$UNIT" "million cycles in lockstep, without a difference | seeds" "$soak" millions seeds
    section Coverage "make coverage" "$coverage/report.txt" \
        "lines and toggles of the Verilog, lines of the C reference, under random inputs."
}
write_page | cat -s | sed '$ { /^$/d }' >"$made"
if [ $mode = write ]; then
    cp "$made" "$page"
    exit 0
fi

# same PAGE MADE README PORTS: the page is what was made, and the README holds the port table.
same() {
    diff "$1" "$2" >"$OUT/diff" || return 1
    awk 'NR == FNR { port[++ports] = $0; next }
        found < ports { found = $0 == port[found + 1] ? found + 1 : $0 == port[1] }
        END { exit found != ports }' "$4" "$3"
}
expand=build/gtx480/check/$UNIT/expand # whose ports the page shows
"$expand" ports "$UNIT" >"$OUT/ports"
same "$page" "$made" "rtl/$UNIT/README.md" "$OUT/ports" || {
    cat "$OUT/diff" >&2
    [ -s "$OUT/diff" ] || die "the port table of rtl/$UNIT/README.md is not what \`$expand ports $UNIT\` prints"
    die "$page (<) is not what is found now (>): \`make synth prove faults evidence UNIT=$UNIT\` writes it"
}
[ "$CONFIG" = gtx480 ] && set -- Storage Synthesis || set --
for title in "$@" "Synthesis on each configuration" "Formal rules" "Planted faults"; do
    # The last row of the section; where rows are of configurations, this one's.
    awk -v title="## $title" -v config="| $CONFIG " '
        { line[NR] = $0 }
        /^## / { on = $0 == title }
        on && /^\|/ && (title !~ / each / || index($0, config) == 1) { last = NR }
        END { sub(/ \|$/, "0 |", line[last]); for (i = 1; i <= NR; i++) print line[i] }' "$page" >"$OUT/planted.md"
    ! cmp -s "$page" "$OUT/planted.md" || die "$page: nothing in its section $title can be changed"
    ! same "$OUT/planted.md" "$made" "rtl/$UNIT/README.md" "$OUT/ports" || die "a changed row in $title goes unnoticed"
done
sed '$ d' "$OUT/ports" >"$OUT/fewer" && echo "| one | more | port | |" >>"$OUT/fewer"
! same "$page" "$made" "rtl/$UNIT/README.md" "$OUT/fewer" || die "a missing port in rtl/$UNIT/README.md goes unnoticed"
# first_page BITS AREA: does the unit's line say so?
first_page() {
    commas=$(echo "$2" | sed ':again; s/\([0-9]\)\([0-9]\{3\}\)\(,\|$\)/\1,\2\3/; t again')
    grep -q "^| \`$UNIT\` .* | $1 | $commas um2 |" README.md
}
[ "$CONFIG" = gtx480 ] || {
    progress OK "$page, as far as $CONFIG can tell, and the ports of rtl/$UNIT/README.md"
    exit 0
}
bits=$(sed -n 's/^state_bits=//p' "$BUILD/synth/$UNIT/result.txt") area=$(sed -n 's/^area_um2=//p' "$BUILD/synth/$UNIT/result.txt")
first_page "$bits" "$area" || die "the line of $UNIT in README.md does not say $bits STATE bits, $area um2"
! first_page "$bits" "$((area + 1))" && ! first_page "$((bits + 1))" "$area" || die "a changed number in README.md goes unnoticed"
progress OK "$page, and the ports of rtl/$UNIT/README.md"
