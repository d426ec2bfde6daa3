#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/sample.sh BUILD_DIR [TARGET]...: the sample unit of tests/sample in a copy of the tree, where every command about a unit must
# work for it as for any other: TARGETs of make (default: lint-unit cosim synth synth-test prove faults mutate).
# The copy is BUILD_DIR/sample; what it has built stays for the next time.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL
build=${1:?usage: tests/sample.sh BUILD_DIR [TARGET]...}
shift
[ $# -gt 0 ] || set -- lint-unit cosim synth synth-test prove faults mutate
copy=$build/sample
mkdir -p "$copy/build"
# Nothing of an older tree stays but what was built.
find "$copy" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
tar --exclude=./build --exclude=./.git -cf - . | tar -C "$copy" -xf -
cp -a tests/sample/rtl tests/sample/cmodel tests/sample/tests "$copy/"
cp -p build/packages.ok "$copy/build/"
[ -d "$copy/build/common" ] || cp -a build/common "$copy/build/"
for target; do
    make -C "$copy" --no-print-directory CONFIG="${build##*/}" UNIT=evictor "$target"
done
echo "The sample unit: $* on ${build##*/} are as they must be."
