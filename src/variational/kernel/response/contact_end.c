#include "variational/kernel/response/contact_end.h"

#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/contact_order.h"
#include "variational/kernel/response/layers.h"
#include "variational/kernel/schedule/certificates.h"

/* The energy of a contact that ends. Since the last kick its layers have exchanged energy with the motion, which the next kick
 * would have booked: the ledger is balanced with the energy at that kick. */
static double stored_in(const world *w, uint32_t index, double t)
{
    const contact *c = &w->contacts.contact[index];
    const double gap = gap_at(w, c->i, c->j, t);
    const double layers = w->contacts.elastic ? layers_energy(w, index, gap)
                          : c->deepest > 0    ? c->restitution.stored
                                              : 0;
    return layers - cohesion_energy(w, c, gap) + (c->deepest > 0 ? c->friction.stored : 0);
}

static double dissipated(const world *w)
{
    const frame_ledger *l = &w->totals.ledger;
    return l->restitution + l->friction + l->damping + l->plastic;
}

static double contacts_end_absent(world *w, double t)
{
    double stored = 0;
    const double before = dissipated(w);
    const uint32_t count = contacts_rank(w);
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t index = w->contacts.ranked[n].contact;
        const contact *c = &w->contacts.contact[index];
        if (!is_absent(w, c->i) && !is_absent(w, c->j)) continue;
        stored += stored_in(w, index, t);
        if (w->observer != NULL)
            w->observer->contact_ended(w, c->i, c->j);
        else
            contact_remove_touches(w, index);
    }
    return stored - (dissipated(w) - before);
}
