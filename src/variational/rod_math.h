/* Energy and forces of an elastic rod: a polygon that stretches, bends and twists (Bergou, Wardetzky, Robinson, Audoly, Grinspun,
 * ACM Trans. Graph. 27, 63 (2008); 29, 116 (2010)). Its cross section is a circle and it is straight at rest, so that in
 * equilibrium the twist is uniform along the rod (2008, sec. 5.1), and a function of the polygon:
 *
 *   twist = angle from the first director, carried along the polygon without rotation about it, to the last director.
 *
 * The directors at the two ends move with their edges without rotation about them. Rods with another cross section, or curved at
 * rest, have a director at each edge: rod_frames.h. */
#ifndef CAROM_VARIATIONAL_ROD_MATH_H
#define CAROM_VARIATIONAL_ROD_MATH_H

#include <stdbool.h>
#include <stdint.h>

/* An edge, and the joint at its end with the next edge. */
typedef struct rod_edge {
    uint32_t from, to;       /* nodes */
    double length;           /* at rest */
    double span;             /* length of the rod that bends at the joint; 0: none */
    double way[3], speed[3]; /* from node to node, and its rate of change */
    double unit[3], size;    /* direction and length */
    double bend[3];          /* discrete curvature of the joint: binormal, 2 tan(angle / 2) */
    double force[3];         /* minus the derivative of the energy by `way`, and damping */
    double drag[3];          /* damping alone */
} rod_edge;

typedef struct rod_frames rod_frames;

typedef struct elastic_rod {
    rod_edge *edge;
    rod_frames *frames;        /* NULL: a round rod, straight at rest */
    uint32_t edges, joints;    /* joints == edges: closed */
    double stretch, bend;      /* Young's modulus times area, and times second moment of area */
    double torsion;            /* torsional stiffness over the length; 0: the ends rotate freely */
    double damping;            /* retardation time */
    double first, rate, until; /* twist at the start; the end rotates at this rate up to `until` */
    double closing;            /* closed: angle of the carried director at the start */
} elastic_rod;

/* The state of its twist, at the time of the last kick. */
typedef struct rod_state {
    double time, twist;
    double held; /* angle of the end against the beginning, without the motion of the polygon */
    double tangent[2][3], director[2][3]; /* of the first and last edge; closed: [1] is unused */
} rod_state;

typedef struct rod_energy {
    double stretch, bend, twist;
} rod_energy;

/* The edge after edge j, in a closed rod also after the last. */
static inline uint32_t rod_next(const elastic_rod *r, uint32_t j)
{
    return j + 1 < r->edges ? j + 1 : 0;
}

static inline rod_edge *rod_after(const elastic_rod *r, uint32_t j)
{
    return &r->edge[rod_next(r, j)];
}

static inline void rod_add(double to[3], double factor, const double v[3])
{
    for (int k = 0; k < 3; k++) to[k] += factor * v[k];
}

static inline bool rod_is_closed(const elastic_rod *r)
{
    return r->joints == r->edges;
}

/* Rotates a vector by the smallest rotation that takes one direction to another. */
void rod_carry(const double from[3], const double to[3], double v[3]);

/* Makes v a unit vector perpendicular to a direction; v: not along it. */
void rod_set_normal(double v[3], const double unit[3]);

/* Any direction perpendicular to another. */
void rod_find_normal(const double unit[3], double v[3]);

/* Directions, lengths and curvatures, from the vectors of all edges. */
void rod_look(elastic_rod *r);

/* Requires rod_look. At time 0, with the twist `first`. */
rod_state rod_begin(elastic_rod *r);

/* Requires rod_look. The state at time t. The twist changes by less than half a turn, beside the rotation of the end. */
rod_state rod_advance(const elastic_rod *r, const rod_state *before, double t);

/* Angle by which the end rotates between two times. */
double rod_rotation(const elastic_rod *r, double from, double to);

/* Work done by the rotation of the end between two states. */
double rod_work(const elastic_rod *r, const rod_state *from, const rod_state *to);

/* Requires rod_look. */
rod_energy rod_energy_of(const elastic_rod *r, double twist);
void rod_force(elastic_rod *r, double twist);

/* Sets force and drag of all edges to those of stretching. */
void rod_stretch(elastic_rod *r);

#endif
