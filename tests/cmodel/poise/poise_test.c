/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/poise/poise_test.c: the C reference against the rule as plain.h restates it, under
 * random inputs; the epoch's timing; and the link function against double precision, for as many random
 * vectors as $POISE_VECTORS says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/poise/poise.h"
#include "cosim/stimulus.h"
#include "tests/cmodel/poise/plain.h"

void poise_stimulus(struct stimulus *, void *);

enum { IDLE, WARM, SAMPLE, DERIVE, PREDICT, DECIDE, HOLD }; /* fsm/poise.def, written again */

#define MOST_WAITING ((1 << POISE_MISS_BITS) - 1)
#define TIME(t)      ((t) & ((UINT64_C(1) << POISE_TIME_BITS) - 1))

static struct bench {
    struct poise_state s;
    struct poise_in in;
    struct poise_out out;
    struct plain p;
    long epoch, state_since; /* cycles since these began */
    uint64_t period;         /* of this epoch */
    int changed;             /* settings have changed in this epoch: what comes of it is not told */
    struct poise_in settings;
    struct plain_pair predicted; /* or given */
    unsigned decided, held, bound, searched, cut, given, stayed;
} bench;

static uint64_t length(uint64_t v)
{
    return v ? v : 1;
}

static double weight_of(uint64_t w)
{
    return (w >> 24 ? (double)w - (1 << 25) : (double)w) / (1 << 20);
}

/* Does `found` follow from `v`, which is not rounded yet? Next to a boundary both neighbours do. */
static int follows(int found, double v, int most)
{
    return found == rounded(v, most) || found == rounded(v * 1.02, most) ||
           found == rounded(v / 1.02, most);
}

static struct plain_pair pair_of(const struct poise_state *s)
{
    return (struct plain_pair){(int)s->n, (int)s->p};
}

static void assert_pair(struct plain_pair is, struct plain_pair should)
{
    assert_int_equal(is.n, should.n);
    assert_int_equal(is.p, should.p);
}

/* A sample has ended in this cycle; it is the list's last. */
static void sample_ends(struct bench *b, const struct poise_state *before)
{
    struct plain_sample *s = &b->p.samples[b->p.num_samples++];
    const int features = b->p.num_samples <= b->p.features;
    assert_true(b->p.num_samples < MOST_SAMPLES);
    *s = (struct plain_sample){pair_of(before), b->p.count - b->state_since, b->p.count - 1};
    if (!b->changed)
        assert_int_equal(b->state_since, length(features ? b->in.feature : b->in.search));
    if (features && b->p.num_samples == 1)
        assert_pair(s->pair, (struct plain_pair){b->p.w, b->p.w});
    if (features && b->p.num_samples == 2)
        assert_pair(s->pair, (struct plain_pair){1, 1});
}

static void near(uint64_t fixed, double v, double unit, double most)
{
    const double is = (double)fixed * unit, should = v < most ? v : most;
    assert_true(is <= should + 1e-9 && is > should - unit - 1e-9);
}

/* DERIVE has ended. */
static void check_features(const struct bench *b)
{
    const struct poise_state *s = &b->s;
    const int lone = b->p.num_samples == 2;
    const struct plain_features f = features_of(&b->p, &b->p.samples[lone]);
    near(lone ? s->hit_lone : s->hit_base, f.h, 1.0 / 65536, 1);
    near(lone ? s->own_lone : s->own_base, f.eta, 1.0 / 65536, 1);
    if (!b->changed)
        near(lone ? s->latency_lone : s->latency_base, f.lm, 1.0 / 16, 65535.0 / 16);
    if (!lone)
        near(s->gap, f.i, 1.0 / 256, 65535.0 / 256);
}

/* PREDICT has ended. */
static void check_prediction(struct bench *b)
{
    struct plain_features f[2] = {features_of(&b->p, &b->p.samples[0]),
                                  features_of(&b->p, &b->p.samples[1])};
    double alpha[8], beta[8];
    for (int i = 0; i < 8; i++) {
        alpha[i] = weight_of(b->in.weight[i]);
        beta[i] = weight_of(b->in.weight[8 + i]);
    }
    b->predicted = (struct plain_pair){(int)b->s.centre_n, (int)b->s.centre_p};
    assert_true(legal(b->predicted, b->p.w));
    if (b->changed || f[0].lm > 4000 || f[1].lm > 4000 || f[0].i > 255)
        return;
    /* Weights of no paper may make of a feature's last bit more than 2 %. */
    if (fabs(alpha[6]) > 0.1 || fabs(beta[6]) > 0.1 || fabs(alpha[5]) > 2 || fabs(beta[5]) > 2)
        return;
    assert_true(
        follows(b->predicted.n, scaled(link_function(&f[0], &f[1], alpha), b->p.w), b->p.w));
    assert_true(
        follows(b->predicted.p, scaled(link_function(&f[0], &f[1], beta), b->p.w), b->predicted.n));
    b->decided++;
}

/* The search has decided: what it measures next, or where it stays. */
static void check_search(struct bench *b)
{
    struct plain_pair pair;
    const int asks =
        search_asks(&b->p, b->predicted, (int)b->in.stride_n, (int)b->in.stride_p, &pair);
    assert_int_equal(b->s.state, asks ? WARM : HOLD);
    assert_pair(pair_of(&b->s), pair);
    b->searched += asks;
    b->held += !asks;
}

static int same_settings(const struct poise_in *a, const struct poise_in *b)
{
    return a->warmup == b->warmup && a->feature == b->feature && a->search == b->search &&
           a->cutoff == b->cutoff && a->stride_n == b->stride_n && a->stride_p == b->stride_p &&
           !memcmp(a->weight, b->weight, sizeof a->weight);
}

static void epoch_begins(struct bench *b)
{
    b->p.count = 0;
    b->p.num_samples = 0;
    b->epoch = b->state_since = 0;
    b->period = length(b->in.period);
    b->changed = 0;
    b->p.features = b->in.given ? 0 : 2;
    if (b->in.given) { /* and nothing is sampled yet */
        b->predicted = nearest(b->in.given_n, b->in.given_p, b->p.w);
        b->given++;
        b->stayed += b->s.state == HOLD;
        check_search(b);
        return;
    }
    assert_int_equal(b->s.state, WARM);
    assert_pair(pair_of(&b->s), (struct plain_pair){b->p.w, b->p.w});
}

/* The reference has gone on from `before`, within an epoch. */
static void check_move(struct bench *b, const struct poise_state *before)
{
    const int from = (int)before->state, to = (int)b->s.state;
    assert_true(b->p.features || (to != DERIVE && to != PREDICT));
    if (from == SAMPLE && to != SAMPLE)
        sample_ends(b, before);
    if (from == WARM && to != WARM && !b->changed)
        assert_int_equal(b->state_since, length(b->in.warmup));
    if (from == DERIVE && to != DERIVE) {
        check_features(b);
        const double i = features_of(&b->p, &b->p.samples[0]).i;
        if (b->p.num_samples == 1 && fabs(i - (double)b->in.cutoff) > 1.0 / 256)
            assert_int_equal(to, i > (double)b->in.cutoff ? HOLD : WARM);
        if (b->p.num_samples == 1)
            assert_pair(pair_of(&b->s), to == HOLD ? (struct plain_pair){b->p.w, b->p.w}
                                                   : (struct plain_pair){1, 1});
        b->bound += to == HOLD;
    }
    if (from == PREDICT && to != PREDICT)
        check_prediction(b);
    if ((from == PREDICT || from == DECIDE) && to != from && !b->changed)
        check_search(b);
    if (from == HOLD)
        assert_int_equal(to, HOLD);
    if (from == DECIDE && to != WARM && to != HOLD)
        assert_true(b->state_since < 48); /* both axes, and each stride halved down to 0 */
    if (from == to && to != DECIDE && to != PREDICT)
        assert_pair(pair_of(&b->s), pair_of(before));
    b->state_since = from == to ? b->state_since : 0;
}

static void cycle(struct bench *b)
{
    const struct poise_state before = b->s;
    const struct poise_in *in = &b->in;
    poise_comb(&b->s, in, &b->out);
    poise_tick(&b->s, in, &b->out);
    if (in->start) {
        b->p.w = in->warps < 1 ? 1 : in->warps > NUM_WARPS ? NUM_WARPS : (int)in->warps;
        b->p.waiting = 0;
        b->settings = *in;
        epoch_begins(b);
        return;
    }
    b->p.waiting += (long)in->miss - (long)in->fill;
    b->p.waiting = b->p.waiting < 0 ? 0 : b->p.waiting > MOST_WAITING ? MOST_WAITING : b->p.waiting;
    assert_int_equal(b->s.waiting, b->p.waiting);
    if (before.state == IDLE) {
        assert_int_equal(b->s.state, IDLE);
        assert_pair(pair_of(&b->s), (struct plain_pair){NUM_WARPS, NUM_WARPS});
        return;
    }
    b->changed |= !same_settings(in, &b->settings);
    b->settings = *in;
    assert_true(b->p.count < MOST_CYCLES);
    b->p.cycles[b->p.count++] =
        (struct plain_cycle){(unsigned)in->issued, (unsigned)in->loads, (unsigned)in->access,
                             (unsigned)in->hit,    (unsigned)in->own,   b->p.waiting};
    b->epoch++;
    b->state_since++;
    if ((uint64_t)b->epoch == b->period) {
        b->cut += before.state != HOLD;
        epoch_begins(b);
        return;
    }
    check_move(b, &before);
}

static void open_bench(void)
{
    memset(&bench, 0, sizeof bench);
    poise_reset(&bench.s);
}

static void random_sequences(void **unused)
{
    (void)unused;
    unsigned decided = 0, held = 0, bound = 0, searched = 0, cut = 0, given = 0, stayed = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct stimulus s = stimulus_start(seed);
        open_bench();
        s.state = &bench.s;
        for (; s.cycle < 150000; stimulus_next(&s)) {
            poise_stimulus(&s, &bench.in);
            bench.in.clock = TIME(s.clock);
            cycle(&bench);
        }
        decided += bench.decided;
        held += bench.held;
        bound += bench.bound;
        searched += bench.searched;
        cut += bench.cut;
        given += bench.given;
        stayed += bench.stayed;
    }
    print_message("predictions %u, searches ended %u, samples of them %u, bound by computation %u, "
                  "epochs cut %u, pairs given %u, of which %u stayed\n",
                  decided, held, searched, bound, cut, given, stayed);
    assert_true(decided > 20 && held > 20 && searched > 100 && bound > 20 && cut > 20);
    assert_true(stayed > 100 && given - stayed > 100);
}

/* ---- the link function ---- */

static const double table_2[16] = {0.517687,  -0.000261, 7.209138, -5.977480, -8.906397, 1.976725,
                                   0.004668,  1.667111,  3.786126, 0.483576,  -6.386444, 10.320107,
                                   -6.533500, -0.900944, 0.079856, -2.189887};

static double random_between(struct stimulus *s, double least, double most)
{
    return least + (most - least) * (double)(stimulus_bits(s) >> 11) / 9007199254740992.0;
}

/* The unit's arithmetic for a vector, from the registers of features on. What it makes of both
 * exponentials is what its registers hold before W comes in. */
static void predict(struct bench *b, double values[2])
{
    while (b->s.state == PREDICT) {
        const uint64_t step = b->s.step, tick = b->s.tick, axis = b->s.axis;
        poise_tick(&b->s, &b->in, &b->out);
        if (step == 14 && tick == 0) /* the mantissa, and its exponent */
            values[axis] = ldexp((double)b->s.low / 65536, (int)(b->s.sum >> 16 & 31) - 12);
    }
}

/* What a kernel shows, and the warps of its schedulers. */
struct vector {
    struct plain_features f[2];
    int w;
};

/* What is and should be: the two link functions, and the pair. */
struct prediction {
    double is[2], should[2];
    int n, p;
};

static struct prediction predict_vector(const struct vector *v)
{
    const struct plain_features *f = v->f;
    struct poise_state *u = &bench.s;
    struct prediction made = {0};
    *u = (struct poise_state){.state = PREDICT,
                              .point = poise_point_lone,
                              .most = (uint64_t)v->w,
                              .ends = 1,
                              .due = 1,
                              .hit_base = (uint64_t)(f[0].h * 65536),
                              .own_base = (uint64_t)(f[0].eta * 65536),
                              .gap = (uint64_t)(f[0].i * 256),
                              .latency_base = (uint64_t)(f[0].lm * 16),
                              .hit_lone = (uint64_t)(f[1].h * 65536),
                              .own_lone = (uint64_t)(f[1].eta * 65536),
                              .latency_lone = (uint64_t)(f[1].lm * 16)};
    for (int i = 0; i < 16; i++)
        bench.in.weight[i] = (uint64_t)llround(table_2[i] * 1048576) & 0x1ffffff;
    predict(&bench, made.is);
    for (int axis = 0; axis < 2; axis++)
        made.should[axis] = link_function(&f[0], &f[1], &table_2[8 * axis]);
    made.n = (int)u->centre_n;
    made.p = (int)u->centre_p;
    return made;
}

static int in_range(double value)
{
    return value >= 0.5 && value <= 48;
}

static double error_of(const struct prediction *made, int axis)
{
    return fabs(made->is[axis] / made->should[axis] - 1);
}

static struct vector random_vector(struct stimulus *s)
{
    struct vector v = {.w = 1 + (int)stimulus_below(s, NUM_WARPS)};
    for (int i = 0; i < 2; i++) {
        v.f[i].h = random_between(s, 0, 1);
        v.f[i].eta = random_between(s, 0, v.f[i].h);
        v.f[i].i = random_between(s, 1, 50);
        v.f[i].lm = random_between(s, 0, stimulus_once_in(s, 2) ? 2000 : 400);
    }
    return v;
}

static void link_functions(void **unused)
{
    (void)unused;
    const char *const asked = getenv("POISE_VECTORS");
    const long vectors = asked ? atol(asked) : 100000;
    struct stimulus s = stimulus_start(7);
    struct vector worst_vector = {0};
    double worst = 0;
    long within = 0, other = 0;
    open_bench();
    for (long count = 0; count < vectors; count++) {
        const struct vector v = random_vector(&s);
        const struct prediction made = predict_vector(&v);
        for (int axis = 0; axis < 2; axis++)
            if (in_range(made.should[axis])) {
                within++;
                if (error_of(&made, axis) <= worst)
                    continue;
                worst = error_of(&made, axis);
                worst_vector = v;
            }
        const double n = scaled(made.should[0], v.w), p = scaled(made.should[1], v.w);
        assert_true(follows(made.n, n, v.w));
        assert_true(follows(made.p, p, made.n));
        other += made.n != rounded(n, v.w) || made.p != rounded(p, made.n);
    }
    const struct plain_features *f = worst_vector.f;
    print_message("%ld vectors, %ld results from 0.5 to 48: worst relative error %.4f %%, of "
                  "{{%.17g, %.17g, %.17g, %.17g}, {%.17g, %.17g, %.17g, %.17g}}; %ld of %ld pairs "
                  "are rounded the other way\n",
                  vectors, within, 100 * worst, f[0].h, f[0].eta, f[0].i, f[0].lm, f[1].h, f[1].eta,
                  f[1].i, f[1].lm, other, vectors);
    assert_true(worst < 0.02 && within > vectors / 10);
}

/* The worst of a million vectors: an error that grows here has grown everywhere. */
static void worst_vector(void **unused)
{
    (void)unused;
    static const struct vector v = {
        {{0.1369032696888951, 0.010137571990597685, 8.0583177391173137, 411.89756901696148},
         {0.93357654924005662, 0.92810357005101207, 25.799970447061135, 553.394362644843}},
        NUM_WARPS};
    open_bench();
    const struct prediction made = predict_vector(&v);
    const double n = error_of(&made, 0), p = error_of(&made, 1);
    print_message("N %.4f, %.4f %% off; p %.4f, %.4f %% off\n", made.should[0], 100 * n,
                  made.should[1], 100 * p);
    assert_true(in_range(made.should[0]) || in_range(made.should[1]));
    assert_true(fmax(in_range(made.should[0]) ? n : 0, in_range(made.should[1]) ? p : 0) < 0.0091);
    assert_true(fmax(n, p) > 0.0090);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences),
        cmocka_unit_test(link_functions),
        cmocka_unit_test(worst_vector),
    };
    return cmocka_run_group_tests_name("cmodel/poise", tests, NULL, NULL);
}
