#include "variational/kernel/step_rows.h"

#include "variational/kernel/narrow/elements.h"

static void step_consider(step_candidate *best, uint32_t n, double bound, double rate)
{
    if (!(rate > 0)) return;
    best->count++;
    if (best->count > 1 && (bound > best->bound || (bound == best->bound && rate <= best->rate))) return;
    best->bound = bound;
    best->rate = rate;
    best->n = n;
}

static void step_set_place(const world *w, carom_step *row, const uint32_t *at, int count)
{
    double first[DIM], x[DIM];
    row->particle_count = count;
    for (int q = 0; q < count; q++) row->particles[q] = w->id[at[q]];
    node_place(w, at[0], 0, first);
    row->position[2] = 0;
    for (int k = 0; k < DIM; k++) row->position[k] = first[k];
    for (int q = 1; q < count; q++) {
        node_place(w, at[q], 0, x);
        for (int k = 0; k < DIM; k++) x[k] -= first[k];
        nearest_image(w, x);
        for (int k = 0; k < DIM; k++) row->position[k] += x[k] / count;
    }
}

static uint32_t mesh_vertex(const world *w, uint32_t i)
{
    return w->id[i] - w->topology.mesh_first[w->topology.mesh_of[i]];
}
