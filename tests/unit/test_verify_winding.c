/* Detects solid angles by clusters of triangles that differ from those by all triangles, inside and outside, near and
 * far. */
#include "../support/expect.h"
#include "../support/suite.h"

#include "mesh/make.h"
#include "mesh/mesh.h"
#include "output/verify/verify_winding.h"

#include <math.h>

START_TEST(far_clusters_count_as_one)
{
    enum { PARTS = 12, POINTS = 500 };
    mesh m = {0};
    error e = {0};
    winding *w;
    double worst = 0;
    ck_assert_int_eq(mesh_make_sphere(&m, 1, PARTS, &e), CAROM_OK);
    ck_assert_int_eq(mesh_done(&m, &e), CAROM_OK);
    ck_assert_int_eq(winding_create(&w, (const uint32_t(*)[3])m.triangles, m.triangle_count, m.vertex_count, &e),
                     CAROM_OK);
    winding_place(w, m.vertices[0]);
    for (int n = 0; n < POINTS; n++) {
        const double r = 0.01 + 1.96 * n / POINTS, a = 2.4 * n, z = -1 + 2 * fmod(0.618 * n, 1);
        const double x[3] = {r * sqrt(1 - z * z) * cos(a), r * sqrt(1 - z * z) * sin(a), r * z};
        const double about = winding_about(w, x), exact = winding_exact(w, x);
        worst = fmax(worst, fabs(about - exact));
        if (fabs(r - 1) > 0.02) EXPECT_CLOSE("times around", rint(about), r < 1 ? 1 : 0, 0);
        ck_assert(fabs(exact - rint(exact)) < 1e-9);
    }
    printf("off by %g at most\n", worst);
    ck_assert(worst > 0 && worst < 0.05);
    winding_destroy(w);
    mesh_free(&m);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("winding");
    tcase_add_test(cases, far_clusters_count_as_one);
    return suite_run("verify_winding", cases);
}
