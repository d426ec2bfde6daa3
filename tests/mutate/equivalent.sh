#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/mutate/equivalent.sh UNIT DIR NUMBER: is mutant NUMBER the unchanged unit after all? DIR holds base.il and list.txt of
# tests/mutate/run.sh. Prints "NUMBER equivalent" if every output and register is proved equal by induction over time,
# else "NUMBER unproven": not within EQUIVALENCE_SECONDS (default 120), or not by induction.
set -eu
unit=$1 dir=$2 number=$3
script=$dir/equivalence/$number.ys
{
    echo "read_ilang $dir/base.il; rename $unit gold"
    echo "read_ilang $dir/base.il"
    sed -n "${number}p" "$dir/list.txt"
    echo "rename $unit gate; opt_clean"
    echo "equiv_make gold gate equiv; hierarchy -top equiv; opt_clean equiv"
    echo "equiv_simple -undef -seq 2 equiv; equiv_induct -undef -seq 4 equiv; equiv_status -assert equiv"
} >"$script"
if timeout "${EQUIVALENCE_SECONDS:-120}" yosys -q -l "${script%.ys}.log" "$script" >/dev/null 2>&1; then
    echo "$number equivalent"
else
    echo "$number unproven"
fi
