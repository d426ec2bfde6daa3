#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth/compare.sh UNIT BUILD_DIR [N]...: the same job done in different ways, at several sizes. The ways stand in
# synth/variants/UNIT.txt, whose lines are
#   sizes [PARAMETER:] N ...     the sizes, unless others are given: values of NUM_WARPS, or of another parameter
#   MODULE [PARAMETER=value]...  a way; NAME=PARAMETER, the parameter of the sizes, if its module has another name for it
#   same N MODULE [PARAMETER=value]... : WORDS
#                                proved first: the output of this module of synth/variants/same.sv never rises, and it does with
#                                BROKEN=1; in WORDS, which ways are the same
# Reads that, rtl/, synth/; BUILD_DIR/synth/UNIT-variants/ gets a folder per point and report.md, the table for the page. A
# point is computed, and a proof is made, again only when rtl/ or synth/ is newer. PROVE_SECONDS=n for one proof (default 900).
set -eu
. synth/unit.sh
. synth/library.sh
. synth/map.sh
. synth/decide.sh

[ $# -ge 2 ] || die "usage: compare.sh UNIT BUILD_DIR [N]..."
list=synth/variants/$1.txt
out=${2%/}/synth/$1-variants
shift 2
[ -f "$list" ] || die "there is no $list"
parameter=$(sed -n 's/^sizes \([A-Z_]*\): .*/\1/p' "$list")
parameter=${parameter:-NUM_WARPS}
[ $# -gt 0 ] || set -- $(sed -n 's/^sizes \([A-Z_]*: \)\{0,1\}//p' "$list")
[ $# -gt 0 ] || die "$list has no line \`sizes N ...\`"
mkdir -p "$out"
library_open "$out"

# outdated FILE SOURCE...: is it not there, or older than a source?
outdated() {
    made=$1
    shift
    [ ! -f "$made" ] || [ -n "$(find "$@" -newer "$made")" ]
}

# row SIZE MODULE [PARAMETER=value]...
row() {
    size=$1 module=$2
    shift 2
    dir=$out/$module$(printf -- '-%s' "$@" "$size")
    file=$(grep -lw "^module $module" rtl/*/*.sv synth/variants/*.sv) || die "$list: there is no module $module"
    sources=$(with_parts "$(echo rtl/*/*.sv)" "$file")
    if outdated "$dir/timing.txt" $sources synth/map.sh synth/timing.tcl synth/library.sh "$LIBERTY"; then
        progress SYNTH "$module $* $parameter=$size" >&2
        case " $* " in
            *"=$parameter "*) map_module "$module" "$dir" "$sources" "$(echo "$*" | sed "s/=$parameter\>/=$size/")" >&2 ;;
            *) map_module "$module" "$dir" "$sources" "$parameter=$size $*" >&2 ;;
        esac
    fi
    echo "| $size | \`$module\`$(printf ' %s' "$@") | $(map_flops "$dir") | $(map_cells "$dir") |" \
        "$(map_area "$dir") ($(map_flops_area "$dir")) |" \
        "$(map_delay "$dir" in_out ns) | $(map_delay "$dir" reg_out ns) |" \
        "$(map_delay "$dir" in_reg ns) | $(map_delay "$dir" reg_reg ns) |"
}

# sameness SIZE MODULE [PARAMETER=value]...: sets verdict. Reads $sources.
sameness() {
    size=$1 module=$2
    shift 2
    base=$out/$module$(printf -- '-%s' "$@" "$size")
    {
        read_sources $sources
        echo "hierarchy -check -top $module$(chparams "$parameter=$size" "$@")"
        echo "proc; flatten; $FLATTENED; opt_clean; check -assert; techmap; dffunmap; setundef -undriven -anyseq; aigmap"
        echo "write_aiger -zinit $base.aig"
    } >"$base.ys"
    yosys_run "$base.ys"
    decide "${PROVE_SECONDS:-900}" "$base.abc" "read_aiger $base.aig; fold; $UNBOUNDED"
}
# same WORDS SIZE MODULE [PARAMETER=value]...
same() {
    words=$1 proof=$out/same$(shift && printf -- '-%s' "$@").ok
    shift
    sources=$(with_parts "$(echo rtl/*/*.sv)" synth/variants/*.sv)
    if outdated "$proof" $sources synth/compare.sh synth/decide.sh; then
        sameness "$@"
        [ "$verdict" = proved ] || die "$list: $*: $verdict: $words do not do the same, or it is not proved ($base.abc)"
        sameness "$@" BROKEN=1
        [ "$verdict" = refuted ] || die "$list: $* BROKEN=1: $verdict: the proof would prove anything ($base.abc)"
        progress SAME "$words, $parameter=$1" >&2
        : >"$proof"
    fi
    echo "- $words ($parameter = $1)"
}

: >"$out/same.md"
sed -n 's/^same \(.*\) : \(.*\)$/\1|\2/p' "$list" >"$out/same.txt"
while IFS='|' read -r pair words; do
    same "$words" $pair </dev/null >>"$out/same.md"
done <"$out/same.txt"
{
    echo "| $parameter | part | flip-flops | cells | area um2 (of it flip-flops) | input to output ns |" \
        "register to output ns | input to register ns | register to register ns |"
    echo "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for size; do
        grep -vE '^(#|sizes |same )' "$list" | while read -r way; do
            row "$size" $way
        done
    done
    [ ! -s "$out/same.md" ] || {
        echo
        echo "Proved to do the same, after any reset and without a bound on the number of cycles; the proof fails where the second of" \
            "them misses an event:"
        echo
        cat "$out/same.md"
    }
} >"$out/report.md"
cat "$out/report.md"
