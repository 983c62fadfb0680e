/* Shapes of clusters, as defined in docs/shape.md. Undefined numbers are NAN. */
#ifndef CAROM_MEASURE_SHAPE_H
#define CAROM_MEASURE_SHAPE_H

#include "frame/frame.h"

/* P(r) at r = (SHAPE_FIRST + k) R / 2, k = 0 .. SHAPE_RADII - 1: from 2.5 R to 20 R. */
enum { SHAPE_FIRST = 5, SHAPE_RADII = 36, SHAPE_LEVELS = 32 };

/* Particles nearer than this, in contact distances, count as neighbours in N_c. */
#define SHAPE_NEAR 1.05

/* ---- clusters ---------------------------------------------------------------------------------------------------- */

typedef enum shape_state {
    SHAPE_WHOLE,
    SHAPE_PERCOLATES, /* its contacts connect it to its periodic images: it cannot be unwrapped */
    SHAPE_APART       /* its contacts do not connect all its particles in a periodic box: it cannot be unwrapped */
} shape_state;

typedef enum shape_source {
    SHAPE_CONTACTS, /* clusters are particles connected by contacts */
    SHAPE_STORED,   /* clusters of the frame */
    SHAPE_ONE       /* all particles as one cluster */
} shape_source;

typedef struct shape_group {
    uint32_t id; /* the smallest particle id in it */
    shape_state state;
    size_t first, size; /* its particles are numbers first .. first + size - 1 */
    double mass;
    uint64_t near_pairs; /* pairs of its particles that count as neighbours */
} shape_group;

/* The clusters of a frame, largest first (then by id). */
typedef struct shape_partition {
    int dimension;
    size_t particles, count;
    shape_source source;
    double box[3];
    bool periodic[3];
    double radius; /* mean over the frame: the R of all windows */
    shape_group *groups;
    uint32_t *place;       /* [particles]: index in the frame */
    double (*position)[3]; /* [particles]: unwrapped along contacts; of clusters that are not whole: in the box */
} shape_partition;

/* Two particles touch if their distance is at most (1 + gap) times the sum of their radii. Clusters are given by the
 * cluster ids of the frame, or else by contacts; as_one: all particles are one cluster. CAROM_BAD_DATA: invalid
 * numbers. */
carom_status shape_partition_create(shape_partition *p, const carom_frame *f, double gap, bool as_one, error *e);
void shape_partition_destroy(shape_partition *p);

/* ---- one cluster ------------------------------------------------------------------------------------------------- */

/* A straight line through points (x, y), by least squares. */
typedef struct shape_fit {
    double slope, error, intercept; /* error: the standard error of the slope, with at least three points */
    int points;
    double from, to; /* range of the length that is fitted over */
} shape_fit;

typedef struct shape_gyration {
    double centre[3];
    double tensor[3][3];
    double value[3];     /* eigenvalues, largest first */
    double vector[3][3]; /* vector[k] belongs to value[k]; its last component that is not zero is positive */
    double radius;
    double aspect;                     /* value[0] / value[1] */
    double orientation;                /* of vector[0], degrees in [0, 180); 2D */
    double asphericity, acylindricity; /* 3D */
    double anisotropy;
} shape_gyration;

/* Curves of a cluster. */
typedef struct shape_curves {
    double pairs[SHAPE_RADII]; /* P(r) without the particle itself; NAN beyond half a periodic box */
    int levels;                /* boxes[0 .. levels - 1] */
    double side;               /* boxes[m] is the number of boxes of side / 2^m that hold a particle */
    uint64_t boxes[SHAPE_LEVELS];
    int fit_from, fit_to; /* levels of the fit; from > to: none */
} shape_curves;

typedef struct shape_cluster {
    size_t frame; /* of the study */
    uint32_t id;
    shape_state state;
    size_t size;
    double mass;
    double radius; /* R */
    shape_gyration gyration;
    double contacts, contacts_self; /* N_c without and with the particle itself */
    shape_fit pairs, pairs_self;    /* exponents of P(r) without and with the particle itself */
    shape_fit boxes;                /* slope: minus the box-counting dimension */
} shape_cluster;

void shape_gyration_of(const shape_partition *p, size_t group, shape_gyration *g);

/* Measures a cluster. */
carom_status shape_measure(const shape_partition *p, size_t group, shape_cluster *out, shape_curves *curves, error *e);

/* ---- parts and tools, for shape_measure and the tests ------------------------------------------------------------ */

/* Eigenvalues of a symmetric matrix, largest first, and their unit vectors; values below rounding are zero. */
void shape_eigen(int dimension, double matrix[3][3], double value[3], double vector[3][3]);
carom_status shape_pairs(const shape_partition *p, size_t group, double gyration_radius, shape_cluster *out,
                         shape_curves *curves, error *e);
carom_status shape_boxes(const shape_partition *p, size_t group, shape_cluster *out, shape_curves *curves, error *e);

/* The line through log(y) over log(x), without points that have a number that is not positive. */
shape_fit shape_fit_logs(const double *x, const double *y, size_t count);

/* ---- many clusters ----------------------------------------------------------------------------------------------- */

/* Mean direction of axes, in degrees, and their order: 1 parallel, 0 isotropic. */
void shape_mean_axis(const double *degrees, size_t count, double *mean, double *order);

/* Number of clusters of each size. */
typedef struct shape_size {
    uint64_t size, clusters;
    double mass; /* of all of them */
} shape_size;

typedef struct shape_distribution {
    shape_size *sizes; /* rising */
    size_t count;
} shape_distribution;

carom_status shape_distribution_add(shape_distribution *d, const shape_partition *p, error *e);
void shape_distribution_free(shape_distribution *d);

/* log R_g against log mass, summed up cluster by cluster. */
typedef struct shape_growth {
    uint64_t count;
    double x, y, xx, xy, yy; /* means, and sums of products about them */
} shape_growth;

void shape_growth_add(shape_growth *g, double mass, double gyration_radius);

/* The intrinsic fractal dimension and its standard error; NAN if the clusters do not determine it. */
void shape_growth_dimension(const shape_growth *g, double *dimension, double *deviation);

/* ---- a study: clusters of frames of files ------------------------------------------------------------------------ */

enum { SHAPE_CURVES_KEPT = 1000 };

typedef struct shape_options {
    int64_t cluster;   /* an id, CAROM_SHAPE_LARGEST, CAROM_SHAPE_ALL or CAROM_SHAPE_TOGETHER */
    uint64_t min_size; /* clusters of fewer particles are left out of CAROM_SHAPE_ALL and of the growth */
    double gap;
} shape_options;

typedef struct shape_frame {
    size_t file;
    uint64_t number; /* in the file */
    double time;
    size_t particles, clusters, largest, singles, percolating;
    double mean_size, weight_mean_size; /* over clusters, over particles */
    shape_source source;
} shape_frame;

/* Mean and spread of one point of a curve over clusters. */
typedef struct shape_point {
    uint64_t count;
    double mean, squares;
} shape_point;

typedef struct shape_study {
    shape_options options;
    int dimension; /* 0 before the first frame */
    shape_frame *frames;
    size_t frame_count, frame_room;
    shape_cluster *clusters; /* the requested clusters of all frames */
    size_t cluster_count, cluster_room;
    shape_curves *curves; /* of the first SHAPE_CURVES_KEPT of them */
    size_t curve_count, curve_room;
    shape_distribution distribution; /* of all clusters of all frames */
    shape_growth growth;             /* of all of min_size particles or more */
    shape_point pairs[SHAPE_RADII], boxes[SHAPE_LEVELS];
} shape_study;

/* Adds the requested clusters of a frame; an unknown id adds none. CAROM_BAD_DATA: another dimension than before, or
 * invalid numbers. */
carom_status shape_study_add(shape_study *s, size_t file, uint64_t number, const carom_frame *f, error *e);
void shape_study_free(shape_study *s);

/* A scalar measure of a cluster: a column of tables. */
typedef struct shape_quantity {
    const char *name, *label;
    int dimension; /* 0: any */
    double (*value)(const shape_cluster *c);
} shape_quantity;

extern const shape_quantity shape_quantities[];
extern const size_t shape_quantity_count;

/* Statistics of a quantity over the clusters of the study; `space` holds as many numbers. */
carom_statistics shape_study_statistics(const shape_study *s, const shape_quantity *q, double *space);

#endif
