/* The membranes of triangles, by the materials of their meshes. */
#include "variational/kernel/features/shells_membranes.h"

#include "scene/state.h"
#include "scene/where.h"

static double shell_thickness(const scene_mesh *from)
{
    return from->elastic_thickness > 0 ? from->elastic_thickness : from->thickness;
}

static double shell_stretch(const scene_mesh *from)
{
    return from->young > 0 ? from->young * shell_thickness(from) : from->stretch;
}

static membrane_kind mesh_membrane(const scene_mesh *from)
{
    if (from->fabric.given) return MEMBRANE_FABRIC;
    return from->material == MATERIAL_NEO_HOOKEAN ? MEMBRANE_NEO_HOOKEAN : MEMBRANE_LINEAR;
}

static fabric mesh_fabric(const scene_mesh *from)
{
    const double h = shell_thickness(from);
    fabric f = {from->young * h, from->fabric.weft * h, from->fabric.shear * h, from->poisson, {0}};
    double rotation[3][3];
    state_mesh_rotation(from, rotation);
    double longest = 0;
    for (int k = 0; k < 3; k++) longest = fmax(longest, fabs(from->fabric.warp[k]));
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) f.along[k] += rotation[k][i] * (from->fabric.warp[i] / longest);
    return f;
}

static carom_status draft_membrane(const world *w, shell_membrane *membrane, shell_triangle *s, const scene_mesh *from,
                                   const mesh *m, size_t n, error *e)
{
    const uint32_t *corner = m->triangles[n];
    *membrane = (shell_membrane){.kind = mesh_membrane(from)};
    if (membrane->kind != MEMBRANE_FABRIC) return CAROM_OK;
    const fabric f = mesh_fabric(from);
    if (fabric_set(membrane, s, m->vertices[corner[0]], m->vertices[corner[1]], m->vertices[corner[2]], &f))
        return CAROM_OK;
    return scene_refuse(scene_at(w->scene, "meshes.%zu.fabric", (size_t)(from - w->scene->meshes)), e,
                        "mesh '%s': the warp is normal to triangle %zu (vertices %u, %u, %u) and has no direction in "
                        "it" HINT "choose another 'warp', in coordinates of the mesh before 'place'",
                        from->name, n, corner[0], corner[1], corner[2]);
}
