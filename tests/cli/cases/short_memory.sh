# Detects memory limits under which a run crashes or leaves half a result instead of reporting too little memory.
[ "${CAROM_SANITIZE:-0}" = 0 ] || skip 'the sanitizers need more memory than the limits'
# limited KILOBYTES COMMAND...: the command with so much memory; its messages are in `message`.
limited() {
    (
        ulimit -v "$1"
        shift
        timeout 120 "$CAROM" "$@" > message 2>&1
    )
}
# With less than this the libraries that the command is linked with cannot be loaded.
loaded=16384
until limited $loaded --version || [ $loaded -gt 100000 ]; do loaded=$((loaded + 256)); done
loaded=$((loaded + 256)) # other arguments take a few pages more
refusal='^carom: error: out of memory(: there is no room for .+)?$'
a_scene 90000 0.001 > gas.yaml
"$CAROM" run gas.yaml -q -o earlier.h5
ran=0 refused=0
for ((more = 0; more <= 120000; more += 4096)); do
    rm -f gas.h5*
    cp earlier.h5 gas.h5
    limited $((loaded + more)) run gas.yaml -q --force
    case $? in
    0) ran=$((ran + 1)) ;;
    70)
        refused=$((refused + 1))
        grep -qE "$refusal" message || cat message
        cmp -s earlier.h5 gas.h5 || echo "$more: the earlier result is lost"
        ;;
    *) echo "$more: $?" && cat message ;;
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
for command in info verify 'export --to xyz -o read.xyz --force' 'export --to h5md -o read_h5md.h5 --force' 'plot -o read.svg --force' 'render -o read.png --force' shape; do
    for ((more = 0; more <= 80000; more += 512)); do
        # shellcheck disable=SC2086
        limited $((loaded + more)) $command read.h5
        case $? in
        0) break ;;
        70)
            refused=$((refused + 1))
            grep -qE "$refusal" message || cat message
            ;;
        *) echo "$command, $more: $?" && cat message ;;
        esac
    done
done
expect 'some reading is refused' test $refused -ge 5
