/* How meshes are drawn. Numbered as the words of the scene's view.meshes. */
#ifndef CAROM_VIEW_LOOK_H
#define CAROM_VIEW_LOOK_H

typedef enum mesh_look { MESH_SOLID, MESH_TRANSPARENT, MESH_EDGES, MESH_HIDDEN, MESH_LOOKS } mesh_look;
extern const char *const mesh_look_names[MESH_LOOKS];

#endif
