#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/sample.sh BUILD_DIR [TARGET]...: the sample unit of tests/sample in a copy of the tree, where every command about a unit must
# work for it as for any other: TARGETs of make, or `machine`: real kernels in lockstep, with the unit and without, or `busy`: a second
# run beside one is refused (default: the steps of "Add a unit" in CONTRIBUTING.md, and `busy`). The copy is BUILD_DIR/sample; what it
# has built stays for the next time.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL
build=${1:?usage: tests/sample.sh BUILD_DIR [TARGET]...}
shift
[ $# -gt 0 ] || set -- tests/cmodel/evictor/evictor_test lint-unit cosim faults prove synth synth-test mutate busy machine \
    tests/tb/gpu/evictor_test
config=${build##*/} copy=$build/sample
mkdir -p "$copy/build"
# Nothing of an older tree stays but what was built.
find "$copy" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
tar --exclude=./build --exclude=./.git -cf - . | tar -C "$copy" -xf -
cp -a tests/sample/*/ "$copy/"
cp -p build/packages*.ok "$copy/build/"
[ -d "$copy/build/common" ] || cp -a build/common "$copy/build/"

fail() {
    echo "sample.sh: $1" >&2
    exit 1
}

# run THRESHOLD BACKEND WORKLOAD [OBSERVE]: leaves out.json.
run() {
    "$there/heddle" run --sched=gto --backend="$2" --set run.observe="${4:-0}" --set evictor.threshold="$1" --stats="$there/out.json" -- \
        "$there/workloads/$3" --size=small >"$there/out.log" 2>&1 || { cat "$there/out.log" >&2; fail "$3 failed"; }
    grep -q '^verified' "$there/out.log" || fail "$3 says nothing of 'verified'"
}
get() {
    "$there/heddle" report --get="$1" "$there/out.json"
}

# A threshold of 0 is a machine without the unit; with it loads wait, and so the cycles are others, the same in every backend.
machine() {
    there=$copy/build/$config
    make -C "$copy" --no-print-directory CONFIG="$config" build
    for workload in bfs mvt; do
        run 0 c "$workload"
        without=$(get cycles)
        run 3 c "$workload"
        alone=$(get cycles)
        run 3 lockstep "$workload" 1
        together=$(get cycles) compared=$(get lockstep.evictor.cycles) wrong=$(get lockstep.evictor.mismatches)
        echo "  MACHINE  $workload: $without cycles without the evictor, $together with it, $compared compared, $wrong mismatches"
        [ "$compared" -gt 0 ] && [ "$wrong" = 0 ] || fail "lockstep compared nothing of the evictor, or found a difference"
        [ "$alone" = "$together" ] || fail "backends c and lockstep disagree: $alone and $together cycles"
        [ "$without" != "$together" ] || fail "the evictor changes nothing"
    done
}

on_evictor() {
    make -C "$copy" --no-print-directory CONFIG="$config" UNIT=evictor "$1"
}

# The lock is what a run holds; without it the target `faults` works.
busy() {
    folder=$copy/build/$config/faults/evictor
    mkdir -p "$folder"
    ! (flock 9 && on_evictor faults) 9>"$folder/lock" >"$folder/busy.log" 2>&1 ||
        fail "faults writes to a folder to which another run does"
    grep -q "error: another run writes to build/$config/faults/evictor" "$folder/busy.log" || fail "$(cat "$folder/busy.log")"
}

for target; do
    case $target in
    machine | busy) "$target" ;;
    *) on_evictor "$target" ;;
    esac
done
echo "The sample unit: $* on $config are as they must be."
