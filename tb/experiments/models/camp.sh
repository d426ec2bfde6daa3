# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tb/experiments/models/camp.sh: part of models.sh. Programs beside each other: on SMs of their own they share L2, on the same ones L1D. parts: how
# many SMs the first and the second have, or blocks on each SM; own: the setting for that, of a program alone; both: settings of two. ports, dram: settings with which ports of L2, or DRAM, are not short.
export ways="4 6 8 10 12 16" parts sets=16 own both machine ports="--set xbar.flit=128" dram="--set dram.bytes_per_cycle=128"
if [ "$cache" = l2 ]; then
    parts="7 8" own=kmu.sms_0 both="--set kmu.sms_0=7" machine="--set kmu.partition=3 --set l2.sets=$sets"
else
    parts=2 own=sm.max_blocks both="--set kmu.blocks_0=2 --set kmu.blocks_1=2 --set l1d.ways=16" machine=
fi
[ ! "$pmiq" ] || machine="$machine --set pmiq.block=1"
[ ! "$wide" ] || machine="$machine $ports $dram"
camp_replay() { # FILE WORD...
    local file=$1 words
    shift
    read -ra words <<<"$machine"
    make_file "$file" "$build/heddle" replay --differ --sched=lrr --dispatch=kmu "${words[@]}" --stats="$file" "$@"
}
camp_alone() { # PROGRAM PART WAYS
    camp_replay "$runs/$1.$2.$3.json" --set "$own=$2" --set "$cache.ways=$3" "$runs/$1.capture"
}
camp_together() { # PROGRAM PROGRAM
    local words
    read -ra words <<<"$both"
    camp_replay "$runs/$1+$2.json" "${words[@]}" "$runs/$1.capture" "$runs/$2.capture"
}
camp_files() { # PROGRAM PART
    local way list=
    for way in $ways; do
        list="$list,$runs/$1.$2.$way.json"
    done
    echo "${list#,}"
}
camp_model() { # PROGRAM PROGRAM: the noise is that of programs whose misses do not depend on the ways
    answer "$out/$1+$2" camp --cache="$cache" --noise=.02 --measured="$runs/$1+$2.json" "$(camp_files "$1" "${parts%% *}")" "$(camp_files "$2" "${parts##* }")"
}
camp_runs() {
    local name n way
    each capture <"$out/programs"
    for name in "${programs[@]}"; do
        for n in $parts; do
            for way in $ways; do echo "$name $n $way"; done
        done
    done | each camp_alone
    pairs same | each camp_together
}
camp() {
    camp_runs
    pairs same | each camp_model
    pairs same | answered
}
export -f camp_replay camp_files
