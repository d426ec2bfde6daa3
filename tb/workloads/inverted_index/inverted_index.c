/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/inverted_index/inverted_index.c: an inverted index of the links in random documents:
 * map (count, prefix sum, emit), sort, group. The whole index is compared with one that the host
 * makes by searching the documents with the C library and qsort. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/mapreduce.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/text.h"
#include "tb/workloads/common/verify.h"
#include "tb/workloads/common/zipf.h"

extern const char inverted_index_cl[];

#define MOST_WORDS (1u << 24)

enum { BY_POSTING, BY_LINK }; /* as in inverted_index.cl */

enum { DOCUMENTS, WORDS, PAGES, BLOCK, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [DOCUMENTS] = NUMBER_OPTION("documents", 1, 1 << 20, 200, 12288, 49152, "documents to index"),
    [WORDS] = NUMBER_OPTION("words", 1, 1 << 16, 3, 11, 11, "words and links of an average one"),
    [PAGES] = NUMBER_OPTION("pages", 1, 1 << 24, 100, 2000, 20000, "pages that links lead to"),
    [BLOCK] = NUMBER_OPTION("block", 1, 1024, 128, 128, 128, "work-items of a work-group"),
};

struct index {
    struct pair *postings;
    cl_uint *start; /* of the postings of a link; one more at the end */
    cl_uint num_postings, num_links;
};

struct problem {
    struct text text;
    struct index expected;
};

static void add_word(struct text *text, struct random *random)
{
    char word[10];
    int size = 2 + (int)random_below(random, sizeof word - 2);
    for (int i = 0; i < size; i++)
        word[i] = (char)('a' + random_below(random, 26));
    text_print(text, "%.*s ", size, word);
}

/* A document of words, links (about every tenth item), and what looks like a link and is none. */
static void add_document(struct text *text, uint64_t items, const struct zipf *pages,
                         struct random *random)
{
    for (uint64_t i = 0; i < items; i++)
        switch (random_below(random, 32)) {
        case 0:
        case 1:
        case 2:
            text_print(text, "%s<a href=\"", random_below(random, 4) == 0 ? "<" : "");
            text_page(text, zipf_rank(pages, random));
            text_print(text, "\">");
            add_word(text, random);
            text_print(text, "</a>\n");
            break;
        case 3: text_print(text, "<a name=\"here\"> <b>"); break;
        case 4: text_print(text, "<a href "); break;
        default: add_word(text, random);
        }
    if (random_below(random, 8) == 0)
        text_print(text, "<a href=\"http://www.unfinished");
    text_end_record(text);
}

static struct text make_documents(const struct options *options)
{
    struct random random = {(uint64_t)options->seed.number};
    struct zipf pages = zipf_make((uint32_t)options->own[PAGES].number);
    struct text text = {0};
    int64_t documents = options->own[DOCUMENTS].number, words = options->own[WORDS].number;
    if (documents * words > MOST_WORDS)
        fail_with(EXIT_USAGE, "--documents=%lld --words=%lld: expected at most %u words in all",
                  (long long)documents, (long long)words, MOST_WORDS);
    for (int64_t i = 0; i < documents; i++)
        add_document(&text, 1 + random_below(&random, 2 * (uint64_t)words - 1), &pages, &random);
    zipf_free(&pages);
    return text;
}

/* Finds a document's links by searching for where they begin. */
static cl_uint search(const struct text *text, cl_uint document, struct pair *pairs)
{
    static const char opening[] = "<a href=\"";
    const char *at = text->bytes + text->start[document];
    const char *end = text->bytes + text->start[document + 1], *quote;
    cl_uint found = 0;
    while ((at = memmem(at, (size_t)(end - at), opening, strlen(opening))) != NULL) {
        at += strlen(opening);
        if ((quote = memchr(at, '"', (size_t)(end - at))) == NULL)
            break;
        if (pairs != NULL)
            pairs[found] = (struct pair){.key = (cl_uint)(at - text->bytes),
                                         .key_size = (cl_uint)(quote - at),
                                         .value = document};
        found++;
        at = quote + 1;
    }
    return found;
}

static int compare_links(const struct pair *a, const struct pair *b, const char *bytes)
{
    return text_compare(bytes, a->key, a->key_size, b->key, b->key_size);
}

static int compare_postings(const void *a, const void *b, void *bytes)
{
    const struct pair *x = a, *y = b;
    int difference = compare_links(x, y, bytes);
    return difference != 0 ? difference : (x->key > y->key) - (x->key < y->key);
}

static struct index expected_index(const struct text *text)
{
    struct index index = {0};
    for (cl_uint i = 0; i < text->records; i++)
        index.num_postings += search(text, i, NULL);
    index.postings = allocate(index.num_postings, sizeof *index.postings);
    index.start = allocate(index.num_postings + (size_t)1, sizeof *index.start);
    struct pair *next = index.postings;
    for (cl_uint i = 0; i < text->records; i++)
        next += search(text, i, next);
    qsort_r(index.postings, index.num_postings, sizeof *index.postings, compare_postings,
            text->bytes);
    for (cl_uint i = 0; i < index.num_postings; i++)
        if (i == 0 || compare_links(&index.postings[i - 1], &index.postings[i], text->bytes) != 0)
            index.start[index.num_links++] = i;
    index.start[index.num_links] = index.num_postings;
    return index;
}

static void free_index(struct index *index)
{
    free(index->postings);
    free(index->start);
}

static struct index device_index(struct mapreduce *m, const struct text *text)
{
    struct index index;
    size_t bytes = (text->records + (size_t)1) * sizeof *text->start;
    cl_mem documents = opencl_buffer(&m->cl, CL_MEM_READ_ONLY, bytes, text->start);
    cl_mem postings = mapreduce_map(m, "count_links", "emit_links", documents, text->records,
                                    &index.num_postings);
    mapreduce_sort(m, postings, index.num_postings, BY_POSTING);
    cl_mem start = mapreduce_group(m, postings, index.num_postings, BY_LINK, &index.num_links);
    index.postings = mapreduce_read(m, postings, index.num_postings);
    index.start = allocate(index.num_links + (size_t)1, sizeof *index.start);
    opencl_read(&m->cl, start, (index.num_links + (size_t)1) * sizeof *index.start, index.start);
    const cl_mem buffers[] = {documents, postings, start};
    opencl_release(buffers, COUNT_OF(buffers));
    return index;
}

static size_t compare_indexes(const struct index *expected, const struct index *got)
{
    const int32_t counts[] = {(int32_t)expected->num_postings, (int32_t)expected->num_links};
    const int32_t got_counts[] = {(int32_t)got->num_postings, (int32_t)got->num_links};
    size_t wrong = verify_integers("count of postings and links", counts, got_counts, 2, stdout);
    if (wrong > 0)
        return wrong;
    return verify_integers("member of a posting", (const int32_t *)expected->postings,
                           (const int32_t *)got->postings,
                           sizeof(struct pair) / sizeof(cl_uint) * expected->num_postings, stdout) +
           verify_integers("first posting of a link", (const int32_t *)expected->start,
                           (const int32_t *)got->start, expected->num_links + (size_t)1, stdout);
}

static size_t run(struct mapreduce *m, const void *input)
{
    const struct problem *p = input;
    struct index got = device_index(m, &p->text);
    size_t wrong = compare_indexes(&p->expected, &got);
    free_index(&got);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Makes an inverted index of the links in random documents on an OpenCL "
                       "device, by MapReduce.",
                       table, NUM_OPTIONS);
    struct problem p = {.text = make_documents(&options)};
    const struct text *text = &p.text;
    const struct index *expected = &p.expected;
    p.expected = expected_index(text);
    printf("inverted_index: %u documents, %zu bytes, %u postings of %u links, seed %lld\n",
           text->records, text->size, expected->num_postings, expected->num_links,
           (long long)options.seed.number);
    size_t wrong = mapreduce_repeat(&options, inverted_index_cl, (size_t)options.own[BLOCK].number,
                                    text->bytes, text->size, run, &p);
    if (wrong == 0)
        printf("verified: %u postings of %u links equal the host's\n", expected->num_postings,
               expected->num_links);
    free_index(&p.expected);
    text_free(&p.text);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}
