/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/kept_read.c: the other side of kept.h. The process that wrote the file may have been ended in the middle of a record, or
 * by a fault of its own: nothing is taken that does not fit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tb/gpu/kept.h"
#include "tb/gpu/kept_file.h"

struct reader {
    int fd;
    uint64_t at; /* the next record */
    struct stats stats;
    uint64_t *sequences; /* of its kernels: 0 where none is known */
    size_t places;       /* for them */
};

/* Returns 0, or -1: the file ends before. */
static int read_at(int fd, void *bytes, size_t size, uint64_t at)
{
    for (size_t done = 0; done < size;) {
        const ssize_t count = pread(fd, (char *)bytes + done, size - done, (off_t)(at + done));
        if (!count || (count < 0 && errno != EINTR))
            return -1;
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

/* Makes room up to a kernel's number. Returns 0, or -1: no memory, or it is behind the next one. */
static int reach(struct reader *r, uint64_t index)
{
    struct stats *s = &r->stats;
    if (index < s->num_kernels)
        return 0;
    if (index > s->num_kernels || stats_reserve(s))
        return -1;
    if (r->places < s->places) {
        uint64_t *sequences = realloc(r->sequences, s->places * sizeof *sequences);
        if (!sequences)
            return -1;
        r->sequences = sequences;
        r->places = s->places;
    }
    s->kernels[s->num_kernels] = (struct kernel_stats){0};
    r->sequences[s->num_kernels++] = 0;
    return 0;
}

/* Returns 0, or -1: no memory, or the record is none. */
static int take_kernel(struct reader *r, const struct kept_record *record, const char *bytes)
{
    struct kernel_stats k;
    const size_t rest = record->bytes < sizeof k ? 0 : record->bytes - sizeof k;
    const char *name = bytes + sizeof k, *log = rest ? memchr(name, 0, rest) : NULL;
    if (!log || log + 1 == bytes + record->bytes || bytes[record->bytes - 1])
        return -1;
    log++;
    memcpy(&k, bytes, sizeof k);
    if ((unsigned)k.status > GPU_INTERRUPTED || k.number >= GPU_KERNELS || reach(r, record->index))
        return -1;
    if (r->sequences[record->index] >= record->sequence)
        return 0;
    k.name = strdup(name);
    k.log = *log ? strdup(log) : NULL;
    if (!k.name || (*log && !k.log)) {
        free(k.name);
        free(k.log);
        return -1;
    }
    struct kernel_stats *to = &r->stats.kernels[record->index];
    free(to->name);
    free(to->log);
    *to = k;
    r->sequences[record->index] = record->sequence;
    return 0;
}

static int take_period(struct reader *r, const struct kept_record *record, const char *bytes)
{
    struct stats *s = &r->stats;
    struct period_stats p;
    if (record->bytes != sizeof p)
        return -1;
    memcpy(&p, bytes, sizeof p);
    if (p.first > s->num_kernels || p.count > s->num_kernels - p.first)
        return -1;
    struct period_stats *more = realloc(s->periods, (s->num_periods + 1) * sizeof *more);
    if (!more)
        return -1;
    s->periods = more;
    s->periods[s->num_periods++] = p;
    return 0;
}

/* Takes the next record, or passes over it. Returns 0, or -1: there is none. */
static int take(struct reader *r, uint64_t size)
{
    struct kept_record record;
    if (read_at(r->fd, &record, sizeof record, r->at) ||
        record.bytes > size - r->at - sizeof record)
        return -1;
    char *bytes = malloc(record.bytes + 1);
    const int whole = bytes && !read_at(r->fd, bytes, record.bytes, r->at + sizeof record) &&
                      kept_hash_record(&record, bytes) == record.hash;
    if (whole && record.kind == KEPT_KERNEL)
        take_kernel(r, &record, bytes);
    else if (whole && record.kind == KEPT_PERIOD)
        take_period(r, &record, bytes);
    free(bytes);
    r->at += sizeof record + record.bytes;
    return 0;
}

/* Sums what was read. Returns the launches. */
static int64_t add_up(struct stats *s)
{
    int64_t launches = 0;
    for (size_t i = 0; i < s->num_kernels; i++) {
        launches += (int64_t)s->kernels[i].launches;
        if (!s->kernels[i].shares)
            stats_add_words(&s->totals, &s->kernels[i].sums, sizeof s->totals);
    }
    for (size_t i = 0; i < s->num_periods; i++)
        stats_add_words(&s->totals, &s->periods[i].sums, sizeof s->totals);
    return launches;
}

/* A kernel whose only record is torn is the last: what it would be is left out. */
static void drop_unknown(struct reader *r)
{
    struct stats *s = &r->stats;
    while (s->num_kernels && !r->sequences[s->num_kernels - 1])
        s->num_kernels--;
}

int64_t kept_recover(int fd, const char *path, const char *why, const struct notes *made_by,
                     FILE *err)
{
    struct kept_head *head = malloc(sizeof *head);
    struct reader r = {
        .fd = fd, .at = sizeof *head, .stats.incomplete = why, .stats.made_by = made_by};
    const off_t size = lseek(fd, 0, SEEK_END);
    int64_t result = -1;
    if (head && size >= (off_t)sizeof *head && !read_at(fd, head, sizeof *head, 0) &&
        !memcmp(head->magic, KEPT_MAGIC, sizeof KEPT_MAGIC) && head->head_bytes == sizeof *head &&
        head->kernel_bytes == sizeof(struct kernel_stats) &&
        head->period_bytes == sizeof(struct period_stats) && head->hash == kept_hash_head(head) &&
        !head->whole) {
        while (r.at + sizeof(struct kept_record) <= (uint64_t)size && !take(&r, (uint64_t)size))
            ;
        drop_unknown(&r);
        r.stats.fold = (int)head->config.run_fold;
        result = add_up(&r.stats);
        if (stats_write(&r.stats, &head->config, path, err))
            result = -2;
    }
    stats_free(&r.stats);
    free(r.sequences);
    free(head);
    return result;
}
