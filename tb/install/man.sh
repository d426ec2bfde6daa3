#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tb/install/man.sh BUILD_DIR VERSION FOLDER: heddle.1, and heddle-<command>.1 for every command that `heddle --help` lists, into FOLDER.
# All that they say is what the commands print with --help.
set -eu
[ $# = 3 ] || { echo "usage: tb/install/man.sh BUILD_DIR VERSION FOLDER" >&2; exit 2; }
version=$2 folder=$3
PATH=$(cd "$1" && pwd):$PATH # help2man calls `heddle run`, as a person does
also=$(mktemp)
trap 'rm -f "$also" "$also.page"' EXIT
unset ARGP_HELP_FMT

# The names of the commands, each with what it is for behind it.
names() { "$@" --help | sed -n 's/^  \([a-z][a-z]*\)   *\(.*\)/\1 \2/p'; }
commands=$(names heddle)
[ -n "$commands" ] || { echo "tb/install/man.sh: heddle --help lists no commands" >&2; exit 1; }

# page NAME COMMAND TEXT
page() {
    help2man --no-info --no-discard-stderr --include="$also" --version-string="$version" --source="Heddle $version" --name="$3" "$2" \
        >"$also.page" || { echo "tb/install/man.sh: no page of '$2'" >&2; exit 1; }
    # A page is found by its name, which has no blank.
    sed "s/^$2 \\\\- /$1 \\\\- /; s/^\.TH HEDDLE /.TH $(echo "$1" | tr a-z A-Z) /" "$also.page" >"$folder/$1.1"
}

mkdir -p "$folder"
{
    echo "[SEE ALSO]"
    echo "$commands" | sed 's/^\([a-z]*\) .*/.BR heddle-\1 (1),/; $s/,$//'
} >"$also"
page heddle heddle "OpenCL programs on GPU scheduling hardware, in Verilog and in C"
printf '[SEE ALSO]\n.BR heddle (1)\n' >"$also"
echo "$commands" | while read -r command text; do
    page "heddle-$command" "heddle $command" "$text"
    # Models have options of their own.
    names heddle "$command" | while read -r name what; do
        page "heddle-$command-$name" "heddle $command $name" "$what"
    done
done
