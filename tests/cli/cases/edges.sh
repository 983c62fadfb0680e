# Detects failures of runs with almost nothing to do.
scene() { # scene COUNT VELOCITY BOUNDARY
    cat << END
carom: 1
engine: hard
box: {size: [20, 20, 20], boundary: $3}
species:
  grain: {diameter: 1}
particles:
  - {species: grain, count: $1, place: random, velocity: $2}
run: {until: {time: 10}}
observe:
  - {what: energy, every: 1}
END
}
run_it() {
    quiet_run "$1.yaml" --json "$1.json"
    echo "$1: $(stop_in "$1.json")"
}
scene 1 '{maxwell: 1}' periodic > one.yaml
run_it one
scene 1 '{maxwell: 1}' wall > caged.yaml
run_it caged
scene 100 '{maxwell: 0}' periodic > cold.yaml
run_it cold
scene 100 zero periodic > still.yaml
run_it still
scene 20 '{maxwell: 1e6}' open > leaving.yaml
run_it leaving
scene 0 zero periodic > none.yaml
try check none.yaml
a_scene > now.yaml
timeout 60 "$CAROM" run now.yaml --quiet --set run.until.time=0 --json now.json
echo "now: $(stop_in now.json)"
