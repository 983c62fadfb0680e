/* Detects wrong volumes, centres or moments of the inside of meshes. */
#include <math.h>
#include <string.h>

#include "../support/dice.h"
#include "../support/expect.h"
#include "../support/suite.h"
#include "mesh/make.h"
#include "mesh/solid.h"

static mesh_solid solid_of(const mesh *m)
{
    mesh_topology t;
    mesh_solid s;
    error e = {0};
    ck_assert(mesh_topology_create(&t, m, &e) == CAROM_OK && mesh_solid_of(&s, m, &t, &e) == CAROM_OK);
    mesh_topology_free(&t);
    return s;
}

static mesh box_of(const double size[3])
{
    mesh m = {0};
    mesh_make_platonic(&m, CUBE, sqrt(3) / 2);
    for (size_t i = 0; i < m.vertex_count; i++)
        for (int k = 0; k < 3; k++) m.vertices[i][k] *= size[k];
    return m;
}

static void turn_inside_out(mesh *m)
{
    for (size_t n = 0; n < m->triangle_count; n++) {
        const uint32_t swap = m->triangles[n][0];
        m->triangles[n][0] = m->triangles[n][1];
        m->triangles[n][1] = swap;
    }
}

static const double turned[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}}, away[3] = {3, -7, 11};

/* Whatever way it is turned, wherever it is, whichever side its triangles look to. */
START_TEST(brick)
{
    const double size[3] = {1, 0.7, 0.4}, volume = 0.28;
    mesh m = box_of(size);
    if (_i > 0) mesh_place(&m, away, turned, 1);
    if (_i == 2) turn_inside_out(&m);
    const mesh_solid s = solid_of(&m);
    EXPECT_CLOSE("volume", s.volume, volume, 1e-14);
    for (int k = 0; k < 3; k++) {
        EXPECT_CLOSE("centre", s.centre[k], _i > 0 ? away[k] : 0, 1e-13);
        for (int l = 0; l < 3; l++) {
            double wanted = 0;
            for (int q = 0; q < 3; q++)
                wanted += (_i > 0 ? turned[k][q] * turned[l][q] : (double)(k == q && l == q)) * volume / 12 * size[q] *
                          size[q];
            EXPECT_CLOSE("second moment", s.second[k][l], wanted, 1e-14);
        }
    }
    mesh_free(&m);
}
END_TEST

/* The integral of r r over a tetrahedron with its centre at the origin: V / 20 sum of r_i r_i over its corners. */
START_TEST(tetrahedron)
{
    mesh m = {0};
    dice d = {.state = 3};
    double corner[4][3], centre[3] = {0}, edge[3][3];
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            corner[i][k] = dice_real(&d, -1, 1);
            centre[k] += corner[i][k] / 4;
        }
        mesh_add_vertex(&m, corner[i][0], corner[i][1], corner[i][2]);
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) edge[i][k] = corner[i + 1][k] - corner[0][k];
    const double volume = fabs(edge[0][0] * (edge[1][1] * edge[2][2] - edge[1][2] * edge[2][1]) +
                               edge[0][1] * (edge[1][2] * edge[2][0] - edge[1][0] * edge[2][2]) +
                               edge[0][2] * (edge[1][0] * edge[2][1] - edge[1][1] * edge[2][0])) /
                          6;
    mesh_add_triangle(&m, 0, 1, 2);
    mesh_add_triangle(&m, 0, 3, 1);
    mesh_add_triangle(&m, 1, 3, 2);
    mesh_add_triangle(&m, 2, 3, 0);
    const mesh_solid s = solid_of(&m);
    EXPECT_CLOSE("volume", s.volume, volume, 1e-15);
    for (int k = 0; k < 3; k++) {
        EXPECT_CLOSE("centre", s.centre[k], centre[k], 1e-14);
        for (int l = 0; l < 3; l++) {
            double wanted = 0;
            for (int i = 0; i < 4; i++) wanted += volume / 20 * (corner[i][k] - centre[k]) * (corner[i][l] - centre[l]);
            EXPECT_CLOSE("second moment", s.second[k][l], wanted, 1e-15);
        }
    }
    mesh_free(&m);
}
END_TEST

/* Surfaces in surfaces, those of the cavity looking either way; and a second piece outside. */
START_TEST(hollow)
{
    const double outer[3] = {2, 2, 2}, inner[3] = {1, 1.2, 0.8}, core[3] = {0.5, 0.5, 0.5}, far[3] = {5, 0, 0};
    const double straight[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh m = box_of(outer), cavity = box_of(inner), middle = box_of(core), beside = box_of(core);
    if (_i % 2) turn_inside_out(&cavity);
    if (_i / 2) turn_inside_out(&m);
    mesh_place(&beside, far, straight, 1);
    mesh_append(&m, &cavity);
    mesh_append(&m, &middle);
    mesh_append(&m, &beside);
    const mesh_solid s = solid_of(&m);
    const double volume = 8 - 0.96 + 0.125 + 0.125, centre = 5 * 0.125 / volume;
    const double wide = 8 * 4. / 12 - 0.96 * 1 / 12 + 2 * 0.125 * 0.25 / 12 + 0.125 * 25 - volume * centre * centre;
    EXPECT_CLOSE("volume", s.volume, volume, 1e-14);
    EXPECT_CLOSE("centre", s.centre[0], centre, 1e-14);
    EXPECT_CLOSE("second moment along x", s.second[0][0], wide, 1e-13);
    EXPECT_CLOSE("second moment along y", s.second[1][1], 8 * 4. / 12 - 0.96 * 1.44 / 12 + 2 * 0.125 * 0.25 / 12,
                 1e-14);
    mesh_free(&m);
    mesh_free(&cavity);
    mesh_free(&middle);
    mesh_free(&beside);
}
END_TEST

/* Fine meshes of round bodies: the error falls with the square of the cells. */
START_TEST(ball)
{
    const double pi = acos(-1);
    double off[2];
    for (int n = 0; n < 2; n++) {
        mesh m = {0};
        error e = {0};
        ck_assert(mesh_make_sphere(&m, 1, n == 0 ? 10 : 20, &e) == CAROM_OK);
        const mesh_solid s = solid_of(&m);
        off[n] = 1 - s.second[1][1] / (4 * pi / 15);
        EXPECT_CLOSE("volume", s.volume, 4 * pi / 3, n == 0 ? 0.03 : 0.008);
        mesh_free(&m);
    }
    EXPECT_CLOSE("error, halved cells", off[0] / off[1], 4, 0.1);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("solid");
    tcase_add_loop_test(cases, brick, 0, 3);
    tcase_add_test(cases, tetrahedron);
    tcase_add_loop_test(cases, hollow, 0, 4);
    tcase_add_test(cases, ball);
    return suite_run("mesh_solid", cases);
}
