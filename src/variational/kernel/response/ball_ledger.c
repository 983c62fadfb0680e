#include "variational/kernel/response/ball_ledger.h"

#if CAROM_BALL_LANES

/* Numbers of rows of eight, and the member with which a row begins. */
enum { BEFORE_KICK = 4, IMPULSE = 3, HELD = 5, LOSS = 6 };                            /* response.velocity */
enum { RATIO = 0, BUDGET = 1, HELD_BEFORE = 2, LEFT = 3, FASTEST = 4, TOGETHER = 5 }; /* restitution_state.ratio */
enum { NODE_VELOCITY = 3, NODE_TIME = 6 };                                            /* node.x */
enum { TORQUE = 0 };                                                                  /* contact_spin.torque */

_Static_assert(offsetof(response, held) == offsetof(response, velocity) + 8 * HELD, "row");
_Static_assert(offsetof(response, twisting) == offsetof(response, velocity) + 8 * (ROW - 1), "row");
_Static_assert(offsetof(restitution_state, together) == 8 * TOGETHER, "row");
_Static_assert(offsetof(contact, friction) == offsetof(contact, restitution) + 8 * (ROW - 1), "row");
_Static_assert(offsetof(node, t) == 8 * NODE_TIME, "row");
_Static_assert(sizeof(contact_spin) >= offsetof(contact_spin, torque) + 8 * ROW, "row");

typedef struct ledger_lanes {
    double *row[3][LANES];                   /* response.push, restitution_state.ratio, contact_spin.torque */
    lanes look[ROW], motion[ROW], kick[ROW]; /* response.normal, .push, .velocity */
    lanes state[ROW], turning[ROW];          /* restitution_state.ratio, contact_spin.torque */
    lanes point[2][ROW], ball[2][ROW], radius[2];
} ledger_lanes;

HOT void read_ledger(const world *w, response *const *r, ledger_lanes *b)
{
    const double *look[LANES], *kicked[LANES], *point[2][LANES], *ball[2][LANES];
    double radius[2][LANES];
    for (int n = 0; n < LANES; n++) {
        contact *c = &w->contacts.contact[r[n]->contact];
        const uint32_t end[2] = {c->i, c->j};
        look[n] = r[n]->normal;
        kicked[n] = r[n]->velocity;
        b->row[0][n] = r[n]->push;
        b->row[1][n] = &c->restitution.ratio;
        b->row[2][n] = w->spins->contact[r[n]->contact].torque;
        for (int side = 0; side < 2; side++) {
            point[side][n] = w->node[end[side]].x;
            ball[side][n] = w->spins->node[end[side]].spin;
            radius[side][n] = w->radius[end[side]];
        }
    }
    lanes_transpose(look, b->look);
    lanes_transpose(kicked, b->kick);
    lanes_transpose((const double *const *)b->row[0], b->motion);
    lanes_transpose((const double *const *)b->row[1], b->state);
    lanes_transpose((const double *const *)b->row[2], b->turning);
    for (int side = 0; side < 2; side++) {
        lanes_transpose(point[side], b->point[side]);
        lanes_transpose(ball[side], b->ball[side]);
        b->radius[side] = *(const loose_lanes *)radius[side];
    }
}

/* The relative velocity of the centres. */
HOT void find_velocity(const world *w, const ledger_lanes *b, double t, lanes v[3])
{
    for (int k = 0; k < 3; k++) {
        lanes side[2];
        for (int n = 0; n < 2; n++)
            side[n] = b->point[n][NODE_VELOCITY + k] +
                      (lanes_of(t) - b->point[n][NODE_TIME]) * lanes_of(w->domain.gravity[k]);
        v[k] = side[0] - side[1];
    }
}

/* put_aside */
HOT lanes put_aside_lanes(const ledger_lanes *b, lanes impulse, lanes before, lanes after)
{
    const lanes none = lanes_of(0), half = lanes_of(0.5);
    const lanes part = b->state[RATIO] * b->state[RATIO];
    const lanes stopping = impulse * before / (before - after);
    const lanes both = half * (-part * stopping * before - (impulse - stopping) * after);
    const lanes work = half * impulse * (before + after);
    const lanes one = lanes_pick(b->state[LEFT] + before, none, -part * work, -work);
    return lanes_pick(before, none, lanes_pick(none, after, both, one), one);
}

/* Bits of the contacts that have turned, and of those that other forces have acted on. */
typedef struct ledger_flags {
    unsigned turned, loaded;
} ledger_flags;

HOT ledger_flags book_normal_lanes(ledger_lanes *b, lanes after)
{
    const lanes none = lanes_of(0), one = lanes_of(1), half = lanes_of(0.5), mass = b->look[MASS];
    const lanes before = b->kick[BEFORE_KICK], impulse = b->kick[IMPULSE], held = b->kick[HELD];
    const lanes change = after - before - impulse / mass;
    const lanes loaded = lanes_pick(change, none, -change, change);
    const ledger_flags flags = {lanes_less(before, none) & lanes_less(none, after),
                                lanes_less(lanes_of(STILL) * b->state[FASTEST], loaded)};
    b->motion[RESTITUTION] = b->state[HELD_BEFORE] - held - half * impulse * (before + after);
    b->state[HELD_BEFORE] = held;
    b->state[BUDGET] += put_aside_lanes(b, impulse, before, after);
    const lanes least = lanes_pick(none, after, lanes_of(-0.5) * mass * after * after, none);
    b->state[BUDGET] = lanes_later(b->state[BUDGET], least);
    const lanes number = lanes_sooner(lanes_of(MOST_TOGETHER), mass * (after - before) / impulse);
    b->state[TOGETHER] = lanes_later(lanes_later(number, one), lanes_of(TOGETHER_KEPT) * b->state[TOGETHER]);
    b->state[LEFT] = after;
    return flags;
}

HOT void book_friction_lanes(ledger_lanes *b, const lanes velocity[3])
{
    const lanes half = lanes_of(0.5), both = b->radius[0] + b->radius[1];
    const lanes share[2] = {b->radius[0] / both, b->radius[1] / both};
    const lanes *torque = b->turning + TORQUE;
    lanes rate[3], sum[3], round[3], v[3];
    for (int k = 0; k < 3; k++) {
        rate[k] = b->ball[0][SPIN + k] - b->ball[1][SPIN + k];
        sum[k] = share[0] * b->ball[0][SPIN + k] + share[1] * b->ball[1][SPIN + k];
    }
    const lanes work = half * lanes_dot(torque, rate),
                along = half * lanes_dot(torque, b->look + NORMAL) * lanes_dot(rate, b->look + NORMAL);
    b->motion[FRICTION] -= work;
    b->kick[LOSS] -= work - along;
    b->kick[LOSS + 1] -= along;
    lanes_cross(sum, b->look + PLACE, round);
    for (int k = 0; k < 3; k++) {
        b->turning[TORQUE + k] = lanes_of(0);
        v[k] = velocity[k] - round[k];
    }
    b->motion[FRICTION] -= half * lanes_dot(b->motion + PUSH, v);
}

static void book_together(world *w, response *const *r, double t)
{
    ledger_lanes b;
    lanes v[3];
    read_ledger(w, r, &b);
    find_velocity(w, &b, t, v);
    const ledger_flags flags = book_normal_lanes(&b, lanes_dot(v, b.look + NORMAL));
    book_friction_lanes(&b, v);
    lanes_store(b.motion, (double *const *)b.row[0]);
    lanes_store(b.state, (double *const *)b.row[1]);
    lanes_store(b.turning, (double *const *)b.row[2]);
    for (int n = 0; n < LANES; n++) {
        restitution_state *s = &w->contacts.contact[r[n]->contact].restitution;
        r[n]->rolling = b.kick[LOSS][n];
        r[n]->twisting = b.kick[LOSS + 1][n];
        s->turned = s->turned || (flags.turned >> n & 1);
        s->loaded = s->loaded || (flags.loaded >> n & 1);
    }
}

#else

static void book_together(world *w, response *const *r, double t)
{
    (void)w;
    (void)r;
    (void)t;
}

#endif
