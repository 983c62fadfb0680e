/* Frames, the state hash, and the ledger. */
#include "variational/kernel/features/feature.h"
#include "variational/kernel/features/spins.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/contact_order.h"
#include "variational/kernel/response/layers.h"
#include "variational/kernel/schedule/run.h"

#include "base/hash.h"
#include "frame/image.h"

static uint64_t hash_of(const world *w)
{
    uint64_t hash = HASH_START;
    for (uint32_t i = 0; i < w->count; i++) {
        const node *a = &w->node[i];
        hash = hash_bytes(hash, a->x, sizeof a->x);
        hash = hash_bytes(hash, a->v, sizeof a->v);
        hash = hash_bytes(hash, &a->t, sizeof a->t);
    }
    for (int k = 0; k < FEATURE_COUNT; k++)
        if (FEATURES[k]->hash != NULL && FEATURES[k]->enabled(w)) hash = FEATURES[k]->hash(w, hash);
    hash = hash_u64(hash, w->totals.events[EVENT_COLLISION]);
    hash = hash_u64(hash, w->totals.events[EVENT_WALL]);
    return hash_finish(hash_u64(hash, w->totals.events[EVENT_FORCE]));
}

static void fill_path(const world *w, uint32_t i, double t, unsigned columns, carom_frame *f)
{
    double x[DIM];
    node_place(w, i, t, x);
    for (int k = 0; k < DIM; k++) {
        double turns = floor(x[k] * w->domain.inverse_box[k]), inside = x[k] - turns * w->domain.box[k];
        bool rounded_up = w->domain.box[k] > 0 && inside >= w->domain.box[k];
        const size_t at = (size_t)w->id[i] * DIM + (size_t)k;
        if (columns & FRAME_POSITION) f->position[at] = rounded_up || (inside < 0 && w->domain.box[k] > 0) ? 0 : inside;
        if (columns & FRAME_IMAGE) f->image[at] = image_of(turns + rounded_up);
    }
}

static void fill_node(const world *w, uint32_t i, double t, unsigned columns, carom_frame *f)
{
    const size_t id = w->id[i];
    if (columns & FRAME_PATH) fill_path(w, i, t, columns, f);
    if (columns & FRAME_VELOCITY) node_velocity(w, i, t, &f->velocity[id * DIM]);
    if (columns & FRAME_RADIUS) f->radius[id] = w->radius[i];
    if (columns & FRAME_MASS) f->mass[id] = w->mass[i];
    if (columns & FRAME_SPECIES) f->species[id] = w->species[i];
    if ((columns & FRAME_SPECIES) && f->clump != NULL) f->clump[id] = clump_number(w, i);
    if ((columns & FRAME_SPIN) && w->spins != NULL) spins_fill_node(w, i, f);
    if (columns & FRAME_ID) f->id[id] = (uint32_t)id;
    if ((columns & FRAME_PRESENT) && f->present != NULL) f->present[id] = is_absent(w, i) ? FRAME_ABSENT : (uint32_t)id;
}

/* Those ends of an element between which its closest point lies. */
static void note_layers(const world *w, uint32_t element, const double share[3], uint32_t layers, uint32_t *of_particle)
{
    uint32_t ends[3];
    if (element >= NODES) return;
    for (int n = ends_of(w, element, ends); n-- > 0;) {
        uint32_t *deepest = &of_particle[w->id[ends[n]]];
        if (share[n] > 0 && layers > *deepest) *deepest = layers;
    }
}

/* Layers hold energy at gaps below their thickness, whether they are active or not. Activity depends on the
 * certificates, as does the place of contacts in the pool. The gap does not. The sum is therefore in the order of
 * the pairs. */
static double contacts_energy(const world *w, double t, uint32_t *of_particle)
{
    double sum = 0;
    if (of_particle != NULL) memset(of_particle, 0, w->count * sizeof *of_particle);
    const uint32_t count = contacts_rank(w);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t index = w->contacts.ranked[k].contact;
        const contact *c = &w->contacts.contact[index];
        const double gap = gap_at(w, c->i, c->j, t);
        const uint32_t layers = layers_within(w, gap);
        double share[2][3] = {{1}, {1}}, r[DIM];
        sum += layers_energy(w, index, gap) - cohesion_energy(w, c, gap) + (c->deepest > 0 ? c->friction.stored : 0);
        if (layers == 0 || of_particle == NULL) continue;
        if (c->linked) closest(w, c->i, c->j, t, false, r, share);
        note_layers(w, c->i, share[0], layers, of_particle);
        note_layers(w, c->j, share[1], layers, of_particle);
    }
    return sum;
}

static void world_fill_columns(void *self, unsigned columns, carom_frame *f)
{
    const world *w = self;
    for (uint32_t i = 0; i < w->count; i++) fill_node(w, i, f->time, columns, f);
    if ((columns & FRAME_LAYERS) && f->layers != NULL) (void)contacts_energy(w, f->time, f->layers);
    if (columns & FRAME_HASH) f->state_hash = hash_of(w);
}

static void world_fill_frame(void *self, double time, carom_frame *f)
{
    const world *w = self;
    double smallest = INFINITY;
    f->time = time;
    for (int k = 0; k < DIM; k++) {
        f->box[k] = w->domain.size[k];
        f->boundary[k] = (int)w->scene->box.boundary[k];
        f->gravity[k] = w->scene->gravity[k];
    }
    for (uint32_t r = 0; r < w->elements; r++) smallest = lesser(smallest, w->radius[r]);
    f->leeway = w->choice.eta / smallest;
    memcpy(f->events, w->totals.events, sizeof f->events);
    f->tallies = (frame_tallies){.dissipated = w->totals.ledger.restitution + w->totals.ledger.friction +
                                               w->totals.ledger.damping + w->totals.ledger.plastic,
                                 .ledger = w->totals.ledger,
                                 .layers = w->totals.layers,
                                 .eta = w->choice.eta,
                                 .stiffness = w->choice.stiffness,
                                 .step = w->choice.step,
                                 .closest = isinf(w->totals.closest) ? 0 : w->totals.closest / (2 * w->choice.eta)};
    memcpy(f->tallies.virial, w->totals.sum.virial, sizeof w->totals.sum.virial);
    memcpy(f->tallies.wall_impulse, w->totals.sum.wall, sizeof w->totals.sum.wall);
    frame_ledger *l = &f->tallies.ledger;
    l->work = w->totals.sum.work;
    if (l->rotation) l->sliding = l->friction - l->rolling - l->twisting;
    l->springs = l->stretch = l->bend = l->twist = 0;
    for (int k = 0; k < FEATURE_COUNT; k++)
        if (FEATURES[k]->fill_frame != NULL && FEATURES[k]->enabled(w)) FEATURES[k]->fill_frame(w, time, f);
    l->contact = contacts_energy(w, time, NULL);
}
