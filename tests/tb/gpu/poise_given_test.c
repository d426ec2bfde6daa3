/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/poise_given_test.c: pairs that the machine gives to the inference engine. Under random-restart every epoch has a start
 * of its own, the same whoever computes. With poise.told and no strides each SM is from the first cycle of an epoch on at the pair that an
 * earlier run has found, and stays there. On a small machine observed, and with every backend. */
#include <stdlib.h>
#include <unistd.h>

#include "tests/tb/gpu/epochs.h"
#include "tests/tb/gpu/walk.h"

static const char text[] = PTX_HEADER WALK("walk") WALK("stroll");

static char stats[] = "/tmp/heddle-poise-given-XXXXXX";

static struct config poised(const char *policy, int64_t period, int64_t stride)
{
    struct config c = test_config();
    strcpy(c.run_sched, policy);
    c.run_observe = SMALL;
    c.poise_period = period;
    c.poise_warmup = 20;
    c.poise_feature = 200;
    c.poise_search = 60;
    c.poise_stride_n = c.poise_stride_p = stride;
    c.l1d_sets = 16;
    c.l1d_ways = 8;
    return c;
}

static void open(struct bench *b, const struct config *c, const char *path,
                 void (*probe)(void *, uint64_t))
{
    bench_open(b, c, text, path);
    watch.gpu = b->gpu;
    b->gpu->probe = probe;
}

static enum gpu_status run(struct bench *b, const char *kernel)
{
    memset(watch.seen, 0, sizeof watch.seen);
    watch.last = UINT64_MAX;
    walk_params(b, 2 * NUM_SMS, SMALL ? 60 : 8);
    return bench_run(b, kernel, 2 * NUM_SMS, WALK_THREADS);
}

/* ---- random-restart ---- */

/* Two launches, by their rows: `most` values at the most. Returns how many. */
static size_t two_launches(const struct config *c, uint64_t *rows, size_t most)
{
    struct bench b;
    unsigned ended[5];
    size_t count = 0;
    open(&b, c, NULL, look);
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(run(&b, "walk"), GPU_OK);
        compare(&b, ended);
        assert_true(ended[ended_search] > 0 && !ended[ended_compute] && !ended[ended_idle]);
        const struct unit_rows *u = rows_of(bench_stats(&b));
        assert_true(count + u->count * NUM_COLUMNS <= most);
        memcpy(rows + count, u->rows, u->count * NUM_COLUMNS * sizeof *rows);
        count += u->count * NUM_COLUMNS;
    }
    bench_close(&b);
    return count;
}

static uint64_t rows[2][100000];

static void random_starts(void **unused)
{
    (void)unused;
    struct config c = poised("random-restart", 1500, 1);
    const size_t count = two_launches(&c, rows[0], sizeof rows[0] / sizeof *rows[0]);
    unsigned starts[NUM_WARPS + 1][NUM_WARPS + 1] = {{0}}, pairs = 0, differ = 0;
    for (size_t i = 0; i < count; i += NUM_COLUMNS) {
        const uint64_t *row = rows[0] + i, n = row[AT_predicted_n], p = row[AT_predicted_p];
        assert_true(row[AT_given] == 1 && row[AT_accesses_base] == LOG_NONE);
        assert_true(1 <= p && p <= n && n <= row[AT_most]);
        pairs += !starts[n][p]++;
    }
    assert_true(pairs > 3);
    static const struct {
        const char *backend;
        unsigned threads;
    } variants[] = {{"c", 1}, {"c", 2}, {"c", 3}, {"rtl", 3}, {"lockstep", 2}};
    for (unsigned i = 0; i < sizeof variants / sizeof *variants; i++) {
        strcpy(c.run_backend, SMALL ? variants[i].backend : "c");
        c.run_threads = variants[i].threads;
        assert_int_equal(two_launches(&c, rows[1], count), count);
        assert_memory_equal(rows[0], rows[1], count * sizeof *rows[0]);
    }
    c.poise_seed = 2;
    const size_t other = two_launches(&c, rows[1], sizeof rows[1] / sizeof *rows[1]);
    for (size_t i = AT_predicted_n; i < count && i < other; i += NUM_COLUMNS)
        differ += rows[0][i] != rows[1][i] || rows[0][i + 1] != rows[1][i + 1];
    assert_true(differ > 0);
}

/* Epochs that end before the sample at their pair does: nothing is found. */
static void the_next_epoch_cuts_in(void **unused)
{
    (void)unused;
    const struct config c = poised("random-restart", 70, 1);
    struct bench b;
    unsigned ended[5];
    open(&b, &c, NULL, look);
    assert_int_equal(run(&b, "walk"), GPU_OK);
    compare(&b, ended);
    assert_true(ended[ended_epoch] > 0 && !ended[ended_search]);
    const struct unit_rows *u = rows_of(bench_stats(&b));
    for (size_t i = 0; i < u->count; i++)
        assert_int_equal(u->rows[i * NUM_COLUMNS + AT_found_n], LOG_NONE);
    bench_close(&b);
}

/* ---- poise.told ---- */

#define MOST_TOLD 200
#define LAUNCHES  3

/* What is to be seen: of each launch and SM, by epoch; the last of them also later. */
static struct {
    struct told_pair pairs[LAUNCHES][NUM_SMS][MOST_TOLD];
    unsigned count[LAUNCHES][NUM_SMS], launch;
    uint64_t start, period; /* start: UINT64_MAX: not seen yet */
    uint64_t held, sampled; /* cycles of SMs */
} told;

static void holds(void *context, uint64_t cycle)
{
    (void)context;
    if (told.start == UINT64_MAX) { /* the dispatcher's own */
        told.start = cycle + 1;
        return;
    }
    const uint64_t epoch = (cycle - told.start) / told.period;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        const struct poise_state *s = engine(i);
        const unsigned last = told.count[told.launch][i] - 1;
        const struct told_pair pair = told.pairs[told.launch][i][epoch < last ? epoch : last];
        told.held += s->state == POISE_HOLD;
        told.sampled += s->state == POISE_SAMPLE;
        if (pair.n) {
            assert_int_equal(s->state, POISE_HOLD);
            assert_true(s->n == pair.n && s->p == pair.p);
        } else if ((cycle - told.start) % told.period == 0) {
            assert_int_equal(s->state, POISE_WARM);
            assert_int_equal(s->point, poise_point_base);
        }
    }
}

/* The rule of poise_told.h, from the rows of the run before. */
static void take_pairs(unsigned launch, const struct unit_rows *u)
{
    for (size_t i = 0; i < u->count; i++) {
        const uint64_t *row = &u->rows[i * NUM_COLUMNS], sm = row[AT_sm];
        const unsigned epoch = told.count[launch][sm]++;
        struct told_pair *pair = &told.pairs[launch][sm][epoch];
        assert_true(epoch < MOST_TOLD);
        if (row[AT_ended] == ended_search)
            *pair = (struct told_pair){row[AT_found_n], row[AT_found_p]};
        else if (epoch && (row[AT_ended] == ended_epoch || row[AT_ended] == ended_kernel))
            *pair = pair[-1];
    }
}

static void run_told(const struct config *c)
{
    static const char *const kernels[LAUNCHES] = {"walk", "stroll", "walk"};
    struct bench b;
    open(&b, c, NULL, holds);
    for (told.launch = 0; told.launch < LAUNCHES; told.launch++) {
        told.start = UINT64_MAX;
        assert_int_equal(run(&b, kernels[told.launch]), GPU_OK);
        const struct unit_rows *u = rows_of(bench_stats(&b));
        for (size_t i = 0; i < u->count; i++) {
            const uint64_t *row = &u->rows[i * NUM_COLUMNS], sm = row[AT_sm];
            const unsigned last = told.count[told.launch][sm] - 1;
            const struct told_pair pair =
                told.pairs[told.launch][sm][row[AT_epoch] < last ? row[AT_epoch] : last];
            assert_int_equal(row[AT_given], pair.n > 0);
            assert_true(!pair.n || (row[AT_predicted_n] == pair.n && row[AT_found_p] == pair.p &&
                                    row[AT_ended] == ended_search && row[AT_samples] == 0));
        }
    }
    bench_close(&b);
}

static void the_engine_is_told(void **unused)
{
    (void)unused;
    struct config c = poised("poise", 2600, 1);
    struct bench b;
    open(&b, &c, stats, look);
    assert_int_equal(run(&b, "walk"), GPU_OK);
    assert_int_equal(run(&b, "stroll"), GPU_OK);
    memset(&told, 0, sizeof told);
    for (unsigned k = 0; k < 2; k++)
        take_pairs(k, rows_of(&b.gpu->stats.kernels[k]));
    for (unsigned sm = 0; sm < NUM_SMS; sm++) /* a launch that is not in the file */
        told.count[2][sm] = 1;
    bench_close(&b);
    static const char *const backends[] = {"c", "lockstep", "rtl"};
    c.poise_stride_n = c.poise_stride_p = 0;
    strcpy(c.poise_told, stats);
    told.period = (uint64_t)c.poise_period;
    uint64_t held[3];
    for (unsigned i = 0; i < 3; i++) {
        strcpy(c.run_backend, SMALL ? backends[i] : "c");
        c.run_threads = 1 + i;
        told.held = told.sampled = 0;
        run_told(&c);
        held[i] = told.held;
        assert_true(told.held > 0 && told.sampled > 0 && held[i] == held[0]);
    }
}

/* Statistics of another program. */
static void another_kernel_is_refused(void **unused)
{
    (void)unused;
    struct config c = poised("poise", 2600, 1);
    struct bench b;
    strcpy(c.poise_told, stats);
    open(&b, &c, NULL, NULL);
    assert_int_equal(run(&b, "stroll"), GPU_FAULT);
    assert_non_null(strstr(b.result.message, "kernel stroll is launch 0; in /tmp/"));
    bench_close(&b);
}

static void a_file_that_is_none(void **unused)
{
    (void)unused;
    struct config c = poised("poise", 2600, 1);
    char *said;
    size_t size;
    FILE *err = open_memstream(&said, &size);
    strcpy(c.poise_told, "/nowhere.json");
    assert_null(gpu_open(&c, NULL, NULL, err));
    fclose(err);
    assert_non_null(strstr(said, "/nowhere.json: "));
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_starts),
        cmocka_unit_test(the_next_epoch_cuts_in),
        cmocka_unit_test(the_engine_is_told), /* its file is also of the next */
        cmocka_unit_test(another_kernel_is_refused),
        cmocka_unit_test(a_file_that_is_none),
    };
    const int file = mkstemp(stats);
    if (file < 0)
        return perror(stats), 1;
    close(file);
    const int result = cmocka_run_group_tests_name("tb/gpu/poise_given", tests, NULL, NULL);
    unlink(stats);
    return result;
}
