/* Numbers that cannot be: not finite, negative. */
#include <math.h>

#include "output/verify/verifier.h"

static bool finite_vector(const double *x, size_t dimension)
{
    for (size_t k = 0; k < dimension; k++)
        if (!isfinite(x[k])) return false;
    return true;
}

static bool is_unit(const double *u)
{
    return fabs(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1) < 1e-6; /* also in runs of single precision */
}

bool verify_numbers(verifier *v)
{
    const carom_frame *f = &v->f;
    size_t dimension = (size_t)f->dimension;
    uint64_t before = v->found[CHECK_FINITE];
    if (!isfinite(f->time) || !finite_vector(f->box, dimension)) {
        if (verify_note(v, CHECK_FINITE))
            verify_note_number(v, CHECK_FINITE, "time or box is not finite: ", f->time),
                verify_end_note(v, CHECK_FINITE);
    }
    for (size_t k = 0; k < dimension; k++)
        if (!(f->box[k] > 0) && verify_note(v, CHECK_FINITE))
            verify_note_number(v, CHECK_FINITE, "box side ", f->box[k]), verify_end_note(v, CHECK_FINITE);
    for (size_t i = 0; i < f->count; i++) {
        const char *what = !finite_vector(f->position + i * dimension, dimension)   ? "position"
                           : !finite_vector(f->velocity + i * dimension, dimension) ? "velocity"
                           : !(f->radius[i] >= 0 && isfinite(f->radius[i]))         ? "radius"
                           : !(f->mass[i] >= 0 && isfinite(f->mass[i]))             ? "mass"
                           : f->spin != NULL && !finite_vector(f->spin + 3 * i, 3)  ? "angular velocity"
                           : f->axis != NULL && !is_unit(f->axis + 3 * i)           ? "orientation"
                                                                                    : NULL;
        if (what != NULL && verify_note(v, CHECK_FINITE))
            text_add(&v->descriptions[CHECK_FINITE], "%s of ", what), verify_add_point(v, CHECK_FINITE, i),
                verify_end_note(v, CHECK_FINITE);
    }
    return v->found[CHECK_FINITE] == before;
}
