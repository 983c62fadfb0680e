#include "scene/exact.h"

#include <stdio.h>

#include "scene/planes.h"
#include "scene/where.h"

#define DECLARED(one, many, ONE, words) extern const exact_kind exact_##one;
EXACT_KINDS(DECLARED)

#define LISTED(one, many, ONE, words) [EXACT_##ONE] = &exact_##one,
const exact_kind *const exact_kinds[EXACT_COUNT] = {EXACT_KINDS(LISTED)};

scene_exact scene_exact_at(const scene *s, size_t n)
{
    size_t k = 0;
    while (n >= s->exact[k].count) n -= s->exact[k++].count;
    return (scene_exact){exact_kinds[k], (const char *)s->exact[k].items + n * exact_kinds[k]->table->size, n};
}

const char *scene_exact_name(const scene *s, size_t n)
{
    return *(char *const *)scene_exact_at(s, n).one;
}

double scene_exact_height(const scene_exact *e, const double *moved, const double r[3])
{
    return e->kind->height(e->one, moved, r);
}

void scene_exact_moved(const scene *s, size_t n, double time, double moved[3])
{
    for (int c = 0; c < 3; c++) moved[c] = 0;
    for (size_t k = 0; k < s->drive_count; k++)
        if (scene_drive_exact(s, &s->drives[k]) == n) scene_drive_moved(&s->drives[k], time, moved);
}

size_t scene_drive_exact(const scene *s, const scene_drive *d)
{
    size_t before = 0;
    for (size_t k = 0; k < EXACT_COUNT; k++) {
        if (d->exact[k] < s->exact[k].count) return before + d->exact[k];
        before += s->exact[k].count;
    }
    return SIZE_MAX;
}

const exact_kind *scene_drive_exact_kind(const scene_drive *d)
{
    for (size_t k = 0; k < EXACT_COUNT; k++)
        if (d->exact[k] != SIZE_MAX) return exact_kinds[k];
    return NULL;
}

carom_status scene_refuse_crossing(const scene *s, error *e)
{
    for (size_t n = 0; n < scene_exact_count(s); n++) {
        const scene_exact x = scene_exact_at(s, n);
        for (int k = 0; k < s->dimension; k++)
            if (s->box.boundary[k] == BOUNDARY_PERIODIC && x.kind->crosses(x.one, s->dimension, k))
                return scene_refuse(scene_at(s, "%s.%zu.%s", x.kind->names, x.index, x.kind->crossing_key), e,
                                    "%s '%s' %s axis %c, which is periodic: it would have images" HINT "make that axis "
                                    "`wall` or `open`",
                                    x.kind->name, scene_exact_name(s, n), x.kind->crossing, "xyz"[k]);
    }
    return CAROM_OK;
}

exact_words scene_exact_words(const scene *s, bool many, const char *between, const char *last, const char *after)
{
    exact_words words = {""};
    size_t length = 0, final = 0;
    for (size_t k = 0; k < EXACT_COUNT; k++)
        if (s->exact[k].count > 0) final = k;
    for (size_t k = 0; k <= final && length < sizeof words.text; k++) {
        if (k > 0 && s->exact[k].count == 0) continue;
        const char *name = many ? exact_kinds[k]->names : exact_kinds[k]->name;
        length += (size_t)snprintf(words.text + length, sizeof words.text - length, "%s%s%s",
                                   k == final ? last : between, name, after);
    }
    return words;
}
