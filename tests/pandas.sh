#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/pandas.sh BUILD_DIR: what the page of the command says about pandas, as typed.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL
build=$(cd "${1:?usage: tests/pandas.sh BUILD_DIR}" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. tests/page.sh
[ "${build##*/}" = gtx480 ] || fail "the page is of CONFIG=gtx480"
python3 -c 'import pandas' 2>/dev/null || fail "there is no pandas: Debian's package python3-pandas, make setup MORE=1"
mkdir -p "$folder/build" "$folder/tb/cli"
ln -s "$build" "$folder/build/gtx480"
cp tb/cli/README.md "$folder/tb/cli/"
cd "$folder"
typed 0 tb/cli/README.md '^cat >policies.ini'
says out tb/cli/README.md '^run.sched '
echo "pandas reads a sweep as the page says."
