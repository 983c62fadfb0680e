/* What the checks of verify.c share. Each is in the file of its name. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFIER_H
#define CAROM_OUTPUT_VERIFY_VERIFIER_H

#include "base/text.h"
#include "output/verify/joined.h"
#include "output/verify/verify.h"
#include "output/verify/verify_between.h"
#include "output/verify/verify_drift.h"
#include "output/verify/verify_events.h"
#include "output/verify/verify_meshes.h"
#include "output/verify/verify_sides.h"
#include "output/verify/verify_turning.h"

enum { SHOWN = 10 }; /* of each kind of violation */

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
    CHECK_BONDS,  /* if the scene has bonds */
    CHECK_EVENTS, /* if events are recorded */
    CHECKS
} check;

/* Of a ledger: the largest values so far. All are 0 at the start of a run. */
typedef struct dissipated_energies {
    double restitution, friction, damping, plastic, sum;
} dissipated_energies;

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
    dissipated_energies dissipated;
    double first_sum; /* energy + dissipated energy - work */
    drift_steps steps;
    double drift;   /* the largest change of that sum in runs with time steps, */
    double allowed; /* and its limit in that frame */
    frame_merge *merges;
    result_links links;
    joined joined;
    event_check *events; /* NULL: none are recorded */
    bool begun;          /* at least one frame has been checked; in the last one: */
    frame_row last;
    turning_sum last_turning;
    bool sleep;     /* a particle was asleep */
    double deepest; /* largest overlap */
    uint64_t found[CHECKS];
    text_buffer descriptions[CHECKS];
} verifier;

/* ---- verify_notes.c ---------------------------------------------------------------------------------------------- */

/* Counts a violation; true if it is to be described. The description begins with the index and time of the frame. */
bool verify_note(verifier *v, check what);
void verify_note_number(verifier *v, check what, const char *words, double value);
void verify_end_note(verifier *v, check what);

/* "particle 5", or "vertex 3 of mesh 'cloth'". */
void verify_add_point(verifier *v, check what, size_t i);

/* A violation where `is` and `should` differ by more. */
void verify_compare(verifier *v, check what, const char *name, double is, double should, double tolerance);

/* Permitted rounding error of a long run, relative to the largest energy or momentum. */
double verify_rounding(const verifier *v);

/* The progress within a frame. */
void verify_tell(const verifier *v, double share);

/* ---- the checks of a frame --------------------------------------------------------------------------------------- */

bool verify_numbers(verifier *v); /* false if the frame cannot be checked further */
carom_status verify_overlaps(verifier *v, error *e);
carom_status verify_passages(verifier *v, error *e);
void verify_box(verifier *v);
void verify_stored(verifier *v, const frame_row *row, const frame_energy *own);

/* ---- of a frame and the one before: not in the first ------------------------------------------------------------- */

void verify_times(verifier *v, const frame_row *row);
carom_status verify_energy(verifier *v, const frame_row *row, const frame_energy *own, error *e);
void verify_momentum(verifier *v, const frame_row *row, const frame_energy *own, const turning_sum *turning);

/* The accounts of dissipated energy in a ledger. `allowed`: the limit of the drift of its sum. */
void verify_dissipation(verifier *v, const frame_row *row, double allowed);

/* The largest energy in any account, for verify_energy. */
carom_status verify_account_scale(verifier *v, error *e);

/* Text or JSON (verify_report.c); CAROM_VIOLATION where there is one. */
carom_status verify_report(const verifier *v, bool json, char **report, error *e);

#endif
