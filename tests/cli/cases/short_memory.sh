# Detects memory limits under which a run crashes or leaves half a result instead of reporting too little memory.
[ "${CAROM_SANITIZE:-0}" = 0 ] || skip 'the sanitizers need more memory than the limits'
a_scene 90000 0.001 > gas.yaml
ran=0 refused=0
for ((megabytes = 20; megabytes <= 160; megabytes += 5)); do
    rm -f gas.h5* message
    (
        ulimit -v $((megabytes * 1024))
        timeout 120 "$CAROM" run gas.yaml -q > message 2>&1
    )
    case $? in
    0) ran=$((ran + 1)) ;;
    70)
        refused=$((refused + 1))
        grep -qE '^carom: error: out of memory(: there is no room for .+)?$' message || cat message
        [ ! -e gas.h5 ] || timeout 60 "$CAROM" info gas.h5 > /dev/null || echo "$megabytes: the result is broken"
        ;;
    127) grep -qE 'shared (object|libraries)' message || cat message ;; # the loader had too little
    *) echo "$megabytes: $?" && cat message ;;
    esac
done
expect 'some are refused' test $refused -ge 5
expect 'some run' test $ran -ge 1
# Text of any size is refused alike.
{
    a_scene | sed '/^ *- {species/d; s/packing_fraction: 0.2/size: [300000, 3, 3]/; /^run/,$d'
    echo '  - {species: grain, place: {at: ['
    for ((i = 0; i < 100000; i++)); do echo "[$i, 0, 0],"; done
    echo '[150000, 0, 0]]}}'
    echo 'run: {until: {time: 1}}'
} > listed.yaml
timeout 120 "$CAROM" check --trial 0 listed.yaml | head -n 1
for megabytes in 30 35 40 45 50; do
    (
        ulimit -v $((megabytes * 1024))
        timeout 120 "$CAROM" check --trial 0 listed.yaml > /dev/null 2>> refusals
    )
done
expect 'the reader says what it needs' grep -q '^carom: error: out of memory: there is no room for reading the scene (' refusals
# So do the commands that read: too little memory is no damage, and cairo is not missing.
a_scene 3000 0.2 > read.yaml
"$CAROM" run read.yaml -o read.h5 -q --set 'observe=[{what: energy, every: 0.1}]'
refused=0
for command in info verify 'export --to xyz -o read.xyz --force' 'plot -o read.svg --force' 'render -o read.png --force' shape; do
    for ((megabytes = 16; megabytes <= 120; megabytes += 4)); do
        (
            ulimit -v $((megabytes * 1024))
            # shellcheck disable=SC2086
            timeout 120 "$CAROM" $command read.h5 > /dev/null 2> message
        )
        case $? in
        0) break ;;
        70)
            refused=$((refused + 1))
            grep -qE '^carom: error: out of memory(: there is no room for .+)?$' message || cat message
            ;;
        127) grep -qE 'shared (object|libraries)' message || cat message ;;
        *) echo "$command, $megabytes: $?" && cat message ;;
        esac
    done
done
expect 'some reading is refused' test $refused -ge 5
