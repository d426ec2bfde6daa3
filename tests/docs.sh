#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/docs.sh BUILD_DIR: what the pages say is tried as typed, in a copy of the tree: commands end well and print what stands
# below them. The first page's tour besides: the planted fault is found, and history, waveform, view and replay line tell it.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL # as a person types, not as make does
build=${1:?usage: tests/docs.sh BUILD_DIR}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

. tests/page.sh

tar --exclude=./build --exclude=./.git -cf - . | tar -C "$copy" -xf -
mkdir "$copy/build"
cp -a build/common build/packages*.ok "$build" "$copy/build/"
cd "$copy"

typed 0 README.md '^make run'
says out README.md '^policy  '
typed 0 README.md '^build/gtx480/heddle run --sched=gto'
[ -s first.fst ] && grep -q 'Device.*Heddle gtx480' out || fail "README.md: no first.fst, or no device" out
typed 0 tb/cli/README.md '^build/gtx480/heddle run --backend=lockstep'
grep -q '^lockstep.wia.mismatches 0$' out || fail "tb/cli/README.md: no mismatches of lockstep" out
typed 0 tb/cli/README.md '^build/gtx480/heddle report --picture=cycles'
grep -q 'data:image/svg+xml;base64,' out.html || fail "tb/cli/README.md: no page with a picture"
typed 0 tb/cli/README.md '^build/gtx480/heddle run --sched=lrr'
typed 0 tb/cli/README.md '^build/gtx480/heddle run --profile'
grep -q '^expand, ' out && [ -s bfs.svg ] || fail "tb/cli/README.md: no profile of expand, or no bfs.svg" out
typed 0 tb/cli/README.md '^build/gtx480/heddle run --timeline'
grep -q '"name":"data_mem"' bfs.timeline.json && grep -q '"name":"SM 3"' sm3.timeline.json || fail "tb/cli/README.md: no timelines"
grep -q 'the timeline ends at cycle 101217:' err || fail "tb/cli/README.md: the second timeline ends elsewhere" err
typed 0 tb/cli/README.md '^cat >throttle.ini'
says out tb/cli/README.md '^27 points'
[ -s throttle.csv ] && [ -s throttle.svg ] || fail "tb/cli/README.md: no throttle.csv, or no throttle.svg"
typed 0 tb/cli/README.md '^sqlite3 '
typed 0 tb/cli/README.md '^cat >beside.ini'
[ "$(grep -c 'second[.]ipc|' out)" = 4 ] && [ "$(ls beside.sqlite.captures | wc -l)" = 3 ] || fail "tb/cli/README.md: no results of pairs" out
typed 0 tb/cli/README.md '^build/gtx480/heddle search'
[ -s search/fitness.svg ] && grep -q '^verified' out || fail "tb/cli/README.md: no search/fitness.svg, or the best design does not run" out
typed 0 tb/cli/README.md '^for program in spmv stencil'
says out tb/cli/README.md '^A: spmv alone'
[ -s camp.svg ] || fail "tb/cli/README.md: no camp.svg"
typed 0 tb/cli/README.md '^for program in spmv memcached'
grep -q '^known SPI ' out || fail "tb/cli/README.md: no ways of L1D by known SPI" out
typed 0 tb/cli/README.md '^mkdir training'
grep -q '^45 runs, ' out && [ -s power.svg ] && [ "$(wc -l <power.csv)" = 46 ] || fail "tb/cli/README.md: no model of 45 runs" out
typed 0 tb/cli/README.md '^build/gtx480/heddle model power --measured'
says out tb/cli/README.md '^16 ways'
typed 0 tb/cli/README.md '^for clock in 3 4 5 6'
says out tb/cli/README.md '^expand: 20 launches'
[ -s pdvfs.svg ] && [ -s pdvfs.csv ] || fail "tb/cli/README.md: no pdvfs.svg, or no pdvfs.csv"
typed 0 tb/cli/README.md '^build/gtx480/heddle run --sched=poise'
says out tb/cli/README.md '^kernel  *launch  sm epoch'
grep -q '^found.epochs_search [1-9]' out && [ -s engine.svg ] || fail "tb/cli/README.md: no search, or no engine.svg" out
typed 0 tb/cli/train/README.md '^cat >pairs.ini'
says out tb/cli/train/README.md '^evaluation: '
typed 0 tb/cli/train/README.md '^build/gtx480/heddle run --sched=poise'
grep -q '^verified: ' out || fail "tb/cli/train/README.md: the run with weights does not verify" out
typed 0 tb/capture/README.md '^build/gtx480/heddle run --capture'
[ "$(grep -c '^verified: 14 launches leave' out)" = 2 ] || fail "tb/capture/README.md: a replay does not verify" out
typed 0 tb/cli/README.md '^build/gtx480/heddle run --capture'
grep -q '^verified: 10 launches leave' out || fail "tb/cli/README.md: the replay does not verify" out
typed 0 tb/README.md '^build/gtx480/heddle run --trace'
grep -qx kernel-1.traceg out && [ -s spmv.trace/kernel-1.traceg ] || fail "tb/README.md: no trace" out
typed 0 tb/experiments/claims/README.md '^make claims CLAIM=POISE-S2'
says out tb/experiments/claims/README.md '^POISE-S2  '
typed 0 rtl/daws_table/README.md '^build/gtx480/heddle run --profile'
typed 0 rtl/dispatch/README.md '^build/gtx480/heddle run'
typed 0 rtl/mask/README.md '^build/gtx480/heddle run --sched=gto'
typed 0 rtl/mask/README.md '^build/gtx480/heddle run --set'
typed 0 cosim/README.md '^build/gtx480/heddle run --sched=gto'
grep -q '^wia: 5001 cycles in lockstep, 1 seeds, 0 mismatches' out || fail "cosim/README.md: the recorded inputs are not in lockstep" out
typed 0 synth/README.md '^make netlist'
[ "$(grep -c '^wia: .* in lockstep, .* 0 mismatches' out)" = 3 ] || fail "synth/README.md: three netlists are not in lockstep" out
typed 0 synth/README.md '^make synth'
grep -q '^| osu035_stdcells | 200MHz |' out && grep -q '^NAND2X1 .* 96 ' out || fail "synth/README.md: no other library" out

typed 3 README.md '^git apply tests'
sed -i 's,fail/spmv[.][0-9]*/,fail/spmv.4711/,g' err # the number of a process
says err README.md '^MISMATCH'
typed 0 README.md '^grep -B 4 '
says out README.md '^cycle 7'
view=$(block README.md '^grep -B 4 ' | sed -n 's/^gtkwave //p')
wave=$(dirname "$view")/$(sed -n 's/^\[dumpfile\] "\(.*\)"$/\1/p' "$view")
[ -s "$wave" ] && fst2vcd "$wave" >wave.vcd || fail "$view names '$wave', which is no waveform"
for scope in differ ref rtl; do
    grep -q "scope module $scope " wave.vcd || fail "$wave has no scope $scope"
done
block README.md '^MISMATCH' | sed -n 's/^replay   //p' >replay.sh
status=0
sh -e replay.sh >out 2>err || status=$?
[ $status = 3 ] && grep -q '^MISMATCH .* cycle 8$' err || fail "the replay line does not end as the run did (status $status)" err
[ -s wia.fst ] || fail "the replay line leaves no wia.fst"
typed 0 README.md '^git apply -R'
block README.md '^git apply tests' | tail -n 1 >again.sh
sh -e again.sh >out 2>err || fail "the fault taken out, the run does not end well" err
echo "The pages are as typed."
