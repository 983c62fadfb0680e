/* Well-posedness: what the scene moves must not run into anything that gives way as little. */
#ifndef CAROM_VARIATIONAL_MEET_H
#define CAROM_VARIATIONAL_MEET_H

#include "scene/state.h"

/* Refuses driven particles and segments that meet others of other drives, walls or planes before the run ends, with who
 * and when. Planes may close up: they squeeze what is between them, which ends the run in its own way. A segment whose
 * ends are in two drives that move is refused: it is not followed. */
carom_status check_meetings(const scene *s, const initial_state *state, error *e);

#endif
