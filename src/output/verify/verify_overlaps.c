/* Overlaps of particles, segments and meshes. */
#include <inttypes.h>
#include <math.h>

#include "output/verify/pairs.h"
#include "output/verify/verifier.h"
#include "output/verify/verify_segments.h"
#include "output/verify/verify_shapes.h"

/* Exceptions: particles of one body or drive, and the two ends of a segment or bond. */
static bool may_overlap(const verifier *v, size_t i, size_t j)
{
    const uint32_t *owner = v->links.owner;
    if (owner != NULL && owner[i] != 0 && owner[i] == owner[j]) return true;
    return joined_has(&v->joined, (uint32_t)i, (uint32_t)j);
}

static void overlap(size_t i, size_t j, double distance, void *data)
{
    verifier *v = data;
    if (may_overlap(v, i, j)) return;
    double depth = v->f.axis != NULL ? verify_shapes_depth(&v->f, i, j) : v->f.radius[i] + v->f.radius[j] - distance;
    v->deepest = fmax(v->deepest, depth);
    if (depth <= v->tolerance + v->f.leeway * (v->f.radius[i] + v->f.radius[j])) return;
    if (!verify_note(v, CHECK_OVERLAP)) return;
    text_add(&v->descriptions[CHECK_OVERLAP], "particles %" PRIu32 " and %" PRIu32, v->f.id[i], v->f.id[j]);
    verify_note_number(v, CHECK_OVERLAP, " are ", distance);
    verify_note_number(v, CHECK_OVERLAP, " apart, and overlap by ", depth);
    verify_end_note(v, CHECK_OVERLAP);
}

static void segment_overlap(size_t a, size_t b, double distance, double depth, void *data)
{
    verifier *v = data;
    v->deepest = fmax(v->deepest, depth);
    if (!verify_note(v, CHECK_OVERLAP)) return;
    text_buffer *t = &v->descriptions[CHECK_OVERLAP];
    text_add(t, "the segment between particles %" PRIu32 " and %" PRIu32 " and ", v->links.segment[0][a],
             v->links.segment[1][a]);
    if (b < v->links.segments)
        text_add(t, "that between %" PRIu32 " and %" PRIu32, v->links.segment[0][b], v->links.segment[1][b]);
    else
        text_add(t, "particle %" PRIu32, v->f.id[b - v->links.segments]);
    verify_note_number(v, CHECK_OVERLAP, " are ", distance);
    verify_note_number(v, CHECK_OVERLAP, " apart, and overlap by ", depth);
    verify_end_note(v, CHECK_OVERLAP);
}

static void mesh_overlap(mesh_part a, mesh_part b, double depth, void *data)
{
    verifier *v = data;
    const result_mesh *all = v->links.mesh;
    if (depth < INFINITY) v->deepest = fmax(v->deepest, depth);
    if (!verify_note(v, CHECK_OVERLAP)) return;
    text_buffer *t = &v->descriptions[CHECK_OVERLAP];
    text_add(t, "triangle %" PRIu32 " of mesh '%s' and ", a.number, all[a.mesh].name);
    if (b.mesh == PART_PARTICLE)
        text_add(t, "particle %" PRIu32, v->f.id[b.number]);
    else if (b.mesh == PART_SEGMENT)
        text_add(t, "the segment between particles %" PRIu32 " and %" PRIu32, v->links.segment[0][b.number],
                 v->links.segment[1][b.number]);
    else
        text_add(t, "triangle %" PRIu32 " of mesh '%s'", b.number, all[b.mesh].name);
    if (depth < INFINITY)
        verify_note_number(v, CHECK_OVERLAP, " overlap by ", depth);
    else
        text_add(t, " pass through each other");
    verify_end_note(v, CHECK_OVERLAP);
}

carom_status verify_overlaps(verifier *v, error *e)
{
    const carom_frame particles = frame_of_particles(&v->f);
    TRY(pairs_overlapping(&particles, v->tolerance, overlap, v, e));
    TRY(verify_segments(&particles, &v->links, v->tolerance, segment_overlap, v, e));
    if (v->near == NULL) TRY(meshes_look_create(&v->near, &v->f, &v->links, e));
    verify_tell(v, 0.2);
    return meshes_look_at(v->near, &v->f, v->tolerance, mesh_overlap, v, e);
}
