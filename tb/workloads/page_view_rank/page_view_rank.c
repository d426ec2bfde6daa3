/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/page_view_rank/page_view_rank.c: ranks the pages of a random log by the number of
 * their different visitors. The whole ranking is compared with one that the host makes from the
 * numbers of pages and visitors, which it knew before they became text. */
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/mapreduce.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/text.h"
#include "tb/workloads/common/zipf.h"

extern const char page_view_rank_cl[];

enum { BY_VIEW, BY_VISITOR, BY_PAGE, BY_COUNT }; /* as in page_view_rank.cl */

enum { RECORDS, PAGES, VISITORS, BLOCK, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [RECORDS] = NUMBER_OPTION("records", 1, 1 << 20, 140, 4096, 24000, "records of the log"),
    [PAGES] = NUMBER_OPTION("pages", 1, 1 << 20, 100, 1000, 10000, "pages of the web"),
    [VISITORS] = NUMBER_OPTION("visitors", 1, 1 << 24, 50, 500, 5000, "visitors"),
    [BLOCK] = NUMBER_OPTION("block", 1, 1024, 128, 128, 128, "work-items of a work-group"),
};

struct log {
    struct text text;
    uint64_t *views; /* page << 32 | visitor, sorted */
    cl_uint num_views;
    struct pair *pages; /* by number, with the place of an address in the text; then the ranking */
    cl_uint num_pages;
};

static int compare_views(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* By the number of visitors, downwards, then by page. */
static int compare_pages(const void *a, const void *b, void *bytes)
{
    const struct pair *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return text_compare(bytes, x->key, x->key_size, y->key, y->key_size);
}

/* One record; every eighth on average is of a picture. */
static void add_record(struct log *log, uint32_t page, uint32_t visitor, struct random *random)
{
    struct text *text = &log->text;
    cl_uint begin = (cl_uint)text->size;
    if (random_below(random, 8) == 0) {
        text_print(text, "http://www.pictures.org/%u.png", page);
    } else {
        text_page(text, page);
        log->pages[page] = (struct pair){begin, (cl_uint)text->size - begin, 0, 0};
        log->views[log->num_views++] = (uint64_t)page << 32 | visitor;
    }
    text_print(text, " 10.%u.%u.%u %08x\n", visitor >> 16, visitor >> 8 & 255, visitor & 255,
               (unsigned)(random_bits(random) >> 32));
    text_end_record(text);
}

/* Counts the different visitors of each page, and sorts the pages that have any. */
static void rank(struct log *log, uint32_t pages)
{
    qsort(log->views, log->num_views, sizeof *log->views, compare_views);
    for (cl_uint i = 0; i < log->num_views; i++)
        if (i == 0 || log->views[i] != log->views[i - 1])
            log->pages[log->views[i] >> 32].value++;
    for (uint32_t page = 0; page < pages; page++)
        if (log->pages[page].value > 0)
            log->pages[log->num_pages++] = log->pages[page];
    qsort_r(log->pages, log->num_pages, sizeof *log->pages, compare_pages, log->text.bytes);
}

static struct log make_log(const struct options *options)
{
    struct random random = {(uint64_t)options->seed.number};
    uint32_t pages = (uint32_t)options->own[PAGES].number;
    struct zipf page_ranks = zipf_make(pages);
    struct zipf visitor_ranks = zipf_make((uint32_t)options->own[VISITORS].number);
    size_t records = (size_t)options->own[RECORDS].number;
    struct log log = {.views = allocate(records, sizeof *log.views),
                      .pages = allocate(pages, sizeof *log.pages)};
    for (size_t i = 0; i < records; i++) {
        uint32_t page = zipf_rank(&page_ranks, &random);
        add_record(&log, page, zipf_rank(&visitor_ranks, &random), &random);
    }
    rank(&log, pages);
    zipf_free(&page_ranks);
    zipf_free(&visitor_ranks);
    return log;
}

static void free_log(struct log *log)
{
    text_free(&log->text);
    free(log->views);
    free(log->pages);
}

/* Runs a kernel that makes a pair of each group, and releases the groups. */
static cl_mem reduce(struct mapreduce *m, const char *name, cl_mem pairs, cl_mem start,
                     cl_uint groups)
{
    const cl_mem buffers[] = {pairs, start, mapreduce_pairs(m, groups)};
    cl_kernel kernel = opencl_kernel(&m->cl, name);
    opencl_arguments(kernel, buffers, COUNT_OF(buffers));
    OPENCL_ARGUMENT(kernel, COUNT_OF(buffers), groups);
    mapreduce_launch(m, kernel, groups);
    CL(clReleaseKernel(kernel));
    opencl_release(buffers, COUNT_OF(buffers) - 1);
    return buffers[COUNT_OF(buffers) - 1];
}

static struct pair *device_ranking(struct mapreduce *m, const struct log *log, cl_uint *num_pages)
{
    cl_uint views, visitors;
    size_t bytes = (log->text.records + (size_t)1) * sizeof *log->text.start;
    cl_mem records = opencl_buffer(&m->cl, CL_MEM_READ_ONLY, bytes, log->text.start);
    cl_mem pairs =
        mapreduce_map(m, "count_views", "emit_views", records, log->text.records, &views);
    mapreduce_sort(m, pairs, views, BY_VIEW);
    cl_mem start = mapreduce_group(m, pairs, views, BY_VISITOR, &visitors);
    pairs = reduce(m, "keep_first", pairs, start, visitors);
    start = mapreduce_group(m, pairs, visitors, BY_PAGE, num_pages);
    pairs = reduce(m, "count_visitors", pairs, start, *num_pages);
    mapreduce_sort(m, pairs, *num_pages, BY_COUNT);
    struct pair *ranking = mapreduce_read(m, pairs, *num_pages);
    opencl_release(&pairs, 1);
    opencl_release(&records, 1);
    return ranking;
}

/* Whether a place of the ranking names the page that it should, with its number of visitors. */
static int same_page(const struct text *text, const struct pair *expected, const struct pair *got)
{
    return got->key_size == expected->key_size && got->key <= text->size - got->key_size &&
           got->value == expected->value &&
           text_compare(text->bytes, got->key, got->key_size, expected->key, expected->key_size) ==
               0;
}

static size_t compare_rankings(const struct log *log, const struct pair *got, cl_uint num_pages)
{
    size_t wrong = 0;
    if (num_pages != log->num_pages) {
        printf("wrong: %u pages, expected %u\n", num_pages, log->num_pages);
        return 1;
    }
    for (cl_uint i = 0; i < num_pages; i++)
        if (!same_page(&log->text, &log->pages[i], &got[i]) && wrong++ == 0)
            printf("wrong: place %u of the ranking: expected %.*s with %u visitors, got the page "
                   "at %u of the log with %u\n",
                   i, (int)log->pages[i].key_size, log->text.bytes + log->pages[i].key,
                   log->pages[i].value, got[i].key, got[i].value);
    if (wrong > 0)
        printf("%zu of %u places are wrong\n", wrong, num_pages);
    return wrong;
}

static size_t run(struct mapreduce *m, const void *input)
{
    cl_uint num_pages;
    struct pair *ranking = device_ranking(m, input, &num_pages);
    size_t wrong = compare_rankings(input, ranking, num_pages);
    free(ranking);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Ranks the pages of a random log by visitors on an OpenCL device, by "
                       "MapReduce.",
                       table, NUM_OPTIONS);
    struct log log = make_log(&options);
    printf("page_view_rank: %u records, %zu bytes, %u views of %u pages, seed %lld\n",
           log.text.records, log.text.size, log.num_views, log.num_pages,
           (long long)options.seed.number);
    size_t wrong = mapreduce_repeat(&options, page_view_rank_cl, (size_t)options.own[BLOCK].number,
                                    log.text.bytes, log.text.size, run, &log);
    if (wrong == 0)
        printf("verified: the ranking of %u pages equals the host's\n", log.num_pages);
    free_log(&log);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}
