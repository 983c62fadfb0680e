/* Generators of meshes. The argument is an empty mesh; closed meshes are oriented outwards. The caller ensures that
 * sizes are positive and finite. mesh_done reports numbers of cells that exceed the memory. */
#ifndef CAROM_MESH_MAKE_H
#define CAROM_MESH_MAKE_H

#include "mesh/mesh.h"

/* ---- Flat, in the plane of x and y, around the origin, normal along z -------------------------------------------- */

/* cells[0] by cells[1] rectangles, each divided along a diagonal of alternating direction. */
void mesh_make_rectangle(mesh *m, const double size[2], const uint32_t cells[2]);

/* About as many triangles without a preferred direction: rows shifted by half a cell, and inner vertices displaced at
 * random by up to a fifth of a cell; `seed` of the random numbers. */
void mesh_make_rough_rectangle(mesh *m, const double size[2], const uint32_t cells[2], uint64_t seed);

/* `rings` rings around the centre, with 6, 12, 18, ... edges. */
void mesh_make_disk(mesh *m, double radius, uint32_t rings);

/* ---- Closed ---- */

typedef enum platonic_solid { TETRAHEDRON, CUBE, OCTAHEDRON, DODECAHEDRON, ICOSAHEDRON } platonic_solid;

/* Corners at `radius` from the origin; squares and pentagons are divided into triangles. */
void mesh_make_platonic(mesh *m, platonic_solid which, double radius);

/* A box around the origin with sides `size` along the axes: 12 triangles. */
void mesh_make_box(mesh *m, const double size[3]);

/* A spherocylinder of polygons around z: hemispheres of `radius` around the ends of a line of `length`. All vertices lie on it.
 * `around` (at least 3) meridians, a quarter as many bands on each hemisphere, `along` cells between them. */
carom_status mesh_make_capsule(mesh *m, double length, double radius, uint32_t around, uint32_t along, error *e);

/* An icosahedron with its faces divided into parts * parts triangles, projected onto the sphere: 10 parts^2 + 2
 * vertices. */
carom_status mesh_make_sphere(mesh *m, double radius, uint32_t parts, error *e);

/* Circles of latitude and meridians; poles on z. `rings` bands of `around` (at least 3) cells. */
void mesh_make_globe(mesh *m, double radius, uint32_t around, uint32_t rings);

/* Around z; `major`: distance from the centre to the centre line of the tube, of radius `minor` < major. */
void mesh_make_torus(mesh *m, double major, double minor, uint32_t around, uint32_t across);

/* A prism: an isosceles triangle, `base` wide along x and `height` high along z, extruded by `length` along y. Its base
 * is at z = 0, around the origin. `parts` cells along each side of the triangle, `cells` along y. */
carom_status mesh_make_prism(mesh *m, double base, double height, double length, uint32_t parts, uint32_t cells,
                             error *e);

/* ---- Open ---- */

/* The side of a cylinder around z, z from -length / 2 to length / 2. */
void mesh_make_tube(mesh *m, double radius, double length, uint32_t around, uint32_t along);

/* A surface of revolution around z: profile[count >= 2] has (r, z, 0), r >= 0, of which neighbours differ. A point with r = 0,
 * at either end only and not at both of two, is one vertex. If the last point is the first, the surface is closed. */
void mesh_make_revolution(mesh *m, const double (*profile)[3], size_t count, uint32_t around);

/* A plate around the origin with spikes[0] by spikes[1] pyramids of six narrow triangles, evenly spaced; `radius` of
 * their bases. */
void mesh_make_spikes(mesh *m, const double size[2], const uint32_t spikes[2], double height, double radius);

/* A strip along a curve: rows of `across` + 1 vertices, centred on points[i], in the direction of sides[i] (a unit
 * vector). */
void mesh_make_strip(mesh *m, const double (*points)[3], const double (*sides)[3], size_t count, double width,
                     uint32_t across);

/* A ribbon along a smooth curve through points[count >= 2], with transverse directions sides[i] there (their components
 * normal to the curve); `cells` along and across, of equal length. Straight ends extend it to `length`, with the
 * fraction `before` (0 to 1) of the extension in front of the first point. A length of 0, or less than that of the
 * curve: no extension. */
carom_status mesh_make_ribbon(mesh *m, const double (*points)[3], const double (*sides)[3], size_t count, double length,
                              double before, double width, const uint32_t cells[2], error *e);

/* ---- Loose knots of ribbons, around the origin ---- */

typedef enum mesh_knot {
    REEF_KNOT, /* two ribbons, the second after the first in the mesh: their ends point along -x and x */
    BOWLINE    /* one ribbon: the standing end points along y, the loop is at the other end */
} mesh_knot;

/* Smallest length of a ribbon of width 1 for the knot. */
double mesh_knot_length(mesh_knot which);

/* Ribbons of `length`, at least width * mesh_knot_length; an excess is in their ends (for the bowline, in the standing
 * end). Cells along and across. */
carom_status mesh_make_knot(mesh *m, mesh_knot which, double length, double width, const uint32_t cells[2], error *e);

#endif
