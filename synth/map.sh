# SPDX-License-Identifier: Apache-2.0
# synth/map.sh: one module to gates of the OSU 0.18 um library, and the delays of these gates. Sourced after unit.sh.
#
# No wire load and no layout: a net has the capacitance of the pins on it and nothing else. abc sizes gates and
# buffers nets for DELAY_TARGET_PS; the inputs come from a BUFX2, each output drives OUTPUT_LOAD_PF.

LIBERTY=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
DELAY_TARGET_PS=2000
OUTPUT_LOAD_PF=0.05
DRIVER=BUFX2
FEATURE_UM=0.18

# cell_area CELL, and the cells that are flip-flops, from the Liberty file.
cell_area() {
    awk -v cell="$1" '/^ *cell *\(/ { gsub(/.*\( *"?|"? *\).*/, ""); inside = $0 == cell }
        inside && /^ *area *:/ { gsub(/[^0-9.]/, ""); print; exit }' "$LIBERTY"
}
flop_cells() {
    awk '/^ *cell *\(/ { gsub(/.*\( *"?|"? *\).*/, ""); cell = $0 } /^ *ff *\(/ { print cell }' "$LIBERTY"
}

# map_module TOP DIRECTORY "SOURCES" "NAME=value ..." [YOSYS_COMMAND]...
# Leaves in DIRECTORY: netlist.v, stat.txt, timing.txt, memories.txt (NAME WIDTH DEPTH READS of each), and the output of the extra
# commands, which see the mapped netlist before its names are flattened for OpenSTA. Memories are cut out: what goes to one is an
# output, what comes from one an input, of the name NAME.port.
map_module() {
    top=$1 dir=$2 sources=$3 params=$4
    shift 4
    [ -f "$LIBERTY" ] || die "there is no $LIBERTY (Debian package qflow-tech-osu018); LIBERTY= names another"
    mkdir -p "$dir" || die "cannot make $dir"
    printf 'set_driving_cell %s\nset_load %s [all_outputs]\n' "$DRIVER" "$OUTPUT_LOAD_PF" >"$dir/abc.constr"
    {
        echo "read_liberty -lib -ignore_miss_func $LIBERTY"
        read_sources $sources
        echo "hierarchy -check -top $top$(chparams $params)"
        echo "rename -top $top"
        # No re-encoding of state machines: the contract says what a register holds.
        echo "synth -flatten -nofsm -top $top"
        echo "check -assert"
        echo "tee -o $dir/memories.il $MEMORY_DUMP"
        echo "expose -evert t:*\\memory*"
        echo "delete -port w:*.clk"
        echo "dfflibmap -liberty $LIBERTY"
        echo "abc -liberty $LIBERTY -D $DELAY_TARGET_PS -constr $dir/abc.constr"
        echo "opt_clean"
        echo "select -assert-none t:\$*"
        echo "tee -o $dir/stat.txt stat -liberty $LIBERTY"
        for command; do
            echo "$command"
        done
        # OpenSTA 2.0 reads names, not expressions: one scalar per bit, flip-flops named after their nets.
        echo "rename -wire t:DFF*"
        echo "splitnets -ports"
        echo "opt_clean -purge"
        echo "write_verilog -noattr -noexpr -nohex $dir/netlist.v"
    } >"$dir/map.ys"
    yosys_run "$dir/map.ys"
    memories "$dir/memories.il" >"$dir/memories.txt"
    TOP=$top MEMORIES=$(awk '{ print $1 }' "$dir/memories.txt" | paste -sd' ' -) NETLIST=$dir/netlist.v LIBERTY=$LIBERTY LOAD=$OUTPUT_LOAD_PF DRIVER=$DRIVER \
        sta -no_splash -exit synth/timing.tcl >"$dir/timing.txt" 2>&1 || true
    grep -q '^timing-done' "$dir/timing.txt" || {
        tail -n 15 "$dir/timing.txt" >&2
        die "OpenSTA failed on $dir/netlist.v; its output is $dir/timing.txt"
    }
}

# Readers of what map_module left in a directory.
map_cells() {
    awk '/Number of cells:/ { print $4 }' "$1/stat.txt"
}
map_area() {
    awk '/Chip area for/ { printf "%d\n", $NF + 0.5 }' "$1/stat.txt"
}
map_flops() {
    flop_cells | awk 'NR == FNR { flop[$1] = 1; next } $1 in flop { n += $2 } END { print n + 0 }' - "$1/stat.txt"
}
# map_delay DIRECTORY GROUP FIELD: FIELD of ns, start, end; GROUP of timing.tcl, or worst.
map_delay() {
    awk -v group="$2" -v want="$3" '
        $1 == "path" && ($2 == group || group == "worst") && $3 != "none" && ($3 + 0 > ns || !found) {
            found = 1; ns = $3; start = $4; end = $5
        }
        END { print !found ? "none" : want == "ns" ? ns : want == "start" ? start : end }' "$1/timing.txt"
}
