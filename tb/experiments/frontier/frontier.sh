#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tb/experiments/frontier/frontier.sh BUILD_DIR: what each policy costs in hardware, and what it buys. Every policy of policies.txt runs the
# workloads, with gto or lrr where it says nothing; every unit is synthesised, and its netlist run under the inputs of kernels.
#   SET=name        the workloads of this set of `heddle list workloads` (default: that of the machine, or thesis)
#   SIZE=small      of the workloads      JOBS=n   runs at once
#   KERNELS="..."   workloads, small, for the energy (default: spmv bfs hotspot)
#   ROBUST=1        all runs on the variants of the machine, too: whether the sign of a gain holds there
#   WRITE=1         keeps table and picture here, as CONFIG.md and CONFIG.svg
# Writes BUILD_DIR/frontier/{frontier.csv,frontier.md,frontier.svg}. All of it resumes where it was interrupted: runs are those of a sweep,
# syntheses and energies are kept while they are newer than what they are made of.
set -eu
build=${1:?usage: frontier.sh BUILD_DIR}
here=${0%/*}
config=$(basename "$build")
out=$build/frontier
heddle=$build/heddle
mkdir -p "$out/energy"
die() {
    echo "frontier.sh: error: $*" >&2
    exit 1
}

case $config in
poise) set=poise ;;
daws) set=daws ;;
*) set=thesis ;;
esac
set=${SET:-$set}
workloads=$("$heddle" list workloads | awk -v set="$set" -F'; ' 'NF > 3 && (" " $2 " ") ~ (" " set " ") { split($1, word, " "); print word[1] }' | paste -sd' ')
[ -n "$workloads" ] || die "no workload is of the set '$set'; \`heddle list workloads\` shows them"

# points: NAME KIND POLICY SETTINGS CLAIM. What is kept of a point goes by its name, whatever is added to the list before it. A limit that the
# machine does not have is no point. All policies must be in policies.txt.
grep -v '^#' "$here/policies.txt" | awk -F' *[|] *' -v warps="$(awk '$2 == "NUM_WARPS" { print $3 }' "$build/hw.h")" '
    { split($1, word, " "); settings = $2 == "" ? "-" : $2; split(settings, value, "=") }
    word[1] == "skip" || (settings ~ /^mask.n=/ && value[2] > warps) { next }
    { print word[1] "." word[2] (settings == "-" ? "" : "." settings), word[1], word[2], settings, $3 }' >"$out/points.txt"
for kind in policies dispatch; do
    for policy in $("$heddle" list "$kind" | awk '/^  / { print $1 }'); do
        grep -q "^[a-z]* $policy |" "$here/policies.txt" || die "$here/policies.txt has no line for the policy $policy"
    done
done

# ---- what it buys ----
groups() { # [VARIANT]: a group of runs per point
    while read -r name kind policy settings claim; do
        printf '[%s%s]\nconfig = %s\nworkload = %s\nsize = %s\nrun.%s = %s\n' "$name" "${1:+@$1}" "$config" "$(echo "$workloads" | sed 's/ /, /g')" "${SIZE:-small}" "$kind" "$policy"
        [ "$settings" = - ] || echo "$settings" | sed 's/=/ = /'
        [ -z "${1:-}" ] || sed -n "s/^$1 //p" "$out/variants.txt" | sed 's/=/ = /'
    done <"$out/points.txt"
}
runs() { # NAME: of the sweep NAME.ini, as lines GROUP WORKLOAD STATISTIC VALUE
    "$heddle" sweep ${JOBS:+--jobs="$JOBS"} --results="$out/$1.sqlite" "$out/$1.ini" >&2
    sqlite3 -separator ' ' "$out/$1.sqlite" "
        select p.\"group\", p.workload, r.name, r.value from points p join results r on r.point = p.id
        where r.name in ('cycles', 'ipc', 'warp_instructions', 'l1d.hits', 'l1d.accesses', 'dram.reads', 'dram.writes') and p.status = 'done'
        order by p.id"
}
groups >"$out/frontier.ini"
runs frontier >"$out/runs.txt"
if [ "${ROBUST:-0}" = 1 ]; then
    awk -f "$here/variants.awk" "$build/$config.ini" "$here/../claims/variants.ini" >"$out/variants.txt"
    for variant in $(cut -d' ' -f1 "$out/variants.txt" | sort -u); do
        groups "$variant"
    done >"$out/robust.ini"
    runs robust >"$out/robust.txt"
    cat "$out/robust.txt" >>"$out/runs.txt"
fi

# ---- what it costs ----
units_of() { # KIND POLICY: its units, and those of the other kind's usual policy
    "$heddle" list policies | sed -n "s/^  $([ "$1" = sched ] && echo "$2" || echo gto)  *.*; units: \([^;]*\);.*/\1/p"
    "$heddle" list dispatch | sed -n "s/^  $([ "$1" = dispatch ] && echo "$2" || echo lrr)  *.*; units: \([^;]*\);.*/\1/p"
}
make_unit() {
    ${MAKE:-make} -s CONFIG="$config" "$@" >"$out/make.log" 2>&1 || { tail -n 5 "$out/make.log" >&2; die "make $* fails"; }
}
counts=$("$heddle" list units | sed -n 's/^  \([^ ]*\) .*, one\( per scheduler\| per SM\)\{0,1\}, page.*/\1:\2/p' | sed 's/ per //')
sms=$(awk '$2 == "NUM_SMS" { print $3 }' "$build/hw.h") schedulers=$(awk '$2 == "NUM_SCHEDULERS" { print $3 }' "$build/hw.h")
: >"$out/units.txt"
for unit in $(while read -r name kind policy settings claim; do units_of "$kind" "$policy"; done <"$out/points.txt" | tr ' ' '\n' | sed 's/=.*//' | sort -u); do
    [ -t 2 ] && printf '\r\033[K  %s' "$unit" >&2
    make_unit UNIT="$unit" "$build/check/$unit/energy" "$build/synth/$unit/result.txt"
    case $(echo "$counts" | sed -n "s/^$unit://p") in
    scheduler) per_sm=$schedulers ;;
    SM) per_sm=1 ;;
    *) per_sm=$(awk -v sms="$sms" 'BEGIN { print 1 / sms }') ;;
    esac
    awk -F= -v unit="$unit" -v per_sm="$per_sm" '{ of[$1] = $2 } END {
        print unit, per_sm, of["state_bits"], of["memory_bits"], of["flip_flops"], of["area_um2"], of["memory_area_um2"], of["critical_path_ns"] }' \
        "$build/synth/$unit/result.txt" >>"$out/units.txt"
done

# energy_of NAME KIND POLICY SETTINGS: lines NAME KERNEL UNIT pJ-per-cycle CYCLES INSTRUCTIONS.
energy_of() {
    for kernel in ${KERNELS:-spmv bfs hotspot}; do
        kept=$out/energy/$1-$kernel.txt
        if [ ! -f "$kept" ] || [ -n "$(find "$build/heddle" "$build"/synth/*/mapped.v -newer "$kept" 2>/dev/null | head -n 1)" ]; then
            "$heddle" run --set="run.$2=$3" $([ "$4" = - ] || echo "--set=$4") --wave="$out/wave.fst" --stats="$out/wave.json" -- \
                "$build/workloads/$kernel" --size=small >"$out/run.log" 2>&1 || { tail -n 5 "$out/run.log" >&2; die "$3 fails on $kernel"; }
            totals=$("$heddle" report --get=totals "$out/wave.json" | awk '$1 == "totals.cycles" { c = $2 } $1 == "totals.warp_instructions" { i = $2 } END { print c, i }')
            for unit in $(units_of "$2" "$3" | sed 's/=[a-z]*//g'); do
                sh synth/energy.sh "$unit" "$build" --inputs="$out/wave.fst" >"$out/energy.log" 2>&1 || { tail -n 5 "$out/energy.log" >&2; die "the energy of $unit under $3 in $kernel"; }
                echo "$1 $kernel $unit $(sed -n 's/^pj_per_cycle=//p' "$build/synth/$unit/energy.txt") $totals"
            done >"$kept.new"
            rm -f "$out/wave.fst"
            mv "$kept.new" "$kept"
        fi
        cat "$kept"
    done
}
while read -r name kind policy settings claim; do
    [ -t 2 ] && printf '\r\033[K  %s %s' "$policy" "$settings" >&2
    energy_of "$name" "$kind" "$policy" "$settings" </dev/null
done <"$out/points.txt" >"$out/energies.txt"
[ -t 2 ] && printf '\r\033[K' >&2

while read -r name kind policy settings claim; do
    echo "$name $(units_of "$kind" "$policy" | sed 's/=[a-z]*//g' | paste -sd' ')"
done <"$out/points.txt" >"$out/points_units.txt"
awk -v SMS="$sms" -f "$here/table.awk" "$out/units.txt" "$out/points_units.txt" "$out/energies.txt" "$out/runs.txt" "$out/points.txt" >"$out/frontier.new"
mv "$out/frontier.new" "$out/frontier.csv"
sh "$here/page.sh" "$out" "$config" "$set" "${SIZE:-small}"
if [ "${WRITE:-0}" = 1 ]; then
    {
        printf '<!-- SPDX-License-Identifier: Apache-2.0 -->\n# What policies cost and buy on %s\n\n' "$config"
        printf 'Written by `make frontier CONFIG=%s SET=%s SIZE=%s%s WRITE=1`, not by hand, by %s; [how figures come about](README.md).\n\n' \
            "$config" "$set" "${SIZE:-small}" "$([ "${ROBUST:-0}" = 0 ] || echo " ROBUST=1")" "$("$heddle" --version | sed -n '1s/, configuration.*//p')"
        printf '![Gain in IPC over gto against area, a point per policy](%s.svg)\n\n' "$config"
        cat "$out/frontier.md"
    } >"$here/$config.new"
    mv "$here/$config.new" "$here/$config.md"
    cp "$out/frontier.svg" "$here/$config.svg"
    echo "kept: $here/$config.md"
fi
