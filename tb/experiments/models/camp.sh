# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tb/experiments/models/camp.sh: part of models.sh. Programs beside each other in L2.
export ways="4 6 8 10 12 16" sms="7 8" sets=16
camp_replay() { # FILE WORD...
    local file=$1
    shift
    make_file "$file" "$build/heddle" replay --differ --sched=lrr --dispatch=kmu --set kmu.partition=3 --set l2.sets="$sets" ${wide:+--set xbar.flit=128 --set dram.bytes_per_cycle=128} --stats="$file" "$@"
}
camp_alone() { # PROGRAM SMS WAYS
    camp_replay "$runs/$1.$2.$3.json" --set kmu.sms_0="$2" --set l2.ways="$3" "$runs/$1.capture"
}
camp_together() { # PROGRAM PROGRAM
    camp_replay "$runs/$1+$2.json" --set kmu.sms_0=7 "$runs/$1.capture" "$runs/$2.capture"
}
camp_files() { # PROGRAM SMS
    local way list=
    for way in $ways; do
        list="$list,$runs/$1.$2.$way.json"
    done
    echo "${list#,}"
}
camp_model() { # PROGRAM PROGRAM: the noise is that of programs whose misses do not depend on the ways
    answer "$out/$1+$2" camp --noise=.02 --measured="$runs/$1+$2.json" "$(camp_files "$1" 7)" "$(camp_files "$2" 8)"
}
camp_runs() {
    local name n way
    each capture <"$out/programs"
    for name in "${programs[@]}"; do
        for n in $sms; do
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
