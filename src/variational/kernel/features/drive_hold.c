/* When a drive begins to hold nodes, they stop at once. Contact between two driven elements is then excluded.
 * Contacts without force end, and those with force stop the run. The search covers contacts with active layers,
 * which are the same in all algorithms if there is a gap. */
#include "variational/kernel/features/drive_hold.h"

#include "variational/kernel/broad/grid.h"
#include "variational/kernel/features/shells.h"
#include "variational/kernel/features/spins.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/schedule/certificates.h"

#include "base/memory.h"

/* Returns the kinetic energy that the node loses. */
static double hold_node_at(world *w, uint32_t i, double t)
{
    node *a = &w->node[i];
    double x[DIM], v[DIM];
    position_at(w, a, t, x);
    velocity_at(w, a, t, v);
    memcpy(a->x, x, sizeof a->x);
    memset(a->v, 0, sizeof a->v);
    a->t = t;
    node_set_driven(w, i);
    return 0.5 * w->mass[i] * dot(v, v);
}

/* The contact with the smallest gap between two elements that drives hold now; NONE. */
static uint32_t find_pressed(const world *w, double t)
{
    uint32_t found = NONE;
    double least = INFINITY;
    for (uint32_t k = 0; k < w->contacts.contact_capacity; k++) {
        const contact *c = &w->contacts.contact[k];
        if (c->n == 0 || !never_touch(w, c->i, c->j)) continue;
        const double gap = gap_at(w, c->i, c->j, t);
        if ((c->deepest == 0 && gap >= thickness(w, 1) - 2 * w->flights.margin) || gap >= least) continue;
        least = gap;
        found = k;
    }
    return found;
}

static carom_status refuse_pressed(const world *w, uint32_t drive, const contact *c, double t, error *e)
{
    char one[ELEMENT_NAME], other[ELEMENT_NAME], third[40] = "";
    double x[DIM];
    uint32_t ends[3];
    element_name(w, c->i, one);
    element_name(w, c->j, other);
    ends_of(w, c->i, ends);
    node_place(w, ends[0], t, x);
    if (DIM == 3) snprintf(third, sizeof third, ", %.6g", x[DIM - 1]);
    return scene_end(scene_at(w->scene, "drives.%lu", (unsigned long)drive), e,
                     "squeezed: at time %.9g drive '%s' begins, and %s, at (%.6g, %.6g%s), is pressed against %s, and "
                     "both would have prescribed motion" HINT
                     "let the drive move others, or begin where these are apart",
                     t, w->scene->drives[drive].name, one, x[0], x[1], third, other);
}

/* Ends contacts between two held elements. The others have new masses. */
static void renew_contacts(world *w)
{
    for (uint32_t k = 0; k < w->contacts.contact_capacity; k++) {
        contact *c = &w->contacts.contact[k];
        if (c->n == 0) continue;
        if (!never_touch(w, c->i, c->j))
            c->mass = pair_mass(w, c->i, c->j);
        else if (w->observer != NULL)
            w->observer->contact_ended(w, c->i, c->j);
        else
            contact_remove_touches(w, k);
    }
}

/* A node before the drive holds it. */
typedef struct unheld {
    node node;
    double inverse_mass;
} unheld;

static carom_status drive_hold_nodes(world *w, uint32_t drive, const uint32_t *at, uint32_t count, double t, error *e)
{
    unheld *before = NEW_ARRAY(count, unheld);
    double lost = 0;
    if (before == NULL) return error_memory(e, "drives", count * sizeof *before);
    for (uint32_t n = 0; n < count; n++) {
        before[n] = (unheld){w->node[at[n]], w->inverse_mass[at[n]]};
        lost += hold_node_at(w, at[n], t);
    }
    w->progress.squeezed = find_pressed(w, t);
    for (uint32_t n = 0; n < count && w->progress.squeezed != NONE; n++) {
        w->node[at[n]] = before[n].node;
        w->inverse_mass[at[n]] = before[n].inverse_mass;
    }
    memory_free(before);
    if (w->progress.squeezed != NONE) return refuse_pressed(w, drive, &w->contacts.contact[w->progress.squeezed], t, e);
    for (uint32_t n = 0; n < count && w->spins != NULL; n++) lost += spin_hold(w, at[n], t);
    w->totals.sum.work -= lost;
    renew_contacts(w);
    for (uint32_t n = 0; n < count; n++) {
        shells_forget_kicks(w, at[n]);
        if (w->observer != NULL) continue;
        lists_remove_untouchable(w, at[n]);
        for (uint32_t k = 0; k < parts_at(w, at[n]); k++)
            lists_remove_untouchable(w, w->topology.part[w->topology.first_part[at[n]] + k]);
    }
    if (w->observer != NULL) w->observer->pairs_ended(w);
    return CAROM_OK;
}
