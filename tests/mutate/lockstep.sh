#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/mutate/lockstep.sh UNIT VARIANT KILLS CYCLES SEEDS MUTANT: one mutant in lockstep. A mutant that differs from
# the reference leaves KILLS/MUTANT with "MUTANT seed cycle field": the first difference.
set -eu
unit=$1 variant=$2 kills=$3 cycles=$4 seeds=$5 mutant=$6
status=0
MUTANT=$mutant "$variant/random" "$unit" --brief --cycles="$cycles" --seeds="$seeds" >"$kills/.$mutant" 2>&1 || status=$?
case $status in
0) ;;
3)
    awk -v mutant="$mutant" '
        $1 == "MISMATCH" { for (i = 1; i < NF; i++) if ($i == "seed") seed = $(i + 1); cycle = $NF; next }
        cycle != "" && $1 != "field" { sub(/\[.*/, "", $1); print mutant, seed, cycle, $1; exit }' \
        "$kills/.$mutant" >"$kills/$mutant"
    ;;
*)
    echo "mutant $mutant:" >&2
    cat "$kills/.$mutant" >&2
    exit 255
    ;;
esac
rm -f "$kills/.$mutant"
