/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/mix_cd3_test.c: CD3, restated with every edge of the graph written down as a matrix and crossed out by the words
 * of thesis 9.4.1; the offline and the online form are both held against that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/analytic/mix_cd3.h"
#include "tests/cmodel/analytic/numbers.h"

#define MOST      160 /* instructions of a stream */
#define REGISTERS 40

static int writes(const struct mix_instruction *in, unsigned reg)
{
    for (unsigned i = 0; i < in->num_writes; i++)
        if (in->writes[i] == reg)
            return 1;
    return 0;
}

static int touches(const struct mix_instruction *in, unsigned reg)
{
    for (unsigned i = 0; i < in->num_reads; i++)
        if (in->reads[i] == reg)
            return 1;
    return writes(in, reg);
}

/* Every pair of which the later one reads or writes what the earlier one has written, however often it was overwritten since: the forward
 * trace removes those. */
static void restate(const struct mix_instruction *stream, unsigned num, unsigned distance[MOST])
{
    static char edge[MOST][MOST];
    memset(edge, 0, sizeof edge);
    for (unsigned i = 0; i < num; i++)
        for (unsigned j = i + 1; j < num; j++)
            for (unsigned reg = 0; reg < REGISTERS; reg++)
                edge[i][j] |= writes(&stream[i], reg) && touches(&stream[j], reg);
    for (unsigned i = 0; i < num; i++) /* forward: the first j only */
        for (unsigned j = 0, seen = 0; j < num; j++) {
            edge[i][j] &= !seen;
            seen |= edge[i][j];
        }
    for (unsigned j = 0; j < num;
         j++) { /* backward: the highest memory instruction, else the highest */
        int keep = -1;
        for (unsigned i = 0; i < num; i++)
            if (edge[i][j] && stream[i].pipe == MIX_MEM)
                keep = (int)i;
        for (unsigned i = 0; i < num && keep < 0; i++)
            if (edge[num - 1 - i][j])
                keep = (int)(num - 1 - i);
        for (unsigned i = 0; i < num; i++)
            edge[i][j] &= (int)i == keep;
    }
    for (unsigned i = 0; i < num; i++) {
        distance[i] = 0;
        for (unsigned j = 0; j < num; j++)
            if (edge[i][j])
                distance[i] = j - i;
    }
}

/* Both forms give the restated distances, and the same counts. */
static void check(const struct mix_instruction *stream, unsigned num, struct mix_counts *counts)
{
    static size_t last[REGISTERS];
    static struct mix_node node[MOST];
    static struct mix_writer table[REGISTERS];
    unsigned distance[MOST];
    struct mix_counts restated = {0};
    struct mix_online online;
    restate(stream, num, distance);
    memset(last, 0x55, sizeof last);
    memset(node, 0x55, sizeof node);
    memset(table, 0x55, sizeof table);
    assert_int_equal(mix_cd3_trace(stream, num, REGISTERS, last, node), MIX_OK);
    mix_online_start(&online, table, REGISTERS);
    for (unsigned i = 0; i < num; i++) {
        assert_int_equal(mix_cd3_of(node, i), distance[i]);
        assert_int_equal(mix_online_issue(&online, &stream[i]), MIX_OK);
        restated.at[stream[i].pipe][distance[i] > 64 ? 65 : distance[i]]++;
    }
    memset(counts, 0, sizeof *counts);
    mix_cd3_count(stream, num, node, counts);
    assert_memory_equal(counts, &restated, sizeof restated);
    assert_memory_equal(&online.counts, &restated, sizeof restated);
}

/* Figure 9.6: i1 and i3 are slow; (i1, i3) goes in the forward trace, i4 and i5 lose i6 to i3 in the backward trace. */
static void worked_example(void **unused)
{
    (void)unused;
    const struct mix_instruction stream[7] = {
        {.pipe = MIX_MEM, .num_writes = 1, .writes = {1}},
        {.pipe = MIX_SP, .num_reads = 1, .reads = {1}, .num_writes = 1, .writes = {2}},
        {.pipe = MIX_MEM, .num_reads = 1, .reads = {1}, .num_writes = 1, .writes = {3}},
        {.pipe = MIX_SP, .num_reads = 1, .reads = {2}, .num_writes = 1, .writes = {4}},
        {.pipe = MIX_SP, .num_writes = 1, .writes = {5}},
        {.pipe = MIX_SP, .num_reads = 3, .reads = {3, 4, 5}, .num_writes = 1, .writes = {6}},
        {.pipe = MIX_SP, .num_reads = 1, .reads = {6}},
    };
    const unsigned expected[7] = {1, 2, 3, 0, 0, 1, 0};
    size_t last[8];
    struct mix_node node[7];
    struct mix_counts counts;
    double hist[MIX_BEYOND + 1];
    assert_int_equal(mix_cd3_trace(stream, 7, 8, last, node), MIX_OK);
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(mix_cd3_of(node, i), expected[i]);
    check(stream, 7, &counts);
    /* Of 5 instructions of SP three have none, of all 7 five: the rest of all is counted there. */
    mix_histogram(&counts, MIX_SP, MIX_OF_PIPE, hist);
    assert_true(hist[0] == 3 / 5. && hist[1] == 1 / 5. && hist[2] == 1 / 5. && hist[3] == 0);
    mix_histogram(&counts, MIX_SP, MIX_OF_ALL, hist);
    assert_true(hist[0] == 5 / 7. && hist[1] == 1 / 7. && hist[2] == 1 / 7. && hist[3] == 0);
    mix_histogram(&counts, MIX_MEM, MIX_OF_PIPE, hist);
    assert_true(hist[0] == 0 && hist[1] == .5 && hist[2] == 0 && hist[3] == .5);
    mix_histogram(&counts, MIX_SFU, MIX_OF_PIPE, hist);
    assert_true(hist[0] == 1 && hist[1] == 0);
}

static void draw(struct mix_instruction *in, unsigned registers)
{
    memset(in, 0, sizeof *in);
    in->pipe = (enum mix_pipe)random_below(3);
    in->num_reads = (unsigned)random_below(4);
    in->num_writes = random_below(4) ? 1 : (unsigned)random_below(MIX_WRITES + 1);
    for (unsigned i = 0; i < in->num_reads; i++)
        in->reads[i] = (uint16_t)random_below(registers);
    for (unsigned i = 0; i < in->num_writes; i++)
        in->writes[i] = (uint16_t)random_below(registers);
}

static void random_streams(void **unused)
{
    (void)unused;
    uint64_t beyond = 0, near = 0, none = 0;
    for (unsigned round = 0; round < 3000; round++) {
        struct mix_instruction stream[MOST];
        struct mix_counts counts;
        const unsigned num = (unsigned)random_below(round % 30 ? 50 : MOST + 1),
                       registers = 1 + (unsigned)random_below(REGISTERS);
        for (unsigned i = 0; i < num; i++) {
            draw(&stream[i], registers);
            if (round % 30 == 0 && i &&
                i < 80) /* then a register of the first one waits for long */
                stream[i].num_writes = stream[i].num_reads = 0;
        }
        check(stream, num, &counts);
        for (unsigned p = 0; p < NUM_MIX_PIPES; p++) {
            beyond += counts.at[p][MIX_BEYOND];
            near += counts.at[p][1];
            none += counts.at[p][0];
        }
    }
    assert_true(beyond > 10 && near > 1000 && none > 1000);
}

/* The last distance that is told apart, and the first that is not; the histogram adds up to 1 with both. */
static void the_furthest(void **unused)
{
    (void)unused;
    for (unsigned distance = 64; distance <= 65; distance++) {
        struct mix_instruction stream[MOST] = {{.pipe = MIX_SP, .num_writes = 1, .writes = {1}}};
        struct mix_counts counts;
        double hist[MIX_BEYOND + 1], sum = 0;
        stream[distance].num_reads = 1;
        stream[distance].reads[0] = 1;
        check(stream, distance + 1, &counts);
        assert_int_equal(counts.at[MIX_SP][distance], 1);
        mix_histogram(&counts, MIX_SP, MIX_OF_PIPE, hist);
        for (unsigned i = 0; i <= MIX_BEYOND; i++)
            sum += hist[i];
        near(sum, 1, 1e-12);
        near(hist[distance], 1. / (distance + 1), 1e-12);
    }
}

static void bad_instructions(void **unused)
{
    (void)unused;
    struct mix_instruction in[4] = {{.pipe = (enum mix_pipe)3},
                                    {.num_reads = MIX_READS + 1},
                                    {.num_writes = MIX_WRITES + 1},
                                    {.num_reads = 1, .reads = {8}}};
    struct mix_writer table[8];
    struct mix_online online;
    struct mix_node node;
    size_t last[8];
    mix_online_start(&online, table, 8);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(mix_cd3_trace(&in[i], 1, 8, last, &node), MIX_BAD_INSTRUCTION);
        assert_int_equal(mix_online_issue(&online, &in[i]), MIX_BAD_INSTRUCTION);
    }
    in[0] = (struct mix_instruction){.num_writes = 2, .writes = {7, 8}};
    assert_int_equal(mix_cd3_trace(in, 1, 8, last, &node), MIX_BAD_INSTRUCTION);
    assert_int_equal(mix_online_issue(&online, in), MIX_BAD_INSTRUCTION);
    assert_int_equal(online.issued, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example),
        cmocka_unit_test(random_streams),
        cmocka_unit_test(the_furthest),
        cmocka_unit_test(bad_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
