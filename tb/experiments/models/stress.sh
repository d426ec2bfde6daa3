# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tb/experiments/models/stress.sh: part of models.sh. Each program of camp.txt on 7 SMs, beside a stressmark on the other 8 (figure 2.1): on the machine
# as it is, and where something is not short: ports of L2 (ports), DRAM (dram), both, ways (room). The stressmark is shorter than any program, and begins again until
# that is through, so that all is of the time in which the program runs once.
export stress_ways="2 4 6 8 12 16" banks=12 # of gtx480
stress_settings() { # VARIANT
    case $1 in
    ports) echo "$ports" ;;
    dram) echo "$dram" ;;
    both) echo "$ports $dram" ;;
    room) echo --set l2.ways=64 ;;
    esac
}
stress_regions() { # VARIANT
    if [ "$1" = as_is ]; then echo 4 8 12 16 24 1024; else echo 4 24 1024; fi
}
stress_capture() { # REGIONS
    local file=$runs/stressmark.$1.capture
    make_file "$file" "$build/heddle" run --capture="$file" --set run.timing=0 -- "$build/workloads/stressmark" --rounds=40 --regions="$1" --lines=$((sets * banks))
}
stress_run() { # PROGRAM VARIANT [REGIONS]
    local words
    read -ra words <<<"$(stress_settings "$2") $both"
    camp_replay "$out/$1.$2.${3:-alone}.json" "${words[@]}" "$runs/$1.capture" ${3:+"$runs/stressmark.$3.capture"}
}
# What the runs of a program have, each below a line that names it.
stress_numbers() { # PROGRAM
    local variant regions way
    for way in $stress_ways; do
        echo "run as_is ways $way"
        "$build/heddle" report --get=totals "$runs/$1.7.$way.json"
    done
    for variant in $variants; do
        echo "run $variant alone"
        "$build/heddle" report --get=totals "$out/$1.$variant.alone.json"
        for regions in $(stress_regions "$variant"); do
            echo "run $variant $regions"
            "$build/heddle" report --get=together.0 "$out/$1.$variant.$regions.json"
        done
    done
}
# A row for each stressmark, and on the machine as it is one for misses per access of 0.35, on the line between the two next to it. space_cycles and
# space_mpa: what the program takes alone with the ways that it held, and how often it misses then, on the line between runs with fewer and more.
stress_rows() { # PROGRAM
    stress_numbers "$1" >"$out/$1.numbers"
    awk -v OFS=, -v name="$1" -v lines=$((sets * banks)) -v asked=.35 '
        function mpa(of) { return (v[of ".misses"] - v[of ".mshr_merged"]) / v[of ".accesses"] }
        function between(x, x0, y0, x1, y1) { return y0 + (y1 - y0) * (x - x0) / (x1 - x0) }
        function with(ways, of, i) {
            if (ways <= way[1]) return of[1]
            for (i = 2; i < num && way[i] < ways; i++);
            return ways >= way[i] ? of[i] : between(ways, way[i - 1], of[i - 1], way[i], of[i])
        }
        function row(regions, now, i) {
            if (variant == "as_is" && regions != "between" && last[1] < asked && now[1] >= asked) {
                for (i in now) middle[i] = between(asked, last[1], last[i], now[1], now[i])
                row("between", middle)
            }
            print name, variant, regions, now[1], now[2], alone_mpa, now[3], now[4], alone, variant == "as_is" ? now[5] "," now[6] : ","
        }
        function take(i) {
            if (kind == "ways") { way[++num] = number; took[num] = v["totals.cycles"]; missed[num] = mpa("totals.l2") }
            else if (kind == "alone") {
                alone = v["totals.cycles"]; instructions = v["totals.warp_instructions"]; alone_mpa = mpa("totals.l2")
            } else if (kind) {
                if (v["each.0.warp_instructions"] > 1.05 * instructions) { print name ": " variant ", " kind " regions: the program ran more than once" >"/dev/stderr"; exit failed = 1 }
                now[1] = mpa("l2_spaces.1"); now[2] = mpa("l2_spaces.0"); now[3] = v["l2_spaces.0.line_cycles"] / v["cycles"] / lines
                now[4] = v["cycles"]; now[5] = with(now[3], took); now[6] = with(now[3], missed)
                row(kind, now)
                for (i in now) last[i] = now[i]
            }
        }
        BEGIN { OFMT = "%.9g"; print "name,variant,regions,stress_mpa,mpa,alone_mpa,ways,cycles,alone_cycles,space_cycles,space_mpa" }
        $1 == "run" { take(); variant = $2; kind = $3; number = $4; split("", v); next }
        { sub("^together[.]0[.]", "", $1); v[$1] = $2 }
        END { if (failed) exit 1; take() }' "$out/$1.numbers" >"$out/$1.csv.$$"
    mv "$out/$1.csv.$$" "$out/$1.csv"
}
stress() {
    local name variant regions way
    export variants="as_is ports dram both room"
    each capture <"$out/programs"
    for variant in $variants; do stress_regions "$variant"; done | tr ' ' '\n' | sort -un | each stress_capture
    for name in "${programs[@]}"; do
        for way in $stress_ways; do echo "$name 7 $way"; done
    done | each camp_alone
    for name in "${programs[@]}"; do
        for variant in $variants; do
            echo "$name $variant"
            for regions in $(stress_regions "$variant"); do echo "$name $variant $regions"; done
        done
    done | each stress_run
    printf '%s\n' "${programs[@]}" | each stress_rows
    for name in "${programs[@]}"; do echo "$out/$name.csv"; done >"$files"
}
export -f stress_settings stress_regions stress_numbers
