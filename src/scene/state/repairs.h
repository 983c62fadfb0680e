/* What has been changed of the file of a mesh. */
#ifndef CAROM_SCENE_REPAIRS_H
#define CAROM_SCENE_REPAIRS_H

#include "scene/scene.h"

enum { REPAIRS_TEXT = 240 };

/* "2 vertices welded, ..." of a mesh that may be changed; nothing where there is nothing to say. Reads the file again. */
carom_status scene_repairs(char *out, size_t length, const scene_mesh *mesh, error *e);

#endif
