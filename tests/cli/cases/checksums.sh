# Detects files without checksums that are no longer read, damage to files with checksums that passes, and wrong
# compression.
for name in layout-1.h5 layout-1.h5.checkpoint; do gunzip -c "$CAROM_SOURCE/tests/cli/files/$name.gz" > "$name"; done
cp "$CAROM_SOURCE/tests/cli/files/layout-1.yaml" .
"$CAROM" info layout-1.h5 | grep -E '^(title|frames|state hash)'
try verify layout-1.h5 | head -n 2
# Its checkpoint is of a version whose engines kept another state.
try run layout-1.yaml -o layout-1.h5 --resume -q --set run.until.time=4
# A finished result whose checkpoint has the state before events were recorded: readable, but not to be continued, not even with --force.
gunzip -c "$CAROM_SOURCE/tests/cli/files/format-2.h5.gz" > format-2.h5
cp "$CAROM_SOURCE/tests/cli/files/format-2.yaml" .
try verify format-2.h5 | head -n 2
try run format-2.yaml --resume --force -q --set run.until.time=4
expect 'the refused result is as it was' sh -c "gunzip -c '$CAROM_SOURCE/tests/cli/files/format-2.h5.gz' | cmp - format-2.h5"
python=$(python_with h5py) || skip 'no h5py'
# A heap of texts without checksums: HDF5 must not crash on it.
cp "$CAROM_SOURCE/tests/cli/files/layout-1.h5.gz" . && gunzip -f layout-1.h5.gz
"$python" - << 'END'
data = bytearray(open("layout-1.h5", "rb").read())
at = data.index(b"GCOL") + 16
data[at : at + 2] = b"\xff\x7f"
open("heap.h5", "wb").write(data)
data[at + 8 : at + 16] = b"\xff" * 8
open("heap2.h5", "wb").write(data)
END
for file in heap.h5 heap2.h5; do
    "$CAROM" info $file > /dev/null 2> message
    case $? in 0 | 65) ;; *) echo "$file: $?" && cat message ;; esac
done
# Every command that reads damaged data names them.
a_scene 200 0.2 > gas.yaml
quiet_run gas.yaml --keep-checkpoint --set 'observe=[{what: energy, every: 0.1}]'
chunk() { # chunk DATASET INDEX : where a chunk of it lies, and its bytes
    "$python" - "$@" << 'END'
import sys, h5py
info = h5py.File("gas.h5")[sys.argv[1]].id.get_chunk_info(int(sys.argv[2]))
print(info.byte_offset, info.size)
END
}
flip() { # flip DATASET INDEX : a bit in the middle
    local at size byte
    cp gas.h5 t.h5
    read -r at size < <(chunk "$@")
    at=$((at + (size < 64 ? size / 2 : 20)))
    byte=$(od -An -tu1 -j $at -N 1 gas.h5)
    # shellcheck disable=SC2059
    printf "\\x$(printf %x $((byte ^ 8)))" | dd of=t.h5 bs=1 seek=$at conv=notrunc 2> /dev/null
}
for dataset in particles/all/position/value particles/all/radius carom/frames/kinetic carom/scene carom/complete \
    carom/observables/energy/kinetic/value; do
    flip $dataset 0
    echo "# $dataset"
    try info t.h5
done
flip particles/all/position/value 0
for command in verify 'export --to xyz' 'export --to vtp' 'shape --frame 0' 'render -o t.png --frame 0'; do
    # shellcheck disable=SC2086
    try $command t.h5
done
flip carom/observables/energy/kinetic/value 0
try plot t.h5 -o t.svg
# A block of zeros has a right checksum of HDF5's, and so do blocks that have changed places.
read -r one size < <(chunk particles/all/position/value 0)
read -r two size < <(chunk particles/all/position/value 1)
cp gas.h5 t.h5
dd if=/dev/zero of=t.h5 bs=1 seek="$one" count="$size" conv=notrunc 2> /dev/null
try info t.h5
cp gas.h5 t.h5
dd if=gas.h5 of=t.h5 bs=1 skip="$one" seek="$two" count="$size" conv=notrunc 2> /dev/null
dd if=gas.h5 of=t.h5 bs=1 skip="$two" seek="$one" count="$size" conv=notrunc 2> /dev/null
try info t.h5
# A damaged result is not resumed.
flip particles/all/velocity/value 0
cp gas.h5.checkpoint t.h5.checkpoint
try run gas.yaml -o t.h5 --resume --set 'observe=[{what: energy, every: 0.1}]' --set run.until.time=9
# Compressed files hold the same.
quiet_run gas.yaml -o small.h5 --keep-checkpoint --set 'observe=[{what: energy, every: 0.1}]' --set output.compression=9
"$python" "$CAROM_SOURCE/tests/cli/same_results.py" gas.h5 small.h5 && echo 'the same numbers'
expect 'smaller' test "$(wc -c < small.h5)" -lt "$(wc -c < gas.h5)"
try verify small.h5 | head -n 2
try check gas.yaml --set output.compression=10
