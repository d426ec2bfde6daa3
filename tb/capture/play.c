/* SPDX-License-Identifier: Apache-2.0 */
/* tb/capture/play.c: see play.h. */
#include "tb/capture/play.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tb/capture/in.h"
#include "tb/exec/exec.h"

#define MOST_TEXT      (UINT64_C(1) << 28) /* bytes of PTX */
#define MOST_NAME      4096
#define MOST_PARAMS    65536
#define MOST_VARIABLES (1u << 20)

struct program {
    char *name, *ptx;
    struct ptx_module *module;
    struct capture_program shown;
};

struct play {
    struct capture_in *in;
    FILE *err;
    struct play_host host;
    struct snapshot *snapshot; /* what memory should be */
    uint64_t memory;           /* bytes of its allocations */
    struct program *programs;
    uint32_t num_programs;
    uint64_t launches;
    /* of the launch that has begun, until `ended` */
    int begun;
    enum gpu_status status;
    char *kernel, *message; /* its name; why it failed when captured */
    uint8_t *params;
    struct play_launch launch;
    struct play_ended ended;
};

static int in_text(struct capture_in *in, uint64_t most, char **text)
{
    uint8_t *bytes;
    const int result = in_bytes(in, most, &bytes, NULL);
    *text = (char *)bytes;
    return result;
}

/* A text that will be printed: of one line, or of several. What steers a terminal is not among it. */
static int in_words(struct capture_in *in, uint64_t most, int lines, char **text)
{
    if (in_text(in, most, text))
        return -1;
    for (const char *at = *text; *at; at++)
        if (((unsigned char)*at < ' ' && !(lines && *at == '\n')) || *at == 0x7f)
            return in_refuse(in, "a name or message has a control character, 0x%02x",
                             (unsigned)(unsigned char)*at);
    return 0;
}

/* A program's name becomes that of a file where one of its kernels fails. */
static int in_name(struct capture_in *in, char **name)
{
    if (in_words(in, MOST_NAME, 0, name))
        return -1;
    if (!**name || **name == '.' || strchr(*name, '/'))
        return in_refuse(in, "a program cannot be named '%.64s'", *name);
    return 0;
}

/* Addresses of a module's variables, one after the other. */
struct places {
    const struct snapshot *snapshot;
    const uint64_t *addresses;
    uint32_t next, count;
};

static uint64_t place(void *context, const struct ptx_var *v)
{
    struct places *p = context;
    const uint64_t address = p->next < p->count ? p->addresses[p->next++] : 0;
    return address && snapshot_bytes(p->snapshot, address, v->size ? v->size : 1) ? address : 0;
}

static int load(struct play *p, struct program *program, const uint64_t *addresses, uint32_t count)
{
    struct ptx_error error;
    struct places places = {p->snapshot, addresses, 0, count};
    program->module = ptx_parse(program->name, program->ptx, strlen(program->ptx), &error);
    if (!program->module || exec_bind(program->module, &error))
        return in_refuse(p->in, "%s", error.message);
    if (program->module->num_vars != count || ptx_place(program->module, place, &places))
        return in_refuse(p->in, "the variables of %s do not lie where the capture says",
                         program->name);
    ptx_stack(program->module, p->host.stack);
    program->shown = (struct capture_program){program->name, program->ptx, strlen(program->ptx),
                                              program->module};
    return 0;
}

static int read_program(struct play *p)
{
    uint32_t count;
    uint64_t *addresses = NULL;
    struct program *longer = realloc(p->programs, (p->num_programs + 1) * sizeof *longer);
    if (!longer)
        return in_refuse(p->in, "no memory for a program");
    p->programs = longer;
    struct program *program = &p->programs[p->num_programs++];
    *program = (struct program){0};
    if (in_name(p->in, &program->name) || in_text(p->in, MOST_TEXT, &program->ptx) ||
        in_u32(p->in, &count))
        return -1;
    if (count > MOST_VARIABLES || (count && !(addresses = calloc(count, sizeof *addresses))))
        return in_refuse(p->in, "has %" PRIu32 " variables", count);
    int failed = 0;
    for (uint32_t i = 0; i < count && !failed; i++)
        failed = in_u64(p->in, &addresses[i]);
    if (!failed)
        failed = load(p, program, addresses, count);
    free(addresses);
    return failed;
}

static int read_allocate(struct play *p)
{
    uint64_t base, size;
    if (in_u64(p->in, &base) || in_u64(p->in, &size))
        return -1;
    if (size > p->host.most_memory - p->memory)
        return in_refuse(p->in, "allocates %" PRIu64 " bytes: more than the device has", size);
    if (gmem_place(p->host.gmem, base, size) || snapshot_allocate(p->snapshot, base, size))
        return in_refuse(p->in, "%" PRIu64 " bytes cannot be allocated at 0x%" PRIx64, size, base);
    p->memory += size;
    return 0;
}

static int read_release(struct play *p)
{
    uint64_t base;
    if (in_u64(p->in, &base))
        return -1;
    const struct gmem_range *range = gmem_find(p->host.gmem, base);
    if (!range || range->base != base)
        return in_refuse(p->in, "no allocation begins at 0x%" PRIx64, base);
    p->memory -= range->size;
    return gmem_free(p->host.gmem, base) | snapshot_release(p->snapshot, base);
}

/* Bytes into the copy: what the host has written, which memory gets, too, or what the launch should have. */
static int read_bytes(struct play *p, int by_host)
{
    uint64_t address, size;
    if (in_u64(p->in, &address) || in_u64(p->in, &size))
        return -1;
    uint8_t *copy = size ? snapshot_bytes(p->snapshot, address, size) : NULL;
    if (!copy)
        return in_refuse(p->in, "%" PRIu64 " bytes at 0x%" PRIx64 " are in no allocation", size,
                         address);
    if (in_raw(p->in, copy, size))
        return -1;
    if (by_host) {
        memcpy(gmem_host(p->host.gmem, address, size), copy, size);
        if (p->host.written)
            p->host.written(p->host.context, address, size);
    }
    return 0;
}

static int three(struct capture_in *in, uint32_t numbers[3])
{
    return in_u32(in, &numbers[0]) || in_u32(in, &numbers[1]) || in_u32(in, &numbers[2]) ? -1 : 0;
}

/* Is it a launch that a driver could make? */
static int check_launch(struct play *p, const struct gpu_launch *l, uint64_t param_bytes)
{
    if (!l->kernel)
        return in_refuse(p->in, "its program has no kernel '%.64s'", p->kernel);
    if (l->kernel->refused)
        return in_refuse(p->in, "kernel %s cannot run: %.128s", l->kernel->name,
                         l->kernel->refused);
    if (param_bytes != l->kernel->param_bytes)
        return in_refuse(p->in, "kernel %s has %" PRIu64 " bytes of parameters; expected %" PRIu32,
                         l->kernel->name, param_bytes, l->kernel->param_bytes);
    for (int i = 0; i < 3; i++)
        if (!l->grid[i] || !l->block[i] ||
            (uint64_t)l->grid[i] * l->block[i] + l->offset[i] > UINT32_MAX)
            return in_refuse(p->in,
                             "a grid of %" PRIu32 " blocks of %" PRIu32 " threads from %" PRIu32,
                             l->grid[i], l->block[i], l->offset[i]);
    if (l->work_dim < 1 || l->work_dim > 3 || l->dynamic_shared > INT32_MAX)
        return in_refuse(p->in,
                         "%" PRIu32 " dimensions, %" PRIu32 " bytes of dynamic shared memory",
                         l->work_dim, l->dynamic_shared);
    return 0;
}

static int read_launch(struct play *p)
{
    struct gpu_launch l = {0};
    uint32_t number;
    uint64_t param_bytes;
    free(p->kernel);
    free(p->params);
    p->kernel = NULL;
    p->params = NULL;
    int failed = in_u32(p->in, &number) || in_words(p->in, MOST_NAME, 0, &p->kernel) ||
                 in_bytes(p->in, MOST_PARAMS, &p->params, &param_bytes) || three(p->in, l.grid) ||
                 three(p->in, l.block) || three(p->in, l.offset) || in_u32(p->in, &l.work_dim) ||
                 in_u32(p->in, &l.dynamic_shared);
    if (!failed && number >= p->num_programs)
        failed = in_refuse(p->in, "of program %" PRIu32 ", which does not exist", number);
    if (!failed) {
        const struct program *program = &p->programs[number];
        l.kernel = ptx_kernel(program->module, p->kernel);
        l.params = p->params;
        failed = check_launch(p, &l, param_bytes);
        if (!failed) {
            p->launches++;
            p->begun = 1;
            p->launch = (struct play_launch){l, &program->shown};
        }
    }
    return failed ? -1 : 0;
}

static int read_ended(struct play *p)
{
    uint32_t status;
    free(p->message);
    p->message = NULL;
    if (in_u32(p->in, &status) || in_words(p->in, GPU_MESSAGE_SIZE, 1, &p->message))
        return -1;
    struct play_ended *e = &p->ended;
    *e = (struct play_ended){.number = p->launches,
                             .kernel = p->kernel,
                             .status = p->status,
                             .captured = (enum gpu_status)status,
                             .captured_message = p->message};
    const int compared = e->status == GPU_OK && e->captured == GPU_OK;
    p->begun = 0;
    if (compared)
        e->difference = snapshot_compare(p->snapshot, p->host.gmem);
    if (!compared || e->difference.bytes)
        snapshot_restore(p->snapshot, p->host.gmem);
    return 0;
}

static int read_last(struct play *p)
{
    uint64_t launches;
    if (in_last(p->in, &launches))
        return -1;
    if (launches != p->launches)
        return in_refuse(p->in, "says that there were %" PRIu64 " launches, not %" PRIu64, launches,
                         p->launches);
    return 0;
}

/* Reads a record, of the kind that is returned; RECORD_none: it cannot be used. */
static enum record step(struct play *p)
{
    const enum record record = in_record(p->in);
    int failed = 1;
    if (record != RECORD_none && p->begun != (record == RECORD_change || record == RECORD_ended)) {
        in_refuse(p->in, p->begun ? "comes before the launch is over" : "comes before a launch");
        return RECORD_none;
    }
    switch (record) {
    case RECORD_program: failed = read_program(p); break;
    case RECORD_allocate: failed = read_allocate(p); break;
    case RECORD_release: failed = read_release(p); break;
    case RECORD_write: failed = read_bytes(p, 1); break;
    case RECORD_launch: failed = read_launch(p); break;
    case RECORD_change: failed = read_bytes(p, 0); break;
    case RECORD_ended: failed = read_ended(p); break;
    case RECORD_last: failed = read_last(p); break;
    default: break;
    }
    return failed ? RECORD_none : record;
}

struct play *play_open(const char *path, const struct play_host *host, FILE *err)
{
    struct play *p = calloc(1, sizeof *p);
    if (!p || !(p->snapshot = snapshot_new())) {
        fprintf(err, "%s: no memory to play it\n", path);
        free(p);
        return NULL;
    }
    p->host = *host;
    p->err = err;
    if ((p->in = in_open(path, err)))
        return p;
    play_close(p);
    return NULL;
}

void play_close(struct play *p)
{
    for (uint32_t i = 0; i < p->num_programs; i++) {
        ptx_free(p->programs[i].module);
        free(p->programs[i].name);
        free(p->programs[i].ptx);
    }
    if (p->in)
        in_close(p->in);
    snapshot_free(p->snapshot);
    free(p->programs);
    free(p->kernel);
    free(p->message);
    free(p->params);
    free(p);
}

/* Reads records up to one of a kind, or the last. Returns 1, 0: it was the last, or -1. */
static int step_to(struct play *p, enum record wanted)
{
    enum record record;
    do
        record = step(p);
    while (record != RECORD_none && record != RECORD_last && record != wanted);
    if (record == RECORD_none)
        fprintf(p->err, "%s\n", in_error(p->in));
    return record == RECORD_none ? -1 : record == wanted;
}

int play_next(struct play *p, struct play_launch *launch)
{
    const int found = step_to(p, RECORD_launch);
    *launch = p->launch;
    return found;
}

int play_end(struct play *p, enum gpu_status status, struct play_ended *ended)
{
    p->status = status;
    if (step_to(p, RECORD_ended) < 0)
        return -1;
    *ended = p->ended;
    return 0;
}

int capture_play(const char *path, const struct play_host *host, FILE *err)
{
    struct play *p = play_open(path, host, err);
    struct play_launch l;
    struct play_ended ended;
    int result = p ? 1 : -1;
    while (result > 0 && (result = play_next(p, &l)) > 0)
        if (play_end(p, host->launch(host->context, &l.launch, l.program), &ended))
            result = -1;
        else if (host->ended)
            host->ended(host->context, &ended);
    if (p)
        play_close(p);
    return result;
}
