/* Independent checks of a result: they use the frames only, no code of the engines. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_H
#define CAROM_OUTPUT_VERIFY_VERIFY_H

#include "output/results/read.h"
#include "scene/scene.h"

/* Receives the progress: the completed fraction, and the time of the present frame. */
typedef struct verify_watch {
    void (*tell)(double done, double time, void *data);
    void *data;
} verify_watch;

/* Checks each frame for:
 *   numbers that are not finite; negative radii and masses;
 *   overlapping pairs: distance < sum of radii - tolerance, periodic images included; likewise segments and particles,
 *     and two segments (without those that share an end or belong to one body, and the two ends of a segment);
 *   triangles of meshes that intersect each other (exactly), or are closer to each other or to particles than the
 *     thicknesses permit;
 *   particles outside the box: their surface beyond a wall by more than the tolerance, or beyond a periodic axis;
 *   particles beyond exact surfaces of the scene `s` (NULL: none), at their positions at that time;
 *   stored energies and momentum that differ from those of the particles;
 * and each pair of successive frames for:
 *   passages through each other (verify_between.h); undecided ones are reported, but are not violations;
 *   particles that change sides of a closed mesh (verify_sides.h);
 *   times that do not increase, counters that decrease;
 *   energy + dissipated energy that differs from that of the first frame, or energy that increases by more than the
 *     energy supplied;
 *   momentum that changes without external forces (no gravity along that axis, no wall event in the interval, no
 *     sleeping particle).
 * An engine may permit distances below contact by a fraction (the leeway of the result): its penalty layers, its
 * tolerance. With a ledger, the drift of the energy balance is reported, and is a violation beyond 1e-9 of the largest
 * energy (with a leeway: verify_drift.h); so are dissipated energies that fall (verify_dissipation.c). Momentum is
 * checked without walls, planes and drives only.
 *
 * Tolerance of lengths: 512 * 2^-52 * (largest coordinate, box side or radius). A position is stored to half an ulp of
 * the box and results from one multiplication and one addition, each with the same error; the time of a collision, and
 * with it the distance after it, has errors of a few ulps of each time and speed used. Tolerance of energy: 1e-9 of
 * the largest energy (kinetic or potential) so far; of momentum: 1e-9 of the largest sum of m |v| so far. For runs in
 * single precision (the grain of the result): 512 * 2^-23, and 1e-3.
 *
 * `watch` may be NULL. *report: text or a JSON object, with the first ten violations of each kind and their number;
 * freed with memory_free. CAROM_OK, CAROM_VIOLATION, or a failure to read (*report is then NULL). */
carom_status verify_result(const reader *r, const scene *s, const verify_watch *watch, bool json, char **report,
                           error *e);

#endif
