/* A user-defined potential: a ring of disks in a harmonic trap, which scene files do not have. */
#include <carom/carom.h>

#include <string.h>

static const char scene_text[] = "carom: 1\n"
                                 "engine: variational\n"
                                 "dimension: 2\n"
                                 "box: {size: 8, boundary: open}\n"
                                 "species: {a: {diameter: 1, mass: 1}}\n"
                                 "particles:\n"
                                 "  - {species: a, place: {at: [[6, 4], [4, 6], [2, 4], [4, 2]]},\n"
                                 "     velocity: {each: [[0, 0.2], [0, 0], [0, 0], [0, 0]]}}\n"
                                 "run: {until: {time: 20}}\n";

static const double middle[2] = {4, 4}, stiffness = 2;

/* V = stiffness |x - middle|^2 / 2 for each disk; `forces` is NULL if only the energy is required. */
static double trap(void *user, double time, const double *positions, double *forces)
{
    size_t count = *(const size_t *)user;
    double energy = 0;
    (void)time;
    for (size_t k = 0; k < 2 * count; k++) {
        double away = positions[k] - middle[k % 2];
        energy += 0.5 * stiffness * away * away;
        if (forces != NULL) forces[k] = -stiffness * away;
    }
    return energy;
}

static int fail(const char *message, carom_status status)
{
    fprintf(stderr, "%s\n", message);
    return (int)status;
}

static double energy_of(const carom_frame *frame, size_t count)
{
    const double *v = carom_frame_velocities(frame);
    double energy = trap(&count, 0, carom_frame_positions(frame), NULL);
    for (size_t k = 0; k < 2 * count; k++) energy += 0.5 * v[k] * v[k];
    return energy;
}

int main(void)
{
    carom_scene *scene = carom_scene_new();
    carom_sim *sim = NULL;
    size_t count = 4;
    /* The step must be below the limit of the oscillation, 2 / omega = sqrt(2), and short compared with a contact. */
    const carom_potential potential = {.step = 1e-3, .force = trap, .user = &count};
    if (scene == NULL) return fail("no memory", CAROM_INTERNAL);

    carom_status status = carom_scene_load_text(scene, "trap", scene_text, strlen(scene_text));
    if (status != CAROM_OK) return fail(carom_scene_message(scene), status);
    status = carom_sim_new(&sim, scene, NULL);
    if (status == CAROM_OK) status = carom_sim_add_potential(sim, &potential);
    double before = status == CAROM_OK ? energy_of(carom_sim_frame(sim), count) : 0;
    if (status == CAROM_OK) status = carom_sim_run(sim);
    if (status != CAROM_OK) return fail(sim != NULL ? carom_sim_message(sim) : "no memory", status);

    double after = energy_of(carom_sim_frame(sim), count);
    printf("energy in motion and in the trap: %.3f at the start, %.3f at time %g\n", before, after,
           carom_frame_time(carom_sim_frame(sim)));
    carom_sim_free(sim);
    carom_scene_free(scene);
    return 0;
}
