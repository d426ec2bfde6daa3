#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rtl/lists.sh f|core|bender HW_H UNIT...: the files of the RTL library as other people's tools want them: a file list (verilator -f),
# a FuseSoC core (CAPI2), a Bender manifest. A unit is <unit>.sv; what else lies beside it are variants for synth/. FuseSoC lints a
# unit with the sizes of HW_H. VERSION is that of the library.
set -eu
[ $# -gt 2 ] || { echo "usage: VERSION=... rtl/lists.sh f|core|bender HW_H UNIT..." >&2; exit 2; }
format=$1 sizes=$2
shift 2
prims=$(LC_ALL=C ls rtl/prim/*.sv)

# params UNIT...: the structural numbers of their contracts.
params() {
    for unit; do
        sed -n 's/^PARAM(\([A-Z_0-9]*\)).*/\1/p' "cmodel/$unit/$unit.def"
    done
}

size() {
    awk -v name="$1" '$1 == "#define" && $2 == name { print $3; found = 1 }
        END { if (!found) { print "rtl/lists.sh: no size " name > "/dev/stderr"; exit 1 } }' "$sizes"
}

f() {
    echo "// SPDX-License-Identifier: Apache-2.0"
    echo "// The RTL library: shared parts, then units. A unit needs values for its parameters:"
    echo "//     verilator --lint-only -f heddle.f --top-module wia -GNUM_WARPS=24 -GTL_GROUP=8"
    echo "//     yosys -p \"read_verilog -sv -defer \$(grep -v ^// heddle.f | xargs)\""
    echo "// Made by \`make lists\`."
    printf '%s\n' $prims
    for unit; do echo "rtl/$unit/$unit.sv"; done
}

fileset() {
    printf '  %s:\n    files:\n' "$1"
    shift
    printf '      - %s\n' "$@"
    echo "    file_type: systemVerilogSource"
}

lint_target() {
    printf '  %s:\n    default_tool: verilator\n    filesets:\n      - prim\n      - %s\n' "$1" "$1"
    printf '    toplevel: %s\n    parameters:\n' "$1"
    for name in $(params "$1"); do
        value=$(size "$name")
        echo "      - $name=$value"
    done
    printf '    tools:\n      verilator:\n        mode: lint-only\n        verilator_options:\n          - -Wall\n'
}

core() {
    echo "CAPI=2:"
    echo "# SPDX-License-Identifier: Apache-2.0"
    echo "# The RTL library for FuseSoC. Cores that depend on it get target default; a target per unit lints it with the sizes of a"
    echo "# GTX 480. Made by \`make lists\`."
    echo "name: heddle:rtl:units:$VERSION"
    echo "description: GPU scheduling hardware"
    echo "filesets:"
    fileset prim $prims
    for unit; do fileset "$unit" "rtl/$unit/$unit.sv"; done
    echo "parameters:"
    params "$@" | LC_ALL=C sort -u | while read -r name; do
        printf '  %s:\n    datatype: int\n    paramtype: vlogparam\n' "$name"
    done
    printf 'targets:\n  default:\n    filesets:\n      - prim\n'
    printf '      - %s\n' "$@"
    for unit; do lint_target "$unit"; done
}

bender() {
    echo "# SPDX-License-Identifier: Apache-2.0"
    echo "# The RTL library for Bender. Made by \`make lists\`."
    printf 'package:\n  name: heddle\n  description: GPU scheduling hardware\nsources:\n'
    printf '  - %s\n' $prims
    for unit; do echo "  - rtl/$unit/$unit.sv"; done
}

case $format in
f | core | bender) "$format" "$@" ;;
*) echo "rtl/lists.sh: no format '$format'; expected f, core or bender" >&2; exit 2 ;;
esac
