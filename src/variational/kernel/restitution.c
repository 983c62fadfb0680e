/* Contacts that lose energy.
 *
 * While a pair approaches its layers act in full, and the square of the coefficient of restitution times the work they do is
 * put aside as the *budget*: what they may give back. While it separates their forces are scaled by the budget over the energy
 * that the layers hold, and never give more than what is left; both vanish together where the first layer ends, so that the
 * speeds before and after an impact of two bodies have the ratio e, whatever the step. (Scaling the forces by e, as paper 3,
 * sec. 5.2, gives the ratio sqrt(e), and scatters with the step.)
 *
 * The kick that turns a pair round is cut where its speed is zero, and continues from there under the rule for separation. Under
 * a steady load that alone would let a pair at rest sink, by what the load adds to its speed between kicks: that much, and no
 * more than the speed it comes with, is given back in any case. */
#include "variational/kernel/fire.h"

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

static double turned(contact *c, double mass, double impulse, double v, double held)
{
    double share = held > 0 ? fmin(c->budget / held, 1) : 1, full = v + impulse / mass;
    double after = fmin(share * full, sqrt(2 * fmax(c->budget, 0) / mass));
    double load = isnan(c->last) ? 0 : fmax(0, c->last - v);
    return fmax(after, fmin(full, fmin(-v, load)));
}

double temper(world *w, contact *c, double gap, double impulse, double v)
{
    double mass = pair_mass(w, c->i, c->j), e2 = c->ratio * c->ratio, given = impulse;
    if (impulse <= -mass * v) {
        c->budget -= e2 * impulse * (v + 0.5 * impulse / mass);
    } else if (v < 0) {
        c->budget += e2 * 0.5 * mass * v * v;
        double after = turned(c, mass, impulse, v, layers_energy(w, gap));
        c->budget = fmax(c->budget - 0.5 * mass * after * after, 0);
        given = mass * (after - v);
    } else {
        double held = layers_energy(w, gap);
        given *= held > 0 ? fmin(c->budget / held, 1) : 1;
        double energy = given * (v + 0.5 * given / mass);
        if (energy > c->budget) {
            energy = c->budget;
            given = mass * (sqrt(v * v + 2 * energy / mass) - v);
        }
        c->budget -= energy;
    }
    c->last = v + given / mass;
    w->ledger.restitution += (impulse - given) * (v + 0.5 * given / mass);
    return given;
}
