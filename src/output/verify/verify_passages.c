/* Passages through each other between frames. */
#include <inttypes.h>

#include "output/verify/verifier.h"

static void add_part(const verifier *v, text_buffer *t, const passage_part *p)
{
    static const char *const names[] = {"vertex", "the edge between vertices", "triangle"};
    const uint32_t *id = v->f.id, *end = p->end;
    if (p->mesh == SIZE_MAX && p->ends == 1) {
        text_add(t, "particle %" PRIu32, id[end[0]]);
    } else if (p->mesh == SIZE_MAX) {
        text_add(t, "the segment between particles %" PRIu32 " and %" PRIu32, id[end[0]], id[end[1]]);
    } else {
        const result_mesh *m = &v->links.mesh[p->mesh];
        text_add(t, "%s", names[p->ends - 1]);
        for (int c = 0; c < p->ends; c++)
            text_add(t, "%s%" PRIu32, c == 0 ? " " : c + 1 < p->ends ? ", " : " and ", end[c] - m->first);
        text_add(t, " of mesh '%s'", m->name);
    }
}

static void passes(const passage *p, void *data)
{
    verifier *v = data;
    if (!verify_note(v, CHECK_PASSAGE)) return;
    text_buffer *t = &v->descriptions[CHECK_PASSAGE];
    add_part(v, t, &p->a);
    text_add(t, " and ");
    add_part(v, t, &p->b);
    verify_note_number(v, CHECK_PASSAGE, " have passed through each other since the previous frame, about time ",
                       p->time);
    verify_end_note(v, CHECK_PASSAGE);
}

static void report_side_change(size_t i, size_t mesh, bool inside, void *data)
{
    verifier *v = data;
    if (!verify_note(v, CHECK_PASSAGE)) return;
    text_add(&v->descriptions[CHECK_PASSAGE], "particle %" PRIu32 " has %s mesh '%s' since the previous frame\n",
             v->f.id[i], inside ? "entered" : "left", v->links.mesh[mesh].name);
}

carom_status verify_passages(verifier *v, error *e)
{
    if (v->sides == NULL) TRY(sides_open(&v->sides, &v->f, &v->links, e));
    sides_check(v->sides, &v->f, report_side_change, v);
    if (v->way == NULL) TRY(between_open(&v->way, &v->f, &v->links, e));
    if (!v->follows || v->f.shear != 0) return CAROM_OK; /* images move in a sheared box: not checked */
    const bool recorded = recorded_paths_select(v->paths, &v->before, &v->f);
    between_take_paths(v->way, recorded ? v->paths : NULL);
    return between_check(v->way, &v->before, &v->f, v->tolerance, passes, v, e);
}
