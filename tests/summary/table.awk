# SPDX-License-Identifier: Apache-2.0
# tests/summary/table.awk: counts the checks of cases.awk, and names those that failed.
function case_is(kind, class, name, failure) {
    if (!(kind in count))
        order[++kinds] = kind
    count[kind] += units
    if (failure != "") {
        bad[kind] += wrong
        names[++failures] = kind ": " (class == "make" ? "" : class ": ") name
    }
}
END {
    printf "\n%-26s %8s %8s\n", "checked", "", "failed"
    for (i = 1; i <= kinds; i++)
        if (order[i] != "make")
            printf "%-26s %8d %8d%s\n", order[i], count[order[i]], bad[order[i]],
                order[i] == "unit tests" ? "   in " programs " programs" : ""
    printf "%-26s %8d\n", "seconds", seconds
    for (i = 1; i <= failures; i++)
        print "FAILED  " names[i]
}
