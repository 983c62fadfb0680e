/* Boxes that are sheared, after Lees and Edwards (J. Phys. C 5, 1921 (1972)): the periodic images above the box slide
 * along x, those below slide back, at `slide` = rate times height, so that a flow of velocity rate (y - height / 2)
 * goes on without end. An image n boxes up is displaced by n (offset + slide t) along x and faster by n slide. */
#include "hard/kernel/features/shear.h"

#include "frame/image.h"

/* How far the images have slid, at local time t. */
static real slid(const gas *g, real t)
{
    return g->offset + g->slide * t;
}

static void shear_set(gas *g)
{
    const hard_shear *s = &g->settings->shear;
    g->slide = real_ldexp((real)s->rate * g->size[1], (int)g->scale);
    for (uint32_t i = 0; s->profile && i < g->count; i++)
        g->body[i].v[0] += (real)s->rate * (g->body[i].r[1] - g->size[1] / 2);
}

static void shear_nearest(const gas *g, real t, real ahead, real r[DIM], real v[DIM])
{
    for (int step = 0; step < DIM; step++) {
        const int k = step == 0 ? 1 : step == 1 ? 0 : 2; /* the images along y say where those along x are */
        real image = (r[k] + v[k] * ahead) * g->inverse_box[k];
        image = (image + REAL_ROUNDER) - REAL_ROUNDER;
        r[k] -= image * g->box[k];
        if (k != 1) continue;
        r[0] -= image * slid(g, t);
        v[0] -= image * g->slide;
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
        v[0] -= turns * g->slide;
    }
}

/* ---- homes that go with the flow --------------------------------------------------------------------------------- */

/* Lists keep homes as they lay at the local time `upright`, along the flow: so does the image above. */
static real flow(const gas *g, real y)
{
    return g->slide * (y * g->inverse_box[1] - (real)0.5);
}

static void shear_home(gas *g, uint32_t i, real home[DIM])
{
    real unused[DIM] = {0};
    int64_t images[DIM] = {0};
    shear_wrap(g, g->now, home, unused, images);
    g->settled[i] = g->now;
    shear_back(g, home);
}

static void shear_back(const gas *g, real home[DIM])
{
    home[0] -= flow(g, home[1]) * (g->now - g->upright);
    home[0] -= real_floor(home[0] * g->inverse_box[0]) * g->box[0];
}

static void shear_forth(const gas *g, real home[DIM])
{
    home[0] += flow(g, home[1]) * (g->now - g->upright);
}

static void shear_seen(const gas *g, const real home[DIM], real above, real seen[DIM])
{
    memcpy(seen, home, DIM * sizeof *seen);
    seen[0] -= above * slid(g, g->upright);
    seen[0] -= real_floor(seen[0] * g->inverse_box[0]) * g->box[0];
}

static real shear_lean(const gas *g)
{
    return g->slide * g->inverse_box[1] * (g->now - g->upright);
}

static real shear_due(const gas *g, uint32_t i, const real home[DIM], real skin, real reach, real d[DIM], real v[DIM])
{
    real there[DIM];
    memcpy(there, home, sizeof there);
    shear_forth(g, there);
    for (int k = 0; k < DIM; k++) d[k] -= there[k];
    shear_nearest(g, g->now, 0, d, v);
    v[0] -= flow(g, there[1]);
    return g->settled[i] + skin / (real_fabs(g->slide) * g->inverse_box[1] * reach);
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

static double shear_gain(const gas *g, uint32_t i, real before, real after)
{
    return 0.5 * mass_of(g, i) * ldexp((double)((after - before) * (after + before)), (int)(-2 * g->scale));
}

static void shear_fly(gas *g, uint32_t i, real t)
{
    body *b = &g->body[i];
    const real dt = t - b->t, before = b->v[0];
    for (int k = 0; k < DIM; k++) b->r[k] += dt * b->v[k];
    shear_wrap(g, t, b->r, b->v, g->image[i]);
    g->tallies.supplied += shear_gain(g, i, before, b->v[0]);
    b->t = t;
    b->stamp++;
}

static void shear_work(gas *g, uint32_t i, real before, real lead)
{
    const double push = mass_of(g, i) * (double)(g->body[i].v[0] - before);
    g->tallies.supplied += ldexp(push * (double)lead, (int)(-2 * g->scale));
}

static real slid_less_boxes(const gas *g, real t)
{
    const real x = slid(g, t), rest = x - real_floor(x * g->inverse_box[0]) * g->box[0];
    return rest < g->box[0] ? rest : 0;
}

static double shear_slid(const gas *g, real t)
{
    return (double)slid_less_boxes(g, t);
}

static void shear_rebase(gas *g, real t)
{
    g->offset = slid_less_boxes(g, t);
}

static void shear_rescale(gas *g, int bits)
{
    g->slide = real_ldexp(g->slide, bits);
}
