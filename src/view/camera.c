#include "view/camera.h"

#include <math.h>

#include "base/pi.h"
#include "base/vec.h"

/* Tangent of half the viewing angle; small, so that distant bodies appear only slightly smaller. */
#define SLOPE 0.2

camera_options camera_default(void)
{
    return (camera_options){.azimuth = 30, .elevation = 22, .zoom = 1, .upward = CAMERA_AGAINST_GRAVITY};
}

int camera_upward(const camera_options *options, const double gravity[3])
{
    int largest = 2;
    for (int k = 0; k < 3; k++)
        if (fabs(gravity[k]) > fabs(gravity[largest])) largest = k;
    return options->upward == CAMERA_AGAINST_GRAVITY ? largest : options->upward;
}

static void set_directions(camera *c, const camera_options *options)
{
    const double degree = PI / 180, a = options->azimuth * degree, b = options->elevation * degree;
    const int u = options->upward, r = (u + 1) % 3, f = (u + 2) % 3; /* up, right and ahead before the turns */
    c->right[r] = cos(a);
    c->right[f] = sin(a);
    c->right[u] = 0;
    c->ahead[r] = -sin(a) * cos(b);
    c->ahead[f] = cos(a) * cos(b);
    c->ahead[u] = -sin(b);
    c->up[r] = -sin(a) * sin(b);
    c->up[f] = cos(a) * sin(b);
    c->up[u] = cos(b);
}

static void fit_flat(camera *c, const double low[3], const double high[3], const camera_options *options, viewport v)
{
    c->flat = true;
    c->right[0] = c->up[1] = c->ahead[2] = 1;
    c->distance = 1;
    double half[2];
    for (int k = 0; k < 2; k++) {
        c->eye[k] = options->aimed ? options->target[k] : 0.5 * (low[k] + high[k]);
        half[k] = fmax(high[k] - c->eye[k], c->eye[k] - low[k]);
    }
    c->scale = options->zoom * 0.5 * fmin(v.width / half[0], v.height / half[1]);
    c->x = v.x + 0.5 * v.width;
    c->y = v.y + 0.5 * v.height;
}

void camera_see(const camera *c, const double point[3], double seen[3])
{
    const double from[3] = {point[0] - c->eye[0], point[1] - c->eye[1], point[2] - c->eye[2]};
    seen[0] = dot3(from, c->right);
    seen[1] = dot3(from, c->up);
    seen[2] = dot3(from, c->ahead);
}

void camera_project(const camera *c, const double seen[3], double pixel[2])
{
    const double by = c->flat ? c->scale : c->scale / seen[2];
    pixel[0] = c->x + seen[0] * by;
    pixel[1] = c->y - seen[1] * by;
}

void camera_fill(camera *c, const double least[2], const double greatest[2], const camera_options *options, viewport v)
{
    double middle[2] = {0.5 * (least[0] + greatest[0]), 0.5 * (least[1] + greatest[1])}, half[2], seen[3];
    if (options->aimed) {
        camera_see(c, options->target, seen);
        camera_project(c, seen, middle);
    }
    for (int k = 0; k < 2; k++) half[k] = fmax(greatest[k] - middle[k], middle[k] - least[k]);
    const double by = options->zoom * 0.5 * fmin(v.width / half[0], v.height / half[1]);
    c->x = v.x + 0.5 * v.width - by * (middle[0] - c->x);
    c->y = v.y + 0.5 * v.height - by * (middle[1] - c->y);
    c->scale *= by;
}

/* Scale and centre for which the corners of the box fill the viewport. */
static void fill_viewport(camera *c, const double low[3], const double high[3], const camera_options *options,
                          viewport v)
{
    double least[2] = {INFINITY, INFINITY}, greatest[2] = {-INFINITY, -INFINITY};
    c->scale = 1;
    c->x = c->y = 0;
    for (int n = 0; n < 8; n++) {
        const double corner[3] = {n & 1 ? high[0] : low[0], n & 2 ? high[1] : low[1], n & 4 ? high[2] : low[2]};
        double seen[3], pixel[2];
        camera_see(c, corner, seen);
        camera_project(c, seen, pixel);
        for (int k = 0; k < 2; k++) {
            least[k] = fmin(least[k], pixel[k]);
            greatest[k] = fmax(greatest[k], pixel[k]);
        }
    }
    camera_fill(c, least, greatest, options, v);
}

void camera_fit(camera *c, int dimension, const double low[3], const double high[3], const camera_options *options,
                viewport v)
{
    *c = (camera){0};
    if (dimension == 2) {
        fit_flat(c, low, high, options, v);
        return;
    }
    double across = 0, off = 0;
    for (int k = 0; k < 3; k++) across += (high[k] - low[k]) * (high[k] - low[k]);
    set_directions(c, options);
    for (int k = 0; k < 3; k++) off += options->aimed ? pow(options->target[k] - 0.5 * (low[k] + high[k]), 2) : 0;
    c->distance = (0.5 * sqrt(across) + sqrt(off)) * (1 + 1 / SLOPE);
    for (int k = 0; k < 3; k++) {
        const double middle = options->aimed ? options->target[k] : 0.5 * (low[k] + high[k]);
        c->eye[k] = middle - c->distance * c->ahead[k];
    }
    fill_viewport(c, low, high, options, v);
}
