#include "variational/kernel/response/energy_balance.h"

#include "variational/kernel/features/shells.h"
#include "variational/kernel/narrow/element_kinds.h"

HOT components side_ahead(const world *w, const contact *c, int side, components v)
{
    const uint32_t partner = side == 0 ? c->i : c->j;
    uint32_t ends[3];
    const int count = partner < NODES ? ends_of(w, partner, ends) : 0;
    for (int q = 0; q < count; q++) {
        const double share = (side == 0 ? 1 : -1) * (count == 1 ? 1 : c->share[side][q]);
        v += share * shells_velocity_ahead(w, ends[q], NONE);
    }
    return v;
}

/* Materials act by one kick per step in place of their steady forces. Between kicks the velocities, and with them
 * the work at contacts, differ from those under steady forces. The ledger uses the velocities under steady forces at
 * this time. */
static void book_ahead(const world *w, response *r)
{
    const contact *c = &w->contacts.contact[r->contact];
    double ahead[DIM];
    components_put(side_ahead(w, c, 1, side_ahead(w, c, 0, (components){0})), ahead);
    r->restitution += r->impulse * dot(ahead, r->normal);
    r->friction += dot(ahead, r->push);
}
