/* Values of the JSON objects that the library hands out. */
#ifndef CAROM_SIM_JSON_VALUES_H
#define CAROM_SIM_JSON_VALUES_H

#include <jansson.h>
#include <stdint.h>

#include "scene/scene.h"

/* JSON knows no NaN and no infinity: what is not known is null. */
json_t *json_number(double x);
json_t *json_numbers_of(const double *x, size_t n);
json_t *json_count(uint64_t n);

/* Seeds use all 64 bits, JSON's integers here only 63: beyond, the digits are text. */
json_t *json_seed(uint64_t seed);

/* `repairs`: by mesh, what has been changed of its file. Nothing where nothing was. */
void json_put_repairs(json_t *to, const scene *s);

/* Freed with memory_free; NULL where there is no memory. */
char *json_written(const json_t *object);

#endif
