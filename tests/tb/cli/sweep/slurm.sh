#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tb/cli/sweep/slurm.sh BUILD_DIR: `heddle sweep --engine=slurm` on a Slurm of one machine, made for this test alone: its own
# key, ports and folders, under the user who runs it. The results must be those of the local engine: undisturbed, after the
# sweep is killed while its array goes on, and after it is interrupted. Arrays have less elements than there are points. Needs Debian's slurmctld, slurmd, slurm-client and munge.
set -euo pipefail
for program in slurmctld slurmd sbatch squeue scancel munged; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null || {
        echo "Slurm is not installed ($program is missing): not tried"
        exit 0
    }
done
export PATH=$PATH:/usr/sbin
heddle=$(realpath "$1")/heddle
folder=$(mktemp -d)
cd "$folder"
mkdir state spool
chmod 755 "$folder"
trap 'kill $(cat ./*.pid 2>/dev/null) 2>/dev/null || true; sleep 0.5; rm -rf "$folder"' EXIT

start() {
    head -c 1024 /dev/urandom >key && chmod 600 key
    munged --force --key-file="$folder/key" --socket="$folder/munge" --pid-file="$folder/munged.pid" \
        --log-file="$folder/munged.log" --seed-file="$folder/seed" 2>/dev/null
    cat >slurm.conf <<END
ClusterName=heddle
SlurmctldHost=$(hostname -s)(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$folder/munge
CredType=cred/munge
SlurmctldPort=$((20000 + $$ % 20000))
SlurmdPort=$((40000 + $$ % 20000))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
MaxArraySize=5
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=1,sched_interval=2
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF=$folder/slurm.conf
    slurmctld
    slurmd
    for _ in $(seq 60); do
        ! sinfo --noheader --format=%t 2>/dev/null | grep -q '^idle' || return 0
        sleep 0.5
    done
    echo "this Slurm does not start:"
    tail -n 5 ./*.log
    exit 1
}
start

cat >points.ini <<END
[good]
workload = vecadd, spmv
size = small
run.deadlock_cycles = 100001..100003
run.sched = lrr, gto
[refused]
workload = vecadd
args = --no-such-option
END
check() { # NAME STATUS EXPECTED_STATUS: its results are those of the local engine
    if [ "$2" != "$3" ]; then
        echo "FAILED: $1: status $2, expected $3"
        cat "$1.said"
        exit 1
    fi
    "$heddle" sweep --from="$1.sqlite" --csv="$1.csv"
    cmp local.csv "$1.csv" || { echo "FAILED: $1: other results than the local engine's"; exit 1; }
    [ ! -e "$1.sqlite.tasks" ] || { echo "FAILED: $1: $(ls "$1.sqlite.tasks") is left"; exit 1; }
    echo "passed: $1"
}
sweep() { "$heddle" sweep --engine=slurm --jobs=2 --results="$1.sqlite" points.ini >"$1.said" 2>&1; }
until_ready() { # NAME COUNT
    local ready
    for _ in $(seq 600); do
        ready=$("$heddle" sweep --from="$1.sqlite" --csv=now.csv 2>/dev/null && grep -cE ',(done|broken),' now.csv) || true
        [ "${ready:-0}" -lt "$2" ] || return 0
        sleep 0.2
    done
    echo "FAILED: $1: $2 points were never ready"
    exit 1
}

status=0 && "$heddle" sweep --results=local.sqlite --csv=local.csv points.ini >local.said 2>&1 || status=$?
check local $status 1

status=0 && sweep undisturbed || status=$?
check undisturbed $status 1

sweep killed &
until_ready killed 3
kill -9 "$(pgrep -P $! -x heddle || echo $!)" 2>/dev/null || true
wait $! 2>/dev/null || true
status=0 && "$heddle" sweep --results=killed.sqlite points.ini >killed.said 2>&1 || status=$?
[ $status = 2 ] && grep -q 'expected --engine=slurm' killed.said || { echo "FAILED: the local engine ran beside an array"; exit 1; }
status=0 && sweep killed || status=$?
grep -q 'of an earlier sweep is waited for' killed.said || { echo "FAILED: killed: the array was forgotten"; exit 1; }
check killed $status 1

sweep interrupted &
until_ready interrupted 3
kill -INT "$(pgrep -P $! -x heddle || echo $!)"
status=0 && wait $! || status=$?
[ $status = 130 ] || { echo "FAILED: interrupted: status $status, expected 130"; cat interrupted.said; exit 1; }
[ -z "$(squeue --noheader --states=RUNNING,PENDING)" ] || { echo "FAILED: interrupted: the array goes on"; exit 1; }
status=0 && sweep interrupted || status=$?
points=$(sed -n 's/^array [0-9]*: \([0-9]*\) points$/\1/p' interrupted.said)
[ "${points:-13}" -le 10 ] || { echo "FAILED: interrupted: ${points:-no} points were submitted again, of 13"; exit 1; }
check interrupted $status 1
