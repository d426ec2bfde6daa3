# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tb/experiments/models/power.sh: part of models.sh. The model of power, each fit with the thesis's events (thesis), to what is left without the energy of
# DRAM (no_dram), and, for what is no prediction, with reads of DRAM in place of misses of L2 (reads).
power_options() { # FIT
    case $1 in
    no_dram) echo --without=dram_read,dram_write,dram_activate ;;
    reads) echo --events=l1d.accesses,l2.accesses,dram.reads,branches,threads.sp+threads.sfu ;;
    esac
}
power_run() { # WORKLOAD ARGUMENT...
    local name=$1
    shift
    make_file "$out/$name.json" "$build/heddle" run --sched=gto ${shared:+--set l2.sets="$sets"} --stats="$out/$name.json" -- "$build/workloads/$name" "$@"
}
# Rows of all runs, with the fit's name in front, and each called as its program.
power_fit() { # FIT
    local options fitted
    mapfile -t options < <(power_options "$1")
    mapfile -t fitted <"$out/small"
    answer "$out/$1.fit" power "${options[@]}" "${fitted[@]}"
    awk -F, -v OFS=, -v fit="$1" 'NR == 1 { print "fit", $0 }
        NR > 1 { sub(".*/", "", $1); sub("[.]json$", "", $1); print fit, $0 }' "$out/$1.fit.csv" >"$out/$1.csv"
}
# What two take beside each other, by a fit to runs that are listed: the row of the sum.
power_pair() { # PROGRAM PROGRAM FIT LIST
    local options fitted file=$out/$1+$2.$3.$4
    mapfile -t options < <(power_options "$3")
    mapfile -t fitted <"$out/$4"
    answer "$file.fit" power --noise=.02 "${options[@]}" --measured="$runs/$1+$2.json" --program="$(camp_files "$1" 7)" --program="$(camp_files "$2" 8)" "${fitted[@]}"
    awk -F, -v OFS=, -v pair="$1,$2,$3,$4" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "first,second,fit,training,watts,as_alone,by_rates,machine" }
        $2 == "sum" { print pair, $at["together"], $at["alone"], $at["by_rates"], $at["machine"] }' "$file.fit.csv" >"$file.csv"
}
# small: all workloads. alone: the runs of the programs alone that are their profiles.
power() {
    local name fit first second fits="thesis no_dram"
    "$build/heddle" list workloads | awk '/^  [a-z]/ { print $1, "--size=small" }' >"$out/workloads"
    each power_run <"$out/workloads"
    awk -v out="$out" '{ print out "/" $1 ".json" }' "$out/workloads" >"$out/small"
    if [ ! "$shared" ]; then
        fits+=" reads"
        tr ' ' '\n' <<<"$fits" | each power_fit
        for fit in $fits; do echo "$out/$fit.csv"; done >"$files"
        return
    fi
    camp_runs
    for name in "${programs[@]}"; do
        camp_files "$name" 7
        camp_files "$name" 8
    done | tr , '\n' >"$out/alone"
    pairs same | while read -r first second; do
        for fit in $fits; do printf '%s\n' "$first $second $fit small" "$first $second $fit alone"; done
    done >"$out/answers"
    each power_pair <"$out/answers"
    awk -v out="$out" '{ print out "/" $1 "+" $2 "." $3 "." $4 ".csv" }' "$out/answers" >"$files"
}
export -f power_options
