# Nothing is replaced without --force.
a_scene > gas.yaml
quiet_run gas.yaml
before=$(cksum < gas.h5)
try run gas.yaml
expect 'the result is untouched' test "$before" = "$(cksum < gas.h5)"
quiet_run gas.yaml --force
try export gas.h5 --to xyz
try export gas.h5 --to xyz
try export gas.h5 --to xyz --force
