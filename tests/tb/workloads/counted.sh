#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tb/workloads/counted.sh TOTAL WHAT: passes lines on, one for each of TOTAL that is done, and says how many there were: on a terminal
# always, in a log every ${EVERY_SECONDS:-30} s.
set -euo pipefail
total=$1 what=$2
done=0 said=$SECONDS
while read -r line; do
    done=$((done + 1))
    echo "$line"
    if [ -t 2 ]; then
        printf '\r  %d of %d %s' "$done" "$total" "$what" >&2
    elif [ $((SECONDS - said)) -ge "${EVERY_SECONDS:-30}" ]; then
        said=$SECONDS
        echo "  $done of $total $what" >&2
    fi
done
[ ! -t 2 ] || printf '\r\033[K' >&2
