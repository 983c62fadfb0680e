/* How meshes are drawn, in the order of the words of the scene key view.meshes. */
#ifndef CAROM_VIEW_MESH_STYLE_H
#define CAROM_VIEW_MESH_STYLE_H

typedef enum mesh_style { MESH_SOLID, MESH_TRANSPARENT, MESH_EDGES, MESH_HIDDEN, MESH_STYLES } mesh_style;
extern const char *const mesh_style_names[MESH_STYLES];

#endif
