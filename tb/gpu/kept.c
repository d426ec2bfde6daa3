/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/kept.c: the machine's side of kept.h. */
#include "tb/gpu/kept.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "tb/gpu/kept_file.h"

/* Where a kernel's records are, and how often it has been put. */
struct slot {
    uint64_t places[2], sequence;
};

struct kept {
    int fd;
    pid_t owner;
    uint64_t end; /* of the file */
    struct slot *slots;
    size_t num_slots, places;
    FILE *err;
};

/* Returns 0, or -1 with errno set. */
static int write_at(int fd, const void *bytes, size_t size, uint64_t at)
{
    for (size_t done = 0; done < size;) {
        const ssize_t count =
            pwrite(fd, (const char *)bytes + done, size - done, (off_t)(at + done));
        if (count < 0 && errno != EINTR)
            return -1;
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

static void complain(FILE *err)
{
    fprintf(err,
            "heddle: the statistics of kernels cannot be kept: %s; they are written if the program "
            "exits\n",
            strerror(errno));
}

struct kept *kept_open(const char *path, const struct config *c, FILE *err)
{
    struct kept_head *head = calloc(1, sizeof *head);
    struct kept *k = calloc(1, sizeof *k);
    const int fd = head && k ? open(path, O_RDWR | O_CLOEXEC) : -1;
    const int busy = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB);
    int failed = fd < 0 || busy;
    if (!failed) {
        strcpy(head->magic, KEPT_MAGIC);
        head->head_bytes = sizeof *head;
        head->kernel_bytes = sizeof(struct kernel_stats);
        head->period_bytes = sizeof(struct period_stats);
        head->config = *c;
        head->hash = kept_hash_head(head);
        *k = (struct kept){.fd = fd, .owner = getpid(), .end = sizeof *head, .err = err};
        failed = ftruncate(fd, 0) || write_at(fd, head, sizeof *head, 0);
    }
    if (failed && !busy)
        complain(err);
    if (failed && fd >= 0)
        close(fd);
    if (failed)
        free(k);
    free(head);
    return failed ? NULL : k;
}

static void give_up(struct kept *k)
{
    complain(k->err);
    close(k->fd);
    k->fd = -1;
}

/* Returns 0, or -1 with errno set. */
static int put(struct kept *k, struct kept_record *r, const void *bytes, uint64_t at)
{
    char *whole = malloc(sizeof *r + r->bytes);
    if (!whole)
        return -1;
    r->hash = kept_hash_record(r, bytes);
    memcpy(whole, r, sizeof *r);
    memcpy(whole + sizeof *r, bytes, r->bytes);
    const int status = write_at(k->fd, whole, sizeof *r + r->bytes, at);
    free(whole);
    return status;
}

/* The slot of a kernel, which is new or the last but so many; NULL: no memory. */
static struct slot *slot_of(struct kept *k, size_t index)
{
    if (index >= k->places) {
        const size_t places = index < 8 ? 16 : 2 * index;
        struct slot *more = realloc(k->slots, places * sizeof *more);
        if (!more)
            return NULL;
        k->slots = more;
        k->places = places;
    }
    for (; k->num_slots <= index; k->num_slots++)
        k->slots[k->num_slots] = (struct slot){0};
    return &k->slots[index];
}

/* The struct, its name and its log, one behind the other; malloc'ed, NULL: no memory. */
static char *kernel_bytes(const struct kernel_stats *kernel, size_t *size)
{
    struct kernel_stats plain = *kernel;
    cJSON *holder = cJSON_CreateObject();
    logs_write(&kernel->logs, holder);
    char *log = cJSON_PrintUnformatted(cJSON_GetObjectItem(holder, "log"));
    const size_t name_bytes = strlen(kernel->name) + 1, log_bytes = log ? strlen(log) + 1 : 1;
    char *bytes = malloc(sizeof plain + name_bytes + log_bytes);
    plain.name = plain.log = NULL;
    plain.occupancy.kernel = NULL;
    plain.logs = (struct logs){0};
    if (bytes) {
        memcpy(bytes, &plain, sizeof plain);
        memcpy(bytes + sizeof plain, kernel->name, name_bytes);
        memcpy(bytes + sizeof plain + name_bytes, log ? log : "", log_bytes);
    }
    *size = sizeof plain + name_bytes + log_bytes;
    cJSON_free(log);
    cJSON_Delete(holder);
    return bytes;
}

void kept_kernel(struct kept *k, size_t index, const struct kernel_stats *kernel)
{
    if (k->fd < 0 || getpid() != k->owner)
        return;
    struct slot *slot = slot_of(k, index);
    size_t size;
    char *bytes = slot ? kernel_bytes(kernel, &size) : NULL;
    int failed = !bytes;
    if (bytes) {
        struct kept_record r = {
            .kind = KEPT_KERNEL, .bytes = size, .index = index, .sequence = ++slot->sequence};
        uint64_t *place = &slot->places[slot->sequence & 1];
        if (!*place) { /* as long as the one before: a folded kernel has no log */
            *place = k->end;
            k->end += sizeof r + r.bytes;
        }
        failed = put(k, &r, bytes, *place);
    }
    free(bytes);
    if (failed)
        give_up(k);
}

void kept_period(struct kept *k, size_t index, const struct period_stats *period)
{
    struct kept_record r = {
        .kind = KEPT_PERIOD, .bytes = sizeof *period, .index = index, .sequence = 1};
    if (k->fd < 0 || getpid() != k->owner)
        return;
    if (put(k, &r, period, k->end))
        give_up(k);
    k->end += sizeof r + r.bytes;
}

void kept_close(struct kept *k, int whole)
{
    const uint64_t yes = 1;
    if (!k)
        return;
    if (k->fd >= 0 && whole && getpid() == k->owner)
        write_at(k->fd, &yes, sizeof yes, offsetof(struct kept_head, whole));
    if (k->fd >= 0)
        close(k->fd);
    free(k->slots);
    free(k);
}
