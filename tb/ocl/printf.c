/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/printf.c: devlib/printf.cl leaves records in a variable of the program. Their order there
 * is the order in which warps happened to run; sorted by work-item, they come out the same on every
 * machine. A format takes the last arguments of its work-item that none has taken before, so that a
 * call within an argument is right. The contents are a program's: nothing of them is trusted. */
#include "tb/ocl/printf.h"

#include <stdlib.h>
#include <string.h>

#include "tb/ocl/format.h"
#include "tb/ocl/machine.h"

#define WORDS (PRINTF_BYTES / sizeof(uint64_t))

/* The variable, as the device library has it. */
struct buffer {
    uint64_t used;
    uint64_t words[WORDS];
};

enum { KIND_FORMAT, FIRST_VALUE_KIND, NUM_KINDS = FIRST_VALUE_KIND + VALUE_FLOAT + 1 };

/* One record, without its fixed words. */
struct record {
    uint64_t item;
    unsigned kind, bytes, count;
    size_t words;
    const uint64_t *content; /* also its place in the order of arrival */
};

static struct buffer *find_buffer(const struct _cl_program *program)
{
    const struct ptx_module *module = program->module;
    for (uint32_t i = 0; machine_if_open() && i < module->num_vars; i++) {
        const struct ptx_var *variable = &module->vars[i];
        if (strcmp(variable->name, "heddle_printf") == 0 && variable->size == sizeof(struct buffer))
            return gmem_host(gpu_memory(machine_if_open()), variable->address, variable->size);
    }
    return NULL;
}

/* Reads the record at words[at]. Returns whether there is one. */
static int read_record(const struct buffer *buffer, size_t at, struct record *r)
{
    enum { FIXED = 2 };
    const uint64_t head = buffer->words[at];
    const size_t words = (uint32_t)head;
    if (words <= FIXED || words > WORDS - at)
        return 0;
    *r = (struct record){.item = buffer->words[at + 1],
                         .kind = head >> 32 & 0xff,
                         .bytes = head >> 40 & 0xff,
                         .count = (unsigned)(head >> 48),
                         .words = words - FIXED,
                         .content = &buffer->words[at + FIXED]};
    return r->kind == KIND_FORMAT || (r->kind < NUM_KINDS && r->count <= r->words && r->bytes &&
                                      r->bytes <= sizeof(uint64_t));
}

static int compare(const void *a, const void *b)
{
    const struct record *r = a, *s = b;
    return r->item != s->item ? (r->item < s->item ? -1 : 1) : r->content < s->content ? -1 : 1;
}

/* The text at a device address. */
static struct text text_at(const void *memory, uint64_t address)
{
    const struct gmem_range *range = gmem_find(memory, address);
    return range ? (struct text){(const char *)range->host + (address - range->base),
                                 range->base + range->size - address}
                 : (struct text){NULL, 0};
}

/* Prints the records of one or more work-items. `values` has room for one of each record. */
static void print_all(const struct record *records, size_t count, struct value *values)
{
    const struct gmem *memory = gpu_memory(machine_if_open());
    size_t waiting = 0;
    for (size_t i = 0; i < count; i++) {
        const struct record *r = &records[i];
        if (i && r->item != r[-1].item)
            waiting = 0;
        if (r->kind != KIND_FORMAT) {
            values[waiting++] = (struct value){(enum value_kind)(r->kind - FIRST_VALUE_KIND),
                                               r->bytes, r->count, r->content};
            continue;
        }
        const size_t taken = r->count < waiting ? r->count : waiting;
        const struct text format = text_at(memory, r->content[0]);
        waiting -= taken;
        if (format.bytes)
            format_print(stdout, format, values + waiting, taken, text_at, memory);
    }
}

int printf_used(const struct _cl_program *program)
{
    return find_buffer(program) != NULL;
}

void printf_flush(const struct _cl_program *program)
{
    struct buffer *buffer = find_buffer(program);
    if (!buffer || buffer->used == 0)
        return;
    const size_t used = buffer->used < WORDS ? buffer->used : WORDS;
    struct record *records = calloc(used, sizeof *records);
    struct value *values = calloc(used, sizeof *values);
    if (records && values) {
        size_t count = 0;
        for (size_t at = 0; at < used && read_record(buffer, at, &records[count]); count++)
            at = (size_t)(records[count].content - buffer->words) + records[count].words;
        qsort(records, count, sizeof *records, compare);
        print_all(records, count, values);
        fflush(stdout);
    }
    if (!records || !values || buffer->used > WORDS)
        fprintf(
            stderr,
            "heddle: a kernel prints more than its buffer holds (%zu bytes); the rest is lost\n",
            records && values ? PRINTF_BYTES : 0);
    free(records);
    free(values);
    memset(buffer, 0, sizeof buffer->used + used * sizeof buffer->words[0]);
}
