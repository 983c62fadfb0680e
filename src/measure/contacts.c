#include "measure/contacts.h"

#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/periodic.h"
#include "measure/bodies.h"
#include "neighbors/packing.h"
#include "scene/scene.h"

/* ---- settings ---------------------------------------------------------------------------------------------------- */

bool contact_has_gap(const scene *s, const void *from)
{
    (void)s;
    return isfinite(((const contact_settings *)from)->gap);
}

bool contact_has_ratio(const scene *s, const void *from)
{
    (void)s;
    return isfinite(((const contact_settings *)from)->ratio);
}

void contact_begin(struct reader *r, void *filled)
{
    contact_settings *set = filled;
    species_begin(r, filled);
    set->gap = set->ratio = INFINITY;
}

carom_status contacts_plan(contact_settings *set, const char *what, const carom_frame *first, error *e)
{
    const double near = 0.01; /* hard spheres touch at instants only */
    if (first->axis != NULL)
        return error_set(
            e, CAROM_BAD_DATA,
            "error: %s finds contacts of spheres, and this scene has particles of other shapes; leave it out", what);
    const bool given = isfinite(set->gap) || isfinite(set->ratio);
    if (!isfinite(set->gap)) set->gap = 0;
    if (!isfinite(set->ratio)) set->ratio = given || first->tallies.layers != NULL ? 0 : near;
    return CAROM_OK;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

/* The diameter of a sphere is its part of contact distances. In a sheared box the image below of those near the upper boundary is added, and
 * the box is not periodic along y. */
typedef struct search {
    const contact_settings *set;
    const carom_frame *f;
    contacts_visit *visit;
    void *user;
    cells_box box;
    size_t count;
    double (*position)[3];
    double *diameter;
    uint32_t *place; /* in the frame */
} search;

static double reach_of(const search *s, size_t i)
{
    return 2 * s->f->radius[i] * (1 + s->set->ratio) + s->set->gap;
}

static void search_free(search *s)
{
    memory_free(s->position);
    memory_free(s->diameter);
    memory_free(s->place);
}

static void add_sphere(search *s, size_t i, double beside, double above)
{
    const size_t d = (size_t)s->f->dimension;
    double *x = s->position[s->count];
    memset(x, 0, sizeof s->position[0]);
    memcpy(x, s->f->position + i * d, d * sizeof *x);
    if (above != 0) {
        x[0] = periodic_image(x[0] + beside, s->f->box[0]);
        x[1] += above;
    }
    s->diameter[s->count] = reach_of(s, i);
    s->place[s->count++] = (uint32_t)i;
}

static carom_status fill(search *s, error *e)
{
    const carom_frame *f = s->f;
    const size_t room = f->shear != 0 ? 2 * f->count : f->count;
    double widest = 0;
    s->position = memory_new(room, sizeof *s->position);
    s->diameter = NEW_ARRAY(room, double);
    s->place = NEW_ARRAY(room, uint32_t);
    if (s->position == NULL || s->diameter == NULL || s->place == NULL)
        return error_memory(e, "the contacts", room * 36);
    for (size_t i = 0; i < f->count; i++) {
        widest = fmax(widest, reach_of(s, i));
        add_sphere(s, i, 0, 0);
    }
    for (int k = 0; k < f->dimension; k++) {
        s->box.size[k] = f->box[k];
        s->box.periodic[k] = f->boundary[k] == BOUNDARY_PERIODIC;
    }
    if (f->shear == 0) return CAROM_OK;
    const double side = f->box[1];
    for (size_t i = 0; i < f->count; i++)
        if (f->position[i * (size_t)f->dimension + 1] > side - widest) add_sphere(s, i, -f->slid, -side);
    s->box.periodic[1] = false;
    s->box.low[1] = -widest;
    s->box.size[1] = side + widest;
    return CAROM_OK;
}

static bool meet(const packing_pair *pair, void *user)
{
    search *s = user;
    const size_t own = s->f->count;
    const uint32_t i = s->place[pair->i], j = s->place[pair->j];
    contact c = {.i = i, .j = j};
    double square = 0;
    if (i == j || (pair->i >= own && pair->j >= own)) return true; /* of two images another pair is the contact */
    if (body_has_both(s->f, i, j)) return true;
    for (int k = 0; k < s->f->dimension; k++) {
        c.normal[k] = s->position[pair->i][k] - s->position[pair->j][k];
        if (s->box.periodic[k]) c.normal[k] -= nearest_periods(c.normal[k], s->box.size[k]);
        square += c.normal[k] * c.normal[k];
    }
    const double distance = sqrt(square);
    if (!(distance > 0) || distance > 0.5 * (s->diameter[pair->i] + s->diameter[pair->j])) return true;
    const double back = 0.5 * (distance + s->f->radius[i] - s->f->radius[j]);
    for (int k = 0; k < s->f->dimension; k++) {
        c.normal[k] /= distance;
        c.place[k] = s->position[pair->i][k] - back * c.normal[k];
    }
    s->visit(&c, s->user);
    return true;
}

static void meet_walls(const search *s)
{
    const carom_frame *f = s->f;
    for (size_t i = 0; i < f->count; i++) {
        const double reach = f->radius[i] * (1 + s->set->ratio) + s->set->gap;
        for (int k = 0; k < f->dimension; k++) {
            const double x = f->position[i * (size_t)f->dimension + (size_t)k];
            contact c = {.i = (uint32_t)i, .j = CONTACT_WALL};
            if (f->boundary[k] != BOUNDARY_WALL) continue;
            for (int n = 0; n < f->dimension; n++) c.place[n] = f->position[i * (size_t)f->dimension + (size_t)n];
            c.place[k] = 0;
            c.normal[k] = 1;
            if (x <= reach) s->visit(&c, s->user);
            c.place[k] = f->box[k];
            c.normal[k] = -1;
            if (f->box[k] - x <= reach) s->visit(&c, s->user);
        }
    }
}

carom_status contacts_find(const contact_settings *set, const carom_frame *f, contacts_visit *visit, void *user,
                           error *e)
{
    const double wider = 1 + 1e-9; /* packing_pairs omits those at exactly the distance */
    search s = {.set = set, .f = f, .visit = visit, .user = user, .box = {.dimension = f->dimension}};
    if (f->count == 0) return CAROM_OK;
    frame_need(f, FRAME_POSITION | FRAME_RADIUS | (f->clump != NULL ? FRAME_SPECIES : 0));
    carom_status status = fill(&s, e);
    if (status == CAROM_OK)
        status = packing_pairs(&s.box, s.count, (const double(*)[3])s.position, s.diameter, wider, meet, &s, e);
    if (status == CAROM_OK && set->walls) meet_walls(&s);
    search_free(&s);
    return status;
}
