/* Standard output and standard error; formats of quantities. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static int output_error;
static bool muted;
static char last_complaint[600];

static void keep_error(void)
{
    if (output_error == 0) output_error = errno != 0 ? errno : EIO;
}

void out(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    errno = 0;
    if (vfprintf(stdout, format, args) < 0) keep_error();
    va_end(args);
}

void flush_output(void)
{
    errno = 0;
    if (fflush(stdout) != 0) keep_error();
}

int finish_output(int status)
{
    flush_output();
    if (output_error == 0) return status;
    if (output_error != EPIPE) complain("cannot write standard output: %s", strerror(output_error));
    return status == CAROM_OK ? CAROM_IO : status;
}

void complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(last_complaint, sizeof last_complaint, format, args);
    va_end(args);
    if (muted) return;
    va_start(args, format);
    fputs("carom: error: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

void complain_message(const char *message)
{
    if (message == NULL || *message == '\0') return;
    snprintf(last_complaint, sizeof last_complaint, "%s", message);
    if (muted) return;
    fprintf(stderr, "%s%s\n", strncmp(message, "error:", 6) == 0 ? "carom: " : "", message);
}

void complain_silently(void)
{
    muted = true;
}

const char *complaint(void)
{
    return last_complaint;
}

char *name_with_ending(const char *path, const char *ending)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    char *made = malloc(length + strlen(ending) + 1);
    if (made == NULL) return NULL;
    memcpy(made, name, length);
    strcpy(made + length, ending);
    return made;
}

static const char *scaled(char text[QUANTITY_SIZE], double value, const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    size_t prefix = 0;
    while (fabs(value) >= 999.5 && prefix + 1 < sizeof prefixes / sizeof *prefixes) {
        value /= 1000;
        prefix++;
    }
    bool bare = *prefixes[prefix] == '\0' && *unit == '\0';
    snprintf(text, QUANTITY_SIZE, "%.3g%s%s%s", value, bare ? "" : " ", prefixes[prefix], unit);
    return text;
}

const char *format_count(char text[QUANTITY_SIZE], double value)
{
    return scaled(text, value, "");
}

const char *format_bytes(char text[QUANTITY_SIZE], double bytes)
{
    return scaled(text, bytes, "B");
}

const char *format_duration(char text[QUANTITY_SIZE], double seconds)
{
    if (seconds < 59.95)
        snprintf(text, QUANTITY_SIZE, "%.3g s", seconds);
    else if (seconds < 3600)
        snprintf(text, QUANTITY_SIZE, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
    else if (seconds < 1e7)
        snprintf(text, QUANTITY_SIZE, "%d h %02d min", (int)seconds / 3600, (int)seconds / 60 % 60);
    else
        snprintf(text, QUANTITY_SIZE, "%.3g days", seconds / 86400);
    return text;
}
