# SPDX-License-Identifier: Apache-2.0
# tb/experiments/frontier/variants.awk: what the variants of a machine have instead of what it has. Reads the configuration, then variants.ini.
# Prints VARIANT section.key=value; nothing where the value is the machine's own.
{ sub(/[ \t]*;.*/, "") }
FNR == 1 { files++ }
/^\[/ { section = $1; gsub(/[][]/, "", section); next }
!/=/ { next }
{
    key = $1; value = $0
    sub(/^[^=]*=[ \t]*/, "", value); sub(/[ \t]*$/, "", value)
}
files == 1 { own[section "." key] = value; next }
{
    if (!(key in own)) { print "variants.awk: error: [" section "] changes " key ", which the configuration does not have" > "/dev/stderr"; failed = 1; exit 1 }
    if (sub(/^\*[ \t]*/, "", value)) value = int(value * own[key] + 0.5)
    if (value != own[key]) print section, key "=" value
}
