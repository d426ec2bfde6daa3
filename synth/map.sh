# SPDX-License-Identifier: Apache-2.0
# synth/map.sh: one module to gates of a library, and the delays of these gates. Sourced after library.sh.
#
# No wire load and no layout: a net has the capacitance of the pins on it and nothing else. Each input comes from the smallest
# buffer of the library, each output drives four NAND2 inputs.

UNBOUNDED_NS=1000 # period without a CLOCK: everything meets it

# map_module TOP DIRECTORY "SOURCES" "NAME=value ..." [YOSYS_COMMAND]...
# Leaves in DIRECTORY: netlist.v, one scalar per bit; mapped.v, the same with the module's ports and the names of its registers; TOP.sdc,
# stat.txt, timing.txt, memories.txt (NAME WIDTH DEPTH READS of each), and the output of the extra commands, which see the mapped netlist
# before its names are flattened for OpenSTA. Memories are cut out: what goes to one is an output, what comes from one an input, of the
# name NAME.port.
map_module() {
    top=$1 dir=$2 sources=$3 params=$4
    shift 4
    mkdir -p "$dir" || die "cannot make $dir"
    # abc takes the load in fF, whatever the library's unit is.
    printf 'set_driving_cell %s\nset_load %s\n' "$DRIVER" "$LOAD_FF" >"$dir/abc.constr"
    {
        echo "read_liberty -lib -ignore_miss_func $LIBERTY"
        read_sources $sources
        echo "hierarchy -check -top $top$(chparams $params)"
        echo "rename -top $top"
        # No re-encoding of state machines: the contract says what a register holds.
        echo "synth -flatten -nofsm -top $top"
        echo "$FLATTENED"
        echo "check -assert"
        echo "tee -o $dir/memories.il $MEMORY_DUMP"
        echo "expose -evert t:*\\memory*"
        echo "delete -port w:*.clk"
        echo "dfflibmap -liberty $LIBERTY"
        echo "abc -liberty $LIBERTY -D $TARGET_PS -constr $dir/abc.constr"
        echo "opt_clean"
        echo "select -assert-none t:\$*"
        echo "tee -o $dir/stat.txt stat -liberty $LIBERTY"
        # Flip-flops are named after their nets.
        echo "rename -wire $FLOP_TYPES"
        echo "write_verilog -noattr $dir/mapped.v"
        for command; do
            echo "$command"
        done
        # OpenSTA 2.0 reads names, not expressions: one scalar per bit.
        echo "splitnets -ports"
        echo "opt_clean -purge"
        echo "write_verilog -noattr -noexpr -nohex $dir/netlist.v"
    } >"$dir/map.ys"
    yosys_run "$dir/map.ys"
    memories "$dir/memories.il" >"$dir/memories.txt"
    map_time "$top" "$dir" "$dir"
}

# map_time TOP DIRECTORY TO [SPEF]: the delays of what map_module has left in DIRECTORY, in TO/timing.txt; with the wires of SPEF.
map_time() {
    SPEF=${4:-} TOP=$1 MEMORIES=$(awk '{ print $1 }' "$2/memories.txt" | paste -sd' ' -) NETLIST=$2/netlist.v SDC=$3/$1.sdc \
        LIBERTY=$LIBERTY FLOPS=$FLOPS DRIVER=$DRIVER LOAD_FF=$LOAD_FF PERIOD_NS=${PERIOD_NS:-$UNBOUNDED_NS} \
        sta -no_splash -exit synth/timing.tcl >"$3/timing.txt" 2>&1 || true
    grep -q '^timing-done' "$3/timing.txt" || {
        tail -n 15 "$3/timing.txt" >&2
        die "OpenSTA failed on $2/netlist.v; its output is $3/timing.txt"
    }
}

# Readers of what map_module left in a directory.
map_cells() {
    awk '/Number of cells:/ { print $4 }' "$1/stat.txt"
}
map_area() {
    awk '/Chip area for/ { print $NF }' "$1/stat.txt" | rounded
}
# map_flops DIRECTORY: how many flip-flops; map_flops_area DIRECTORY: their area.
map_flops() {
    flops_sum 1 "$1"
}
map_flops_area() {
    flops_sum area "$1" | rounded
}
flops_sum() {
    library_value flop | awk -v each="$1" 'NR == FNR { value[$1] = each == "area" ? $2 : each; next }
        $1 in value { sum += $2 * value[$1] } END { print sum + 0 }' - "$2/stat.txt"
}
# map_delay DIRECTORY GROUP FIELD: FIELD of ns, start, end; GROUP of timing.tcl, or worst.
map_delay() {
    awk -v group="$2" -v want="$3" '
        $1 == "path" && ($2 == group || group == "worst") && $3 != "none" && ($3 + 0 > ns || !found) {
            found = 1; ns = $3; start = $4; end = $5
        }
        END { print !found ? "none" : want == "ns" ? ns : want == "start" ? start : end }' "$1/timing.txt"
}
# map_slack DIRECTORY: ns from the end of the slowest path to that of the CLOCK; negative: it is out of reach.
map_slack() {
    map_delay "$1" worst ns | awk -v period="$PERIOD_NS" '{ if ($1 == "none") print; else printf "%.2f\n", period - $1 }'
}
# rounded: areas as people read them; those of small cells keep three digits.
rounded() {
    awk '{ printf ($1 >= 1000 || $1 == int($1)) ? "%.0f\n" : "%.3g\n", $1 }'
}
