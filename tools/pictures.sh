#!/usr/bin/env bash
# Regenerates the pictures of README.md and docs/, each from an example by one run and one command:
#   tools/pictures.sh BUILD-FOLDER
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/release}
out=$build/pictures
mkdir -p "$out" docs/pictures

# result EXAMPLE : runs it once.
result() {
    [ -e "$out/$1.h5" ] || "$build/carom" run "examples/$1.yaml" -o "$out/$1.h5" --quiet
}

# render EXAMPLE NAME ARGUMENT... : docs/pictures/NAME.png
render() {
    local example=$1 name=$2
    shift 2
    result "$example"
    "$build/carom" render "$out/$example.h5" -o "docs/pictures/$name.png" --force "$@"
}

# plot EXAMPLE NAME ARGUMENT... : docs/pictures/NAME.svg
plot() {
    local example=$1 name=$2
    shift 2
    result "$example"
    "$build/carom" plot "$out/$example.h5" -o "docs/pictures/$name.svg" --force "$@"
}

small=(--size 560x420)
render hard-sphere-fluid fluid "${small[@]}" --colour speed
plot hard-sphere-fluid fluid --what radial_distribution
render ballistic-aggregation aggregation --size 560x600 --frame 10
render hopper hopper "${small[@]}" --frame 40
plot ballistic-aggregation aggregation --what clusters
render spheres-on-cloth spheres-on-cloth "${small[@]}"
render cloths-on-spikes cloths-on-spikes "${small[@]}" --dark
render house-of-cards house-of-cards "${small[@]}"
render cusick-drape cusick-drape --size 480x300
render sphere-and-plate strain "${small[@]}" --colour strain
render rods-over-posts rods-over-posts --size 800x360 --frame 35
render twisted-ring twisted-ring "${small[@]}" --frame last
render coil-spring coil-spring "${small[@]}" --frame 27
render overhand-knot overhand-knot-start "${small[@]}" --frame 0
render overhand-knot overhand-knot "${small[@]}" --frame last
plot cantilever cantilever
plot trash-compactor compactor --what stack
render trash-compactor compactor "${small[@]}" --frame 20
