# SPDX-License-Identifier: Apache-2.0
# tests/page.sh: what a page says is tried as typed. Sourced; works in the folder in which the commands are to run.

fail() {
    echo "page: $1" >&2
    [ $# -eq 1 ] || cat "$2" >&2
    exit 1
}

# block PAGE PATTERN: the fenced block of the page whose first line matches.
block() {
    awk -v pattern="$2" '
        /^```/ { fenced = !fenced; shown = 0; first = 1; next }
        fenced && first { first = 0; shown = $0 ~ pattern }
        fenced && shown { print; found = 1 }
        END { exit !found }' "$1" || fail "$1 has no block that begins with '$2'"
}

# typed STATUS PAGE PATTERN: runs a block, without its windows; what it prints is in `out` and `err`.
typed() {
    echo "  DOCS     $2: $(block "$2" "$3" | head -n 1)"
    block "$2" "$3" | grep -v -e '^gtkwave ' -e '^make test' -e ' \./your-program ' >typed.sh
    status=0
    sh -e typed.sh >out 2>err || status=$?
    cat out err >both
    [ $status = "$1" ] || fail "$2: the commands end with status $status, expected $1" both
}

# says FILE PAGE PATTERN: the file ends in what the page has.
says() {
    block "$2" "$3" >page
    tail -n "$(wc -l <page)" "$1" | diff page - || fail "$2 (<) and what its commands print (>) differ"
}
