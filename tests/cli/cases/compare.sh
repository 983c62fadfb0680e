# Detects a wrong table of one scene under several engines, and accepted comparisons that are impossible.
a_scene > gas.yaml
"$CAROM" compare gas.yaml --engines hard,hard --quiet > table 2> messages
echo "exit $?"
cat messages
grep -vE '^(CPU time|us per|momentum|  drift)' table
expect 'its cost is told' grep -qE '^us per collision +[0-9.]+ +[0-9.]+$' table
expect 'no result is written' test "$(echo *)" = 'gas.yaml messages table'
"$CAROM" compare gas.yaml --engines hard,aggregation --seed 2 --set box.boundary=periodic --quiet --json both.json > table
expect 'merges are told' grep -qE '^merges +- +[1-9][0-9]*$' table
expect 'two summaries' test "$(grep -c '"state_hash"' both.json)" = 2
expect 'of two engines' test "$(grep -c '"engine": "aggregation"' both.json)" = 1
expect 'pressure is measured where it can be' test "$(grep -c '"pressure": {' both.json)" = 1
# Pressure is measured as the scene does it, what not every engine has is left out, and an open box has no pressure.
"$CAROM" compare gas.yaml --engines hard,hard --quiet --set 'observe=[{what: pressure, every: 0.5, name: p}, {what: clusters}]' \
    --json - > own.json
expect 'once a run' test "$(grep -cE '"pressure": \{' own.json)" = 2
expect 'alone' test "$(grep -cE '"clusters": \{' own.json)" = 0
"$CAROM" compare gas.yaml --engines hard,hard --quiet --set 'box={size: 10, boundary: open}' > open 2> messages
echo "exit $?"
cat messages
expect 'no pressure' test "$(grep -c pressure open)" = 0
try compare gas.yaml
try compare gas.yaml --engines hard
try compare gas.yaml --engines hard,
try compare gas.yaml --engines agregation,hard
try compare gas.yaml --engines hard,zebra
try compare gas.yaml --engines hard,hard,hard,hard,hard,hard,hard,hard,hard
try compare - --engines hard,hard
try compare none.yaml --engines hard,hard
try compare gas.yaml --engines hard,hard --json gas.yaml
try compare gas.yaml --engines hard,hard --json both.json
try compare gas.yaml --engines hard,aggregation --set 'fields.gravity=[0, 0, -1]'
try compare gas.yaml --engines hard,hard --set particles.0.count=x
try compare gas.yaml --engines hard,hard --set 'observe=[{what: presure}]'
"$CAROM" compare gas.yaml --engines aggregation,hard --quiet --set 'observe=[{what: pressure}]' > table
expect 'what one engine lacks is no hindrance' grep -qE '^pressure +- +[0-9]' table
