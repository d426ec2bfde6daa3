/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/rows.c: see rows.h. */
#include "tb/cli/rows.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER(name, path) path,
static const char *const l1d_members[] = {L1D_MEMBERS(MEMBER)};
static const char *const memory_members[] = {MEMORY_MEMBERS(MEMBER)};
static const char *const energy_members[] = {ENERGY_MEMBERS(MEMBER)};
static const char *const occupancy_members[] = {OCCUPANCY_MEMBERS(MEMBER)};
#undef MEMBER
static const char *const failure_members[] = {
    "l1d.reservation_failures.merge_full", "l1d.reservation_failures.no_way",
    "l1d.reservation_failures.no_mshr", "l1d.reservation_failures.queue_full"};
static const char *const issue_members[] = {
#define OUTCOME(name, meaning) "issue." #name,
#include "tb/sm/sm.def"
};
static const char *const cpi_members[] = {
#define CPI_CLASS(name, meaning) "cpi.warp_cycles." #name,
#include "tb/sm/cpi.def"
#undef CPI_CLASS
};

#define COUNT(array) (int)(sizeof(array) / sizeof(array)[0])

/* Where numbers are taken from, and who takes them. */
struct source {
    const cJSON *from;
    const char *place; /* "kernels.3" */
    struct report_row *row;
    char *missing; /* of 128 bytes */
};

static double number(const struct source *s, enum row_part part, const char *member)
{
    double value;
    if (statistics_finite(statistics_within(s->from, member), &value))
        return value;
    s->row->lacks |= part;
    if (!*s->missing)
        snprintf(s->missing, 128, "%s.%s", s->place, member);
    return 0;
}

static void add(const struct source *s, enum row_part part, double *sums,
                const char *const *members, int count)
{
    for (int i = 0; i < count; i++)
        sums[i] += number(s, part, members[i]);
}

static void take_occupancy(const struct source *s)
{
    struct report_row *row = s->row;
    const cJSON *limits = statistics_within(s->from, "occupancy.limited_by"), *limit;
    add(s, ROW_OCCUPANCY, row->occupancy, occupancy_members, COUNT(occupancy_members));
    if (!cJSON_IsArray(limits)) {
        number(s, ROW_OCCUPANCY, "occupancy.limited_by");
        return;
    }
    cJSON_ArrayForEach(limit, limits)
    {
        const size_t used = strlen(row->limits);
        snprintf(row->limits + used, sizeof row->limits - used, "%s%s", used ? "," : "",
                 cJSON_IsString(limit) ? limit->valuestring : "?");
    }
}

static void add_sums(const struct source *s)
{
    struct report_row *row = s->row;
    row->cycles += number(s, ROW_CYCLES, "cycles");
    row->sm_cycles += number(s, ROW_CYCLES, "sm_cycles");
    row->instructions += number(s, ROW_CYCLES, "warp_instructions");
    row->untimed += number(s, ROW_CYCLES, "untimed_instructions");
    add(s, ROW_CPI, row->warp_cycles, cpi_members, COUNT(cpi_members));
    add(s, ROW_ISSUE, row->issue, issue_members, COUNT(issue_members));
    add(s, ROW_MEMORY, row->l1d, l1d_members, COUNT(l1d_members));
    for (int i = 0; i < COUNT(failure_members); i++)
        row->l1d[L1D_failures] += number(s, ROW_MEMORY, failure_members[i]);
    add(s, ROW_MEMORY, row->memory, memory_members, COUNT(memory_members));
    row->memory[MEMORY_dram_requests] += number(s, ROW_MEMORY, "dram.writes");
    add(s, ROW_ENERGY, row->energy, energy_members, COUNT(energy_members));
}

/* Folded launches are one kernel of the file. */
static double launches_of(const cJSON *kernel)
{
    double launches = 1;
    statistics_finite(cJSON_GetObjectItemCaseSensitive(kernel, "launches"), &launches);
    return launches;
}

static void add_launch(const struct source *s)
{
    struct report_row *row = s->row;
    const cJSON *status = cJSON_GetObjectItemCaseSensitive(s->from, "status");
    if (!row->launches)
        take_occupancy(s);
    row->launches += launches_of(s->from);
    add_sums(s);
    if (cJSON_IsString(status) && strcmp(status->valuestring, "ok") != 0) {
        if (!row->broken)
            snprintf(row->end, sizeof row->end, "%s", status->valuestring);
        row->broken += launches_of(s->from);
    }
}

static void take_machine(struct report_row *row, const struct statistics *statistics, char *missing)
{
    const struct source s = {statistics_at(statistics, "settings"), "settings", row, missing};
    row->sms = number(&s, ROW_MACHINE, "hw.num_sms");
    row->clock_mhz = number(&s, ROW_MACHINE, "gpu.clock_mhz");
}

/* The row of this kernel, which is made if there is none; NULL: no memory. Rows of earlier files are
 * before `first`. */
static struct report_row *row_of(struct report_rows *r, int first, const char *name,
                                 const char *file)
{
    for (int i = first; i < r->count; i++)
        if (!strcmp(r->rows[i].name, name))
            return &r->rows[i];
    struct report_row *rows = realloc(r->rows, ((size_t)r->count + 1) * sizeof *rows);
    if (!rows)
        return NULL;
    r->rows = rows;
    struct report_row *row = memset(&rows[r->count], 0, sizeof *row);
    if (!(row->name = strdup(name)))
        return NULL;
    r->count++;
    snprintf(row->label, sizeof row->label, file ? "%.40s %.48s" : "%.40s", name, file);
    return row;
}

static int add_kernel(struct report_rows *r, int first, const struct statistics *statistics,
                      const cJSON *kernel, int index, const char *file)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(kernel, "name");
    char place[32];
    struct report_row *row = row_of(r, first, cJSON_IsString(name) ? name->valuestring : "?", file);
    if (!row) {
        fprintf(stderr, "heddle report: no memory\n");
        return -1;
    }
    snprintf(place, sizeof place, "kernels.%d", index);
    const struct source s = {kernel, place, row, r->missing};
    if (!cJSON_IsString(name))
        number(&s, ROW_CYCLES, "name");
    take_machine(row, statistics, r->missing);
    add_launch(&s);
    return 0;
}

int rows_add(struct report_rows *r, const struct statistics *statistics, const char *file)
{
    const cJSON *kernels = statistics_at(statistics, "kernels"), *kernel;
    const int first = r->count;
    int index = 0;
    if (!cJSON_IsArray(kernels)) {
        statistics_lack(statistics, "kernels");
        return -1;
    }
    cJSON_ArrayForEach(
        kernel, kernels) if (add_kernel(r, first, statistics, kernel, index++, file)) return -1;
    return 0;
}

void rows_free(struct report_rows *r)
{
    for (int i = 0; i < r->count; i++)
        free(r->rows[i].name);
    free(r->rows);
    *r = (struct report_rows){0};
}

void rows_whole(struct report_row *whole, const struct statistics *statistics,
                const struct report_rows *rows)
{
    char missing[128] = "";
    const struct source s = {statistics_at(statistics, "totals"), "totals", whole, missing};
    *whole = (struct report_row){0};
    take_machine(whole, statistics, missing);
    add_sums(&s);
    for (int i = 0; i < rows->count; i++) {
        whole->launches += rows->rows[i].launches;
        whole->broken += rows->rows[i].broken;
    }
}

double row_ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

double row_resident(const struct report_row *row)
{
    double sum = 0;
    for (int i = 0; i < NUM_CPI_CLASSES; i++)
        sum += row->warp_cycles[i];
    return sum;
}

/* A function for each figure: its place in the list is its name. */
#define NAMED(line)   figure_##line
#define OF_LINE(line) NAMED(line)
#define FIGURE(group, head, width, digits, value, meaning)                                         \
    static double OF_LINE(__LINE__)(const struct report_row *r)                                    \
    {                                                                                              \
        return value;                                                                              \
    }
#include "tb/cli/figures.def"

static const struct figure figures[] = {
#define FIGURE(group, head, width, digits, value, meaning)                                         \
    {FIGURE_##group, head, meaning, width, digits, OF_LINE(__LINE__)},
#include "tb/cli/figures.def"
};

const struct figure *figure_next(enum figure_group group, const struct figure *before)
{
    const struct figure *const end = figures + COUNT(figures);
    for (const struct figure *f = before ? before + 1 : figures; f < end; f++)
        if (f->group == group)
            return f;
    return NULL;
}

const char *row_outcome_name(enum row_outcome outcome)
{
    return issue_members[outcome] + strlen("issue.");
}
