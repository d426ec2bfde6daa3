#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cosim/soak.sh CONFIG UNIT CYCLES: the random lockstep of a unit until it has done CYCLES, in pieces of PIECE cycles, each with ten
# seeds of its own, the first of which runs for half of it. Each piece that ends well is noted in build/soak/CONFIG-UNIT, with a hash
# of the program that ran: an interrupted soak goes on, and one whose Verilog, reference or stimulus has changed begins anew.
# Fails at the first mismatch, whose report stays in build/soak/CONFIG-UNIT.log.
set -euo pipefail
config=${1:?usage: cosim/soak.sh CONFIG UNIT CYCLES} unit=${2:?} goal=${3:?} piece=${PIECE:-10000000}
random=build/$config/check/$unit/random notes=build/soak/$config-$unit
mkdir -p build/soak
touch "$notes"
hash=$(cksum <"$random" | tr ' ' '-')

# What this program has done: cycles, and the first seed that it has not used.
read -r done seed < <(awk -v hash="$hash" '$1 == hash { done += $3; if ($2 + 10 > next_seed) next_seed = $2 + 10 }
    END { print done + 0, next_seed + 0 ? next_seed : 1001 }' "$notes")
say() { printf '  %-8s %s %s: %s of %s cycles, %s\n' SOAK "$unit" "$config" "$done" "$goal" "$1"; }
say "$([ "$done" -lt "$goal" ] && echo "going on from seed $seed" || echo "nothing left to do")"
while [ "$done" -lt "$goal" ]; do
    status=0
    "$random" --cycles="$piece" --seeds=10 --seed="$seed" >"$notes.log" 2>&1 || status=$?
    # 4 and 5: ten seeds need not take every edge and toggle every bit.
    case $status in
    0 | 4 | 5) ;;
    *)
        cat "$notes.log"
        echo "soak of $unit, $config: status $status at seed $seed; see $notes.log" >&2
        exit 1
        ;;
    esac
    echo "$hash $seed $piece" >>"$notes"
    done=$((done + piece)) seed=$((seed + 10))
    say "$(tail -n 1 "$notes.log" | sed 's/.*, //')"
done
