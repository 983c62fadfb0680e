#include "view/plot/plot.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "output/results/json_text.h"
#include "view/axis.h"

static void free_curve(plot_curve *c)
{
    memory_free(c->name);
    memory_free(c->note);
    memory_free(c->x);
    memory_free(c->y);
    memory_free(c->error);
}

static void free_panel(plot_panel *panel)
{
    for (size_t k = 0; k < panel->count; k++) free_curve(&panel->curves[k]);
    memory_free(panel->curves);
    memory_free(panel->name);
    memory_free(panel->what);
    memory_free(panel->title);
    memory_free(panel->x_label);
    memory_free(panel->y_label);
    memory_free(panel->note);
}

void plot_free(plot_sheet *p)
{
    for (size_t k = 0; k < p->count; k++) free_panel(&p->panels[k]);
    for (size_t k = 0; k < p->file_count; k++) {
        memory_free(p->files[k]);
        memory_free(p->paths[k]);
    }
    memory_free(p->panels);
    memory_free(p->files);
    memory_free(p->paths);
    memory_free(p->left_out);
    memory_free(p->title);
    *p = (plot_sheet){0};
}

/* Appends an element to a list; NULL (and p->failed) if no memory is left. */
static void *one_more(plot_sheet *p, void *list, size_t count, size_t size)
{
    void *grown = list == NULL ? memory_new(1, size) : memory_resize(list, count, count + 1, size);
    if (grown == NULL) p->failed = true;
    return grown;
}

static char *copy(plot_sheet *p, const char *text)
{
    char *made = memory_text(text);
    if (made == NULL) p->failed = true;
    return made;
}

static void set_text(plot_sheet *p, char **field, const char *text)
{
    memory_free(*field);
    *field = copy(p, text);
}

void plot_begin_file(plot_sheet *p, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    size_t start = length;
    while (start > 0 && path[start - 1] != '/') start--;
    const char *name = path + start;
    length -= start;
    if (length > 3 && strncmp(name + length - 3, ".h5", 3) == 0) length -= 3;
    char **grown = one_more(p, p->files, p->file_count, sizeof *grown);
    if (grown == NULL) return;
    p->files = grown;
    grown = one_more(p, p->paths, p->file_count, sizeof *grown);
    if (grown == NULL) return;
    p->paths = grown;
    p->paths[p->file_count] = copy(p, path);
    p->files[p->file_count] = memory_format("%.*s", (int)(length < 200 ? length : 200), name);
    if (p->files[p->file_count] == NULL) p->failed = true;
    if (p->failed) {
        memory_free(p->paths[p->file_count]);
        memory_free(p->files[p->file_count]);
    } else {
        p->file_count++;
    }
}

/* After the other panels of the observable. */
static size_t place_for(const plot_sheet *p, const char *what)
{
    for (size_t k = p->count; k-- > 0;)
        if (strcmp(p->panels[k].what, what) == 0) return k + 1;
    return p->count;
}

plot_panel *plot_panel_of(plot_sheet *p, const char *what, const char *name, const char *title)
{
    for (size_t k = 0; k < p->count; k++)
        if (strcmp(p->panels[k].name, name) == 0) return &p->panels[k];
    plot_panel *grown = one_more(p, p->panels, p->count, sizeof *grown);
    if (grown == NULL) return NULL;
    p->panels = grown;
    plot_panel made = {.name = copy(p, name), .what = copy(p, what), .title = copy(p, title)};
    made.x_label = copy(p, "");
    made.y_label = copy(p, "");
    if (p->failed) {
        free_panel(&made);
        return NULL;
    }
    const size_t place = place_for(p, what);
    memmove(&p->panels[place + 1], &p->panels[place], (p->count - place) * sizeof made);
    p->panels[place] = made;
    p->count++;
    return &p->panels[place];
}

void plot_label(plot_sheet *p, plot_panel *panel, const char *x, const char *y)
{
    if (panel == NULL) return;
    set_text(p, &panel->x_label, x);
    set_text(p, &panel->y_label, y);
}

static const char *minus(double value)
{
    return value < 0 ? "\u2212" : "";
}

static char *note_text(const char *meaning, double value, double deviation)
{
    enum { DECIMALS_MOST = 4, DIGITS_MOST = 12 };
    const double size = fabs(value);
    const bool known = isfinite(deviation) && deviation > 0;
    const int decimals = known ? (int)fmax(0, -floor(log10(deviation))) : 0;
    const int digits = known && size > deviation ? (int)fmin(1 + ceil(log10(size / deviation)), DIGITS_MOST) : 1;
    if (!known) return memory_format("%s %s%.4g", meaning, minus(value), size);
    if (decimals <= DECIMALS_MOST && size < 1e6)
        return memory_format("%s %s%.*f \u00b1 %.*f", meaning, minus(value), decimals, size, decimals, deviation);
    return memory_format("%s %s%.*g \u00b1 %.1g", meaning, minus(value), digits, size, deviation);
}

/* The curve that was added last for the present file. */
static plot_curve *latest_curve(const plot_sheet *p, plot_panel *panel)
{
    for (size_t k = panel->count; k-- > 0;)
        if (!panel->curves[k].guide && panel->curves[k].file + 1 == p->file_count) return &panel->curves[k];
    return NULL;
}

void plot_note(plot_sheet *p, plot_panel *panel, const char *meaning, double value, double deviation)
{
    plot_curve *of = panel != NULL && p->split ? latest_curve(p, panel) : NULL;
    char **note = of != NULL ? &of->note : panel != NULL ? &panel->note : NULL;
    if (note == NULL || *note != NULL || !isfinite(value)) return;
    *note = note_text(meaning, value, deviation);
    if (*note == NULL) p->failed = true;
}

bool plot_same_points(const plot_curve *a, const plot_curve *b)
{
    return a->count == b->count && a->file == b->file && memcmp(a->x, b->x, a->count * sizeof *a->x) == 0 &&
           memcmp(a->y, b->y, a->count * sizeof *a->y) == 0;
}

void plot_join_equal(plot_sheet *p, plot_panel *panel)
{
    if (panel == NULL || panel->count < 2) return;
    for (size_t k = 1; k < panel->count; k++) {
        plot_curve *first = &panel->curves[0], *other = &panel->curves[k];
        if (!plot_same_points(first, other)) continue;
        char *both = memory_format("%s = %s", first->name, other->name);
        if (both == NULL) p->failed = true;
        if (both == NULL) return;
        memory_free(first->name);
        first->name = both;
        free_curve(other);
        memmove(other, other + 1, (panel->count - k - 1) * sizeof *other);
        panel->count--;
        k--;
    }
}

static void fill(plot_curve *c, const double *x, const double *y, size_t stride, const double *errors, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double at = x != NULL ? x[i] : (double)i, value = y[i * stride];
        if (!(fabs(at) <= AXIS_MOST) || !(fabs(value) <= AXIS_MOST)) continue;
        c->x[c->count] = at;
        c->y[c->count] = value;
        if (errors != NULL) c->error[c->count] = isfinite(errors[i]) ? errors[i] : 0;
        c->count++;
    }
}

plot_curve *plot_curve_add(plot_sheet *p, plot_panel *panel, const char *name, const double *x, const double *y,
                           size_t stride, const double *errors, size_t count)
{
    if (panel == NULL) return NULL;
    plot_curve *grown = one_more(p, panel->curves, panel->count, sizeof *grown);
    if (grown == NULL) return NULL;
    panel->curves = grown;
    plot_curve *c = &panel->curves[panel->count];
    *c = (plot_curve){.name = copy(p, name), .file = p->file_count > 0 ? p->file_count - 1 : 0};
    c->x = NEW_ARRAY(count, double);
    c->y = NEW_ARRAY(count, double);
    if (errors != NULL) c->error = NEW_ARRAY(count, double);
    if (c->name == NULL || c->x == NULL || c->y == NULL || (errors != NULL && c->error == NULL)) {
        p->failed = true;
        free_curve(c);
        return NULL;
    }
    fill(c, x, y, stride, errors, count);
    panel->count++;
    return c;
}

const char *plot_words(char buffer[PLOT_NAME], const char *name)
{
    snprintf(buffer, PLOT_NAME, "%s", name);
    for (char *at = buffer; *at != '\0'; at++)
        if (*at == '_') *at = ' ';
    return buffer;
}

const char *plot_with_quantity(char buffer[2 * PLOT_NAME], const char *name, const char *quantity)
{
    char words[PLOT_NAME], units[PLOT_NAME - 4];
    size_t used = 0;
    plot_words(words, name);
    for (; *quantity != '\0' && used + 5 < sizeof units; quantity++) { /* exponents are superscripts */
        if (*quantity == '^' && isdigit((unsigned char)quantity[1])) {
            used += (size_t)snprintf(units + used, sizeof units - used, "^{%c}", quantity[1]);
            quantity++;
        } else {
            units[used++] = *quantity;
        }
    }
    units[used] = '\0';
    if (used == 0 || strcmp(units, words) == 0)
        snprintf(buffer, 2 * PLOT_NAME, "%s", words);
    else
        snprintf(buffer, 2 * PLOT_NAME, "%s (%s)", words, units);
    return buffer;
}

void plot_drop_empty(plot_sheet *p)
{
    size_t kept = 0;
    for (size_t k = 0; k < p->count; k++) {
        size_t points = 0;
        for (size_t c = 0; c < p->panels[k].count; c++) points += p->panels[k].curves[c].count;
        if (points == 0)
            free_panel(&p->panels[k]);
        else
            p->panels[kept++] = p->panels[k];
    }
    p->count = kept;
}

void plot_remove(plot_sheet *p, size_t panel)
{
    free_panel(&p->panels[panel]);
    memmove(&p->panels[panel], &p->panels[panel + 1], (p->count - panel - 1) * sizeof *p->panels);
    p->count--;
}

static bool is_asked(const plot_panel *panel, const char *what)
{
    return strcmp(panel->name, what) == 0 || strcmp(panel->what, what) == 0;
}

carom_status plot_choose(plot_sheet *p, const char *const *what, size_t count, const char **unknown)
{
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        bool found = false;
        for (size_t i = 0; i < p->count; i++) found = found || is_asked(&p->panels[i], what[k]);
        if (found) continue;
        *unknown = what[k];
        return CAROM_USAGE;
    }
    for (size_t k = 0; k < count; k++)
        for (size_t i = kept; i < p->count; i++) {
            if (!is_asked(&p->panels[i], what[k])) continue;
            const plot_panel found = p->panels[i];
            memmove(&p->panels[kept + 1], &p->panels[kept], (i - kept) * sizeof found);
            p->panels[kept++] = found;
        }
    for (size_t i = kept; count > 0 && i < p->count; i++) free_panel(&p->panels[i]);
    if (count > 0) p->count = kept;
    return CAROM_OK;
}

static void json_curve(json_text *j, const plot_sheet *p, const plot_curve *c)
{
    json_open(j, '{');
    json_key(j, "name");
    json_word(j, c->name);
    json_key(j, "file");
    json_word(j, c->file < p->file_count ? p->files[c->file] : "");
    if (c->note != NULL) json_key(j, "note");
    if (c->note != NULL) json_word(j, c->note);
    json_key(j, "points");
    json_count_put(j, c->count);
    json_close(j, '}');
}

static void json_panel(json_text *j, const plot_sheet *p, const plot_panel *panel)
{
    const char *const keys[] = {"name", "title", "x", "y", "note"};
    const char *const values[] = {panel->name, panel->title, panel->x_label, panel->y_label,
                                  panel->note != NULL ? panel->note : ""};
    json_open(j, '{');
    for (int k = 0; k < 5; k++) {
        json_key(j, keys[k]);
        json_word(j, values[k]);
    }
    json_key(j, "log");
    json_word(j, panel->log[0] ? panel->log[1] ? "xy" : "x" : panel->log[1] ? "y" : "");
    json_key(j, "curves");
    json_open(j, '[');
    for (size_t k = 0; k < panel->count; k++) json_curve(j, p, &panel->curves[k]);
    json_close(j, ']');
    json_close(j, '}');
}

carom_status plot_json(const plot_sheet *p, const char *picture, char **out, error *e)
{
    json_text j = {0};
    json_open(&j, '{');
    json_key(&j, "picture");
    json_word(&j, picture);
    json_key(&j, "panels");
    json_open(&j, '[');
    for (size_t k = 0; k < p->count; k++) json_panel(&j, p, &p->panels[k]);
    json_close(&j, ']');
    if (p->left_out != NULL) json_key(&j, "left_out");
    if (p->left_out != NULL) json_word(&j, p->left_out);
    json_close(&j, '}');
    *out = j.text.data;
    if (!j.text.failed) return CAROM_OK;
    text_free(&j.text);
    *out = NULL;
    return error_memory(e, "a report", 1 << 16);
}
