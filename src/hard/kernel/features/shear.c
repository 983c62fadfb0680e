/* Sheared boxes (Lees and Edwards, J. Phys. C 5, 1921 (1972)): the periodic images above the box move along x at
 * `slide` = rate times height, those below in the opposite direction. This maintains a flow of velocity rate (y -
 * height / 2). An image n boxes up is displaced by n (offset + slide t) along x, and its velocity is larger by n
 * slide. */
#include "hard/kernel/features/shear.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/images.h"
#include "hard/kernel/numbers.h"
#include "hard/kernel/response/tallies.h"

#include "frame/image.h"

/* Displacement of the images at local time t. */
static real slid(const gas *g, real t)
{
    return g->shear->offset + g->shear->slide * t;
}

/* Adds the flow to the initial velocities. */
static carom_status shear_place(gas *g, const initial_state *state, error *e)
{
    (void)state;
    (void)e;
    const hard_shear *s = &g->settings->shear;
    g->shear->slide = real_ldexp((real)s->rate * g->size[1], (int)g->scale);
    for (uint32_t i = 0; s->profile && i < g->count; i++)
        g->body[i].v[0] += (real)s->rate * (g->body[i].r[1] - g->size[1] / 2);
    return CAROM_OK;
}

static void shear_nearest(const gas *g, real t, real ahead, real r[DIM], real v[DIM])
{
    for (int step = 0; step < DIM; step++) {
        const int k = step == 0 ? 1 : step == 1 ? 0 : 2; /* the image along y determines the displacement along x */
        real image = (r[k] + v[k] * ahead) * g->inverse_box[k];
        image = nearest_whole(image);
        r[k] -= image * g->box[k];
        if (k != 1) continue;
        r[0] -= image * slid(g, t);
        v[0] -= image * g->shear->slide;
    }
}

static void shear_wrap(const gas *g, real t, real r[DIM], real v[DIM], int64_t image[DIM])
{
    for (int step = 0; step < DIM; step++) {
        const int k = step == 0 ? 1 : step == 1 ? 0 : 2;
        real turns = real_floor(r[k] * g->inverse_box[k]);
        r[k] -= turns * g->box[k];
        if (r[k] >= g->box[k]) {
            r[k] = 0;
            turns += 1;
        }
        image[k] = image_moved(image[k], (double)turns);
        if (k != 1) continue;
        r[0] -= turns * slid(g, t);
        v[0] -= turns * g->shear->slide;
    }
}

/* ---- list origins in the flow ------------------------------------------------------------------------------------ */

/* Velocity of the flow at y, relative to the middle of the box. List origins are stored at their positions at the time
 * of the grid, along the flow. */
static real flow(const gas *g, real y)
{
    return g->shear->slide * (y * g->inverse_box[1] - (real)0.5);
}

static void shear_list_origin(gas *g, uint32_t i, real list_origin[DIM])
{
    real unused[DIM] = {0};
    int64_t images[DIM] = {0};
    shear_wrap(g, g->now, list_origin, unused, images);
    g->shear->list_time[i] = g->now;
    shear_to_grid_time(g, list_origin);
}

static void shear_to_grid_time(const gas *g, real list_origin[DIM])
{
    list_origin[0] -= flow(g, list_origin[1]) * (g->now - g->shear->grid_time);
    list_origin[0] -= real_floor(list_origin[0] * g->inverse_box[0]) * g->box[0];
}

static void shear_to_now(const gas *g, real list_origin[DIM])
{
    list_origin[0] += flow(g, list_origin[1]) * (g->now - g->shear->grid_time);
}

static void shear_displaced(const gas *g, const real list_origin[DIM], real above, real displaced[DIM])
{
    memcpy(displaced, list_origin, DIM * sizeof *displaced);
    displaced[0] -= above * slid(g, g->shear->grid_time);
    displaced[0] -= real_floor(displaced[0] * g->inverse_box[0]) * g->box[0];
}

static real shear_strain(const gas *g)
{
    return g->shear->slide * g->inverse_box[1] * (g->now - g->shear->grid_time);
}

static void shear_from_origin(const gas *g, uint32_t i, const real list_origin[DIM], real d[DIM], real v[DIM])
{
    const body *b = &g->body[i];
    const real speed = flow(g, list_origin[1]);
    for (int k = 0; k < DIM; k++) d[k] = b->r[k] - list_origin[k];
    d[0] -= speed * (b->t - g->shear->grid_time);
    v[0] -= speed;
    shear_nearest(g, b->t, g->now - b->t, d, v);
}

static real shear_due(const gas *g, uint32_t i, real skin, real reach)
{
    return g->shear->list_time[i] + skin / (real_fabs(g->shear->slide) * g->inverse_box[1] * reach);
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

static double shear_gain(const gas *g, uint32_t i, real before, real after)
{
    return 0.5 * mass_of(g, i) * ldexp((double)((after - before) * (after + before)), (int)(-2 * g->scale));
}

static void shear_fly(gas *g, uint32_t i, real t)
{
    body *b = &g->body[i];
    int64_t image[DIM];
    const real dt = t - b->t, before = b->v[0];
    for (int k = 0; k < DIM; k++) b->r[k] += dt * b->v[k];
    images_get(g, i, image);
    shear_wrap(g, t, b->r, b->v, image);
    images_put(g, i, image);
    if (b->v[0] != before) tally_supplied(g, shear_gain(g, i, before, b->v[0]));
    b->t = t;
    b->stamp++;
}

static void shear_work(gas *g, uint32_t i, real before, real lead)
{
    const double push = mass_of(g, i) * (double)(g->body[i].v[0] - before);
    tally_supplied(g, ldexp(push * (double)lead, (int)(-2 * g->scale)));
}

static real slid_less_boxes(const gas *g, real t)
{
    const real x = slid(g, t), rest = x - real_floor(x * g->inverse_box[0]) * g->box[0];
    return rest < g->box[0] ? rest : 0;
}

static void shear_rebase(gas *g, real t)
{
    g->shear->offset = slid_less_boxes(g, t);
}

static void shear_rescale(gas *g, int bits)
{
    g->shear->slide = real_ldexp(g->shear->slide, bits);
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static bool shear_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)state;
    (void)tallies;
    return g->settings->shear.rate != 0;
}

/* The flow breaks the symmetry under boosts. */
static bool shear_holds(const gas *g, int k)
{
    (void)g;
    (void)k;
    return true;
}

static int shear_saved(gas *g, snapshot_part parts[MOST_FEATURE_PARTS])
{
    parts[0] = (snapshot_part){"engine/offset", &g->shear->offset, sizeof g->shear->offset};
    parts[1] = (snapshot_part){"engine/slide", &g->shear->slide, sizeof g->shear->slide};
    parts[2] = (snapshot_part){"engine/grid_time", &g->shear->grid_time, sizeof g->shear->grid_time};
    return 3;
}

static const char *shear_fault(const gas *g)
{
    if (!within(&g->shear->offset, 1, 2 * g->size[0])) return "engine/offset";
    if (!within(&g->shear->slide, 1, REAL_MOST)) return "engine/slide";
    return g->shear->grid_time >= 0 && g->shear->grid_time <= g->now ? NULL : "engine/grid_time";
}

static uint64_t shear_hash(const gas *g, uint64_t hash)
{
    return hash_real(hash, g->shear->offset);
}

static void shear_fill_frame(const gas *g, real t, carom_frame *f)
{
    f->slid = (double)slid_less_boxes(g, t);
}

static const body_array shear_arrays[] = {
    {"engine/list_time", BODY_ARRAY(shear, list_time), .kind = ARRAY_TIMES},
};

static const feature feature_shear = {.name = "shear",
                                      FEATURE_STATE(shear),
                                      .enabled = shear_enabled,
                                      FEATURE_ARRAYS(shear_arrays),
                                      .feeds = true,
                                      .place = shear_place,
                                      .holds = shear_holds,
                                      .rebase = shear_rebase,
                                      .rescale = shear_rescale,
                                      .saved = shear_saved,
                                      .fault = shear_fault,
                                      .hash_place = HASH_BEFORE_CLOCK,
                                      .hash = shear_hash,
                                      .fill_frame = shear_fill_frame};
