#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/summary/run.sh FOLDER COMMAND [ARGUMENT...]: runs a command that runs checks, and shows what it says: what a unit test prints only
# if it fails (many plant faults, whose reports are no failures), and every 30 s of silence what is running. At the end a
# table of what was checked. FOLDER has log.txt, all that was said, and junit.xml. Exit status: the command's.
set -uo pipefail
folder=${1:?usage: tests/summary/run.sh FOLDER COMMAND [ARGUMENT...]}
shift
here=$(dirname "$0")
silence=${SILENCE:-30} # seconds
mkdir -p "$folder"
rm -f "$folder"/log.txt "$folder"/junit.xml

# The session of the process whose line of /proc/PID/stat is read: the fourth word behind the name.
session() {
    local line words
    read -r line || return 1
    read -ra words <<<"${line##*) }"
    echo "${words[3]}"
}

# What the processes of this session were started as.
processes() {
    local own stat
    own=$(session </proc/$$/stat)
    for stat in /proc/[0-9]*/stat; do
        [ "$(session <"$stat")" != "$own" ] || tr '\0' ' ' <"${stat%stat}cmdline" || true
        echo
    done 2>/dev/null
}

# The scripts of checks that run, as "faults of wia", and test programs.
running() {
    processes | sed -nE 's#^([a-z/]*/)?(ba)?sh tests/([a-z]+)/run\.sh ([a-z_]+) .*#\3 of \4#p
        s#^([a-z/]*/)?(ba)?sh tests/(tb/workloads/)?(docs|sample|matrix|replays|pairs|frontier)\.sh.*#\4#p
        s#^[^ ]*build/[^ ]*/tests/([a-z_/]*_test)( .*)?$#\1#p' | sort -u | paste -s -d, | sed 's/,/, /g'
}

# Lines as they come, those of a unit test when it has failed; where none comes for a while, what is running.
show() {
    local line quiet=0 state test='' held=''
    while true; do
        IFS= read -r -t "$silence" line
        state=$?
        if [ $state = 0 ]; then
            quiet=0
            case $line in
            '[ RUN      ]'*) test=$line held='' ;;
            '[       OK ]'* | '[  SKIPPED ]'*) test='' && printf '%s\n' "$line" ;;
            '[  FAILED  ]'* | 'make: '* | 'make['*) # a failure, or a crash
                [ -z "$test" ] || printf '%s\n%s' "$test" "$held"
                test=''
                printf '%s\n' "$line"
                ;;
            *) if [ -n "$test" ]; then held+=$line$'\n'; else printf '%s\n' "$line"; fi ;;
            esac
        elif [ $state -gt 128 ]; then
            quiet=$((quiet + silence))
            state=$(running)
            printf '%s... %d:%02d since the last line%s\n' "$line" $((quiet / 60)) $((quiet % 60)) "${state:+; running: $state}"
        else
            [ -z "$test" ] || printf '%s\n%s' "$test" "$held"
            printf '%s' "$line"
            return
        fi
    done
}

"$@" 2>&1 | tee "$folder/log.txt" | show
status=${PIPESTATUS[0]}
awk -v seconds=$SECONDS -f "$here/cases.awk" -f "$here/table.awk" "$folder/log.txt"
awk -v seconds=$SECONDS -f "$here/cases.awk" -f "$here/junit.awk" "$folder/log.txt" >"$folder/junit.xml.new" &&
    mv "$folder/junit.xml.new" "$folder/junit.xml"
echo "all that was said: $folder/log.txt; for other tools: $folder/junit.xml"
exit "$status"
