/* Paths of the summary of a future run. */
#ifndef CAROM_SIM_SUMMARY_PATHS_H
#define CAROM_SIM_SUMMARY_PATHS_H

#include "base/text.h"
#include "sim/scene_api.h"

/* All paths and short names of the summary of a run of this scene. Draws the initial state if there are observables. */
carom_status summary_paths(const scene *s, text_buffer *to, error *e);

bool summary_paths_have(const text_buffer *paths, const char *path);

/* The nearest path; NULL if none is near. Freed with memory_free. */
char *summary_paths_near(const text_buffer *paths, const char *path);

#endif
