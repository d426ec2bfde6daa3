# SPDX-License-Identifier: Apache-2.0
# tests/mutate/same.sh: read by scripts that try small changes (cosim/cmutate.c), after synth/unit.sh. Lists of changes that nobody can
# notice have a line for each, FILE: SOURCE LINE: CHANGE, below the reason.

# line_of "FILE:LINE:COLUMN CHANGE": as such a list has it.
line_of() {
    place=${1%% *}
    file=${place%%:*} line=${place#*:}
    echo "$file: $(sed -n "${line%%:*}{s/^ *//p}" "$file"): ${1#* }"
}

# stands_in LIST "FILE:LINE:COLUMN CHANGE" BUILD_DIR
stands_in() {
    listed "$1" "$(line_of "$2")" "$3"
}
