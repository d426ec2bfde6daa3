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
    struct trace *trace;
    uint32_t ctaid[3];
    int ended;
    struct traced_warp warps[];
};

struct trace {
    char *folder;
    struct spool *spool;
    struct stream stream;
    FILE *list; /* kernelslist.g, as far as it is known */
    char *listed;
    size_t list_bytes;
    uint64_t id;        /* of the last kernel, from 1 */
    struct file *file;  /* of the kernel that runs, or NULL */
    uint32_t num_warps; /* of a block */
    struct traced_block *first, *last;
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

static void *place(void *context, const uint32_t ctaid[3])
{
    struct trace *t = context;
    struct traced_block *b = calloc(1, sizeof *b + t->num_warps * sizeof b->warps[0]);
    if (!b) {
        t->no_memory = 1;
        return NULL;
    }
    b->trace = t;
    memcpy(b->ctaid, ctaid, sizeof b->ctaid);
    *(t->last ? &t->last->next : &t->first) = b;
    t->last = b;
    return b;
}

static void issue(void *block, const struct stream_issue *i)
{
    struct traced_block *b = block;
    struct traced_warp *w = &b->warps[i->warp];
    struct trace_line line;
    trace_line_of(&line, i);
    spool_add(b->trace->spool, &w->lines, line.text, line.length);
    w->count++;
}

static void end(void *block)
{
    struct traced_block *b = block;
    for (uint32_t i = 0; i < b->trace->num_warps; i++)
        spool_rest(b->trace->spool, &b->warps[i].lines);
    b->ended = 1;
}

static void free_trace(struct trace *t)
{
    spool_close(t->spool);
    if (t->list)
        fclose(t->list);
    free(t->listed);
    free(t->folder);
    free(t);
}

struct trace *trace_open(const char *folder, uint64_t memory, FILE *err)
{
    if (trace_folder(folder, err))
        return NULL;
    struct trace *t = calloc(1, sizeof *t);
    if (t && (t->folder = strdup(folder)) && (t->spool = spool_open(folder, memory)) &&
        (t->list = open_memstream(&t->listed, &t->list_bytes))) {
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

int trace_close(struct trace *t, FILE *err)
{
    struct file *file = create(t, "kernelslist.g", err);
    const int unlisted = fflush(t->list) || ferror(t->list);
    if (unlisted)
        fprintf(err, "%s: no memory for the list of kernels\n", t->folder);
    if (file && !unlisted)
        fwrite(t->listed, 1, t->list_bytes, file_stream(file));
    else
        file_discard(file);
    const int result = file && !unlisted ? file_commit(file, err) : -1;
    free_trace(t);
    return result;
}

static void name_of(const struct trace *t, char name[64])
{
    snprintf(name, 64, "kernel-%" PRIu64 ".traceg", t->id);
}

int trace_begin(struct trace *t, const struct exec_launch *l, FILE *err)
{
    char name[64];
    t->id++;
    t->num_warps = (l->block[0] * l->block[1] * l->block[2] + WARP_LANES - 1) / WARP_LANES;
    name_of(t, name);
    t->file = create(t, name, err);
    if (!t->file)
        return -1;
    FILE *out = file_stream(t->file);
    fprintf(out, "-kernel name = %s\n-kernel id = %" PRIu64 "\n", l->kernel->name, t->id);
    fprintf(out, "-grid dim = (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")\n", l->grid[0], l->grid[1],
            l->grid[2]);
    fprintf(out, "-block dim = (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")\n", l->block[0], l->block[1],
            l->block[2]);
    fprintf(out, "-shmem = %" PRIu32 "\n-nregs = %" PRIu32 "\n-binary version = %d\n",
            l->shared_bytes, l->kernel->regs_per_thread, TRACE_BINARY_VERSION);
    fprintf(out, "-cuda stream id = 0\n-shmem base_addr = 0x%" PRIx64 "\n", TRACE_SHARED_BASE);
    fprintf(out, "-local mem base_addr = 0x%" PRIx64 "\n", TRACE_LOCAL_BASE);
    fprintf(out, "-nvbit version = none\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n");
    fprintf(out, "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
                 "mem_width [address_mode addresses] immediate\n\n");
    return 0;
}

/* Takes the first block out, and writes it if there is somewhere to. */
static void take_first(struct trace *t, FILE *out)
{
    struct traced_block *b = t->first;
    if (out)
        fprintf(out, "#BEGIN_TB\nthread block = %" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", b->ctaid[0],
                b->ctaid[1], b->ctaid[2]);
    for (uint32_t i = 0; i < t->num_warps; i++) {
        if (out) {
            fprintf(out, "warp = %" PRIu32 "\ninsts = %" PRIu64 "\n", i, b->warps[i].count);
            spool_write(t->spool, &b->warps[i].lines, out);
        } else
            spool_drop(t->spool, &b->warps[i].lines);
    }
    if (out)
        fprintf(out, "#END_TB\n");
    t->first = b->next;
    t->last = t->first ? t->last : NULL;
    free(b);
}

int trace_collect(struct trace *t, FILE *err)
{
    FILE *out = file_stream(t->file);
    errno = 0;
    while (t->first && t->first->ended)
        take_first(t, out);
    const int unwritten = ferror(out) ? (errno ? errno : EIO) : 0;
    const int why = t->no_memory ? ENOMEM : unwritten ? unwritten : spool_error(t->spool);
    if (why)
        fprintf(err, "%s: kernel %" PRIu64 " cannot be traced: %s\n", t->folder, t->id,
                strerror(why));
    return why ? -1 : 0;
}

int trace_end(struct trace *t, int complete, FILE *err)
{
    char name[64];
    while (t->first)
        take_first(t, NULL);
    struct file *file = t->file;
    t->file = NULL;
    if (!file || !complete) {
        file_discard(file);
        return 0;
    }
    if (file_commit(file, err))
        return -1;
    name_of(t, name);
    fprintf(t->list, "%s\n", name);
    return 0;
}

void trace_copy(struct trace *t, uint64_t address, uint64_t bytes)
{
    fprintf(t->list, "MemcpyHtoD,0x%" PRIx64 ",%" PRIu64 "\n", address, bytes);
}
