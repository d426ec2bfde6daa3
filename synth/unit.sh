# SPDX-License-Identifier: Apache-2.0
# synth/unit.sh: what every evidence script (synthesis, proofs, mutants, faults) needs to know about a unit. Sourced.
# Knows nothing of any unit by name: its files, parameters, ports and STATE come from rtl/ and the contract.
#   UNIT   stem of the unit              BUILD  build/<config>, holds hw.h              OUT  where the caller writes

die() {
    echo "${0##*/}: error: $*" >&2
    exit 1
}

progress() {
    printf '  %-8s %s\n' "$1" "$2"
}

# list_contract FOLDER FILE: the lines of synth/contract.c, with the sizes of FOLDER/hw.h. The program has a name of its own, and FILE comes
# with its last line: another script may list the same contract at the same time.
list_contract() {
    cc -std=gnu11 -Wall -Wextra -DCONTRACT_DEF="\"cmodel/$UNIT/$UNIT.def\"" -I. -I"$1" synth/contract.c -o "$2.$$" &&
        "$2.$$" >"$2.$$.lines" || die "the contract of $UNIT cannot be listed with $1/hw.h"
    rm "$2.$$"
    mv "$2.$$.lines" "$2"
}

# unit_open UNIT BUILD PART [alone]: checks the arguments and makes BUILD/PART/UNIT. Leaves `contract.txt` there, the lines of
# synth/contract.c. `alone`: until this script and what it has started end, no other one that says so writes there: two would spoil both.
unit_open() {
    [ $# -ge 3 ] && [ -n "$1" ] && [ -n "$2" ] || die "usage: ${0##*/} UNIT BUILD_DIR"
    UNIT=$1 BUILD=${2%/} OUT=${2%/}/$3/$1 CONFIG=${2%/}
    CONFIG=${CONFIG##*/}
    [ -f "rtl/$UNIT/$UNIT.sv" ] || die "there is no rtl/$UNIT/$UNIT.sv (run me from the top of the repository)"
    [ -f "cmodel/$UNIT/$UNIT.def" ] || die "there is no cmodel/$UNIT/$UNIT.def, the contract of $UNIT"
    [ -f "$BUILD/hw.h" ] || die "there is no $BUILD/hw.h: make it with \`make CONFIG=$CONFIG $BUILD/hw.h\`"
    mkdir -p "$OUT" || die "cannot make $OUT"
    if [ "${4:-}" = alone ]; then
        exec 9>"$OUT/lock"
        flock -n 9 || die "another run writes to $OUT: wait for its end, or run this one in a copy of the tree"
    fi
    list_contract "$BUILD" "$OUT/contract.txt"
}

# synth_open UNIT BUILD: the same where synthesis writes: BUILD/synth/UNIT, or what SYNTH_OUT names below BUILD/synth.
synth_open() {
    unit_open "${1:-}" "${2:-}" synth
    [ "${SYNTH_OUT:-$UNIT}" != "$UNIT" ] || return 0
    mkdir -p "$BUILD/synth/$SYNTH_OUT"
    cp "$OUT/contract.txt" "$BUILD/synth/$SYNTH_OUT/"
    OUT=$BUILD/synth/$SYNTH_OUT
}

# holds BUILD CONDITION: whether it does, of the numbers in BUILD/hw.h; 1 always does.
holds() {
    [ "$2" = 1 ] || printf '#include "hw.h"\n#if %s\nholds\n#endif\n' "$2" | cc -E -P -I"$1" -xc - | grep -qx holds
}

# listed LIST TEXT BUILD: whether TEXT is a line of LIST. What is so only at some sizes has `if CONDITION: ` in front, of the numbers in
# BUILD/hw.h.
listed() {
    TEXT=$2 awk '{ text = $0; condition = 1; sub(/^if [^:]*: /, "", text) }
        text != $0 { condition = substr($0, 4, length($0) - length(text) - 5) }
        text == ENVIRON["TEXT"] { print condition }' "$1" | {
        while read -r condition; do
            ! holds "$3" "$condition" || exit 0
        done
        exit 1
    }
}

# with_parts "PART..." FILE...: the FILEs and those PARTs, each named after its module, that they use, or that those use. No others are
# read: what Yosys makes of a unit moves by some percent when it has read one file more.
with_parts() {
    parts=$1
    shift
    printf '%s\n' "$@" | awk -v parts="$parts" '
        # Adds a file and the words in it, without comments.
        function take(file, line, word, count, i, status) {
            files[++taken] = file
            is_taken[file] = 1
            while ((status = (getline line <file)) > 0) {
                sub(/\/\/.*/, "", line)
                count = split(line, word, /[^A-Za-z0-9_]+/)
                for (i = 1; i <= count; i++) used[word[i]]
            }
            close(file)
            if (status < 0) { print "error: cannot read " file >"/dev/stderr"; failed = 1 }
        }
        { take($0) }
        END {
            count = split(parts, part, " ")
            do {
                before = taken
                for (i = 1; i <= count; i++) {
                    module = part[i]
                    gsub(/.*\/|\.sv$/, "", module)
                    if (!(part[i] in is_taken) && module in used) take(part[i])
                }
            } while (taken > before)
            for (i = 1; i <= taken; i++) { sub(/^\.\//, "", files[i]); print files[i] }
            exit failed
        }'
}

# unit_sources [FOLDER [FILE]]: the Verilog of the unit, below FOLDER (default: the repository), and what it uses of its own folder
# and of rtl/prim; with FILE, FILE too, and what these use of rtl/, other units among it, and of FILE's folder.
unit_sources() {
    rtl_of=${1:-.}/rtl
    if [ -n "${2:-}" ]; then
        with_parts "$(echo "$rtl_of"/*/*.sv "${2%/*}"/*.sv)" "$rtl_of/$UNIT/$UNIT.sv" "$2"
    else
        with_parts "$(echo "$rtl_of/$UNIT"/*.sv "$rtl_of"/prim/*.sv)" "$rtl_of/$UNIT/$UNIT.sv"
    fi
}

# read_sources FILE...: Yosys commands that read them. A memory is a black box: hardware builds it as SRAM, not of gates.
read_sources() {
    for file; do
        case $file in
        */prim/memory.sv) echo "read_verilog -sv -defer -lib $file" ;;
        *) echo "read_verilog -sv -defer $file" ;;
        esac
    done
}

# memories FILE: NAME WIDTH DEPTH READS of each memory, from what MEMORY_DUMP has left there.
MEMORY_DUMP='dump =*\memory* t:*\memory*'
memories() {
    awk '
        $1 == "module" { module = $2 }
        $1 == "parameter" { value[module, $2] = $3 }
        $1 == "cell" { print substr($3, 2), value[$2, "\\WIDTH"], value[$2, "\\DEPTH"], value[$2, "\\READS"] }' "$1"
}

# unit_params: NAME=value per line.
unit_params() {
    awk '$1 == "param" { print $2 "=" $3 }' "$OUT/contract.txt"
}

# chparams [NAME=value]...: parameters as arguments of Yosys's `hierarchy`.
chparams() {
    for pair; do
        printf ' -chparam %s %s' "${pair%%=*}" "${pair#*=}"
    done
}

# sized_hw FOLDER NAME=value...: FOLDER/hw.h, the configuration's with other sizes.
sized_hw() {
    hw=$1/hw.h
    cp "$BUILD/hw.h" "$hw"
    shift
    for pair; do
        grep -q "^#define ${pair%%=*} " "$hw" || die "$BUILD/hw.h has no ${pair%%=*}"
        sed -i "s/^#define ${pair%%=*} .*/#define ${pair%%=*} ${pair#*=}/" "$hw"
    done
}

# make_with FOLDER TARGET...: of UNIT and CONFIG, what cosim/cosim.mk makes with the files of FOLDER in place of the unit's own.
make_with() {
    variant=$1
    shift
    ${MAKE:-make} -s --no-print-directory CONFIG="$CONFIG" UNIT="$UNIT" VARIANT="$variant" "$@"
}

# Yosys after 0.23 keeps a cell that says which module was flattened, and makes cells of another type of assertions. These commands give
# what 0.23 has: behind `flatten`, and behind `proc` where there are assertions.
FLATTENED='delete t:$scopeinfo'
lower_assertions() { # asks Yosys: once for many proofs, which take it from LOWER_ASSERTIONS
    yosys -Q -p 'help chformal' | grep -o '^ *-lower$' | sed 's/^ */chformal /'
}

# yosys_run SCRIPT: runs Yosys; shows its log only when it fails, and its warnings never hide.
yosys_run() {
    if ! yosys -q -l "${1%.ys}.log" "$1" >"${1%.ys}.out" 2>&1; then
        tail -n 15 "${1%.ys}.log" >&2
        die "Yosys failed on $1; its log is ${1%.ys}.log"
    fi
    # A memory that only for-loops and generate blocks index is wires, and most units have no memory.sv; Yosys says so each time.
    grep '^Warning:' "${1%.ys}.log" | grep -v -e 'Replacing memory' -e 'memory\*" did not match any' >&2 || true
}
