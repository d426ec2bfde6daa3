# SPDX-License-Identifier: Apache-2.0
# tests/summary/cases.awk: finds the checks in what they print. For each it calls case_is(kind, class, name, failure), a function of the file that is
# read after this one: `failure` is empty, or what was said. `units` and `wrong` are how many checks, and failed ones, one line counts together.
BEGIN { units = wrong = 1 }

# A program of unit tests: "  TEST     tb/file_test", then cmocka's lines. What stands between the beginning of a test and its verdict
# explains it.
/^  TEST     / { program = $2; programs++ }
/^\[ RUN      \]/ { within = $0; sub(/^\[ RUN      \] /, "", within); said = ""; next }
/^\[       OK \]/ { case_is("unit tests", program, within, ""); within = ""; next }
/^\[  FAILED  \]/ && within != "" { case_is("unit tests", program, within, said == "" ? "failed" : said); within = ""; next }
/^make(\[[0-9]+\])?: \*\*\* Waiting for unfinished jobs/ { next }
/^make(\[[0-9]+\])?: \*\*\* / {
    target = $0
    sub(/^make(\[[0-9]+\])?: \*\*\* /, "", target)
    if (sub(/^\[[^ ]*: /, "", target)) # "[Makefile:3: target] Error 2"
        sub(/\].*/, "", target)
    if (within != "") {
        case_is("unit tests", program, within, said $0)
        within = ""
    }
    case_is("make", "make", target, $0)
    next
}
within != "" { said = said $0 "\n"; next }

# One line per check, with its outcome in capitals.
/^  (FOUND|MISSED) / { case_is("planted faults", "faults", outcome(), $1 == "MISSED" ? $0 : ""); next }
/^  (CAUGHT|REFUSED) / { case_is("planted faults of tools", "tools", outcome(), ""); next }
/^  DOCS / { case_is("commands on pages", "pages", outcome(), ""); next }
/^  PROVE .* proofs with those on planted bugs$/ { pending[$2] = $(NF - 6); next }
/^  OK .*: every rule proved, / {
    units = pending[$2] ? pending[$2] : 1
    case_is("proofs", "proofs", outcome(), "")
    units = 1
    next
}
/^  OK / { case_is("other checks", "checks", outcome(), ""); next }
/^  MEMCHECK / { case_is("other checks", "valgrind", $2, ""); next }

# Many runs, counted by who made them.
/^(workloads|pairs|replays).*: .* passed.* failed/ {
    failed = $0
    sub(/ failed.*/, "", failed)
    sub(/.* /, "", failed)
    runs = $0
    sub(/ passed.*/, "", runs)
    sub(/ runs$/, "", runs)
    sub(/.* of /, "", runs)
    sub(/.* /, "", runs)
    units = runs + (/ of [0-9]+ runs passed/ ? 0 : failed)
    wrong = failed
    case_is($1 ~ /^workloads/ ? "runs of workloads" : $1 ~ /^pairs/ ? "pairs of kernels" : "replays", "runs", $0, failed + 0 ? $0 : "")
    units = wrong = 1
}

function outcome(line) {
    line = $0
    sub(/^  [A-Z]+ +/, "", line)
    return line
}
