# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tb/experiments/models/pdvfs.sh: part of models.sh. Programs with each clock of the SMs, what policies choose, and what the unit dvfs does with the power
# that the model has fitted. A period has 1,000 cycles, and a change of the clock takes 7: programs are shorter than the thesis's, and the shares stay
# (30 ms, 0.7 %).
export goals="5 10 15 20" clocks="3 4 5 6" period=1000 settle=7
pdvfs_run() { # FILE PROGRAM OPTION...
    local file=$1 program=$2 arguments
    shift 2
    read -ra arguments < <(awk -v name="$program" '$1 == name { $1 = ""; print }' "$out/programs")
    make_file "$file" "$build/heddle" run --sched=gto "$@" --stats="$file" -- "$build/workloads/$program" "${arguments[@]}"
}
pdvfs_clock() { # PROGRAM SIXTHS
    pdvfs_run "$out/$1.$2.json" "$1" --set sm.clock="$2"
}
pdvfs_model() { # PROGRAM
    local clock list='' goal options=()
    for clock in $clocks; do list="$list,$out/$1.$clock.json"; done
    for goal in $goals; do options+=(--goal="$goal"); done
    answer "$out/$1.model" pdvfs --period="$period" "${options[@]}" "${list#,}"
}
# The unit as the model says that it is to be set. P and F: what software does, 33 periods between two control points; P_8: 8.
export units="P F P_8"
pdvfs_unit() { # PROGRAM UNIT GOAL
    local settings software control=33
    case $2 in
    P) software=1 ;;
    F) software=2 ;;
    P_8) software=1 control=8 ;;
    esac
    read -ra settings < <(sed -n 's/^settings: //p' "$out/$1.model.txt")
    pdvfs_run "$out/$1.unit.$2.$3.json" "$1" "${settings[@]}" \
        --set dvfs.software="$software" --set dvfs.goal="$3" --set dvfs.scaling="$period" --set dvfs.control="$control" --set dvfs.settle="$settle"
}
# CYCLES NANOJOULES of a run.
pdvfs_numbers() { # FILE
    echo "$("$build/heddle" report --get=totals.cycles "$1") $("$build/heddle" report --get=totals.energy.total "$1")"
}
# The rows of the model, and beside them those of runs by clock and by unit, with time over that of the highest clock and energy over that of the oracle.
pdvfs_rows() { # PROGRAM
    local goal clock unit numbers
    for clock in $clocks; do # the highest is the last
        numbers=$(pdvfs_numbers "$out/$1.$clock.json")
        for goal in $goals; do echo "clock_$clock $goal $numbers"; done
    done >"$out/$1.runs"
    for unit in $units; do
        for goal in $goals; do echo "unit_$unit $goal $(pdvfs_numbers "$out/$1.unit.$unit.$goal.json")"; done
    done >>"$out/$1.runs"
    awk -v name="$1" -v runs="$out/$1.runs" -v highest="${numbers% *}" 'BEGIN { FS = OFS = "," }
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "name,goal,policy,seconds,joules,slower,over_oracle"; next }
        { print name, $at["goal"], $at["policy"], $at["seconds"], $at["joules"], $at["slower"], $at["over_oracle"] }
        $at["policy"] == "oracle" { joules[$at["goal"]] = $at["joules"] }
        $at["policy"] == "N-DVFS" { seconds[$at["goal"]] = $at["seconds"] }
        END {
            FS = " "
            while ((getline <runs) > 0) if ($1 != "clock_6") # which is N-DVFS
                print name, $2, $1, seconds[$2] * $3 / highest, $4 * 1e-9, 100 * ($3 / highest - 1), 100 * ($4 * 1e-9 / joules[$2] - 1)
        }' "$out/$1.model.csv" >"$out/$1.csv"
}
pdvfs() {
    local name clock goal unit
    for name in "${programs[@]}"; do
        for clock in $clocks; do echo "$name $clock"; done
    done | each pdvfs_clock
    printf '%s\n' "${programs[@]}" | each pdvfs_model
    for name in "${programs[@]}"; do
        for goal in $goals; do
            for unit in $units; do echo "$name $unit $goal"; done
        done
    done | each pdvfs_unit
    printf '%s\n' "${programs[@]}" | each pdvfs_rows
    for name in "${programs[@]}"; do echo "$out/$name.csv"; done >"$files"
}
export -f pdvfs_run pdvfs_numbers
