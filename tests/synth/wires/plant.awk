# SPDX-License-Identifier: Apache-2.0
# tests/synth/wires/plant.awk -v fault=NAME -v nth=N: a routed DEF file, as qrouter writes it, with the Nth fault of a kind in it. Fails if
# there is no Nth place for it.
#   segment   a wire of a net with two ends is not there         via      a via of such a net is not there
#   short     a net has a wire of another one too                overlap  a cell is where another one is
#   missing   a cell is not there                                end      two nets have exchanged an end
#   pin       a port is where another one is
{ line[NR] = $0 }
$1 == "COMPONENTS" || $1 == "NETS" || $1 == "PINS" { section = $1; net = 0 }
$1 == "END" { section = "" }
section == "COMPONENTS" && $1 == "-" && $3 !~ /^FILL/ { cells[++num_cells] = NR }
section == "PINS" && $1 == "+" && $2 == "PLACED" { pins[++num_pins] = NR }
section == "NETS" && $1 == "-" { net = NR }
net && $1 == "(" { ends[net]++; end_line[net, ends[net]] = NR }
net && /^ *NEW/ && gsub(/\(/, "(") == 2 && !/;/ { wires[++num_wires] = NR; net_of[NR] = net }
net && / M2_M1/ { vias[++num_vias] = NR; net_of[NR] = net }
net && /^\+ ROUTED/ && !/;/ { routed[++num_routed] = NR; net_of[NR] = net }
# What stands between words in a line that has another's place.
function place(text) { match(text, /PLACED \( [-0-9]+ [-0-9]+ \)/); return substr(text, RSTART, RLENGTH) }
function bracket(text) { match(text, /\( .* \)/); return substr(text, RSTART, RLENGTH) }
function exchange(a, b, first) {
    first = bracket(line[a])
    sub(/\( .* \)/, bracket(line[b]), line[a])
    sub(/\( .* \)/, first, line[b])
}
# The Nth of the lines whose net has two ends; 0: there are fewer.
function of_two(lines, count, k, seen) {
    for (k = 1; k <= count; k++) if (ends[net_of[lines[k]]] == 2 && ++seen == nth) return lines[k]
    return 0
}
function move(a, b) { sub(/PLACED \( [-0-9]+ [-0-9]+ \)/, place(line[b]), line[a]); return 1 }
END {
    if (fault == "segment" && (at = of_two(wires, num_wires))) { delete line[at]; done = 1 }
    if (fault == "via" && (at = of_two(vias, num_vias))) done = sub(/ M2_M1/, "", line[at])
    if (fault == "short" && nth <= num_wires) {
        for (k = 1; k <= num_routed && net_of[routed[k]] == net_of[wires[nth]]; k++);
        if (k <= num_routed) { line[routed[k]] = line[routed[k]] "\n" line[wires[nth]]; done = 1 }
    }
    if (fault == "overlap" && nth < num_cells) done = move(cells[nth], cells[nth + 1])
    if (fault == "missing" && nth <= num_cells) { delete line[cells[nth]]; done = 1 }
    if (fault == "pin" && nth < num_pins) done = move(pins[nth], pins[nth + 1])
    if (fault == "end" && nth < num_routed) {
        exchange(end_line[net_of[routed[nth]], 1], end_line[net_of[routed[nth + 1]], 1])
        done = 1
    }
    for (k = 1; k <= NR; k++) if (k in line) print line[k]
    exit !done
}
