/* Contacts between the spheres of a frame, and with the walls of the box: from positions and radii alone. */
#ifndef CAROM_MEASURE_CONTACTS_H
#define CAROM_MEASURE_CONTACTS_H

#include "frame/frame.h"
#include "scene/settings.h"

/* Spheres are in contact up to a distance of (1 + ratio) times the sum of their radii, plus `gap`; a sphere and a wall
 * up to (1 + ratio) times the radius, plus `gap`. Infinite: not given. */
typedef struct contact_settings {
    double gap, ratio;
    bool walls;
} contact_settings;

/* Rows of a settings table whose struct begins with contact_settings; `begin` of that table. */
enum { CONTACT_ENTRIES = 3 };
extern const setting contact_entries[CONTACT_ENTRIES];
void contact_begin(struct reader *r, void *filled);

#define CONTACT_WALL UINT32_MAX

typedef struct contact {
    uint32_t i, j;    /* places in the frame; j: CONTACT_WALL */
    double normal[3]; /* from j to i, a unit vector */
} contact;

/* Completes the settings; CAROM_BAD_DATA for particles other than spheres. `what`: the observable, for messages. */
carom_status contacts_plan(contact_settings *set, const char *what, const carom_frame *first, error *e);

/* Calls `visit` for each contact once, in an order that depends on the positions only. In a sheared box, too. */
typedef void contacts_visit(const contact *c, void *user);
carom_status contacts_find(const contact_settings *set, const carom_frame *f, contacts_visit *visit, void *user,
                           error *e);

#endif
