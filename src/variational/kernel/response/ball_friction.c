#include "variational/kernel/response/ball_friction.h"

#include "variational/kernel/response/press.h"

#if CAROM_BALL_LANES

/* ---- rows -------------------------------------------------------------------------------------------------------- */

enum { ROW = 8 };

/* Numbers of a row. */
enum { NORMAL = 0, PLACE = 3, MASS = 6 };                        /* response.normal */
enum { PUSH = 0, FRICTION = 3, RESTITUTION = 4, VELOCITY = 5 };  /* response.push */
enum { PENDING = 0, STORED = 1, SLIP = 2, ANCHOR = 5 };          /* friction_state.pending */
enum { LAST_PLACE = 0, BEND = 3 };                               /* contact_spin.place; torque follows */
enum { WOUND = 0, LAST_TURN = 2 };                               /* contact_spin.stored */
enum { SPIN = 0, TURN = 3, TURNED_AT = 6, INVERSE_INERTIA = 7 }; /* spinner.spin */

_Static_assert(offsetof(response, mass) == offsetof(response, normal) + 8 * MASS, "row");
_Static_assert(offsetof(response, velocity) == offsetof(response, push) + 8 * VELOCITY, "row");
_Static_assert(offsetof(friction_state, anchor) == offsetof(friction_state, pending) + 8 * ANCHOR, "row");
_Static_assert(offsetof(contact_spin, bend) == offsetof(contact_spin, place) + 8 * BEND, "row");
_Static_assert(offsetof(contact_spin, turn) == offsetof(contact_spin, stored) + 8 * LAST_TURN, "row");
_Static_assert(offsetof(spinner, inverse_inertia) == offsetof(spinner, spin) + 8 * INVERSE_INERTIA, "row");

/* LANES contacts, with their numbers in columns. */
typedef struct ball_lanes {
    double *row[4][LANES]; /* response.push, friction, contact_spin.place, contact_spin.stored */
    lanes look[ROW], motion[ROW], grip[ROW], last[ROW], turned[ROW]; /* response.normal; the rows above */
    lanes ball[2][ROW];                                              /* spinners of i and j */
    lanes radius[2], heavy[2];                                       /* masses of i and j */
    lanes friction, rolling, twisting, viscosity;                    /* coefficients of the laws */
    lanes torque[3];
    lanes loss[2]; /* of rolling and twisting */
} ball_lanes;

/* ---- reading and writing ----------------------------------------------------------------------------------------- */

HOT void read_lanes(const world *w, response *const *r, ball_lanes *b)
{
    const double *look[LANES], *ball[2][LANES];
    double number[8][LANES];
    for (int n = 0; n < LANES; n++) {
        contact *c = &w->contacts.contact[r[n]->contact];
        contact_spin *s = &w->spins->contact[r[n]->contact];
        const restitution_law *l = w->contacts.law[c->law].restitution;
        const double numbers[8] = {w->radius[c->i], w->radius[c->j],     w->mass[c->i],        w->mass[c->j],
                                   l->friction,     l->rolling_friction, l->twisting_friction, l->rolling_viscosity};
        look[n] = r[n]->normal;
        b->row[0][n] = r[n]->push;
        b->row[1][n] = &c->friction.pending;
        b->row[2][n] = s->place;
        b->row[3][n] = s->stored;
        ball[0][n] = w->spins->node[c->i].spin;
        ball[1][n] = w->spins->node[c->j].spin;
        for (int k = 0; k < 8; k++) number[k][n] = numbers[k];
    }
    lanes_transpose(look, b->look);
    lanes_transpose((const double *const *)b->row[0], b->motion);
    lanes_transpose((const double *const *)b->row[1], b->grip);
    lanes_transpose((const double *const *)b->row[2], b->last);
    lanes_transpose((const double *const *)b->row[3], b->turned);
    for (int side = 0; side < 2; side++) {
        lanes_transpose(ball[side], b->ball[side]);
        b->radius[side] = *(const loose_lanes *)number[side];
        b->heavy[side] = *(const loose_lanes *)number[2 + side];
    }
    b->friction = *(const loose_lanes *)number[4];
    b->rolling = *(const loose_lanes *)number[5];
    b->twisting = *(const loose_lanes *)number[6];
    b->viscosity = *(const loose_lanes *)number[7];
}

HOT void write_lanes(world *w, response *const *r, ball_lanes *b)
{
    b->last[6] = b->torque[0];
    b->last[7] = b->torque[1];
    lanes_store(b->motion, (double *const *)b->row[0]);
    lanes_store(b->grip, (double *const *)b->row[1]);
    lanes_store(b->last, (double *const *)b->row[2]);
    lanes_store(b->turned, (double *const *)b->row[3]);
    for (int n = 0; n < LANES; n++) {
        w->spins->contact[r[n]->contact].torque[2] = b->torque[2][n];
        r[n]->rolling = b->loss[0][n];
        r[n]->twisting = b->loss[1][n];
        for (int k = 0; k < 3; k++) r[n]->kick->impulse[k] += r[n]->push[k];
    }
}

/* ---- sliding ----------------------------------------------------------------------------------------------------- */

/* Rotation of both sides since the last tick, and the sliding in it. */
HOT void slide_lanes(ball_lanes *b, const lanes share[2], double t, lanes since[2][3])
{
    const lanes *arm = b->look + PLACE;
    lanes sum[3], mean[3], round[3];
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++) {
            const lanes *a = b->ball[side];
            lanes *last = &b->turned[LAST_TURN + 3 * side + k];
            const lanes now = a[TURN + k] + (lanes_of(t) - a[TURNED_AT]) * a[SPIN + k];
            since[side][k] = now - *last;
            *last = now;
        }
    for (int k = 0; k < 3; k++) {
        sum[k] = share[0] * since[0][k] + share[1] * since[1][k];
        mean[k] = lanes_of(0.5) * (arm[k] + b->last[LAST_PLACE + k]);
    }
    lanes_cross(sum, mean, round);
    for (int k = 0; k < 3; k++) {
        b->grip[SLIP + k] += arm[k] - b->last[LAST_PLACE + k] - round[k];
        b->last[LAST_PLACE + k] = arm[k];
    }
}

/* The spring of friction. Returns its energy. */
HOT lanes pull_lanes(ball_lanes *b, lanes stiffness, lanes cap, lanes force[3])
{
    const lanes *normal = b->look + NORMAL;
    lanes stretch[3], across[3];
    for (int k = 0; k < 3; k++) stretch[k] = b->grip[SLIP + k] - b->grip[ANCHOR + k];
    lanes_split(stretch, normal, across, stretch);
    lanes_cut(stretch, cap / stiffness);
    for (int k = 0; k < 3; k++) {
        b->grip[ANCHOR + k] = b->grip[SLIP + k] - stretch[k];
        force[k] = -stiffness * stretch[k];
    }
    return lanes_of(0.5) * stiffness * lanes_dot(stretch, stretch);
}

/* ---- rolling ----------------------------------------------------------------------------------------------------- */

HOT lanes wind_lanes(lanes bend[3], const lanes rate[3], lanes stiffness, lanes damping, lanes cap, lanes step,
                     lanes torque[3])
{
    const lanes none = lanes_of(0);
    lanes part[3];
    lanes_cut(bend, cap / stiffness);
    for (int k = 0; k < 3; k++) {
        bend[k] = lanes_pick(none, cap, bend[k], none);
        part[k] = -stiffness * bend[k] - damping * rate[k];
    }
    lanes_cut(part, cap);
    for (int k = 0; k < 3; k++) torque[k] += lanes_pick(none, cap, step * part[k], none);
    return lanes_of(0.5) * stiffness * lanes_dot(bend, bend);
}

/* Returns the energy of the springs. */
HOT lanes roll_lanes(ball_lanes *b, const lanes share[2], const lanes since[2][3], lanes layers, lanes force,
                     lanes step)
{
    const lanes *normal = b->look + NORMAL, *arm = b->look + PLACE;
    const lanes length = lanes_sqrt(lanes_dot(arm, arm)), cap = share[0] * share[1] * length * force;
    const lanes inertia = lanes_of(1) / (b->ball[0][INVERSE_INERTIA] + b->ball[1][INVERSE_INERTIA]);
    const lanes stiffness = layers * inertia / b->look[MASS];
    const lanes damping = lanes_of(2 * FRICTION_DAMPING) * lanes_sqrt(stiffness * inertia);
    lanes rate[3], twist[3], roll[3], twisting[3], rolling[3];
    for (int k = 0; k < 3; k++) {
        rate[k] = b->ball[0][SPIN + k] - b->ball[1][SPIN + k];
        b->last[BEND + k] += since[0][k] - since[1][k];
        b->torque[k] = lanes_of(0);
    }
    lanes_split(b->last + BEND, normal, twist, roll);
    lanes_split(rate, normal, twisting, rolling);
    const lanes stored[2] = {wind_lanes(roll, rolling, stiffness, damping, b->rolling * cap, step, b->torque),
                             wind_lanes(twist, twisting, stiffness, damping, b->twisting * cap, step, b->torque)};
    const lanes viscous = lanes_sooner(b->viscosity * cap * step, lanes_of(0.5) * inertia);
    for (int k = 0; k < 3; k++) {
        b->torque[k] -= viscous * rolling[k];
        b->last[BEND + k] = twist[k] + roll[k];
    }
    const lanes half = lanes_of(0.5), work = half * lanes_dot(b->torque, rate),
                along = half * lanes_dot(b->torque, normal) * lanes_dot(rate, normal);
    b->motion[FRICTION] -= work;
    b->loss[0] = b->turned[WOUND] - stored[0] - (work - along);
    b->loss[1] = b->turned[WOUND + 1] - stored[1] - along;
    for (int k = 0; k < 2; k++) b->turned[WOUND + k] = stored[k];
    return stored[0] + stored[1];
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* 1 / (1 + m R^2 / I), of the ball for which it is smaller. */
HOT lanes softness_lanes(const ball_lanes *b)
{
    lanes yield[2];
    for (int side = 0; side < 2; side++)
        yield[side] = b->heavy[side] * b->radius[side] * b->radius[side] * b->ball[side][INVERSE_INERTIA];
    return lanes_of(1) + lanes_later(yield[0], yield[1]);
}

HOT lanes sliding_mass_lanes(const ball_lanes *b, const lanes share[2])
{
    const lanes *arm = b->look + PLACE;
    const lanes sum =
        share[0] * share[0] * b->ball[0][INVERSE_INERTIA] + share[1] * share[1] * b->ball[1][INVERSE_INERTIA];
    return lanes_of(1) / (lanes_of(1) / b->look[MASS] + sum * lanes_dot(arm, arm));
}

/* The velocity of the surfaces, from that of the centres. */
HOT void find_sliding_lanes(const ball_lanes *b, const lanes share[2], lanes v[3])
{
    lanes sum[3], round[3];
    for (int k = 0; k < 3; k++) sum[k] = share[0] * b->ball[0][SPIN + k] + share[1] * b->ball[1][SPIN + k];
    lanes_cross(sum, b->look + PLACE, round);
    for (int k = 0; k < 3; k++) v[k] = b->motion[VELOCITY + k] - round[k];
}

static void rub_lanes(world *w, response *const *r, double step, double t)
{
    ball_lanes of, *b = &of;
    const lanes layers = lanes_of(w->choice.stiffness), steps = lanes_of(step);
    lanes v[3], across[3], force[3], since[2][3];
    read_lanes(w, r, b);
    const lanes both = b->radius[0] + b->radius[1], share[2] = {b->radius[0] / both, b->radius[1] / both};
    const lanes normal = b->grip[PENDING] / steps, cap = b->friction * normal;
    find_sliding_lanes(b, share, v);
    slide_lanes(b, share, t, since);
    const lanes stiffness = layers / softness_lanes(b);
    lanes stored = pull_lanes(b, stiffness, cap, force);
    lanes_split(v, b->look + NORMAL, across, v);
    const lanes mass = sliding_mass_lanes(b, share);
    const lanes damping = lanes_sooner(lanes_of(2 * FRICTION_DAMPING) * lanes_sqrt(stiffness * mass),
                                       lanes_of(MOST_FRICTION_DAMPING) * mass / steps);
    for (int k = 0; k < 3; k++) b->motion[PUSH + k] = force[k] - damping * v[k];
    lanes_cut(b->motion + PUSH, cap);
    for (int k = 0; k < 3; k++) b->motion[PUSH + k] *= steps;
    stored += roll_lanes(b, share, (const lanes(*)[3])since, layers, normal, steps);
    b->motion[FRICTION] += b->grip[STORED] - stored - lanes_of(0.5) * lanes_dot(b->motion + PUSH, v);
    b->grip[STORED] = stored;
    b->grip[PENDING] = lanes_of(0);
    write_lanes(w, r, b);
}

#else

static void rub_lanes(world *w, response *const *r, double step, double t)
{
    (void)w;
    (void)r;
    (void)step;
    (void)t;
}

#endif

static void slide_block(world *w, const block *k, double step, double t)
{
    response *r = w->batch.response + k->slot, *waiting[LANES];
    int some = 0;
    for (uint32_t n = 0; n < k->responses; n++) {
        if (!r[n].slides) continue;
        waiting[some++] = &r[n];
        if (!BALL_LANES || some < LANES) continue;
        rub_lanes(w, waiting, step, t);
        some = 0;
    }
    for (int n = 0; n < some; n++) slide_one(w, waiting[n], step, t);
}
