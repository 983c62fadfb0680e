/* Help for a terminal, written from the tables. */
#include <string.h>

#include "cli.h"

enum { LINE_WIDTH = 100 };

/* Writes text wrapped at words. The first line starts at `column`, the others at `indent`. */
static void wrap(const char *text, int indent, int column)
{
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > LINE_WIDTH) {
            out("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            out(" ");
            column++;
        }
        out("%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    out("\n");
}

static void print_options(const option *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const option *o = &list[i];
        char left[64];
        char letter[8] = "    ";
        if (o->hidden) continue;
        if (o->letter != 0) snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->value != NULL ? " " : "",
                 o->value != NULL ? o->value : "");
        out("  %-24s ", left);
        wrap(o->help, 27, 27);
    }
}

void print_command_help(const command *c)
{
    const char *operand = operand_name(c->operand);
    bool optional = *operand != '\0' && !c->operand_required;
    out("usage: carom %s%s%s%s%s%s [OPTION]...\n\n", c->name, *operand != '\0' ? " " : "", optional ? "[" : "", operand,
        c->operand_many ? "..." : "", optional ? "]" : "");
    wrap(c->text, 0, 0);
    out("\n");
    print_options(c->options, c->option_count);
    print_options(common_options, common_option_count);
}

void print_usage(void)
{
    out("carom %s: event-driven contact dynamics\n\nusage: carom COMMAND [ARGUMENT]...\n\n", carom_version());
    for (size_t i = 0; i < command_count; i++) out("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    out("\n'carom help COMMAND' explains a command, 'carom help scene' all keys of a scene,\n'carom help observables' "
        "the observables. 'carom --version' gives the version.\n\nA first run:  carom init > first.yaml && carom run "
        "first.yaml\n");
}
