# SPDX-License-Identifier: Apache-2.0
# synth/wires/place.sh: one attempt to place and route a netlist at a density. Sourced after library.sh.
#
# graywolf and qrouter work in a folder of their own and write much beside what is wanted. Either may stop early, go on for ever, or
# say that all is well when it is not: what they have done is known only when wires check finds it to be the netlist.

# lef_open: LEF, the shapes of the library's cells: LEF=, or the only such file beside the library.
lef_open() {
    [ -n "${LEF:-}" ] || LEF=$(find "$(dirname "$LIBERTY")" -maxdepth 1 -name '*.lef')
    case $LEF in
    '' | *"
"*) die "beside $LIBERTY there is not one .lef file: LEF= names the shapes of its cells" ;;
    esac
    [ -f "$LEF" ] || die "there is no $LEF; LEF= names the shapes of the cells of $LIBERTY"
    LEF=$(realpath "$LEF") # the router works elsewhere
}

# tools_open: the placer and the router are there.
tools_open() {
    for tool in graywolf qrouter; do
        command -v $tool >/dev/null || die "$tool is not installed; \`make setup MORE=1\` installs it"
    done
}

# wires COMMAND ...: Heddle's own steps.
wires() {
    command=$1
    shift
    "$WIRES_TOOL" "$command" "$NETLIST" "$LIBERTY" "$LEF" "$@"
}

# route_script: what qrouter does. Nets that the first stage leaves over get two more tries near to where they are, the second with more
# effort; a few that are left then one across the whole area, which is slow. The third stage routes all nets once more, with everything in
# place.
route_script() {
    cat <<EOF
verbose 1
read_lef {$LEF}
$(wires supply)
read_def placed.def
proc far {left} { expr {\$left > 0 && \$left <= 10 ? [stage2 mask none effort 100] : \$left} }
set left [stage1]
if {\$left > 0} { set left [stage2] }
if {\$left > 0} { set left [stage2 effort 200] }
set left [far \$left]
if {\$left == 0} { set left [far [stage3]] }
write_def routed.def
puts "left \$left"
quit
EOF
}

# timed FOLDER LOG COMMAND...: runs it there for SECONDS_EACH at most. Leaves `status` and `took`.
timed() {
    folder=$1 log=$2 began=$(date +%s) status=0
    shift 2
    (cd "$folder" && exec timeout "$SECONDS_EACH" "$@") >"$log" 2>&1 </dev/null || status=$?
    took=$(($(date +%s) - began))
}

# ended TOOL LOG: how a tool that has failed did so.
ended() {
    case $status in
    124) echo "$1 is stopped after $SECONDS_EACH s" ;;
    *) echo "$1 ends with status $status: $(grep -aiE 'error|fail|abort|fault' "$2" | tail -n 1 | tr -cd ' -~' | cut -c1-120)" ;;
    esac
}

# attempt DENSITY FOLDER: places and routes there. Leaves `outcome` (routed, or what went wrong), `placed_s`, `routed_s`, `left`; in FOLDER
# routed.def. Returns 0 if it is routed.
attempt() {
    density=$1 at=$2 placed_s=- routed_s=- left=-
    rm -rf "$at"
    mkdir -p "$at" || die "cannot make $at"
    wires ask "$density" "$at/unit.par" "$at/unit.cel" || die "$NETLIST cannot be placed"
    timed "$at" "$at/graywolf.log" graywolf -n unit
    placed_s=$took
    if [ "$status" -ne 0 ] || [ ! -s "$at/unit.pl1" ]; then
        outcome=$(ended graywolf "$at/graywolf.log")
        return 1
    fi
    wires layout "$density" "$at/unit.pl1" "$at/placed.def" 2>"$at/layout.log" || {
        outcome="what graywolf has placed cannot be used: $(sed 's/.*error: //' "$at/layout.log" | tail -n 1)"
        return 1
    }
    route_script >"$at/route.tcl"
    timed "$at" "$at/qrouter.log" qrouter -noc -nog -s route.tcl
    routed_s=$took
    left=$(sed -n 's/^left //p' "$at/qrouter.log")
    if [ "$status" -ne 0 ] || [ -z "$left" ] || [ ! -s "$at/routed.def" ]; then
        left=-
        outcome=$(ended qrouter "$at/qrouter.log")
        return 1
    fi
    [ "$left" -eq 0 ] || { outcome="qrouter leaves $left nets"; return 1; }
    wires check "$at/routed.def" >"$at/check.log" 2>&1 || {
        outcome="the check finds: $(sed 's/.*error: //' "$at/check.log" | tail -n 1)"
        return 1
    }
    outcome=routed
}

# spef_taken TIMING: whether OpenSTA has found every net, cell and pin of the SPEF file; if not it says which, and goes on without.
spef_taken() {
    ! grep -i '^warning.*spef' "$1" >&2
}
