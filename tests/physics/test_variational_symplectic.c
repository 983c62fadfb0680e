/* Detects forces without a potential, clocks that depend on the state and one-sided kicks: the map from initial to
 * later positions and momenta, impacts included, is symplectic and keeps the momenta of its symmetries. Energy over
 * some impacts does not show these. */
#include "../support/expect.h"
#include "../support/flow.h"
#include "../support/suite.h"

#include "mesh/topology.h"
#include "variational/shell_math.h"

static play_text text;

/* Symmetries, bits: moving along axis k is MOVES << k, turning about it TURNS << k. */
enum { MOVES = 1, TURNS = 8, ALL_MOVES = 7 * MOVES, ALL_TURNS = 7 * TURNS };

typedef struct map_case {
    const char *name, *scene;
    double time, step; /* step: of differences; so short that each run has as many forces */
    uint64_t impacts;  /* between particles, and with walls */
    unsigned symmetry;
} map_case;

static const map_case cases[] = {
    {"disks",
     "dimension: 2\nbox: {size: 6, boundary: open}\n"
     "species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: 2.5}}\nparticles:\n"
     "  - {species: a, place: {at: [[1, 2.1], [3.4, 2.9]]}, velocity: {each: [[1, 0.2], [-0.8, -0.3]]}}\n"
     "  - {species: b, place: {at: [[2.4, 1.1]]}, velocity: {each: [[-0.1, 0.9]]}}\n"
     "variational: {eta: 0.1, stiffness: 100, courant: 0.2}\n",
     2.5, 1e-4, 3, MOVES | MOVES << 1 | TURNS << 2},
    {"disks, the paper's layers",
     "dimension: 2\nbox: {size: 6, boundary: open}\n"
     "species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: 2.5}}\nparticles:\n"
     "  - {species: a, place: {at: [[1, 2.1], [3.4, 2.9]]}, velocity: {each: [[1, 0.2], [-0.8, -0.3]]}}\n"
     "  - {species: b, place: {at: [[2.4, 1.1]]}, velocity: {each: [[-0.1, 0.9]]}}\n"
     "variational: {eta: 0.1, stiffness: 100, exponent: 2, step_law: 1.5, courant: 0.2}\n",
     2.5, 5e-4, 2, MOVES | MOVES << 1 | TURNS << 2},
    {"a spring and a disk, instantaneous impulses",
     "dimension: 2\nbox: {size: 6, boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "particles: [{species: a, place: {at: [[1, 2.1], [3.4, 2.9], [3, 4.3]]},\n"
     "  velocity: {each: [[1, 0.2], [-0.8, -0.3], [-0.1, -0.2]]}}]\n"
     "springs: [{name: tie, pairs: [[1, 2]], stiffness: 3, length: 1.4}]\n"
     "variational: {eta: 0.01, stiffness: 100, material_step: 0.05, contact: impulses}\n",
     3, 1e-4, 1, MOVES | MOVES << 1 | TURNS << 2},
    {"disks around a corner of a periodic box, gravity and a floor",
     "dimension: 2\nbox: {size: [3, 5], boundary: [periodic, wall]}\nspecies: {a: {diameter: 1, mass: 1}}\n"
     "particles: [{species: a, place: {at: [[0.2, 0.9], [2.5, 1.7], [1.4, 2.6]]},\n"
     "  velocity: {each: [[-0.6, -0.3], [0.9, 0.2], [0.3, -1]]}}]\nfields: {gravity: [0, -1]}\n"
     "variational: {eta: 0.1, stiffness: 100, courant: 0.2}\n",
     2, 5e-6, 8, MOVES},
    {"a chain that bends hits a disk and itself",
     "dimension: 2\nbox: {size: 8, boundary: open}\nspecies: {a: {diameter: 0.5, mass: 1}, b: {diameter: 1, mass: 4}}\n"
     "particles:\n  - {species: a, place: {at: [[2, 3], [2.7, 3.4], [3.5, 3.1], [4.1, 3.6]]},\n"
     "     velocity: {each: [[0.5, 0], [0, 1], [0, -0.5], [-1, 0.2]]}}\n"
     "  - {species: b, place: {at: [[3.1, 4.9]]}, velocity: {each: [[0, -1.1]]}}\n"
     "springs: [{name: rope, chain: {from: 0, to: 3}, stiffness: 30, length: 0.8}]\n"
     "hinges: [{name: bends, chain: {from: 0, to: 3}, stiffness: 2, angle: 0.2}]\n"
     "variational: {eta: 0.05, stiffness: 1000, courant: 0.2, material_step: 0.02}\n",
     2, 2e-5, 3, MOVES | MOVES << 1 | TURNS << 2},
    {"spheres",
     "dimension: 3\nbox: {size: 6, boundary: open}\n"
     "species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: 2.5}}\nparticles:\n"
     "  - {species: a, place: {at: [[1, 2.1, 2], [3.4, 2.9, 2.2]]}, velocity: {each: [[1, 0.2, 0.1], [-0.8, -0.3, "
     "0]]}}\n"
     "  - {species: b, place: {at: [[2.4, 1.1, 1.8]]}, velocity: {each: [[-0.1, 0.9, 0.1]]}}\n"
     "springs: [{name: tie, pairs: [[0, 2]], stiffness: 2, length: 1.5}]\n"
     "variational: {eta: 0.1, stiffness: 100, courant: 0.2}\n",
     2.5, 4e-5, 3, ALL_MOVES | ALL_TURNS},
    {"spheres and a segment on a floor",
     "dimension: 3\nbox: {size: 6, boundary: open}\n"
     "species: {a: {diameter: 0.5, mass: 1}}\nplanes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]\n"
     "particles: [{species: a, place: {at: [[2, 2, 0.9], [3.2, 2.3, 1.1], [2.5, 2.2, 2]]},\n"
     "  velocity: {each: [[0, 0.1, -0.6], [0.1, 0, -0.4], [0.1, 0, -1.2]]}}]\n"
     "springs: [{name: tie, pairs: [[0, 1]], stiffness: 40, length: 1.2}]\n"
     "segments: [{name: rod, pairs: [[0, 1]], diameter: 0.3, species: a}]\nfields: {gravity: [0, 0, -1]}\n"
     "variational: {eta: 0.05, stiffness: 500, courant: 0.2, material_step: 0.02}\n",
     1.5, 1.5e-5, 5, MOVES | MOVES << 1 | TURNS << 2},
    {"two shells",
     "dimension: 3\nbox: {size: 4, boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\nmeshes:\n"
     "  - {name: one, shape: {rectangle: {length: 1, width: 0.8, along: 1, across: 1}}, thickness: 0.2, density: 10,\n"
     "     stretch: 100, bend: 0.5, place: {at: [2, 2, 1.6]}, velocity: [0, 0.1, 1]}\n"
     "  - {name: two, shape: {rectangle: {length: 0.9, width: 0.9, along: 1, across: 1}}, thickness: 0.2, density: "
     "20,\n"
     "     stretch: 200, bend: 0.3, place: {at: [2.2, 2.1, 2.1], rotate: {axis: [1, 0.4, 0.2], angle: 0.5}},\n"
     "     velocity: [0.1, 0, -0.6]}\n"
     "variational: {eta: 0.05, stiffness: 3000, courant: 0.2, material_step: 0.01}\n",
     1, 5e-6, 9, ALL_MOVES | ALL_TURNS},
    {"a shell bent by a sphere over a floor",
     "dimension: 3\nbox: {size: 4, boundary: open}\n"
     "species: {a: {diameter: 0.6, mass: 2}}\nplanes: [{name: floor, point: [0, 0, 1], normal: [0, 0, 1]}]\n"
     "particles: [{species: a, place: {at: [[2.1, 2.05, 1.7]]}, velocity: {each: [[0.1, 0, -1]]}}]\nmeshes:\n"
     "  - {name: sheet, shape: {rectangle: {length: 1, width: 1, along: 2, across: 1}}, thickness: 0.2, density: 10,\n"
     "     stretch: 100, bend: 0.5, place: {at: [2, 2, 1.2], rotate: {axis: [1, 0.4, 0], angle: 0.1}},\n"
     "     velocity: [0, 0.1, -0.5]}\n"
     "fields: {gravity: [0, 0, -1]}\nvariational: {eta: 0.05, stiffness: 3000, courant: 0.2, material_step: 0.01}\n",
     1, 5e-6, 14, MOVES | MOVES << 1 | TURNS << 2},
};

/* What the symmetry of a bit moves at z. */
static void generator(const flow_map *f, unsigned bit, const double *z, double *out)
{
    const size_t d = (size_t)f->s->dimension;
    size_t axis = 0;
    while ((bit & (unsigned)(MOVES | TURNS) << axis) == 0) axis++;
    const size_t u = (axis + 1) % 3, v = (axis + 2) % 3; /* of a turn: u to v */
    for (size_t c = 0; c < 2 * f->size; c++) {
        const size_t k = c % d, first = c - k;
        out[c] = bit & ALL_MOVES ? (c < f->size && k == axis) : k == v ? z[first + u] : k == u ? -z[first + v] : 0;
    }
}

/* The momentum of a symmetry, and how large the largest of the products may be that it is the sum of. */
static double momentum(const flow_map *f, unsigned bit, const double *z, double *size)
{
    double direction[FLOW_MOST], sum = 0, arm = 0, most = 0;
    generator(f, bit, z, direction);
    for (size_t c = 0; c < f->size; c++) {
        sum += direction[c] * z[f->size + c];
        arm = fmax(arm, fabs(direction[c]));
        most = fmax(most, fabs(z[f->size + c]));
    }
    *size = arm * most;
    return sum;
}

/* J^T Omega J = Omega, in all pairs of directions. A rounding on the way has the form with a column that both had then:
 * what the motion makes of it later cancels, and an entry is off by that of two columns. */
static void expect_symplectic(const flow_map *f, flow_matrix j, double growth, double rounding)
{
    double worst = 0;
    for (size_t a = 0; a < 2 * f->size; a++)
        for (size_t b = 0; b < a; b++) worst = fmax(worst, fabs(flow_form(f, j[b], j[a]) - (a == b + f->size)));
    printf("%zu dimensions, growth %.3g: ", 2 * f->size, growth);
    EXPECT_CLOSE("largest entry of J^T Omega J - Omega", worst, 0, 3 * sqrt(2) * growth * rounding);
}

/* The momentum of a symmetry is the same at the end; and, as Noether's theorem has it of a symplectic map, a start that
 * is moved or turned a little ends moved or turned as much. */
static void expect_symmetry(const flow_map *f, unsigned bit, flow_matrix j, double growth, double rounding)
{
    double direction[FLOW_MOST], moved[FLOW_MOST], size, worst = 0;
    const double before = momentum(f, bit, f->start, &size), after = momentum(f, bit, f->end, &size);
    EXPECT_CLOSE("momentum", after, before, 3 * flow_dust(f, size));
    generator(f, bit, f->start, direction);
    generator(f, bit, f->end, moved);
    for (size_t r = 0; r < 2 * f->size; r++) {
        double slope = 0;
        for (size_t c = 0; c < 2 * f->size; c++) slope += j[c][r] * direction[c];
        worst = fmax(worst, fabs(slope - moved[r]));
    }
    EXPECT_CLOSE("largest error of how the end moves", worst, 0, 3 * flow_norm(f, direction) * growth * rounding);
}

START_TEST(symplectic_with_momentum_maps)
{
    static flow_matrix j;
    const map_case *c = &cases[_i];
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\n%srun: {until: {time: 100}}\n", c->scene);
    flow_map f = flow_open(text.text, c->time);
    const uint64_t impacts = f.frame.events[EVENT_COLLISION] + f.frame.events[EVENT_WALL];
    printf("%s: %llu impacts, %llu forces\n", c->name, (unsigned long long)impacts, (unsigned long long)f.forces);
    ck_assert_uint_eq(impacts, c->impacts);
    const double growth = flow_jacobian(&f, c->step, j), rounding = flow_rounding(&f, c->step);
    expect_symplectic(&f, j, growth, rounding);
    const unsigned all = f.s->dimension == 2 ? MOVES | MOVES << 1 | TURNS << 2 : ALL_MOVES | ALL_TURNS;
    for (unsigned bit = 1; bit <= all; bit <<= 1) {
        double size;
        if ((all & bit) == 0) continue;
        printf("%s %u: ", bit & ALL_MOVES ? "moving" : "turning", bit);
        if (c->symmetry & bit)
            expect_symmetry(&f, bit, j, growth, rounding);
        else /* what the scene is not symmetric under changes */
            ck_assert_double_gt(fabs(momentum(&f, bit, f.end, &size) - momentum(&f, bit, f.start, &size)), 1e-3);
    }
    flow_close(&f);
}
END_TEST

/* ---- the discrete equations of motion ---------------------------------------------------------------------------- */

/* Three in a row of two springs that pull along one axis: what they feel where. */
static void spring_forces(const double x[3], const double stiffness[2], const double length[2], double force[3])
{
    for (int k = 0; k < 3; k++) force[k] = 0;
    for (int k = 0; k < 2; k++) {
        const double pull = stiffness[k] * (x[k + 1] - x[k] - length[k]);
        force[k] += pull;
        force[k + 1] -= pull;
    }
}

/* Places at three ticks, one after the other, obey the equations that the discrete action has (paper 3, equation 7): the
 * momenta between ticks j and j + 1 less those between j - 1 and j are the impulses of the potentials that are due at j,
 * by their places there. All are due at each tick here; of clocks with steps of
 * their own test_variational_brute.c has as much. */
START_TEST(discrete_euler_lagrange)
{
    enum { TICKS = 200 };
    static const double mass[3] = {1, 2.5, 1}, stiffness[2] = {3, 2}, length[2] = {0.8, 1.1}, tick = 0.01;
    double x[TICKS + 1][FLOW_MOST], worst = 0;
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\ndimension: 2\nbox: {size: 6, boundary: open}\n"
             "species: {a: {diameter: 0.1, mass: %g}, b: {diameter: 0.1, mass: %g}}\nparticles:\n"
             "  - {species: a, place: {at: [[1, 2], [3, 2]]}, velocity: {each: [[0.3, 0], [-0.2, 0]]}}\n"
             "  - {species: b, place: {at: [[2, 2]]}, velocity: {each: [[0.1, 0]]}}\n"
             "springs: [{name: one, pairs: [[0, 2]], stiffness: %g, length: %g},\n"
             "  {name: other, pairs: [[2, 1]], stiffness: %g, length: %g}]\n"
             "variational: {eta: 0.005, stiffness: 100, material_step: %g}\nrun: {until: {time: 100}}\n",
             mass[0], mass[1], stiffness[0], length[0], stiffness[1], length[1], tick);
    flow_map f = flow_open(text.text, TICKS * tick);
    for (int n = 0; n <= TICKS; n++) flow_run(&f, f.start, n * tick, x[n]);
    for (int n = 1; n < TICKS; n++) {
        const double now[3] = {x[n][0], x[n][4], x[n][2]}, before[3] = {x[n - 1][0], x[n - 1][4], x[n - 1][2]},
                     next[3] = {x[n + 1][0], x[n + 1][4], x[n + 1][2]};
        double force[3];
        spring_forces(now, stiffness, length, force);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(mass[k] * (next[k] - 2 * now[k] + before[k]) / tick - tick * force[k]));
    }
    /* three roundings of places from 2 to 4, one of them doubled, over the step, of the heaviest */
    EXPECT_CLOSE("largest error of the discrete Euler-Lagrange equations", worst, 0,
                 3 * mass[1] * sqrt(6.0 / 12) * 2 * DBL_EPSILON / tick);
    flow_close(&f);
}
END_TEST

/* ---- what is not symplectic -------------------------------------------------------------------------------------- */

/* log |det|, by elimination. */
static double log_det(const flow_map *f, flow_matrix a)
{
    double sum = 0;
    for (size_t n = 0; n < 2 * f->size; n++) {
        size_t most = n;
        for (size_t r = n + 1; r < 2 * f->size; r++)
            if (fabs(a[r][n]) > fabs(a[most][n])) most = r;
        sum += log(fabs(a[most][n]));
        for (size_t k = n; k < 2 * f->size; k++) {
            const double kept = a[n][k];
            a[n][k] = a[most][k];
            a[most][k] = kept;
        }
        for (size_t r = n + 1; r < 2 * f->size; r++) {
            const double share = a[r][n] / a[n][n];
            for (size_t k = n; k < 2 * f->size; k++) a[r][k] -= share * a[n][k];
        }
    }
    return sum;
}

/* Two of mass 1 that meet along the first axis, up to when they are apart. */
static flow_map head_on(double place, double speed, double e, const char *settings)
{
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\ndimension: 2\nbox: {size: 4, boundary: open}\n"
             "species: {a: {diameter: 1, mass: 1}}\n"
             "particles: [{species: a, place: {at: [[1, 2], [%.17g, 2]]}, velocity: {each: [[%g, 0], [-%g, 0]]}}]\n"
             "contacts: [{between: [a, a], restitution: %g}]\n"
             "variational: {eta: 0.1, stiffness: 100, courant: 0.05, %s}\nrun: {until: {time: 100}}\n",
             place, 0.5 * speed, 0.5 * speed, e, settings);
    flow_map f = flow_open(text.text, 2.5);
    ck_assert_uint_eq(f.frame.events[EVENT_COLLISION], 1);
    return f;
}

/* Two that meet head-on with e < 1, from places spread over the way of one tick of the first layer, after which all
 * repeats. The speed after is e times that before, from each place alike; how far they have come then is -e times how far
 * they were before, in the mean over a tick. So volumes contract by e^2 in the mean, a number of some variation over the
 * tick, of which a sum of N leaves that over N at most. */
START_TEST(restitution_contracts)
{
    enum { PHASES = 64, X = 0, P = 4, OTHER = 6 }; /* along the way: place and momentum of one, momentum of the other */
    static const double ratios[] = {0.9, 0.5, 0.2}, speed = 1, tick = 0.05 * 0.1, step = 1e-6;
    static flow_matrix j;
    const double e = ratios[_i];
    double mean = 0, least = INFINITY, most = -INFINITY;
    for (int n = 0; n < PHASES; n++) {
        flow_map f = head_on(2.3 + tick * speed * (n + 0.55) / PHASES, speed, e, "exponent: 3");
        const double growth = flow_jacobian(&f, step, j), bound = 3 * growth * flow_rounding(&f, step);
        ck_assert_double_le(fabs(j[X][P]), bound);
        ck_assert_double_le(fabs(j[P][P] - 0.5 * (1 - e)), bound);
        ck_assert_double_le(fabs(j[OTHER][P] - 0.5 * (1 + e)), bound);
        const double contraction = exp(log_det(&f, j));
        least = fmin(least, contraction);
        most = fmax(most, contraction);
        mean += contraction / PHASES;
        flow_close(&f);
    }
    printf("e = %g: from %g to %g; ", e, least, most);
    EXPECT_CLOSE("mean contraction", mean, e * e, (most - least) / PHASES);
}
END_TEST

/* Rounding of log |det|: the trace of the inverse times the error. As with the form above the inverse is that up to the
 * rounding. It is as long as J, and longer by what has been lost by then: half, in the mean. */
static void expect_contraction(flow_map *f, double step, double wanted)
{
    static flow_matrix j;
    double length = 0;
    flow_jacobian(f, step, j);
    for (size_t c = 0; c < 2 * f->size; c++) length = hypot(length, flow_norm(f, j[c]));
    EXPECT_CLOSE("log |det J|", log_det(f, j), wanted, 3 * length * exp(-0.5 * wanted) * flow_rounding(f, step));
}

/* Clocks that begin when their layers do: all that follows an impact shifts with it, and its speed after is g(p) for the
 * momentum p before, wherever it began. Volumes change by g g' / p. */
START_TEST(realigned_clocks_are_not_symplectic)
{
    enum { P = 4, OTHER = 6 };
    const double step = 1e-5;
    double direction[FLOW_MOST] = {0}, slope[FLOW_MOST];
    flow_map f = head_on(2.3, 1, 1, "exponent: 2, contact: realigned");
    direction[P] = 1;
    flow_along(&f, direction, step, slope);
    const double ratio = (f.end[OTHER] - f.end[P]) / (f.start[P] - f.start[OTHER]);
    const double wanted = log(ratio * (slope[OTHER] - slope[P]));
    printf("speed after over before %.9g: ", ratio);
    ck_assert_double_gt(wanted, 1e-3);
    expect_contraction(&f, step, wanted);
    flow_close(&f);
}
END_TEST

/* A dashpot takes the same share of a velocity at each tick, wherever it is and whatever else happens. */
START_TEST(dashpot_contracts)
{
    const double damping = 0.5, tick = 0.01, time = 2.005, share = tick * damping * (1 / 1.0 + 1 / 2.5);
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\ndimension: 3\nbox: {size: 6, boundary: open}\n"
             "species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: 2.5}}\nparticles:\n"
             "  - {species: a, place: {at: [[1, 2.1, 2], [3.4, 2.9, 2.2]]},\n"
             "     velocity: {each: [[1, 0.2, 0.1], [-0.8, -0.3, 0]]}}\n"
             "  - {species: b, place: {at: [[2.4, 1.1, 1.8]]}, velocity: {each: [[-0.1, 0.9, 0.1]]}}\n"
             "springs: [{name: tie, pairs: [[0, 2]], stiffness: 2, damping: %g, length: 1.5}]\n"
             "variational: {eta: 0.1, stiffness: 100, courant: 0.2, material_step: %g}\nrun: {until: {time: 100}}\n",
             damping, tick);
    flow_map f = flow_open(text.text, time);
    ck_assert_uint_ge(f.frame.events[EVENT_COLLISION], 1);
    expect_contraction(&f, 2e-5, floor(time / tick) * log1p(-share));
    flow_close(&f);
}
END_TEST

/* Of one tick of the damping of the only hinge, at places x: a share of the rate at which it bends. */
static double hinge_share(const flow_map *f, const mesh_hinge *h, const double *x, double damping, double tick)
{
    const uint32_t at[4] = {h->a, h->b, h->c, h->d};
    const mesh *m = &f->state.meshes[0];
    const double area = mesh_area(m); /* both */
    hinge_shape shape;
    vector3 gradient[4];
    double square = 0, sum = 0;
    for (int k = 0; k < 3; k++) square += pow(m->vertices[h->a][k] - m->vertices[h->b][k], 2);
    REQUIRE(hinge_look(x + 3 * at[0], x + 3 * at[1], x + 3 * at[2], x + 3 * at[3], &shape));
    hinge_gradient(&shape, gradient);
    for (int q = 0; q < 4; q++) sum += dot3(gradient[q], gradient[q]) / f->state.mass[at[q]];
    return tick * 2 * damping * 3 * square / area * sum;
}

/* The same of a shell that bounces, whose resistance to bending depends on how it is bent. */
START_TEST(damped_shell_contracts)
{
    const double damping = 0.002, tick = 0.005, time = 0.8025;
    double wanted = 0;
    error e = {0};
    mesh_topology t;
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\ndimension: 3\nbox: {size: 4, boundary: open}\n"
             "species: {a: {diameter: 1, mass: 1}}\nplanes: [{name: floor, point: [0, 0, 1], normal: [0, 0, 1]}]\n"
             "meshes:\n  - {name: sheet, shape: {rectangle: {length: 1, width: 0.8, along: 1, across: 1}},\n"
             "     thickness: 0.2, density: 10, stretch: 100, bend: 0.5, damping: {bend: %g},\n"
             "     place: {at: [2, 2, 1.4], rotate: {axis: [1, 0.4, 0.2], angle: 0.3}}, velocity: [0, 0.1, -1]}\n"
             "variational: {eta: 0.05, stiffness: 3000, courant: 0.2, material_step: %g}\nrun: {until: {time: 100}}\n",
             damping, tick);
    flow_map f = flow_open(text.text, time);
    ck_assert_uint_ge(f.frame.events[EVENT_WALL], 1);
    REQUIRE(mesh_topology_create(&t, &f.state.meshes[0], &e) == CAROM_OK && t.hinge_count == 1);
    for (int n = 1; n * tick < time; n++) {
        double at[FLOW_MOST];
        flow_run(&f, f.start, n * tick, at);
        wanted += log1p(-hinge_share(&f, &t.hinges[0], at, damping, tick));
    }
    mesh_topology_free(&t);
    expect_contraction(&f, 5e-6, wanted);
    flow_close(&f);
}
END_TEST

int main(void)
{
    enum { CASES = sizeof cases / sizeof *cases };
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, symplectic_with_momentum_maps, 0, CASES);
    tcase_add_test(all, discrete_euler_lagrange);
    tcase_add_loop_test(all, restitution_contracts, 0, 3);
    tcase_add_test(all, realigned_clocks_are_not_symplectic);
    tcase_add_test(all, dashpot_contracts);
    tcase_add_test(all, damped_shell_contracts);
    tcase_set_timeout(all, 300);
    return suite_run("variational_symplectic", all);
}
