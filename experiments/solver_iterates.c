/* What the solvers of time stepping do, iteration by iteration, on the problems of a run:
 *
 *     solver_iterates SCENE SETTING... -- EVERY < CASES
 *     solver_iterates pair < CASES
 *
 * A case is a line: label, solver, relaxation, alpha2, beta, gamma, damping, multiplier damping, lambda, non-smooth (0
 * or 1), iterations. Solvers are those of the engine, and the prototypes of stochastic.h. Each problem of a flexible run
 * (2D) passes through here before the engine solves it; every EVERY-th is solved by all cases.
 *
 * Iterates are seen without a hook in the solvers: after r iterations stands what a solver reaches that may do r. Lines:
 *     problem ID NODES LINKS NEW_LINKS STRAIN
 *     end ID LABEL CONVERGED ITERATIONS STRAIN DISPLACEMENT CPU_US
 *     at ID LABEL ITERATIONS STRAIN
 * STRAIN is the worst |distance / contact distance - 1|; of `pair`, signed. */
#include "stochastic.h"

/* The 2D kernel is compiled here, and stands in for that of the library: its problems pass through problem_solve below,
 * which calls the engine's by another name. */
#define problem_solve engine_solve
#include "aggregation/kernel/steps/solvers.h"
#undef problem_solve
static solution problem_solve(problem *p, const steps_settings *settings, double pace);
#include "aggregation/kernel/steps/kernel.c"

#include <carom/carom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CASES = 64 };
typedef struct trial {
    char label[64], solver[16];
    steps_settings settings;
} trial;

static trial cases[MOST_CASES];
static int case_count;
static unsigned long every = 1, seen;

static bool read_cases(void)
{
    char line[400];
    while (case_count < MOST_CASES && fgets(line, sizeof line, stdin) != NULL) {
        trial *t = &cases[case_count];
        steps_hurwicz h = {0};
        int non_smooth;
        unsigned long iterations;
        const int found = sscanf(line, "%63s %15s %lf %lf %lf %lf %lf %lf %lf %d %lu", t->label, t->solver,
                                 &t->settings.relaxation, &h.alpha2, &h.beta, &h.gamma, &h.damping,
                                 &h.multiplier_damping, &h.lambda, &non_smooth, &iterations);
        if (found != 11) return false;
        h.constraint = non_smooth ? CONSTRAINT_NON_SMOOTH : CONSTRAINT_SMOOTH;
        t->settings.daha = t->settings.aha = h;
        t->settings.iterations = iterations;
        t->settings.tolerance = 1e-7;
        t->settings.solver = strcmp(t->solver, "aha") == 0 ? SOLVER_AHA : SOLVER_DAHA;
        case_count++;
    }
    return case_count > 0;
}

static solution solve(problem *p, const trial *t, uint64_t iterations)
{
    steps_settings settings = t->settings;
    dice d = {.state = 7 + seen};
    settings.iterations = iterations;
    if (strcmp(t->solver, "sor") == 0) return solve_sor(p, &settings, 1);
    if (strcmp(t->solver, "newton") == 0) return solve_newton(p, &settings, 1);
    if (strcmp(t->solver, "shuffled") == 0) return solve_shuffled(p, &settings, &d);
    if (strcmp(t->solver, "drawn") == 0) return solve_drawn(p, &settings, &d);
    if (strcmp(t->solver, "batches") == 0) return solve_batches(p, &settings, &d);
    if (strcmp(t->solver, "annealed") == 0) return solve_annealed(p, &settings, &d);
    if (strcmp(t->solver, "consensus") == 0) return solve_consensus(p, &settings, &d);
    return solver_table[settings.solver].solve(p, &settings, 1);
}

/* As it was before any solver; nodes and bonds that a solver has added stay. */
static void restore(problem *p, const bool *slack, uint32_t count)
{
    for (uint32_t n = 0; n < p->node_count; n++)
        for (int k = 0; k < DIM; k++) p->nodes[n].u[k] = 0;
    for (uint32_t n = 0; n < count; n++) p->bonds[n].slack = slack[n];
}

static double displacement_of(const problem *p)
{
    double sum = 0;
    for (uint32_t n = 0; n < p->node_count; n++) sum += dot(p->nodes[n].u, p->nodes[n].u);
    return sqrt(sum) / p->bonds[0].length;
}

static uint64_t after(uint64_t r)
{
    return r < 4 ? r + 1 : (r * 5 + 3) / 4;
}

static void follow_case(problem *p, const trial *t, const bool *slack, uint32_t count)
{
    const clock_t start = clock();
    solution end = solve(p, t, t->settings.iterations);
    const double us = 1e6 * (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("end %lu %s %d %llu %.3g %.4g %.3g\n", seen, t->label, end.converged, (unsigned long long)end.iterations,
           worst_strain(p), displacement_of(p), us);
    restore(p, slack, count);
    if (strcmp(t->solver, "annealed") == 0) return; /* cooled in as many iterations as it has */
    for (uint64_t r = 1; r <= t->settings.iterations; r = after(r)) {
        solution part = solve(p, t, r);
        printf("at %lu %s %llu %.3g\n", seen, t->label, (unsigned long long)part.iterations, worst_strain(p));
        restore(p, slack, count);
        if (part.converged) return;
    }
}

static solution problem_solve(problem *p, const steps_settings *settings, double pace)
{
    if (seen++ % every != 0 || p->bond_count == 0) return engine_solve(p, settings, pace);
    const steps_settings sor = {.tolerance = 1e-7, .relaxation = 1.3, .iterations = 2000};
    const uint32_t before = p->bond_count;
    bool *slack = calloc(before, sizeof *slack);
    for (uint32_t n = 0; slack != NULL && n < before; n++) slack[n] = p->bonds[n].slack;
    solve_sor(p, &sor, 1); /* takes in the links that are strained, for all */
    const uint32_t count = p->bond_count;
    bool *all = slack == NULL ? NULL : realloc(slack, count * sizeof *all);
    if (all == NULL) exit(1);
    for (uint32_t n = before; n < count; n++) all[n] = p->bonds[n].slack;
    restore(p, all, count);
    uint32_t fresh = 0;
    for (uint32_t n = 0; n < count; n++) fresh += !p->bonds[n].known;
    printf("problem %lu %u %u %u %.3g\n", seen, p->node_count, count, fresh, worst_strain(p));
    for (int k = 0; k < case_count; k++) follow_case(p, &cases[k], all, count);
    free(all);
    return engine_solve(p, settings, pace);
}

/* Two disks that overlap by a tenth. */
static void solve_pair(void)
{
    for (int k = 0; k < case_count; k++)
        for (uint64_t r = 0; r <= cases[k].settings.iterations; r++) {
            problem p = {0};
            const double from[DIM] = {0.9};
            problem_add_node(&p, 0, 1);
            problem_add_node(&p, 1, 1);
            problem_add_bond(&p, 0, 1, from, 1);
            if (r > 0) solve(&p, &cases[k], r);
            printf("at 0 %s %llu %.6g\n", cases[k].label, (unsigned long long)r,
                   0.9 + p.nodes[0].u[0] - p.nodes[1].u[0] - 1);
            problem_free(&p);
        }
}

int main(int count, char **words)
{
    if (count < 2 || !read_cases()) {
        fprintf(stderr, "solver_iterates: SCENE SETTING... -- EVERY, or `pair`; cases on stdin\n");
        return 64;
    }
    if (strcmp(words[1], "pair") == 0) {
        solve_pair();
        return 0;
    }
    carom_scene *given = carom_scene_new();
    int n = 2;
    for (; n < count && strcmp(words[n], "--") != 0; n++) carom_scene_set(given, words[n]);
    if (n + 1 < count) every = strtoul(words[n + 1], NULL, 10);
    carom_sim *sim = NULL;
    carom_options options = {.threads = 1};
    if (every == 0 || carom_scene_load(given, words[1]) != CAROM_OK ||
        carom_sim_new(&sim, given, &options) != CAROM_OK || carom_sim_run(sim) != CAROM_OK) {
        fprintf(stderr, "%s\n%s\n", carom_scene_message(given), sim == NULL ? "" : carom_sim_message(sim));
        return 65;
    }
    carom_sim_free(sim);
    carom_scene_free(given);
    return 0;
}
