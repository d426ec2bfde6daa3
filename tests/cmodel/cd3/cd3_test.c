/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/cd3/cd3_test.c: the C reference against thesis 9.4.1, restated: the stream of a warp is written down, and when it is over all of
 * its edges are, from an instruction to each one that reads or writes what it wrote; the forward trace keeps one of those that leave an
 * instruction, the backward trace one of those that are left into one. Nothing is shared with cd3.c, nor with mix_cd3.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/cd3/cd3.h"
#include "cosim/stimulus.h"

void cd3_stimulus(struct stimulus *, void *);

enum { SP, SFU, MEM };

#define MOST     4096 /* instructions of a stretch: from when a warp is watched until another one is */
#define NOBODY   (-1)
#define FARTHEST ((1 << CD3_DISTANCE_BITS) - 1)
#define UNKNOWN                                                                                    \
    (1 << (CD3_NUMBER_BITS - 1)) /* so many instructions away: no more is known than that */
#define MODULO ((uint64_t)1 << CD3_COUNT_BITS)

struct instruction {
    struct cd3_in as;
    int pipe;
    int to;   /* forward trace */
    int from; /* backward trace */
    struct cd3_out out;
};

/* A unit, and what it has been shown since a kernel started. */
struct bench {
    struct cd3_state s;
    struct cd3_in in;
    struct instruction stream[MOST];
    int length;
    uint64_t counts[3][FARTHEST + 1]; /* of the stretches before this one; they never wrap */
    uint64_t begun;                   /* with how many each count began */
    uint64_t wrapped[3][FARTHEST + 1];
    long seen[3][FARTHEST + 1], rivals, unknown, stretches;
};

static int pipe_of(const struct cd3_in *in)
{
    return in->pipe == 0 ? SP : in->pipe == 1 ? SFU : MEM;
}

static int reads_register(const struct instruction *i, uint64_t number)
{
    for (int r = 0; r < CD3_READS; r++)
        if ((i->as.reading >> r & 1) && i->as.reads[r] == number)
            return 1;
    return 0;
}

static int writes_register(const struct instruction *i, uint64_t number)
{
    return i->as.writing && i->as.write == number;
}

/* Forward: the first that reads or writes what it wrote. */
static int first_to_need(const struct instruction *stream, int length, int i)
{
    const uint64_t written = stream[i].as.write;
    for (int j = i + 1; stream[i].as.writing && j < length; j++)
        if (reads_register(&stream[j], written) || writes_register(&stream[j], written))
            return j;
    return NOBODY;
}

/* Which operand of j is it that i wrote? */
static int place_of(const struct instruction *j, uint64_t number)
{
    int place = 0;
    while (place < CD3_READS && !((j->as.reading >> place & 1) && j->as.reads[place] == number))
        place++;
    return place;
}

/* Does a leave the pipes after b, both of which j needs? What is too far away to be told apart is taken in the order of operands. */
static int leaves_later(const struct instruction *stream, int j, int a, int b)
{
    const int a_far = j - a >= UNKNOWN, b_far = j - b >= UNKNOWN;
    if ((stream[a].pipe == MEM) != (stream[b].pipe == MEM))
        return stream[a].pipe == MEM;
    if (a_far && b_far)
        return place_of(&stream[j], stream[a].as.write) < place_of(&stream[j], stream[b].as.write);
    return a > b;
}

static void trace(struct instruction *stream, int length)
{
    for (int i = 0; i < length; i++) {
        stream[i].to = first_to_need(stream, length, i);
        stream[i].from = NOBODY;
    }
    for (int j = 0; j < length; j++)
        for (int i = 0; i < j; i++)
            if (stream[i].to == j &&
                (stream[j].from == NOBODY || leaves_later(stream, j, i, stream[j].from)))
                stream[j].from = i;
}

/* The stretch is over: what the unit has said of each instruction is what the traces say, and its distances are added to the counts. */
static void end_stretch(struct bench *b)
{
    trace(b->stream, b->length);
    for (int j = 0; j < b->length; j++) {
        const struct instruction *i = &b->stream[j];
        const int from = i->from, far = from != NOBODY && j - from > FARTHEST;
        const int distance = from == NOBODY ? 0 : far ? FARTHEST : j - from;
        assert_int_equal(i->out.waits, from != NOBODY);
        assert_int_equal(i->out.distance, distance);
        b->counts[i->pipe][0]++;
        if (from == NOBODY)
            continue;
        assert_int_equal(i->out.waits_for, b->stream[from].as.pipe);
        b->counts[b->stream[from].pipe][distance]++;
        b->seen[b->stream[from].pipe][distance]++;
        b->unknown += j - from >= UNKNOWN;
        for (int k = 0; k < j; k++)
            b->rivals += b->stream[k].to == j && k != from;
    }
    b->stretches += b->length > 0;
    b->length = 0;
    for (int p = 0; p < 3; p++)
        for (int d = 0; d <= FARTHEST; d++) {
            const uint64_t all = b->begun + b->counts[p][d];
            assert_int_equal(b->s.count[p * (FARTHEST + 1) + d], all % MODULO);
            assert_int_equal(b->wrapped[p][d], all / MODULO);
        }
}

static void cycle(struct bench *b)
{
    struct cd3_out out;
    const int ends = b->in.start || b->in.fresh || b->length == MOST - 1;
    if (b->in.start) { /* before its instruction */
        end_stretch(b);
        memset(b->counts, 0, sizeof b->counts);
        memset(b->wrapped, 0, sizeof b->wrapped);
        b->begun = b->in.first;
    }
    if (b->length == MOST - 1)
        b->in.fresh = 1;
    cd3_comb(&b->s, &b->in, &out);
    cd3_tick(&b->s, &b->in, &out);
    for (int p = 0; p < 3; p++) {
        assert_int_equal(out.wraps[p] >> FARTHEST >> 1, 0);
        for (int d = 0; d <= FARTHEST; d++)
            b->wrapped[p][d] += out.wraps[p] >> d & 1;
    }
    if (b->in.issue)
        b->stream[b->length++] =
            (struct instruction){.as = b->in, .pipe = pipe_of(&b->in), .out = out};
    else
        assert_true(!out.waits && !out.distance && !out.waits_for);
    if (ends && b->in.fresh)
        end_stretch(b);
}

static struct bench *open_bench(void)
{
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    memset(&b->s, 0xff, sizeof b->s);
    cd3_reset(&b->s);
    return b;
}

static void random_inputs(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct stimulus stimulus = stimulus_start(seed * 77777);
        end_stretch(b);
        cd3_reset(&b->s);
        memset(b->counts, 0, sizeof b->counts);
        memset(b->wrapped, 0, sizeof b->wrapped);
        b->begun = 0;
        stimulus.state = &b->s;
        for (; stimulus.cycle < 20000; stimulus_next(&stimulus)) {
            cd3_stimulus(&stimulus, &b->in);
            cycle(b);
        }
    }
    for (int p = 0; p < 3; p++) /* the comparison saw enough of each */
        for (int d = 1; d <= FARTHEST; d++)
            assert_true(b->seen[p][d] > 20);
    assert_true(b->rivals > 1000 && b->unknown > 20 && b->stretches > 1000);
    free(b);
}

/* Directed cases. Registers are letters; 0: none. */
static void issues(struct bench *b, int pipe, char writes, const char *reads)
{
    memset(&b->in, 0, sizeof b->in);
    b->in.issue = 1;
    b->in.pipe = (uint64_t)pipe;
    b->in.writing = writes != 0;
    b->in.write = writes ? (uint64_t)(writes - 'a') : 0;
    for (int i = 0; reads[i]; i++) {
        assert_in_range(i, 0, CD3_READS - 1);
        b->in.reads[i] = (uint64_t)(reads[i] - 'a');
        b->in.reading |= UINT64_C(1) << i;
    }
    cycle(b);
}

static uint64_t counted(const struct bench *b, int pipe, int distance)
{
    return b->s.count[pipe * (FARTHEST + 1) + distance];
}

/* Figure 9.6: i1 and i3 are slow, i6 needs i3, i4 and i5. */
static void worked_example(void **unused)
{
    (void)unused;
    if (CD3_REGISTERS < 6 || CD3_READS < 3 || FARTHEST < 4)
        skip();
    struct bench *b = open_bench();
    issues(b, 2, 'a', "");
    issues(b, 0, 'b', "a");
    issues(b, 2, 'c', "a");
    issues(b, 0, 'd', "b");
    issues(b, 0, 'e', "");
    issues(b, 0, 'f', "cde");
    issues(b, 0, 0, "f");
    const uint64_t memory[] = {2, 1, 0, 1, 0}, others[] = {5, 1, 1, 0, 0};
    for (int d = 0; d < 5 && d <= FARTHEST; d++) {
        assert_int_equal(counted(b, MEM, d), memory[d]);
        assert_int_equal(counted(b, SP, d), others[d]);
    }
    end_stretch(b);
    free(b);
}

static void a_writer_counts_once(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    issues(b, 0, 'a', "");
    issues(b, 1, 0, "a");
    issues(b, 1, 0, "a"); /* nobody waits any more */
    assert_int_equal(counted(b, SP, 1), 1);
    assert_int_equal(counted(b, SP, 0), 1);
    assert_int_equal(counted(b, SFU, 0), 2);
    issues(b, 0, 'a', "");
    issues(b, 1, 'a', ""); /* WAW */
    issues(b, 1, 0, "a");
    assert_int_equal(counted(b, SP, 1), 2);
    assert_int_equal(counted(b, SFU, 1), 1);
    end_stretch(b);
    free(b);
}

static void memory_leaves_last(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    issues(b, 3, 'a', "");
    issues(b, 0, 'b', "");
    issues(b, 0, 'c', "ba");
    assert_int_equal(b->stream[2].out.waits_for, 3);
    assert_int_equal(counted(b, MEM, 2), 1);
    assert_int_equal(counted(b, SP, 1), 0); /* b's writer lost, and that of b counts no more: */
    issues(b, 0, 0, "b");
    assert_int_equal(counted(b, SP, 2), 0);
    issues(b, 1, 'a', "");
    issues(b, 0, 0, "ca");
    assert_int_equal(counted(b, SFU, 1), 1); /* the youngest of two that are not memory's */
    end_stretch(b);
    free(b);
}

static void warps_and_kernels(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    issues(b, 0, 'a', "");
    b->in = (struct cd3_in){.fresh = 1};
    cycle(b);
    issues(b, 0, 'b', "a"); /* of another warp */
    assert_int_equal(counted(b, SP, 1), 0);
    assert_int_equal(counted(b, SP, 0), 2);
    b->in = (struct cd3_in){.start = 1, .first = 3};
    cycle(b);
    issues(b, 1, 0, "b");
    assert_int_equal(counted(b, SFU, 0), 4);
    assert_int_equal(counted(b, SP, 0), 3);
    assert_int_equal(counted(b, SP, 1), 3);
    end_stretch(b);
    free(b);
}

/* A result that nobody needs for longer than numbers last. */
static void numbers_come_again(void **unused)
{
    (void)unused;
    for (int wait = 1; wait < 3 << CD3_NUMBER_BITS && wait < MOST - 10; wait++) {
        struct bench *b = open_bench();
        for (int i = 0; i < wait % 7; i++)
            issues(b, 1, 0, "");
        issues(b, 0, 'a', "");
        for (int i = 1; i < wait; i++)
            issues(b, 1, 0, "");
        issues(b, 1, 0, "a");
        assert_int_equal(counted(b, SP, wait < FARTHEST ? wait : FARTHEST), 1);
        end_stretch(b);
        free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inputs),        cmocka_unit_test(worked_example),
        cmocka_unit_test(a_writer_counts_once), cmocka_unit_test(memory_leaves_last),
        cmocka_unit_test(warps_and_kernels),    cmocka_unit_test(numbers_come_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
