#include "sim/starter.h"

#include <stddef.h>
#include <string.h>

static const char hard[] =
    "# A scene for carom. Try:  carom check SCENE   carom run SCENE   carom help scene\n"
    "carom: 1\n"
    "title: Hard-sphere fluid\n"
    "engine: hard                 # event-driven hard particles\n"
    "dimension: 3                 # 2: disks\n"
    "seed: 1\n"
    "\n"
    "# The box spans 0 .. size on each axis; its volume may follow from the packing fraction.\n"
    "box: {packing_fraction: 0.3, boundary: periodic}   # or size: [10, 10, 10]; boundary per axis: periodic | wall | "
    "open\n"
    "\n"
    "species:\n"
    "  grain: {diameter: 1, mass: 1}\n"
    "\n"
    "particles:\n"
    "  - species: grain\n"
    "    count: 1372\n"
    "    place: fcc               # fcc, bcc, sc; square, hexagonal in 2D; random, compress, {file: start.xyz}\n"
    "    velocity: {maxwell: 1}   # temperature in units of energy\n"
    "    zero_momentum: true\n"
    "\n"
    "contacts:\n"
    "  - {between: [grain, grain], restitution: 1}        # below 1: a granular gas\n"
    "\n"
    "# fields: {gravity: [0, 0, -1]}\n"
    "\n"
    "run: {until: {time: 50}}     # also collisions, events, wall_time: the first reached ends the run\n"
    "\n"
    "observe:\n"
    "  - {what: pressure, start: 10}       # the compressibility should be near 3.97 (Carnahan-Starling)\n"
    "  - {what: temperature, every: 1}\n"
    "  - {what: radial_distribution, every: 1, start: 10}\n"
    "\n"
    "output: {frames: {every: 5}, checkpoint: {every_wall: 600}}\n";

static const char aggregation[] =
    "# A scene for carom. Try:  carom check SCENE   carom run SCENE   carom shape RESULT   carom help scene\n"
    "carom: 1\n"
    "title: Ballistic aggregation\n"
    "engine: aggregation          # particles fly straight and stick for good where they touch\n"
    "dimension: 2                 # 3: spheres\n"
    "seed: 1\n"
    "\n"
    "# The box spans 0 .. size on each axis; its volume may follow from the packing fraction.\n"
    "box: {packing_fraction: 0.1, boundary: wall}       # a cluster is reflected as a whole; boundary per axis: wall | "
    "periodic\n"
    "\n"
    "species:\n"
    "  disk: {diameter: 1, mass: 1}\n"
    "\n"
    "particles:\n"
    "  - species: disk\n"
    "    count: 2500\n"
    "    place: square            # square, hexagonal; fcc, bcc, sc in 3D; random, compress, {file: start.xyz}\n"
    "    velocity: {uniform: [-0.5, 0.5]}               # or {circle: 1}, {maxwell: 1}\n"
    "\n"
    "# contacts: [{between: [disk, disk], restitution: 0.8, stick: {below: 0.1}}]   # faster impacts bounce\n"
    "\n"
    "run: {until: {clusters: 1}}  # also time, events, wall_time: the first reached ends the run\n"
    "\n"
    "observe:\n"
    "  - {what: clusters, every: 1}         # how many, how large\n"
    "  - {what: energy, every: 1}\n"
    "\n"
    "output: {frames: {every: 20}, checkpoint: {every_wall: 600}}\n";

const char *starter_scene(const char *engine)
{
    if (engine == NULL || strcmp(engine, "hard") == 0) return hard;
    return strcmp(engine, "aggregation") == 0 ? aggregation : NULL;
}
