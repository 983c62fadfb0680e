/* Contacts that lose energy.
 *
 * While a pair approaches its layers act in full, and the square of the coefficient of restitution times the work they do is
 * put aside as the *budget*: what they may give back. While it separates their forces are scaled by the budget over the energy
 * that the layers hold, and never give more than what is left; both vanish together where the first layer ends, so that the
 * speeds before and after an impact of two bodies have the ratio e, whatever the step. (Scaling the forces by e, as paper 3,
 * sec. 5.2, gives the ratio sqrt(e), and scatters with the step.) The kick that turns a pair round is cut where its speed is
 * zero, and continues from there under the rule for separation.
 *
 * All contacts of a batch see the velocities before it; what each has done is booked with the velocities after all of it.
 *
 * Rest under a load, gravity's or that of other contacts, needs three things more:
 * - A pair that a load presses together would sink, by what the load adds to its speed between kicks. That much, and no more
 *   than the speed it comes with, is given back in any case: the *hold*.
 * - A pair that was stopped deep in its layers holds more force than its load. It *relaxes*: it may rise at a speed that the
 *   load would give it over a fraction of the layers' thickness, by part of the force only, so that it stays below equilibrium.
 * - A pair that has turned round three times without parting is at rest, and gives nothing back any more: else bodies with
 *   several contacts rock on them for ever. */
#include "variational/kernel/fire.h"

#include "base/memory.h"

/* Relaxation uses at most RELAXING of a force, and a speed of RISING sqrt(eta * acceleration of the load). A budget that others
 * have brought out of step with the layers enlarges no force more than MOST_GAIN times. */
static const double RELAXING = 0.75, RISING = 0.1, MOST_GAIN = 10;
enum { AT_REST = 3 };

double layers_energy(const world *w, double gap)
{
    double sum = 0, wide = 2 * w->choice.eta;
    for (double l = 1; l * gap < wide && l < 1e6; l++) {
        double depth = wide - l * gap, term = l * depth * depth;
        for (uint64_t p = 2; p < w->settings->exponent; p++) term *= depth;
        sum += term;
    }
    return w->choice.coefficient * sum;
}

void relative_velocity(const world *w, const contact *c, double t, double v[DIM])
{
    double u[DIM];
    velocity_at(w, &w->node[c->i], t, v);
    if (c->j < NODES)
        velocity_at(w, &w->node[c->j], t, u);
    else
        memcpy(u, w->surface[c->j - NODES].velocity, sizeof u);
    for (int k = 0; k < DIM; k++) v[k] -= u[k];
}

/* ---- the impulse --------------------------------------------------------------------------------------------------------- */

/* e^2: the part of the work done on the layers that will be given back. */
static double returned(const rebound *b)
{
    return b->turns < AT_REST ? b->ratio * b->ratio : 0;
}

static double gain(double budget, double held)
{
    return held > 0 ? fmin(budget / held, MOST_GAIN) : 1;
}

/* Never more energy than the budget, but what relaxation needs. */
static double separating(const rebound *b, double mass, double held, double layer, double v)
{
    double impulse = layer * gain(b->budget, held);
    if (impulse * (v + 0.5 * impulse / mass) > b->budget) {
        double sum = v + sqrt(v * v + 2 * b->budget / mass);
        impulse = sum > 0 ? 2 * b->budget / sum : 0;
    }
    if (b->rise > v) impulse = fmax(impulse, fmin(RELAXING * layer, mass * (b->rise - v)));
    return impulse;
}

/* The layer alone would turn the pair round. */
static double turning(rebound *b, double eta, double mass, double held, double layer, double v, double t)
{
    double budget = b->budget + returned(b) * 0.5 * mass * v * v, most = layer / mass + v;
    double load = isnan(b->last) ? 0 : fmax(0, b->last - v); /* speed gained from all else since the last kick */
    if (t > b->since || load == 0) b->rise = load > 0 ? RISING * sqrt(eta * load / (t - b->since)) : 0;
    double hold = fmin(most, fmin(-v, load));
    double given = fmin(most * gain(budget, held), sqrt(2 * budget / mass));
    return mass * (fmax(given, hold + fmin(RELAXING * (most - hold), b->rise)) - v);
}

static double normal_response(const world *w, contact *c, double gap, double layer, double v, double t)
{
    rebound *b = &c->rebound;
    double mass = pair_mass(w, c->i, c->j);
    if (b->ratio == 1 || layer <= -mass * v) return layer;
    double held = layers_energy(w, gap);
    return v < 0 ? turning(b, w->choice.eta, mass, held, layer, v, t) : separating(b, mass, held, layer, v);
}

/* ---- batches ------------------------------------------------------------------------------------------------------------- */

static response *add_response(world *w)
{
    if (w->response_count == w->response_capacity) {
        uint32_t capacity = w->response_capacity > 0 ? 2 * w->response_capacity : 64;
        response *more = memory_resize(w->response, w->response_capacity, capacity, sizeof *more);
        if (more == NULL) {
            w->out_of_memory = true;
            return NULL;
        }
        w->response = more;
        w->response_capacity = capacity;
    }
    return &w->response[w->response_count++];
}

double respond(world *w, uint32_t index, const double normal[DIM], const double place[DIM], double gap, double impulse,
               double speed, double t)
{
    response *r = add_response(w);
    if (r == NULL) return impulse;
    *r = (response){.contact = index, .layer = impulse, .before = speed};
    memcpy(r->normal, normal, sizeof r->normal);
    memcpy(r->place, place, sizeof r->place);
    r->impulse = normal_response(w, &w->contact[index], gap, impulse, speed, t);
    return r->impulse;
}

pressed respond_parted(world *w, uint32_t index, const double place[DIM])
{
    response *r = add_response(w);
    if (r == NULL) return PRESSED_IDLE;
    *r = (response){.contact = index, .parted = true};
    memcpy(r->place, place, sizeof r->place);
    return PRESSED_IDLE;
}

/* Books what a kick has done, now that all of its batch have been given. */
static void book(world *w, const response *r, double t)
{
    contact *c = &w->contact[r->contact];
    rebound *b = &c->rebound;
    double v[DIM], before = r->before;
    relative_velocity(w, c, t, v);
    double after = dot(v, r->normal), work = 0.5 * r->impulse * (before + after), part = returned(b);
    c->grip.pending += r->impulse;
    memcpy(c->grip.normal, r->normal, sizeof r->normal);
    w->ledger.restitution += 0.5 * (r->layer - r->impulse) * (before + after);
    if (before < 0 && after > 0) {
        double stopping = r->impulse * before / (before - after);
        b->budget += 0.5 * (-part * stopping * before - (r->impulse - stopping) * after);
        if (++b->turns == AT_REST) b->budget = 0;
    } else {
        b->budget -= work < 0 ? part * work : work;
    }
    b->budget = fmax(b->budget, 0);
    b->last = after;
    b->since = t;
}

void settle_responses(world *w, const clock *c, double t)
{
    if (w->response_count == 0) return;
    for (uint32_t n = 0; n < w->response_count; n++)
        if (!w->response[n].parted) book(w, &w->response[n], t);
    if (c->layer == 1) rub(w, c->step, t);
    w->response_count = 0;
}
