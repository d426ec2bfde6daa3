#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tb/experiments/frontier/page.sh FOLDER CONFIG SET SIZE: frontier.csv as a table and a picture: cost to the right, benefit upwards, the Pareto
# front as a line.
set -eu
out=$1 config=$2 set=$3 size=$4
csv=$out/frontier.csv
{
    echo "Policies on \`$config\`, workloads \`$set\`, $size; areas per SM, OSU 0.18 um before layout; IPC, DRAM traffic over gto."
    echo
    echo "| policy | STATE bits | memory bits | flip-flops | logic um2 | memory um2 | delay ns | nJ per 1000 instructions | IPC, geometric | harmonic | worst | L1D hits % | DRAM traffic | sign | its paper |"
    echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | --- | --- |"
    awk -F, 'NR > 1 {
        claim = $0; sub(/^[^"]*"/, "", claim); sub(/"$/, "", claim)
        name = ($1 == "dispatch" ? "dispatch " : "") $2
        if ($17) name = "**" name "**"
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s, %s | %s | %s | %s | %s |\n", name, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $18, claim }' "$csv"
    echo
    echo "Bold: on the Pareto front, no policy is as cheap and faster. A machine has a policy of both kinds: a warp scheduler is beside the dispatcher \`lrr\`, a"
    echo "dispatcher beside the warp scheduler \`gto\`; both are counted. Sign: of the gain in IPC, on variants of the machine (ROBUST=1)."
} >"$out/frontier.md"
# X Y FRONT TURNS "name" LABEL_Y: TURNS where the sign does not hold; a label that would lie on another one goes down until it does not. Sizes in parts of the plot: 1.8 decades
# are drawn beyond the points' range for the names of the last.
awk -F, 'NR > 1 && $16 > 0 { print ($6 + $7) / 1000, 100 * ($10 - 1), $17, $18 ~ /turns/, ($1 == "dispatch" ? "dispatch " : "") $2 }' "$csv" | sort -k2,2nr |
    awk '
        { x[NR] = log($1) / log(10); y[NR] = $2; line[NR] = $1 " " $2 " " $3 " " $4; sub(/^[^ ]* [^ ]* [^ ]* [^ ]* /, ""); name[NR] = $0 }
        NR == 1 || x[NR] < left { left = x[NR] }
        NR == 1 || x[NR] > right { right = x[NR] }
        function hits(i, at,   k) {
            for (k = 1; k < i; k++)
                if (label[k] - at < height && at - label[k] < height && x[i] < x[k] + width[k] && x[k] < x[i] + width[i]) return 1
            return 0
        }
        END {
            height = (y[1] - y[NR]) / 30
            for (i = 1; i <= NR; i++) {
                width[i] = (length(name[i]) + 2) * (right - left + 1) * 0.0085
                for (at = y[i]; hits(i, at); at -= height / 4) continue
                label[i] = at
                print line[i], "\"" name[i] "\"", at
            }
        }' >"$out/points.dat"
awk '$3' "$out/points.dat" | sort -n >"$out/front.dat"
turning=notitle
! awk '$4 { found = 1 } END { exit !found }' "$out/points.dat" || turning='title "sign turns on a variant of the machine"'
gnuplot <<GNUPLOT
set terminal svg size 1000, 640 font "sans-serif, 13" background "white"
set output "$out/frontier.svg"
set title "$config, workloads $set, $size: what a policy buys, and what it costs"
set xlabel "area of the scheduling hardware per SM, 1000 um^2 (OSU 0.18 um; logic, and memories by the model)"
set ylabel "IPC over gto, geometric mean, %"
set logscale x
set grid lc rgb "#dddddd"
set offsets graph 0.05, graph 0.12, graph 0.08, graph 0.08
set key bottom right
plot "$out/front.dat" using 1:2 with steps lw 2 lc rgb "#2060a0" title "Pareto front", \
     "$out/points.dat" using 1:(\$4 > 0 ? NaN : \$2) with points pt 7 ps 0.7 lc rgb "#808080" notitle, \
     "$out/points.dat" using 1:(\$4 > 0 ? \$2 : NaN) with points pt 6 ps 0.8 lc rgb "#c04020" $turning, \
     "$out/front.dat" using 1:(\$4 > 0 ? NaN : \$2) with points pt 7 ps 1 lc rgb "#2060a0" notitle, \
     "$out/points.dat" using 1:2:(\$1*0.06):(\$6-\$2) with vectors nohead lc rgb "#c0c0c0" notitle, \
     "$out/points.dat" using (\$1*1.08):6:5 with labels left font ",11" notitle
GNUPLOT
cat "$out/frontier.md"
echo
echo "picture: $out/frontier.svg; values: $csv"
