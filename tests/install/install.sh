#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/install/install.sh BUILD_DIR OTHER: what `make install` leaves works without the tree, for BUILD_DIR's configuration and OTHER
# beside it: command, OpenCL driver, manual pages, completion, the units as a library; `make uninstall` leaves nothing.
set -euo pipefail
unset MAKEFLAGS MFLAGS MAKELEVEL HEDDLE_CACHE PKG_CONFIG_PATH
config=${1#build/} other=${2:?usage: tests/install/install.sh BUILD_DIR OTHER}
tree=$PWD
dest=$(mktemp -d)
trap 'rm -rf "$dest"' EXIT
prefix=$dest/usr/local

fail() {
    echo "install: $1" >&2
    [ $# -eq 1 ] || cat "$2" >&2
    exit 1
}
installed() { make -s CONFIG="$1" "${@:2}" DESTDIR="$dest" >"$dest/log" 2>&1 || fail "make ${*:2} fails" "$dest/log"; rm "$dest/log"; }

for wrong in PREFIX=usr PREFIX= "PREFIX=/a b" ICDDIR=vendors DESTDIR=here; do
    status=0
    make -s CONFIG="$config" uninstall DESTDIR="$dest" "$wrong" >"$dest/log" 2>&1 || status=$?
    [ $status = 2 ] && grep -q 'paths from / on' "$dest/log" || fail "uninstall takes $wrong" "$dest/log"
done
installed "$config" install
! grep -rlF "$tree" "$dest" >"$dest.named" || fail "files that name the tree:" "$dest.named"
rm "$dest.named"
[ "$(cat "$prefix/etc/OpenCL/vendors/heddle.icd")" = "/usr/local/lib/heddle/$config/libheddle.so" ] || fail "heddle.icd names another library"

echo "  INSTALL  command"
cd "$dest"
export HOME=$dest/home HEDDLE_CACHE=$dest/cache PATH=$prefix/bin:$PATH
mkdir home work
cd work
heddle run --backend=lockstep --stats=o.json --capture=v.capture -- "$prefix/lib/heddle/$config/workloads/vecadd" --size=small >log 2>&1 ||
    fail "heddle run fails" log
grep -q '^verified' log && [ "$(heddle report --get=lockstep.wia.mismatches o.json)" = 'lockstep.wia.mismatches 0' -o \
    "$(heddle report --get=lockstep.wia.mismatches o.json)" = 0 ] || fail "heddle run did not verify in lockstep" log
heddle replay v.capture >log 2>&1 || fail "heddle replay fails" log
OCL_ICD_VENDORS=$prefix/lib/heddle/$config/libheddle.so clinfo -l >log 2>&1
grep -q "Heddle $config" log || fail "the driver is no device" log

echo "  INSTALL  two configurations"
(cd "$tree" && installed "$other" install)
printf '[p]\nworkload = vecadd\nsize = small\nconfig = %s, %s\n' "$config" "$other" >p.ini
heddle sweep p.ini >log 2>&1 || fail "a sweep over both configurations fails" log
grep -q '2 done, 0 broken' log || fail "a sweep over both configurations has no two results" log
"heddle-$other" --version | grep -q "configuration $other" || fail "heddle-$other is another"
heddle list configs >log
grep -q "^  $config " log && grep -q "^  $other " log || fail "heddle list configs lacks one" log

echo "  INSTALL  manual pages"
names() { "$@" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'; }
for command in $(names heddle | while read -r name; do echo "$name"; names heddle "$name" | sed "s/^/$name-/"; done); do
    page=$prefix/share/man/man1/heddle-$command.1
    [ -s "$page" ] || fail "no page heddle-$command"
    groff -man -ww -Tutf8 "$page" 2>&1 >text | grep . && fail "groff warns of $page"
    sed -n 's/^\.TH \(\S*\).*/\1/p' "$page" | grep -qix "heddle-$command" || fail "$page has another title"
    sed 's/\\-/-/g; s/\\fB//g; s/\\fR//g; s/\\fI//g' "$page" >plain
    # shellcheck disable=SC2046 # two words: model mix
    for option in $(heddle $(echo "$command" | tr - ' ') --help | sed -n 's/^  \(-., \|    \)\(--[a-z-]*\).*/\2/p'); do
        grep -q -- "$option" plain || fail "the page of heddle $command lacks $option"
    done
done

echo "  INSTALL  completion"
for name in heddle "heddle-$other"; do
    [ -e "$prefix/share/bash-completion/completions/$name" ] || fail "no completion of $name"
done
bash "$tree/tests/install/completion.bash" "$prefix/share/bash-completion/completions/heddle" >log 2>&1 || fail "completion:" log

echo "  INSTALL  units"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
rtl=$(pkg-config --variable=rtl heddle) tops=$(pkg-config --variable=tops heddle)
units=$(pkg-config --variable=units heddle)
[ "$(echo $units | wc -w)" = "$(ls "$tree"/cmodel/*/*.def | wc -l)" ] || fail "heddle.pc lists $units"
for unit in $units; do
    verilator --lint-only -F "$rtl/heddle.f" "$tops/${unit}_top.sv" --top-module "${unit}_top" >log 2>&1 || fail "Verilog of $unit" log
    said=
    for header in "cmodel/$unit/$unit.h" "heddle/$unit.h"; do
        case $header in cmodel/*) flags=-I$tree/build/$config ;; *) flags=$(pkg-config --cflags heddle) ;; esac
        gcc -std=gnu11 -Wall $flags -I"$tree" -I"$tree/build/$config" -DUNIT_STEM="$unit" -DUNIT_HEADER="\"$header\"" \
            -DUNIT_DEF="\"cmodel/$unit/$unit.def\"" "$tree/tests/install/layout.c" -o layout 2>log || fail "$header" log
        ./layout >"layout.${header%%/*}"
    done
    diff layout.cmodel layout.heddle >log || fail "$unit: fields lie elsewhere in the tree (<) than in its installed header (>)" log
    # By itself, as C and as C++.
    echo "#include <heddle/$unit.h>" >alone.c
    gcc -std=c11 -pedantic -Wall -Wextra -Werror $(pkg-config --cflags heddle) -fsyntax-only alone.c 2>log || fail "heddle/$unit.h" log
done
for unit in $units; do echo "#include <heddle/${unit}_systemc.h>"; done >all.cpp
g++ -std=c++17 $(pkg-config --cflags heddle) -fsyntax-only all.cpp 2>log || fail "the SystemC modules do not compile beside each other" log

echo "  INSTALL  a program outside the tree"
# program STATUS WHAT: builds it anew from what is installed, and runs it.
program() {
    rm -rf wia
    cp -r "$tree/tests/install/wia" wia
    make -C wia >log 2>&1 || fail "$2: the program is not built" log
    status=0
    wia/obj/wia >log 2>/dev/null || status=$?
    [ "$status" = "$1" ] || fail "$2: the program ends with $status, expected $1" log
}
program 0 "as installed"
grep -q '^wia: 10000 cycles, 0 differences' log || fail "the program says something else" log
patch -s -d "$rtl" -p1 <"$tree/tests/faults/wia/stale-greed.patch"
program 3 "a register wrong in the Verilog"
grep -q '^cycle .*: last_valid: ' log || fail "another register is said to be wrong" log
patch -s -R -d "$rtl" -p1 <"$tree/tests/faults/wia/stale-greed.patch"
header=$(pkg-config --cflags heddle | sed 's/^-I//; s/ *$//')/heddle/wia_systemc.h
sed -i.good 's/out\.grant))/out.grant_valid))/' "$header"
program 3 "an output wrong in the SystemC module"
grep -q '^cycle .*: grant: ' log || fail "another output is said to be wrong" log

cd "$tree"
installed "$other" uninstall
[ -x "$prefix/bin/heddle" ] && [ -s "$prefix/share/man/man1/heddle.1" ] && [ -s "$rtl/heddle.f" ] || fail "uninstall of $other takes what $config needs"
installed "$config" uninstall
! find "$prefix" ! -type d | grep . || fail "uninstall leaves these files"
echo "What is installed works."
