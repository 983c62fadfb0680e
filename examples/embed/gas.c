/* Runs a scene with the installed library and prints the result:  gas SCENE */
#include <carom/carom.h>

static int fail(const char *message, carom_status status)
{
    fprintf(stderr, "%s\n", message);
    return (int)status;
}

int main(int argc, char **argv)
{
    carom_scene *scene = carom_scene_new();
    carom_sim *sim = NULL;
    if (scene == NULL || argc != 2) return fail("usage: gas SCENE", CAROM_USAGE);

    carom_status status = carom_scene_load(scene, argv[1]);
    if (status != CAROM_OK) return fail(carom_scene_message(scene), status);
    status = carom_sim_new(&sim, scene, NULL);
    if (status == CAROM_OK) status = carom_sim_run(sim);
    if (status != CAROM_OK) return fail(sim != NULL ? carom_sim_message(sim) : "no memory", status);

    const carom_frame *frame = carom_sim_frame(sim);
    const double *x = carom_frame_positions(frame);
    printf("carom %s: %zu particles at time %g, stopped by %s\n", carom_version(), carom_frame_count(frame),
           carom_frame_time(frame), carom_stop_name(carom_sim_stop(sim)));
    printf("the first one is at %g %g\n", x[0], x[1]);
    carom_sim_free(sim);
    carom_scene_free(scene);
    return 0;
}
