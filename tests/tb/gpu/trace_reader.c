/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/trace_reader.c: see trace_reader.h. */
#include "tests/tb/gpu/trace_reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file, line by line. */
struct source {
    char *text, *next, *line;
    unsigned number;
    char *reason;
};

/* The first reason stands. */
__attribute__((format(printf, 2, 3))) static int refuse(char reason[READ_REASON],
                                                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!*reason)
        vsnprintf(reason, READ_REASON, format, arguments);
    va_end(arguments);
    return -1;
}

static void *make(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

static void *more(void *old, size_t count, size_t size)
{
    void *memory = realloc(old, count * size);
    if (!memory)
        abort();
    return memory;
}

/* A text to memory; NULL: there is none. */
static char *slurp(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (!file)
        return NULL;
    if (getdelim(&text, &room, '\0', file) < 0) {
        free(text);
        text = make(1, 1);
    }
    fclose(file);
    return text;
}

/* The next line that is not blank; 0: none. Each must end with a newline. */
static int next_line(struct source *s)
{
    do {
        char *end = strchr(s->next, '\n');
        s->line = s->next;
        if (!end)
            return *s->next ? refuse(s->reason, "the last line has no end") : 0;
        *end = 0;
        s->next = end + 1;
        s->number++;
    } while (!*s->line);
    return 1;
}

/* Whether the line is made by the format from what it reads. */
#define MATCHES(line, again, format, ...)                                                          \
    (snprintf(again, sizeof again, format, __VA_ARGS__), !strcmp(line, again))

static int token(char **rest, char **word)
{
    *word = strsep(rest, " ");
    return *word && **word;
}

/* A number that is written as it should be: no sign but '-', no blanks, nothing behind. */
static int number(const char *word, int base, int64_t *value)
{
    char *end;
    const char *digits = word + (*word == '-');
    if (!*digits ||
        strspn(digits, base == 16 ? "0123456789abcdef" : "0123456789") != strlen(digits))
        return -1;
    *value = *word == '-' ? strtoll(word, &end, base) : (int64_t)strtoull(word, &end, base);
    return *end ? -1 : 0;
}

static int next_number(char **rest, int base, int64_t least, int64_t most, int64_t *value)
{
    char *word;
    return !token(rest, &word) || number(word, base, value) || *value < least || *value > most;
}

static int next_address(char **rest, uint64_t *value)
{
    char *word;
    int64_t bits;
    if (!token(rest, &word) || strncmp(word, "0x", 2) || word[2] == '-' ||
        number(word + 2, 16, &bits))
        return -1;
    *value = (uint64_t)bits;
    return 0;
}

static int next_registers(char **rest, int most, int *count, int *registers)
{
    int64_t value;
    char *word;
    if (next_number(rest, 10, 0, most, &value))
        return -1;
    *count = (int)value;
    for (int i = 0; i < *count; i++) {
        if (!token(rest, &word) || *word != 'R' || number(word + 1, 10, &value) || value < 0 ||
            value > 254)
            return -1;
        registers[i] = (int)value;
    }
    return 0;
}

/* The bytes that an opcode moves: the first part that is a number, or U and a number, in bits. */
static uint32_t bytes_of(const char *opcode)
{
    char copy[24], *rest = copy;
    strcpy(copy, opcode);
    for (char *part; (part = strsep(&rest, "."));) {
        int64_t bits;
        if (*part && !number(*part == 'U' ? part + 1 : part, 10, &bits))
            return (uint32_t)(bits / 8);
    }
    return 4;
}

static int read_addresses(char **rest, struct read_line *l)
{
    const unsigned lanes = (unsigned)__builtin_popcount(l->mask);
    uint64_t at = 0;
    int64_t step = 0, mode;
    unsigned seen = 0;
    if (next_number(rest, 10, 0, 2, &mode) || (mode && next_address(rest, &at)) ||
        (mode == 1 && next_number(rest, 10, INT32_MIN, INT32_MAX, &step)))
        return -1;
    l->mode = (int)mode;
    if (mode == 1 && lanes) { /* one run of at least two */
        const uint32_t run = l->mask >> __builtin_ctz(l->mask);
        if (lanes < 2 || (run & (run + 1)))
            return -1;
    }
    if (mode == 2 && !lanes)
        return -1;
    for (int i = 0; i < 32; i++) {
        if (!(l->mask >> i & 1))
            continue;
        if (mode == 0 && next_address(rest, &at))
            return -1;
        if (mode == 2 && seen && next_number(rest, 10, INT64_MIN, INT64_MAX, &step))
            return -1;
        at += mode && seen++ ? (uint64_t)step : 0;
        l->address[i] = at;
    }
    return 0;
}

int trace_read_line(const char *text, struct read_line *l, char reason[READ_REASON])
{
    char copy[2048], *rest = copy, *word;
    int64_t value;
    *l = (struct read_line){0};
    *reason = 0;
    if (strlen(text) >= sizeof copy)
        return refuse(reason, "a line of %zu characters", strlen(text));
    strcpy(copy, text);
    if (!token(&rest, &word) || strlen(word) < 4 || number(word, 16, &value) || *word == '-')
        return refuse(reason, "'%.80s': a PC", text);
    l->pc = (uint64_t)value;
    if (!token(&rest, &word) || strlen(word) != 8 || number(word, 16, &value))
        return refuse(reason, "'%.80s': a mask", text);
    l->mask = (uint32_t)value;
    if (next_registers(&rest, 1, &l->num_dst, &l->dst))
        return refuse(reason, "'%.80s': a destination", text);
    if (!token(&rest, &word) || strlen(word) >= sizeof l->opcode || *word < 'A' || *word > 'Z')
        return refuse(reason, "'%.80s': an opcode", text);
    strcpy(l->opcode, word);
    if (next_registers(&rest, 4, &l->num_src, l->src))
        return refuse(reason, "'%.80s': sources", text);
    if (next_number(&rest, 10, 0, 16, &value))
        return refuse(reason, "'%.80s': a width", text);
    if (value) {
        l->bytes = bytes_of(l->opcode);
        if (l->bytes != value)
            return refuse(reason, "'%.80s': a width that the opcode does not have", text);
        if (read_addresses(&rest, l))
            return refuse(reason, "'%.80s': addresses", text);
    }
    if (next_number(&rest, 10, 0, 0, &value) || rest)
        return refuse(reason, "'%.80s': an immediate of 0, and no more", text);
    return 0;
}

/* "(x,y,z)" */
static int read_dim(const char *text, uint32_t dim[3])
{
    char again[64];
    return sscanf(text, "(%" SCNu32 ",%" SCNu32 ",%" SCNu32 ")", &dim[0], &dim[1], &dim[2]) == 3 &&
                   MATCHES(text, again, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", dim[0], dim[1],
                           dim[2]) &&
                   dim[0] && dim[1] && dim[2]
               ? 0
               : -1;
}

/* Each key must be there; keys that are not known are an error. */
static int read_header(struct source *s, struct read_kernel *k)
{
    unsigned seen = 0;
    while (next_line(s) == 1 && *s->line == '-') {
        char *value = strstr(s->line, " = ");
        uint64_t *where = NULL;
        int base = 10, failed = 0;
        if (!value)
            return refuse(s->reason, "line %u: no value", s->number);
        *value = 0;
        value += 3;
        const char *key = s->line + 1;
        static const char *const others[] = {"kernel name", "grid dim", "block dim",
                                             "nvbit version", "enable lineinfo"};
        unsigned which = 0;
        while (which < 5 && strcmp(key, others[which]))
            which++;
        if (!strcmp(key, "kernel id"))
            where = &k->id;
        else if (!strcmp(key, "cuda stream id"))
            where = &k->stream;
        else if (!strcmp(key, "shmem"))
            where = &k->shmem;
        else if (!strcmp(key, "nregs"))
            where = &k->nregs;
        else if (!strcmp(key, "binary version"))
            where = &k->version;
        else if (!strcmp(key, "accelsim tracer version"))
            where = &k->tracer;
        else if (!strcmp(key, "shmem base_addr"))
            where = &k->shared_base, base = 16;
        else if (!strcmp(key, "local mem base_addr"))
            where = &k->local_base, base = 16;
        else if (which == 0)
            snprintf(k->name, sizeof k->name, "%s", value);
        else if (which == 1)
            failed = read_dim(value, k->grid);
        else if (which == 2)
            failed = read_dim(value, k->block);
        else if (which == 4)
            failed = strcmp(value, "0");
        else if (which != 3)
            failed = -1;
        int64_t bits = 0;
        if (where && (base == 10 ? number(value, 10, &bits) || bits < 0
                                 : strncmp(value, "0x", 2) || number(value + 2, 16, &bits)))
            failed = -1;
        if (where)
            *where = (uint64_t)bits;
        if (failed)
            return refuse(s->reason, "line %u: key '%.40s'", s->number, key);
        seen++;
    }
    if (*s->reason)
        return -1;
    if (strncmp(s->line, "#traces format", 14))
        return refuse(s->reason, "line %u: no line that ends the header", s->number);
    return seen == 13 ? 0 : refuse(s->reason, "%u keys in the header", seen);
}

static int read_warp(struct source *s, uint32_t index, struct read_warp *w)
{
    char again[64];
    uint32_t id = 0;
    if (next_line(s) != 1 || sscanf(s->line, "warp = %" SCNu32, &id) != 1 || id != index ||
        !MATCHES(s->line, again, "warp = %" PRIu32, id))
        return refuse(s->reason, "line %u: '%.40s', not warp %u", s->number, s->line, index);
    if (next_line(s) != 1 || sscanf(s->line, "insts = %" SCNu64, &w->count) != 1 ||
        !MATCHES(s->line, again, "insts = %" PRIu64, w->count) || w->count > 10000000)
        return refuse(s->reason, "line %u: '%.40s', no number", s->number, s->line);
    w->lines = make(w->count, sizeof *w->lines);
    for (uint64_t i = 0; i < w->count; i++)
        if (next_line(s) != 1 || trace_read_line(s->line, &w->lines[i], s->reason))
            return -1;
    return 0;
}

static int read_block(struct source *s, struct read_kernel *k)
{
    char again[64];
    k->blocks = more(k->blocks, k->num_blocks + 1, sizeof *k->blocks);
    struct read_block *b = &k->blocks[k->num_blocks++];
    *b = (struct read_block){.warps = make(k->num_warps, sizeof *b->warps)};
    if (strcmp(s->line, "#BEGIN_TB"))
        return refuse(s->reason, "line %u: '%.40s', not #BEGIN_TB", s->number, s->line);
    if (next_line(s) != 1 ||
        sscanf(s->line, "thread block = %" SCNu32 ",%" SCNu32 ",%" SCNu32, &b->id[0], &b->id[1],
               &b->id[2]) != 3 ||
        !MATCHES(s->line, again, "thread block = %" PRIu32 ",%" PRIu32 ",%" PRIu32, b->id[0],
                 b->id[1], b->id[2]) ||
        b->id[0] >= k->grid[0] || b->id[1] >= k->grid[1] || b->id[2] >= k->grid[2])
        return refuse(s->reason, "line %u: '%.40s', no block of the grid", s->number, s->line);
    for (uint32_t i = 0; i < k->num_warps; i++)
        if (read_warp(s, i, &b->warps[i]))
            return -1;
    if (next_line(s) != 1 || strcmp(s->line, "#END_TB"))
        return refuse(s->reason, "line %u: '%.40s', not #END_TB", s->number, s->line);
    return 0;
}

static int read_kernel(const char *folder, struct read_kernel *k, char reason[READ_REASON])
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, k->file);
    struct source s = {.reason = reason};
    s.text = s.next = slurp(path);
    if (!s.text)
        return refuse(reason, "%s is not there", path);
    int failed = read_header(&s, k);
    k->num_warps = (k->block[0] * k->block[1] * k->block[2] + 31) / 32;
    while (!failed && next_line(&s) == 1)
        failed = read_block(&s, k);
    free(s.text);
    return failed || *reason ? -1 : 0;
}

static int read_command(const char *folder, const char *line, struct read_command *c,
                        char reason[READ_REASON])
{
    char again[128];
    if (!strncmp(line, "kernel-", 7)) {
        c->kernel = make(1, sizeof *c->kernel);
        snprintf(c->kernel->file, sizeof c->kernel->file, "%s", line);
        return read_kernel(folder, c->kernel, reason);
    }
    if (sscanf(line, "MemcpyHtoD,0x%" SCNx64 ",%" SCNu64, &c->address, &c->bytes) == 2 &&
        MATCHES(line, again, "MemcpyHtoD,0x%" PRIx64 ",%" PRIu64, c->address, c->bytes))
        return 0;
    return refuse(reason, "kernelslist.g: '%.80s'", line);
}

struct read_trace *trace_read(const char *folder, char reason[READ_REASON])
{
    char path[512];
    struct read_trace *t = make(1, sizeof *t);
    struct source s = {.reason = reason};
    *reason = 0;
    snprintf(path, sizeof path, "%s/kernelslist.g", folder);
    s.text = s.next = slurp(path);
    int failed = s.text ? 0 : refuse(reason, "%s is not there", path);
    while (!failed && next_line(&s) == 1) {
        t->commands = more(t->commands, t->count + 1, sizeof *t->commands);
        t->commands[t->count] = (struct read_command){0};
        failed = read_command(folder, s.line, &t->commands[t->count++], reason);
    }
    free(s.text);
    if (!failed && !*reason)
        return t;
    trace_read_free(t);
    return NULL;
}

void trace_read_free(struct read_trace *t)
{
    for (uint64_t c = 0; c < t->count; c++) {
        struct read_kernel *k = t->commands[c].kernel;
        for (uint64_t b = 0; k && b < k->num_blocks; b++) {
            for (uint32_t w = 0; w < k->num_warps; w++)
                free(k->blocks[b].warps[w].lines);
            free(k->blocks[b].warps);
        }
        if (k)
            free(k->blocks);
        free(k);
    }
    free(t->commands);
    free(t);
}
