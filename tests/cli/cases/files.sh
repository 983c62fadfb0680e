# Detects wrong messages for missing or unusable files.
try run missing.yaml
try check missing.yaml
try info missing.h5
try verify missing.h5
try export missing.h5 --to xyz
mkdir folder
try run folder
try info folder
echo 'not a result' > text.h5
try info text.h5
try verify text.h5
try export text.h5 --to csv
a_scene > gas.yaml
try run gas.yaml -o missing/gas.h5
try run gas.yaml --json missing/gas.json
try run gas.yaml --json folder
touch old.json
try run gas.yaml --json old.json
touch gas.h5
try run gas.yaml

echo '--- results that cannot be viewed'
: > hollow.h5
try view gone.h5 --no-browser
try view hollow.h5 --no-browser
