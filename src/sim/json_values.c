#include "sim/json_values.h"

#include "base/memory.h"
#include "scene/copies.h"
#include "scene/state/repairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

json_t *json_number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *json_numbers_of(const double *x, size_t n)
{
    json_t *array = json_array();
    for (size_t k = 0; k < n; k++) json_array_append_new(array, json_number(x[k]));
    return array;
}

json_t *json_count(uint64_t n)
{
    return json_integer((json_int_t)n);
}

json_t *json_seed(uint64_t seed)
{
    char digits[24];
    if (seed <= INT64_MAX) return json_count(seed);
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)seed);
    return json_string(digits);
}

/* A file that no longer exists has no repairs. */
void json_put_repairs(json_t *to, const scene *s)
{
    json_t *repairs = json_object();
    error e = {0};
    char done[REPAIRS_TEXT];
    for (size_t k = 0; k < s->mesh_count; k++)
        if (!scene_is_further_copy(s, k) && scene_repairs(done, sizeof done, &s->meshes[k], &e) == CAROM_OK &&
            done[0] != '\0')
            json_object_set_new(repairs, s->meshes[k].name, json_string(done));
    error_clear(&e);
    if (json_object_size(repairs) > 0)
        json_object_set_new(to, "repairs", repairs);
    else
        json_decref(repairs);
}

char *json_written(const json_t *object)
{
    char *text = json_dumps(object, JSON_INDENT(1) | JSON_REAL_PRECISION(17) | JSON_PRESERVE_ORDER);
    char *copy = text != NULL ? memory_text(text) : NULL;
    free(text);
    return copy;
}
