/* User-defined potentials: their energies and forces are checked before the engine uses them. */
#include "sim/sim.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

struct own_potential {
    carom_potential given;
    size_t values;  /* numbers in positions and forces */
    double largest; /* largest permitted force */
    double fault;   /* time of the first fault; NAN: none */
    double wrong;   /* value of the first fault */
    const char *what;
    own_potential *next;
};

/* Largest displacement in one step, in sides of the box: images are counted in 32 bits. */
#define FARTHEST 1e6

static void note(own_potential *p, const char *what, double time, double wrong)
{
    if (!isnan(p->fault)) return;
    p->what = what;
    p->fault = time;
    p->wrong = wrong;
}

/* After a fault all forces are 0 until the run ends; it checks for faults between stretches. */
static double force_of(void *user, double time, const double *positions, double *forces)
{
    own_potential *p = user;
    if (!isnan(p->fault)) return 0;
    const double energy = p->given.force(p->given.user, time, positions, forces);
    if (!isfinite(energy)) note(p, "an energy", time, energy);
    for (size_t k = 0; forces != NULL && k < p->values; k++)
        if (!(fabs(forces[k]) <= p->largest)) note(p, "a force", time, forces[k]);
    if (forces != NULL && !isnan(p->fault)) memset(forces, 0, p->values * sizeof *forces);
    return energy;
}

carom_status callbacks_check(carom_sim *sim)
{
    for (const own_potential *p = sim->own; p != NULL; p = p->next)
        if (!isnan(p->fault))
            return error_set(&sim->message, CAROM_BAD_DATA,
                             "error: a potential returned %s of %g at time %.9g: it must be finite, and move no "
                             "particle by more than %g sides of the box in a step of %g",
                             p->what, p->wrong, p->fault, FARTHEST, p->given.step);
    return CAROM_OK;
}

/* The list begins with the newest. */
static carom_status move_from(carom_sim *sim, own_potential *p, void *gas)
{
    if (p == NULL) return CAROM_OK;
    TRY(move_from(sim, p->next, gas));
    carom_potential checked = p->given;
    checked.force = force_of;
    checked.user = p;
    return sim->kernel->add_potential(gas, &checked, &sim->message);
}

carom_status callbacks_move(carom_sim *sim, void *gas)
{
    return move_from(sim, sim->own, gas);
}

void callbacks_destroy(carom_sim *sim)
{
    while (sim->own != NULL) {
        own_potential *next = sim->own->next;
        memory_free(sim->own);
        sim->own = next;
    }
}

static carom_status refuse(carom_sim *sim, const carom_potential *p)
{
    error *e = &sim->message;
    if (p == NULL || p->force == NULL || !(p->step > 0) || isinf(p->step))
        return error_set(e, CAROM_USAGE, "error: a potential needs a function `force` and a positive, finite step");
    if (sim->kernel->add_potential == NULL)
        return error_set(e, CAROM_USAGE, "error: the engine `%s` has no potentials; use `engine: variational`",
                         sim->engine->settings->name);
    const double end = until_time(sim->scene);
    if (isfinite(end) && end / p->step > MOST_STEPS)
        return error_set(e, CAROM_USAGE,
                         "error: a potential with a step of %g needs %.1g steps in a run of %g, which are too many; "
                         "make the step longer",
                         p->step, end / p->step, end);
    if (p->particles == NULL) return CAROM_OK;
    if (p->count > sim->frame.count)
        return error_set(e, CAROM_USAGE, "error: there are %zu particles; a potential cannot act on %zu",
                         sim->frame.count, p->count);
    for (size_t k = 0; k < p->count; k++)
        if (p->particles[k] >= sim->frame.count)
            return error_set(e, CAROM_USAGE, "error: there is no particle %zu: they are numbered from 0 to %zu",
                             p->particles[k], sim->frame.count - 1);
    return CAROM_OK;
}

static double largest_force(const carom_sim *sim, double step)
{
    double box = INFINITY, mass = INFINITY;
    for (int k = 0; k < sim->frame.dimension; k++) box = fmin(box, sim->frame.box[k]);
    frame_need(&sim->frame, FRAME_MASS);
    for (size_t i = 0; i < sim->frame.count; i++) mass = fmin(mass, sim->frame.mass[i]);
    return fmin(FARTHEST * box * mass / step / step, 1e150); /* its square does not overflow */
}

static carom_status add(carom_sim *sim, const carom_potential *p)
{
    own_potential *own = NEW_ARRAY(1, own_potential);
    if (own == NULL) return error_memory(&sim->message, "a potential", sizeof *own);
    const size_t count = p->particles != NULL ? p->count : sim->frame.count;
    *own = (own_potential){.given = *p,
                           .values = count * (size_t)sim->frame.dimension,
                           .largest = largest_force(sim, p->step),
                           .fault = NAN,
                           .next = sim->own};
    sim->own = own;
    carom_potential checked = *p;
    checked.force = force_of;
    checked.user = own;
    frames_leave_state(sim, 0);
    rest_again(sim);
    TRY(sim->kernel->add_potential(sim->gas, &checked, &sim->message));
    if (sim->result != NULL) TRY(result_not_closed(sim->result, &sim->message));
    if (sim->time > 0) return CAROM_OK;
    look(sim, 0);
    sim->initial_energy = frame_energy_of(&sim->frame).total;
    return callbacks_check(sim);
}

carom_status carom_sim_add_potential(carom_sim *sim, const carom_potential *p)
{
    ENTER(sim, "the simulation has not been created");
    TRY(refuse(sim, p));
    sim->guard.busy = true;
    return guard_leave(&sim->guard, add(sim, p));
}
