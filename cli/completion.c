/* Completion scripts, written from the tables. */
#include <string.h>

#include "cli.h"

static void words(const char *const *list, const char *separator)
{
    for (size_t i = 0; list[i] != NULL; i++) out("%s%s", i > 0 ? separator : "", list[i]);
}

static void command_names(void)
{
    for (size_t i = 0; i < command_count; i++) out("%s%s", i > 0 ? " " : "", commands[i]->name);
}

/* Possible operands, as arguments of compgen. */
static void bash_operand(const command *c)
{
    switch (c->operand) {
    case OPERAND_NONE:
        out("-W ''");
        break;
    case OPERAND_SCENE:
    case OPERAND_SWEEP:
        out("-f -X '!*.@(yaml|yml)'");
        break;
    case OPERAND_RESULT:
        out("-f -X '!*.h5'");
        break;
    case OPERAND_SHOWN:
        out("-f -X '!*.@(yaml|yml|h5)'");
        break;
    case OPERAND_ENGINE:
        out("-W '");
        words(starter_names, " ");
        out("'");
        break;
    case OPERAND_TOPIC:
        out("-W '");
        command_names();
        out(" ");
        words(help_topics, " ");
        out("'");
        break;
    }
}

static void bash_command(const command *c)
{
    out("    %s)\n        options='--help", c->name);
    for (size_t i = 0; i < c->option_count; i++)
        if (!c->options[i].hidden) out(" --%s", c->options[i].name);
    out("'\n        operand=(");
    bash_operand(c);
    out(")\n        case $before in\n");
    for (size_t i = 0; i < c->option_count; i++) {
        const option *o = &c->options[i];
        if (o->hidden || o->kind == OPTION_FLAG) continue;
        out("        --%s", o->name);
        if (o->letter != 0) out("|-%c", o->letter);
        out(") ");
        if (o->choices != NULL) {
            out("operand=(-W '");
            words(o->choices, " ");
            out("') ;;\n");
        } else {
            out("operand=(%s) ;;\n", o->kind == OPTION_FILE ? "-f" : "-W ''");
        }
    }
    out("        esac\n        ;;\n");
}

static void print_bash(void)
{
    out("# bash completion for carom\n"
        "_carom()\n{\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options='' operand=(-W '')\n"
        "    COMPREPLY=()\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W '");
    command_names();
    out(" --help --version' -- \"$word\")\n"
        "        return\n"
        "    fi\n"
        "    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < command_count; i++) bash_command(commands[i]);
    out("    esac\n"
        "    if [[ $word == -* ]]; then\n"
        "        operand=(-W \"$options\")\n"
        "    fi\n"
        "    local extglob\n"
        "    extglob=$(shopt -p extglob)\n"
        "    shopt -s extglob\n"
        "    mapfile -t COMPREPLY < <(compgen \"${operand[@]}\" -- \"$word\")\n"
        "    if [ ${#COMPREPLY[@]} -eq 0 ] && [ \"${operand[0]}\" = -f ]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n"
        "    fi\n"
        "    eval \"$extglob\"\n"
        "}\n"
        "complete -o filenames -F _carom carom\n");
}

/* Text inside single quotes and zsh brackets. */
static void quoted(const char *text, const char *special)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            out("'\\''");
        else if (strchr(special, *text) != NULL)
            out("\\%c", *text);
        else
            out("%c", *text);
    }
}

static void zsh_values(const option *o)
{
    if (o->kind == OPTION_FLAG) return;
    out(":%s:", o->value);
    if (o->choices != NULL) {
        out("(");
        words(o->choices, " ");
        out(")");
    } else if (o->kind == OPTION_FILE) {
        out("_files");
    }
}

static void zsh_option(const option *o)
{
    const char *again = o->kind == OPTION_SETS || o->kind == OPTION_WORDS ? "*" : "";
    out("            '%s--%s[", again, o->name);
    quoted(o->help, "[]:");
    out("]");
    zsh_values(o);
    out("' \\\n");
    if (o->letter == 0) return;
    out("            '-%c[", o->letter);
    quoted(o->help, "[]:");
    out("]");
    zsh_values(o);
    out("' \\\n");
}

static void zsh_operand(const command *c)
{
    switch (c->operand) {
    case OPERAND_NONE:
        break;
    case OPERAND_SCENE:
        out(" \\\n            '1:scene:_files -g \"*.(yaml|yml)\"'");
        break;
    case OPERAND_SHOWN:
        out(" \\\n            '1:scene or result:_files -g \"*.(yaml|yml|h5)\"'");
        break;
    case OPERAND_SWEEP:
        out(" \\\n            '1:sweep:_files -g \"*.(yaml|yml)\"'");
        break;
    case OPERAND_RESULT:
        out(" \\\n            '%s:result:_files -g \"*.h5\"'", c->operand_many ? "*" : "1");
        break;
    case OPERAND_ENGINE:
        out(" \\\n            '1:name:(");
        words(starter_names, " ");
        out(")'");
        break;
    case OPERAND_TOPIC:
        out(" \\\n            '1:topic:(");
        command_names();
        out(" ");
        words(help_topics, " ");
        out(")'");
        break;
    }
    out("\n");
}

static void print_zsh(void)
{
    out("#compdef carom\n"
        "_carom()\n{\n"
        "    local line state\n"
        "    local -a names\n"
        "    names=(\n");
    for (size_t i = 0; i < command_count; i++) {
        out("        '%s:", commands[i]->name);
        quoted(commands[i]->summary, ":");
        out("'\n");
    }
    out("    )\n"
        "    _arguments -C '(- *)--version[version and commit]' '1:command:->command' '*::argument:->argument'\n"
        "    case $state in\n"
        "    command) _describe command names ;;\n"
        "    argument)\n"
        "        case $line[1] in\n");
    for (size_t i = 0; i < command_count; i++) {
        const command *c = commands[i];
        out("        %s) _arguments \\\n", c->name);
        for (size_t j = 0; j < c->option_count; j++)
            if (!c->options[j].hidden) zsh_option(&c->options[j]);
        out("            '--help[description and options of the command]'");
        zsh_operand(c);
        out("            ;;\n");
    }
    out("        esac\n"
        "        ;;\n"
        "    esac\n"
        "}\n"
        "_carom \"$@\"\n");
}

static void fish_option(const command *c, const option *o)
{
    out("complete -c carom -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name);
    if (o->letter != 0) out(" -s %c", o->letter);
    if (o->choices != NULL) {
        out(" -x -a '");
        words(o->choices, " ");
        out("'");
    } else if (o->kind != OPTION_FLAG) {
        out(o->kind == OPTION_FILE ? " -r -F" : " -x");
    }
    out(" -d '");
    for (const char *p = o->help; *p != '\0'; p++) out(*p == '\'' ? "\\%c" : "%c", *p);
    out("'\n");
}

static void fish_operand(const command *c)
{
    const char *condition = "complete -c carom -n '__fish_seen_subcommand_from";
    if (c->operand == OPERAND_SCENE || c->operand == OPERAND_SWEEP)
        out("%s %s' -k -a '(__fish_complete_suffix .yaml)'\n", condition, c->name);
    if (c->operand == OPERAND_SHOWN)
        out("%s %s' -k -a '(__fish_complete_suffix .yaml; __fish_complete_suffix .h5)'\n", condition, c->name);
    if (c->operand == OPERAND_RESULT) out("%s %s' -k -a '(__fish_complete_suffix .h5)'\n", condition, c->name);
    if (c->operand == OPERAND_ENGINE) {
        out("%s %s' -a '", condition, c->name);
        words(starter_names, " ");
        out("'\n");
    }
    if (c->operand == OPERAND_TOPIC) {
        out("%s %s' -a '", condition, c->name);
        command_names();
        out(" ");
        words(help_topics, " ");
        out("'\n");
    }
}

static void print_fish(void)
{
    out("# fish completion for carom\ncomplete -c carom -f\n"
        "complete -c carom -n __fish_use_subcommand -l version -d 'version and commit'\n");
    for (size_t i = 0; i < command_count; i++) {
        const command *c = commands[i];
        out("complete -c carom -n __fish_use_subcommand -a %s -d '%s'\n", c->name, c->summary);
        fish_operand(c);
        for (size_t j = 0; j < c->option_count; j++)
            if (!c->options[j].hidden) fish_option(c, &c->options[j]);
    }
}

void print_completion(const char *shell)
{
    if (strcmp(shell, "bash") == 0) print_bash();
    if (strcmp(shell, "zsh") == 0) print_zsh();
    if (strcmp(shell, "fish") == 0) print_fish();
}
