/* Generators of meshes. The argument is an empty mesh; closed meshes are oriented outwards. The caller ensures that
 * sizes are positive and finite. Numbers of parts that do not fit into memory are reported by mesh_done. */
#ifndef CAROM_MESH_MAKE_H
#define CAROM_MESH_MAKE_H

#include "mesh/mesh.h"

/* ---- Flat, in the plane of x and y, around the origin, normal along z -------------------------------------------- */

/* cells[0] by cells[1] rectangles, each cut along a diagonal, which turns from cell to cell. */
void mesh_make_rectangle(mesh *m, const double size[2], const uint32_t cells[2]);

/* About as many triangles without a preferred direction: rows shifted by half a cell, and inner vertices displaced
 * at random by up to a fifth of a cell, by `seed`. */
void mesh_make_rough_rectangle(mesh *m, const double size[2], const uint32_t cells[2], uint64_t seed);

/* `rings` rings around the centre, of 6, 12, 18, ... triangles' sides. */
void mesh_make_disk(mesh *m, double radius, uint32_t rings);

/* ---- Closed ---- */

typedef enum platonic_solid { TETRAHEDRON, CUBE, OCTAHEDRON, DODECAHEDRON, ICOSAHEDRON } platonic_solid;

/* Corners at `radius` from the origin; squares and pentagons are cut into triangles. */
void mesh_make_platonic(mesh *m, platonic_solid which, double radius);

/* An icosahedron with its faces divided into parts * parts, projected to the sphere: 10 parts^2 + 2 vertices. */
carom_status mesh_make_sphere(mesh *m, double radius, uint32_t parts, error *e);

/* Circles of latitude and meridians; poles on z. `rings` bands of `around` (at least 3) cells. */
void mesh_make_globe(mesh *m, double radius, uint32_t around, uint32_t rings);

/* Around z; `major`: from the centre to the middle of the tube, whose radius is `minor` < major. */
void mesh_make_torus(mesh *m, double major, double minor, uint32_t around, uint32_t across);

/* A roof: an isosceles triangle, `base` wide along x and `height` high along z, drawn out by `length` along y. Its base
 * is at z = 0, around the origin. `parts` cells along each side of the triangle, `cells` along y. */
carom_status mesh_make_prism(mesh *m, double base, double height, double length, uint32_t parts, uint32_t cells,
                             error *e);

/* ---- Open ---- */

/* The side of a cylinder around z, z from -length / 2 to length / 2. */
void mesh_make_tube(mesh *m, double radius, double length, uint32_t around, uint32_t along);

/* A plate around the origin with spikes[0] by spikes[1] pyramids of six slivers, evenly spaced; `radius` of their
 * feet. */
void mesh_make_spikes(mesh *m, const double size[2], const uint32_t spikes[2], double height, double radius);

/* A strip along a curve: rows of `across` + 1 vertices, centred on points[i], in the direction of sides[i] (a unit
 * vector). */
void mesh_make_strip(mesh *m, const double (*points)[3], const double (*sides)[3], size_t count, double width,
                     uint32_t across);

/* A ribbon along a smooth curve through points[count >= 2], facing across sides[i] there (as far as they are not along
 * the curve); `cells` along and across, evenly along. Its ends run on straight up to `length`, by `before` (0 to 1) of
 * what is to be added in front of the first point; 0, or less than the curve's length: none is. */
carom_status mesh_make_ribbon(mesh *m, const double (*points)[3], const double (*sides)[3], size_t count, double length,
                              double before, double width, const uint32_t cells[2], error *e);

/* ---- Tied knots of ribbons, loose, around the origin ---- */

typedef enum mesh_knot {
    REEF_KNOT, /* two ribbons, one behind the other in the mesh: their ends leave along -x and x */
    BOWLINE    /* one ribbon: the standing end leaves along y, the eye lies at the other end */
} mesh_knot;

/* Smallest length of a ribbon of width 1 for the knot. */
double mesh_knot_length(mesh_knot which);

/* Ribbons of `length`, at least width * mesh_knot_length; additional length is in their ends (of the bowline, in the
 * standing end). Cells along and across. */
carom_status mesh_make_knot(mesh *m, mesh_knot which, double length, double width, const uint32_t cells[2], error *e);

#endif
