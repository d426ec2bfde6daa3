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
function exchange(a, b, text) {
    text = line[a]; sub(/\( .* \)/, substr(line[b], index(line[b], "("), index(line[b], ")") - index(line[b], "(") + 1), line[a])
    sub(/\( .* \)/, substr(text, index(text, "("), index(text, ")") - index(text, "(") + 1), line[b])
}
END {
    if (fault == "segment") { for (k = 1; k <= num_wires; k++) if (ends[net_of[wires[k]]] == 2 && ++seen == nth) { delete line[wires[k]]; done = 1; break } }
    if (fault == "via") { for (k = 1; k <= num_vias; k++) if (ends[net_of[vias[k]]] == 2 && ++seen == nth) { sub(/ M2_M1/, "", line[vias[k]]); done = 1; break } }
    if (fault == "short" && nth <= num_wires) {
        for (k = 1; k <= num_routed && net_of[routed[k]] == net_of[wires[nth]]; k++);
        if (k <= num_routed) { line[routed[k]] = line[routed[k]] "\n" line[wires[nth]]; done = 1 }
    }
    if (fault == "overlap" && nth < num_cells) { sub(/PLACED \( [-0-9]+ [-0-9]+ \)/, place(line[cells[nth + 1]]), line[cells[nth]]); done = 1 }
    if (fault == "missing" && nth <= num_cells) { delete line[cells[nth]]; done = 1 }
    if (fault == "pin" && nth < num_pins) { sub(/PLACED \( [-0-9]+ [-0-9]+ \)/, place(line[pins[nth + 1]]), line[pins[nth]]); done = 1 }
    if (fault == "end" && nth < num_routed) { exchange(end_line[net_of[routed[nth]], 1], end_line[net_of[routed[nth + 1]], 1]); done = 1 }
    for (k = 1; k <= NR; k++) if (k in line) print line[k]
    exit !done
}
