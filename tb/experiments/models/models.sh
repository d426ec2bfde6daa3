#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tb/experiments/models/models.sh BUILD_DIR FOLDER TABLE: a model of the thesis beside the machine, for all pairs of the programs of TABLE.txt.
#   camp   each beside each, itself included, on 7 and 8 of 15 SMs; alone on as many with six numbers of ways; half of the sets
#   camp-wide  the same of fewer, and a line leaves L2 as one flit, and DRAM moves four times as much: only the cache is short
#   mix    each beside each other on the same SMs, with each division of an SM's blocks that fits, for $CYCLES cycles
#   mix-pmiq  the first program beside each other one, and memory instructions of each kernel wait apart (rtl/pmiq)
# Writes FOLDER/TABLE.csv, which the ledger of claims reads: the rows of `heddle model camp --csv` or `mix --csv` of all pairs. An interrupted command resumes: what
# a run has left in BUILD_DIR/models stays as long as it is newer than the machine. JOBS: runs at a time (default: as many as processors).
set -euo pipefail
usage="usage: models.sh BUILD_DIR FOLDER camp|camp-wide|mix|mix-pmiq"
export build=${1:?$usage} folder=${2:?$usage} table=${3:?$usage} wide='' pmiq=''
export CYCLES=${CYCLES:-50000}
here=$(dirname "$0")
jobs=${JOBS:-$(nproc)}
die() {
    echo "models.sh: error: $*" >&2
    exit 1
}
case $table in
camp | mix) model=$table ;;
camp-wide) model=camp wide=1 ;;
mix-pmiq) model=mix pmiq=1 ;;
*) die "'$table' is no table; expected camp, camp-wide, mix or mix-pmiq" ;;
esac
list=$here/$table.txt
export out=$build/models/$table
mkdir -p "$out" "$folder"
grep -v '^#' "$list" >"$out/programs"
mapfile -t programs < <(awk '{ print $1 }' "$out/programs")
[ ${#programs[@]} -gt 1 ] || die "$list: fewer than two programs"

# make FILE COMMAND...: runs the command, which leaves FILE, unless there is one of this machine.
make_file() {
    local file=$1 status=0
    shift
    [ ! "$file" -nt "$build/libheddle.so" ] || return 0
    rm -f "$file"
    "$@" >"$file.log" 2>&1 </dev/null || status=$?
    [ -s "$file" ] || { echo "models.sh: $file: status $status; see $file.log" >&2; return 1; }
    rm -f "$file.log"
}
export -f make_file

# each FUNCTION: for each line of the input the function with its words, $jobs at a time. Fails if one does.
each() {
    export -f "${1?}"
    xargs -r -P "$jobs" -L 1 bash -c 'set -euo pipefail; "$@"' "$1" "$1"
}
# Each two programs, as lines; `same`: also each with itself; `first`: only those with the first.
pairs() {
    local i k
    for ((k = 0; k < ${#programs[@]}; k++)); do
        for ((i = 0; i <= k; i++)); do
            ((i < k)) || [ "${1:-}" = same ] || continue
            ((i == 0)) || [ "${1:-}" != first ] || continue
            echo "${programs[i]} ${programs[k]}"
        done
    done
}

capture() { # PROGRAM ARGUMENT...
    local name=$1
    shift
    make_file "$out/$name.capture" "$build/heddle" run --capture="$out/$name.capture" --set run.timing=0 -- "$build/workloads/$name" "$@"
}

# ---- camp ----
export ways="4 6 8 10 12 16" sms="7 8" sets=16
camp_replay() { # FILE WORD...
    local file=$1
    shift
    make_file "$file" "$build/heddle" replay --differ --sched=lrr --dispatch=kmu --set kmu.partition=3 --set l2.sets="$sets" ${wide:+--set xbar.flit=128 --set dram.bytes_per_cycle=128} --stats="$file" "$@"
}
camp_alone() { # PROGRAM SMS WAYS
    camp_replay "$out/$1.$2.$3.json" --set kmu.sms_0="$2" --set l2.ways="$3" "$out/$1.capture"
}
camp_together() { # PROGRAM PROGRAM
    camp_replay "$out/$1+$2.json" --set kmu.sms_0=7 "$out/$1.capture" "$out/$2.capture"
}
camp_files() { # PROGRAM SMS
    local way files=
    for way in $ways; do
        files="$files,$out/$1.$2.$way.json"
    done
    echo "${files#,}"
}
camp_model() { # PROGRAM PROGRAM: the noise is that of programs whose misses do not depend on the ways
    "$build/heddle" model camp --noise=.02 --csv="$out/$1+$2.csv" --measured="$out/$1+$2.json" "$(camp_files "$1" 7)" "$(camp_files "$2" 8)" \
        >"$out/$1+$2.txt" || { echo "models.sh: $1+$2: no answer; see $out/$1+$2.txt" >&2; return 1; }
}
camp() {
    local name n way
    for name in "${programs[@]}"; do
        for n in $sms; do
            for way in $ways; do echo "$name $n $way"; done
        done
    done | each camp_alone
    pairs same | each camp_together
    pairs same | each camp_model
    pairs same >"$out/pairs"
}

# ---- mix ----
# Of a program with several kernels the first, as in the thesis (9.7).
mix_files() { # PROGRAM
    echo "$out/$1.json,$out/$1.profile.json,$("$build/heddle" report --get=kernels.0.name "$out/$1.json")"
}
mix_alone() { # PROGRAM: once for statistics, again for the profile
    make_file "$out/$1.profile.json" "$build/heddle" replay --differ --sched=lrr --stats="$out/$1.json" --profile="$out/$1.profile.json" \
        "$out/$1.capture"
}
mix_model() { # PROGRAM PROGRAM OPTION...
    local first=$1 second=$2
    shift 2
    "$build/heddle" model mix --csv="$out/$first+$second.csv" "$@" "$(mix_files "$first")" "$(mix_files "$second")" \
        >"$out/$first+$second.txt"
}
# The lines PROGRAM PROGRAM BLOCKS BLOCKS of all divisions that fit.
mix_divisions() {
    mix_model "$1" "$2" || return 0 # no block of one fits beside one of the other
    awk -F, -v pair="$1 $2" 'NR > 1 { print pair, $3, $4 }' "$out/$1+$2.csv"
}
# The machine stops both kernels after so many cycles, which it calls an error; what they did until then is in the statistics.
mix_together() { # PROGRAM PROGRAM BLOCKS BLOCKS
    local file=$out/$1+$2.$3.$4.json
    make_file "$file" "$build/heddle" replay --differ --sched=lrr --dispatch=kmu --max-cycles="$CYCLES" --fail="$file.fail" \
        --set kmu.blocks_0="$3" --set kmu.blocks_1="$4" ${pmiq:+--set pmiq.block="$pmiq"} --stats="$file" "$out/$1.capture" "$out/$2.capture"
    rm -rf "$file.fail"
}
mix_measured() { # PROGRAM PROGRAM
    local options=() first second a b
    while read -r first second a b; do
        [ "$first $second" != "$1 $2" ] || options+=(--measured="$out/$1+$2.$a.$b.json")
    done <"$out/divisions"
    mix_model "$1" "$2" "${options[@]}"
}
mix() {
    printf '%s\n' "${programs[@]}" | each mix_alone
    pairs ${pmiq:+first} | while read -r first second; do mix_divisions "$first" "$second"; done >"$out/divisions"
    each mix_together <"$out/divisions"
    awk '!seen[$1 " " $2]++ { print $1, $2 }' "$out/divisions" >"$out/pairs"
    each mix_measured <"$out/pairs"
}
export -f camp_replay camp_files mix_files mix_model

each capture <"$out/programs"
"$model"
while read -r first second; do cat "$out/$first+$second.csv"; done <"$out/pairs" | awk 'NR == 1 { head = $0; print } $0 != head' >"$folder/$table.csv.$$"
mv "$folder/$table.csv.$$" "$folder/$table.csv"
echo "$folder/$table.csv: $(wc -l <"$out/pairs") pairs, $(($(wc -l <"$folder/$table.csv") - 1)) rows"
