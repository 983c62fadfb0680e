/* Particles outside the box, or beyond exact surfaces. */
#include <inttypes.h>
#include <math.h>

#include "output/verify/verifier.h"
#include "output/verify/verify_exact.h"
#include "output/verify/verify_shapes.h"

/* Walls do not act on vertices of rigid meshes and driven vertices. The owners of bodies come before those of
 * drives. */
static bool scene_moves(const verifier *v, size_t i)
{
    const result_links *links = &v->links;
    const size_t listed = v->scene != NULL ? v->scene->body_count : 0;
    const size_t bodies = listed + clumps_copies(links->clump, links->clumps);
    for (size_t k = 0; k < links->meshes; k++)
        if (links->mesh[k].rigid && i - links->mesh[k].first < links->mesh[k].vertices) return true;
    return links->owner != NULL && links->owner[i] > bodies;
}

static void check_walls(verifier *v)
{
    const carom_frame *f = &v->f;
    size_t dimension = (size_t)f->dimension;
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < dimension; k++) {
            double x = f->position[i * dimension + k], margin = f->boundary[k] == FRAME_WALL ? f->radius[i] : 0;
            if (margin > 0 && f->axis != NULL) margin = verify_shapes_reach(f, i, k);
            double beyond = fmax(margin - x, x - (f->box[k] - margin));
            bool soft =
                f->boundary[k] == FRAME_WALL && f->tallies.ledger.kept; /* penalty layers, as thick as for a pair */
            double allowed = v->tolerance + (soft ? 2 * f->leeway * f->radius[i] : 0);
            if (f->boundary[k] == FRAME_OPEN || beyond <= allowed || frame_is_absent(f, i)) continue;
            if ((f->boundary[k] == FRAME_WALL && scene_moves(v, i)) || !verify_note(v, CHECK_BOX)) continue;
            verify_add_point(v, CHECK_BOX, i);
            text_add(&v->descriptions[CHECK_BOX], " at %c = ", "xyz"[k]);
            text_add_number(&v->descriptions[CHECK_BOX], x);
            verify_note_number(v, CHECK_BOX, ", beyond by ", beyond);
            verify_end_note(v, CHECK_BOX);
        }
}

static void note_beyond(const char *kind, const char *name, uint32_t i, double depth, void *data)
{
    verifier *v = data;
    if (!verify_note(v, CHECK_BOX)) return;
    text_add(&v->descriptions[CHECK_BOX], "particle %" PRIu32 " is beyond %s %s", v->f.id[i], kind, name);
    verify_note_number(v, CHECK_BOX, ", by ", depth);
    verify_end_note(v, CHECK_BOX);
}

void verify_box(verifier *v)
{
    check_walls(v);
    if (v->scene != NULL) verify_exact(&v->f, v->scene, &v->links, v->tolerance, note_beyond, v);
}
