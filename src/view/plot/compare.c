/* Comparison of several files: common panels, and styles of the curves. */
#include <string.h>

#include "base/memory.h"
#include "view/plot/plot.h"

/* ---- names of files ---------------------------------------------------------------------------------------------- */

/* The last `parts` parts of a path; *whole: this is the complete path. */
static char *tail_of(const char *path, size_t parts, bool *whole)
{
    size_t length = strlen(path), start = length;
    while (length > 1 && path[length - 1] == '/') start = --length;
    for (size_t n = 0; n < parts && start > 0; n++) {
        if (n > 0) start--;
        while (start > 0 && path[start - 1] != '/') start--;
    }
    *whole = start == 0;
    length -= start;
    if (length > 3 && strncmp(path + start + length - 3, ".h5", 3) == 0) length -= 3;
    return memory_format("%.*s", (int)(length < 200 ? length : 200), path + start);
}

static bool is_alike(const plot_sheet *p, size_t file)
{
    for (size_t k = 0; k < p->file_count; k++)
        if (k != file && strcmp(p->files[k], p->files[file]) == 0) return true;
    return false;
}

void plot_distinguish_files(plot_sheet *p)
{
    enum { PARTS_MOST = 64 };
    bool *alike = NEW_ARRAY(p->file_count, bool);
    bool any = alike != NULL, more = true;
    for (size_t parts = 2; any && more && parts < PARTS_MOST; parts++) {
        any = more = false;
        for (size_t k = 0; k < p->file_count; k++) alike[k] = is_alike(p, k);
        for (size_t k = 0; k < p->file_count; k++) {
            bool whole;
            char *name = alike[k] ? tail_of(p->paths[k], parts, &whole) : NULL;
            if (name == NULL) continue;
            memory_free(p->files[k]);
            p->files[k] = name;
            any = true;
            more = more || !whole;
        }
    }
    memory_free(alike);
}

/* ---- panels ------------------------------------------------------------------------------------------------------ */

static bool same_curves(const plot_panel *a, const plot_panel *b)
{
    if (a->count != b->count || strcmp(a->what, b->what) != 0) return false;
    for (size_t k = 0; k < a->count; k++)
        if (!plot_same_points(&a->curves[k], &b->curves[k])) return false;
    return true;
}

/* If the curves are equal, "Energy: total" and "Energy: kinetic" become "Energy: total = kinetic". */
static void join_equal(plot_sheet *p)
{
    for (size_t a = 0; a < p->count; a++)
        for (size_t b = a + 1; b < p->count; b++) {
            plot_panel *first = &p->panels[a], *other = &p->panels[b];
            const char *name = strstr(other->title, ": ");
            if (name == NULL || !same_curves(first, other)) continue;
            char *both = memory_format("%s = %s", first->title, name + 2);
            if (both == NULL) p->failed = true;
            if (both == NULL) return;
            memory_free(first->title);
            first->title = both;
            plot_remove(p, b--);
        }
}

static bool is_shared(const plot_panel *panel)
{
    const plot_curve *first = NULL;
    for (size_t k = 0; k < panel->count; k++) {
        const plot_curve *c = &panel->curves[k];
        if (c->guide || c->count == 0) continue;
        if (first != NULL && c->file != first->file) return true;
        first = first != NULL ? first : c;
    }
    return false;
}

static void leave_out(plot_sheet *p, size_t k)
{
    char *more = memory_format("%s%s%s", p->left_out != NULL ? p->left_out : "", p->left_out != NULL ? ", " : "",
                               p->panels[k].name);
    if (more == NULL) p->failed = true;
    memory_free(p->left_out);
    p->left_out = more;
    plot_remove(p, k);
}

void plot_compare(plot_sheet *p, bool all)
{
    bool any = false;
    plot_distinguish_files(p);
    join_equal(p);
    for (size_t k = 0; k < p->count; k++) any = any || is_shared(&p->panels[k]);
    for (size_t k = 0; k < p->count && any && !all; k++)
        if (!is_shared(&p->panels[k])) leave_out(p, k--);
}
