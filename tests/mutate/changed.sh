#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/mutate/changed.sh UNIT BUILD_DIR DIR NUMBER: what is noticed of change NUMBER (cosim/cmutate.c) of the reference of UNIT.
# Prints one line, NUMBER and
#   broken                       it does not compile
#   same                         the compiler makes the same code of it
#   noticed LOCKSTEP RESTATED    by lockstep: CYCLE:FIELD, `crash` or `endless`; by the test of the restatement: `yes`; or `no`
#   reasoned                     noticed by neither; tests/mutate/references.same says why
#   equivalent                   noticed by neither; the small unit of tests/mutate/UNIT.small never differs, whatever its inputs
#   different FIELD              noticed by neither, and it does; `untried`: there is no such file
# DIR/0 has the unchanged reference. Of that, NUMBER 0, the line is `0 unnoticed`, or what is noticed.
set -eu
. synth/unit.sh
. tests/mutate/same.sh
UNIT=$1 CONFIG=${2##*/} number=$4
dir=$3/$4
make_it() { make_with "$dir" "$1" >>"$dir/make.log" 2>&1; }

mkdir -p "$dir"
[ "$number" = 0 ] || build/common/cmutate "cmodel/$UNIT/$UNIT.c" "$number" >"$dir/$UNIT.c"
if ! make_it reference; then
    grep -q "$UNIT.c:.*error" "$dir/make.log" || { cat "$dir/make.log" >&2; exit 1; }
    echo "$number broken"
    exit 0
fi
if [ "$number" != 0 ] && cmp -s "$dir/code" "$dir/../0/code"; then
    echo "$number same"
    exit 0
fi

# within SECONDS COMMAND...: of processor time, so that a busy machine notices no more than an idle one.
within() {
    (ulimit -t "$1" && shift && exec "$@")
}
# lockstep CYCLES SEEDS SECONDS: sets lockstep.
lockstep() {
    status=0
    within "$3" "$dir/random" --brief --cycles="$1" --seeds="$2" >"$dir/report.txt" 2>&1 || status=$?
    case $status in
    0 | 4 | 5) lockstep=no ;;
    3) lockstep=$(awk '/^(MISMATCH|WRONG)/ { cycle = $NF } /^  field /{ getline; print cycle ":" $1; exit }' "$dir/report.txt") ;;
    137 | 152) lockstep=endless ;;
    *) lockstep=crash ;;
    esac
}
lockstep 200000 10 15
restated=yes
! within 15 "$dir/restated" >"$dir/restated.txt" 2>&1 || restated=no
if [ "$number$lockstep$restated" = 0nono ]; then
    echo "0 unnoticed"
    exit 0
fi
if [ "$lockstep-$restated" = no-no ] &&
    stands_in tests/mutate/references.same "cmodel/$UNIT/$UNIT.c:$(sed -n "s/^$number //p" "$3/changes.txt")" "$2"; then
    echo "$number reasoned"
    exit 0
fi
[ "$lockstep-$restated" != no-no ] || lockstep 10000000 100 600
if [ "$lockstep-$restated" != no-no ]; then
    echo "$number noticed $lockstep $restated"
elif [ ! -f "tests/mutate/$UNIT.small" ]; then
    echo "$number different untried"
else
    make_it exhaust || { cat "$dir/make.log" >&2; exit 1; }
    verdict=$("$dir/exhaust")
    case $verdict in
    equivalent*) echo "$number equivalent" ;;
    *) echo "$number different ${verdict##* }" ;;
    esac
fi
rm -f "$dir/random" "$dir/restated"
