# SPDX-License-Identifier: Apache-2.0
# tests/formal/rules.sh: the rules of a unit: R1, R2 ... of tests/formal/UNIT_props.sv, and one for each promise of the contract,
# QUIET, IDLE and WAKES. Words stand in the comments of the rules, sizes in UNIT.sizes. Planted bugs are bugs/UNIT/RULE-*.patch, and
# the planted faults that say `refutes: RULE`.
# Sourced after unit_open.
props=tests/formal/${UNIT}_props.sv
sizes=tests/formal/$UNIT.sizes
bugs=tests/formal/bugs/$UNIT
[ -f "$props" ] || die "there is no $props"
[ -f "$sizes" ] || die "there is no $sizes"

promises=$(awk '/^(quiet|idle|wakes) / { print toupper($1) }' "$OUT/contract.txt")
rules="$(sed -n 's|^ *// \(R[0-9][0-9]*\): .*|\1|p' "$props") $promises"

# rule_words RULE: the comment `// R<n>: ...` with the comment lines that continue it.
rule_words() {
    case $1 in
    QUIET) echo "QUIET of the contract: while it holds, every output is 0, and no STATE and no MEMORY moves." ;;
    IDLE) echo "IDLE_STABLE of the contract: while it holds, no STATE and no MEMORY moves." ;;
    WAKES) echo "WAKES of the contract: after a cycle in which IDLE_STABLE held, while nothing but the clock moves among the" \
        "inputs, no output moves before the cycle that it names." ;;
    *)
        awk -v tag="// $1:" '
            { sub(/^ +/, "") }
            on && !/^\/\// { exit }
            on { sub(/^\/\/ */, ""); text = text " " $0 }
            index($0, tag) == 1 { on = 1; text = substr($0, length(tag) + 2) }
            END { print text }' "$props"
        ;;
    esac
}

# RULE PATCH, a line for each rule that a patch breaks.
planted_bugs=$(
    find tests/formal/bugs -path "$bugs/*.patch" | sed 's|\(.*/\)\([^-]*\)\(-.*\)|\2 &|' | sort
    awk '/^---/ { nextfile } /^refutes: / { for (i = 2; i <= NF; i++) print $i, FILENAME }' tests/faults/"$UNIT"/*.patch
)

# rule_bugs RULE: its patches.
rule_bugs() {
    echo "$planted_bugs" | sed -n "s/^$1 //p"
}

# size_rows: name|parameters|restrictions|rules|words, a line for each size, the rules by name: `1-3 7` is `R1 R2 R3 R7`. The
# sizes `config` and `config-...` are that of the configuration, and get its name. The promises are proved at each size, without
# restrictions.
size_rows() {
    awk -F ' *[|] *' -v promises="$(echo $promises)" -v config="$CONFIG" -v params="$(echo $(unit_params))" '!/^#/ && NF {
        if ($1 ~ /^config(-|$)/) { sub(/^config/, config, $1); $2 = params }
        list = seen[$2]++ ? "" : promises
        n = split($4, part, " ")
        for (i = 1; i <= n; i++) {
            split(part[i] "-" part[i], ends, "-")
            for (rule = ends[1]; rule <= ends[2]; rule++) list = list " R" rule
        }
        print $1 "|" $2 "|" $3 "|" list "|" $5
    }' "$sizes"
}

# rules_table: what is shown when every proof succeeds and every planted bug is found. Nothing in it depends on a run.
rules_table() {
    echo "| rule | what always holds | size: proved for | planted bugs, each refuted at each size |"
    echo "| --- | --- | --- | --- |"
    for rule in $rules; do
        echo "| $rule | $(rule_words "$rule") |" \
            "$(size_rows | awk -F '|' -v rule="$rule" 'index(" " $4 " ", " " rule " ") {
                sub(/-.*/, "", $1); text = text (text == "" ? "" : "; ") $1 (rule ~ /^R/ ? ": " $5 : "")
            } END { print text }') |" \
            "$(rule_bugs "$rule" | sed 's|.*/\(.*\)\.patch|`\1`|' | paste -sd, - | sed 's/,/, /g') |"
    done
    echo
    size_rows | awk -F '|' '!seen[$2]++ { size = $1; sub(/-.*/, "", size); list = list (list == "" ? "" : "; ") size " is " $2 }
        END { print "Sizes: " list "." }'
}
