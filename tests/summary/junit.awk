# SPDX-License-Identifier: Apache-2.0
# tests/summary/junit.awk: writes the checks of cases.awk as XML of JUnit, which servers of continuous integration read.
function quoted(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/"/, "\\&quot;", text)
    gsub(/[\001-\010\013\014\016-\037\177-\377]/, "?", text) # no characters of XML, or of another encoding
    gsub(/\n/, "\\&#10;", text)
    return text
}
function case_is(kind, class, name, failure) {
    if (!(kind in tests))
        order[++kinds] = kind
    tests[kind]++
    all++
    cases[kind] = cases[kind] sprintf("    <testcase classname=\"%s\" name=\"%s\"", quoted(class), quoted(name))
    if (failure == "") {
        cases[kind] = cases[kind] "/>\n"
        return
    }
    failures[kind]++
    all_failures++
    cases[kind] = cases[kind] ">\n      <failure message=\"" quoted(failure) "\"/>\n    </testcase>\n"
}
END {
    print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
    printf "<testsuites name=\"Heddle\" tests=\"%d\" failures=\"%d\" time=\"%d\">\n", all, all_failures, seconds
    for (i = 1; i <= kinds; i++) {
        printf "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\">\n", quoted(order[i]), tests[order[i]], failures[order[i]]
        printf "%s", cases[order[i]]
        print "  </testsuite>"
    }
    print "</testsuites>"
}
