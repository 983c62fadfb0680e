# Detects thermostats and transport coefficients whose output changes, changed results that pass verify, and accepted
# invalid scenes.
python=$(python_with h5py) || skip 'no h5py'
a_lossy_gas 0.2 30 '{thermostat: {temperature: 2, rate: 1}}' '[{what: power, every: 1}]' > bath.yaml
quiet_run bath.yaml
try verify bath.h5
# A frame with a wrong supplied energy.
cp bath.h5 t.h5
change_result t.h5 "h['carom/frames/dissipated'][2] += 1e-3"
"$CAROM" verify t.h5 | grep -E 'VIOLATED|energy budget'
# Invalid scenes.
for set in hard.thermostat.rate=-1 hard.thermostat.rate=0 hard.thermostat.temperature=0 hard.thermostat.kicks=1 \
    'hard.collapse={policy: sleep, speed: 1e-3}' 'observe.0.what=viscosity' \
    'observe.0.what=thermal_conductivity' engine=variational; do
    try check bath.yaml --set "$set"
done
sed -e '/thermostat/d' bath.yaml > fluid.yaml
try check fluid.yaml --set observe.0.what=viscosity --set observe.0.fit_from=-1
try check fluid.yaml --set observe.0.what=viscosity --set 'observe.0={what: viscosity}'
try run fluid.yaml --set 'observe.0={what: viscosity, every: 0.5, lags: 4, fit_from: 3}' --quiet
