# Detects changed results whose fault verify does not name (exit 77), and commands that fail on missing data.
python=$(python_with h5py) || skip 'no h5py'
a_scene > gas.yaml
quiet_run gas.yaml
change() { # change PYTHON : with h as the file
    changed_copy gas.h5 "$1"
    try "${2:-verify}" t.h5
}
change "p['position/value'][1, 3] = p['position/value'][1, 4]"
change "p['position/value'][1, 3] = [100, 0, 0]"
change "p['velocity/value'][2, 3] = numpy.nan"
change "p['velocity/value'][2, 3] *= 3" | sed -E 's/-?[0-9.]+e-1[0-9]/ROUNDING/'
change "p['mass'][0] = -1"
change "h['carom/frames/time'][2] = 0.1"
change "p['velocity/value'].resize(2, axis=0)"
change "p['velocity/value'].resize(2, axis=0)" info
change "h['carom/complete'][0] = 99"
change "del h['particles/all/position/value']"
change "del h['carom']"
change "del h['carom'], h['h5md']"
change "del h['carom'].attrs['seed']"
change "h['carom'].attrs['boundary'] = ['round'] * 3"
change "h['carom'].attrs.modify('layout', numpy.int32(99)); h['carom'].attrs['version'] = '9.9.9'; h['carom'].attrs['commit'] = 'abc'" info
for cut in 8 100 2000 20000; do
    head -c $cut gas.h5 > cut.h5
    try info cut.h5
done
head -c 5000 "$CAROM" > garbage.h5
for command in info verify 'export --to xyz'; do
    # shellcheck disable=SC2086
    try $command garbage.h5
done
