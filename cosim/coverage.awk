# SPDX-License-Identifier: Apache-2.0
# cosim/coverage.awk: what Verilator has counted (coverage.dat), as lcov reads it. -v kind=toggle: bits that have moved; -v kind=line:
# lines and branches. -v root=FOLDER: that paths begin in. A line has the count of its least reached point, and each point is a branch of
# it: `verilator_coverage --write-info` adds the points of a line up, which hides a bit that stands still.
BEGIN { FS = "\001" }
/^C '/ {
    file = line = page = ""
    for (i = 1; i <= NF; i++) {
        at = index($i, "\002")
        key = substr($i, 1, at - 1)
        value = substr($i, at + 1)
        if (key ~ /f$/ && !file) file = value # the first one stands behind "C '"
        else if (key == "l") line = value + 0
        else if (key == "page") page = value
    }
    if ((page ~ /^v_toggle/) != (kind == "toggle") || !file) next
    count = $NF
    sub(/.*' /, "", count)
    count += 0
    if (!(file in lines)) files[++num_files] = file
    if (!((file, line) in points)) numbers[file, ++lines[file]] = line
    point[file, line, ++points[file, line]] = count
    if (points[file, line] == 1 || count < least[file, line]) least[file, line] = count
}
END {
    for (f = 1; f <= num_files; f++) {
        file = files[f]
        print "TN:"
        print "SF:" (file ~ /^\// ? "" : root "/") file
        found = hit = 0
        for (n = 1; n <= lines[file]; n++) {
            line = numbers[file, n]
            for (p = 1; p <= points[file, line]; p++) {
                print "BRDA:" line ",0," p - 1 "," point[file, line, p]
                found++
                hit += point[file, line, p] > 0
            }
        }
        print "BRF:" found
        print "BRH:" hit
        hit = 0
        for (n = 1; n <= lines[file]; n++) {
            line = numbers[file, n]
            print "DA:" line "," least[file, line]
            hit += least[file, line] > 0
        }
        print "LF:" lines[file]
        print "LH:" hit
        print "end_of_record"
    }
}
