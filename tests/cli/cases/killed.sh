# Detects runs that are killed repeatedly, also while they write, and end differently from an undisturbed one.
a_scene 256 200 | sed 's/frames: {every: 0.5}/frames: {every: 0.5}, checkpoint: {every_wall: 0.01}/' > gas.yaml
quiet_run gas.yaml -o whole.h5 --json whole.json
checkpoint=killed.h5.checkpoint
changed() { [ -e $checkpoint ] && ! [ $checkpoint -ef before ]; }
# The moment of the kill; also over where the run has ended before. Only what the shell does by itself: time is short.
moment() {
    while kill -0 "$process" 2> /dev/null; do
        case $1 in
        part) [ -e killed.h5.part ] || [ -e killed.h5 ] ;;
        result) [ -s killed.h5 ] ;;
        writing) [ -e $checkpoint.part ] || changed ;;
        written) changed ;;
        esac && return
    done
}
kills=0 ended=''
for what in part result written writing written writing written written writing written; do
    [ -z "$ended" ] || rm -f killed.h5*
    goes_on=''
    [ -e $checkpoint ] && goes_on=--resume
    [ -n "$goes_on" ] || rm -f killed.h5
    rm -f before
    [ -z "$goes_on" ] || ln $checkpoint before
    "$CAROM" run gas.yaml -o killed.h5 -q $goes_on 2> messages &
    process=$!
    moment "$what"
    kill -9 $process 2> /dev/null
    # On a machine that is busy elsewhere it may have come to its end before: the next one begins anew.
    ended=yes
    wait $process 2> /dev/null || ended=''
    [ -n "$ended" ] || kills=$((kills + 1))
    grep -v 'the run is finished' messages
    [ ! -e killed.h5 ] || "$CAROM" verify killed.h5 > report || cat report
done
expect 'most were killed' test $kills -ge 5
quiet_run gas.yaml -o killed.h5 --resume --json killed.json
expect 'the same state' test "$(hash_in whole.json)" = "$(hash_in killed.json)"
means() { sed -n '/"observables"/,$p' "$1"; }
expect 'the same observables' test "$(means whole.json)" = "$(means killed.json)"
expect 'nothing is left beside it' test "$(echo killed.h5*)" = 'killed.h5'
expect 'the result holds up' bash -c '"$CAROM" verify killed.h5 > /dev/null'
python=$(python_with h5py) || exit 0
"$python" "$CAROM_SOURCE/tests/cli/same_results.py" whole.h5 killed.h5 || echo 'the datasets differ'
