/* Loops over the table of features. */
#ifndef CAROM_HARD_KERNEL_FEATURES_H
#define CAROM_HARD_KERNEL_FEATURES_H

#include "hard/kernel/features/feature.h"

/* Return false without memory. */
static bool features_allocate(gas *g, const initial_state *state, unsigned tallies);
static bool features_allocate_arrays(gas *g); /* of bodies, those that are missing */
static void features_release_arrays(gas *g);
static carom_status features_create(gas *g, const initial_state *state, error *e);
static carom_status features_place(gas *g, const initial_state *state, error *e);
static void features_start(gas *g);
static void features_destroy(gas *g);

/* Changes of the state from outside (edit.c). Allocates features that these tallies enable. */
static carom_status features_record(gas *g, unsigned tallies, error *e);
/* The name of a feature whose state cannot be taken over; NULL: none. */
static const char *features_unlike(const gas *g, const gas *before);
/* Takes over the state of all features. source[i]: index in `before` of body i, or UINT32_MAX. */
static void features_adopt(gas *g, const gas *before, const uint32_t *source);

static bool features_hold(const gas *g, int k);

static void features_rebase(gas *g, real t);
static void features_rescale(gas *g, int bits);
static void features_rebased(gas *g);
static void features_reorder(gas *g, struct curve_place *from, void *held);
static void features_clear(gas *g, uint32_t i); /* the data of body i in arrays */

enum { MOST_SAVED = 24 };
static int features_saved(gas *g, bool loading, snapshot_part *parts);
static carom_status features_check(const gas *g, error *e);
static carom_status features_load(gas *g, const snapshot *in, error *e);
static void features_loaded(gas *g);

static bool features_hash_bodies(const gas *g);
static uint64_t features_hash_body(const gas *g, uint32_t i, uint64_t hash);
static uint64_t features_hash(const gas *g, hash_place place, uint64_t hash);
static void features_fill_frame(const gas *g, real t, carom_frame *f);
static void features_fill_columns(const gas *g, real t, unsigned columns, carom_frame *f);
/* Whether features fill columns. */
static bool features_fill(const gas *g);

/* Parallel runs (features_domains.c). A domain has its own structs of features; `share` makes them from those of the
 * whole, without memory for bodies. */
struct buffer;
static bool features_share(gas *g, const gas *whole);
static void features_unshare(gas *g);
static bool features_widen(gas *g, uint32_t before, uint32_t room);
static void features_put(const gas *g, uint32_t i, struct buffer *out);
static const char *features_get(gas *g, uint32_t i, const char *from);
static size_t features_bytes(const gas *g, const char *from); /* of the data of a body */
static void features_collect(gas *g, gas *part);              /* tallies */
static void features_settle(gas *g);
static void features_keep_tallies(gas *g, struct buffer *out);
static void features_restore_tallies(gas *g, const char *from);
static void features_join(gas *g, uint32_t i);
static void features_leave(gas *g, uint32_t i);
static uint64_t features_chain(const gas *g, uint32_t i, uint64_t hash);
static void features_rebase_arrays(gas *g, real t);

#endif
