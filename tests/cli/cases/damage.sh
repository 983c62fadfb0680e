# Detects damaged, foreign or missing checkpoints that a run resumes from, or that do harm.
a_scene > gas.yaml
quiet_run gas.yaml -o whole.h5 --json whole.json
quiet_run gas.yaml -o good.h5 --set run.until.time=0.6 --keep-checkpoint
cp good.h5 part.h5
resume() {
    timeout 60 "$CAROM" run gas.yaml -o part.h5 -q --resume "$@" > out 2>&1
    echo "$? $(cat out)"
}
size=$(($(wc -c < good.h5.checkpoint)))
for cut in 0 1 15 16 20 24 31 32 40 60 500 $((size / 2)) $((size - 9)) $((size - 1)); do
    head -c "$cut" good.h5.checkpoint > part.h5.checkpoint
    resume
done
# (26: of the size, a byte that is 0, so that the file must seem too short.)
for place in 0 15 16 20 26 31 32 40 60 500 $((size / 2)) $((size - 9)) $((size - 1)); do
    cp good.h5.checkpoint part.h5.checkpoint
    byte=$(od -An -tu1 -j "$place" -N 1 good.h5.checkpoint)
    # shellcheck disable=SC2059
    printf "\\x$(printf %x $((byte ^ 255)))" | dd of=part.h5.checkpoint bs=1 seek="$place" conv=notrunc 2> /dev/null
    resume
done
{ cat good.h5.checkpoint && echo; } > part.h5.checkpoint
resume
a_scene > part.h5.checkpoint
resume
rm part.h5.checkpoint
mkdir part.h5.checkpoint
resume
rmdir part.h5.checkpoint
resume
expect 'the result is untouched' cmp good.h5 part.h5
# The result next to a valid checkpoint.
cp good.h5.checkpoint part.h5.checkpoint
rm part.h5
resume
for cut in 0 100 3000; do
    head -c "$cut" good.h5 > part.h5
    resume
    cp good.h5.checkpoint part.h5.checkpoint
done
a_scene > part.h5
resume
quiet_run gas.yaml -o other.h5 --set run.until.time=0.1
cp other.h5 part.h5
resume
# Other builds and formats; the checksum is right.
python=$(python_with struct) || skip 'no python'
patched() { # patched WHAT VALUE
    cp good.h5 part.h5
    cp good.h5.checkpoint part.h5.checkpoint
    "$python" "$CAROM_SOURCE/tests/cli/checkpoint.py" part.h5.checkpoint "$@"
}
own=$("$CAROM" --version | sed -E 's/carom ([^ ]+) \((.*)\)/\1 (\2)/')
masked() { sed "s/${own//./\\.}/OURS/g; s/(${own#*(}/(COMMIT)/g; s/carom ${own% *} /carom VERSION /g"; }
patched format 99
resume | masked
patched version 9.9.9
resume | masked
patched commit 0123456789ab
resume | masked
resume --force --json part.json | masked
expect 'it goes on to the same state' test "$(hash_in whole.json)" = "$(hash_in part.json)"
