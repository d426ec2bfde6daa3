/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/mix_cd3.c: see mix_cd3.h. */
#include "cmodel/analytic/mix_cd3.h"

#include <string.h>

static int is_sound(const struct mix_instruction *in, unsigned registers)
{
    if ((unsigned)in->pipe >= NUM_MIX_PIPES || in->num_reads > MIX_READS ||
        in->num_writes > MIX_WRITES)
        return 0;
    for (unsigned i = 0; i < in->num_reads; i++)
        if (in->reads[i] >= registers)
            return 0;
    for (unsigned i = 0; i < in->num_writes; i++)
        if (in->writes[i] >= registers)
            return 0;
    return 1;
}

/* Register number i of those that an instruction reads or writes: both make it wait for the last writer. */
static uint16_t operand(const struct mix_instruction *in, unsigned i)
{
    return i < in->num_reads ? in->reads[i] : in->writes[i - in->num_reads];
}

static unsigned num_operands(const struct mix_instruction *in)
{
    return in->num_reads + in->num_writes;
}

/* Does `number` leave the pipes after `than` (0: nobody), as far as the backward trace can tell? */
static int leaves_later(uint64_t number, int memory, uint64_t than, int than_memory)
{
    if (than && memory == than_memory)
        return number > than;
    return !than || memory;
}

/* Offline -----------------------------------------------------------------------------------------*/

static void forward(const struct mix_instruction *stream, size_t num, size_t *last,
                    struct mix_node *node)
{
    for (size_t j = 1; j <= num; j++) {
        const struct mix_instruction *in = &stream[j - 1];
        for (unsigned i = 0; i < num_operands(in); i++) {
            const size_t writer = last[operand(in, i)];
            if (writer && !node[writer - 1].to)
                node[writer - 1].to = j;
        }
        for (unsigned i = 0; i < in->num_writes; i++)
            last[in->writes[i]] = j;
    }
}

static void backward(const struct mix_instruction *stream, size_t num, struct mix_node *node)
{
    for (size_t i = 1; i <= num; i++) {
        if (!node[i - 1].to)
            continue;
        size_t *from = &node[node[i - 1].to - 1].from;
        if (leaves_later(i, stream[i - 1].pipe == MIX_MEM, *from,
                         *from && stream[*from - 1].pipe == MIX_MEM))
            *from = i;
    }
}

enum mix_error mix_cd3_trace(const struct mix_instruction *stream, size_t num, unsigned registers,
                             size_t *last, struct mix_node *node)
{
    for (size_t i = 0; i < num; i++)
        if (!is_sound(&stream[i], registers))
            return MIX_BAD_INSTRUCTION;
    memset(last, 0, registers * sizeof *last);
    memset(node, 0, num * sizeof *node);
    forward(stream, num, last, node);
    backward(stream, num, node);
    return MIX_OK;
}

size_t mix_cd3_of(const struct mix_node *node, size_t i)
{
    const size_t to = node[i].to;
    return to && node[to - 1].from == i + 1 ? to - (i + 1) : 0;
}

static unsigned bin(uint64_t distance)
{
    return distance > MIX_DISTANCES ? MIX_BEYOND : (unsigned)distance;
}

void mix_cd3_count(const struct mix_instruction *stream, size_t num, const struct mix_node *node,
                   struct mix_counts *counts)
{
    for (size_t i = 0; i < num; i++)
        counts->at[stream[i].pipe][bin(mix_cd3_of(node, i))]++;
}

/* Online ------------------------------------------------------------------------------------------*/

void mix_online_start(struct mix_online *o, struct mix_writer *table, unsigned registers)
{
    *o = (struct mix_online){.table = table, .registers = registers};
    memset(table, 0, registers * sizeof *table);
}

/* The entry which says whether the last writer of the register is consumed, or NULL: it is, or there is none. Whoever overwrites that
 * entry consumes its writer, whose other registers find another number there. */
static struct mix_writer *unconsumed(struct mix_online *o, uint16_t reg)
{
    const struct mix_writer *entry = &o->table[reg];
    struct mix_writer *home = &o->table[entry->home];
    return entry->number && home->number == entry->number && !home->consumed ? home : NULL;
}

enum mix_error mix_online_issue(struct mix_online *o, const struct mix_instruction *in)
{
    if (!is_sound(in, o->registers))
        return MIX_BAD_INSTRUCTION;
    const uint64_t number = ++o->issued;
    struct mix_writer last = {0};
    for (unsigned i = 0; i < num_operands(in); i++) {
        struct mix_writer *writer = unconsumed(o, operand(in, i));
        if (!writer)
            continue;
        writer->consumed = 1;
        if (leaves_later(writer->number, writer->pipe == MIX_MEM, last.number,
                         last.pipe == MIX_MEM))
            last = *writer;
    }
    if (last.number) { /* counted as having no successor until now */
        o->counts.at[last.pipe][0]--;
        o->counts.at[last.pipe][bin(number - last.number)]++;
    }
    o->counts.at[in->pipe][0]++;
    for (unsigned i = 0; i < in->num_writes; i++)
        o->table[in->writes[i]] =
            (struct mix_writer){.number = number, .home = in->writes[0], .pipe = (uint8_t)in->pipe};
    return MIX_OK;
}

/* Histograms --------------------------------------------------------------------------------------*/

static uint64_t issued(const struct mix_counts *counts, unsigned pipe)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i <= MIX_BEYOND; i++)
        sum += counts->at[pipe][i];
    return sum;
}

void mix_histogram(const struct mix_counts *counts, enum mix_pipe pipe, enum mix_whole whole,
                   double hist[MIX_BEYOND + 1])
{
    uint64_t all = 0, rest;
    for (unsigned p = 0; p < NUM_MIX_PIPES; p++)
        all += whole == MIX_OF_ALL || p == (unsigned)pipe ? issued(counts, p) : 0;
    rest = all;
    for (unsigned i = 1; i <= MIX_BEYOND; i++) {
        rest -= counts->at[pipe][i];
        hist[i] = all ? (double)counts->at[pipe][i] / (double)all : 0;
    }
    hist[0] = all ? (double)rest / (double)all : 1;
}
