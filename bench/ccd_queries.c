/* The continuous collision detection on queries with known answers:
 *
 *     ccd_queries [--vf | --ee] FILE...
 *
 * tests/support/ccd_queries.h describes the format. The kind of a file follows from its path (vertex-face or vf, edge-edge
 * or ee), or from the flag for all.
 *
 * Prints one line per file and the sum, times in CPU microseconds per query: the mean, and the worst of the fastest of
 * three calls. A query with a coordinate that is not a double counts as rounded: its answer may be that of a different
 * query. */
#include "../tests/support/ccd_queries.h"
#include "base/memory.h"

#include <time.h>

typedef struct tally {
    long queries, positives, false_negatives, false_positives, rounded;
    double total_us, worst_us;
} tally;

static double cpu_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static void judge(query_kind k, const query *q, tally *sum)
{
    double fastest = INFINITY, toi = 0.0;
    bool answer = false;
    for (int again = 0; again < 3; again++) {
        double start = cpu_us();
        answer = ask(k, q, 0.0, &toi);
        fastest = fmin(fastest, cpu_us() - start);
    }
    sum->queries++;
    sum->positives += q->meets;
    sum->rounded += q->rounded;
    sum->false_negatives += q->meets && !answer;
    sum->false_positives += !q->meets && answer;
    sum->worst_us = fmax(sum->worst_us, fastest);
}

/* The mean over the whole file, without the cost of the clock. */
static double time_all(query_kind k, const query *queries, long count)
{
    enum { ROUNDS = 20 };
    long met = 0;
    double start = cpu_us(), toi;
    for (int round = 0; round < ROUNDS; round++) {
        for (long i = 0; i < count; i++) met += ask(k, &queries[i], 0.0, &toi);
    }
    double us = (cpu_us() - start) / ROUNDS;
    return met >= 0 ? us : 0.0;
}

static query_kind kind_of(const char *path)
{
    static const char *const names[2][2] = {{"vertex-face", "vf"}, {"edge-edge", "ee"}};
    for (int spelling = 0; spelling < 2; spelling++) {
        for (int k = 0; k < 2; k++) {
            if (strstr(path, names[k][spelling]) != NULL) return (query_kind)k;
        }
    }
    return UNKNOWN;
}

static bool run(const char *path, query_kind k, query **queries, long *capacity, tally *sum)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "%s: cannot be opened\n", path);
        return false;
    }
    long count = 0, row = 0;
    int state = 0;
    while (*queries != NULL && (state = read_query(file, &(*queries)[count], &row)) == 1) {
        judge(k, &(*queries)[count++], sum);
        if (count < *capacity) continue;
        query *larger = memory_resize(*queries, (size_t)*capacity, 2 * (size_t)*capacity, sizeof(query));
        if (larger == NULL) memory_free(*queries);
        *queries = larger;
        *capacity *= 2;
    }
    fclose(file);
    if (*queries == NULL) {
        fprintf(stderr, "%s: no memory for its queries\n", path);
    } else if (state < 0) {
        fprintf(stderr, "%s:%ld: expected 8 rows a query of x,xd,y,yd,z,zd,truth in integers, all xd > 0\n", path, row);
    } else {
        sum->total_us = time_all(k, *queries, count);
    }
    return *queries != NULL && state == 0;
}

static void print(const char *name, const tally *t)
{
    double mean = t->queries > 0 ? t->total_us / (double)t->queries : 0.0;
    printf("%8ld %9ld %9ld %9ld %7ld %9.3f %9.3f  %s\n", t->queries, t->positives, t->false_negatives,
           t->false_positives, t->rounded, mean, t->worst_us, name);
}

static void add(tally *all, const tally *t)
{
    all->queries += t->queries;
    all->positives += t->positives;
    all->false_negatives += t->false_negatives;
    all->false_positives += t->false_positives;
    all->rounded += t->rounded;
    all->total_us += t->total_us;
    all->worst_us = fmax(all->worst_us, t->worst_us);
}

int main(int argc, char **argv)
{
    query_kind forced = UNKNOWN;
    int first = 1;
    if (argc > 1 && strcmp(argv[1], "--vf") == 0) forced = VERTEX_FACE;
    if (argc > 1 && strcmp(argv[1], "--ee") == 0) forced = EDGE_EDGE;
    if (forced != UNKNOWN) first = 2;
    if (first >= argc) {
        fprintf(stderr, "usage: ccd_queries [--vf | --ee] FILE...\n");
        return 2;
    }
    long capacity = 1024;
    query *queries = NEW_ARRAY((size_t)capacity, query);
    tally all = {0};
    bool well = true;
    printf("%8s %9s %9s %9s %7s %9s %9s\n", "queries", "positives", "false neg", "false pos", "rounded", "mean us",
           "worst us");
    for (int i = first; i < argc && queries != NULL; i++) {
        query_kind k = forced != UNKNOWN ? forced : kind_of(argv[i]);
        tally t = {0};
        if (k == UNKNOWN) {
            fprintf(stderr, "%s: vertex-face or edge-edge? Say --vf or --ee, or have it in the path\n", argv[i]);
            well = false;
        } else if (run(argv[i], k, &queries, &capacity, &t)) {
            print(argv[i], &t);
            add(&all, &t);
        } else {
            well = false;
        }
    }
    print("all", &all);
    memory_free(queries);
    return well && all.false_negatives == 0 ? 0 : 1;
}
