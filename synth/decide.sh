# SPDX-License-Identifier: Apache-2.0
# synth/decide.sh: abc's verdict on a network whose only output must stay 0, and waiting for many of them. Sourced; attend needs
# synth/unit.sh.

# Debian 12 has abc by itself; where Yosys brings it, it has another name.
ABC=$(command -v berkeley-abc || command -v yosys-abc || command -v abc) || die "there is no berkeley-abc (Debian's package berkeley-abc), nor yosys-abc, nor abc"

# What proves most: scorr by induction what is constant or equal, all nodes at once, which it merges; pdr the rest.
UNBOUNDED="scorr -C 20000; pdr"

# ask SECONDS LOG COMMANDS: runs abc on COMMANDS, into LOG; verdict=undecided until somebody has read that.
ask() {
    # Not exec: that it was killed is then said in the log.
    (ulimit -t "$1" && "$ABC" -c "$3" || true) >"$2" 2>&1
    verdict=undecided frame=
}

# decide SECONDS LOG COMMANDS: runs abc on COMMANDS, which end in pdr or bmc3. Sets verdict to proved, without a bound on the number
# of cycles; refuted, and frame to the cycle in which the output rises; or undecided: not within SECONDS of processor time, so that
# a busy machine proves as much as an idle one.
decide() {
    ask "$@"
    if grep -q '^Property proved' "$2"; then
        verdict=proved
    elif grep -q 'was asserted in frame' "$2"; then
        verdict=refuted frame=$(sed -n 's/.*was asserted in frame \([0-9]*\).*/\1/p' "$2")
    elif grep -q '^All outputs solved' "$2" && [ "$3" != "${3%pdr}" ]; then
        # What later versions say of a network that is a constant when pdr gets it; which one, sat says.
        ask "$1" "$2.constant" "${3%pdr}sat"
        ! grep -q '^UNSATISFIABLE' "$2.constant" || verdict=proved
    fi
}

# induct SECONDS LOG COMMANDS: verdict=proved if the output of the network of COMMANDS is 0 in the first FRAMES + 1 cycles, and after up
# to FRAMES cycles in a row in which it is 0; else undecided. One question to a SAT solver for each: what pdr finds no clauses for,
# because it is about sums, is often inductive as it stands.
FRAMES=3
induct() {
    ask "$1" "$2" "$3; bmc3 -F $((FRAMES + 1)); ind -F $((FRAMES + 1))"
    ! grep -q "^No output asserted in $((FRAMES + 1)) frames" "$2" || ! grep -q '^Networks are equivalent' "$2" || verdict=proved
}

# whatever SECONDS LOG COMMANDS: verdict=proved if the output of the network of COMMANDS is 0 whatever its registers hold; else undecided.
# Nodes that are alike are merged from the inputs on, so that arithmetic behind a change that matters nowhere is never opened.
whatever() {
    ask "$1" "$2" "$3; cone -O 0; strash; ifraig; iprove"
    ! grep -q '^UNSATISFIABLE' "$2" || verdict=proved
}

# attend PROCESS TOTAL FILE...: waits for a process that adds a line for each verdict to the files, and tells every 15 seconds how
# many there are. Returns its status.
attend() {
    process=$1 total=$2 seconds=0
    shift 2
    while kill -0 "$process" 2>/dev/null; do
        sleep 1
        seconds=$((seconds + 1))
        [ $((seconds % 15)) -ne 0 ] || progress "" "$(cat "$@" | wc -l) of $total"
    done
    wait "$process"
}
