# SPDX-License-Identifier: Apache-2.0
# tests/copied.sh: a copy of the tree in $out/tree, in which faults are planted and the machine is built and run. Sourced by bash
# with $build, a folder below build/, and $out set.
config=${build##*/} tree=$out/tree

# The copy: nothing of an older one stays but what was built.
copy_tree() {
    mkdir -p "$tree/build"
    find "$tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
    tar --exclude=./build --exclude=./.git -cf - . | tar -C "$tree" -xf -
    cp -p build/packages*.ok "$tree/build/"
    [ -d "$tree/build/common" ] || cp -a build/common "$tree/build/"
    [ -d "$tree/build/$config" ] || {
        mkdir "$tree/build/$config"
        tar -C "$build" --exclude=./glue --exclude=./sockets --exclude=./sample --exclude=./tests -cf - . |
            tar -C "$tree/build/$config" -xf -
    }
}

# remake [TARGET...]: builds there, the machine unless something else is asked for.
remake() { make -s -C "$tree" -j2 CONFIG="$config" "${@:-build}" >"$out/make.log" 2>&1; }

# run NAME OPTION... WORKLOAD: runs it there, observed. Prints the status; leaves NAME.log and NAME.json. PROFILE in an option is the
# profile of the workload that make_profile has left. Of WORKLOAD+WORKLOAD the captures that make_capture has left are replayed, beside each other.
run() {
    local name=$1 there=$tree/build/$config status=0 what
    shift
    set -- "${@//=PROFILE/=$out/${!#}.profile}"
    case ${!#} in
    *+*)
        what=${!#}
        what=(replay "${@:1:$#-1}" "$out/${what%+*}.capture" "$out/${what#*+}.capture")
        ;;
    *) what=(run "${@:1:$#-1}" -- "$there/workloads/${!#}" --size=small) ;;
    esac
    rm -f "$out/$name.json"
    timeout 300 "$there/heddle" "${what[0]}" --set run.observe=1 --fail="$out/fail" --stats="$out/$name.json" "${what[@]:1}" \
        >"$out/$name.log" 2>&1 </dev/null || status=$?
    echo "$status"
}

# make_capture WORKLOAD: its launches, as WORKLOAD.capture.
make_capture() {
    local there=$tree/build/$config
    timeout 300 "$there/heddle" run --capture="$out/$1.capture" -- "$there/workloads/$1" --size=small >"$out/capture.log" 2>&1 </dev/null
}

# make_profile WORKLOAD: what each of its loads does, on the machine as it is there now, as WORKLOAD.profile.
make_profile() {
    local there=$tree/build/$config
    timeout 300 "$there/heddle" run --profile="$out/$1.profile" -- "$there/workloads/$1" --size=small >"$out/profile.log" 2>&1 </dev/null
}
