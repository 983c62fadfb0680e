# Detects wrong output of sheared boxes, changed results that pass verify, and accepted invalid scenes.
python=$(python_with h5py) || skip 'no h5py'
a_lossy_gas 0.3 60 '{shear: {rate: 1}}' \
    '[{what: shear_viscosity, every: 1}, {what: power, every: 1}, {what: temperature, every: 1}]' > shear.yaml
quiet_run shear.yaml
try verify shear.h5
# The box in H5MD: the edge along y is tilted by the displacement of the image above.
"$python" -c "import h5py
h = h5py.File('shear.h5')
e = h['particles/all/box/edges/value'][:]
t = h['particles/all/position/time'][:]
print('edges', e.shape, 'rate', h['carom'].attrs['shear'])
turns = [(e[n][1][0] - t[n] * e[n][1][1]) / e[n][0][0] for n in range(len(t))]
print('the lean is rate * height * time, less whole boxes:', all(abs(x - round(x)) < 1e-9 for x in turns))"
change() { # change PYTHON : with h as the file
    changed_copy shear.h5 "$1"
    "$CAROM" verify t.h5 | grep -E 'VIOLATED|sound|overlaps|energy budget' | sed -E 's/-?[0-9]+\.[0-9]+(e-?[0-9]+)?/NUMBER/g'
}
change "p['box/edges/value'][4, 1, 0] += 1"
change "h['carom/frames/dissipated'][2] += 1e-3"
# Invalid scenes.
for set in 'box.boundary=[periodic, wall, periodic]' 'box.boundary=[periodic, periodic, open]' 'fields={gravity: [0, -1, 0]}' \
    'hard.thermostat={temperature: 1, rate: 1}' 'hard.collapse={policy: sleep, speed: 1e-3}' hard.shear.rate=fast \
    hard.shear.along=x hard.shear.rate=0 'observe.0={what: viscosity, every: 1}'; do
    try check shear.yaml --set "$set"
done
for what in msd vacf radial_distribution; do try check shear.yaml --set "observe.0.what=$what" --set observe.0.every=0.1; done
