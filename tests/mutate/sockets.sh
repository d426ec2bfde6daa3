#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/mutate/sockets.sh BUILD_DIR [COUNT]: small changes (cosim/cmutate.c) of tb/units, by which units meet the machine, each in a
# copy of the tree, one per processor. Noticed is one with which the machine does not build or start, an observed run (tb/observe) ends
# otherwise, after other cycles, or asks units in other cycles, or a test fails, at the end under valgrind. What nobody can notice
# stands in tests/mutate/sockets.same, with the reason; only tests without a machine are tried on it. All are tried; with COUNT, as
# many, evenly spread.
# $FILES: only these of tb/units. Writes BUILD_DIR/sockets/verdicts.txt and unnoticed.txt.
set -euo pipefail
unset MAKEFLAGS MFLAGS MAKELEVEL
build=${1:?usage: tests/mutate/sockets.sh BUILD_DIR [COUNT]} wanted=${2:-0}
out=$build/sockets
. tests/copied.sh
. synth/unit.sh
. tests/mutate/same.sh

runs=("--sched=gto --backend=lockstep --set mask.n=3 --set mask.p=1 --set mask.delay=2 bfs"
    "--sched=tl-active --backend=lockstep --set active.limit=2 spmv"
    "--sched=oldest --backend=lockstep --set wia.delay=1 --dispatch=bcs srad"
    "--sched=ccws --backend=lockstep spmv"
    "--sched=daws --backend=lockstep kmeans"
    "--sched=daws --backend=lockstep --set daws_classify.all_lanes=1 bfs"
    "--sched=daws-profiled --backend=lockstep --set daws_table.profile=PROFILE spmv"
    "--sched=random-restart --backend=lockstep --set poise.period=1000 --set poise.warmup=20 --set poise.search=50 spmv"
    "--sched=gto --backend=lockstep --dispatch=kmu --set pmiq.block=2 spmv"
    "--sched=pcal --backend=lockstep --set pcal.n=3 --set pcal.warmup=20 --set pcal.sample=60 --set pcal.delay=2 spmv"
    "--sched=poise --backend=lockstep --set poise.period=2000 --set poise.warmup=20 --set poise.feature=50 --set poise.search=50 spmv"
    # quotients that as weights of 16 bits are the lowest but one, and one below the lowest
    "--sched=rlws --backend=lockstep --set rlws.alpha=999978 --set rlws.gamma=998000 --set rlws.reward=-32767 --set rlws.penalty=-32767 --set rlws.interval=4 bfs"
    "--sched=rlws-ms --backend=lockstep --set rlws_ms.gamma=998000 --set rlws_ms.reward=-32769 --set rlws_ms.penalty=-32769 --set rlws_ms.attribute8=5 cutcp"
    "--sched=rlws --backend=lockstep --set rlws.keep=1 --set rlws.decay=64 --set rlws.attribute1=34 --set rlws.attribute2=34 --set rlws.attribute3=34 --set rlws.attribute4=34 --set rlws.attribute5=34 --set rlws.attribute6=34 --set rlws.attribute7=34 --set rlws.attribute8=34 spmv") # no variables
wires=tests/tb/units/wires_test # tried, as the tests of the file's name are, before runs
tests=(tests/tb/units/{rack,blame,late,left_out,policies,traced,poise_start,poise_told}_test
    tests/tb/gpu/{steered,delay,mask,policy,dispatcher,events,poise_log,poise_given,pcal,pmiq}_test)
checked=(tests/tb/units/{wires,late,policies,rack,blame,poise_told}_test tests/tb/gpu/policy_test) # by valgrind

# outcome NUMBER: of that observed run, status, cycles, and in how many of them units were asked.
outcome() {
    # shellcheck disable=SC2086 # options are words
    echo "$(run "$1" ${runs[$1]}) $("$build/heddle" report --get=cycles --get=lockstep "$out/$1.json" 2>/dev/null | tr '\n' ' ' || true)"
}

under_valgrind() {
    valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite "$tree/$build/$1" >"$out/test.log" 2>&1
}

# try_runs: sets verdict to how an observed run notices what is in the copy. That run comes first for the next change, which is
# mostly of the same file.
try_runs() {
    local place i found
    for place in "${!order[@]}"; do
        i=${order[place]} found=$(outcome "${order[place]}")
        [ "$found" != "${sound[i]}" ] || continue
        verdict=run
        [[ $found != "3 "* ]] || verdict=observed
        unset "order[place]"
        order=("$i" "${order[@]}")
        return
    done
}

# passes TEST: in the copy.
passes() {
    (cd "$tree" && HEDDLE_BUILD=$PWD/$build OCL_ICD_VENDORS=$PWD/$build/heddle.icd timeout 100 "$build/$1") >"$out/test.log" 2>&1
}

# try_tests: the same of a test, which sets verdict to its name.
try_tests() {
    local place test
    if ! remake "${tests[@]/#/$build/}"; then
        verdict=broken
        return
    fi
    for place in "${!tests[@]}"; do
        test=${tests[place]}
        ! passes "$test" || continue
        verdict=$test
        unset "tests[place]"
        tests=("$test" "${tests[@]}")
        return
    done
    for test in "${checked[@]}"; do
        under_valgrind "$test" || { verdict=$test && return; }
    done
}

# try_quick TEST...: whether those that there are pass; else verdict is how they notice it.
try_quick() {
    local test
    for test in "$@"; do
        [ -e "$test.c" ] || continue
        verdict=broken
        remake "$build/$test" || return
        verdict=$test
        passes "$test" || return
    done
}

# worker NUMBER: tries every `workers`-th change, in a copy of its own.
worker() {
    out=$top/$1 tree=$top/$1/tree
    mkdir -p "$out"
    copy_tree
    touch "$tree"/tb/units/*.c # what an older run has left changed is built anew
    remake build "$build/$wires" "${tests[@]/#/$build/}" || { cat "$out/make.log" >&2; exit 1; }
    make_profile spmv
    local i test file stem number change verdict
    for i in "${!runs[@]}"; do
        order[i]=$i
        sound[i]=$(outcome "$i")
        [[ ${sound[i]} == "0 "[0-9]* ]] || { echo "sockets.sh: without a change, '${runs[i]}' ends with: ${sound[i]}" >&2; exit 1; }
    done
    for test in "${checked[@]}"; do
        under_valgrind "$test" || { cat "$out/test.log" >&2; exit 1; }
    done
    while read -r file number change; do
        build/common/cmutate "$file" "$number" >"$tree/$file"
        stem=$(basename "$file" .c)
        if try_quick "tests/tb/units/${stem}_test" "$wires"; then
            verdict=same
            if stands_in tests/mutate/sockets.same "$file:$change" "$build"; then
                :
            elif ! remake; then
                verdict=broken
            elif try_quick "tests/tb/gpu/${stem}_test"; then
                verdict=unnoticed
                try_runs
                [ "$verdict" != unnoticed ] || try_tests
            fi
        fi
        echo "$verdict $file:$change" | tee -a "$top/verdicts.txt" | sed 's/^/  /'
        cp "$file" "$tree/$file"
    done < <(awk -v n="$workers" -v i="$1" 'NR % n == i' "$top/tried.txt")
}

top=$out workers=$(nproc)
mkdir -p "$top"
for file in ${FILES:-tb/units/*.c}; do
    build/common/cmutate "$file" | sed "s|^|$file |"
done >"$top/changes.txt"
total=$(wc -l <"$top/changes.txt")
step=$((wanted > 0 && wanted < total ? total / wanted : 1))
awk -v step="$step" 'NR % step == 0' "$top/changes.txt" >"$top/tried.txt"
progress MUTATE "tb/units ($config): $(wc -l <"$top/tried.txt") of $total changes"
: >"$top/verdicts.txt"
running=()
trap 'kill "${running[@]}" 2>/dev/null || true' EXIT
for ((i = 0; i < workers; i++)); do
    (worker "$i") &
    running+=($!)
done
for process in "${running[@]}"; do
    wait "$process"
done

awk '{ n[$1 ~ /^tests/ ? "by a test" : $1]++ } END { for (how in n) print n[how], how }' "$top/verdicts.txt" | sort -rn
sed -n 's/^unnoticed //p' "$top/verdicts.txt" | while read -r change; do
    line_of "$change"
done >"$top/unnoticed.txt"
[ ! -s "$top/unnoticed.txt" ] || { echo "Nothing notices:"; cat "$top/unnoticed.txt"; exit 1; }
