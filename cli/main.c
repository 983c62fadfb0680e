/* carom: the command. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

#define LIST(name) &command_##name,
const command *const commands[] = {COMMANDS(LIST)};
#undef LIST
const size_t command_count = sizeof commands / sizeof *commands;

/* Keeps files that are opened later from becoming standard output or error. */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0) open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

const command *find_command(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

/* The command with an option of this name, as 'resume'; NULL. */
static const command *command_with_option(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        for (size_t k = 0; k < commands[i]->option_count; k++)
            if (strcmp(commands[i]->options[k].name, name) == 0) return commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[32];
    for (size_t i = 0; i < command_count; i++) names[i] = commands[i]->name;
    const char *guess = closest(name, names, command_count);
    const command *has = command_with_option(name);
    if (name[0] == '-')
        complain("unknown option '%s'; see 'carom help'", name);
    else if (has != NULL)
        complain("unknown command '%s'; did you mean '%s --%s'? See 'carom help %s'", name, has->name, name, has->name);
    else if (guess != NULL)
        complain("unknown command '%s'; did you mean '%s'?", name, guess);
    else
        complain("unknown command '%s'; see 'carom help'", name);
    return CAROM_USAGE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        complain("no command given; see 'carom help'");
        return CAROM_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        out("carom %s (%s)\n", carom_version(), carom_commit());
        return CAROM_OK;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    const command *c = find_command(name);
    if (c == NULL) return unknown_command(name);

    if (c == &command_run && carom_rank() > 0) complain_silently(); /* rank 0 speaks for all */
    arguments args = {0};
    int status = (int)parse_arguments(&args, c, argc - 2, argv + 2);
    if (status == CAROM_OK && args.help)
        print_command_help(c);
    else if (status == CAROM_OK)
        status = c->run(&args);
    free((void *)args.sets);
    free((void *)args.words);
    free((void *)args.operands);
    return status;
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    signal(SIGPIPE, SIG_IGN); /* a write to a closed pipe, or past the file size limit, fails and is reported */
    signal(SIGXFSZ, SIG_IGN);
    return finish_output(dispatch(argc, argv));
}
