/* The parts of a gas in which frames and checkpoints read its bodies: the gas itself or, in a parallel run on one rank,
 * the domains. A copy of all bodies is not necessary then. */
#ifndef CAROM_HARD_KERNEL_PARTS_H
#define CAROM_HARD_KERNEL_PARTS_H

#include "frame/snapshot.h"
#include "hard/kernel/gas.h"

/* Whether these are the domains. Features with data of bodies, or sums over bodies, need a copy of all bodies. */
static bool parts_are_domains(const gas *g);

static int gas_parts(const gas *g);
static const gas *gas_part(const gas *g, int n);

/* Whether body i of a part belongs to it: domains have copies of others too. */
static bool part_owns(const gas *part, uint32_t i);

/* Records of bodies in checkpoints. */
typedef struct body_record {
    snapshot_source source; /* first: read_records finds the others with it */
    const char *name;
    void (*put)(const struct body_record *r, const gas *part, uint32_t i, void *to);
    size_t offset; /* for `put` */
} body_record;

/* Records first ... first + count - 1, in the order of the bodies in memory; of domains in the order of the scene. */
static void read_records(const snapshot_source *source, const void *owner, size_t first, size_t count, void *to);
static carom_status records_save(const gas *g, const body_record *r, snapshot *out, error *e);

#endif
