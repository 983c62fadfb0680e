/* The colour of each body. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "view/render/render.h"

enum { HUES = THEME_SERIES - 1 }; /* the last colour of a theme is for lines */

const char *const render_by_names[RENDER_BYS] = {
    [RENDER_DEFAULT] = "",        [RENDER_SPECIES] = "species",   [RENDER_SPEED] = "speed",
    [RENDER_CLUSTER] = "cluster", [RENDER_MOLECULE] = "molecule", [RENDER_STRAIN] = "strain",
    [RENDER_LAYERS] = "layers",
};

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void find_speed(renderer *v)
{
    const int dimension = v->frame.dimension;
    for (size_t i = 0; i < v->frame.count; i++) {
        double square = 0;
        for (int k = 0; k < dimension; k++) square += pow(v->frame.velocity[i * (size_t)dimension + (size_t)k], 2);
        v->value[i] = sqrt(square);
    }
}

static void find_layers(renderer *v)
{
    for (size_t i = 0; i < v->frame.count; i++) v->value[i] = v->frame.layers[i];
}

static void find_values(renderer *v)
{
    if (v->by == RENDER_LAYERS) find_layers(v);
    if (v->by == RENDER_SPEED) find_speed(v);
    if (v->by == RENDER_STRAIN) strain_find(&v->strain, v->links, &v->frame, v->value);
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Layers of contacts only, not of separated particles. */
static bool counts(const renderer *v, size_t i)
{
    if (v->by == RENDER_LAYERS) return v->value[i] > 0;
    return v->by == RENDER_STRAIN ? v->is_vertex[i] : !v->is_vertex[i] || v->links->meshes > 0;
}

/* A few outliers do not determine the range of the colours. */
static carom_status widen_range(renderer *v, error *e)
{
    double *sorted = NEW_ARRAY(v->frame.count, double);
    size_t count = 0;
    if (sorted == NULL) return error_memory(e, "colours", v->frame.count * sizeof *sorted);
    for (size_t i = 0; i < v->frame.count; i++) {
        if (counts(v, i) && isfinite(v->value[i])) sorted[count++] = v->value[i];
    }
    qsort(sorted, count, sizeof *sorted, rising);
    if (count > 0) v->legend.to = fmax(v->legend.to, sorted[(size_t)(0.99 * (double)(count - 1))]);
    memory_free(sorted);
    return CAROM_OK;
}

/* ---- categories -------------------------------------------------------------------------------------------------- */

static void add_entry(renderer *v, const char *name, colour paint)
{
    render_legend *l = &v->legend;
    if (l->count == RENDER_ENTRIES) return;
    l->name[l->count] = name;
    l->paint[l->count++] = paint;
}

/* Assigns the first colours to the species that appear as particles, in their order; returns their number. */
static size_t count_hues(renderer *v, bool seen[RENDER_SPECIES_MOST])
{
    size_t count = 0;
    memset(seen, 0, RENDER_SPECIES_MOST * sizeof *seen);
    for (size_t i = 0; i < v->frame.count; i++)
        if (!v->is_vertex[i]) seen[v->frame.species[i] % RENDER_SPECIES_MOST] = true;
    for (size_t s = 0; s < RENDER_SPECIES_MOST; s++) v->hue[s] = seen[s] ? count++ % HUES : 0;
    return count;
}

static void name_species(renderer *v)
{
    bool seen[RENDER_SPECIES_MOST];
    size_t count = count_hues(v, seen);
    for (size_t s = 0; s < RENDER_SPECIES_MOST && s < v->about->species_count; s++)
        if (seen[s]) add_entry(v, v->about->species[s], v->theme->series[v->hue[s]]);
    for (size_t k = 0; k < v->links->meshes; k++) {
        const bool rigid = v->links->mesh[k].rigid != 0;
        v->mesh_paint[k] = rigid ? v->theme->plain : v->theme->series[count++ % HUES];
        if (v->options.meshes != MESH_HIDDEN) add_entry(v, v->links->mesh[k].name, v->mesh_paint[k]);
    }
    if (v->legend.count < 2) v->legend.count = 0;
}

uint32_t render_mesh_paint(const renderer *v, size_t mesh)
{
    return raster_paint(v->by == RENDER_SPECIES ? v->mesh_paint[mesh] : v->theme->plain);
}

static carom_status refuse(const renderer *v, const char *why, error *e)
{
    return error_set(e, CAROM_USAGE, "error: '%s' %s", v->from->name, why);
}

static carom_status choose(renderer *v, error *e)
{
    v->by = v->options.by;
    if (v->by == RENDER_DEFAULT) v->by = ABOUT_HAS(v->about, cluster) ? RENDER_CLUSTER : RENDER_SPECIES;
    if (v->by == RENDER_CLUSTER && !ABOUT_HAS(v->about, cluster))
        return refuse(v, "has no clusters to colour by: its engine merges nothing; colour by species or speed", e);
    if (v->by == RENDER_MOLECULE && v->links->springs + v->links->segments == 0)
        return refuse(v, "has no molecules to colour by: no springs, bonds or segments; colour by species or speed", e);
    if (v->by == RENDER_STRAIN && v->links->meshes == 0)
        return refuse(v, "has no meshes whose strain could be coloured; colour by species or speed", e);
    if (v->by == RENDER_LAYERS && !ABOUT_HAS(v->about, layers))
        return refuse(
            v, "does not record the number of active layers of its contacts; new results of `engine: variational` do",
            e);
    return CAROM_OK;
}

/* The range is that of a few frames. */
static carom_status find_value_range(renderer *v, uint64_t first, uint64_t count, error *e)
{
    enum { LOOKS = 12 };
    const uint64_t samples = count < LOOKS ? count : LOOKS;
    for (uint64_t k = 0; k < samples; k++) {
        TRY(render_read(v, first + (samples > 1 ? k * (count - 1) / (samples - 1) : 0), e));
        find_values(v);
        TRY(widen_range(v, e));
    }
    return CAROM_OK;
}

carom_status render_colours_begin(renderer *v, uint64_t first, uint64_t count, error *e)
{
    TRY(choose(v, e));
    if (v->by == RENDER_STRAIN) {
        TRY(render_read(v, 0, e));
        TRY(strain_create(&v->strain, v->links, &v->frame, e));
    }
    v->legend = (render_legend){.map = v->by == RENDER_SPEED || v->by == RENDER_STRAIN || v->by == RENDER_LAYERS,
                                .what = render_by_names[v->by]};
    if (v->legend.map) TRY(find_value_range(v, first, count, e));
    if (!(v->legend.to > 0)) v->legend.to = 1;
    if (v->by != RENDER_SPECIES) return CAROM_OK;
    v->mesh_paint = NEW_ARRAY(v->links->meshes, colour);
    if (v->mesh_paint == NULL) return error_memory(e, "colours", v->links->meshes * sizeof(colour));
    name_species(v);
    return CAROM_OK;
}

void render_colours(renderer *v)
{
    find_values(v);
    const carom_frame *f = &v->frame;
    v->group = v->by == RENDER_CLUSTER ? f->cluster : v->by == RENDER_MOLECULE ? v->molecules.root : NULL;
    uint32_t *sizes = v->group != NULL ? NEW_ARRAY(f->count, uint32_t) : NULL;
    for (size_t i = 0; sizes != NULL && i < f->count; i++)
        if (v->group[i] < f->count) sizes[v->group[i]]++;
    if (sizes != NULL) render_shade_clusters(v, sizes);
    for (size_t i = 0; i < f->count; i++) {
        colour paint = v->theme->plain;
        if (v->by == RENDER_SPECIES) paint = v->theme->series[v->hue[f->species[i] % RENDER_SPECIES_MOST]];
        if (v->by == RENDER_SPEED || v->by == RENDER_LAYERS) paint = colour_map(v->value[i] / v->legend.to);
        if (sizes != NULL && v->group[i] < f->count && sizes[v->group[i]] > 1 && v->shade[v->group[i]] > 0)
            paint = colour_of_many(v->theme, v->shade[v->group[i]] - 1u);
        v->paint[i] = raster_paint(paint);
    }
    memory_free(sizes);
}
