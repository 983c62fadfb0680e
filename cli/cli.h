/* What the subcommands share. A command is a const struct; its option table drives parsing, help, man page and
 * completions. The command knows carom through its public header only. */
#ifndef CAROM_CLI_CLI_H
#define CAROM_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/carom.h"

/* All that a command line can say; each option names its field. */
typedef struct arguments {
    const char *operand;   /* SCENE, FILE, TOPIC, ENGINE; NULL where none is given */
    const char **operands; /* all of them, where the command takes many */
    size_t operand_count;
    const char *output, *json, *csv, *format, *completion;
    const char *engines;                    /* checked: names with commas between */
    const char *seed;                       /* checked: a whole number below 2^64 */
    const char *frame, *cluster, *min_size; /* likewise, or one of the option's words */
    const char *gap;                        /* checked: a number */
    const char *bind, *port;                /* port: checked, a whole number */
    const char **sets;
    size_t set_count;
    const char **words; /* of the option that may be repeated */
    size_t word_count;
    const char *what; /* export: an observable */
    const char *log, *colour, *size, *camera, *rate, *meshes;
    const char *trial; /* check: seconds */
    int threads, jobs;
    int shard, shards; /* --shard: from 1; 0 where it is not given */
    bool resume, keep_checkpoint, force, quiet, json_text, man, reference, dry_run, collect, dark, whole, unshaded,
        no_browser, help, list;
} arguments;

typedef enum option_kind {
    OPTION_FLAG,    /* bool */
    OPTION_FILE,    /* const char * */
    OPTION_CHOICE,  /* const char *, one of `choices` */
    OPTION_LIST,    /* const char *, several of `choices`, with commas between */
    OPTION_COUNT,   /* const char *, a whole number or one of `choices` */
    OPTION_NUMBER,  /* const char *, a number */
    OPTION_THREADS, /* int */
    OPTION_SHARD,   /* I/N; fills shard and shards */
    OPTION_WORD,    /* const char *, looked at by the command */
    OPTION_WORDS,   /* may be repeated; fills words and word_count */
    OPTION_SETS     /* KEY=VALUE, may be repeated; fills sets and set_count */
} option_kind;

typedef struct option {
    const char *name; /* long, without the dashes */
    char letter;      /* short, or 0 */
    option_kind kind;
    size_t offset;     /* of the field in struct arguments */
    const char *value; /* what the value is called in help texts; NULL for flags */
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
    int (*run)(const arguments *args); /* gives the exit code */
} command;

extern const command *const commands[];
extern const size_t command_count;

/* One line a command, in the order of help texts: the file that defines command_<name>. */
#define COMMANDS(each)                                                                                                 \
    each(run) each(init) each(check) each(info) each(export) each(verify) each(shape) each(plot) each(render)          \
        each(sweep) each(compare) each(view) each(help)

#define DECLARE_COMMAND(name) extern const command command_##name;
COMMANDS(DECLARE_COMMAND)
#undef DECLARE_COMMAND

/* "SCENE", ...; "" where the command takes none. */
const char *operand_name(operand_kind kind);
extern const char *const engine_names[]; /* NULL at the end */
extern const char *const starter_names[];
extern const char *const help_topics[];

/* Fills args from argv[0 .. argc). CAROM_OK or CAROM_USAGE, the fault reported. Free args->sets and operands
 * afterwards. */
carom_status parse_arguments(arguments *args, const command *c, int argc, char **argv);

/* Options that every command understands (--help). */
extern const option common_options[];
extern const size_t common_option_count;

/* The candidate closest to `word`, or NULL where none is close. */
const char *closest(const char *word, const char *const *candidates, size_t count);

/* Standard output: the first failure is kept, and finish_output turns it into the exit code. */
void out(const char *format, ...) __attribute__((format(printf, 1, 2)));
int finish_output(int status);

/* "carom: error: ..." on standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A message of the library as it is, with the program's name in front where it begins with "error:". */
void complain_message(const char *message);

/* Loads the scene `args` name, with their overrides; reports faults. "-" is standard input. *out may be NULL. */
carom_status load_scene(carom_scene **out, const arguments *args);

/* What to do when a signal comes. */
void handle_signal(int number, void (*handler)(int));

/* Says how to go on with a run that was stopped early; without the overrides the scene would be another. */
void show_way_on(const arguments *args, const char *output);

/* Whether two paths name one file. */
bool same_file(const char *a, const char *b);

/* Looks whether a text can be written to `path` (NULL: nowhere; -: standard output) before work begins. Reports
 * faults. */
carom_status check_text_target(const char *path, bool force);
/* Writes it there, whole or not at all; the last line gets its end where it has none. Reports faults. */
carom_status put_text(const char *path, const char *text);

/* Opens a result file; reports faults. */
carom_status open_result(carom_file **out, const char *path);

/* `path` without its folder, its ending replaced. Caller frees; NULL where there is no memory. */
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
