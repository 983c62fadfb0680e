# Detects wrong messages for invalid commands and options; exit 64.
try
try rnu
try resume gas.h5
try --verbose
try run
a_scene > gas.yaml
try run gas.yaml other.yaml
try run gas.yaml --thread 3
try run gas.yaml -x
try run gas.yaml --force=1
try run gas.yaml --output
try run gas.yaml --output ''
try run gas.yaml --json
try check
try info
try verify
try export
try export gas.h5
try export gas.h5 --to stl
try init hrad
try help sceen
try help --completion tcsh
try run gas.yaml -o gas.yaml
try run gas.yaml --json gas.yaml
try run gas.yaml -o gas.h5 --json gas.h5
expect 'nothing was written' test "$(ls)" = gas.yaml
