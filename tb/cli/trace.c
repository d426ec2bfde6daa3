/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/trace.c: `heddle trace`: what a trace in Accel-Sim's format holds, kernel by kernel and by
 * opcode; also one that a GPU has left, up to tracer version 5 and not compressed. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"

#define MOST_OPCODES 512
#define MOST_HEAD    16 /* characters of an opcode, up to its first dot */

struct opcode {
    char head[MOST_HEAD];
    uint64_t count;
};

struct counts {
    uint64_t blocks, warps, instructions, lanes, accesses;
};

/* The file that is read. */
struct source {
    const char *path;
    FILE *file;
    char *line;
    size_t room;
    uint64_t number;
    char name[64];                    /* of the kernel */
    uint64_t version, lineinfo, left; /* left: lines of the warp */
    struct counts counts;
};

static struct opcode opcodes[MOST_OPCODES];
static unsigned num_opcodes;

__attribute__((format(printf, 2, 3))) static int refuse(const struct source *s, const char *format,
                                                        ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%" PRIu64 ": ", s->path, s->number);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return -1;
}

static struct opcode *opcode_of(const char *word)
{
    const size_t length = strcspn(word, ". ");
    unsigned i = 0;
    while (i < num_opcodes && (strncmp(opcodes[i].head, word, length) || opcodes[i].head[length]))
        i++;
    if (length == 0 || length >= MOST_HEAD || i == MOST_OPCODES)
        return NULL;
    if (i == num_opcodes)
        memcpy(opcodes[num_opcodes++].head, word, length);
    return &opcodes[i];
}

/* Skips words; NULL: there are not as many. */
static const char *skip(const char *text, uint64_t words)
{
    for (; text && words; words--) {
        text = strchr(text, ' ');
        text += text ? strspn(text, " ") : 0;
    }
    return text && *text ? text : NULL;
}

/* PC, mask, destinations, opcode, sources, width. */
static int take_instruction(struct source *s)
{
    const char *mask = skip(s->line, 1 + (s->version < 3 ? 4 : 0) + s->lineinfo);
    const char *dst = skip(mask, 1);
    const char *opcode = dst ? skip(dst, 1 + strtoul(dst, NULL, 10)) : NULL;
    const char *src = skip(opcode, 1);
    const char *width = src ? skip(src, 1 + strtoul(src, NULL, 10)) : NULL;
    struct opcode *o = width ? opcode_of(opcode) : NULL;
    if (!o || !s->left)
        return refuse(s, o ? "more instructions than the warp has" : "expected an instruction");
    o->count++;
    s->left--;
    s->counts.instructions++;
    s->counts.lanes += (uint64_t)__builtin_popcountl(strtoul(mask, NULL, 16));
    s->counts.accesses += strtoul(width, NULL, 10) != 0;
    return 0;
}

static int take_line(struct source *s)
{
    const char *line = s->line;
    unsigned long x;
    const int starts = !strncmp(line, "warp = ", 7) || !strcmp(line, "#END_TB");
    if (starts && s->left)
        return refuse(s, "%" PRIu64 " instructions of the warp are missing", s->left);
    if (sscanf(line, "-kernel name = %63[^\n]", s->name) == 1 ||
        sscanf(line, "-accelsim tracer version = %" SCNu64, &s->version) == 1 ||
        sscanf(line, "-enable lineinfo = %" SCNu64, &s->lineinfo) == 1 ||
        sscanf(line, "insts = %" SCNu64, &s->left) == 1)
        return s->version > 5
                   ? refuse(s, "tracer version %" PRIu64 "; expected up to 5", s->version)
                   : 0;
    s->counts.blocks += !strcmp(line, "#BEGIN_TB");
    s->counts.warps += sscanf(line, "warp = %lu", &x) == 1;
    if (!*line || *line == '-' || *line == '#' || starts || !strncmp(line, "thread block = ", 15))
        return 0;
    return take_instruction(s);
}

/* Opens a file of the folder and gives its lines to `take`. Returns 0 or -1. */
static int read_lines(struct source *s, const char *folder, const char *name,
                      int (*take)(struct source *))
{
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return -1;
    s->path = path;
    s->file = fopen(path, "r");
    int failed = 0;
    if (!s->file)
        failed = fprintf(stderr, "%s: cannot be read: %s\n", path, strerror(errno));
    for (ssize_t length; !failed && (length = getline(&s->line, &s->room, s->file)) >= 0;) {
        s->number++;
        if (length && s->line[length - 1] == '\n')
            s->line[length - 1] = 0;
        failed = take(s);
    }
    if (s->file)
        fclose(s->file);
    free(s->line);
    free(path);
    return failed ? -1 : 0;
}

/* Under a head, once. */
static void print_counts(const char *name, const struct counts *c)
{
    static int under_head;
    if (!under_head++)
        printf("%-32s %10s %10s %14s %12s %8s\n", "kernel", "blocks", "warps", "warp instr.",
               "accesses", "lanes");
    printf("%-32.32s %10" PRIu64 " %10" PRIu64 " %14" PRIu64 " %12" PRIu64 " %8.2f\n", name,
           c->blocks, c->warps, c->instructions, c->accesses,
           c->instructions ? (double)c->lanes / (double)c->instructions : 0);
}

static struct counts totals;
static const char *traced; /* the folder */

/* A line of kernelslist.g. */
static int take_entry(struct source *list)
{
    struct source s = {.version = 5};
    const size_t length = strlen(list->line);
    if (strncmp(list->line, "kernel", 6))
        return 0;
    if (length > 3 && !strcmp(list->line + length - 3, ".xz"))
        return refuse(list, "%s is compressed; unxz it and its name here", list->line);
    if (read_lines(&s, traced, list->line, take_line))
        return -1;
    if (s.left)
        return refuse(list, "%s ends within a warp", list->line);
    print_counts(s.name, &s.counts);
    totals.blocks += s.counts.blocks;
    totals.warps += s.counts.warps;
    totals.instructions += s.counts.instructions;
    totals.lanes += s.counts.lanes;
    totals.accesses += s.counts.accesses;
    return 0;
}

static int by_count(const void *a, const void *b)
{
    const struct opcode *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->head, y->head);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_ARG:
        if (traced)
            argp_error(state, "takes one folder");
        traced = text;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "no folder"); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int command_trace(int argc, char **argv)
{
    static const struct argp argp = {
        NULL,
        parse_option,
        "FOLDER",
        "Prints what a trace holds: kernels, and how often each opcode occurs.\v"
        "The folder is one of `heddle run --trace`, or another that has a kernelslist.g.",
        0,
        0,
        0};
    struct source list = {0};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, NULL);
    if (read_lines(&list, traced, "kernelslist.g", take_entry))
        return EXIT_USAGE;
    print_counts("all", &totals);
    qsort(opcodes, num_opcodes, sizeof *opcodes, by_count);
    printf("\n%-32s %14s\n", "opcode", "warp instr.");
    for (unsigned i = 0; i < num_opcodes; i++)
        printf("%-32s %14" PRIu64 " %7.2f %%\n", opcodes[i].head, opcodes[i].count,
               100.0 * (double)opcodes[i].count / (double)totals.instructions);
    return 0;
}
