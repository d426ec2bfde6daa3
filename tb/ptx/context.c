/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/context.c: errors leave by longjmp, memory comes from the two arenas; so no stage has
 * cleaning up to do. */
#include "tb/ptx/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Noreturn void ptx_fail(struct ptx_context *c, uint32_t line, const char *format, ...)
{
    char *message = c->error->message;
    int length = line ? snprintf(message, PTX_MESSAGE_SIZE, "%.200s:%u: ", c->name, line)
                      : snprintf(message, PTX_MESSAGE_SIZE, "%.200s: ", c->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message + length, PTX_MESSAGE_SIZE - (size_t)length, format, arguments);
    va_end(arguments);
    c->error->line = line;
    longjmp(*c->failed, 1);
}

static void *allocate(struct ptx_context *c, struct arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > MAX_PARSE_BYTES - c->bytes)
        ptx_fail(c, 0, "the text takes more than %u bytes of memory", MAX_PARSE_BYTES);
    c->bytes += bytes;
    void *memory = arena_alloc(arena, bytes, bytes >= ARENA_ALIGN ? ARENA_ALIGN : 16);
    if (!memory)
        ptx_fail(c, 0, "out of memory");
    return memory;
}

void *ptx_keep(struct ptx_context *c, size_t count, size_t size)
{
    return allocate(c, &c->keep, count, size);
}

void *ptx_scratch(struct ptx_context *c, size_t count, size_t size)
{
    return allocate(c, &c->scratch, count, size);
}

char *ptx_keep_text(struct ptx_context *c, const char *text, size_t length)
{
    char *copy = ptx_keep(c, length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

void ptx_spend(struct ptx_context *c, uint32_t steps)
{
    c->steps += steps;
    if (c->steps > MAX_STEPS)
        ptx_fail(c, c->kernel_line,
                 "this kernel and those above are too complex; expected at most %u steps of "
                 "analysis",
                 MAX_STEPS);
}

void *ptx_grow(struct ptx_context *c, void *array, size_t count, size_t size)
{
    if (array && (count < 8 || count & (count - 1)))
        return array;
    void *larger = ptx_scratch(c, count < 8 ? 8 : 2 * count, size);
    if (count)
        memcpy(larger, array, count * size);
    return larger;
}
