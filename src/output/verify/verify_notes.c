/* How violations are counted and described. */
#include <inttypes.h>
#include <math.h>

#include "output/verify/verifier.h"

/* Relative rounding errors permitted for the energy and momentum: in double and in single precision. */
static const double EXACT_DRIFT = 1e-9, COARSE_DRIFT = 1e-3;

bool verify_note(verifier *v, check what)
{
    if (++v->found[what] > SHOWN) return false;
    text_buffer *t = &v->descriptions[what];
    text_add(t, "  frame %" PRIu64 ", time ", v->index);
    text_add_number(t, v->f.time);
    text_add(t, ": ");
    return true;
}

void verify_note_number(verifier *v, check what, const char *words, double value)
{
    text_add(&v->descriptions[what], "%s", words);
    text_add_number(&v->descriptions[what], value);
}

void verify_end_note(verifier *v, check what)
{
    text_add(&v->descriptions[what], "\n");
}

void verify_add_point(verifier *v, check what, size_t i)
{
    const result_links *links = &v->links;
    size_t k = 0;
    while (k < links->meshes && i - links->mesh[k].first >= links->mesh[k].vertices) k++;
    if (i < frame_particles(&v->f) || k == links->meshes)
        text_add(&v->descriptions[what], "particle %" PRIu32, v->f.id[i]);
    else
        text_add(&v->descriptions[what], "vertex %zu of mesh '%s'", i - links->mesh[k].first, links->mesh[k].name);
}

void verify_compare(verifier *v, check what, const char *name, double is, double should, double tolerance)
{
    if (fabs(is - should) <= tolerance || !verify_note(v, what)) return;
    text_add(&v->descriptions[what], "%s", name);
    verify_note_number(v, what, " is ", is);
    verify_note_number(v, what, ", not ", should);
    verify_end_note(v, what);
}

double verify_rounding(const verifier *v)
{
    return reader_about(v->r)->grain > 0 ? COARSE_DRIFT : EXACT_DRIFT;
}

void verify_tell(const verifier *v, double share)
{
    const double frames = (double)reader_about(v->r)->frames;
    if (v->watch != NULL) v->watch->tell(((double)v->index + share) / frames, v->f.time, v->watch->data);
}
