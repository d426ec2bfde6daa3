#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tb/experiments/models/models.sh BUILD_DIR FOLDER [TABLE...]: models of the thesis beside the machine. Without a TABLE it makes all.
#   camp          each program of camp.txt beside each, itself included, on 7 and 8 of 15 SMs; alone on as many with six numbers of ways; half of the sets
#   camp-wide     the same of fewer, and a line leaves L2 as one flit, and DRAM moves four times as much: only the cache is short
#   camp-l1d      the same, each beside each on the same SMs, two blocks of either, and L1D has 16 ways
#   camp-l1d-pmiq the same, and memory instructions of each wait apart (rtl/pmiq)
#   stress        each program of camp.txt beside stressmarks that miss L2 more and less often; and where ports, DRAM or ways are not short
#   mix           each beside each other of mix.txt on the same SMs, with each division of an SM's blocks that fits, for $CYCLES cycles
#   mix-pmiq      the first program beside each other one, and memory instructions of each kernel wait apart (rtl/pmiq)
#   mix-1-9       the same, and of each ten accesses for which both could go the first program has one; mix-9-1: it has nine
#   power         a model of power fitted to all workloads, and what it says of each, left out
#   power-shared  what such models say of the pairs of camp before they run
#   pdvfs         each program of pdvfs.txt with each clock of the SMs, what policies choose for it, and what the unit dvfs does
# Writes FOLDER/TABLE.csv, which the ledger of claims reads: rows of `heddle model --csv`. An interrupted command resumes: what
# a run has left in BUILD_DIR/models stays as long as it is newer than the machine. JOBS: runs at a time (default: as many as processors).
set -euo pipefail
tables="camp camp-wide camp-l1d camp-l1d-pmiq stress mix mix-pmiq mix-1-9 mix-9-1 power power-shared pdvfs"
usage="usage: models.sh BUILD_DIR FOLDER [TABLE...], tables of ${tables// /, }"
read -ra all <<<"$tables"
[ $# -ne 2 ] || set -- "$@" "${all[@]}"
export build=${1:?$usage} folder=${2:?$usage} table=${3:?$usage} cache=l2 wide='' pmiq='' share_0=1 share_1=1 shared=''
if [ $# -gt 3 ]; then
    for each in "${@:3}"; do "$0" "$build" "$folder" "$each"; done
    exit
fi
here=$(dirname "$0")
jobs=${JOBS:-$(nproc)}
die() {
    echo "models.sh: error: $*" >&2
    exit 1
}
# runs: where runs of single programs are, and of two at once. files: those whose rows are the table's.
export out=$build/models/$table
export runs=$out files=$out/files
list=$here/$table.txt
case $table in
camp | mix | pdvfs) model=$table ;;
camp-wide) model=camp wide=1 ;;
camp-l1d) model=camp cache=l1d ;;
camp-l1d-pmiq) model=camp cache=l1d pmiq=1 ;;
power) model=power list=$here/camp.txt ;;
stress) model=stress list=$here/camp.txt ;;
mix-pmiq) model=mix pmiq=1 list=$here/mix.txt ;;
mix-1-9 | mix-9-1) model=mix pmiq=1 share_0=${table:4:1} share_1=${table:6} list=$here/mix.txt ;;
power-shared) model=power shared=1 runs=$build/models/camp list=$here/camp.txt ;;
*) die "'$table' is no table; expected one of ${tables// /, }" ;;
esac
mkdir -p "$out" "$runs" "$folder"

# The programs, with their arguments.
grep -v '^#' "$list" >"$out/programs"
mapfile -t programs < <(awk '{ print $1 }' "$out/programs")
[ ${#programs[@]} -gt 1 ] || die "$table: fewer than two programs"

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
# answer FILE MODEL WORD...: what a model says, into FILE.txt, and as rows into FILE.csv, with no carriage returns.
answer() {
    local file=$1 model=$2
    shift 2
    "$build/heddle" model "$model" --csv="$file.csv" "$@" >"$file.txt" || { echo "models.sh: $file: no answer; see $file.txt" >&2; return 1; }
    sed -i 's/\r$//' "$file.csv"
}
capture() { # PROGRAM ARGUMENT...
    local name=$1
    shift
    make_file "$runs/$name.capture" "$build/heddle" run --capture="$runs/$name.capture" --set run.timing=0 -- "$build/workloads/$name" "$@"
}
export -f make_file answer capture

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

# The pairs of the input are those whose answers are the table's.
answered() {
    awk -v out="$out" '{ print out "/" $1 "+" $2 ".csv" }' >"$files"
}

# shellcheck source-path=SCRIPTDIR source=camp.sh
. "$here/camp.sh"
# shellcheck source-path=SCRIPTDIR source=stress.sh
. "$here/stress.sh"
# shellcheck source-path=SCRIPTDIR source=mix.sh
. "$here/mix.sh"
# shellcheck source-path=SCRIPTDIR source=power.sh
. "$here/power.sh"
# shellcheck source-path=SCRIPTDIR source=pdvfs.sh
. "$here/pdvfs.sh"
: >"$files"
"$model"
while read -r file; do cat "$file"; done <"$files" | awk 'NR == 1 { head = $0; print } $0 != head' >"$folder/$table.csv.$$"
mv "$folder/$table.csv.$$" "$folder/$table.csv"
echo "$folder/$table.csv: $(wc -l <"$files") answers, $(($(wc -l <"$folder/$table.csv") - 1)) rows"
