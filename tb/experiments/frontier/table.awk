# SPDX-License-Identifier: Apache-2.0
# tb/experiments/frontier/table.awk: a row of the frontier for each point, as CSV. Reads, in this order,
#   units.txt         UNIT PER_SM STATE MEMORY FLIP_FLOPS AREA MEMORY_AREA DELAY
#   points_units.txt  NAME UNIT...
#   energies.txt      NAME KERNEL UNIT PJ_PER_CYCLE CYCLES INSTRUCTIONS of the GPU
#   runs.txt          NAME[@VARIANT] WORKLOAD STATISTIC VALUE
#   points.txt        NAME KIND POLICY SETTINGS CLAIM
# Areas are per SM; a unit of the whole GPU counts in part. Pareto: no other point is as cheap and faster, or as fast and cheaper.
function file() { return FILENAME ~ /units.txt$/ && FILENAME !~ /points_units/ ? "units" : FILENAME ~ /points_units/ ? "points" : FILENAME ~ /energies/ ? "energies" : FILENAME ~ /runs/ ? "runs" : "" }
file() == "units" { per_sm[$1] = $2; state[$1] = $3; memory[$1] = $4; flops[$1] = $5; area[$1] = $6; memory_area[$1] = $7; delay[$1] = $8; next }
file() == "points" { for (i = 2; i <= NF; i++) if (!(($1, $i) in has)) { has[$1, $i]; units[$1] = units[$1] " " $i }; next }
file() == "energies" {
    # of all SMs, in pJ: for each kernel over its thousands of instructions
    pj[$1, $2] += $4 * $5 * per_sm[$3] * SMS; kernel[$2]; thousands[$1, $2] = $6 / 1000; next
}
file() == "runs" {
    of[$1, $2, $3] = $4; workload[$2]
    if (split($1, at, "@") > 1 && !(at[2] in variant)) { variant[at[2]]; of_machine[++variants] = at[2] }
    next
}
{
    point = $1
    order[++points] = point
    name[point] = $3 ($4 == "-" ? "" : " " $4); kind[point] = $2
    claim[point] = $0
    sub(/^[^ ]* [^ ]* [^ ]* [^ ]* ?/, "", claim[point])
    if ($2 == "sched" && $3 == "gto") base = point
}
function log_mean(sum, n) { return n ? exp(sum / n) : 0 }
# The sign of the gain over gto on a variant of the machine ("": the machine); "?" where no workload has both.
function sign(point, at,   w, n, sum, this, other) {
    for (w in workload) {
        this = of[point at, w, "ipc"]; other = of[base at, w, "ipc"]
        if (this && other) { sum += log(this / other); n++ }
    }
    return !n ? "?" : sum > 1e-9 ? 1 : sum < -1e-9 ? -1 : 0
}
# "", where there are no variants or there is no gain; "holds on N", or where it turns.
function signs(point,   own, k, is, turns, n) {
    own = sign(point, "")
    if (!variants || own == "?" || own == 0) return ""
    for (k = 1; k <= variants; k++) {
        is = sign(point, "@" of_machine[k])
        if (is != "?") n++
        if (is != "?" && is != own) turns = turns " " of_machine[k]
    }
    return turns == "" ? "holds on " n : "turns:" turns
}
END {
    if (!base) { print "table.awk: error: no point of `sched gto`" > "/dev/stderr"; exit 1 }
    for (k = 1; k <= points; k++) {
        p = order[k]
        n = split(units[p], u, " ")
        for (i = 1; i <= n; i++) {
            c = per_sm[u[i]]
            bits[p] += c * state[u[i]]; mem[p] += c * memory[u[i]]; ff[p] += c * flops[u[i]]
            logic[p] += c * area[u[i]]; sram[p] += c * memory_area[u[i]]
            if (delay[u[i]] > slow[p]) slow[p] = delay[u[i]]
        }
        for (of_kernel in kernel) if (thousands[p, of_kernel]) { esum[p] += log(pj[p, of_kernel] / thousands[p, of_kernel]); en[p]++ }
        for (w in workload) {
            if (!of[p, w, "ipc"] || !of[base, w, "ipc"]) { missing[p]++; continue }
            r = of[p, w, "ipc"] / of[base, w, "ipc"]
            g[p] += log(r); h[p] += 1 / r; count[p]++
            if (!worst[p] || r < worst[p] || (r == worst[p] && w < of_worst[p])) { worst[p] = r; of_worst[p] = w }
            hits[p] += of[p, w, "l1d.hits"]; accesses[p] += of[p, w, "l1d.accesses"]
            lines[p] += of[p, w, "dram.reads"] + of[p, w, "dram.writes"]; base_lines[p] += of[base, w, "dram.reads"] + of[base, w, "dram.writes"]
        }
        gain[p] = log_mean(g[p], count[p]); cost[p] = logic[p] + sram[p]
    }
    print "kind,policy,state_bits,memory_bits,flip_flops,logic_um2,memory_um2,delay_ns,nj_per_1000_instructions,ipc_gmean,ipc_hmean,worst_ipc,worst_workload,l1d_hits_percent,dram_traffic,workloads,pareto,sign,claim"
    for (k = 1; k <= points; k++) {
        p = order[k]
        best = count[p] > 0
        for (q in name)
            if (count[q] && ((gain[q] > gain[p] && cost[q] <= cost[p]) || (gain[q] >= gain[p] && cost[q] < cost[p]))) best = 0
        printf "%s,%s,%.1f,%.1f,%.1f,%.0f,%.0f,%s,%.4g,%.4f,%.4f,%.4f,%s,%.2f,%.4f,%d,%d,%s,\"%s\"\n", kind[p], name[p], bits[p], mem[p], ff[p], logic[p], sram[p],
            slow[p], log_mean(esum[p], en[p]) / 1000, gain[p], count[p] ? count[p] / h[p] : 0, worst[p], of_worst[p],
            accesses[p] ? 100 * hits[p] / accesses[p] : 0, base_lines[p] ? lines[p] / base_lines[p] : 0, count[p], best, signs(p), claim[p]
    }
}
