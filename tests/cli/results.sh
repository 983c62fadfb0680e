# Functions of several cases for results, their scenes and summaries; $python is a Python with h5py.
# shellcheck shell=bash

# change_result RESULT PYTHON... : statements on the file, h, and its particles, p. The digests are removed, so that the
# changed numbers appear to be the original ones; the digest of `complete` is recomputed.
change_result() {
    "$python" - "$@" << 'END'
import sys
import h5py
import numpy
def rotate(x, bits):
    return (x << bits | x >> 64 - bits) % 2**64
def digest(words):  # base/hash.c
    h = 0xcbf29ce484222325
    for word in words:
        value = rotate(int(word) * 0x87c37b91114253d5 % 2**64, 31) * 0x4cf5ad432745937f % 2**64
        h = (rotate(h ^ value, 27) * 5 + 0x52dce729) % 2**64
    for factor in (0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53):
        h = (h ^ h >> 33) * factor % 2**64
    return h ^ h >> 33
with h5py.File(sys.argv[1], "r+") as h:
    p = h.get("particles/all")
    names = []
    h.visit(names.append)
    for name in names:
        h[name].attrs.pop("digest", None)
    for name in names:
        if name.endswith("/digest"):
            del h[name]
    for statement in sys.argv[2:]:
        exec(statement)
    if "carom/complete" in h:
        complete = h["carom/complete"][:]
        complete[-1] = digest(complete[:-1])
        h["carom/complete"][:] = complete
END
}

# changed_copy RESULT PYTHON : prints the change and applies it to a copy, t.h5.
changed_copy() {
    cp "$1" t.h5
    echo "# $2"
    change_result t.h5 "$2"
}

# complaints RESULT : the violations that `carom verify` reports, without numbers.
complaints() {
    "$CAROM" verify "$1" | grep -E 'VIOLATED|frame [0-9]' | sed -E 's/-?[0-9]+\.[0-9]+(e-?[0-9]+)?/NUMBER/g'
}

# stored_scene RESULT : the scene in the result, on standard output.
stored_scene() {
    "$python" -c 'import h5py, sys
print(bytes(h5py.File(sys.argv[1])["carom/scene"][:]).decode(), end="")' "$1"
}

# same_state RESULT RESULT
same_state() {
    diff <("$CAROM" info "$1" | grep 'state hash') <("$CAROM" info "$2" | grep 'state hash') && echo 'the same state'
}

# stop_in SUMMARY, hash_in SUMMARY : the stop reason of the run, and the hash of its last state.
stop_in() { grep -oE '"stop": *"[a-z_]+"' "$1"; }
hash_in() { grep -oE '"state_hash": *"[0-9a-f]+"' "$1"; }

# check_changed SCENE SED-SCRIPT : the messages for a scene with an error, bad.yaml.
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
