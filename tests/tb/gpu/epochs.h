/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/epochs.h: a recount of the log of the inference engine. It follows no state machine: when an epoch begins and what
 * is known in which cycle is arithmetic on the configuration (rtl/poise/README.md, "State machine"), features are worked out from the
 * counters, and samples are cycles that were sampled, by the length of one. */
#ifndef HEDDLE_TESTS_TB_GPU_EPOCHS_H
#define HEDDLE_TESTS_TB_GPU_EPOCHS_H

#include <math.h>
#include <stdlib.h>

#include "cmodel/poise/poise.h"
#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/bench.h"

#define DIVISION    34   /* cycles of a multiplication or a division */
#define MOST_EPOCHS 1000 /* of an SM, that the recount has room for */

enum {
    AT_sm,
#define COLUMN(name, point, unit, meaning) AT_##name,
#define WORDS(name, meaning)               AT_##name,
#include "tb/units/poise.rows"
    NUM_COLUMNS
};
enum {
#define WORD(name, word, meaning) name##_##word,
#include "tb/units/poise.rows"
};

struct sample {
    uint64_t accesses, hits, owns, instructions, globals, waited, low;
};

/* What is seen in an epoch of an SM. */
struct seen {
    struct sample base, lone;    /* as they end */
    uint64_t first_n, first_p;   /* as it begins */
    uint64_t centre_n, centre_p; /* after PREDICT */
    uint64_t state, n, p;        /* in its last cycle */
    uint64_t sampled;            /* cycles in samples of the search */
};

static struct watch {
    struct gpu *gpu;
    uint64_t start, last; /* of the launch; last: the last cycle that was looked at */
    struct seen seen[NUM_SMS][MOST_EPOCHS];
} watch;

/* How long after the beginning of an epoch what is done. */
struct times {
    uint64_t base, base_known, lone, lone_known, predicted, period;
};

static struct times times_of(const struct config *c)
{
    const uint64_t sample = (uint64_t)(c->poise_warmup + c->poise_feature);
    struct times t = {.base = sample, .period = (uint64_t)c->poise_period};
    t.base_known = t.base + 5 * DIVISION;
    t.lone = t.base_known + sample;
    t.lone_known = t.lone + 4 * DIVISION;
    t.predicted = t.lone_known + 2 * 16 * DIVISION;
    return t;
}

static const struct poise_state *engine(unsigned sm)
{
    return plug_state(plug_find(watch.gpu->sms[sm]->rack.plugs, "poise"));
}

static struct sample sample_of(const struct poise_state *s)
{
    return (struct sample){s->accesses, s->hits,   s->owns, s->instructions,
                           s->globals,  s->waited, s->low};
}

static inline void look(void *context, uint64_t cycle)
{
    (void)context;
    if (watch.last == UINT64_MAX) { /* the dispatcher's own */
        watch.start = cycle + 1;
        watch.last = cycle;
        return;
    }
    watch.last = cycle;
    const struct times t = times_of(&watch.gpu->config);
    const uint64_t epoch = (cycle - watch.start) / t.period, at = (cycle - watch.start) % t.period;
    for (unsigned i = 0; i < NUM_SMS && epoch < MOST_EPOCHS; i++) {
        struct seen *seen = &watch.seen[i][epoch];
        const struct poise_state *s = engine(i);
        if (at == 0) {
            seen->first_n = s->n;
            seen->first_p = s->p;
        }
        if (at == t.base)
            seen->base = sample_of(s);
        if (at == t.lone)
            seen->lone = sample_of(s);
        if (at == t.predicted) {
            seen->centre_n = s->centre_n;
            seen->centre_p = s->centre_p;
        }
        seen->state = s->state;
        seen->n = s->n;
        seen->p = s->p;
        seen->sampled += s->state == POISE_SAMPLE && s->point >= poise_point_centre;
    }
}

static uint64_t quotient(uint64_t dividend, uint64_t divisor, unsigned point, uint64_t most)
{
    const uint64_t result = divisor ? (dividend << point) / divisor : 0;
    return result < most ? result : most;
}

/* Cycles of waiting per access: those of misses that came, and of those that waited as the sample began. */
static uint64_t latency(const struct sample *s, const struct config *c)
{
    const uint64_t mask = (UINT64_C(1) << (POISE_MISS_BITS + POISE_SAMPLE_BITS)) - 1;
    const uint64_t waited = (s->waited + s->low * (uint64_t)c->poise_feature) & mask;
    return quotient(waited, s->accesses, 4, 0xffff);
}

/* What it should say of the end of the search, if that has come. */
static void expect_end(uint64_t row[NUM_COLUMNS], const struct seen *seen)
{
    if (seen->state != POISE_HOLD)
        return;
    row[AT_ended] = ended_search;
    row[AT_found_n] = seen->n;
    row[AT_found_p] = seen->p;
}

/* The row that epoch `number` should have left. Only random-restart gives pairs, and always does. */
static void expect(uint64_t row[NUM_COLUMNS], unsigned sm, uint64_t number, uint64_t end)
{
    const struct config *c = &watch.gpu->config;
    const struct times t = times_of(c);
    const struct seen *seen = &watch.seen[sm][number];
    const struct sample *b = &seen->base, *l = &seen->lone;
    const uint64_t begin = watch.start + number * t.period;
    const uint64_t lasts = watch.last - begin < t.period ? watch.last - begin + 1 : t.period;
    const int holds = seen->state == POISE_HOLD;
    for (unsigned i = 0; i < NUM_COLUMNS; i++)
        row[i] = LOG_NONE;
    row[AT_sm] = sm;
    row[AT_epoch] = number;
    row[AT_first] = begin + 1;
    row[AT_last] = begin + t.period < end ? begin + t.period : end - 1;
    row[AT_most] = watch.gpu->sms[sm]->view.warps;
    row[AT_given] = !strcmp(c->run_sched, "random-restart");
    /* One that is still under way in the last cycle is not complete, even if that is its own last. */
    const uint64_t complete = seen->sampled - (seen->sampled && seen->state == POISE_SAMPLE);
    row[AT_samples] = complete / (uint64_t)c->poise_search;
    row[AT_ended] = begin + t.period < end ? ended_epoch : ended_kernel;
    if (row[AT_given]) {
        row[AT_predicted_n] = seen->first_n;
        row[AT_predicted_p] = seen->first_p;
        expect_end(row, seen);
        return;
    }
    if (t.base_known >= lasts)
        return;
    row[AT_accesses_base] = b->accesses;
    row[AT_instructions_base] = b->instructions;
    row[AT_globals_base] = b->globals;
    row[AT_hit_base] = quotient(b->hits, b->accesses, 16, UINT64_MAX);
    row[AT_own_base] = quotient(b->owns, b->accesses, 16, UINT64_MAX);
    row[AT_gap] = b->globals ? quotient(b->instructions, b->globals, 8, 0xffff) : 0xffff;
    row[AT_latency_base] = latency(b, c);
    if (row[AT_gap] > (uint64_t)c->poise_cutoff << 8) {
        assert_true(holds);
        row[AT_ended] = b->instructions ? ended_compute : ended_idle;
        return;
    }
    if (t.lone_known >= lasts)
        return;
    row[AT_accesses_lone] = l->accesses;
    row[AT_instructions_lone] = l->instructions;
    row[AT_hit_lone] = quotient(l->hits, l->accesses, 16, UINT64_MAX);
    row[AT_own_lone] = quotient(l->owns, l->accesses, 16, UINT64_MAX);
    row[AT_latency_lone] = latency(l, c);
    if (t.predicted >= lasts)
        return;
    row[AT_predicted_n] = seen->centre_n;
    row[AT_predicted_p] = seen->centre_p;
    expect_end(row, seen);
}

static const struct unit_rows *rows_of(const struct kernel_stats *k)
{
    assert_int_equal(k->logs.num_units, 1);
    assert_string_equal(k->logs.units[0].stem, "poise");
    assert_int_equal(k->logs.units[0].kind->num_columns + 1, NUM_COLUMNS);
    return &k->logs.units[0];
}

static const char *const names[] = {
    "sm",
#define COLUMN(name, point, unit, meaning) #name,
#define WORDS(name, meaning)               #name,
#include "tb/units/poise.rows"
};

/* Adds what a row is to the sums. */
static void add_row(struct found *f, const uint64_t *row)
{
    f->epochs++;
    f->epochs_search += row[AT_ended] == ended_search;
    f->epochs_compute += row[AT_ended] == ended_compute;
    f->epochs_idle += row[AT_ended] == ended_idle;
    f->epochs_epoch += row[AT_ended] == ended_epoch;
    f->epochs_kernel += row[AT_ended] == ended_kernel;
    if (row[AT_predicted_n] == LOG_NONE)
        return;
    f->predictions++;
    f->predicted_n += row[AT_predicted_n];
    f->predicted_p += row[AT_predicted_p];
    if (row[AT_found_n] == LOG_NONE)
        return;
    const int n = abs((int)row[AT_found_n] - (int)row[AT_predicted_n]),
              p = abs((int)row[AT_found_p] - (int)row[AT_predicted_p]);
    f->samples += row[AT_samples];
    f->found_n += row[AT_found_n];
    f->found_p += row[AT_found_p];
    f->distance_n += (uint64_t)n;
    f->distance_p += (uint64_t)p;
    f->distance += (uint64_t)(hypot(n, p) * 1000 + 0.5);
}

/* Compares the rows of the last launch with the recount. Returns how many ended in each way. */
static inline void compare(const struct bench *b, unsigned ended[5])
{
    const struct unit_rows *u = rows_of(bench_stats(b));
    const uint64_t end = b->result.end_cycle, period = (uint64_t)b->gpu->config.poise_period,
                   epochs = (end - 1 - b->result.start_cycle + period - 1) / period;
    assert_int_equal(watch.start, b->result.start_cycle);
    assert_true(epochs <= MOST_EPOCHS);
    assert_int_equal(u->count, epochs * NUM_SMS);
    memset(ended, 0, 5 * sizeof *ended);
    struct found sums = {0};
    for (size_t i = 0; i < u->count; i++) {
        uint64_t row[NUM_COLUMNS];
        expect(row, (unsigned)(i / epochs), i % epochs, end);
        for (unsigned at = 0; at < NUM_COLUMNS; at++)
            if (u->rows[i * NUM_COLUMNS + at] != row[at])
                fail_msg("sm %u epoch %u: %s is %llu, counted %llu", (unsigned)(i / epochs),
                         (unsigned)(i % epochs), names[at],
                         (unsigned long long)u->rows[i * NUM_COLUMNS + at],
                         (unsigned long long)row[at]);
        ended[row[AT_ended]]++;
        add_row(&sums, row);
    }
    assert_int_equal(u->left_out, 0);
    assert_memory_equal(&bench_stats(b)->sums.sm.found, &sums, sizeof sums);
    print_message("%u epochs: %u search, %u compute, %u idle, %u epoch, %u kernel\n",
                  (unsigned)u->count, ended[0], ended[1], ended[2], ended[3], ended[4]);
}

#endif
