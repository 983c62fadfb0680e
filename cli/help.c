/* carom help: on commands, scenes and observables; and the generated texts. */
#include <string.h>

#include "cli.h"

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

/* Suggestions for commands and topics; the library suggests keys of a scene. */
static int unknown_topic(const char *topic, const char *message)
{
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; i < command_count; i++) names[count++] = commands[i]->name;
    for (size_t i = 0; help_topics[i] != NULL; i++) names[count++] = help_topics[i];
    const char *guess = closest(topic, names, count);
    if (guess != NULL)
        complain("no help on '%s'; did you mean '%s'?", topic, guess);
    else if (message != NULL && *message != '\0')
        complain_message(message);
    else
        complain("no help on '%s'; it is not a command, a topic (scene, observables) or a key of the scene", topic);
    return CAROM_USAGE;
}

static int help_on(const char *topic)
{
    const command *c = find_command(topic);
    char *text = NULL;
    carom_status status = carom_help(topic, &text);
    const bool key =
        status == CAROM_OK && strncmp(text, topic, strlen(topic)) == 0; /* otherwise other search results */
    if (c != NULL) print_command_help(c);
    if (c != NULL && key) out("\nIn a scene, '%s' is also a key:\n\n", topic);
    if (status == CAROM_OK && (c == NULL || key)) out("%s\n", text);
    int result = status == CAROM_OK || c != NULL ? CAROM_OK : unknown_topic(topic, text);
    carom_free(text);
    return result;
}

static int help_reference(void)
{
    char *text = NULL;
    carom_status status = carom_reference(&text);
    if (status == CAROM_OK)
        out("%s", text);
    else
        complain("cannot write the reference: out of memory");
    carom_free(text);
    return (int)status;
}

static int help(const arguments *args)
{
    if (args->man)
        print_man();
    else if (args->completion != NULL)
        print_completion(args->completion);
    else if (args->reference)
        return help_reference();
    else if (args->operand != NULL)
        return help_on(args->operand);
    else
        print_usage();
    return CAROM_OK;
}

static const option options[] = {
    {"man", 0, OPTION_FLAG, offsetof(arguments, man), NULL, NULL, false, "print the manual page"},
    {"completion", 0, OPTION_CHOICE, offsetof(arguments, completion), "SHELL", shells, false,
     "print the completion script for bash, zsh or fish"},
    {"reference", 0, OPTION_FLAG, offsetof(arguments, reference), NULL, NULL, false,
     "print the scene reference as Markdown"},
};

const command command_help = {
    .name = "help",
    .summary = "explain a command, the scene, the observables or a key",
    .text = "Without TOPIC: the commands. TOPIC is a command, `scene` (every key), `observables`, one key of the scene "
            "by its path, as in run.until.time, or any word: a list of the keys, observables and guides on it, the "
            "best match first.",
    .operand = OPERAND_TOPIC,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = help,
};
