/* Common parts of the subcommands. A command is a const struct; parsing, help, man page and completions are
 * generated from its option table. The command uses the public header of carom only. */
#ifndef CAROM_CLI_CLI_H
#define CAROM_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/carom.h"

/* Values of a command line; each option refers to its field. */
typedef struct arguments {
    const char *operand;   /* SCENE, FILE, TOPIC, ENGINE; NULL: none */
    const char **operands; /* all operands, if the command accepts several */
    size_t operand_count;
    const char *output, *json, *csv, *format, *completion;
    const char *engines;                    /* checked: names separated by commas */
    const char *seed;                       /* checked: a whole number below 2^64 */
    const char *frame, *cluster, *min_size; /* likewise, or one of the words of the option */
    const char *gap;                        /* checked: a number */
    const char *bind, *port;                /* port: checked, a whole number */
    const char *save, *frames, *particles;  /* the latter two: checked, whole numbers */
    const char *megabytes;                  /* checked: a number */
    const char **sets;
    size_t set_count;
    const char **words; /* values of an option that may be repeated */
    size_t word_count;
    const char *what; /* export: an observable */
    const char *log, *colour, *size, *camera, *rate, *meshes;
    const char *trial; /* check: seconds */
    int threads, jobs;
    int shard, shards; /* --shard: from 1; 0: not given */
    bool resume, keep_checkpoint, force, quiet, json_text, man, reference, dry_run, collect, dark, whole, unshaded,
        no_browser, help, list;
} arguments;

typedef enum option_kind {
    OPTION_FLAG,    /* bool */
    OPTION_FILE,    /* const char * */
    OPTION_CHOICE,  /* const char *, one of `choices` */
    OPTION_LIST,    /* const char *, several of `choices`, separated by commas */
    OPTION_COUNT,   /* const char *, a whole number or one of `choices` */
    OPTION_NUMBER,  /* const char *, a number */
    OPTION_THREADS, /* int */
    OPTION_SHARD,   /* I/N; fills shard and shards */
    OPTION_WORD,    /* const char *, parsed by the command */
    OPTION_WORDS,   /* may be repeated; fills words and word_count */
    OPTION_SETS     /* KEY=VALUE, may be repeated; fills sets and set_count */
} option_kind;

typedef struct option {
    const char *name; /* long, without the dashes */
    char letter;      /* short, or 0 */
    option_kind kind;
    size_t offset;     /* of the field in struct arguments */
    const char *value; /* name of the value in help texts; NULL for flags */
    const char *const *choices;
    bool hidden; /* not in help texts */
    const char *help;
} option;

typedef enum operand_kind {
    OPERAND_NONE,
    OPERAND_SCENE,
    OPERAND_SHOWN, /* a scene or a result */
    OPERAND_RESULT,
    OPERAND_ENGINE,
    OPERAND_TOPIC,
    OPERAND_SWEEP
} operand_kind;

typedef struct command {
    const char *name;
    const char *summary; /* one line, no full stop */
    const char *text;    /* a paragraph for help and manual */
    operand_kind operand;
    bool operand_required, operand_many;
    const option *options;
    size_t option_count;
    int (*run)(const arguments *args); /* returns the exit code */
} command;

extern const command *const commands[];
extern const size_t command_count;
const command *find_command(const char *name); /* NULL if it does not exist */

/* One line a command, in the order of help texts: the file that defines command_<name>. */
#define COMMANDS(each)                                                                                                 \
    each(run) each(init) each(check) each(info) each(export) each(verify) each(shape) each(plot) each(render)          \
        each(sweep) each(compare) each(view) each(help)

#define DECLARE_COMMAND(name) extern const command command_##name;
COMMANDS(DECLARE_COMMAND)
#undef DECLARE_COMMAND

/* "SCENE", ...; "" for commands without an operand. */
const char *operand_name(operand_kind kind);
extern const char *const engine_names[]; /* NULL at the end */
extern const char *const starter_names[];
extern const char *const help_topics[];

/* Fills args from argv[0 .. argc). CAROM_OK or CAROM_USAGE, with a printed error. Free args->sets and operands
 * afterwards. */
carom_status parse_arguments(arguments *args, const command *c, int argc, char **argv);

/* Options of all commands (--help). */
extern const option common_options[];
extern const size_t common_option_count;

/* The candidate closest to `word`; NULL if none is close. */
const char *closest(const char *word, const char *const *candidates, size_t count);

/* Standard output: the first failure is stored, and finish_output converts it to the exit code. */
void out(const char *format, ...) __attribute__((format(printf, 1, 2)));
void flush_output(void);
int finish_output(int status);

/* "carom: error: ..." on standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints a message of the library, with the name of the program before "error:" at its start. */
void complain_message(const char *message);

/* From now on, errors are not printed. */
void complain_silently(void);
/* The text of the last error; "": none. */
const char *complaint(void);

/* Loads the scene of `args`, with its overrides; prints errors. "-" is standard input. *out may be NULL. */
carom_status load_scene(carom_scene **out, const arguments *args);

/* Handlers of signals. */
void handle_signal(int number, void (*handler)(int));

/* Prints the command that resumes a run that was stopped early, with the same overrides. */
void show_way_on(const arguments *args, const char *output);

/* Whether two paths refer to the same file. */
bool same_file(const char *a, const char *b);

/* Checks before the work starts that a text can be written to `path` (NULL: no output; -: standard output). Prints
 * errors. */
carom_status check_text_target(const char *path, bool force);
/* Writes the text there, completely or not at all; adds a missing newline at its end. Reports errors. */
carom_status put_text(const char *path, const char *text);

/* Opens a result file; prints errors. */
carom_status open_result(carom_file **out, const char *path);

/* `path` without its folder and with another ending. The caller frees it; NULL without memory. */
char *name_with_ending(const char *path, const char *ending);

/* "1.23 M", "45.6 MB", "3 min 20 s" in `text`; returns it. */
enum { QUANTITY_SIZE = 48 };
const char *format_count(char text[QUANTITY_SIZE], double value);
const char *format_bytes(char text[QUANTITY_SIZE], double bytes);
const char *format_duration(char text[QUANTITY_SIZE], double seconds);

/* Help texts from the tables. */
void print_usage(void);
void print_command_help(const command *c);
void print_man(void);
void print_completion(const char *shell);

#endif
