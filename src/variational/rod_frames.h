/* Elastic rods with a director at each edge: their cross section is an ellipse, or they are curved at rest (Bergou, Wardetzky,
 * Robinson, Audoly, Grinspun, ACM Trans. Graph. 27, 63 (2008)). Torsional waves are as fast as those of stretching, so the
 * directors are in equilibrium at any time (2008, sec. 5.1): they minimise the energy of bending and twist of the polygon, from the
 * minimum of the tick before. Those of ends that are held move with their edges without rotation about them.
 *
 *   bending of a joint: mean of both edges of  sum over a of E I_a / (2 s) (k_a - k_a at rest)^2,  k_a = curvature . axis a
 *   twist of a joint:   G J / (2 s) m^2,  m = angle from the director before, carried to the edge after, to the director there
 *
 * Axis 0 is the director, along the width; axis 1 completes it and the edge's direction to a right-handed system. */
#ifndef CAROM_VARIATIONAL_ROD_FRAMES_H
#define CAROM_VARIATIONAL_ROD_FRAMES_H

#include "variational/rod_math.h"

/* Of an edge, at the time of the last kick. Its joint is the one at its end. */
typedef struct rod_frame {
    double tangent[3], director[3];
    double twist;  /* of the joint, counted in full turns */
    double torque; /* that holds the director; 0, to rounding, where it is free */
} rod_frame;

typedef struct rod_joint_rest {
    double curvature[2][2]; /* about both axes of the edge before, and of that after */
    double angle;           /* between the directors without twist */
} rod_joint_rest;

/* An equation for the rotation of each director; unknown `i` is coupled to i + 1, and the last one to the first in a closed rod. */
typedef struct frame_equation {
    double diagonal, next, last, right, turn;
    double side[3]; /* axis 1 */
} frame_equation;

struct rod_frames {
    double bend[2];           /* Young's modulus times second moment of area, for bending about axes 0 and 1 */
    double torsion;           /* shear modulus times torsion constant */
    bool *held;               /* of each edge: whether its director is held */
    double viscous;           /* torque of the drag at the end that rotates */
    rod_joint_rest *rest;     /* of each joint */
    frame_equation *equation; /* of each edge */
};

/* Requires rod_look. Sets the frames and the shape at rest. along: direction of the width at the first edge, not along it; curved: the
 * present shape is without stress but for the twist. */
void frames_begin(elastic_rod *r, rod_frame *f, const double along[3], bool curved);

/* Requires rod_look. The end rotates by an angle; then all free directors come to equilibrium. Returns the energy that is lost where
 * their minimum has ceased to exist. */
double frames_advance(const elastic_rod *r, rod_frame *f, double rotated);

/* Torque that holds the end. */
double frames_end_torque(const elastic_rod *r, const rod_frame *f);

/* Twist of the whole rod. */
double frames_twist(const elastic_rod *r, const rod_frame *f);

/* Require frames_advance at the present polygon. The drag is that of curvatures and twist, whose directors follow it without
 * resistance; at the end they rotate at the rate `turning`. */
rod_energy frames_energy_of(const elastic_rod *r, const rod_frame *f);
void frames_force(elastic_rod *r, const rod_frame *f, double turning);

/* Largest stiffness of joint j against rotations of one of its edges, times span, at the start. */
double frames_stiffness(const elastic_rod *r, uint32_t j);

#endif
