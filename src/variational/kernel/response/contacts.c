/* Contacts: a pool of records, activation of layers, ends of impacts. */
#include "variational/kernel/response/contacts.h"

#include "variational/kernel/features/feature.h"
#include "variational/kernel/features/hertz.h"
#include "variational/kernel/features/spins.h"

#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/energy_balance.h"
#include "variational/kernel/response/loads.h"
#include "variational/kernel/response/press.h"
#include "variational/kernel/response/record.h"

#include "base/memory.h"
#include "engine/sound.h"
#include "scene/restitution.h"

static bool contacts_grow(world *w)
{
    uint32_t capacity = w->contacts.contact_capacity > 0 ? 2 * w->contacts.contact_capacity : 64;
    contact *more = memory_resize(w->contacts.contact, w->contacts.contact_capacity, capacity, sizeof *more);
    if (more != NULL) w->contacts.contact = more;
    ranked *ranks = memory_resize(w->contacts.ranked, w->contacts.contact_capacity, capacity, sizeof *ranks);
    if (ranks != NULL) w->contacts.ranked = ranks;
    const bool room =
        !OWN_CLOCKS || clocks_make_room(w, w->contacts.contact_capacity, capacity - w->contacts.contact_capacity);
    const bool recorded = impacts_grow(w, w->contacts.contact_capacity, capacity);
    const bool loaded = loads_grow(w, w->contacts.contact_capacity, capacity);
    const bool turning = spins_grow(w, w->contacts.contact_capacity, capacity);
    const bool elastic = hertz_grow(w, w->contacts.contact_capacity, capacity);
    if (more == NULL || ranks == NULL || !room || !recorded || !loaded || !turning || !elastic) {
        w->progress.out_of_memory = true;
        return false;
    }
    for (uint32_t k = capacity; k-- > w->contacts.contact_capacity;) {
        w->contacts.contact[k].j = w->contacts.contact_free;
        w->contacts.contact_free = k;
    }
    w->contacts.contact_capacity = capacity;
    return true;
}

static uint32_t law_of(const world *w, uint32_t i, uint32_t partner)
{
    const scene *s = w->scene;
    if (partner < NODES) return s->pair_law[w->species[i] * s->species_count + w->species[partner]];
    return s->surface_law[w->species[i] * scene_surfaces(s) + w->domain.surface[partner - NODES].law];
}

/* Pairs of a class have reduced masses within a factor of four; of elastic spheres, masses over hardness. Their clocks are
 * those of the lightest pair of the class. */
static uint32_t class_of(const world *w, double mass)
{
    int exponent;
    frexp(mass / w->choice.lightest * (1 + 1e-9), &exponent);
    uint32_t class = exponent > 1 ? (uint32_t)(exponent - 1) / 2 : 0;
    return class < w->schedule.class_count ? class : w->schedule.class_count - 1;
}

/* Inverse mass: the present one, or (`ever`) that before any drive holds the node. */
static double node_inverse_mass(const world *w, uint32_t i, bool ever)
{
    return ever && w->driven.free_first[i] ? 1 / w->mass[i] : w->inverse_mass[i];
}

static double element_inverse_mass(const world *w, uint32_t element, bool ever)
{
    if (element < w->count) return node_inverse_mass(w, element, ever);
    if (element >= NODES) return 0;
    uint32_t ends[3];
    double most = 0;
    for (int n = ends_of(w, element, ends); n-- > 0;) most = greater(most, node_inverse_mass(w, ends[n], ever));
    return most;
}

static double pair_mass(const world *w, uint32_t i, uint32_t partner)
{
    return 1 / (element_inverse_mass(w, i, false) + element_inverse_mass(w, partner, false));
}

/* A pair keeps its clocks when a drive begins to hold one of its nodes: their steps are the shorter ones. */
static double lightest_mass(const world *w, uint32_t i, uint32_t partner)
{
    return 1 / (element_inverse_mass(w, i, true) + element_inverse_mass(w, partner, true));
}

/* A pair that is compressed at the start, as in the run that gave the positions, is at rest: its layers act at once, with their
 * full strength. */
static void take_over_rest(const world *w, uint32_t index)
{
    contact *c = &w->contacts.contact[index];
    const double gap = gap_at(w, c->i, c->j, w->now);
    if (w->contacts.elastic || gap >= thickness(w, 1)) return;
    c->deepest = 1;
    const double ratio = restitution(w->contacts.law[c->law].restitution, 0), stored = layers_energy(w, index, gap);
    c->restitution =
        (restitution_state){.ratio = ratio, .stored = stored, .together = 1, .turned = true, .loaded = true};
}

static uint32_t contact_begin(world *w, uint32_t i, uint32_t partner)
{
    if (w->contacts.contact_free == NONE && !contacts_grow(w)) return NONE;
    uint32_t index = w->contacts.contact_free;
    contact *c = &w->contacts.contact[index];
    w->contacts.contact_free = c->j;
    *c = (contact){.i = i, .j = partner, .law = law_of(w, i, partner), .reach = contact_reach(w, i, partner)};
    c->mass = pair_mass(w, i, partner);
    const double lightest = w->driven.free_first == NULL ? c->mass : lightest_mass(w, i, partner);
    hertz_begin(w, index);
    c->class = class_of(w, hertz_of(w, index) != NULL ? lightest / hertz_of(w, index)->hardness : lightest);
    c->closest = INFINITY;
    c->linked = is_linked(w, i, partner);
    if (w->start.given && w->now <= 0) take_over_rest(w, index);
    w->contacts.contact_count++;
    w->contacts.begun++;
    return index;
}

static void contact_end(world *w, uint32_t index)
{
    contact *c = &w->contacts.contact[index];
    impact_over(w, c);
    c->n = 0;
    c->j = w->contacts.contact_free;
    w->contacts.contact_free = index;
    w->contacts.contact_count--;
}

static void contact_deepen(world *w, uint32_t index, double t)
{
    contact *c = &w->contacts.contact[index];
    uint32_t at = clock_of_layer(w, row_of(w, index), c->n + 1);
    if (at == NONE) return;
    if (c->n >= MOST_LAYERS || !(OWN_CLOCKS ? clock_begin(w, at, index, t) : clock_start(w, at, t))) {
        w->progress.squeezed = index;
        return;
    }
    c->n++;
    touch new = contact_touch(w, index, c->n);
    clock *on = &w->schedule.clock[at];
    batch_add(w, batch_of(on, c), &new);
}

static touch contact_touch(const world *w, uint32_t index, uint32_t layer)
{
    const contact *c = &w->contacts.contact[index];
    double least = layer <= c->deepest ? c->closest : INFINITY;
    return (touch){c->i, c->j < NODES || c->linked ? c->j : c->j - NODES, index, c->law, c->reach, least};
}

static touch *find_touch(batch *b, const contact *c, uint32_t index)
{
    const uint32_t j = c->j < NODES || c->linked ? c->j : c->j - NODES;
    uint32_t low = 0, high = b->sorted;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const touch *p = &b->at[middle];
        bool before = p->i < c->i || (p->i == c->i && p->j < j);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    for (; low < b->sorted && b->at[low].i == c->i && b->at[low].j == j; low++)
        if (b->at[low].contact == index) return &b->at[low];
    for (low = b->sorted; low < b->count; low++)
        if (b->at[low].contact == index) return &b->at[low];
    return NULL;
}

static void impact_over(world *w, contact *c)
{
    if (c->deepest == 0) return;
    if (w->impacts != NULL) impact_end(w, (uint32_t)(c - w->contacts.contact));
    if (w->loads != NULL) load_end(w, (uint32_t)(c - w->contacts.contact));
    w->totals.layers[c->deepest < LAYER_BINS ? c->deepest - 1 : LAYER_BINS - 1]++;
    w->totals.closest = lesser(w->totals.closest, c->closest);
    book_normal(w, c->law, c->restitution.stored);
    c->deepest = 0;
    c->closest = INFINITY;
}

static bool contact_is_sound(const contact *c)
{
    bool sound = c->n > 0 && c->n <= MOST_LAYERS && c->deepest <= MOST_LAYERS && sound_flags(&c->linked, 1) &&
                 c->closest == c->closest && c->deep_since == c->deep_since && sound_numbers(&c->share[0][0], 6);
    for (int k = 0; k < FEATURE_COUNT; k++)
        if (FEATURES[k]->contact_is_sound != NULL) sound = sound && FEATURES[k]->contact_is_sound(c);
    return sound;
}

static void contacts_forget(world *w)
{
    w->contacts.contact_count = 0;
    w->contacts.contact_free = NONE;
    for (uint32_t k = w->contacts.contact_capacity; k-- > 0;) {
        w->contacts.contact[k].n = 0;
        w->contacts.contact[k].j = w->contacts.contact_free;
        w->contacts.contact_free = k;
    }
}

static void contacts_destroy(world *w)
{
    memory_free(w->contacts.contact);
    memory_free(w->contacts.ranked);
}
