/* Clusters of many frames and their statistics. */
#include <math.h>

#include "base/memory.h"
#include "measure/shape.h"

static double size_of(const shape_cluster *c)
{
    return (double)c->size;
}
static double mass_of(const shape_cluster *c)
{
    return c->mass;
}
static double gyration_radius_of(const shape_cluster *c)
{
    return c->gyration.radius;
}
static double aspect_of(const shape_cluster *c)
{
    return c->gyration.aspect;
}
static double asphericity_of(const shape_cluster *c)
{
    return c->gyration.asphericity;
}
static double acylindricity_of(const shape_cluster *c)
{
    return c->gyration.acylindricity;
}
static double anisotropy_of(const shape_cluster *c)
{
    return c->gyration.anisotropy;
}
static double contacts_of(const shape_cluster *c)
{
    return c->contacts;
}
static double contacts_self_of(const shape_cluster *c)
{
    return c->contacts_self;
}
static double box_dimension_of(const shape_cluster *c)
{
    return -c->boxes.slope;
}
static double pair_exponent_of(const shape_cluster *c)
{
    return c->pairs.slope;
}
static double pair_exponent_self_of(const shape_cluster *c)
{
    return c->pairs_self.slope;
}

const shape_quantity shape_quantities[] = {
    {"size", "particles", 0, size_of},
    {"mass", "mass", 0, mass_of},
    {"gyration_radius", "radius of gyration", 0, gyration_radius_of},
    {"aspect_ratio", "aspect ratio", 0, aspect_of},
    {"asphericity", "asphericity", 3, asphericity_of},
    {"acylindricity", "acylindricity", 3, acylindricity_of},
    {"anisotropy", "shape anisotropy", 0, anisotropy_of},
    {"contacts", "contacts, without self", 0, contacts_of},
    {"contacts_self", "contacts, with self", 0, contacts_self_of},
    {"box_dimension", "box-counting dimension", 0, box_dimension_of},
    {"pair_exponent", "pair exponent, without self", 0, pair_exponent_of},
    {"pair_exponent_self", "pair exponent, with self", 0, pair_exponent_self_of},
};
const size_t shape_quantity_count = sizeof shape_quantities / sizeof *shape_quantities;

carom_statistics shape_study_statistics(const shape_study *s, const shape_quantity *q, double *space)
{
    for (size_t k = 0; k < s->cluster_count; k++) space[k] = q->value(&s->clusters[k]);
    return carom_statistics_of(space, s->cluster_count);
}

/* Allocates one more; NULL if there is no memory. */
static void *room_for_one(void *block, size_t count, size_t *room, size_t size)
{
    if (count < *room) return block;
    size_t more = 2 * *room + 16;
    void *grown = memory_resize(block, *room, more, size);
    if (grown != NULL) *room = more;
    return grown;
}

static carom_status add_frame(shape_study *s, const shape_frame *frame, error *e)
{
    shape_frame *grown = room_for_one(s->frames, s->frame_count, &s->frame_room, sizeof *grown);
    if (grown == NULL) return error_memory(e, "the frames", s->frame_count * sizeof *grown);
    s->frames = grown;
    s->frames[s->frame_count++] = *frame;
    return CAROM_OK;
}

static void add_point(shape_point *p, double value)
{
    if (isnan(value)) return;
    double way = value - p->mean;
    p->mean += way / (double)++p->count;
    p->squares += way * (value - p->mean);
}

static carom_status add_cluster(shape_study *s, const shape_partition *p, size_t group, error *e)
{
    shape_cluster *grown = room_for_one(s->clusters, s->cluster_count, &s->cluster_room, sizeof *grown);
    if (grown == NULL) return error_memory(e, "the clusters", s->cluster_count * sizeof *grown);
    s->clusters = grown;
    shape_curves curves;
    shape_cluster *c = &s->clusters[s->cluster_count];
    TRY(shape_measure(p, group, c, &curves, e));
    c->frame = s->frame_count - 1;
    s->cluster_count++;
    for (int k = 0; k < SHAPE_RADII; k++) add_point(&s->pairs[k], curves.pairs[k]);
    for (int m = 0; m < curves.levels; m++) add_point(&s->boxes[m], (double)curves.boxes[m]);
    if (s->curve_count == SHAPE_CURVES_KEPT) return CAROM_OK;
    shape_curves *kept = room_for_one(s->curves, s->curve_count, &s->curve_room, sizeof *kept);
    if (kept == NULL) return error_memory(e, "the clusters", s->curve_count * sizeof *kept);
    s->curves = kept;
    s->curves[s->curve_count++] = curves;
    return CAROM_OK;
}

static carom_status add_chosen(shape_study *s, const shape_partition *p, error *e)
{
    const shape_options *o = &s->options;
    if (o->cluster == CAROM_SHAPE_LARGEST || o->cluster == CAROM_SHAPE_TOGETHER)
        return p->count > 0 ? add_cluster(s, p, 0, e) : CAROM_OK;
    if (o->cluster == CAROM_SHAPE_ALL) {
        for (size_t k = 0; k < p->count && p->groups[k].size >= o->min_size; k++) TRY(add_cluster(s, p, k, e));
        return CAROM_OK;
    }
    for (size_t k = 0; k < p->count; k++)
        if (p->groups[k].id == o->cluster) return add_cluster(s, p, k, e);
    return CAROM_OK;
}

/* All clusters of at least the minimum size; the larger ones come first. */
static void add_growth(shape_study *s, const shape_partition *p)
{
    for (size_t k = 0; k < p->count && p->groups[k].size >= s->options.min_size; k++) {
        shape_gyration g;
        shape_gyration_of(p, k, &g);
        shape_growth_add(&s->growth, p->groups[k].mass, g.radius);
    }
}

static shape_frame describe(const shape_partition *p, size_t file, uint64_t number, double time)
{
    shape_frame f = {file, number, time, .particles = p->particles, .clusters = p->count, .source = p->source};
    for (size_t k = 0; k < p->count; k++) {
        double size = (double)p->groups[k].size;
        f.weight_mean_size += size * size / (double)p->particles;
        f.singles += p->groups[k].size == 1;
        f.percolating += p->groups[k].state == SHAPE_PERCOLATES;
    }
    if (p->count > 0) {
        f.largest = p->groups[0].size;
        f.mean_size = (double)p->particles / (double)p->count;
    }
    return f;
}

carom_status shape_study_add(shape_study *s, size_t file, uint64_t number, const carom_frame *f, error *e)
{
    if (s->dimension != 0 && s->dimension != f->dimension)
        return error_set(e, CAROM_BAD_DATA, "error: frames with %d dimensions cannot be combined with frames with %d",
                         f->dimension, s->dimension);
    shape_partition p;
    TRY(shape_partition_create(&p, f, s->options.gap, s->options.cluster == CAROM_SHAPE_TOGETHER, e));
    s->dimension = f->dimension;
    shape_frame about = describe(&p, file, number, f->time);
    carom_status status = add_frame(s, &about, e);
    if (status == CAROM_OK) status = shape_distribution_add(&s->distribution, &p, e);
    if (status == CAROM_OK) add_growth(s, &p);
    if (status == CAROM_OK) status = add_chosen(s, &p, e);
    shape_partition_destroy(&p);
    return status;
}

void shape_study_free(shape_study *s)
{
    memory_free(s->frames);
    memory_free(s->clusters);
    memory_free(s->curves);
    shape_distribution_free(&s->distribution);
    *s = (shape_study){0};
}
