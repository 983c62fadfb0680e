# Detects measures that no run can have and that are not refused before the first run; names as in `carom info`, or
# paths.
a_scene 32 2 | sed 's/.*what: energy.*/  - {what: msd, every: 0.1}\n  - {what: pressure, every: 0.1}/' > gas.yaml
sweep_of() {
    printf '%s\n' 'carom: 1' 'scene: gas.yaml' 'seeds: 2' "measure: [$1]" > some.yaml
}
for wrong in energy.totl msd.difusion observables.msd.median box momentum.x events.merges steps.count collision_rate observables.collision_rate.mean; do
    sweep_of "$wrong"
    try sweep some.yaml
done
expect 'nothing was made' test ! -e some
sweep_of 'msd.diffusion, msd, pressure.compressibility, observables.pressure.mean, momentum.1, events.total'
try sweep some.yaml -q
tr -d '\r' < some/runs.csv | head -n 1
expect 'short names are the paths' bash -c 'tr -d "\r" < some/runs.csv | awk -F, "NR > 1 && (\$5 == \"\" || \$5 != \$6) { exit 1 }"'
tr -d '\r' < some/table.csv | head -n 1
expect 'means say how many have converged' bash -c 'tr -d "\r" < some/table.csv | awk -F, "\$2 ~ /^(msd|pressure|observables)/ { means++; if (\$NF == \"\") exit 1 } \$2 ~ /^(momentum|events)/ && \$NF != \"\" { exit 1 } END { exit means != 4 }"'
# All that summaries hold can be measured, whatever the engine.
for engine in hard aggregation variational; do
    sed "s/^engine: .*/engine: $engine/" gas.yaml | if [ $engine = hard ]; then cat; else sed 's/what: pressure/what: energy/'; fi > one.yaml
    quiet_run one.yaml -o $engine.h5 --json $engine.json
    paths=$(awk -f "$CAROM_SOURCE/tools/json.awk" $engine.json | awk '{ print $1 }' | grep -vE '(quantity|setting)$' | paste -sd,)
    sweep_of "$paths"
    sed -i 's/scene: .*/scene: one.yaml/; s/seeds: 2/seeds: 1/' some.yaml
    expect "$engine: every number of a summary is a measure" bash -c '"$CAROM" sweep some.yaml -q --dry-run -o '$engine' > /dev/null'
done
