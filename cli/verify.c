/* carom verify: an independent look at a result. */
#include "cli.h"

static int verify(const arguments *args)
{
    carom_file *file = NULL;
    char *report = NULL;
    carom_status status = open_result(&file, args->operand);
    if (status != CAROM_OK) return (int)status;
    status = carom_file_verify(file, args->json_text, &report);
    if (report != NULL)
        out("%s\n", report);
    else
        complain_message(carom_file_message(file));
    carom_free(report);
    carom_file_free(file);
    return (int)status;
}

static const option options[] = {
    {"json", 0, OPTION_FLAG, offsetof(arguments, json_text), NULL, NULL, false, "as one JSON object"},
};

const command command_verify = {
    .name = "verify",
    .summary = "check the physics of a result",
    .text =
        "Looks at every frame of FILE for overlaps beyond rounding and particles outside the box, from each frame to "
        "the next for what has passed through something, and at the energy and momentum budget; where particles merge, "
        "also at the clusters: that the merges make them, and that they move and turn as one. Exits 77 and names the "
        "culprits where something is violated.",
    .operand = OPERAND_RESULT,
    .operand_required = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = verify,
};
