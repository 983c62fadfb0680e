#include "output/verify/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/results/json_text.h"
#include "output/verify/joined.h"
#include "output/verify/pairs.h"
#include "output/verify/verify_between.h"
#include "output/verify/verify_bonds.h"
#include "output/verify/verify_clusters.h"
#include "output/verify/verify_drift.h"
#include "output/verify/verify_exact.h"
#include "output/verify/verify_meshes.h"
#include "output/verify/verify_segments.h"
#include "output/verify/verify_shapes.h"
#include "output/verify/verify_sides.h"
#include "output/verify/verify_turning.h"

enum { SHOWN = 10 };

/* Relative rounding errors permitted for the energy and momentum: in double and in single precision. */
static const double EXACT_DRIFT = 1e-9, COARSE_DRIFT = 1e-3;

typedef enum check {
    CHECK_FINITE,
    CHECK_OVERLAP,
    CHECK_PASSAGE,
    CHECK_BOX,
    CHECK_STORED,
    CHECK_TIME,
    CHECK_ENERGY,
    CHECK_MOMENTUM,
    CHECK_CLUSTERS,
    CHECK_BONDS, /* if the scene has bonds */
    CHECKS
} check;

static const char *const check_names[CHECKS] = {
    "invalid numbers",
    "overlaps",
    "passages between frames",
    "particles outside the box",
    "wrong stored sums",
    "times and counters",
    "energy budget",
    "momentum",
    "clusters",
    "bonds",
};

static const char *const check_keys[CHECKS] = {
    "numbers", "overlaps", "passages", "outside", "stored", "times", "energy", "momentum", "clusters", "bonds",
};

/* The state of the checks between frames. */
typedef struct verifier {
    const reader *r;
    const scene *scene;
    const verify_watch *watch;
    carom_frame f, before; /* the previous frame, if it is valid */
    bool follows;
    between *way;
    recorded_paths *paths; /* between frames; NULL: none */
    sides *sides;
    meshes_look *near;
    uint64_t index;
    double tolerance;                /* of lengths, in this frame */
    double energy_scale, flow_scale; /* largest energy and sum of m |v| so far */
    double account_scale;            /* largest energy in any account of the ledger, during the run */
    double first_sum;                /* energy + dissipated energy - work */
    drift_steps steps;
    double drift;   /* the largest change of that sum in runs with time steps, */
    double allowed; /* and its limit in that frame */
    frame_merge *merges;
    result_links links;
    joined joined;
    bool begun; /* at least one frame has been checked; in the last one: */
    frame_row last;
    turning_sum last_turning;
    bool sleep;     /* a particle was asleep */
    double deepest; /* largest overlap */
    uint64_t found[CHECKS];
    text_buffer descriptions[CHECKS];
} verifier;

/* Counts a violation; true if it is to be described. The description begins with the index and time of the frame. */
static bool note(verifier *v, check what)
{
    if (++v->found[what] > SHOWN) return false;
    text_buffer *t = &v->descriptions[what];
    text_add(t, "  frame %" PRIu64 ", time ", v->index);
    text_add_number(t, v->f.time);
    text_add(t, ": ");
    return true;
}

static void note_number(verifier *v, check what, const char *words, double value)
{
    text_add(&v->descriptions[what], "%s", words);
    text_add_number(&v->descriptions[what], value);
}

static void end_note(verifier *v, check what)
{
    text_add(&v->descriptions[what], "\n");
}

/* "particle 5", or "vertex 3 of mesh 'cloth'". */
static void add_point(verifier *v, check what, size_t i)
{
    const result_links *links = &v->links;
    size_t k = 0;
    while (k < links->meshes && i - links->mesh[k].first >= links->mesh[k].vertices) k++;
    if (i < frame_particles(&v->f) || k == links->meshes)
        text_add(&v->descriptions[what], "particle %" PRIu32, v->f.id[i]);
    else
        text_add(&v->descriptions[what], "vertex %zu of mesh '%s'", i - links->mesh[k].first, links->mesh[k].name);
}

static bool finite_vector(const double *x, size_t dimension)
{
    for (size_t k = 0; k < dimension; k++)
        if (!isfinite(x[k])) return false;
    return true;
}

static bool is_unit(const double *u)
{
    return fabs(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1) < 1e-6; /* also in runs of single precision */
}

/* False if the frame cannot be checked further. */
static bool check_finite(verifier *v)
{
    const carom_frame *f = &v->f;
    size_t dimension = (size_t)f->dimension;
    uint64_t before = v->found[CHECK_FINITE];
    if (!isfinite(f->time) || !finite_vector(f->box, dimension)) {
        if (note(v, CHECK_FINITE))
            note_number(v, CHECK_FINITE, "time or box is not finite: ", f->time), end_note(v, CHECK_FINITE);
    }
    for (size_t k = 0; k < dimension; k++)
        if (!(f->box[k] > 0) && note(v, CHECK_FINITE))
            note_number(v, CHECK_FINITE, "box side ", f->box[k]), end_note(v, CHECK_FINITE);
    for (size_t i = 0; i < f->count; i++) {
        const char *what = !finite_vector(f->position + i * dimension, dimension)   ? "position"
                           : !finite_vector(f->velocity + i * dimension, dimension) ? "velocity"
                           : !(f->radius[i] >= 0 && isfinite(f->radius[i]))         ? "radius"
                           : !(f->mass[i] >= 0 && isfinite(f->mass[i]))             ? "mass"
                           : f->spin != NULL && !finite_vector(f->spin + 3 * i, 3)  ? "angular velocity"
                           : f->axis != NULL && !is_unit(f->axis + 3 * i)           ? "orientation"
                                                                                    : NULL;
        if (what != NULL && note(v, CHECK_FINITE))
            text_add(&v->descriptions[CHECK_FINITE], "%s of ", what), add_point(v, CHECK_FINITE, i),
                end_note(v, CHECK_FINITE);
    }
    return v->found[CHECK_FINITE] == before;
}

static double length_tolerance(const carom_frame *f)
{
    enum { ULPS = 512 };
    size_t dimension = (size_t)f->dimension;
    double largest = 0;
    for (size_t k = 0; k < dimension; k++) largest = fmax(largest, f->box[k]);
    for (size_t i = 0; i < f->count * dimension; i++) largest = fmax(largest, fabs(f->position[i]));
    for (size_t i = 0; i < f->count; i++) largest = fmax(largest, f->radius[i]);
    return ULPS * fmax(f->grain, 0x1p-52) * largest;
}

/* Connections between particles. */
static carom_status read_links(verifier *v, error *e)
{
    TRY(reader_links(v->r, &v->links, e));
    return joined_create(&v->joined, &v->links, e);
}

/* Exceptions: particles of one body or drive, and the two ends of a segment or bond. */
static bool may_overlap(const verifier *v, size_t i, size_t j)
{
    const uint32_t *owner = v->links.owner;
    if (owner != NULL && owner[i] != 0 && owner[i] == owner[j]) return true;
    return joined_has(&v->joined, (uint32_t)i, (uint32_t)j);
}

static void overlap(size_t i, size_t j, double distance, void *data)
{
    verifier *v = data;
    if (may_overlap(v, i, j)) return;
    double depth = v->f.axis != NULL ? verify_shapes_depth(&v->f, i, j) : v->f.radius[i] + v->f.radius[j] - distance;
    v->deepest = fmax(v->deepest, depth);
    if (depth <= v->tolerance + v->f.leeway * (v->f.radius[i] + v->f.radius[j])) return;
    if (!note(v, CHECK_OVERLAP)) return;
    text_add(&v->descriptions[CHECK_OVERLAP], "particles %" PRIu32 " and %" PRIu32, v->f.id[i], v->f.id[j]);
    note_number(v, CHECK_OVERLAP, " are ", distance);
    note_number(v, CHECK_OVERLAP, " apart, and overlap by ", depth);
    end_note(v, CHECK_OVERLAP);
}

static void segment_overlap(size_t a, size_t b, double distance, double depth, void *data)
{
    verifier *v = data;
    v->deepest = fmax(v->deepest, depth);
    if (!note(v, CHECK_OVERLAP)) return;
    text_buffer *t = &v->descriptions[CHECK_OVERLAP];
    text_add(t, "the segment between particles %" PRIu32 " and %" PRIu32 " and ", v->links.segment[0][a],
             v->links.segment[1][a]);
    if (b < v->links.segments)
        text_add(t, "that between %" PRIu32 " and %" PRIu32, v->links.segment[0][b], v->links.segment[1][b]);
    else
        text_add(t, "particle %" PRIu32, v->f.id[b - v->links.segments]);
    note_number(v, CHECK_OVERLAP, " are ", distance);
    note_number(v, CHECK_OVERLAP, " apart, and overlap by ", depth);
    end_note(v, CHECK_OVERLAP);
}

static void bond_is_off(size_t bond, double length, void *data)
{
    verifier *v = data;
    if (!note(v, CHECK_BONDS)) return;
    const result_links *links = &v->links;
    text_add(&v->descriptions[CHECK_BONDS], "particles %" PRIu32 " and %" PRIu32, links->spring[0][bond],
             links->spring[1][bond]);
    note_number(v, CHECK_BONDS, " are ", length);
    note_number(v, CHECK_BONDS, " apart, not between ", links->shortest[bond]);
    note_number(v, CHECK_BONDS, " and ", links->longest[bond]);
    end_note(v, CHECK_BONDS);
}

static void mesh_overlap(mesh_part a, mesh_part b, double depth, void *data)
{
    verifier *v = data;
    const result_mesh *all = v->links.mesh;
    if (depth < INFINITY) v->deepest = fmax(v->deepest, depth);
    if (!note(v, CHECK_OVERLAP)) return;
    text_buffer *t = &v->descriptions[CHECK_OVERLAP];
    text_add(t, "triangle %" PRIu32 " of mesh '%s' and ", a.number, all[a.mesh].name);
    if (b.mesh == PART_PARTICLE)
        text_add(t, "particle %" PRIu32, v->f.id[b.number]);
    else if (b.mesh == PART_SEGMENT)
        text_add(t, "the segment between particles %" PRIu32 " and %" PRIu32, v->links.segment[0][b.number],
                 v->links.segment[1][b.number]);
    else
        text_add(t, "triangle %" PRIu32 " of mesh '%s'", b.number, all[b.mesh].name);
    if (depth < INFINITY)
        note_number(v, CHECK_OVERLAP, " overlap by ", depth);
    else
        text_add(t, " pass through each other");
    end_note(v, CHECK_OVERLAP);
}

static void add_part(const verifier *v, text_buffer *t, const passage_part *p)
{
    static const char *const names[] = {"vertex", "the edge between vertices", "triangle"};
    const uint32_t *id = v->f.id, *end = p->end;
    if (p->mesh == SIZE_MAX && p->ends == 1) {
        text_add(t, "particle %" PRIu32, id[end[0]]);
    } else if (p->mesh == SIZE_MAX) {
        text_add(t, "the segment between particles %" PRIu32 " and %" PRIu32, id[end[0]], id[end[1]]);
    } else {
        const result_mesh *m = &v->links.mesh[p->mesh];
        text_add(t, "%s", names[p->ends - 1]);
        for (int c = 0; c < p->ends; c++)
            text_add(t, "%s%" PRIu32, c == 0 ? " " : c + 1 < p->ends ? ", " : " and ", end[c] - m->first);
        text_add(t, " of mesh '%s'", m->name);
    }
}

static void passes(const passage *p, void *data)
{
    verifier *v = data;
    if (!note(v, CHECK_PASSAGE)) return;
    text_buffer *t = &v->descriptions[CHECK_PASSAGE];
    add_part(v, t, &p->a);
    text_add(t, " and ");
    add_part(v, t, &p->b);
    note_number(v, CHECK_PASSAGE, " have passed through each other since the previous frame, about time ", p->time);
    end_note(v, CHECK_PASSAGE);
}

static void report_side_change(size_t i, size_t mesh, bool inside, void *data)
{
    verifier *v = data;
    if (!note(v, CHECK_PASSAGE)) return;
    text_add(&v->descriptions[CHECK_PASSAGE], "particle %" PRIu32 " has %s mesh '%s' since the previous frame\n",
             v->f.id[i], inside ? "entered" : "left", v->links.mesh[mesh].name);
}

static carom_status check_way(verifier *v, error *e)
{
    if (v->sides == NULL) TRY(sides_open(&v->sides, &v->f, &v->links, e));
    sides_check(v->sides, &v->f, report_side_change, v);
    if (v->way == NULL) TRY(between_open(&v->way, &v->f, &v->links, e));
    if (!v->follows || v->f.shear != 0) return CAROM_OK; /* images move in a sheared box: not checked */
    const bool recorded = recorded_paths_select(v->paths, &v->before, &v->f);
    between_take_paths(v->way, recorded ? v->paths : NULL);
    return between_check(v->way, &v->before, &v->f, v->tolerance, passes, v, e);
}

/* Walls do not act on vertices of rigid meshes and driven vertices. The owners of bodies come before those of
 * drives. */
static bool scene_moves(const verifier *v, size_t i)
{
    const result_links *links = &v->links;
    const size_t bodies = v->scene != NULL ? v->scene->body_count : 0;
    for (size_t k = 0; k < links->meshes; k++)
        if (links->mesh[k].rigid && i - links->mesh[k].first < links->mesh[k].vertices) return true;
    return links->owner != NULL && links->owner[i] > bodies;
}

static void check_box(verifier *v)
{
    const carom_frame *f = &v->f;
    size_t dimension = (size_t)f->dimension;
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < dimension; k++) {
            double x = f->position[i * dimension + k], margin = f->boundary[k] == FRAME_WALL ? f->radius[i] : 0;
            if (margin > 0 && f->axis != NULL) margin = verify_shapes_reach(f, i, k);
            double beyond = fmax(margin - x, x - (f->box[k] - margin));
            bool soft =
                f->boundary[k] == FRAME_WALL && f->tallies.ledger.kept; /* penalty layers, as thick as for a pair */
            double allowed = v->tolerance + (soft ? 2 * f->leeway * f->radius[i] : 0);
            if (f->boundary[k] == FRAME_OPEN || beyond <= allowed) continue;
            if ((f->boundary[k] == FRAME_WALL && scene_moves(v, i)) || !note(v, CHECK_BOX)) continue;
            add_point(v, CHECK_BOX, i);
            text_add(&v->descriptions[CHECK_BOX], " at %c = ", "xyz"[k]);
            text_add_number(&v->descriptions[CHECK_BOX], x);
            note_number(v, CHECK_BOX, ", beyond by ", beyond);
            end_note(v, CHECK_BOX);
        }
}

static void note_beyond(const char *kind, const char *name, uint32_t i, double depth, void *data)
{
    verifier *v = data;
    if (!note(v, CHECK_BOX)) return;
    text_add(&v->descriptions[CHECK_BOX], "particle %" PRIu32 " is beyond %s %s", v->f.id[i], kind, name);
    note_number(v, CHECK_BOX, ", by ", depth);
    end_note(v, CHECK_BOX);
}

/* The largest energy and the sum of m |v|: the scales of rounding errors. */
static void widen_scales(verifier *v, const frame_row *row)
{
    const carom_frame *f = &v->f;
    size_t dimension = (size_t)f->dimension;
    double flow = 0;
    for (size_t i = 0; i < f->count; i++) {
        double square = 0;
        for (size_t k = 0; k < dimension; k++)
            square += f->velocity[i * dimension + k] * f->velocity[i * dimension + k];
        flow += f->mass[i] * sqrt(square);
    }
    int power = f->scale > 5000 ? 5000 : f->scale < -5000 ? -5000 : (int)f->scale;
    v->flow_scale = fmax(v->flow_scale, ldexp(flow, -power));
    v->energy_scale = fmax(v->energy_scale, fmax(fabs(row->kinetic), fabs(row->potential)));
    v->energy_scale = fmax(v->energy_scale, frame_balance_scale(f, BALANCE_STORED));
}

static void compare(verifier *v, check what, const char *name, double is, double should, double tolerance)
{
    if (fabs(is - should) <= tolerance || !note(v, what)) return;
    text_add(&v->descriptions[what], "%s", name);
    note_number(v, what, " is ", is);
    note_number(v, what, ", not ", should);
    end_note(v, what);
}

static const char *const stored_momentum[] = {"the stored momentum along x", "the stored momentum along y",
                                              "the stored momentum along z"};
static const char *const momentum_along[] = {"momentum along x", "momentum along y", "momentum along z"};

static void check_stored(verifier *v, const frame_row *row, const frame_energy *own)
{
    const double energy = 1e-9 * v->energy_scale, flow = 1e-9 * v->flow_scale;
    compare(v, CHECK_STORED, "the stored kinetic energy", row->kinetic, own->kinetic, energy);
    compare(v, CHECK_STORED, "the stored potential energy", row->potential, own->potential, energy);
    compare(v, CHECK_STORED, "the stored total energy", row->total, own->total, energy);
    for (int k = 0; k < v->f.dimension; k++)
        compare(v, CHECK_STORED, stored_momentum[k], row->momentum[k], own->momentum[k], flow);
}

static void check_clock(verifier *v, const frame_row *row)
{
    if (row->f.time < v->last.f.time && note(v, CHECK_TIME)) {
        note_number(v, CHECK_TIME, "the time of the previous frame was ", v->last.f.time);
        end_note(v, CHECK_TIME);
    }
    for (int kind = 0; kind < EVENT_KINDS; kind++)
        if (row->f.events[kind] < v->last.f.events[kind] && note(v, CHECK_TIME))
            text_add(&v->descriptions[CHECK_TIME], "%s events decrease from %" PRIu64 " to %" PRIu64 "\n",
                     event_kind_names[kind], v->last.f.events[kind], row->f.events[kind]);
}

/* Permitted rounding error of a long run, relative to the largest energy or momentum. */
static double rounding(const verifier *v)
{
    return reader_about(v->r)->grain > 0 ? COARSE_DRIFT : EXACT_DRIFT;
}

/* A particle at rest in gravity, after the start, is asleep; the boundary takes up its momentum. */
static bool any_sleeping(const verifier *v)
{
    const carom_frame *f = &v->f;
    const size_t dimension = (size_t)f->dimension;
    double pull = 0;
    for (size_t k = 0; k < dimension; k++) pull += fabs(f->gravity[k]);
    for (size_t i = 0; i < frame_particles(f) && pull > 0; i++) {
        double speed = 0;
        for (size_t k = 0; k < dimension; k++) speed += fabs(f->velocity[i * dimension + k]);
        if (speed == 0) return true;
    }
    return false;
}

static void check_momentum(verifier *v, const frame_energy *own)
{
    for (int k = 0; k < v->f.dimension; k++)
        if (v->f.gravity[k] == 0)
            compare(v, CHECK_MOMENTUM, momentum_along[k], own->momentum[k], v->last.momentum[k],
                    rounding(v) * v->flow_scale);
}

static void check_turning(verifier *v, const turning_sum *now)
{
    static const char *const about[] = {"angular momentum about x", "angular momentum about y",
                                        "angular momentum about z"};
    for (int k = 0; k < 3 && now->known; k++)
        compare(v, CHECK_MOMENTUM, about[k], now->angular[k], v->last_turning.angular[k],
                rounding(v) * fmax(now->scale, v->last_turning.scale));
}

static double allowed_drift(const verifier *v, const frame_energy *own)
{
    const double exact = rounding(v) * v->account_scale;
    if (!(reader_about(v->r)->leeway > 0)) return exact;
    return fmax(exact, verify_drift_allowed(&v->f, own, v->steps, v->account_scale, v->flow_scale));
}

/* With a ledger, the drift of the sum is the error of the time steps. It is reported, and is a violation above the
 * limit for valid steps (without steps: above rounding). A contact with a wall may last longer than a frame, so that
 * momentum is checked only without walls and other external forces. */
static void check_ledger(verifier *v, const frame_energy *own)
{
    const double sum = frame_budget(&v->f, own), drift = sum - v->first_sum, allowed = allowed_drift(v, own);
    if (v->allowed == 0 || fabs(drift) > fabs(v->drift)) v->drift = drift, v->allowed = allowed;
    compare(v, CHECK_ENERGY, "the energy balance", sum, v->first_sum, allowed);
    bool closed = v->links.closed;
    for (int k = 0; k < v->f.dimension; k++) closed = closed && v->f.boundary[k] != FRAME_WALL;
    if (closed) check_momentum(v, own);
}

static void check_budget(verifier *v, const frame_row *row, const frame_energy *own, const turning_sum *turning)
{
    const double tolerance = rounding(v) * v->energy_scale;
    if (v->f.tallies.ledger.kept) {
        check_ledger(v, own);
        return;
    }
    compare(v, CHECK_ENERGY, "energy + dissipated energy", own->total + row->dissipated, v->first_sum, tolerance);
    const double supplied = row->f.tallies.supplied - v->last.f.tallies.supplied;
    if (own->total - fmax(supplied, 0) > v->last.total + tolerance && note(v, CHECK_ENERGY)) {
        note_number(v, CHECK_ENERGY, "the energy has risen to ", own->total);
        note_number(v, CHECK_ENERGY, " from ", v->last.total);
        if (supplied > 0) note_number(v, CHECK_ENERGY, ", with a supplied energy of ", supplied);
        end_note(v, CHECK_ENERGY);
    }
    const bool slept = v->sleep;
    v->sleep = any_sleeping(v);
    if (slept || v->sleep) return;
    if (v->f.shear != 0 || supplied != 0 || row->f.events[EVENT_WALL] != v->last.f.events[EVENT_WALL]) return;
    check_momentum(v, own);
    check_turning(v, turning);
}

static void cluster_is_wrong(size_t i, const char *what, void *data)
{
    verifier *v = data;
    if (note(v, CHECK_CLUSTERS))
        text_add(&v->descriptions[CHECK_CLUSTERS], "particle %" PRIu32 " %s\n", v->f.id[i], what);
}

static carom_status check_clusters(verifier *v, error *e)
{
    if (v->f.cluster == NULL) return CAROM_OK;
    return verify_clusters(&v->f, v->merges, reader_about(v->r)->merges, cluster_is_wrong, v, e);
}

static void tell(const verifier *v, double share)
{
    const double frames = (double)reader_about(v->r)->frames;
    if (v->watch != NULL) v->watch->tell(((double)v->index + share) / frames, v->f.time, v->watch->data);
}

static carom_status check_frame(verifier *v, error *e)
{
    frame_row row;
    TRY(reader_frame(v->r, v->index, &v->f, e));
    TRY(reader_row(v->r, v->index, &row, e));
    if (!check_finite(v)) {
        v->follows = false;
        return CAROM_OK;
    }
    v->tolerance = length_tolerance(&v->f);
    const carom_frame particles = frame_of_particles(&v->f);
    TRY(pairs_overlapping(&particles, v->tolerance, overlap, v, e));
    TRY(verify_segments(&particles, &v->links, v->tolerance, segment_overlap, v, e));
    if (v->near == NULL) TRY(meshes_look_create(&v->near, &v->f, &v->links, e));
    tell(v, 0.2);
    TRY(meshes_look_at(v->near, &v->f, v->tolerance, mesh_overlap, v, e));
    verify_bonds(&v->f, &v->links, v->tolerance, bond_is_off, v);
    tell(v, 0.6);
    TRY(check_way(v, e));
    tell(v, 1);
    check_box(v);
    if (v->scene != NULL) verify_exact(&v->f, v->scene, &v->links, v->tolerance, note_beyond, v);
    TRY(check_clusters(v, e));
    frame_energy own = frame_energy_of(&v->f);
    turning_sum turning = verify_turning(&v->f);
    widen_scales(v, &row);
    check_stored(v, &row, &own);
    if (!v->begun) {
        v->first_sum = frame_budget(&v->f, &own);
        v->begun = true;
    } else {
        check_clock(v, &row);
        check_budget(v, &row, &own, &turning);
    }
    v->last_turning = turning;
    v->last = row;
    v->last.total = own.total;
    memcpy(v->last.momentum, own.momentum, sizeof own.momentum);
    const carom_frame seen = v->f;
    v->f = v->before;
    v->before = seen;
    v->follows = true;
    return CAROM_OK;
}

static void add_unclear(text_buffer *t, const between_counts *counts)
{
    text_add(t, "undecided passages          %" PRIu64 "\n", counts->unclear);
    if (counts->bent > 0)
        text_add(t, "paths too curved to follow  %" PRIu64 " of %" PRIu64 "\n", counts->bent, counts->paths);
    if (counts->unclear + counts->bent > 0)
        text_add(t, "  to decide them, record `paths` or write frames more often\n");
}

static int checks_of(const verifier *v)
{
    return v->links.longest != NULL ? CHECKS : CHECK_BONDS;
}

enum { SHOWN_DIGITS = 3 };

static void summarise(verifier *v, text_buffer *t, uint64_t total)
{
    const result_about *about = reader_about(v->r);
    text_add(t, "%s: %s; %" PRIu64 " frames of %zu particles", reader_path(v->r), total == 0 ? "sound" : "VIOLATED",
             about->frames, about_particles(about));
    if (about->vertices > 0) text_add(t, " and %zu mesh vertices", about->vertices);
    text_add(t, "\n");
    text_add(t, "lengths are compared within ");
    text_add_rounded(t, v->tolerance, SHOWN_DIGITS);
    text_add(t, ", energies and momenta within ");
    text_add_rounded(t, rounding(v), SHOWN_DIGITS);
    text_add(t, " of their scale\n");
    if (reader_about(v->r)->leeway > 0) {
        text_add(t, "contacts may be compressed by up to ");
        text_add_rounded(t, reader_about(v->r)->leeway, SHOWN_DIGITS);
        text_add(t, " of the contact distance\n");
    }
    if (about_has_ledger(reader_about(v->r))) {
        text_add(t, "the energy balance drifts by at most ");
        text_add_rounded(t, v->drift, SHOWN_DIGITS);
        text_add(t, ", ");
        text_add_rounded(t, v->account_scale > 0 ? v->drift / v->account_scale : 0, SHOWN_DIGITS);
        text_add(t, " of the largest energy; the limit in that frame is ");
        text_add_rounded(t, v->account_scale > 0 ? v->allowed / v->account_scale : rounding(v), SHOWN_DIGITS);
        text_add(t, " of it\n");
    }
    for (int what = 0; what < checks_of(v); what++) {
        text_add(t, "%-28s%" PRIu64 "\n", check_names[what], v->found[what]);
        if (v->descriptions[what].length > 0)
            text_add_bytes(t, v->descriptions[what].data, v->descriptions[what].length);
        if (v->found[what] > SHOWN) text_add(t, "  ... and %" PRIu64 " more\n", v->found[what] - SHOWN);
    }
    if (about->shear != 0) text_add(t, "passages between frames are not checked: the box is sheared\n");
    if (v->way != NULL) add_unclear(t, between_counted(v->way));
    if (v->found[CHECK_OVERLAP] > 0) {
        text_add(t, "deepest overlap ");
        text_add_rounded(t, v->deepest, SHOWN_DIGITS);
        text_add(t, "\n");
    }
}

/* A list of the described violations, without the leading blanks of each line. */
static void put_lines(json_text *j, const text_buffer *lines)
{
    json_open(j, '[');
    const char *line = lines->data, *end;
    for (; lines->length > 0 && line < lines->data + lines->length; line = end + 1) {
        text_buffer one = {0};
        line += strspn(line, " ");
        end = strchr(line, '\n');
        text_add_bytes(&one, line, (size_t)(end - line));
        j->text.failed = j->text.failed || one.failed;
        json_word(j, one.data != NULL ? one.data : "");
        text_free(&one);
    }
    json_close(j, ']');
}

static void put_number(json_text *j, const char *key, double value)
{
    json_key(j, key);
    json_number_put(j, value);
}

static void put_count(json_text *j, const char *key, uint64_t value)
{
    json_key(j, key);
    json_count_put(j, value);
}

static void put_checks(const verifier *v, json_text *j)
{
    json_key(j, "violations");
    json_open(j, '{');
    for (int what = 0; what < checks_of(v); what++) put_count(j, check_keys[what], v->found[what]);
    json_close(j, '}');
    json_key(j, "descriptions");
    json_open(j, '{');
    for (int what = 0; what < CHECKS; what++) {
        if (v->found[what] == 0) continue;
        json_key(j, check_keys[what]);
        put_lines(j, &v->descriptions[what]);
    }
    json_close(j, '}');
}

static text_buffer write_json(const verifier *v, uint64_t total)
{
    const result_about *about = reader_about(v->r);
    const between_counts none = {0}, *counts = v->way != NULL ? between_counted(v->way) : &none;
    json_text j = {0};
    json_open(&j, '{');
    json_key(&j, "file");
    json_word(&j, reader_path(v->r));
    json_key(&j, "sound");
    json_bool(&j, total == 0);
    put_count(&j, "frames", about->frames);
    put_count(&j, "particles", about_particles(about));
    if (about->vertices > 0) put_count(&j, "vertices", about->vertices);
    put_number(&j, "tolerance", v->tolerance);
    put_number(&j, "leeway", about->leeway);
    if (about_has_ledger(about)) put_number(&j, "drift", v->drift), put_number(&j, "drift_allowed", v->allowed);
    put_number(&j, "deepest_overlap", v->deepest);
    put_checks(v, &j);
    json_key(&j, "between_frames");
    json_open(&j, '{');
    put_count(&j, "unclear", counts->unclear);
    put_count(&j, "paths", counts->paths);
    put_count(&j, "bent", counts->bent);
    json_close(&j, '}');
    json_close(&j, '}');
    text_add(&j.text, "\n");
    return j.text;
}

static carom_status write_report(verifier *v, bool json, char **report, error *e)
{
    text_buffer t = {0};
    uint64_t total = 0;
    bool failed = false;
    for (int what = 0; what < CHECKS; what++) {
        total += v->found[what];
        failed = failed || v->descriptions[what].failed;
    }
    if (json)
        t = write_json(v, total);
    else
        summarise(v, &t, total);
    if (failed || t.failed) {
        text_free(&t);
        return error_memory(e, "a report", t.capacity);
    }
    t.data[t.length - 1] = '\0';
    *report = t.data;
    return total == 0 ? CAROM_OK : CAROM_VIOLATION;
}

/* For the whole run: after a start from rest without forces, the first energies are rounding errors. */
static carom_status find_account_scale(verifier *v, error *e)
{
    for (uint64_t k = 0; k < reader_about(v->r)->frames; k++) {
        frame_row row;
        TRY(reader_row(v->r, k, &row, e));
        const double held = frame_balance_scale(&row.f, BALANCE_STORED);
        const double gone = frame_balance_scale(&row.f, BALANCE_LOST);
        v->account_scale = fmax(v->account_scale, fmax(fmax(fabs(row.kinetic), fabs(row.potential)), held));
        v->account_scale = fmax(v->account_scale, fmax(gone, frame_balance_scale(&row.f, BALANCE_WORK)));
    }
    return CAROM_OK;
}

carom_status verify_result(const reader *r, const scene *s, const verify_watch *watch, bool json, char **report,
                           error *e)
{
    verifier v = {.r = r, .scene = s, .watch = watch, .steps = verify_drift_steps(s)};
    *report = NULL;
    carom_status status = reader_check(r, NULL, e);
    if (status == CAROM_OK) status = reader_frame_create(r, &v.f, e);
    if (status == CAROM_OK) status = reader_frame_create(r, &v.before, e);
    if (status == CAROM_OK && ABOUT_HAS(reader_about(r), cluster)) status = reader_merges(r, &v.merges, e);
    if (status == CAROM_OK) status = read_links(&v, e);
    if (status == CAROM_OK) status = recorded_paths_open(&v.paths, r, e);
    if (status == CAROM_OK) status = find_account_scale(&v, e);
    for (; v.index < reader_about(r)->frames && status == CAROM_OK; v.index++) status = check_frame(&v, e);
    if (status == CAROM_OK) status = write_report(&v, json, report, e);
    for (int what = 0; what < CHECKS; what++) text_free(&v.descriptions[what]);
    between_close(v.way);
    recorded_paths_close(v.paths);
    sides_close(v.sides);
    meshes_look_destroy(v.near);
    frame_destroy(&v.f);
    frame_destroy(&v.before);
    memory_free(v.merges);
    joined_destroy(&v.joined);
    links_free(&v.links);
    return status;
}
