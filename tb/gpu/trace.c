/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/trace.c: see trace.h. What an instruction's line looks like is in trace_line.c. */
#include "tb/gpu/trace.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tb/file.h"
#include "tb/gpu/gpu.h"
#include "tb/gpu/spool.h"
#include "tb/gpu/trace_line.h"
#include "tb/gpu/trace_opcode.h"

struct traced_warp {
    struct spool_text lines;
    uint64_t count;
};

/* A block that has been dispatched and is not written yet. */
struct traced_block {
    struct traced_block *next; /* dispatched after it */
    struct traced_kernel *kernel;
    uint32_t ctaid[3];
    int ended;
    struct traced_warp warps[];
};

/* A kernel that runs, or none. */
struct traced_kernel {
    struct trace *trace;
    struct file *file; /* NULL: none */
    uint64_t id;       /* from 1, in the order in which kernels begin */
    const struct ptx_kernel *kernel;
    uint64_t global;    /* where its global memory begins */
    uint32_t num_warps; /* of a block */
    struct traced_block *first, *last;
};

/* A line of kernelslist.g. */
struct command {
    uint64_t id; /* of a kernel; 0: a copy */
    uint64_t address, bytes;
};

struct trace {
    char *folder;
    struct spool *spool;
    struct stream stream;
    struct command *commands;
    size_t num_commands, places;
    int unlisted;         /* no memory for a command */
    uint64_t num_kernels; /* that have begun */
    struct traced_kernel kernels[GPU_KERNELS];
    int no_memory; /* for a block */
};

int trace_folder(const char *folder, FILE *err)
{
    if (mkdir(folder, 0777) && errno != EEXIST) {
        fprintf(err, "%s: cannot be made: %s\n", folder, strerror(errno));
        return -1;
    }
    DIR *directory = opendir(folder);
    if (!directory) {
        fprintf(err, "%s: cannot be read: %s\n", folder, strerror(errno));
        return -1;
    }
    const char *found = NULL;
    for (const struct dirent *entry; !found && (entry = readdir(directory));)
        found = strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") ? entry->d_name : NULL;
    if (found)
        fprintf(err, "%s: is not empty (%s); a trace goes to an empty folder, or makes one\n",
                folder, found);
    closedir(directory);
    return found ? -1 : 0;
}

static void *place(void *context, unsigned kernel, const uint32_t ctaid[3])
{
    struct trace *t = context;
    struct traced_kernel *k = &t->kernels[kernel];
    struct traced_block *b = calloc(1, sizeof *b + k->num_warps * sizeof b->warps[0]);
    if (!b) {
        t->no_memory = 1;
        return NULL;
    }
    b->kernel = k;
    memcpy(b->ctaid, ctaid, sizeof b->ctaid);
    *(k->last ? &k->last->next : &k->first) = b;
    k->last = b;
    return b;
}

static void issue(void *block, const struct stream_issue *i)
{
    struct traced_block *b = block;
    struct traced_warp *w = &b->warps[i->warp];
    struct trace_line line;
    trace_line_of(&line, b->kernel->kernel, i, b->kernel->global);
    spool_add(b->kernel->trace->spool, &w->lines, line.text, line.length);
    w->count++;
}

static void end(void *block)
{
    struct traced_block *b = block;
    for (uint32_t i = 0; i < b->kernel->num_warps; i++)
        spool_rest(b->kernel->trace->spool, &b->warps[i].lines);
    b->ended = 1;
}

static void free_trace(struct trace *t)
{
    spool_close(t->spool);
    free(t->commands);
    free(t->folder);
    free(t);
}

struct trace *trace_open(const char *folder, uint64_t memory, FILE *err)
{
    if (trace_folder(folder, err))
        return NULL;
    struct trace *t = calloc(1, sizeof *t);
    if (t && (t->folder = strdup(folder)) && (t->spool = spool_open(folder, memory))) {
        for (unsigned i = 0; i < GPU_KERNELS; i++)
            t->kernels[i].trace = t;
        t->stream = (struct stream){.context = t, .place = place, .issue = issue, .end = end};
        return t;
    }
    fprintf(err, "%s: no trace can be written there: %s\n", folder, strerror(errno));
    if (t)
        free_trace(t);
    return NULL;
}

const struct stream *trace_stream(const struct trace *t)
{
    return &t->stream;
}

/* Begins a file of the folder. */
static struct file *create(const struct trace *t, const char *name, FILE *err)
{
    char *path;
    if (asprintf(&path, "%s/%s", t->folder, name) < 0) {
        fprintf(err, "%s: no memory\n", name);
        return NULL;
    }
    struct file *file = file_create(path, err);
    free(path);
    return file;
}

static void name_of(uint64_t id, char name[64])
{
    snprintf(name, 64, "kernel-%" PRIu64 ".traceg", id);
}

static void write_commands(const struct trace *t, FILE *out)
{
    char name[64];
    for (size_t i = 0; i < t->num_commands; i++) {
        const struct command *c = &t->commands[i];
        name_of(c->id, name);
        if (c->id)
            fprintf(out, "%s\n", name);
        else
            fprintf(out, "MemcpyHtoD,0x%" PRIx64 ",%" PRIu64 "\n", c->address, c->bytes);
    }
}

int trace_close(struct trace *t, FILE *err)
{
    struct file *file = create(t, "kernelslist.g", err);
    if (t->unlisted)
        fprintf(err, "%s: no memory for the list of kernels\n", t->folder);
    if (file && !t->unlisted)
        write_commands(t, file_stream(file));
    else
        file_discard(file);
    const int result = file && !t->unlisted ? file_commit(file, err) : -1;
    free_trace(t);
    return result;
}

static void list(struct trace *t, const struct command *c)
{
    if (t->num_commands == t->places) {
        const size_t places = t->places ? 2 * t->places : 16;
        struct command *more = realloc(t->commands, places * sizeof *more);
        if (!more) {
            t->unlisted = 1;
            return;
        }
        t->commands = more;
        t->places = places;
    }
    t->commands[t->num_commands++] = *c;
}

/* The kernel of this id leaves nothing. */
static void strike(struct trace *t, uint64_t id)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->num_commands; i++)
        if (t->commands[i].id != id)
            t->commands[kept++] = t->commands[i];
    t->num_commands = kept;
}

int trace_begin(struct trace *t, unsigned number, const struct exec_launch *l, uint32_t space,
                FILE *err)
{
    char name[64];
    struct traced_kernel *k = &t->kernels[number];
    k->id = ++t->num_kernels;
    k->kernel = l->kernel;
    k->global = space * TRACE_SPACE_BYTES;
    k->num_warps = (l->block[0] * l->block[1] * l->block[2] + WARP_LANES - 1) / WARP_LANES;
    name_of(k->id, name);
    k->file = create(t, name, err);
    if (!k->file)
        return -1;
    list(t, &(struct command){.id = k->id});
    FILE *out = file_stream(k->file);
    fprintf(out, "-kernel name = %s\n-kernel id = %" PRIu64 "\n", l->kernel->name, k->id);
    fprintf(out, "-grid dim = (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")\n", l->grid[0], l->grid[1],
            l->grid[2]);
    fprintf(out, "-block dim = (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")\n", l->block[0], l->block[1],
            l->block[2]);
    fprintf(out, "-shmem = %" PRIu32 "\n-nregs = %" PRIu32 "\n-binary version = %d\n",
            l->shared_bytes, l->kernel->regs_per_thread, TRACE_BINARY_VERSION);
    fprintf(out, "-cuda stream id = %u\n-shmem base_addr = 0x%" PRIx64 "\n", number,
            TRACE_SHARED_BASE);
    fprintf(out, "-local mem base_addr = 0x%" PRIx64 "\n", TRACE_LOCAL_BASE);
    fprintf(out, "-nvbit version = none\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n");
    fprintf(out, "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
                 "mem_width [address_mode addresses] immediate\n\n");
    return 0;
}

/* Takes the first block out, and writes it if there is somewhere to. */
static void take_first(struct traced_kernel *k, FILE *out)
{
    struct traced_block *b = k->first;
    if (out)
        fprintf(out, "#BEGIN_TB\nthread block = %" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", b->ctaid[0],
                b->ctaid[1], b->ctaid[2]);
    for (uint32_t i = 0; i < k->num_warps; i++) {
        if (out) {
            fprintf(out, "warp = %" PRIu32 "\ninsts = %" PRIu64 "\n", i, b->warps[i].count);
            spool_write(k->trace->spool, &b->warps[i].lines, out);
        } else
            spool_drop(k->trace->spool, &b->warps[i].lines);
    }
    if (out)
        fprintf(out, "#END_TB\n");
    k->first = b->next;
    k->last = k->first ? k->last : NULL;
    free(b);
}

int trace_collect(struct trace *t, unsigned number, FILE *err)
{
    struct traced_kernel *k = &t->kernels[number];
    FILE *out = file_stream(k->file);
    errno = 0;
    while (k->first && k->first->ended)
        take_first(k, out);
    const int unwritten = ferror(out) ? (errno ? errno : EIO) : 0;
    const int why = t->no_memory ? ENOMEM : unwritten ? unwritten : spool_error(t->spool);
    if (why)
        fprintf(err, "%s: kernel %" PRIu64 " cannot be traced: %s\n", t->folder, k->id,
                strerror(why));
    return why ? -1 : 0;
}

int trace_end(struct trace *t, unsigned number, int complete, FILE *err)
{
    struct traced_kernel *k = &t->kernels[number];
    while (k->first)
        take_first(k, NULL);
    struct file *file = k->file;
    k->file = NULL;
    if (!file)
        return 0;
    if (complete && !file_commit(file, err))
        return 0;
    if (!complete)
        file_discard(file);
    strike(t, k->id);
    return complete ? -1 : 0;
}

void trace_copy(struct trace *t, uint64_t address, uint64_t bytes)
{
    list(t, &(struct command){.address = address, .bytes = bytes});
}
