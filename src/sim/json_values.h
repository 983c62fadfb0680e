/* Values of the JSON objects of the library. */
#ifndef CAROM_SIM_JSON_VALUES_H
#define CAROM_SIM_JSON_VALUES_H

#include <jansson.h>
#include <stdint.h>

#include "scene/scene.h"

/* JSON has no NaN and no infinity: they become null. */
json_t *json_number(double x);
json_t *json_numbers_of(const double *x, size_t n);
json_t *json_count(uint64_t n);

/* Seeds have 64 bits, integers of the JSON library 63: larger seeds are written as text. */
json_t *json_seed(uint64_t seed);

/* `repairs`: the changes to the file of each mesh. Absent without changes. */
void json_put_repairs(json_t *to, const scene *s);

/* Freed with memory_free; NULL if there is no memory. */
char *json_written(const json_t *object);

#endif
