# Detects killed or stopped sweeps whose tables differ from an undisturbed one.
a_scene 256 120 | sed 's/frames: {every: 0.5}/frames: {every: 5}, checkpoint: {every_wall: 0.02}/' > gas.yaml
cat > sweep.yaml << 'END'
carom: 1
scene: gas.yaml
seeds: 3
parameters: {box.packing_fraction: [0.1, 0.2]}
measure: [stop, time, state_hash, events.collision, energy.kinetic, observables.energy.mean]
END
try sweep sweep.yaml -o whole -q
rows() { cat "$1"/rows*.jsonl 2> /dev/null | grep -c '}$'; }
child_of() { grep -ls "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status | head -n 1 | cut -d/ -f3; }
# Some runs have ended, and another has written a checkpoint and is not about to end.
in_the_middle() {
    [ "$(rows "$1")" -ge 1 ] && "$CAROM" info "$1"/runs/*.checkpoint 2> /dev/null | awk '$1 == "time" { early = $2 < 90 } END { exit !early }'
}
# held_in_the_middle SWEEP FOLDER : stops the process of its run there.
held_in_the_middle() {
    run=$(child_of "$1")
    [ -n "$run" ] && kill -s STOP "$run" 2> /dev/null || return 1
    in_the_middle "$2" && return
    kill -s CONT "$run"
    return 1
}
was_told() { ! grep -q '^ShdPnd:[[:space:]]*0*$' "/proc/$run/status"; }
# stop_in_the_middle SIGNAL SWEEP FOLDER : the sweep tells its run, unless it is killed.
stop_in_the_middle() {
    wait_for held_in_the_middle "$2" "$3"
    kill -s "$1" "$2"
    [ "$1" = KILL ] || wait_for was_told
    kill -s CONT "$run"
    wait "$2" 2> /dev/null
}
for signal in INT TERM KILL; do
    "$CAROM" sweep sweep.yaml -o $signal -q --jobs 1 &
    stop_in_the_middle $signal $! $signal
    echo "$signal: $?"
    expect 'some were not done' test "$(rows $signal)" -lt 6
    expect 'there are no tables yet' test ! -e $signal/table.csv
    [ $signal = KILL ] || expect 'a run can go on' bash -c "\"\$CAROM\" sweep sweep.yaml -o $signal -n | grep -q ^resume"
    before=$(head -n 1 $signal/rows.jsonl)
    # A row that the kill has cut short.
    [ $signal != KILL ] || printf '{"point": 2, "seed": 3, "exit": 0, "mess' >> $signal/rows.jsonl
    try sweep sweep.yaml -o $signal -q
    expect 'what was done is not done again' test "$before" = "$(head -n 1 $signal/rows.jsonl)" -a "$(rows $signal)" = 6
    expect 'the same rows' cmp whole/runs.csv $signal/runs.csv
    expect 'the same table' cmp whole/table.csv $signal/table.csv
    expect 'no checkpoint is left' bash -c "! compgen -G '$signal/runs/*.checkpoint' > /dev/null"
done
# A run whose row was not written any more is not lost either; its checkpoint is damaged: it begins anew.
"$CAROM" sweep sweep.yaml -o TERM2 -q --jobs 1 &
stop_in_the_middle TERM $! TERM2
for checkpoint in TERM2/runs/*.checkpoint; do echo junk > "$checkpoint"; done
try sweep sweep.yaml -o TERM2 -q
expect 'the same rows' cmp whole/runs.csv TERM2/runs.csv
# A killed run is a failure in its row, and is tried again. This one would not end by itself.
sed 's/time: 120/time: 1e9/' gas.yaml > endless.yaml
printf '%s\n' 'carom: 1' 'scene: endless.yaml' 'measure: [time]' > one.yaml
"$CAROM" sweep one.yaml -q &
process=$!
wait_for compgen -G 'one/runs/*.checkpoint' > /dev/null
# Meanwhile no other sweep works there.
try sweep one.yaml -q
kill -9 "$(child_of $process)"
wait $process
echo "its run was killed: $?"
tr -d '\r' < one/runs.csv
"$CAROM" sweep one.yaml -n | cut -c 1-16
"$CAROM" sweep one.yaml -q &
process=$!
wait_for compgen -G 'one/runs/*.messages' > /dev/null
kill $process
wait $process
echo "the next try was stopped: $?"
