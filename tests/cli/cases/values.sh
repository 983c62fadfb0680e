# Detects accepted invalid values of --seed, --threads and --set; exit 64.
a_scene > gas.yaml
for seed in abc -1 1.5 1e3 18446744073709551616 '' ' 1' 0x10; do
    try run gas.yaml --seed "$seed"
done
for threads in 0 -1 two 1025 99999999999999999999 ''; do
    try run gas.yaml --threads "$threads"
done
for set in '' foo =1 =; do
    try run gas.yaml --set "$set"
done
