# SPDX-License-Identifier: Apache-2.0
# tests/mutate/same.sh: read by scripts that try small changes (cosim/cmutate.c), after synth/unit.sh. Lists of changes that nobody can
# notice have a line for each, FILE: SOURCE LINE: CHANGE, below the reason; what is so only at some sizes has `if CONDITION: ` in front,
# of the numbers in hw.h.

# line_of "FILE:LINE:COLUMN CHANGE": as such a list has it.
line_of() {
    place=${1%% *}
    file=${place%%:*} line=${place#*:}
    echo "$file: $(sed -n "${line%%:*}{s/^ *//p}" "$file"): ${1#* }"
}

# stands_in LIST "FILE:LINE:COLUMN CHANGE" [BUILD_DIR]: the last for lists that know sizes.
stands_in() {
    LINE=$(line_of "$2") awk '{ text = $0; condition = 1 }
        sub(/^if [^:]*: /, "", text) { condition = substr($0, 4, length($0) - length(text) - 5) }
        text == ENVIRON["LINE"] { print condition }' "$1" | {
        while read -r condition; do
            [ "$condition" != 1 ] && ! holds "$3" "$condition" || exit 0
        done
        exit 1
    }
}
