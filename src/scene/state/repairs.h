/* Repairs of the file of a mesh. */
#ifndef CAROM_SCENE_REPAIRS_H
#define CAROM_SCENE_REPAIRS_H

#include "scene/scene.h"

enum { REPAIRS_TEXT = 240 };

/* "2 vertices welded, ..." for a mesh with `repair`; empty if nothing was changed. Reads the file again. */
carom_status scene_repairs(char *out, size_t length, const scene_mesh *mesh, error *e);

#endif
