#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tb/experiments/baselines.sh SIZE BUILD_DIR SET...: what the machine does without any of the papers'
# policies, as a table in Markdown for each SET of the registry (`heddle list workloads`): IPC and L1D
# hits under gto and lrr, and what an L1D with 64 times the sets gains, Poise's P_best (table IIIa).
# Each workload runs three times, one run after the other; what a run leaves is in
# build/baselines/CONFIG-SIZE, progress goes to standard error. $WORKLOADS: only these.
set -euo pipefail
size=$1 build=$2
shift 2
sets=${*:?which set of workloads}
out=${OUT:-build/baselines}/$(basename "$build")-$size
mkdir -p "$out"

# P_best as Poise's table IIIa gives it, for its own machine.
declare -A paper=()
[ "$(basename "$build")" != poise ] || paper=(
    [syr2k]=14.13 [syrk]=9.03 [mm]=6.20 [inverted_index]=5.94 [graph_coloring]=3.43 [gesummv]=3.23 [mvt]=2.97 [bicg]=2.93
    [similarity_score]=2.85 [atax]=2.73 [page_view_rank]=2.07 [bfs]=1.55 [component_labelling]=1.49 [kmeans_columns]=1.42)

run() { # WORKLOAD NAME OPTION...
    local workload=$1 name=$out/$1-$2
    shift 2
    "$build/heddle" run "$@" --stats="$name.json" -- "$build/workloads/$workload" --size="$size" >"$name.log" 2>&1 </dev/null &&
        grep -q '^verified' "$name.log" && return
    echo "$workload failed:" >&2
    cat "$name.log" >&2
    exit 1
}
sets_of_l1d=$("$build/heddle" list keys | awk '/^\[/ { section = $1 } section == "[l1d]" && $1 == "sets" { print $2 }')
measure() {
    [ ! -t 2 ] || printf '\r\033[K  %s' "$1" >&2
    run "$1" gto --sched=gto
    run "$1" lrr --sched=lrr
    run "$1" large --sched=gto --set "l1d.sets=$((64 * sets_of_l1d))"
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

table() {
    for workload; do
        for name in gto lrr large; do
            "$build/heddle" report --get=totals --get=settings "$out/$workload-$name.json" |
                sed "s/^/$workload $name /"
        done
        echo "$workload paper - ${paper[$workload]:--}"
    done | awk '
    { value[$1, $2, $3] = $4; if (!seen[$1]++) workload[++count] = $1 }
    function get(w, run, key) { return value[w, run, "totals." key] }
    function set(w, key) { return value[w, "gto", "settings." key] }
    function hits(w, run) { return 100 * ratio(get(w, run, "l1d.hits"), get(w, run, "l1d.accesses")) }
    function ratio(a, b) { return b ? a / b : 0 }
    function part(w, run, key) { return 100 * get(w, run, "cpi.per_instruction." key) / get(w, run, "cpi.total") }
    # A figure of a row: printed, and kept for the means.
    function cell(column, format, x) {
        if (x < 0 && x > -0.05) x = 0
        sum[column] += x; inverse[column] += x ? 1 / x : 0; product[column] += x ? log(x) : 0; zero[column] += !x
        return sprintf(" " format " |", x)
    }
    function mean(kind, column, format) {
        if (kind != "arithmetic" && zero[column]) return " - |"
        return sprintf(" " format " |", kind == "arithmetic" ? sum[column] / count : kind == "geometric" ? exp(product[column] / count) \
            : count / inverse[column])
    }
    END {
        print "| workload | cycles | IPC | lrr / gto | L1D hits % | lrr % | 64x L1D % | capacity % | P_best | Poise says | most of CPI | L2 hits % | DRAM % |"
        print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: |"
        parts = split("issued ibuf barrier done control struct_sp struct_sfu struct_mem data_mem data_exe not_selected", name, " ")
        for (i = 1; i <= count; i++) {
            w = workload[i]
            most = 1
            for (p = 1; p <= parts; p++) {
                share[p, "gto"] += part(w, "gto", name[p]) / count
                share[p, "lrr"] += part(w, "lrr", name[p]) / count
                if (part(w, "gto", name[p]) > part(w, "gto", name[most])) most = p
            }
            misses = get(w, "gto", "l1d.misses")
            buses = get(w, "gto", "cycles") * set(w, "dram.clock_mhz") / set(w, "gpu.clock_mhz") * set(w, "dram.channels")
            printf "| %s | %d |%s%s%s%s%s%s%s %s | %s %.0f |%s%s\n", w, get(w, "gto", "cycles"),
                cell(1, "%.2f", get(w, "gto", "ipc")), cell(2, "%.2f", get(w, "lrr", "ipc") / get(w, "gto", "ipc")),
                cell(3, "%.1f", hits(w, "gto")), cell(4, "%.1f", hits(w, "lrr")), cell(5, "%.1f", hits(w, "large")),
                cell(6, "%.1f", 100 * ratio(misses - get(w, "large", "l1d.misses"), misses)),
                cell(7, "%.2f", get(w, "large", "ipc") / get(w, "gto", "ipc")), value[w, "paper", "-"],
                name[most], part(w, "gto", name[most]),
                cell(8, "%.1f", 100 * ratio(get(w, "gto", "l2.read_hits"), get(w, "gto", "l2.reads"))),
                cell(9, "%.1f", 100 * get(w, "gto", "dram.bus_busy") / buses)
        }
        kinds = split("arithmetic geometric harmonic", kind, " ")
        for (k = 1; k <= kinds; k++)
            printf "| %s mean | |%s%s%s%s%s%s%s | |%s%s\n", kind[k], mean(kind[k], 1, "%.2f"), mean(kind[k], 2, "%.2f"),
                mean(kind[k], 3, "%.1f"), mean(kind[k], 4, "%.1f"), mean(kind[k], 5, "%.1f"), mean(kind[k], 6, "%.1f"),
                mean(kind[k], 7, "%.2f"), mean(kind[k], 8, "%.1f"), mean(kind[k], 9, "%.1f")
        print ""; printf "| mean share of CPI, %% |"
        for (p = 1; p <= parts; p++) printf " %s |", name[p]
        printf "\n| --- |"
        for (p = 1; p <= parts; p++) printf " ---: |"
        rows = split("gto lrr", policy, " ")
        for (r = 1; r <= rows; r++) {
            printf "\n| %s |", policy[r]
            for (p = 1; p <= parts; p++) printf " %.2f |", share[p, policy[r]]
        }
        print ""
    }'
}

declare -A measured=()
for set in $sets; do
    members=$("$build/heddle" list workloads | awk -F '; *' -v set="$set" -v only="${WORKLOADS:-}" '
        function member(word, list) { return index(" " list " ", " " word " ") }
        { split($1, word, " ") } $2 != "" && member(set, $2) && (only == "" || member(word[1], only)) { print word[1] }')
    [ -n "$members" ] || continue
    for workload in $members; do
        [ -n "${measured[$workload]:-}" ] || measure "$workload"
        measured[$workload]=1
    done
    echo
    echo "$(basename "$build"), $size, set $set"
    echo
    # shellcheck disable=SC2086 # names without blanks
    table $members
done
[ "${#measured[@]}" != 0 ] || { echo "no workload belongs to the set '$sets'${WORKLOADS:+ and is one of $WORKLOADS}" >&2; exit 1; }
