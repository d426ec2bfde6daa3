#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth/energy.sh UNIT BUILD_DIR [OPTION]...: what the edges of a unit's netlist cost, in lockstep with its reference. The clock is that
# of CLOCK, or the fastest that the netlist reaches. OPTIONs are those of BUILD_DIR/check/UNIT/energy.
# Reads what synth/run.sh has left (SYNTH_OUT: of another library or clock). Leaves energy.txt (key=value) and UNIT.saif beside it.
set -eu
. synth/unit.sh
. synth/library.sh

synth_open "${1:-}" "${2:-}"
shift 2
library_open "$OUT"
[ -f "$OUT/mapped.v" ] || die "there is no $OUT/mapped.v: run synth/run.sh $UNIT $BUILD first"
result() {
    sed -n "s/^$1=//p" "$OUT/result.txt"
}
period=$(result period_ns)
exec "$BUILD/check/$UNIT/energy" --period="${period:-$(result critical_path_ns)}" --result="$OUT/energy.txt" --saif="$OUT/$UNIT.saif" \
    "$@" "$OUT/mapped.v" "$LIBERTY"
