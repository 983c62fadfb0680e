/* An independent look at a result: knows nothing of engines, reads the frames and does the physics again. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_H
#define CAROM_OUTPUT_VERIFY_VERIFY_H

#include "output/results/read.h"
#include "scene/scene.h"

/* Is told of progress: the part that is done, and the time of the frame that is looked at. */
typedef struct verify_watch {
    void (*tell)(double done, double time, void *data);
    void *data;
} verify_watch;

/* Looks for, in every frame:
 *   numbers that are not finite; radii and masses below zero;
 *   pairs that overlap: distance < sum of radii - tolerance, periodic images included; likewise segments and particles,
 *     and two segments (not those that share an end or belong to one body, nor the two ends of a segment);
 *   triangles of meshes that pass through each other (exactly), or come nearer to each other or to particles than
 *     thicknesses allow;
 *   particles outside the box: beyond a wall by more than the tolerance (their surface), or beyond a periodic axis;
 *   particles beyond exact surfaces of the scene `s` (NULL: there are none), where those are then;
 *   stored energies and momentum that are not those of the particles;
 * and from frame to frame:
 *   what has passed through what (verify_between.h); crossings that the frames leave in doubt are told, and no
 * violation; changed sides of a closed mesh (verify_sides.h); times that do not increase, counters that
 * decrease; energy + dissipated energy that is not that of the first frame, or energy that increases by more than came
 * in; momentum that changes though nothing acts from outside (no gravity along that axis, no wall event meanwhile,
 * no particle asleep). An engine may let contact distances be undercut by a fraction (the result's leeway): its penalty
 * layers, its tolerance. Where it keeps a ledger, the drift of the energy budget is told, and is a violation beyond
 * 1e-9 of the largest energy (with a leeway: verify_drift.h); momentum is looked at where there are no walls, planes
 * and drives.
 *
 * Tolerance of lengths: 512 * 2^-52 * (largest coordinate, box side or radius). A position is stored to half an ulp of
 * the box and comes from one multiplication and one addition, each with as much; the instant of a collision, hence the
 * distance after it, carries a few ulps more of each time and speed that it came from. Tolerance of energy: 1e-9 of
 * the largest energy (kinetic or potential) so far; of momentum: 1e-9 of the largest sum of m |v| so far. Of runs in
 * single precision (the result's grain): 512 * 2^-23, and 1e-3.
 *
 * `watch` may be NULL. *report: text or a JSON object, with the first ten culprits of each kind and all counted; freed with memory_free.
 * CAROM_OK, CAROM_VIOLATION, or a failure to read (*report is then NULL). */
carom_status verify_result(const reader *r, const scene *s, const verify_watch *watch, bool json, char **report,
                           error *e);

#endif
