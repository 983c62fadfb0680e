#!/usr/bin/env bash
# Detects a contact that the k-DOPs of bench/broad_phase miss: the benchmark would then compare unequal amounts of work.
set -eu
export LC_ALL=C
failed=0
expect() { # NAME PROGRAM ARGUMENT...
    local name=$1 bench=$CAROM_BUILD/$2 said
    shift 2
    [ -x "$bench" ] || { echo "$bench is not built"; exit 77; }
    said=$("$bench" "$@")
    [[ $said =~ ([0-9]+)" pairs in contact at 10 checks, "([0-9]+)" of them missing" ]] || { echo "$name: $said"; exit 1; }
    echo "$name: ${BASH_REMATCH[1]} pairs in contact, ${BASH_REMATCH[2]} missing"
    [ "${BASH_REMATCH[1]}" -gt 20 ] && [ "${BASH_REMATCH[2]}" -eq 0 ] || failed=1
}
expect "disks" bench_broad_phase_2d "$CAROM_SOURCE/examples/disks-in-a-box.yaml" 0 0.3
expect "disks, after each kick" bench_broad_phase_2d --kicks "$CAROM_SOURCE/examples/disks-in-a-box.yaml" 0 0.1
expect "cloths" bench_broad_phase_3d "$CAROM_SOURCE/examples/cloths-on-spikes.yaml" 0.05 0.06
exit $failed
