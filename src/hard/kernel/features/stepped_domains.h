/* Links in the domains of a parallel run: hooks of the feature. */
#ifndef CAROM_HARD_KERNEL_STEPPED_DOMAINS_H
#define CAROM_HARD_KERNEL_STEPPED_DOMAINS_H

#include "hard/kernel/gas.h"
#include "parallel/buffer.h"

static bool stepped_divide(gas *g, const gas *whole);
static void stepped_unite(gas *g);
static bool stepped_widen(gas *g, uint32_t before, uint32_t room);
static void stepped_put(const gas *g, uint32_t i, buffer *out);
static const char *stepped_get(gas *g, uint32_t i, const char *from);
static void stepped_join(gas *g, uint32_t i);
static size_t stepped_bytes(const char *from);
static void stepped_leave(gas *g, uint32_t i);
static uint64_t stepped_chain(const gas *g, uint32_t i, uint64_t hash);

#endif
