#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/frontier.sh BUILD_DIR: the frontier's table from figures that can be followed by hand; a policy that nobody lists is noticed.
set -eu
build=${1:?usage: frontier.sh BUILD_DIR}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
die() {
    echo "tests/frontier.sh: error: $*" >&2
    exit 1
}

# Two schedulers per SM, two SMs. dear: gto and a unit of the GPU; slow: as cheap as gto.
cat >"$folder/units.txt" <<'UNITS'
wia 2 10 0 10 1000 0 1.5
big 0.5 100 640 100 30000 8000 4.5
UNITS
printf '1 wia\n2 wia big\n3 wia wia\n' >"$folder/points_units.txt"
cat >"$folder/energies.txt" <<'ENERGIES'
1 spmv wia 5 1000 2000
2 spmv wia 5 800 2000
2 spmv big 20 800 2000
1 bfs wia 20 1000 2000
2 bfs wia 20 1000 2000
2 bfs big 0 1000 2000
3 spmv wia 5 1000 2000
ENERGIES
for run in "1 spmv 1" "1 bfs 2" "2 spmv 4" "2 bfs 2" "3 spmv 0.5" "3 bfs 2"; do
    set -- $run
    printf '%s\n' "$1 $2 ipc $3" "$1 $2 l1d.hits $1" "$1 $2 l1d.accesses 4" "$1 $2 dram.reads $((10 * $1))" "$1 $2 dram.writes 0"
done >"$folder/runs.txt"
# On the variant `even` all are as on the machine; on `odd` dear loses as much with spmv as it gains with bfs, and more; there is no run of slow.
for run in "1@even spmv 1" "2@even spmv 2" "3@even spmv 0.5" "1@odd spmv 4" "2@odd spmv 1" "1@odd bfs 1" "2@odd bfs 2"; do
    set -- $run
    echo "$1 $2 ipc $3"
done >>"$folder/runs.txt"
printf '1 sched gto - \n2 sched dear mask.n=2 over GTO: +7, says it\n3 dispatch slow -\n' >"$folder/points.txt"
table() {
    awk -v SMS=2 -f tb/experiments/frontier/table.awk "$folder/units.txt" "$folder/points_units.txt" "$folder/energies.txt" "$folder/runs.txt" "$folder/points.txt"
}
# Energy: spmv 5 pJ x 1000 cycles x 2 x 2 SMs over 2 thousand instructions, 10 nJ, bfs 40: 20; dear: spmv (5 x 2 + 20 / 2) x 800 x 2 / 2: 16, bfs 40.
cat >"$folder/expected" <<'EXPECTED'
kind,policy,state_bits,memory_bits,flip_flops,logic_um2,memory_um2,delay_ns,nj_per_1000_instructions,ipc_gmean,ipc_hmean,worst_ipc,worst_workload,l1d_hits_percent,dram_traffic,workloads,pareto,sign,claim
sched,gto,20.0,0.0,20.0,2000,0,1.5,20,1.0000,1.0000,1.0000,bfs,25.00,1.0000,2,1,,""
sched,dear mask.n=2,70.0,320.0,70.0,17000,4000,4.5,25.3,2.0000,1.6000,1.0000,bfs,50.00,2.0000,2,1,turns: odd,"over GTO: +7, says it"
dispatch,slow,20.0,0.0,20.0,2000,0,1.5,10,0.7071,0.6667,0.5000,spmv,75.00,3.0000,2,0,holds on 1,""
EXPECTED
table >"$folder/frontier.csv"
diff "$folder/expected" "$folder/frontier.csv" || die "the table (>) is not what the figures give (<)"
sh tb/experiments/frontier/page.sh "$folder" tiny none small >"$folder/page"
grep -q '^| \*\*dear mask.n=2\*\* | 70.0 | .* | turns: odd | over GTO: +7, says it |$' "$folder/page" || die "the page has no row of the point on the front"
grep -q '^| dispatch slow | ' "$folder/page" || die "the page has no row of the point that is not on the front"
grep -c '</svg>' "$folder/frontier.svg" >/dev/null || die "there is no picture"

# What a variant has: a value, a multiple, and nothing where the machine has it already; a key that the machine lacks.
printf '; one\n[a]\nx = 2 ; why\ny = 10\n[b]\nx = some\n' >"$folder/machine.ini"
printf '[even]\na.x = 2\na.y = * 1.5\n; more\n[odd]\nb.x = other\n' >"$folder/variants.ini"
printf 'even a.y=15\nodd b.x=other\n' >"$folder/is"
awk -f tb/experiments/frontier/variants.awk "$folder/machine.ini" "$folder/variants.ini" | diff - "$folder/is" >/dev/null ||
    die "variants are not what their file says"
printf '[none]\na.z = 1\n' >"$folder/variants.ini"
! awk -f tb/experiments/frontier/variants.awk "$folder/machine.ini" "$folder/variants.ini" 2>"$folder/log" || die "nobody misses the key a.z"
grep -q '\[none\] changes a.z, which the configuration does not have$' "$folder/log" || { cat "$folder/log" >&2; die "that a.z is missing is not said"; }

# A list without a policy.
cp -r tb/experiments/frontier "$folder/less"
sed -i '/^sched gtls |/d' "$folder/less/policies.txt"
! sh "$folder/less/frontier.sh" "$build" >"$folder/log" 2>&1 || die "nobody misses the policy gtls"
grep -q 'policies.txt has no line for the policy gtls$' "$folder/log" || { cat "$folder/log" >&2; die "that gtls is missing is not said"; }
# Costs and benefits the other way round, and a unit that counts once where there are two.
for wrong in 's/cost\[q\] <= cost\[p\]/cost[q] >= cost[p]/' 's/c \* area/area/' 's/h\[p\] += 1 \/ r/h[p] += r/' 's/\$4 \* \$5 \* per_sm/$4 * per_sm/' 's/is != own/is == own/'; do
    sed "$wrong" tb/experiments/frontier/table.awk >"$folder/wrong.awk"
    ! cmp -s "$folder/wrong.awk" tb/experiments/frontier/table.awk || die "nothing to plant with $wrong"
    ! awk -v SMS=2 -f "$folder/wrong.awk" "$folder/units.txt" "$folder/points_units.txt" "$folder/energies.txt" "$folder/runs.txt" "$folder/points.txt" |
        cmp -s - "$folder/expected" || die "nothing notices $wrong"
done
echo "  OK       the frontier's table, page and picture; a missing policy and 5 wrong sums are noticed"
