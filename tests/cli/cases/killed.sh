# A run that is killed over and over, also while it writes, ends as one that was left alone.
a_scene 256 200 | sed 's/frames: {every: 0.5}/frames: {every: 0.5}, checkpoint: {every_wall: 0.01}/' > gas.yaml
quiet_run gas.yaml -o whole.h5 --json whole.json
inode() { stat -c %i killed.h5.checkpoint 2> /dev/null; }
# What has to happen before the kill; 60 seconds at most, or the end of the run.
moment() {
    local before=$1 what=$2 tries=0
    while [ "$tries" -lt 60000 ] && kill -0 "$process" 2> /dev/null; do
        case $what in
        part) [ -e killed.h5.part ] && return ;;
        result) [ -s killed.h5 ] && return ;;
        writing) [ -e killed.h5.checkpoint.part ] && return ;;
        written) [ "$(inode)" != "$before" ] && return ;;
        esac
        tries=$((tries + 1))
    done
}
kills=0
for what in part result written writing written writing written written writing written; do
    goes_on=''
    [ -e killed.h5.checkpoint ] && goes_on=--resume
    [ -z "$goes_on" ] && rm -f killed.h5
    before=$(inode)
    "$CAROM" run gas.yaml -o killed.h5 -q $goes_on 2> messages &
    process=$!
    moment "$before" "$what"
    kill -9 $process 2> /dev/null && kills=$((kills + 1))
    wait $process 2> /dev/null
    [ ! -s messages ] || cat messages
    [ ! -e killed.h5 ] || timeout 60 "$CAROM" verify killed.h5 > report || cat report
done
expect 'most were killed' test $kills -ge 5
quiet_run gas.yaml -o killed.h5 --resume --json killed.json
hash() { grep -oE '"state_hash": *"[0-9a-f]+"' "$1"; }
expect 'the same state' test "$(hash whole.json)" = "$(hash killed.json)"
means() { sed -n '/"observables"/,$p' "$1"; }
expect 'the same observables' test "$(means whole.json)" = "$(means killed.json)"
expect 'nothing is left beside it' test "$(echo killed.h5*)" = 'killed.h5 killed.h5.checkpoint'
expect 'the result holds up' bash -c '"$CAROM" verify killed.h5 > /dev/null'
python=$(python_with h5py) || exit 0
"$python" "$CAROM_SOURCE/tests/cli/same_results.py" whole.h5 killed.h5 || echo 'the datasets differ'
