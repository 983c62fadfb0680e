/* The manual page, written from the tables. */
#include <string.h>

#include "cli.h"

/* Text for roff: dashes and backslashes escaped. */
static void roff(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '-')
            out("\\-");
        else if (*text == '\\')
            out("\\e");
        else if (*text != '`')
            out("%c", *text);
    }
}

static void print_option(const option *o)
{
    out(".TP\n");
    if (o->letter != 0) out("\\fB\\-%c\\fR, ", o->letter);
    out("\\fB\\-\\-");
    roff(o->name);
    out("\\fR");
    if (o->value != NULL) {
        out(" \\fI");
        roff(o->value);
        out("\\fR");
    }
    out("\n");
    roff(o->help);
    out("\n");
}

static void print_command(const command *c)
{
    const char *operand = operand_name(c->operand);
    out(".SS carom %s", c->name);
    if (*operand != '\0') out(c->operand_required ? " %s%s" : " [%s%s]", operand, c->operand_many ? "..." : "");
    out("\n");
    roff(c->text);
    out("\n");
    for (size_t i = 0; i < c->option_count; i++)
        if (!c->options[i].hidden) print_option(&c->options[i]);
}

static void print_ends(void)
{
    out(".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n64\nwrong usage\n.TP\n65\nbad scene or data\n.TP\n66\nno such "
        "file\n.TP\n70\nno memory, or an internal fault\n.TP\n73\nan output cannot be created, or exists\n.TP\n74\na "
        "read or write failed\n.TP\n75\nstopped early, with a checkpoint to resume\n.TP\n76\nthe dynamics stopped it "
        "(collapse, no progress)\n.TP\n77\nverify found a violation\n.SH SIGNALS\nSIGINT, SIGTERM and SIGHUP write a "
        "checkpoint and stop with exit status 75; a second SIGINT kills. SIGUSR1 writes a checkpoint, and the run "
        "continues.\n.SH ENVIRONMENT\n.TP\nNO_COLOR\nif set and not empty, no colour is used\n.SH "
        "FILES\n.TP\n\\fINAME\\fR.yaml\nthe scene\n.TP\n\\fINAME\\fR.h5\nthe result, HDF5 in the H5MD layout\n");
}

void print_man(void)
{
    out(".TH CAROM 1 \"\" \"carom %s\" \"User Commands\"\n", carom_version());
    out(".SH NAME\ncarom \\- event\\-driven contact dynamics\n.SH SYNOPSIS\n.B carom\n\\fICOMMAND\\fR "
        "[\\fIARGUMENT\\fR]...\n.SH DESCRIPTION\ncarom simulates bodies in contact. A scene (YAML) describes the "
        "bodies, the limits of the run and the observables; a run writes one HDF5 result. Data go to standard output, "
        "progress and errors to standard error.\n.SH COMMANDS\n");
    for (size_t i = 0; i < command_count; i++) print_command(commands[i]);
    out(".PP\nEvery command accepts \\fB\\-\\-help\\fR; \\fBcarom \\-\\-version\\fR gives version and commit.\n");
    print_ends();
    out(".SH EXAMPLES\n.nf\ncarom init > first.yaml\ncarom run first.yaml\ncarom info first.h5\n"
        "carom export first.h5 \\-\\-to xyz\n.fi\n");
}
