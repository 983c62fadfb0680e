/* Detects wrong messages for invalid springs, hinges, segments, drives and bodies. */
#include "../support/scene_faults.h"
#include "../support/suite.h"

#define SIX                                                                                                            \
    "carom: 1\n"                                                                                                       \
    "engine: hard\n"                                                                                                   \
    "dimension: 2\n" BOX "species: {bead: {diameter: 0.5}}\n"                                                          \
    "particles: [{species: bead, place: {at: [[1, 1], [2, 1], [3, 1], [4, 1], [5, 5], [6, 5]]}}]\n"                    \
    "planes: [{name: lid, point: [0, 9], normal: [0, -1]}, {name: floor, point: [0, 0], normal: [0, 1]}]\n" RUN

#define LINE                                                                                                           \
    HEAD BOX KINDS RUN                                                                                                 \
        "particles: [{species: a, place: {at: [[0, 0, 0], [2, 0, 0], [4, 0, 0], [6, 0, 0], [8, 0, 0], [8, 2, 0]]}}]\n"

/* clang-format off */
static const faulty_scene cases[] = {
    {"friction below 0",
     TEXT(SIX "contacts: [{between: [bead, bead], friction: -0.3}]\n"),
     "s.yaml:9:46: error: 'friction' must be at least 0, not -0.3\n"
     "    contacts: [{between: [bead, bead], friction: -0.3}]\n"
     "                                                 ^"},
    {"cylinders that are no list: the names are unknown",
     TEXT(SIX "cylinders: 3\ncontacts: [{between: [bead, pipe], restitution: 0.5}]\n"
          "drives: [{name: d, cylinder: pipe, motion: [{velocity: [0, 0]}]}, {name: e, cylinder: pipe}]\n"),
     "s.yaml:9:12: error: expected a list of cylinders, found the number 3\n"
     "    cylinders: 3\n"
     "               ^"},
    {"planes that are no list",
     TEXT(HEAD BOX KINDS ONE RUN "planes: {lid: 1}\ncontacts: [{between: [a, lid], restitution: 0.5}]\n"
          "drives: [{name: d, plane: lid}]\n"),
     "s.yaml:7:9: error: expected a list of planes, found a map\n"
     "    planes: {lid: 1}\n"
     "            ^"},
    {"a cylinder that is not there is not asked about twice",
     TEXT(HEAD BOX KINDS ONE RUN "drives: [{name: d, cylinder: pipe, motion: [{velocity: [0, 0, 0], turn: {rate: 1}}]}]\n"),
     "s.yaml:7:30: error: unknown cylinder 'pipe'; it is not under 'cylinders'\n"
     "    drives: [{name: d, cylinder: pipe, motion: [{velocity: [0, 0, 0], turn: {rate: 1}}]}]\n"
     "                                 ^"},
    {"an unknown key of a range of particles is reported once",
     TEXT(SIX "output: {events: {particles: [5, {from: 0, to: 3, by: 2}]}}\n"),
     "s.yaml:9:51: error: unknown key 'by'; known here: from, to\n"
     "    output: {events: {particles: [5, {from: 0, to: 3, by: 2}]}}\n"
     "                                                      ^"},
    {"a list in a list of particles",
     TEXT(SIX "output: {events: {particles: [[0, 1]]}}\n"),
     "s.yaml:9:31: error: expected a particle or {from: FIRST, to: LAST}, found a list\n"
     "    output: {events: {particles: [[0, 1]]}}\n"
     "                                  ^"},
    {"a place in a list",
     TEXT(HEAD BOX KINDS RUN "particles: [{species: a, place: [random]}]\n"),
     "s.yaml:6:33: error: expected fcc, bcc, sc, square, hexagonal, random, compress, {random: {region: ...}}, "
     "{compress: {rate: R, from: PHI}}, {walk: {length: N, step: S}}, {inflow: {region: ..., rate: R}}, {file: PATH} or {at: [[x, y, ...], ...]}, found "
     "a list\n"
     "    particles: [{species: a, place: [random]}]\n"
     "                                    ^"},
    {"a place that says too little",
     TEXT(HEAD BOX KINDS RUN "particles: [{species: a, place: at}]\n"),
     "s.yaml:6:33: error: expected fcc, bcc, sc, square, hexagonal, random, compress, {random: {region: ...}}, "
     "{compress: {rate: R, from: PHI}}, {walk: {length: N, step: S}}, {inflow: {region: ..., rate: R}}, {file: PATH} or {at: [[x, y, ...], ...]}, found "
     "text 'at'\n"
     "    particles: [{species: a, place: at}]\n"
     "                                    ^"},
    {"species that are no map",
     TEXT(HEAD BOX ONE RUN "species: 3\ncontacts: [{between: [a, wall], restitution: 0.5}]\n"),
     "s.yaml:6:10: error: expected a map of species by name, found the number 3\n"
     "    species: 3\n"
     "             ^"},
    {"friction with one p",
     TEXT(SIX "contacts: [{between: [bead, bead], fiction: 0.3}]\n"),
     "s.yaml:9:36: error: unknown key 'fiction'; did you mean 'friction'?\n"
     "    contacts: [{between: [bead, bead], fiction: 0.3}]\n"
     "                                       ^"},
    {"a chain beyond the last particle",
     TEXT(SIX "springs: [{name: net, chain: {from: 0, to: 6}, stiffness: 1}]\n"),
     "s.yaml:9:44: error: no particle 6: there are 6, numbered from 0\n"
     "    springs: [{name: net, chain: {from: 0, to: 6}, stiffness: 1}]\n"
     "                                               ^"},
    {"a spring to a missing body",
     TEXT(SIX "springs: [{name: net, pairs: [[0, 1], [7, 2]], stiffness: 1}]\n"),
     "s.yaml:9:40: error: no particle 7: there are 6, numbered from 0\n"
     "    springs: [{name: net, pairs: [[0, 1], [7, 2]], stiffness: 1}]\n"
     "                                           ^"},
    {"a number no particle can have",
     TEXT(SIX "hinges: [{name: net, triples: [[0, 1, 4294967296]], stiffness: 1}]\n"),
     "s.yaml:9:39: error: no particle 4294967296: there are 6, numbered from 0\n"
     "    hinges: [{name: net, triples: [[0, 1, 4294967296]], stiffness: 1}]\n"
     "                                          ^"},
    {"a number no particle can have, beyond the range of numbers",
     TEXT(SIX "springs: [{name: net, pairs: [[0, 1e400]], stiffness: 1}]\n"),
     "s.yaml:9:35: error: no particle 1e400: there are 6, numbered from 0\n"
     "    springs: [{name: net, pairs: [[0, 1e400]], stiffness: 1}]\n"
     "                                      ^"},
    {"such a number in a range",
     TEXT(SIX "drives: [{name: stop, particles: [{from: 0, to: 1e400}]}]\n"),
     "s.yaml:9:49: error: no particle 1e400: there are 6, numbered from 0\n"
     "    drives: [{name: stop, particles: [{from: 0, to: 1e400}]}]\n"
     "                                                    ^"},
    {"a particle twice in a rod, in a range after its number",
     TEXT(LINE "rods: [{name: bar, particles: [1, {from: 2, to: 4}, {from: 4, to: 5}], young: 1, diameter: 0.1}]\n"),
     "s.yaml:7:53: error: particle 4 is listed twice, one after the other; list it once\n"
     "    rods: [{name: bar, particles: [1, {from: 2, to: 4}, {from: 4, to: 5}], young: 1, diameter: 0.1}]\n"
     "                                                        ^"},
    {"the first particle of a ring at its end",
     TEXT(LINE "rods: [{name: ring, particles: [{from: 0, to: 3}, 0], closed: true, young: 1, diameter: 0.1}]\n"),
     "s.yaml:7:51: error: particle 0 is listed twice; leave it out at the end: `closed` joins the last to the first\n"
     "    rods: [{name: ring, particles: [{from: 0, to: 3}, 0], closed: true, young: 1, diameter: 0.1}]\n"
     "                                                      ^"},
    {"a fraction of a particle",
     TEXT(SIX "springs: [{name: net, pairs: [[0, 1.5]], stiffness: 1}]\n"),
     "s.yaml:9:35: error: expected a whole number, found 1.5\n"
     "    springs: [{name: net, pairs: [[0, 1.5]], stiffness: 1}]\n"
     "                                      ^"},
    {"a spring to itself",
     TEXT(SIX "springs: [{name: net, pairs: [[0, 4], [1, 1]], stiffness: 1}]\n"),
     "s.yaml:9:39: error: particle 1 is connected to itself: give different particles\n"
     "    springs: [{name: net, pairs: [[0, 4], [1, 1]], stiffness: 1}]\n"
     "                                          ^"},
    {"a spring twice, in the other order",
     TEXT(SIX "springs: [{name: net, pairs: [[0, 4], [1, 2], [4, 0]], stiffness: 1}]\n"),
     "s.yaml:9:47: error: this pair is listed twice; list it once, in either order\n"
     "    springs: [{name: net, pairs: [[0, 4], [1, 2], [4, 0]], stiffness: 1}]\n"
     "                                                  ^"},
    {"the first of several segments that are repeated",
     TEXT(SIX "segments: [{name: net, pairs: [[4, 5], [0, 1], [4, 5], [0, 1]], diameter: 0.1, species: bead}]\n"),
     "s.yaml:9:48: error: this pair is listed twice; list it once, in either order\n"
     "    segments: [{name: net, pairs: [[4, 5], [0, 1], [4, 5], [0, 1]], diameter: 0.1, species: bead}]\n"
     "                                                   ^"},
    {"a hinge twice, but not another with the same ends",
     TEXT(SIX "hinges: [{name: net, triples: [[0, 1, 2], [0, 3, 2], [1, 0, 2], [2, 1, 0]], stiffness: 1}]\n"),
     "s.yaml:9:65: error: this triple is listed twice; list it once, in either order\n"
     "    hinges: [{name: net, triples: [[0, 1, 2], [0, 3, 2], [1, 0, 2], [2, 1, 0]], stiffness: 1}]\n"
     "                                                                    ^"},
    {"three ends",
     TEXT(SIX "springs: [{name: net, pairs: [[0, 4, 1]], stiffness: 1}]\n"),
     "s.yaml:9:31: error: expected 2 particles, found 3\n"
     "    springs: [{name: net, pairs: [[0, 4, 1]], stiffness: 1}]\n"
     "                                  ^"},
    {"pairs that are no list",
     TEXT(SIX "springs: [{name: net, pairs: 3, stiffness: 1}]\n"),
     "s.yaml:9:30: error: expected a list of pairs, found the number 3\n"
     "    springs: [{name: net, pairs: 3, stiffness: 1}]\n"
     "                                 ^"},
    {"a pair that is none",
     TEXT(SIX "springs: [{name: net, pairs: [3], stiffness: 1}]\n"),
     "s.yaml:9:31: error: expected [i, j], two particles, found the number 3\n"
     "    springs: [{name: net, pairs: [3], stiffness: 1}]\n"
     "                                  ^"},
    {"no pairs",
     TEXT(SIX "springs: [{name: net, pairs: [], stiffness: 1}]\n"),
     "s.yaml:9:30: error: this list is empty; give it at least one entry\n"
     "    springs: [{name: net, pairs: [], stiffness: 1}]\n"
     "                                 ^"},
    {"pairs and chain",
     TEXT(SIX "springs: [{name: net, pairs: [[0, 1]], chain: {from: 0, to: 1}, stiffness: 1}]\n"),
     "s.yaml:9:40: error: 'pairs' and 'chain' exclude each other; give one\n"
     "    springs: [{name: net, pairs: [[0, 1]], chain: {from: 0, to: 1}, stiffness: 1}]\n"
     "                                           ^"},
    {"neither pairs nor chain",
     TEXT(SIX "springs: [{name: net, stiffness: 1}]\n"),
     "s.yaml:9:11: error: missing key 'pairs' (or 'chain'): the particles\n"
     "    springs: [{name: net, stiffness: 1}]\n"
     "              ^"},
    {"a soft spring",
     TEXT(SIX "springs: [{name: net, pairs: [[0, 1]], stiffness: -1}]\n"),
     "s.yaml:9:51: error: 'stiffness' must be at least 0, not -1\n"
     "    springs: [{name: net, pairs: [[0, 1]], stiffness: -1}]\n"
     "                                                      ^"},
    {"a spring without stiffness",
     TEXT(SIX "springs: [{name: net, pairs: [[0, 1]], stifness: 1}]\n"),
     "s.yaml:9:11: error: missing key 'stiffness': energy: stiffness / 2 times the square of the extension\n"
     "    springs: [{name: net, pairs: [[0, 1]], stifness: 1}]\n"
     "              ^\n"
     "s.yaml:9:40: error: unknown key 'stifness'; did you mean 'stiffness'?\n"
     "    springs: [{name: net, pairs: [[0, 1]], stifness: 1}]\n"
     "                                           ^"},
    {"damping below 0",
     TEXT(SIX "springs: [{name: net, pairs: [[0, 1]], stiffness: 1, damping: -2}]\n"),
     "s.yaml:9:63: error: 'damping' must be at least 0, not -2\n"
     "    springs: [{name: net, pairs: [[0, 1]], stiffness: 1, damping: -2}]\n"
     "                                                                  ^"},
    {"a negative length",
     TEXT(SIX "springs: [{name: net, pairs: [[0, 1]], stiffness: 1, length: -2}]\n"),
     "s.yaml:9:62: error: 'length' must be at least 0, not -2\n"
     "    springs: [{name: net, pairs: [[0, 1]], stiffness: 1, length: -2}]\n"
     "                                                                 ^"},
    {"a length in words",
     TEXT(SIX "springs: [{name: net, pairs: [[0, 1]], stiffness: 1, length: place}]\n"),
     "s.yaml:9:62: error: expected a number, found text 'place'\n"
     "    springs: [{name: net, pairs: [[0, 1]], stiffness: 1, length: place}]\n"
     "                                                                 ^"},
    {"no name",
     TEXT(SIX "springs: [{pairs: [[0, 1]], stiffness: 1}]\n"),
     "s.yaml:9:11: error: missing key 'name': name in messages\n"
     "    springs: [{pairs: [[0, 1]], stiffness: 1}]\n"
     "              ^"},
    {"a name twice",
     TEXT(SIX "springs: [{name: a, pairs: [[0, 1]], stiffness: 1}, {name: a, pairs: [[0, 1]], stiffness: 1}]\n"),
     "s.yaml:9:60: error: the name 'a' is taken by other springs\n"
     "    springs: [{name: a, pairs: [[0, 1]], stiffness: 1}, {name: a, pairs: [[0, 1]], stiffness: 1}]\n"
     "                                                               ^"},
    {"a name that cannot be",
     TEXT(SIX "bodies: [{name: 3d, particles: [0, 1]}]\n"),
     "s.yaml:9:17: error: '3d' cannot be a name: a letter, then letters, digits, '_' and '-'\n"
     "    bodies: [{name: 3d, particles: [0, 1]}]\n"
     "                    ^"},
    {"springs that are a map",
     TEXT(SIX "springs: {name: net}\n"),
     "s.yaml:9:10: error: expected a list of springs, found a map\n"
     "    springs: {name: net}\n"
     "             ^"},
    {"a short chain of hinges",
     TEXT(SIX "hinges: [{name: bend, chain: {from: 0, to: 1}, stiffness: 1}]\n"),
     "s.yaml:9:30: error: this chain takes 3 particles at least\n"
     "    hinges: [{name: bend, chain: {from: 0, to: 1}, stiffness: 1}]\n"
     "                                 ^"},
    {"a hinge on itself",
     TEXT(SIX "hinges: [{name: bend, triples: [[0, 1, 0]], stiffness: 1}]\n"),
     "s.yaml:9:33: error: particle 0 is connected to itself: give different particles\n"
     "    hinges: [{name: bend, triples: [[0, 1, 0]], stiffness: 1}]\n"
     "                                    ^"},
    {"an angle beyond pi",
     TEXT(SIX "hinges: [{name: bend, triples: [[0, 1, 2]], stiffness: 1, angle: 7}]\n"),
     "s.yaml:9:66: error: 'angle' must lie between -pi and pi, not 7\n"
     "    hinges: [{name: bend, triples: [[0, 1, 2]], stiffness: 1, angle: 7}]\n"
     "                                                                     ^"},
    {"a segment without thickness",
     TEXT(SIX "segments: [{name: rod, pairs: [[0, 1]], diameter: 0, species: bead}]\n"),
     "s.yaml:9:51: error: 'diameter' must be greater than 0, not 0\n"
     "    segments: [{name: rod, pairs: [[0, 1]], diameter: 0, species: bead}]\n"
     "                                                      ^"},
    {"an unknown species",
     TEXT(SIX "segments: [{name: rod, pairs: [[0, 1]], diameter: 1, species: bed}]\n"),
     "s.yaml:9:63: error: unknown species 'bed'; did you mean 'bead'?\n"
     "    segments: [{name: rod, pairs: [[0, 1]], diameter: 1, species: bed}]\n"
     "                                                                  ^"},
    {"a segment of no species",
     TEXT(SIX "segments: [{name: rod, pairs: [[0, 1]], diameter: 1}]\n"),
     "s.yaml:9:12: error: missing key 'species': species that determines their contacts\n"
     "    segments: [{name: rod, pairs: [[0, 1]], diameter: 1}]\n"
     "               ^"},
    {"a chain that runs back",
     TEXT(SIX "segments: [{name: rod, chain: {from: 3, to: 1}, diameter: 1, species: bead}]\n"),
     "s.yaml:9:45: error: 'to' must not be below 'from'\n"
     "    segments: [{name: rod, chain: {from: 3, to: 1}, diameter: 1, species: bead}]\n"
     "                                                ^"},
    {"a chain without end",
     TEXT(SIX "segments: [{name: rod, chain: {from: 3, too: 5}, diameter: 1, species: bead}]\n"),
     "s.yaml:9:31: error: missing key 'to': number of the last particle\n"
     "    segments: [{name: rod, chain: {from: 3, too: 5}, diameter: 1, species: bead}]\n"
     "                                  ^\n"
     "s.yaml:9:41: error: unknown key 'too'; did you mean 'to'?\n"
     "    segments: [{name: rod, chain: {from: 3, too: 5}, diameter: 1, species: bead}]\n"
     "                                            ^"},
    {"a drive of nothing",
     TEXT(SIX "drives: [{name: push}]\n"),
     "s.yaml:9:10: error: missing key 'particles' (or 'plane', 'cylinder' or 'mesh'): the driven object\n"
     "    drives: [{name: push}]\n"
     "             ^"},
    {"a drive of both",
     TEXT(SIX "drives: [{name: push, particles: [0], plane: lid}]\n"),
     "s.yaml:9:39: error: 'particles' and 'plane' exclude each other; give one\n"
     "    drives: [{name: push, particles: [0], plane: lid}]\n"
     "                                          ^"},
    {"an unknown plane",
     TEXT(SIX "drives: [{name: push, plane: lit}]\n"),
     "s.yaml:9:30: error: unknown plane 'lit'; did you mean 'lid'?\n"
     "    drives: [{name: push, plane: lit}]\n"
     "                                 ^"},
    {"a plane in two drives",
     TEXT(SIX "drives: [{name: push, plane: lid}, {name: pull, plane: lid}]\n"),
     "s.yaml:9:56: error: plane 'lid' is in drive 'push' already; give one drive all motions\n"
     "    drives: [{name: push, plane: lid}, {name: pull, plane: lid}]\n"
     "                                                           ^"},
    {"a motion back in time",
     TEXT(SIX "drives: [{name: push, plane: lid, motion: [{time: 2, velocity: [0, 1]}, {time: 1, velocity: [0, 0]}]}]\n"),
     "s.yaml:9:80: error: 'time' must be later than that of the previous item, 2\n"
     "    lid, motion: [{time: 2, velocity: [0, 1]}, {time: 1, velocity: [0, 0]}]}]\n"
     "                                                      ^"},
    {"two motions at once",
     TEXT(SIX "drives: [{name: push, plane: lid, motion: [{velocity: [0, 1]}, {velocity: [0, 0]}]}]\n"),
     "s.yaml:9:64: error: 'time' must be later than that of the previous item, 0\n"
     "    drives: [{name: push, plane: lid, motion: [{velocity: [0, 1]}, {velocity: [0, 0]}]}]\n"
     "                                                                   ^"},
    {"a motion before the start",
     TEXT(SIX "drives: [{name: push, plane: lid, motion: [{time: -1, velocity: [0, 1]}]}]\n"),
     "s.yaml:9:51: error: 'time' must be at least 0, not -1\n"
     "    drives: [{name: push, plane: lid, motion: [{time: -1, velocity: [0, 1]}]}]\n"
     "                                                      ^"},
    {"a motion in three dimensions",
     TEXT(SIX "drives: [{name: push, plane: lid, motion: [{velocity: [0, 1, 0]}]}]\n"),
     "s.yaml:9:55: error: expected a list of 2 numbers, found 3\n"
     "    drives: [{name: push, plane: lid, motion: [{velocity: [0, 1, 0]}]}]\n"
     "                                                          ^"},
    {"a particle in two drives",
     TEXT(SIX "drives: [{name: push, particles: {from: 0, to: 3}}, {name: pull, particles: [5, 3]}]\n"),
     "s.yaml:9:81: error: particle 3 is in drive 'push' already; list it in one of them\n"
     "    s: {from: 0, to: 3}}, {name: pull, particles: [5, 3]}]\n"
     "                                                      ^"},
    {"a particle in a body and a drive",
     TEXT(SIX "drives: [{name: push, particles: {from: 0, to: 3}}]\n" "bodies: [{name: block, particles: [3, 4]}]\n"),
     "s.yaml:9:34: error: particle 3 is in body 'block' already; list it in one of them\n"
     "    drives: [{name: push, particles: {from: 0, to: 3}}]\n"
     "                                     ^"},
    {"a particle twice in a body",
     TEXT(SIX "bodies: [{name: block, particles: [3, {from: 2, to: 4}]}]\n"),
     "s.yaml:9:39: error: particle 3 is listed twice; list it once\n"
     "    bodies: [{name: block, particles: [3, {from: 2, to: 4}]}]\n"
     "                                          ^"},
    {"a body of one",
     TEXT(SIX "bodies: [{name: block, particles: [3]}]\n"),
     "s.yaml:9:35: error: a body needs at least two particles\n"
     "    bodies: [{name: block, particles: [3]}]\n"
     "                                      ^"},
    {"a body of none",
     TEXT(SIX "bodies: [{name: block, particles: []}]\n"),
     "s.yaml:9:35: error: this list is empty; give it at least one entry\n"
     "    bodies: [{name: block, particles: []}]\n"
     "                                      ^"},
    {"a body that is a number",
     TEXT(SIX "bodies: [{name: block, particles: 3}]\n"),
     "s.yaml:9:35: error: expected a list of particles or {from: FIRST, to: LAST}, found the number 3\n"
     "    bodies: [{name: block, particles: 3}]\n"
     "                                      ^"},
    {"a body without particles",
     TEXT(SIX "bodies: [{name: block}]\n"),
     "s.yaml:9:10: error: missing key 'particles' (or 'mesh'): the parts of the body\n"
     "    bodies: [{name: block}]\n"
     "             ^"},
    {"a spin in three dimensions",
     TEXT(SIX "bodies: [{name: block, particles: [0, 1], angular_velocity: [0, 0, 1]}]\n"),
     "s.yaml:9:61: error: expected a number, found a list\n"
     "    bodies: [{name: block, particles: [0, 1], angular_velocity: [0, 0, 1]}]\n"
     "                                                                ^"},
    {"a range backwards",
     TEXT(SIX "bodies: [{name: block, particles: {from: 4, to: 2}}]\n"),
     "s.yaml:9:49: error: 'to' must not be below 'from'\n"
     "    bodies: [{name: block, particles: {from: 4, to: 2}}]\n"
     "                                                    ^"},
    {"hinges in three dimensions",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 4, place: fcc}]\n" RUN "hinges: [{name: bend, triples: [[0, 1, 2]], stiffness: 1}]\n"),
     "s.yaml:7:1: error: hinges turn in the plane: they need 'dimension: 2'\n"
     "    hinges: [{name: bend, triples: [[0, 1, 2]], stiffness: 1}]\n"
     "    ^"},
};
/* clang-format on */
START_TEST(message_is_exact)
{
    const faulty_scene *one = &cases[_i];
    expect_message(one->name, one->text, one->length, NULL, 0, CAROM_BAD_DATA, one->message);
}
END_TEST

/* Everything given, in the long forms and the short; then read again from what the reader made of it. */
START_TEST(resolved_scene_says_the_same)
{
    static const char text[] =
        SIX "contacts: [{between: [bead, bead], friction: 0.5}]\n"
            "springs: [{name: net, pairs: [[0, 1], [1, 2]], stiffness: 10, damping: 0.5, length: 2},\n"
            "          {name: tie, pairs: [[4, 0]], stiffness: 1}]\n"
            "hinges: [{name: bend, chain: {from: 0, to: 3}, stiffness: 2}]\n"
            "segments: [{name: rod, pairs: [[2, 3], [3, 1]], diameter: 0.25, species: bead}]\n"
            "drives: [{name: end, particles: [0, {from: 1, to: 2}]},\n"
            "         {name: press, plane: floor, motion: [{velocity: [0, 1]}, {time: 2, velocity: [0, 0]}]}]\n"
            "bodies: [{name: block, particles: [5, 3], angular_velocity: 2}]\n";
    static const char wanted[] =
        "springs:\n"
        "  - {name: net, chain: {from: 0, to: 2}, stiffness: 10, damping: 0.5, length: 2}\n"
        "  - {name: tie, pairs: [[4, 0]], stiffness: 1, damping: 0, length: placed}\n"
        "hinges:\n"
        "  - {name: bend, chain: {from: 0, to: 3}, stiffness: 2, angle: placed}\n"
        "segments:\n"
        "  - {name: rod, pairs: [[2, 3], [3, 1]], diameter: 0.25, species: bead}\n"
        "drives:\n"
        "  - {name: end, particles: {from: 0, to: 2}, motion: []}\n"
        "  - {name: press, plane: floor, motion: [{time: 0, velocity: [0, 1]}, {time: 2, velocity: [0, 0]}]}\n"
        "bodies:\n"
        "  - {name: block, particles: [5, 3], angular_velocity: 2}\n"
        "fields:\n";
    error e = {0};
    scene *s, *again;
    ck_assert_int_eq(scene_read(&s, "s.yaml", NULL, text, sizeof text - 1, NULL, 0, &toy_vocabulary, &e), CAROM_OK);
    printf("%s\n", s->resolved);
    ck_assert_ptr_nonnull(strstr(s->resolved, wanted));
    ck_assert_ptr_nonnull(strstr(s->resolved, "{between: [bead, bead], restitution: 1, friction: 0.5}"));
    ck_assert_uint_eq(s->drives[1].plane, 1);
    ck_assert_uint_eq(s->hinges[0].triples[1][2], 3);
    ck_assert(isnan(s->hinges[0].angle) && s->springs[1].length < 0);
    size_t length = strlen(s->resolved);
    ck_assert_int_eq(scene_read(&again, "r.yaml", NULL, s->resolved, length, NULL, 0, &toy_vocabulary, &e), CAROM_OK);
    ck_assert_str_eq(again->resolved, s->resolved);
    scene_free(again);
    scene_free(s);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("messages");
    tcase_add_loop_test(tests, message_is_exact, 0, (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(tests, resolved_scene_says_the_same);
    return suite_run("scene_faults_links", tests);
}
