# What several cases do with results, their scenes and summaries; $python is one with h5py.
# shellcheck shell=bash

# change_result RESULT PYTHON... : statements about the file, h, and its particles, p.
change_result() {
    "$python" - "$@" << 'END'
import sys
import h5py
import numpy
with h5py.File(sys.argv[1], "r+") as h:
    p = h.get("particles/all")
    for statement in sys.argv[2:]:
        exec(statement)
END
}

# changed_copy RESULT PYTHON : says what is changed, in a copy: t.h5.
changed_copy() {
    cp "$1" t.h5
    echo "# $2"
    change_result t.h5 "$2"
}

# complaints RESULT : what `carom verify` has to say of it, without numbers.
complaints() {
    "$CAROM" verify "$1" | grep -E 'VIOLATED|frame [0-9]' | sed -E 's/-?[0-9]+\.[0-9]+(e-?[0-9]+)?/NUMBER/g'
}

# stored_scene RESULT : the scene that it keeps, on standard output.
stored_scene() {
    "$python" -c 'import h5py, sys
text = h5py.File(sys.argv[1])["carom"].attrs["scene"]
print(text if isinstance(text, str) else text.decode(), end="")' "$1"
}

# same_state RESULT RESULT
same_state() {
    diff <("$CAROM" info "$1" | grep 'state hash') <("$CAROM" info "$2" | grep 'state hash') && echo 'the same state'
}

# stop_in SUMMARY, hash_in SUMMARY : why the run ended, and where.
stop_in() { grep -oE '"stop": *"[a-z_]+"' "$1"; }
hash_in() { grep -oE '"state_hash": *"[0-9a-f]+"' "$1"; }

# check_changed SCENE SED-SCRIPT : what is said of a scene with a mistake, bad.yaml.
check_changed() {
    sed -E "$2" "$1" > bad.yaml
    try check bad.yaml
}

# check_with SCENE KEY=VALUE...
check_with() {
    local scene=$1 override sets=()
    for override in "${@:2}"; do sets+=(--set "$override"); done
    try check "$scene" "${sets[@]}"
}
