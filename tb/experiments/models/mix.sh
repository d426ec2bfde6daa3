# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tb/experiments/models/mix.sh: part of models.sh. Programs beside each other on the same SMs.
export CYCLES=${CYCLES:-50000}
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
    answer "$out/$first+$second" mix "$@" "$(mix_files "$first")" "$(mix_files "$second")"
}
# The lines PROGRAM PROGRAM BLOCKS BLOCKS of all divisions that fit.
mix_divisions() {
    mix_model "$1" "$2" 2>"$out/$1+$2.log" || return 0 # no block of one fits beside one of the other
    awk -F, -v pair="$1 $2" 'NR > 1 { print pair, $3, $4 }' "$out/$1+$2.csv"
}
# The machine stops both kernels after so many cycles, which it calls an error; what they did until then is in the statistics.
mix_together() { # PROGRAM PROGRAM BLOCKS BLOCKS
    local file=$out/$1+$2.$3.$4.json
    make_file "$file" "$build/heddle" replay --differ --sched=lrr --dispatch=kmu --max-cycles="$CYCLES" --fail="$file.fail" \
        --set kmu.blocks_0="$3" --set kmu.blocks_1="$4" ${pmiq:+--set pmiq.block="$pmiq" --set pmiq.share_0="$share_0" --set pmiq.share_1="$share_1"} \
        --stats="$file" "$out/$1.capture" "$out/$2.capture"
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
    each capture <"$out/programs"
    printf '%s\n' "${programs[@]}" | each mix_alone
    pairs ${pmiq:+first} | while read -r first second; do mix_divisions "$first" "$second"; done >"$out/divisions"
    each mix_together <"$out/divisions"
    awk '!seen[$1 " " $2]++ { print $1, $2 }' "$out/divisions" >"$out/pairs"
    each mix_measured <"$out/pairs"
    answered <"$out/pairs"
}
export -f mix_files mix_model
