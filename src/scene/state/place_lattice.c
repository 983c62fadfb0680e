/* Lattices that fill the box. A lattice is a set of points on a grid of layers, m layers along each axis: fcc and
 * hexagonal, the points with an even sum of layer numbers; bcc, those with all numbers even or all odd; sc and square,
 * all points. The layers are stretched along each axis to fill the box; along an axis without periodicity the outermost
 * layers are one radius away from the walls. */
#include <math.h>
#include <stdio.h>

#include "scene/state/build.h"

typedef enum rule { RULE_ALL, RULE_EVEN_SUM, RULE_SAME_PARITY } rule;

typedef struct lattice {
    const char *name;
    int dimension;
    rule which;
    double ratio[3];  /* layer distances of the unstrained lattice, in an arbitrary unit */
    double neighbour; /* its nearest-neighbour distance in that unit */
} lattice;

static const lattice *lattice_of(scene_place place)
{
    static const lattice fcc = {"fcc", 3, RULE_EVEN_SUM, {1, 1, 1}, 1.4142135623730951};
    static const lattice bcc = {"bcc", 3, RULE_SAME_PARITY, {1, 1, 1}, 1.7320508075688772};
    static const lattice sc = {"sc", 3, RULE_ALL, {1, 1, 1}, 1};
    static const lattice square = {"square", 2, RULE_ALL, {1, 1, 1}, 1};
    static const lattice hexagonal = {"hexagonal", 2, RULE_EVEN_SUM, {1, 1.7320508075688772, 1}, 2};
    switch (place) {
    case PLACE_FCC:
        return &fcc;
    case PLACE_BCC:
        return &bcc;
    case PLACE_SQUARE:
        return &square;
    case PLACE_HEXAGONAL:
        return &hexagonal;
    default:
        return &sc;
    }
}

/* A lattice in a box: the numbers of layers along the axes, and the properties that follow. */
typedef struct fit {
    uint64_t layers[3];
    double sites;
    double room;       /* the largest diameter for the sites */
    double regularity; /* first criterion of the choice: see judge */
    double strain;     /* ratio of the largest to the smallest stretch */
} fit;

static bool is_site(const lattice *l, int64_t x, int64_t y, int64_t z)
{
    if (l->which == RULE_ALL) return true;
    if (l->which == RULE_EVEN_SUM) return ((x + y + z) & 1) == 0;
    return (x & 1) == (y & 1) && (y & 1) == (z & 1);
}

static double count_sites(const lattice *l, const uint64_t m[3])
{
    double all = 1, even = 1, odd = 1;
    for (int k = 0; k < l->dimension; k++) {
        all *= (double)m[k];
        even *= (double)((m[k] + 1) / 2);
        odd *= (double)(m[k] / 2);
    }
    if (l->which == RULE_ALL) return all;
    return l->which == RULE_EVEN_SUM ? ceil(all / 2) : even + odd;
}

static double layer_distance(const build *b, const fit *f, int axis, double diameter)
{
    double size = b->box.size[axis];
    if (!build_bounded(b, axis)) return size / (double)f->layers[axis];
    return f->layers[axis] > 1 ? (size - diameter) / (double)(f->layers[axis] - 1) : size - diameter;
}

/* The distance of nearest sites if spheres of `diameter` fit between the walls. */
static double nearest(const build *b, const lattice *l, const fit *f, double diameter)
{
    double best = INFINITY, h[3] = {0, 0, 0};
    int reach[3] = {0, 0, 0};
    for (int k = 0; k < l->dimension; k++) {
        h[k] = layer_distance(b, f, k, diameter);
        reach[k] = build_bounded(b, k) && f->layers[k] < 3 ? (int)f->layers[k] - 1 : 2;
    }
    for (int x = 0; x <= reach[0]; x++)
        for (int y = 0; y <= reach[1]; y++)
            for (int z = 0; z <= reach[2]; z++) {
                if (x + y + z == 0 || !is_site(l, x, y, z)) continue;
                double square = x * x * h[0] * h[0] + y * y * h[1] * h[1] + z * z * h[2] * h[2];
                best = fmin(best, square);
            }
    return sqrt(best);
}

/* The diameter equal to the distance of nearest sites: larger spheres leave less space between the walls. */
static double find_room(const build *b, const lattice *l, const fit *f)
{
    double low = 0, high = INFINITY;
    bool bounded = false;
    for (int k = 0; k < l->dimension; k++) {
        if (!build_bounded(b, k)) continue;
        bounded = true;
        high = fmin(high, b->box.size[k]);
    }
    if (!bounded) return nearest(b, l, f, 0);
    if (nearest(b, l, f, high) >= high) return high;
    for (int step = 0; step < 60; step++) {
        double middle = 0.5 * (low + high);
        if (nearest(b, l, f, middle) >= middle)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The best fit permits the largest spheres. For bcc the closest layers decide: a stretched bcc approaches fcc and would
 * otherwise be preferred. */
static void judge(const build *b, const lattice *l, fit *f)
{
    f->sites = count_sites(l, f->layers);
    f->room = find_room(b, l, f);
    double least = INFINITY, most = 0;
    for (int k = 0; k < l->dimension; k++) {
        if (f->layers[k] == 1 && build_bounded(b, k)) continue;
        double stretch = layer_distance(b, f, k, f->room) / l->ratio[k];
        least = fmin(least, stretch);
        most = fmax(most, stretch);
    }
    f->strain = most > 0 ? most / least : 1;
    f->regularity = l->which == RULE_SAME_PARITY ? fmin(f->room, l->neighbour * least) : f->room;
}

static bool better(const fit *a, const fit *b)
{
    const double same = 1e-9;
    if (fabs(a->regularity - b->regularity) > same * b->regularity) return a->regularity > b->regularity;
    if (fabs(a->strain - b->strain) > same * b->strain) return a->strain < b->strain;
    return a->sites < b->sites;
}

/* Along periodic axes the numbers of layers are multiples of the period of the lattice. */
static uint64_t period_of(const build *b, const lattice *l, int axis)
{
    return build_bounded(b, axis) || l->which == RULE_ALL ? 1 : 2;
}

static uint64_t round_layers(const build *b, const lattice *l, int axis, double layers)
{
    uint64_t period = period_of(b, l, axis);
    double periods = ceil(layers / (double)period);
    return period * (periods > 1 ? (uint64_t)fmin(periods, 4e9) : 1);
}

/* Numbers of layers at a common layer distance `unit`. */
static void layers_at(const build *b, const lattice *l, double unit, uint64_t layers[3])
{
    for (int k = 0; k < 3; k++)
        layers[k] = k < l->dimension ? round_layers(b, l, k, b->box.size[k] / (unit * l->ratio[k])) : 1;
}

/* The largest layer distance at which an unstrained lattice has enough sites. */
static void first_guess(const build *b, const lattice *l, double count, uint64_t layers[3])
{
    double low = 0, high = 0;
    for (int k = 0; k < l->dimension; k++) high = fmax(high, b->box.size[k] / l->ratio[k]);
    layers_at(b, l, high, layers);
    if (count_sites(l, layers) >= count) return;
    low = high;
    do {
        low *= 0.5;
        layers_at(b, l, low, layers);
    } while (count_sites(l, layers) < count);
    for (int step = 0; step < 60; step++) {
        double middle = 0.5 * (low + high);
        layers_at(b, l, middle, layers);
        if (count_sites(l, layers) >= count)
            low = middle;
        else
            high = middle;
    }
    layers_at(b, l, low, layers);
}

/* Tries all numbers of layers near the estimate. */
static fit find_fit(const build *b, const lattice *l, double count)
{
    enum { WINDOW = 4 };
    uint64_t guess[3];
    first_guess(b, l, count, guess);
    fit best = {.layers = {guess[0], guess[1], guess[2]}};
    judge(b, l, &best);
    int64_t from[3] = {0, 0, 0}, to[3] = {0, 0, 0}, at[3];
    for (int k = 0; k < l->dimension; k++) {
        int64_t period = (int64_t)period_of(b, l, k), below = ((int64_t)guess[k] - 1) / period;
        from[k] = -period * (below < WINDOW ? below : WINDOW);
        to[k] = period * WINDOW;
    }
    for (at[2] = from[2]; at[2] <= to[2]; at[2] += l->dimension == 3 ? (int64_t)period_of(b, l, 2) : 1)
        for (at[1] = from[1]; at[1] <= to[1]; at[1] += (int64_t)period_of(b, l, 1))
            for (at[0] = from[0]; at[0] <= to[0]; at[0] += (int64_t)period_of(b, l, 0)) {
                fit f = {0};
                for (int k = 0; k < 3; k++) f.layers[k] = (uint64_t)((int64_t)guess[k] + at[k]);
                if (count_sites(l, f.layers) < count) continue;
                judge(b, l, &f);
                if (better(&f, &best)) best = f;
            }
    return best;
}

/* Position of layer n: half a layer from a periodic boundary; one radius (or less, if the space is smaller) from a
 * wall. */
static double layer_position(const build *b, const fit *f, int axis, int64_t n)
{
    double size = b->box.size[axis];
    if (!build_bounded(b, axis)) return ((double)n + 0.5) * (size / (double)f->layers[axis]);
    if (f->layers[axis] == 1) return 0.5 * size;
    double diameter = fmin(fmax(f->room, b->widest), size);
    return 0.5 * diameter + (double)n * layer_distance(b, f, axis, diameter);
}

/* Assigns the particles of the entry to `count` of the sites, with the empty sites evenly distributed. */
static void fill(build *b, const lattice *l, const fit *f, size_t entry)
{
    double(*position)[3] = b->state->position + b->first[entry];
    uint64_t count = build_items(b, entry), sites = (uint64_t)f->sites, site = 0, n = 0;
    for (int64_t z = 0; z < (int64_t)f->layers[2]; z++)
        for (int64_t y = 0; y < (int64_t)f->layers[1]; y++)
            for (int64_t x = 0; x < (int64_t)f->layers[0]; x++) {
                if (!is_site(l, x, y, z)) continue;
                bool taken = n < count && site == (uint64_t)((unsigned __int128)n * sites / count);
                site++;
                if (!taken) continue;
                position[n][0] = layer_position(b, f, 0, x);
                position[n][1] = layer_position(b, f, 1, y);
                if (l->dimension == 3) position[n][2] = layer_position(b, f, 2, z);
                n++;
            }
}

/* Equal, parallel spheroids are spheres in a stretched box: transforms the box, or reverts it. */
static void stretch(build *b, size_t entry, const double reach[3], bool back)
{
    for (int k = 0; k < b->s->dimension; k++) {
        const double by = 0.5 * b->widest / reach[k];
        b->box.size[k] *= back ? 1 / by : by;
        for (size_t n = b->first[entry]; back && n < b->first[entry + 1]; n++) b->state->position[n][k] /= by;
    }
    for (int k = 0; back && k < 3; k++) b->box.size[k] = b->state->size[k];
}

carom_status build_lattice(build *b, size_t entry, error *e)
{
    const lattice *l = lattice_of(b->s->particles[entry].place);
    if (l->dimension != b->s->dimension)
        return scene_refuse(scene_at(b->s, "particles.%zu.place", entry), e,
                            "particles.%zu: the %s lattice has %d dimensions" HINT "use %s", entry, l->name,
                            l->dimension, l->dimension == 3 ? "square or hexagonal" : "fcc, bcc or sc");
    double reach[3] = {1, 1, 1};
    const bool stretched = build_common_axes(b, reach);
    if (stretched) stretch(b, entry, reach, false);
    fit f = find_fit(b, l, (double)build_items(b, entry));
    if (f.room < b->widest * (1 - 1e-12) && !build_is_clump(b, entry)) {
        double most = b->phi * pow(f.room / b->widest, l->dimension);
        b->hint_entry = entry;
        snprintf(
            b->hint, sizeof b->hint,
            "the %s lattice of %zu particles has room for diameters up to %.6g in this box, here a packing fraction of "
            "%.4g; %s",
            l->name, build_count(b, entry), f.room, most, build_remedy(b, entry));
    }
    fill(b, l, &f, entry);
    if (stretched) stretch(b, entry, reach, true);
    return CAROM_OK;
}
