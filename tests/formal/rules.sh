# SPDX-License-Identifier: Apache-2.0
# tests/formal/rules.sh: the rules of a unit, as its files state them: words from the rules' comments, sizes from the list of
# sizes, planted bugs by name. Sourced after unit_open.
props=tests/formal/${UNIT}_props.sv
sizes=tests/formal/$UNIT.sizes
bugs=tests/formal/bugs/$UNIT
[ -f "$props" ] || die "there is no $props"
[ -f "$sizes" ] || die "there is no $sizes"

rules=$(sed -n 's|^ *// R\([0-9][0-9]*\): .*|\1|p' "$props")

# rule_words N: the comment `// R<n>: ...` with the comment lines that continue it.
rule_words() {
    awk -v tag="// R$1:" '
        { sub(/^ +/, "") }
        on && !/^\/\// { exit }
        on { sub(/^\/\/ */, ""); text = text " " $0 }
        index($0, tag) == 1 { on = 1; text = substr($0, length(tag) + 2) }
        END { print text }' "$props"
}

# rule_bugs N: the patches of a rule.
rule_bugs() {
    for patch in "$bugs/R$1"-*.patch; do
        [ ! -f "$patch" ] || echo "$patch"
    done
}

# size_rows: name|parameters|restrictions|rules|words, a line for each size, the rules written out: `1-3 7` is `1 2 3 7`.
size_rows() {
    awk -F ' *[|] *' '!/^#/ && NF {
        list = ""
        n = split($4, part, " ")
        for (i = 1; i <= n; i++) {
            split(part[i] "-" part[i], ends, "-")
            for (rule = ends[1]; rule <= ends[2]; rule++) list = list (list == "" ? "" : " ") rule
        }
        print $1 "|" $2 "|" $3 "|" list "|" $5
    }' "$sizes"
}

# rules_table: what is shown when every proof succeeds and every planted bug is found. Nothing in it depends on a run.
rules_table() {
    echo "| rule | what always holds | size: proved for | planted bugs, each refuted at each size |"
    echo "| --- | --- | --- | --- |"
    for rule in $rules; do
        echo "| R$rule | $(rule_words "$rule") |" \
            "$(size_rows | awk -F '|' -v rule="$rule" 'index(" " $4 " ", " " rule " ") {
                sub(/-.*/, "", $1); text = text (text == "" ? "" : "; ") $1 ": " $5 } END { print text }') |" \
            "$(rule_bugs "$rule" | sed 's|.*/\(.*\)\.patch|`\1`|' | paste -sd, - | sed 's/,/, /g') |"
    done
    echo
    size_rows | awk -F '|' '!seen[$2]++ { size = $1; sub(/-.*/, "", size); list = list (list == "" ? "" : "; ") size " is " $2 }
        END { print "Sizes: " list "." }'
}
