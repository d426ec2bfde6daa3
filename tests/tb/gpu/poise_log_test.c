/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/poise_log_test.c: the log of the inference engine against a recount of what the engine's registers show in each cycle
 * (epochs.h): all ways in which an epoch ends; the bound; the same rows whoever computes. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/tb/gpu/epochs.h"
#include "tests/tb/gpu/statistics.h"
#include "tests/tb/gpu/walk.h"

/* `sums` only counts down. */
static const char text[] =
    PTX_HEADER ".entry sums(.param .u64 trips)\n{\n.reg .pred %p<2>; .reg .b64 %d<3>;\n"
               "ld.param.u64 %d0, [trips];\n"
               "AGAIN: sub.u64 %d0, %d0, 1; setp.ne.u64 %p0, %d0, 0; @%p0 bra AGAIN;\nret;\n}\n"
               ".entry bad(.param .u64 base)\n{\n.reg .b32 %r<2>; .reg .b64 %d<2>;\n"
               "ld.param.u64 %d0, [base]; ld.global.u32 %r0, [%d0];\nret;\n}\n" WALK("walk");

static char stats[] = "/tmp/heddle-poise-log-XXXXXX";

/* ---- machines ---- */

static struct config poised(int64_t period, int64_t warmup, int64_t feature, int64_t search)
{
    struct config c = test_config();
    strcpy(c.run_sched, "poise");
    c.poise_period = period;
    c.poise_warmup = warmup;
    c.poise_feature = feature;
    c.poise_search = search;
    c.poise_stride_n = c.poise_stride_p = 1;
    c.l1d_sets = 16;
    c.l1d_ways = 8;
    return c;
}

static void open(struct bench *b, const struct config *c, int looks, const char *path)
{
    bench_open(b, c, text, path);
    watch.gpu = b->gpu;
    if (looks)
        b->gpu->probe = look;
}

static void walk(struct bench *b, uint32_t blocks, uint64_t trips)
{
    memset(watch.seen, 0, sizeof watch.seen);
    watch.last = UINT64_MAX;
    walk_params(b, blocks, trips);
    bench_time(b, "walk", blocks, WALK_THREADS);
}

/* ---- tests ---- */

static void searched_and_cut(void **unused)
{
    (void)unused;
    const struct config c = poised(2600, 20, 200, 60);
    unsigned ended[5];
    struct bench b;
    open(&b, &c, 1, NULL);
    walk(&b, 2 * NUM_SMS, 8);
    compare(&b, ended);
    assert_true(ended[ended_search] > 0);
    walk(&b, NUM_SMS, 60); /* epochs are counted from 0 again */
    compare(&b, ended);
    assert_true(ended[ended_search] > 0);
    /* The edges that the machine counts by itself. */
    const struct unit_inst *unit;
    uint64_t searches = 0, samples = 0, held = 0, taken = 0;
    for (unsigned sm = 0; sm < NUM_SMS; sm++) {
        for (unsigned i = 0; (unit = rack_unit(&b.gpu->sms[sm]->rack, i)); i++)
            for (unsigned e = 0; !strcmp(unit_stem(unit), "poise") && e < NUM_POISE_EDGES; e++) {
                const char *name = unit_fsm(unit_of(unit), 0)->edges[e].name;
                held += strcmp(name, "DECIDE->HOLD") ? 0 : unit_edges(unit, 0)[e];
                taken += strcmp(name, "SAMPLE->DECIDE") ? 0 : unit_edges(unit, 0)[e];
            }
    }
    for (unsigned k = 0; k < 2; k++) {
        const struct unit_rows *u = rows_of(&b.gpu->stats.kernels[k]);
        searches += b.gpu->stats.kernels[k].sums.sm.found.epochs_search;
        for (size_t i = 0; i < u->count; i++)
            samples += u->rows[i * NUM_COLUMNS + AT_samples];
    }
    assert_int_equal(searches, held);
    assert_int_equal(samples, taken);
    assert_true(samples > searches);
    bench_close(&b);
}

static void the_next_epoch_cuts_in(void **unused)
{
    (void)unused;
    unsigned ended[5];
    static const int64_t periods[] = {30, 100, 300, 700, 1000, 1900};
    for (unsigned i = 0; i < sizeof periods / sizeof *periods; i++) {
        const struct config c = poised(periods[i], 20, 200, 1000);
        struct bench b;
        open(&b, &c, 1, NULL);
        walk(&b, NUM_SMS, 60);
        compare(&b, ended);
        assert_true(ended[ended_search] == 0 && ended[ended_epoch] > 0);
        bench_close(&b);
    }
}

static void a_search_is_cut(void **unused)
{
    (void)unused;
    const struct config c = poised(2000, 20, 200, 60);
    unsigned ended[5];
    struct bench b;
    open(&b, &c, 1, NULL);
    walk(&b, NUM_SMS, 60);
    compare(&b, ended);
    uint64_t sampled = 0;
    const struct unit_rows *u = rows_of(bench_stats(&b));
    for (size_t i = 0; i < u->count; i++) {
        const uint64_t *row = &u->rows[i * NUM_COLUMNS];
        sampled += row[AT_ended] == ended_epoch && row[AT_samples] && row[AT_found_n] == LOG_NONE;
    }
    assert_true(sampled > 0);
    bench_close(&b);
}

/* The machine goes on for some cycles until it knows that the kernel has ended. */
static void nothing_begins_after_the_end(void **unused)
{
    (void)unused;
    for (int64_t period = 1; period < 12; period++) {
        const struct config c = poised(period, 1, 1, 1);
        unsigned ended[5];
        struct bench b;
        open(&b, &c, 1, NULL);
        memset(watch.seen, 0, sizeof watch.seen);
        watch.last = UINT64_MAX;
        bench_param(&b, 1);
        bench_time(&b, "sums", 1, 32);
        compare(&b, ended);
        bench_close(&b);
    }
}

/* The engine's clock has fewer bits than the machine's cycles. */
static void the_clock_comes_around(void **unused)
{
    (void)unused;
    const uint64_t period = 30000;
    const struct config c = poised((int64_t)period, 20, 200, 60);
    struct bench b;
    open(&b, &c, 0, NULL);
    bench_param(&b, 20000);
    const uint64_t cycles = bench_time(&b, "sums", 1, 32), epochs = (cycles + period - 2) / period;
    const struct unit_rows *u = rows_of(bench_stats(&b));
    assert_true(cycles > UINT64_C(1) << POISE_TIME_BITS);
    assert_int_equal(u->count, epochs * NUM_SMS);
    for (uint64_t i = 0; i < u->count; i++)
        assert_int_equal(u->rows[i * NUM_COLUMNS + AT_first],
                         b.result.start_cycle + 1 + i % epochs * period);
    bench_close(&b);
}

static void a_short_kernel_has_one(void **unused)
{
    (void)unused;
    const struct config c = poised(200000, 2000, 10000, 4000);
    unsigned ended[5];
    struct bench b;
    open(&b, &c, 1, NULL);
    walk(&b, 1, 8);
    compare(&b, ended);
    assert_int_equal(ended[ended_kernel], NUM_SMS);
    const uint64_t *row = rows_of(bench_stats(&b))->rows;
    assert_int_equal(row[AT_last], b.result.end_cycle - 1);
    assert_true(row[AT_hit_base] == LOG_NONE && row[AT_found_n] == LOG_NONE);
    bench_close(&b);
}

/* Only one SM has a block; without loads it is bound by computation, and the others are idle. */
static void bound_by_computation(void **unused)
{
    (void)unused;
    struct config c = poised(3000, 20, 200, 60);
    unsigned ended[5];
    struct bench b;
    open(&b, &c, 1, NULL);
    memset(watch.seen, 0, sizeof watch.seen);
    watch.last = UINT64_MAX;
    bench_param(&b, 100);
    bench_time(&b, "sums", 1, 32);
    compare(&b, ended);
    assert_true(ended[ended_compute] >= 1 && ended[ended_idle] >= NUM_SMS - 1);
    bench_close(&b);
    c.poise_cutoff = 0;
    open(&b, &c, 1, NULL);
    walk(&b, 2 * NUM_SMS, 4);
    compare(&b, ended);
    assert_true(ended[ended_compute] >= NUM_SMS && ended[ended_search] == 0);
    bench_close(&b);
}

/* Without strides the prediction is what is found. */
static void no_search(void **unused)
{
    (void)unused;
    struct config c = poised(2600, 20, 200, 60);
    unsigned ended[5];
    struct bench b;
    c.poise_stride_n = c.poise_stride_p = 0;
    open(&b, &c, 1, NULL);
    walk(&b, 2 * NUM_SMS, 8);
    compare(&b, ended);
    const struct found *f = &bench_stats(&b)->sums.sm.found;
    assert_true(f->epochs_search > 0 && f->samples == 0 && f->distance == 0);
    assert_true(f->found_n == f->predicted_n && f->found_p == f->predicted_p);
    bench_close(&b);
}

/* What is too much is counted; sums have it all. */
static void rows_beyond_the_bound(void **unused)
{
    (void)unused;
    struct config c = poised(1, 20, 200, 60);
    struct bench b;
    open(&b, &c, 0, NULL);
    walk(&b, NUM_SMS, 60);
    const struct unit_rows *u = rows_of(bench_stats(&b));
    assert_int_equal(u->count, NUM_SMS * LOG_MOST_ROWS);
    assert_true(u->left_out + u->count >= (bench_cycles(&b) - 1) * NUM_SMS);
    assert_int_equal(bench_stats(&b)->sums.sm.found.epochs, u->count + u->left_out);
    bench_close(&b);
}

static void a_failed_kernel_leaves_what_there_was(void **unused)
{
    (void)unused;
    const struct config c = poised(2600, 20, 200, 60);
    struct bench b;
    open(&b, &c, 0, NULL);
    bench_param(&b, 16);
    assert_int_equal(bench_run(&b, "bad", 1, 32), GPU_FAULT);
    const struct unit_rows *u = rows_of(bench_stats(&b));
    assert_int_equal(u->count, NUM_SMS);
    assert_int_equal(u->rows[AT_ended], ended_kernel);
    assert_int_equal(u->rows[AT_last], b.result.end_cycle - 1);
    bench_close(&b);
}

static const cJSON *member(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!item)
        fail_msg("no member %s", name);
    return item;
}

/* The file has what the machine has, in plain numbers. */
static void the_file(const struct bench *b)
{
    cJSON *root = statistics_of(stats);
    const cJSON *kernel = cJSON_GetArrayItem(member(root, "kernels"), 0),
                *log = member(member(kernel, "log"), "poise");
    const struct unit_rows *u = rows_of(bench_stats(b));
    assert_true(member(log, "left_out")->valuedouble == 0);
    for (unsigned at = 0; at < NUM_COLUMNS; at++) {
        const cJSON *item = member(log, names[at])->child;
        for (size_t i = 0; i < u->count; i++, item = item->next) {
            const uint64_t raw = u->rows[i * NUM_COLUMNS + at];
            const double value = (double)raw / (at == AT_hit_base || at == AT_own_base   ? 65536
                                                : at == AT_hit_lone || at == AT_own_lone ? 65536
                                                : at == AT_latency_base                  ? 16
                                                : at == AT_latency_lone                  ? 16
                                                : at == AT_gap                           ? 256
                                                                                         : 1);
            if (at == AT_ended)
                assert_true(raw != ended_search || !strcmp(item->valuestring, "search"));
            else if (raw == LOG_NONE)
                assert_true(cJSON_IsNull(item));
            else
                assert_true(item->valuedouble == value);
        }
        assert_null(item);
    }
    const cJSON *found = member(member(root, "totals"), "found");
    assert_true(member(found, "epochs")->valuedouble == (double)u->count);
    cJSON_Delete(root);
}

static void the_same_whoever_computes(void **unused)
{
    (void)unused;
    static const struct {
        const char *backend;
        unsigned threads;
        int looks;
    } variants[] = {{"c", 1, 0}, {"c", 2, 0},   {"c", 3, 0},        {"c", 1, 1},
                    {"c", 3, 1}, {"rtl", 2, 0}, {"lockstep", 1, 0}, {"lockstep", 3, 0}};
    char *first = NULL;
    for (unsigned i = 0; i < sizeof variants / sizeof *variants; i++) {
        struct config c = poised(2600, 20, 200, 60);
        struct bench b;
        strcpy(c.run_backend, variants[i].backend);
        c.run_threads = variants[i].threads;
        open(&b, &c, variants[i].looks, stats);
        walk(&b, 2 * NUM_SMS, 4);
        if (!first) {
            assert_int_equal(gpu_write_stats(b.gpu, stderr), 0);
            the_file(&b);
        }
        bench_close(&b);
        char *text_now = comparable(stats);
        if (!first)
            first = strdup(text_now);
        if (strcmp(first, text_now))
            fail_msg("variant %u: statistics differ", i);
        free(text_now);
    }
    assert_non_null(strstr(first, "\"search\""));
    free(first);
}

static void no_engine_no_log(void **unused)
{
    (void)unused;
    struct config c = poised(2600, 20, 200, 60);
    struct bench b;
    strcpy(c.run_sched, "gto");
    open(&b, &c, 0, stats);
    walk(&b, NUM_SMS, 8);
    assert_int_equal(bench_stats(&b)->logs.num_units, 0);
    for (unsigned i = 0; i < NUM_SMS; i++)
        assert_false(b.gpu->sms[i]->rack.logs);
    bench_close(&b);
    cJSON *root = statistics_of(stats);
    const cJSON *kernel = cJSON_GetArrayItem(member(root, "kernels"), 0);
    assert_null(cJSON_GetObjectItem(kernel, "log"));
    assert_true(member(member(kernel, "found"), "epochs")->valuedouble == 0);
    cJSON_Delete(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searched_and_cut),
        cmocka_unit_test(the_next_epoch_cuts_in),
        cmocka_unit_test(a_search_is_cut),
        cmocka_unit_test(nothing_begins_after_the_end),
        cmocka_unit_test(the_clock_comes_around),
        cmocka_unit_test(a_short_kernel_has_one),
        cmocka_unit_test(bound_by_computation),
        cmocka_unit_test(no_search),
        cmocka_unit_test(rows_beyond_the_bound),
        cmocka_unit_test(a_failed_kernel_leaves_what_there_was),
        cmocka_unit_test(the_same_whoever_computes),
        cmocka_unit_test(no_engine_no_log),
    };
    const int file = mkstemp(stats);
    if (file < 0)
        return perror(stats), 1;
    close(file);
    const int result = cmocka_run_group_tests_name("tb/gpu/poise_log", tests, NULL, NULL);
    unlink(stats);
    return result;
}
