/* Detects wrong messages for unknown, missing, contradictory or out-of-range keys, section by section. */
#include "../support/scene_faults.h"
#include "../support/suite.h"

/* A line of the test is a line of the scene. */
/* clang-format off */
static const faulty_scene cases[] = {
    {"no size",
     TEXT(HEAD "box: {}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:6: error: missing key 'size' (or 'packing_fraction'): the size of the box\n"
     "    box: {}\n"
     "         ^"},
    {"size and packing fraction",
     TEXT(HEAD "box: {size: 1, packing_fraction: 0.1}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:16: error: 'size' and 'packing_fraction' exclude each other; give one\n"
     "    box: {size: 1, packing_fraction: 0.1}\n"
     "                   ^"},
    {"zero side",
     TEXT(HEAD "box: {size: [1, 0, 1]}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:17: error: a side of the box must be greater than 0, not 0\n"
     "    box: {size: [1, 0, 1]}\n"
     "                    ^"},
    {"negative side",
     TEXT(HEAD "box: {size: -1}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:13: error: a side of the box must be greater than 0, not -1\n"
     "    box: {size: -1}\n"
     "                ^"},
    {"two sides in 3 dimensions",
     TEXT(HEAD "box: {size: [1, 2]}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:13: error: expected a list of 3 numbers, found 2\n"
     "    box: {size: [1, 2]}\n"
     "                ^"},
    {"three sides in 2 dimensions",
     TEXT(HEAD2 "box: {size: [1, 2, 3]}\n" KINDS "particles: []\n" RUN),
     "s.yaml:4:13: error: expected a list of 2 numbers, found 3\n"
     "    box: {size: [1, 2, 3]}\n"
     "                ^"},
    {"size is a map",
     TEXT(HEAD "box: {size: {x: 1}}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:13: error: expected a list of 3 numbers, found a map\n"
     "    box: {size: {x: 1}}\n"
     "                ^"},
    {"packing fraction zero",
     TEXT(HEAD "box: {packing_fraction: 0}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:25: error: 'packing_fraction' must be greater than 0 and at most 1, not 0\n"
     "    box: {packing_fraction: 0}\n"
     "                            ^"},
    {"packing fraction one",
     TEXT(HEAD "box: {packing_fraction: 1}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:25: error: 'packing_fraction' must be less than 1\n"
     "    box: {packing_fraction: 1}\n"
     "                            ^"},
    {"packing fraction above one",
     TEXT(HEAD "box: {packing_fraction: 1.5}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:25: error: 'packing_fraction' must be greater than 0 and at most 1, not 1.5\n"
     "    box: {packing_fraction: 1.5}\n"
     "                            ^"},
    {"packing fraction above fcc",
     TEXT(HEAD "box: {packing_fraction: 0.75}\n" "species: {a: {diameter: 1}}\n" "particles: []\n" RUN),
     "s.yaml:3:25: error: packing fraction 0.75 is above the densest packing possible, 0.7405 for equal spheres\n"
     "    box: {packing_fraction: 0.75}\n"
     "                            ^"},
    {"packing fraction above the triangular lattice",
     TEXT(HEAD2 "box: {packing_fraction: 0.91}\n" "species: {a: {diameter: 1}}\n" "particles: []\n" RUN),
     "s.yaml:4:25: error: packing fraction 0.91 is above the densest packing possible, 0.9069 for equal disks\n"
     "    box: {packing_fraction: 0.91}\n"
     "                            ^"},
    {"aspect with size",
     TEXT(HEAD "box: {size: 1, aspect: [1, 1, 1]}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:16: error: 'aspect' is used with 'packing_fraction' only: remove it, as 'size' gives all sides\n"
     "    box: {size: 1, aspect: [1, 1, 1]}\n"
     "                   ^"},
    {"aspect negative",
     TEXT(HEAD "box: {packing_fraction: 0.1, aspect: [1, -1, 1]}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:42: error: 'aspect' must be greater than 0, not -1\n"
     "    box: {packing_fraction: 0.1, aspect: [1, -1, 1]}\n"
     "                                             ^"},
    {"boundary",
     TEXT(HEAD "box: {size: 1, boundary: periodc}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:26: error: unknown boundary 'periodc'; did you mean 'periodic'?\n"
     "    box: {size: 1, boundary: periodc}\n"
     "                             ^"},
    {"boundaries",
     TEXT(HEAD "box: {size: 1, boundary: [wall, hole, open]}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:33: error: unknown boundary 'hole'; known: periodic, wall, open\n"
     "    box: {size: 1, boundary: [wall, hole, open]}\n"
     "                                    ^"},
    {"two boundaries",
     TEXT(HEAD "box: {size: 1, boundary: [wall, open]}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:26: error: expected a boundary for each of 3 axes, found 2\n"
     "    box: {size: 1, boundary: [wall, open]}\n"
     "                             ^"},
    {"boundary is a map",
     TEXT(HEAD "box: {size: 1, boundary: {x: wall}}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:26: error: expected one of periodic, wall, open, found a map\n"
     "    box: {size: 1, boundary: {x: wall}}\n"
     "                             ^"},
    {"box is a number",
     TEXT(HEAD "box: 10\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:6: error: expected a map, found the number 10\n"
     "    box: 10\n"
     "         ^"},
    {"no species",
     TEXT(HEAD BOX "species: {}\n" "particles: []\n" RUN),
     "s.yaml:4:10: error: a scene needs at least one species\n"
     "    species: {}\n"
     "             ^"},
    {"species a list",
     TEXT(HEAD BOX "species: [a]\n" "particles: []\n" RUN),
     "s.yaml:4:10: error: expected a map of species by name, found a list\n"
     "    species: [a]\n"
     "             ^"},
    {"species without diameter",
     TEXT(HEAD BOX "species: {a: {mass: 1}}\n" "particles: []\n" RUN),
     "s.yaml:4:14: error: missing key 'diameter' (or 'radius') of species 'a'\n"
     "    species: {a: {mass: 1}}\n"
     "                 ^"},
    {"diameter and radius",
     TEXT(HEAD BOX "species: {a: {diameter: 1, radius: 1}}\n" "particles: []\n" RUN),
     "s.yaml:4:28: error: 'diameter' and 'radius' exclude each other; give one\n"
     "    species: {a: {diameter: 1, radius: 1}}\n"
     "                               ^"},
    {"modulus without Poisson's ratio, and without density",
     TEXT(HEAD BOX "species: {a: {diameter: 1, young: 1}}\n" "particles: []\n" RUN),
     "s.yaml:4:28: error: 'young' and 'poisson' belong together; give both, or neither\n"
     "s.yaml:4:28: error: elastic constants without 'density'; give 'density', or 'mass'\n"
     "    species: {a: {diameter: 1, young: 1}}\n"
     "                               ^"},
    {"Poisson's ratio alone",
     TEXT(HEAD BOX "species: {a: {diameter: 1, mass: 1, poisson: 0.3}}\n" "particles: []\n" RUN),
     "s.yaml:4:37: error: 'young' and 'poisson' belong together; give both, or neither\n"
     "    species: {a: {diameter: 1, mass: 1, poisson: 0.3}}\n"
     "                                        ^"},
    {"Poisson's ratio above 1/2",
     TEXT(HEAD BOX "species: {a: {diameter: 1, mass: 1, young: 1, poisson: 0.6}}\n" "particles: []\n" RUN),
     "s.yaml:4:56: error: 'poisson' must be greater than -1 and at most 0.5, not 0.6\n"
     "    species: {a: {diameter: 1, mass: 1, young: 1, poisson: 0.6}}\n"
     "                                                           ^"},
    {"Poisson's ratio -1, no modulus",
     TEXT(HEAD BOX "species: {a: {diameter: 1, mass: 1, young: 0, poisson: -1}}\n" "particles: []\n" RUN),
     "s.yaml:4:44: error: 'young' must be greater than 0, not 0\n"
     "    species: {a: {diameter: 1, mass: 1, young: 0, poisson: -1}}\n"
     "                                               ^\n"
     "s.yaml:4:56: error: 'poisson' must be greater than -1 and at most 0.5, not -1\n"
     "    species: {a: {diameter: 1, mass: 1, young: 0, poisson: -1}}\n"
     "                                                           ^"},
    {"elastic constants of a pair of species",
     TEXT(HEAD BOX "species: {a: {diameter: 1, mass: 1, young: 1, poisson: 0}}\n" "particles: []\n"
          "contacts: [{between: [a, a], young: 1, poisson: 0}]\n" RUN),
     "s.yaml:6:30: error: 'young' in a contact is of a wall or plane, and both partners are species; give 'young' and 'poisson' to the species\n"
     "    contacts: [{between: [a, a], young: 1, poisson: 0}]\n"
     "                                 ^"},
    {"elastic constants of a wall alone",
     TEXT(HEAD BOX KINDS "particles: []\n" "contacts: [{between: [a, wall], young: 1}]\n" RUN),
     "s.yaml:6:33: error: 'young' and 'poisson' belong together; give both, or neither: the wall or plane is rigid\n"
     "s.yaml:6:33: error: 'young' of a wall or plane does nothing without that of species 'a'; give it to the species, too, or leave it out\n"
     "    contacts: [{between: [a, wall], young: 1}]\n"
     "                                    ^"},
    {"mass and density",
     TEXT(HEAD BOX "species: {a: {diameter: 1, mass: 1, density: 1}}\n" "particles: []\n" RUN),
     "s.yaml:4:37: error: 'mass' and 'density' exclude each other; give one\n"
     "    species: {a: {diameter: 1, mass: 1, density: 1}}\n"
     "                                        ^"},
    {"diameter zero",
     TEXT(HEAD BOX "species: {a: {diameter: 0}}\n" "particles: []\n" RUN),
     "s.yaml:4:25: error: 'diameter' must be greater than 0, not 0\n"
     "    species: {a: {diameter: 0}}\n"
     "                            ^"},
    {"diameter negative",
     TEXT(HEAD BOX "species: {a: {diameter: -1}}\n" "particles: []\n" RUN),
     "s.yaml:4:25: error: 'diameter' must be greater than 0, not -1\n"
     "    species: {a: {diameter: -1}}\n"
     "                            ^"},
    {"radius negative",
     TEXT(HEAD BOX "species: {a: {radius: -1}}\n" "particles: []\n" RUN),
     "s.yaml:4:23: error: 'radius' must be greater than 0, not -1\n"
     "    species: {a: {radius: -1}}\n"
     "                          ^"},
    {"mass zero",
     TEXT(HEAD BOX "species: {a: {diameter: 1, mass: 0}}\n" "particles: []\n" RUN),
     "s.yaml:4:34: error: 'mass' must be greater than 0, not 0\n"
     "    species: {a: {diameter: 1, mass: 0}}\n"
     "                                     ^"},
    {"mass negative",
     TEXT(HEAD BOX "species: {a: {diameter: 1, mass: -2}}\n" "particles: []\n" RUN),
     "s.yaml:4:34: error: 'mass' must be greater than 0, not -2\n"
     "    species: {a: {diameter: 1, mass: -2}}\n"
     "                                     ^"},
    {"diameter is text",
     TEXT(HEAD BOX "species: {a: {diameter: big}}\n" "particles: []\n" RUN),
     "s.yaml:4:25: error: expected a number, found text 'big'\n"
     "    species: {a: {diameter: big}}\n"
     "                            ^"},
    {"diameter is a list",
     TEXT(HEAD BOX "species: {a: {diameter: [1, 2]}}\n" "particles: []\n" RUN),
     "s.yaml:4:25: error: expected a number or a distribution, found a list\n"
     "    species: {a: {diameter: [1, 2]}}\n"
     "                            ^"},
    {"raduis",
     TEXT(HEAD BOX "species: {a: {raduis: 1, diameter: 1}}\n" "particles: []\n" RUN),
     "s.yaml:4:15: error: unknown key 'raduis'; did you mean 'radius'?\n"
     "    species: {a: {raduis: 1, diameter: 1}}\n"
     "                  ^"},
    {"bad name",
     TEXT(HEAD BOX "species: {1a: {diameter: 1}, a b: {diameter: 1}, wall: {diameter: 1}}\n" "particles: []\n" RUN),
     "s.yaml:4:11: error: '1a' cannot be a name: a letter, then letters, digits, '_' and '-'\n"
     "    species: {1a: {diameter: 1}, a b: {diameter: 1}, wall: {diameter: 1}}\n"
     "              ^\n"
     "s.yaml:4:30: error: 'a b' cannot be a name: a letter, then letters, digits, '_' and '-'\n"
     "    species: {1a: {diameter: 1}, a b: {diameter: 1}, wall: {diameter: 1}}\n"
     "                                 ^\n"
     "s.yaml:4:50: error: 'wall' stands for the walls of the box; choose another name\n"
     "    species: {1a: {diameter: 1}, a b: {diameter: 1}, wall: {diameter: 1}}\n"
     "                                                     ^"},
    {"unknown law",
     TEXT(HEAD BOX "species: {a: {diameter: {gauss: [1, 1]}}}\n" "particles: []\n" RUN),
     "s.yaml:4:25: error: expected one of uniform, normal, lognormal in this map\n"
     "    species: {a: {diameter: {gauss: [1, 1]}}}\n"
     "                            ^"},
    {"two laws",
     TEXT(HEAD BOX "species: {a: {diameter: {uniform: [1, 2], normal: [1, 2]}}}\n" "particles: []\n" RUN),
     "s.yaml:4:25: error: expected one of uniform, normal, lognormal in this map\n"
     "    species: {a: {diameter: {uniform: [1, 2], normal: [1, 2]}}}\n"
     "                            ^"},
    {"uniform upside down",
     TEXT(HEAD BOX "species: {a: {diameter: {uniform: [2, 1]}}}\n" "particles: []\n" RUN),
     "s.yaml:4:35: error: 'uniform' must be [smallest, largest], the smallest greater than 0\n"
     "    species: {a: {diameter: {uniform: [2, 1]}}}\n"
     "                                      ^"},
    {"uniform with min",
     TEXT(HEAD BOX "species: {a: {diameter: {uniform: [1, 2], min: 1}}}\n" "particles: []\n" RUN),
     "s.yaml:4:43: error: unknown key 'min' beside 'uniform'\n"
     "    species: {a: {diameter: {uniform: [1, 2], min: 1}}}\n"
     "                                              ^"},
    {"normal",
     TEXT(HEAD BOX "species: {a: {diameter: {normal: [1, -1]}}}\n" "particles: []\n" RUN),
     "s.yaml:4:34: error: expected [mean, deviation], the mean greater than 0 and the deviation not negative\n"
     "    species: {a: {diameter: {normal: [1, -1]}}}\n"
     "                                     ^"},
    {"normal with three numbers",
     TEXT(HEAD BOX "species: {a: {diameter: {normal: [1, 2, 3]}}}\n" "particles: []\n" RUN),
     "s.yaml:4:34: error: expected a list of 2 numbers, found 3\n"
     "    species: {a: {diameter: {normal: [1, 2, 3]}}}\n"
     "                                     ^"},
    {"normal out of reach",
     TEXT(HEAD BOX "species: {a: {diameter: {normal: [1, 0.1], min: 5}}}\n" "particles: []\n" RUN),
     "s.yaml:4:34: error: fewer than 1 in 100 draws of this distribution would lie within 'min' and 'max'\n"
     "    species: {a: {diameter: {normal: [1, 0.1], min: 5}}}\n"
     "                                     ^"},
    {"min above max",
     TEXT(HEAD BOX "species: {a: {diameter: {lognormal: [1, 0.1], min: 5, max: 4}}}\n" "particles: []\n" RUN),
     "s.yaml:4:52: error: 'min' must be less than 'max'\n"
     "    species: {a: {diameter: {lognormal: [1, 0.1], min: 5, max: 4}}}\n"
     "                                                       ^"},
    {"law with junk",
     TEXT(HEAD BOX "species: {a: {diameter: {normal: [1, 0.1], most: 5}}}\n" "particles: []\n" RUN),
     "s.yaml:4:44: error: unknown key 'most' beside 'normal'; known here: min, max\n"
     "    species: {a: {diameter: {normal: [1, 0.1], most: 5}}}\n"
     "                                               ^"},
    {"particles a map",
     TEXT(HEAD BOX KINDS "particles: {}\n" RUN),
     "s.yaml:5:12: error: expected a list of groups of particles, found a map\n"
     "    particles: {}\n"
     "               ^"},
    {"particle a word",
     TEXT(HEAD BOX KINDS "particles: [a]\n" RUN),
     "s.yaml:5:13: error: expected a map with 'species', 'count' and 'place', found text 'a'\n"
     "    particles: [a]\n"
     "                ^"},
    {"no count",
     TEXT(HEAD BOX KINDS "particles: [{species: a, place: fcc}]\n" RUN),
     "s.yaml:5:13: error: missing key 'count': number of particles; required unless a file or a list gives the positions\n"
     "    particles: [{species: a, place: fcc}]\n"
     "                ^"},
    {"no place",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1}]\n" RUN),
     "s.yaml:5:13: error: missing key 'place': a lattice that fills the box, random positions, a compression, positions from a file (extended XYZ or H5MD; the path is relative to the folder of the scene), or a list\n"
     "    particles: [{species: a, count: 1}]\n"
     "                ^"},
    {"no species of particles",
     TEXT(HEAD BOX KINDS "particles: [{count: 1, place: fcc}]\n" RUN),
     "s.yaml:5:13: error: missing key 'species': one species, or several in number ratios\n"
     "    particles: [{count: 1, place: fcc}]\n"
     "                ^"},
    {"unknown species",
     TEXT(HEAD BOX KINDS "particles: [{species: c, count: 1, place: fcc}]\n" RUN),
     "s.yaml:5:23: error: unknown species 'c'; it is not under 'species'\n"
     "    particles: [{species: c, count: 1, place: fcc}]\n"
     "                          ^"},
    {"near species",
     TEXT(HEAD BOX "species: {grain: {diameter: 1}}\n" "particles: [{species: grian, count: 1, place: fcc}]\n" RUN),
     "s.yaml:5:23: error: unknown species 'grian'; did you mean 'grain'?\n"
     "    particles: [{species: grian, count: 1, place: fcc}]\n"
     "                          ^"},
    {"ratio",
     TEXT(HEAD BOX KINDS "particles: [{species: {a: 1, b: 0}, count: 1, place: fcc}]\n" RUN),
     "s.yaml:5:33: error: a number ratio must be greater than 0, not 0\n"
     "    particles: [{species: {a: 1, b: 0}, count: 1, place: fcc}]\n"
     "                                    ^"},
    {"count fraction",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 2.5, place: fcc}]\n" RUN),
     "s.yaml:5:33: error: expected a whole number, found 2.5\n"
     "    particles: [{species: a, count: 2.5, place: fcc}]\n"
     "                                    ^"},
    {"count negative",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: -3, place: fcc}]\n" RUN),
     "s.yaml:5:33: error: expected a whole number that is not negative, found -3\n"
     "    particles: [{species: a, count: -3, place: fcc}]\n"
     "                                    ^"},
    {"lattice in 3 dimensions",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: square}]\n" RUN),
     "s.yaml:5:43: error: 'square' is a lattice in 2 dimensions; in 3 use fcc, bcc or sc\n"
     "    particles: [{species: a, count: 1, place: square}]\n"
     "                                              ^"},
    {"lattice in 2 dimensions",
     TEXT(HEAD2 BOX KINDS "particles: [{species: a, count: 1, place: bcc}]\n" RUN),
     "s.yaml:6:43: error: 'bcc' is a lattice in 3 dimensions; in 2 use square or hexagonal\n"
     "    particles: [{species: a, count: 1, place: bcc}]\n"
     "                                              ^"},
    {"unknown place",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: hpc}]\n" RUN),
     "s.yaml:5:43: error: unknown place 'hpc'; known: fcc, bcc, sc, square, hexagonal, random, compress\n"
     "    particles: [{species: a, count: 1, place: hpc}]\n"
     "                                              ^"},
    {"place map",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: {files: x}}]\n" RUN),
     "s.yaml:5:44: error: unknown place 'files'; did you mean 'file'?\n"
     "    particles: [{species: a, count: 1, place: {files: x}}]\n"
     "                                               ^"},
    {"place with two keys",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: {file: x, at: []}}]\n" RUN),
     "s.yaml:5:53: error: unknown key 'at'; known here: file, frame\n"
     "    particles: [{species: a, count: 1, place: {file: x, at: []}}]\n"
     "                                                        ^"},
    {"half a frame",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: {file: x, frame: 1.5}}]\n" RUN),
     "s.yaml:5:60: error: expected a whole number, from 0, or backwards from -1; found 1.5\n"
     "    particles: [{species: a, count: 1, place: {file: x, frame: 1.5}}]\n"
     "                                                               ^"},
    {"empty file",
     TEXT(HEAD BOX KINDS "particles: [{species: a, place: {file: }}]\n" RUN),
     "s.yaml:5:40: error: expected the path of a file, found nothing\n"
     "    particles: [{species: a, place: {file: }}]\n"
     "                                           ^"},
    {"compress",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: {compress: {rate: 0, from: 2, rat: 1}}}]\n" RUN),
     "s.yaml:5:61: error: 'rate' must be greater than 0, not 0\n"
     "    particles: [{species: a, count: 1, place: {compress: {rate: 0, from: 2, rat: 1}}}]\n"
     "                                                                ^\n"
     "s.yaml:5:70: error: 'from' must be greater than 0 and at most 1, not 2\n"
     "    particles: [{species: a, count: 1, place: {compress: {rate: 0, from: 2, rat: 1}}}]\n"
     "                                                                         ^\n"
     "s.yaml:5:73: error: unknown key 'rat'; did you mean 'rate'?\n"
     "    particles: [{species: a, count: 1, place: {compress: {rate: 0, from: 2, rat: 1}}}]\n"
     "                                                                            ^"},
    {"at empty",
     TEXT(HEAD BOX KINDS "particles: [{species: a, place: {at: []}}]\n" RUN),
     "s.yaml:5:38: error: this list is empty; give it at least one entry\n"
     "    particles: [{species: a, place: {at: []}}]\n"
     "                                         ^"},
    {"at with bad vectors",
     TEXT(HEAD BOX KINDS "particles: [{species: a, place: {at: [[1, 2, 3], [1, 2], [1, x, 3], 5]}}]\n" RUN),
     "s.yaml:5:50: error: expected a list of 3 numbers, found 2\n"
     "    particles: [{species: a, place: {at: [[1, 2, 3], [1, 2], [1, x, 3], 5]}}]\n"
     "                                                     ^\n"
     "s.yaml:5:62: error: expected a number, found text 'x'\n"
     "    particles: [{species: a, place: {at: [[1, 2, 3], [1, 2], [1, x, 3], 5]}}]\n"
     "                                                                 ^\n"
     "s.yaml:5:69: error: expected a list of 3 numbers, found the number 5\n"
     "    particles: [{species: a, place: {at: [[1, 2, 3], [1, 2], [1, x, 3], 5]}}]\n"
     "                                                                        ^"},
    {"at and count",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 3, place: {at: [[1, 2, 3]]}}]\n" RUN),
     "s.yaml:5:33: error: 'count' is 3, but 'at' lists 1; leave it out\n"
     "    particles: [{species: a, count: 3, place: {at: [[1, 2, 3]]}}]\n"
     "                                    ^"},
    {"velocity number",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: fcc, velocity: 5}]\n" RUN),
     "s.yaml:5:58: error: expected zero, file, {maxwell: T}, {uniform: [a, b]}, {circle: speed} or {each: [...]}, found the number 5\n"
     "    particles: [{species: a, count: 1, place: fcc, velocity: 5}]\n"
     "                                                             ^"},
    {"velocity word",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: fcc, velocity: fast}]\n" RUN),
     "s.yaml:5:58: error: expected zero, file, {maxwell: T}, {uniform: [a, b]}, {circle: speed} or {each: [...]}, found text 'fast'\n"
     "    particles: [{species: a, count: 1, place: fcc, velocity: fast}]\n"
     "                                                             ^"},
    {"velocity kind",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: fcc, velocity: {maxwel: 1}}]\n" RUN),
     "s.yaml:5:59: error: unknown velocity 'maxwel'; did you mean 'maxwell'?\n"
     "    particles: [{species: a, count: 1, place: fcc, velocity: {maxwel: 1}}]\n"
     "                                                              ^"},
    {"temperature negative",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: fcc, velocity: {maxwell: -1}}]\n" RUN),
     "s.yaml:5:68: error: 'maxwell' must be at least 0, not -1\n"
     "    particles: [{species: a, count: 1, place: fcc, velocity: {maxwell: -1}}]\n"
     "                                                                       ^"},
    {"speed negative",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: fcc, velocity: {circle: -1}}]\n" RUN),
     "s.yaml:5:67: error: 'circle' must be at least 0, not -1\n"
     "    particles: [{species: a, count: 1, place: fcc, velocity: {circle: -1}}]\n"
     "                                                                      ^"},
    {"uniform upside down, velocity",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: fcc, velocity: {uniform: [1, -1]}}]\n" RUN),
     "s.yaml:5:68: error: 'uniform' must be [a, b] with a not above b\n"
     "    particles: [{species: a, count: 1, place: fcc, velocity: {uniform: [1, -1]}}]\n"
     "                                                                       ^"},
    {"velocity file",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: fcc, velocity: file}]\n" RUN),
     "s.yaml:5:58: error: 'velocity: file' needs 'place: {file: PATH}'\n"
     "    particles: [{species: a, count: 1, place: fcc, velocity: file}]\n"
     "                                                             ^"},
    {"each",
     TEXT(HEAD BOX KINDS
          "particles: [{species: a, count: 3, place: fcc, velocity: {each: [[1, 2, 3], [1, 2, 3]]}}]\n" RUN),
     "s.yaml:5:65: error: 'each' lists 2 velocities for 3 particles; give one for all or one for each\n"
     "    particles: [{species: a, count: 3, place: fcc, velocity: {each: [[1, 2, 3], [1, 2, 3]]}}]\n"
     "                                                                    ^"},
    {"each short",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 3, place: fcc, velocity: {each: [1, 2]}}]\n" RUN),
     "s.yaml:5:65: error: expected a list of 3 numbers, found 2\n"
     "    particles: [{species: a, count: 3, place: fcc, velocity: {each: [1, 2]}}]\n"
     "                                                                    ^"},
    {"e above one",
     TEXT(HEAD BOX KINDS ONE RUN "contacts: [{between: [a, a], restitution: 1.5}]\n"),
     "s.yaml:7:43: error: a coefficient of restitution lies between 0 and 1, not 1.5\n"
     "    contacts: [{between: [a, a], restitution: 1.5}]\n"
     "                                              ^"},
    {"e negative",
     TEXT(HEAD BOX KINDS ONE RUN "contacts: [{between: [a, a], restitution: -0.1}]\n"),
     "s.yaml:7:43: error: a coefficient of restitution lies between 0 and 1, not -0.1\n"
     "    contacts: [{between: [a, a], restitution: -0.1}]\n"
     "                                              ^"},
    {"e text",
     TEXT(HEAD BOX KINDS ONE RUN "contacts: [{between: [a, a], restitution: high}]\n"),
     "s.yaml:7:43: error: expected a number, found text 'high'\n"
     "    contacts: [{between: [a, a], restitution: high}]\n"
     "                                              ^"},
    {"sticking never",
     TEXT(HEAD BOX KINDS ONE RUN "contacts: [{between: [a, a], stick: never}]\n"),
     "s.yaml:7:37: error: expected always or {below: speed}, found text 'never'\n"
     "    contacts: [{between: [a, a], stick: never}]\n"
     "                                        ^"},
    {"sticking below nothing",
     TEXT(HEAD BOX KINDS ONE RUN "contacts: [{between: [a, a], stick: {below: 0}}]\n"),
     "s.yaml:7:45: error: 'below' must be greater than 0, not 0: pairs that never stick can collide without end\n"
     "    contacts: [{between: [a, a], stick: {below: 0}}]\n"
     "                                                ^"},
    {"sticking below a word",
     TEXT(HEAD BOX KINDS ONE RUN "contacts: [{between: [a, a], stick: {below: fast}}]\n"),
     "s.yaml:7:45: error: expected a number, found text 'fast'\n"
     "    contacts: [{between: [a, a], stick: {below: fast}}]\n"
     "                                                ^"},
    {"sticking by another key",
     TEXT(HEAD BOX KINDS ONE RUN "contacts: [{between: [a, a], stick: {under: 1}}]\n"),
     "s.yaml:7:37: error: expected always or {below: speed}, found a map\n"
     "    contacts: [{between: [a, a], stick: {under: 1}}]\n"
     "                                        ^"},
    {"sticking by a list",
     TEXT(HEAD BOX KINDS ONE RUN "contacts: [{between: [a, a], stick: [1]}]\n"),
     "s.yaml:7:37: error: expected always or {below: speed}, found a list\n"
     "    contacts: [{between: [a, a], stick: [1]}]\n"
     "                                        ^"},
    {"viscoelastic negative",
     TEXT(HEAD BOX KINDS ONE RUN "contacts: [{between: [a, a], restitution: {viscoelastic: -1}}]\n"),
     "s.yaml:7:58: error: 'viscoelastic' must be at least 0, not -1\n"
     "    contacts: [{between: [a, a], restitution: {viscoelastic: -1}}]\n"
     "                                                             ^"},
    {"restitution kind",
     TEXT(HEAD BOX KINDS ONE RUN "contacts: [{between: [a, a], restitution: {visco: 1}}]\n"),
     "s.yaml:7:43: error: expected a number, {viscoelastic: A} or {table: [[speed, e], ...]}, found a map\n"
     "    contacts: [{between: [a, a], restitution: {visco: 1}}]\n"
     "                                              ^"},
    {"table not growing",
     TEXT(HEAD BOX KINDS ONE RUN "contacts: [{between: [a, a], restitution: {table: [[1, 1], [1, 0.5]]}}]\n"),
     "s.yaml:7:60: error: speeds in a table must not be negative and must grow from row to row\n"
     "    contacts: [{between: [a, a], restitution: {table: [[1, 1], [1, 0.5]]}}]\n"
     "                                                               ^"},
    {"table e",
     TEXT(HEAD BOX KINDS ONE RUN "contacts: [{between: [a, a], restitution: {table: [[0, 1], [1, 1.5]]}}]\n"),
     "s.yaml:7:60: error: a coefficient of restitution lies between 0 and 1\n"
     "    contacts: [{between: [a, a], restitution: {table: [[0, 1], [1, 1.5]]}}]\n"
     "                                                               ^"},
    {"table empty",
     TEXT(HEAD BOX KINDS ONE RUN "contacts: [{between: [a, a], restitution: {table: []}}]\n"),
     "s.yaml:7:51: error: this list is empty; give it at least one entry\n"
     "    contacts: [{between: [a, a], restitution: {table: []}}]\n"
     "                                                      ^"},
    {"pair twice",
     TEXT(HEAD BOX KINDS ONE RUN "contacts:\n" "  - {between: [a, b], restitution: 0.5}\n"
          "  - {between: [b, a], restitution: 0.6}\n"),
     "s.yaml:9:15: error: this pair is given twice; the first is on line 8\n"
     "      - {between: [b, a], restitution: 0.6}\n"
     "                  ^"},
    {"wall twice",
     TEXT(HEAD BOX KINDS ONE RUN "contacts:\n" "  - {between: [a, wall]}\n" "  - {between: [wall, a]}\n"),
     "s.yaml:9:15: error: this pair is given twice; the first is on line 8\n"
     "      - {between: [wall, a]}\n"
     "                  ^"},
    {"between",
     TEXT(HEAD BOX KINDS ONE RUN "contacts:\n" "  - {between: [a]}\n" "  - {between: a}\n" "  - {restitution: 1}\n"
          "  - {between: [a, walls]}\n" "  - {between: [wall, wall]}\n" "  - {between: [a, zebra]}\n"
          "  - {between: [a, [b]]}\n"),
     "s.yaml:8:15: error: expected two names, found 1\n"
     "      - {between: [a]}\n"
     "                  ^\n"
     "s.yaml:9:15: error: expected a list of two names, found text 'a'\n"
     "      - {between: a}\n"
     "                  ^\n"
     "s.yaml:10:5: error: missing key 'between': the two partners; wall stands for all walls of the box\n"
     "      - {restitution: 1}\n"
     "        ^\n"
     "s.yaml:11:19: error: unknown name 'walls'; did you mean 'wall'?\n"
     "      - {between: [a, walls]}\n"
     "                      ^\n"
     "s.yaml:12:15: error: a contact needs a species; walls, planes and cylinders do not collide with each other\n"
     "      - {between: [wall, wall]}\n"
     "                  ^\n"
     "s.yaml:13:19: error: unknown name 'zebra'; expected a species, 'wall', a plane or a cylinder\n"
     "      - {between: [a, zebra]}\n"
     "                      ^\n"
     "s.yaml:14:19: error: expected the name of a species, 'wall', a plane or a cylinder, found a list\n"
     "      - {between: [a, [b]]}\n"
     "                      ^"},
    {"plane",
     TEXT(HEAD BOX KINDS ONE RUN "planes:\n" "  - {name: floor, point: [0, 0, 0], normal: [0, 0, 0]}\n"
          "  - {name: floor, point: [0, 0], normal: [0, 0, 1]}\n"
          "  - {name: a, point: [0, 0, 0], normal: [0, 0, 1]}\n"
          "  - {name: wall, point: [0, 0, 0], normal: [0, 0, 1]}\n" "  - {}\n"),
     "s.yaml:8:45: error: 'normal' must not be zero\n"
     "      - {name: floor, point: [0, 0, 0], normal: [0, 0, 0]}\n"
     "                                                ^\n"
     "s.yaml:9:12: error: the name 'floor' is taken by another plane\n"
     "      - {name: floor, point: [0, 0], normal: [0, 0, 1]}\n"
     "               ^\n"
     "s.yaml:9:26: error: expected a list of 3 numbers, found 2\n"
     "      - {name: floor, point: [0, 0], normal: [0, 0, 1]}\n"
     "                             ^\n"
     "s.yaml:10:12: error: the name 'a' is taken by a species\n"
     "      - {name: a, point: [0, 0, 0], normal: [0, 0, 1]}\n"
     "               ^\n"
     "s.yaml:11:12: error: 'wall' stands for the walls of the box; choose another name\n"
     "      - {name: wall, point: [0, 0, 0], normal: [0, 0, 1]}\n"
     "               ^\n"
     "s.yaml:12:5: error: missing key 'name': name that contacts refer to\n"
     "s.yaml:12:5: error: missing key 'point': any point of the plane\n"
     "s.yaml:12:5: error: missing key 'normal': points to the side of the particles; any length but zero\n"
     "      - {}\n"
     "        ^"},
    {"gravity",
     TEXT(HEAD BOX KINDS ONE RUN "fields: {gravity: 9.81, magnetic: 1}\n"),
     "s.yaml:7:19: error: expected a list of 3 numbers, found the number 9.81\n"
     "    fields: {gravity: 9.81, magnetic: 1}\n"
     "                      ^\n"
     "s.yaml:7:25: error: unknown key 'magnetic'; known here: gravity\n"
     "    fields: {gravity: 9.81, magnetic: 1}\n"
     "                            ^"},
    {"no run",
     TEXT(HEAD BOX KINDS ONE),
     "s.yaml:1:1: error: missing key 'run.until': limits, at least one (time, events, ...); the run ends at the first\n"
     "    carom: 1\n"
     "    ^"},
    {"no until",
     TEXT(HEAD BOX KINDS ONE "run: {}\n"),
     "s.yaml:6:6: error: missing key 'until': limits, at least one (time, events, ...); the run ends at the first\n"
     "    run: {}\n"
     "         ^"},
    {"empty until",
     TEXT(HEAD BOX KINDS ONE "run: {until: {}}\n"),
     "s.yaml:6:14: error: no limit is given: one of time, events, collisions, clusters, pressure, wall_time\n"
     "    run: {until: {}}\n"
     "                 ^"},
    {"until time negative",
     TEXT(HEAD BOX KINDS ONE "run: {until: {time: -1}}\n"),
     "s.yaml:6:21: error: 'time' must be at least 0, not -1\n"
     "    run: {until: {time: -1}}\n"
     "                        ^"},
    {"until unknown",
     TEXT(HEAD BOX KINDS ONE "run: {until: {tiem: 1}}\n"),
     "s.yaml:6:15: error: unknown key 'tiem'; did you mean 'time'?\n"
     "    run: {until: {tiem: 1}}\n"
     "                  ^"},
    {"clusters in hard",
     TEXT(HEAD BOX KINDS ONE "run: {until: {clusters: 1}}\n"),
     "s.yaml:6:15: error: the engine `hard` does not merge particles, so 'clusters' would never end the run: remove it\n"
     "    run: {until: {clusters: 1}}\n"
     "                  ^"},
    {"until events zero",
     TEXT(HEAD BOX KINDS ONE "run: {until: {events: 0}}\n"),
     "s.yaml:6:23: error: 'events' must be at least 1, not 0\n"
     "    run: {until: {events: 0}}\n"
     "                          ^"},
    {"observable",
     TEXT(HEAD BOX KINDS ONE RUN "observe: [{what: presure}, {what: viscosity}, {every: 1}, pressure, {what: [a]}]\n"),
     "s.yaml:7:18: error: unknown observable 'presure'; did you mean 'pressure'?\n"
     "    observe: [{what: presure}, {what: viscosity}, {every: 1}, pressure, {what: [a]}]\n"
     "                     ^\n"
     "s.yaml:7:35: error: unknown observable 'viscosity'; 'carom help observables' lists them\n"
     "    observe: [{what: presure}, {what: viscosity}, {every: 1}, pressure, {what: [a]}]\n"
     "                                      ^\n"
     "s.yaml:7:47: error: missing key 'what': the observable; its settings are keys of the same item\n"
     "    observe: [{what: presure}, {what: viscosity}, {every: 1}, pressure, {what: [a]}]\n"
     "                                                  ^\n"
     "s.yaml:7:59: error: expected a map with 'what', found text 'pressure'\n"
     "    observe: [{what: presure}, {what: viscosity}, {every: 1}, pressure, {what: [a]}]\n"
     "                                                              ^\n"
     "s.yaml:7:76: error: expected the name of an observable, found a list\n"
     "    , {what: viscosity}, {every: 1}, pressure, {what: [a]}]\n"
     "                                                      ^"},
    {"observable's settings",
     TEXT(HEAD BOX KINDS ONE RUN
          "observe: [{what: radial_distribution, bins: 0, reach: -1, bin: 3}, {what: pressure, bins: 3}]\n"),
     "s.yaml:7:45: error: 'bins' must be at least 1 and at most 1000000, not 0\n"
     "    observe: [{what: radial_distribution, bins: 0, reach: -1, bin: 3}, {what: pressure, bins: 3}]\n"
     "                                                ^\n"
     "s.yaml:7:55: error: 'reach' must be greater than 0, not -1\n"
     "    observe: [{what: radial_distribution, bins: 0, reach: -1, bin: 3}, {what: pressure, bins: 3}]\n"
     "                                                          ^\n"
     "s.yaml:7:59: error: unknown key 'bin'; did you mean 'bins'?\n"
     "    observe: [{what: radial_distribution, bins: 0, reach: -1, bin: 3}, {what: pressure, bins: 3}]\n"
     "                                                              ^\n"
     "s.yaml:7:85: error: unknown key 'bins'; known here: what, name, every, every_collisions, start\n"
     "    on, bins: 0, reach: -1, bin: 3}, {what: pressure, bins: 3}]\n"
     "                                                      ^"},
    {"every twice",
     TEXT(HEAD BOX KINDS ONE RUN "observe: [{what: pressure, every: 1, every_collisions: 1}]\n"
          "output: {frames: {every: 1, every_collisions: 1}}\n"),
     "s.yaml:7:38: error: 'every' and 'every_collisions' exclude each other; give one\n"
     "    observe: [{what: pressure, every: 1, every_collisions: 1}]\n"
     "                                         ^\n"
     "s.yaml:8:29: error: 'every' and 'every_collisions' exclude each other; give one\n"
     "    output: {frames: {every: 1, every_collisions: 1}}\n"
     "                                ^"},
    {"every zero",
     TEXT(HEAD BOX KINDS ONE RUN "observe: [{what: pressure, every: 0}]\n" "output: {checkpoint: {every_wall: 0}}\n"),
     "s.yaml:7:35: error: 'every' must be greater than 0, not 0\n"
     "    observe: [{what: pressure, every: 0}]\n"
     "                                      ^\n"
     "s.yaml:8:35: error: 'every_wall' must be greater than 0, not 0\n"
     "    output: {checkpoint: {every_wall: 0}}\n"
     "                                      ^"},
    {"observer names",
     TEXT(HEAD BOX KINDS ONE RUN
          "observe: [{what: pressure, name: p}, {what: pressure, name: p}, {what: pressure, name: a/b}]\n"),
     "s.yaml:7:61: error: the name 'p' is taken by another observable\n"
     "    observe: [{what: pressure, name: p}, {what: pressure, name: p}, {what: pressure, name: a/b}]\n"
     "                                                                ^\n"
     "s.yaml:7:88: error: 'a/b' cannot be a name: a letter, then letters, digits, '_' and '-'\n"
     "    {what: pressure, name: p}, {what: pressure, name: a/b}]\n"
     "                                                      ^"},
    {"engine settings",
     TEXT(HEAD BOX KINDS ONE RUN
          "hard: {detection: naiv, cells: x, sleep: {speed: 2}, drift: [1, 2], referenc: true}\n"),
     "s.yaml:7:19: error: unknown detection 'naiv'; did you mean 'naive'?\n"
     "    hard: {detection: naiv, cells: x, sleep: {speed: 2}, drift: [1, 2], referenc: true}\n"
     "                      ^\n"
     "s.yaml:7:32: error: expected a whole number, found text 'x'\n"
     "    hard: {detection: naiv, cells: x, sleep: {speed: 2}, drift: [1, 2], referenc: true}\n"
     "                                   ^\n"
     "s.yaml:7:50: error: 'speed' must be at least 0 and at most 1, not 2\n"
     "    hard: {detection: naiv, cells: x, sleep: {speed: 2}, drift: [1, 2], referenc: true}\n"
     "                                                     ^\n"
     "s.yaml:7:61: error: expected a list of 3 numbers, found 2\n"
     "    hard: {detection: naiv, cells: x, sleep: {speed: 2}, drift: [1, 2], referenc: true}\n"
     "                                                                ^\n"
     "s.yaml:7:69: error: unknown key 'referenc'; did you mean 'reference'?\n"
     "    hard: {detection: naiv, cells: x, sleep: {speed: 2}, drift: [1, 2], referenc: true}\n"
     "                                                                        ^"},
    {"other engine's settings",
     TEXT(HEAD BOX KINDS ONE RUN "soft: {}\n"),
     "s.yaml:7:7: error: missing key 'stiffness': of a spring\n"
     "    soft: {}\n"
     "          ^"},
    {"engine settings are a list",
     TEXT(HEAD BOX KINDS ONE RUN "hard: []\n"),
     "s.yaml:7:7: error: expected a map, found a list\n"
     "    hard: []\n"
     "          ^"},
    {"elevation too high",
     TEXT(HEAD BOX KINDS ONE RUN "view: {elevation: 91}\n"),
     "s.yaml:7:19: error: 'elevation' must be at least -90 and at most 90, not 91\n"
     "    view: {elevation: 91}\n"
     "                      ^"},
    {"no axis",
     TEXT(HEAD BOX KINDS ONE RUN "view: {up: w}\n"),
     "s.yaml:7:12: error: unknown up 'w'; known: gravity, x, y, z\n"
     "    view: {up: w}\n"
     "               ^"},
    {"flat target in space",
     TEXT(HEAD BOX KINDS ONE RUN "view: {target: [1, 2]}\n"),
     "s.yaml:7:16: error: expected a list of 3 numbers, found 2\n"
     "    view: {target: [1, 2]}\n"
     "                   ^"},
    {"angle in the plane",
     TEXT(HEAD2 "box: {size: 10}\n" KINDS "particles: []\n" RUN "view: {zoom: 2, azimuth: 30}\n"),
     "s.yaml:8:17: error: in 2 dimensions the view is from above: remove 'azimuth'\n"
     "    view: {zoom: 2, azimuth: 30}\n"
     "                    ^"},
    {"nested missing",
     TEXT("carom: 1\n" "engine: soft\n" BOX KINDS ONE RUN),
     "s.yaml:1:1: error: missing key 'soft.stiffness': of a spring\n"
     "    carom: 1\n"
     "    ^"},
};
/* clang-format on */

START_TEST(message_is_exact)
{
    const faulty_scene *one = &cases[_i];
    expect_message(one->name, one->text, one->length, NULL, 0, CAROM_BAD_DATA, one->message);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("messages");
    tcase_add_loop_test(tests, message_is_exact, 0, (int)(sizeof cases / sizeof cases[0]));
    return suite_run("scene_faults_keys", tests);
}
