#include "view/look.h"

const char *const mesh_look_names[MESH_LOOKS] = {"solid", "transparent", "edges", "hidden"};
