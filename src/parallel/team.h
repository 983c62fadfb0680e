/* A team of threads that lasts for a run: a step of it costs two hand-overs instead of the creation of threads. */
#ifndef CAROM_PARALLEL_TEAM_H
#define CAROM_PARALLEL_TEAM_H

#include "base/error.h"

typedef struct team team;

/* members: 1 or more. The caller is member 0; the others are threads that block all signals. */
carom_status team_create(team **out, int members, error *e);

int team_members(const team *t);

/* Calls `work` once for each member, in its thread, and returns when all calls have returned. Their writes are visible
 * afterwards. Only the thread that created the team calls this function, and never from `work`. */
void team_run(team *t, void (*work)(void *context, int member), void *context);

void team_destroy(team *t); /* NULL: nothing */

/* CPU time of the calling thread, in seconds. */
double team_cpu(void);

#endif
