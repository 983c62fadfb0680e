/* Contacts between the spheres of a frame, and with the walls of the box: from positions and radii alone. */
#ifndef CAROM_MEASURE_CONTACTS_H
#define CAROM_MEASURE_CONTACTS_H

#include <math.h>
#include <stddef.h>

#include "measure/species.h"

/* Spheres are in contact up to a distance of (1 + ratio) times the sum of their radii, plus `gap`; a sphere and a wall
 * up to (1 + ratio) times the radius, plus `gap`. Infinite: not given. Two spheres of one clump are in no contact. */
typedef struct contact_settings {
    uint32_t species; /* first: SPECIES_ROW. For the observables: contacts_find finds those of all */
    double gap, ratio;
    bool walls;
} contact_settings;

bool contact_has_gap(const struct scene *s, const void *from);
bool contact_has_ratio(const struct scene *s, const void *from);

/* Rows of a settings table whose struct begins with contact_settings; `begin` of that table. */
#define CONTACT_ROWS(text)                                                                                             \
    SPECIES_ROW(text),                                                                                                 \
        {.name = "gap",                                                                                                \
         .type = SETTING_REAL,                                                                                         \
         .offset = offsetof(contact_settings, gap),                                                                    \
         .unit = "length",                                                                                             \
         .fallback = "",                                                                                               \
         .max = INFINITY,                                                                                              \
         .written = contact_has_gap,                                                                                   \
         .help = "largest distance between the surfaces of two particles in contact"},                                 \
        {.name = "gap_ratio",                                                                                          \
         .type = SETTING_REAL,                                                                                         \
         .offset = offsetof(contact_settings, ratio),                                                                  \
         .unit = "",                                                                                                   \
         .fallback = "",                                                                                               \
         .max = INFINITY,                                                                                              \
         .instead_of = "gap",                                                                                          \
         .written = contact_has_ratio,                                                                                 \
         .help = "instead of gap: the same over the sum of the two radii. Without both: 0 in `variational`, whose "    \
                 "first layer begins there; else 0.01"},                                                               \
    {                                                                                                                  \
        .name = "walls", .type = SETTING_BOOL, .offset = offsetof(contact_settings, walls), .unit = "",                \
        .fallback = "false",                                                                                           \
        .help = "also contacts with the walls of the box (not with planes, meshes and exact surfaces)"                 \
    }
void contact_begin(struct reader *r, void *filled);

#define CONTACT_WALL UINT32_MAX

typedef struct contact {
    uint32_t i, j;    /* places in the frame; j: CONTACT_WALL */
    double normal[3]; /* from j to i, a unit vector */
    double place[3];  /* midway between the two surfaces; may be outside of a periodic box */
} contact;

/* Completes the settings; CAROM_BAD_DATA for particles other than spheres. `what`: the observable, for messages. */
carom_status contacts_plan(contact_settings *set, const char *what, const carom_frame *first, error *e);

/* Calls `visit` for each contact once, in an order that depends on the positions only. In a sheared box, too. */
typedef void contacts_visit(const contact *c, void *user);
carom_status contacts_find(const contact_settings *set, const carom_frame *f, contacts_visit *visit, void *user,
                           error *e);

#endif
