#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/tb/cli/tour.sh BUILD_DIR: the first page's tour, as typed: its commands, in a copy of the tree, say what the page says.
# And the planted fault is found and shown: history, waveform, view and replay line are there and tell the same.
set -eu
build=${1:?usage: tests/tb/cli/tour.sh BUILD_DIR}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

fail() {
    echo "tour: $1" >&2
    [ $# -eq 1 ] || cat "$2" >&2
    exit 1
}

# Block N of the section: what stands between the Nth pair of fences.
block() {
    awk -v n="$1" '/^## / { inside = /^## Tour/ } inside && /^```/ { fences++; next } inside && fences == 2 * n - 1' README.md
}

tar --exclude=./build --exclude=./.git -cf - . | tar -C "$copy" -xf -
mkdir "$copy/build"
cp -a build/common build/packages.ok "$build" "$copy/build/"
cd "$copy"

status=0
block 1 >plant.sh
sh -e plant.sh >plant.log 2>said || status=$?
[ $status = 3 ] || fail "the run with the planted fault ended with status $status, expected 3" said
block 2 >page
diff page said || fail "the page (<) and the run (>) differ"

block 3 | grep -v '^gtkwave ' >look.sh
sh -e look.sh >look.log 2>&1 || fail "the history cannot be read" look.log
grep -q '^cycle 8  <--$' look.log || fail "the history does not end in the cycle that failed" look.log
view=$(block 3 | sed -n 's/^gtkwave //p')
wave=$(sed -n 's/^\[dumpfile\] "\(.*\)"$/\1/p' "$view")
[ -s "$wave" ] || fail "$view names a waveform '$wave' that is not there"
fst2vcd "$wave" >wave.vcd || fail "$wave is no waveform"
for signal in differ ref rtl; do
    grep -q "scope module $signal " wave.vcd || fail "$wave has no scope $signal"
done

sed -n 's/^replay   //p' page >replay.sh
status=0
sh -e replay.sh >replay.log 2>&1 || status=$?
[ $status = 3 ] && grep -q '^MISMATCH .* cycle 8$' replay.log || fail "the replay line did not end as the run had (status $status)" replay.log
[ -s wia.fst ] || fail "the replay line left no wia.fst"

{ block 4; block 1 | tail -n 1; } >undo.sh
sh -e undo.sh >undo.log 2>&1 || fail "the fault taken out, the run does not end well" undo.log
echo "the tour: as the first page says"
