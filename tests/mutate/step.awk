# SPDX-License-Identifier: Apache-2.0
# tests/mutate/step.awk MEMORIES NETLIST.aag: from the netlist of a unit's mutants (AIGER's text format with names) a BLIF network: the
# unit, and beside it, once more, what follows from its registers and inputs with mutants switched on. Its output `bad` says that an
# output or what a register takes at the edge is another one then, after the first cycle, which is a reset. As long as it is 0, unit and
# mutant have the same registers, so these are there only once. The switches are left open, last among the inputs.
# MEMORIES has lines NAME WIDTH DEPTH READS. Where the netlist has them as ports, what they hold is anything, in every cycle anew: no more
# than that both read the same at the same address, as long as both write the same. What is proved equal is; inputs that make a
# difference may need contents that no unit writes. Where it has them as registers, they hold anything before the first cycle ends.

function clog2(n,    bits) {
    while (2 ^ bits < n) bits++
    return bits > 1 ? bits : 1
}
# The wire of a literal, of the unit ("v") or of the mutant ("m"), and what it is when the literal is 1.
function wire(literal, side) {
    return (side == "m" && own[int(literal / 2)] ? "m" : "v") int(literal / 2)
}
function one(literal) {
    return 1 - literal % 2
}
# A new wire: x or y is 1. An empty one is what never is.
function any(x, y,    w) {
    if (x == "" || y == "") return x y
    w = "t" ++temporaries
    print ".names " x " " y " " w "\n1- 1\n-1 1"
    return w
}
function both(x, y,    w) {
    if (x == "" || y == "") return ""
    w = "t" ++temporaries
    print ".names " x " " y " " w "\n11 1"
    return w
}
function unlike(x, y,    w) {
    if (x == y) return ""
    w = "t" ++temporaries
    print ".names " x " " y " " w "\n10 1\n01 1"
    return w
}
# That a literal differs.
function differs(literal) {
    return unlike(wire(literal, "v"), wire(literal, "m"))
}
# All of a list, two by two. Chains would be as deep as they are long.
function fold(list, count,    i, n) {
    while (count > 1) {
        for (i = n = 0; i < count; i += 2) list[n++] = i + 1 < count ? any(list[i], list[i + 1]) : list[i]
        count = n
    }
    return count ? list[0] : ""
}
# Does a memory take a word? What is written past the last one is lost.
function writes(memory, side,    w, bits, row, i, k, literal) {
    w = "t" ++temporaries
    bits = clog2(depth[memory])
    literal = output[memory ".write"]
    printf ".names %s", wire(literal, side)
    for (i = bits - 1; i >= 0; i--) printf " %s", wire(port(memory ".write_address", i), side)
    print " " w
    # address < depth: alike down to a bit that depth has and the address has not.
    for (k = bits; k >= 0; k--) {
        if (int(depth[memory] / 2 ^ k) % 2 == 0) continue
        row = one(literal)
        for (i = bits - 1; i >= 0; i--) row = row (i < k ? "-" : !one(port(memory ".write_address", i)) != (i > k && int(depth[memory] / 2 ^ i) % 2))
        print row " 1"
    }
    return w
}
# A bit of an output, or of an input, by its name: what a list of them says of it. A port of one bit has no number.
function bit_of(list, name, bit) {
    return (name "[" bit "]") in list ? list[name "[" bit "]"] : list[name]
}
function port(name, bit) {
    return bit_of(output, name, bit)
}

FILENAME == ARGV[1] { width[$1] = $2; depth[$1] = $3; reads[$1] = $4; next }
FNR == 1 { inputs = $3; latches = $4; outputs = $5; gates = $6; next }
FNR <= 1 + inputs { next } # input i is variable i + 1
FNR <= 1 + inputs + latches { takes[FNR - 2 - inputs] = $2; next }
FNR <= 1 + inputs + latches + outputs { drives[FNR - 2 - inputs - latches] = $1; next }
FNR <= 1 + inputs + latches + outputs + gates { gate[++counted] = $0; next }
/^[ilo][0-9]/ { name[$1] = $2 }

END {
    print ".model step\n.outputs bad"
    for (i = 0; i < outputs; i++) output[name["o" i]] = drives[i]
    # What is the mutant's own: its switches, what memories say to it, and what follows from these.
    for (i = 0; i < inputs; i++) {
        input[n = name["i" i]] = i + 1
        if (n ~ /^mutant[0-9]+$/) {
            switches++
            own[i + 1] = 1
            print ".names v" i + 1 # 0
            continue
        }
        if (n != "rst") listed = listed " v" i + 1
        if (n ~ /\.read_data(\[[0-9]+\])?$/) own[i + 1] = 1
    }
    for (i = 1; i <= gates; i++) {
        split(gate[i], g)
        if (own[int(g[2] / 2)] || own[int(g[3] / 2)]) own[int(g[1] / 2)] = 1
    }
    for (m in depth) {
        if (!((m ".write") in output)) continue # it is among the registers
        bits = clog2(depth[m])
        for (r = 0; r < reads[m]; r++) {
            elsewhere = ""
            for (i = 0; i < bits; i++) elsewhere = any(elsewhere, differs(port(m ".read_address", r * bits + i)))
            for (i = 0; i < width[m]; i++) {
                b = bit_of(input, m ".read_data", r * width[m] + i)
                listed = listed " other" b
                if (elsewhere == "") print ".names v" b " m" b "\n1 1"
                else print ".names " elsewhere " other" b " v" b " m" b "\n11- 1\n0-1 1"
            }
        }
        stores = writes(m, "v")
        bad[n_bad++] = unlike(stores, writes(m, "m"))
        other = ""
        for (i = 0; i < bits; i++) other = any(other, differs(port(m ".write_address", i)))
        for (i = 0; i < width[m]; i++) other = any(other, differs(port(m ".write_data", i)))
        bad[n_bad++] = both(stores, other)
        kept[m] = 1
    }
    # The first cycle resets the unit, and gives its memories their words.
    print ".latch one begun 0\n.names one\n1"
    if ("rst" in input) {
        listed = listed " rst"
        print ".names begun rst v" input["rst"] "\n0- 1\n-1 1"
    }
    for (i = 0; i < latches; i++) {
        print ".latch n" i " v" inputs + 1 + i " 0"
        loads = 0
        for (m in depth) if (index(name["l" i], m ".") == 1) loads = 1
        if (loads) {
            words++
            listed = listed " word" i
            print ".names begun " wire(takes[i], "v") " word" i " n" i "\n1" one(takes[i]) "- 1\n0-1 1"
        } else {
            print ".names " wire(takes[i], "v") " n" i "\n" one(takes[i]) " 1"
        }
        bad[n_bad++] = differs(takes[i])
    }
    for (i = 1; i <= gates; i++) {
        split(gate[i], g)
        for (side = 0; side <= own[int(g[1] / 2)]; side++) {
            s = side ? "m" : "v"
            print ".names " wire(g[2], s) " " wire(g[3], s) " " wire(g[1], s) "\n" one(g[2]) one(g[3]) " 1"
        }
    }
    for (i = 0; i < outputs; i++) {
        split(name["o" i], part, ".")
        if (!(part[1] in kept)) bad[n_bad++] = differs(drives[i])
    }
    print ".names begun " fold(bad, n_bad) " bad\n11 1\n.names v0"
    for (m in depth) expected += (m in kept) ? 0 : depth[m] * width[m]
    if (words + 0 != expected) { print "step.awk: " words + 0 " registers of memories, not " expected >"/dev/stderr"; exit 2 }
    printf ".inputs%s", listed
    for (i = 1; i <= switches; i++) printf " m%d", input["mutant" i]
    print "\n.end"
}
