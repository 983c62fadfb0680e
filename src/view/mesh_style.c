#include "view/mesh_style.h"

const char *const mesh_style_names[MESH_STYLES] = {"solid", "transparent", "edges", "hidden"};
