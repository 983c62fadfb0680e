# Detects tables of observables that lack rows of the result, or digits of its numbers.
a_scene 32 1 | sed 's/^observe:/observe:\n  - {what: pressure, every: 0.1}\n  - {what: velocity_distribution, every: 0.5}/' > gas.yaml
quiet_run gas.yaml
try export gas.h5 --to csv --what energy
head -n 1 gas-energy.csv
expect 'a row a sample' test "$("$CAROM" info gas.h5 | sed -n 's|^  energy/energy: \([0-9]*\) samples.*|\1|p')" = "$(($(wc -l < gas-energy.csv) - 1))"
# The last frame and the last sample are of the same time.
expect 'the energy is that of the particles' awk -F, '
    NR == FNR { if (FNR > 1) { if ($2 != time) { time = $2; sum = 0 } sum += ($8 * $8 + $9 * $9 + $10 * $10) * $15 / 2; kinetic[time] = sum } next }
    FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "kinetic") column = i }
    FNR > 1 && $1 in kinetic { seen++; off = $column / kinetic[$1] - 1; if (off * off > 1e-24) exit 1 }
    END { exit seen < 2 }' <("$CAROM" export gas.h5 --to csv -o particles.csv 2> /dev/null; cat particles.csv) gas-energy.csv
try export gas.h5 --to csv --what energy
try export gas.h5 --to csv --what velocity_distribution/speeds -o speeds.csv
head -n 1 speeds.csv
try export gas.h5 --to csv --what presure
try export gas.h5 --to csv --what pressure/none
try export gas.h5 --to xyz --what pressure
try export gas.h5 --what pressure
