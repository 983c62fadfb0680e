/* Pairs of particles connected by a segment or a bond; they may overlap. */
#ifndef CAROM_OUTPUT_VERIFY_JOINED_H
#define CAROM_OUTPUT_VERIFY_JOINED_H

#include "output/results/links.h"

typedef struct joined {
    uint64_t *key; /* sorted */
    size_t count;
} joined;

carom_status joined_create(joined *j, const result_links *links, error *e);
void joined_destroy(joined *j);
bool joined_has(const joined *j, uint32_t a, uint32_t b);

#endif
