/* carom check: is the scene good, and what will a run need? */
#include "cli.h"

static void show(const char *scene, const carom_estimate *e)
{
    char memory[QUANTITY_SIZE], frame[QUANTITY_SIZE], frames[QUANTITY_SIZE];
    out("%s: good\n", scene);
    out("  %-17s %llu\n", "particles", (unsigned long long)e->particles);
    out("  %-17s %.6g\n", "packing fraction", e->packing_fraction);
    out("  %-17s %.10g x %.10g", "box", e->box[0], e->box[1]);
    if (e->dimension == 3) out(" x %.10g", e->box[2]);
    out("\n  %-17s %s\n", "memory", format_bytes(memory, (double)e->memory_bytes));
    out("  %-17s %s\n", "a frame", format_bytes(frame, (double)e->frame_bytes));
    if (e->frames > 0)
        out("  %-17s %llu, %s\n", "frames", (unsigned long long)e->frames,
            format_bytes(frames, (double)e->frames * (double)e->frame_bytes));
}

static int check(const arguments *args)
{
    carom_scene *scene = NULL;
    carom_estimate estimate = {0};
    carom_status status = load_scene(&scene, args);
    if (status != CAROM_OK) return (int)status;
    status = carom_scene_check(scene, &estimate);
    if (status == CAROM_OK)
        show(args->operand, &estimate);
    else
        complain_message(carom_scene_message(scene));
    carom_scene_free(scene);
    return (int)status;
}

static const option options[] = {
    {"set", 0, OPTION_SETS, 0, "KEY=VALUE", NULL, false, "override a key of the scene; may be repeated"},
    {"seed", 0, OPTION_COUNT, offsetof(arguments, seed), "N", NULL, false, "override the scene's seed"},
};

const command command_check = {
    .name = "check",
    .summary = "validate a scene, say what a run will need",
    .text = "Reads SCENE and draws its initial state without running it. Reports every fault with its line, or the "
            "number of particles, the packing fraction, the box, the memory and the size of the frames.",
    .operand = OPERAND_SCENE,
    .operand_required = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = check,
};
