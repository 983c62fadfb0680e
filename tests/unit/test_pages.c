/* Detects pages that record a state for which they have no room or that does not follow, and calls from a potential that
 * disturb a recording. */
#include "../support/play.h"
#include "../support/suite.h"

#define SCENE(engine, dimension)                                                                                       \
    "carom: 1\nengine: " engine "\ndimension: " dimension "\nbox: {size: 12, boundary: wall}\n"                        \
    "species: {grain: {diameter: 1}}\n"                                                                                \
    "particles: [{species: grain, count: 20, place: random, velocity: {maxwell: 1}}]\n"                                \
    "run: {until: {time: 9}}\n"

static carom_page *new_page(void)
{
    carom_page *page = NULL;
    REQUIRE(carom_page_new(&page, NULL) == CAROM_OK);
    return page;
}

/* Each has 20 particles; frames of the first have clusters, of the third layers, of the last two dimensions. */
START_TEST(other_simulations_are_refused)
{
    static const char *const scenes[] = {SCENE("aggregation", "3"), SCENE("hard", "3"), SCENE("variational", "3"),
                                         SCENE("hard", "2")};
    enum { COUNT = sizeof scenes / sizeof *scenes };
    for (int n = 0; n < COUNT; n++) {
        play first = play_open(scenes[_i], NULL), other = play_open(scenes[n], NULL);
        carom_page *page = new_page();
        ck_assert_int_eq(carom_page_record(page, first.sim), CAROM_OK);
        const carom_status status = carom_page_record(page, other.sim);
        printf("%d after %d: %s\n", n, _i, carom_page_message(page));
        ck_assert_int_eq(status, n == _i ? CAROM_OK : CAROM_USAGE);
        ck_assert_uint_eq(carom_page_recorded(page), n == _i ? 2 : 1);
        carom_page_free(page);
        play_close(&first);
        play_close(&other);
    }
}
END_TEST

START_TEST(times_do_not_go_back)
{
    play later = play_open(SCENE("hard", "2"), NULL), first = play_open(SCENE("hard", "2"), NULL);
    char *html = NULL;
    carom_page *page = new_page();
    ck_assert_int_eq(carom_page_text(page, &html), CAROM_USAGE);
    ck_assert_ptr_null(html);
    play_advance(&later, 1);
    ck_assert_int_eq(carom_page_record(page, later.sim), CAROM_OK);
    ck_assert_int_eq(carom_page_record(page, first.sim), CAROM_USAGE);
    play_advance(&later, 2);
    ck_assert_int_eq(carom_page_record(page, later.sim), CAROM_OK);
    ck_assert_int_eq(carom_page_text(page, &html), CAROM_OK);
    ck_assert_ptr_nonnull(strstr(html, "data-recorded=\"2\""));
    carom_free(html);
    carom_page_free(page);
    play_close(&first);
    play_close(&later);
}
END_TEST

typedef struct world {
    play play;
    carom_page *page;
    size_t calls, refused;
} world;

static double call_back(void *user, double time, const double *positions, double *forces)
{
    (void)time, (void)positions, (void)forces;
    world *w = user;
    if (w->page == NULL) return 0;
    w->calls++;
    w->refused += carom_page_record(w->page, w->play.sim) == CAROM_USAGE;
    w->refused += carom_sim_advance(w->play.sim, 8) == CAROM_USAGE;
    carom_page_free(w->page);
    carom_sim_free(w->play.sim);
    return 0;
}

START_TEST(calls_from_a_potential_are_refused)
{
    world w = {.play = play_open(SCENE("variational", "2"), NULL)};
    const carom_potential potential = {.force = call_back, .user = &w, .step = 0.01};
    ck_assert_int_eq(carom_sim_add_potential(w.play.sim, &potential), CAROM_OK);
    w.page = new_page();
    ck_assert_int_eq(carom_page_record(w.page, w.play.sim), CAROM_OK);
    printf("%zu calls, %zu refusals\n", w.calls, w.refused);
    ck_assert(w.calls > 0 && w.refused == 2 * w.calls);
    ck_assert_uint_eq(carom_page_recorded(w.page), 1);
    carom_page *page = w.page;
    w.page = NULL;
    play_close(&w.play);
    carom_page_free(page);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("pages");
    tcase_add_loop_test(all, other_simulations_are_refused, 0, 4);
    tcase_add_test(all, times_do_not_go_back);
    tcase_add_test(all, calls_from_a_potential_are_refused);
    return suite_run("test_pages", all);
}
