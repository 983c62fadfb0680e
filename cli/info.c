/* carom info: the contents of a result. */
#include "cli.h"

static int info(const arguments *args)
{
    carom_file *file = NULL;
    char *text = NULL;
    carom_status status = open_result(&file, args->operand);
    if (status != CAROM_OK) return (int)status;
    status = carom_file_info(file, args->json_text, &text);
    if (status == CAROM_OK)
        out("%s\n", text);
    else
        complain_message(carom_file_message(file));
    carom_free(text);
    carom_file_free(file);
    return (int)status;
}

static const option options[] = {
    {"json", 0, OPTION_FLAG, offsetof(arguments, json_text), NULL, NULL, false, "as one JSON object"},
};

const command command_info = {
    .name = "info",
    .summary = "describe the contents of a result",
    .text = "Prints scene, version, seed, frames, counters and observables of FILE.",
    .operand = OPERAND_RESULT,
    .operand_required = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = info,
};
