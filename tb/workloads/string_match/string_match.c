/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/string_match/string_match.c: where four key words occur in a random text, whose
 * words follow Zipf's law: map (count, prefix sum, emit); there is nothing to reduce. The list of
 * matches is compared with the host's, which compares every word with every key and needs no
 * hashes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/mapreduce.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/text.h"
#include "tb/workloads/common/verify.h"
#include "tb/workloads/common/zipf.h"

extern const char string_match_cl[];

#define KEYS       4 /* as in string_match.cl */
#define MOST_WORDS (1u << 25)

enum { LINES, WORDS, VOCABULARY, BLOCK, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [LINES] = NUMBER_OPTION("lines", 1, 1 << 22, 170, 6144, 65536, "lines of text"),
    [WORDS] = NUMBER_OPTION("words", 1, 1 << 16, 3, 8, 8, "words of an average line"),
    [VOCABULARY] = NUMBER_OPTION("vocabulary", 1, 1 << 20, 1000, 20000, 20000, "different words"),
    [BLOCK] = NUMBER_OPTION("block", 1, 1024, 64, 128, 128, "work-items of a work-group"),
};

struct problem {
    struct text text; /* its last KEYS records are the keys */
    cl_uint lines, num_matches;
    cl_uint *input; /* where the records start, where the last ends, the hashes of the keys */
    size_t input_size;
    struct pair *matches; /* expected */
};

static void add_word(struct text *text, const struct text *words, uint32_t word)
{
    text_print(text, "%.*s", (int)(words->start[word + 1] - words->start[word]),
               words->bytes + words->start[word]);
}

/* Words of 1 to 12 letters, more frequent ones being no shorter than others. */
static struct text make_vocabulary(uint32_t count, struct random *random)
{
    struct text words = {0};
    for (uint32_t i = 0; i < count; i++) {
        for (uint64_t left = 1 + random_below(random, 12); left > 0; left--)
            text_print(&words, "%c", (int)('a' + random_below(random, 26)));
        text_end_record(&words);
    }
    return words;
}

static struct text make_text(const struct options *options)
{
    struct random random = {(uint64_t)options->seed.number};
    const uint32_t count = (uint32_t)options->own[VOCABULARY].number;
    const int64_t lines = options->own[LINES].number, mean = options->own[WORDS].number;
    struct text words = make_vocabulary(count, &random), text = {0};
    struct zipf ranks = zipf_make(count);
    if (lines * mean > MOST_WORDS)
        fail_with(EXIT_USAGE, "--lines=%lld --words=%lld: expected at most %u words in all",
                  (long long)lines, (long long)mean, MOST_WORDS);
    for (int64_t i = 0; i < lines; i++) {
        for (uint64_t left = random_below(&random, 2 * (uint64_t)mean + 1); left > 0; left--) {
            add_word(&text, &words, zipf_rank(&ranks, &random));
            text_print(&text, random_below(&random, 8) == 0 ? "  " : " ");
        }
        text_end_record(&text);
    }
    /* Keys: one of the most frequent words, and rarer and rarer ones. */
    for (uint32_t key = 0, rank = 3; key < KEYS; key++, rank *= 8) {
        add_word(&text, &words, rank < count ? rank : count - 1);
        text_end_record(&text);
    }
    zipf_free(&ranks);
    text_free(&words);
    return text;
}

/* Fowler, Noll and Vo's hash of 32 bits (FNV-1a), folded to 16. */
static cl_uint hash_of(const char *word, size_t size)
{
    cl_uint hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)word[i]) * 16777619u;
    return (hash >> 16 ^ hash) & 0xffff;
}

static void make_input(struct problem *p)
{
    const struct text *text = &p->text;
    const size_t count = text->records + (size_t)1;
    p->lines = text->records - KEYS;
    p->input_size = (count + KEYS) * sizeof *p->input;
    p->input = allocate(count + KEYS, sizeof *p->input);
    memcpy(p->input, text->start, count * sizeof *p->input);
    for (uint32_t key = 0, *start = text->start + p->lines; key < KEYS; key++)
        p->input[count + key] = hash_of(text->bytes + start[key], start[key + 1] - start[key]);
}

static cl_uint key_of(const struct text *text, cl_uint word, cl_uint size)
{
    const uint32_t *start = text->start + text->records - KEYS;
    cl_uint key = 0;
    while (key < KEYS &&
           text_compare(text->bytes, word, size, start[key], start[key + 1] - start[key]) != 0)
        key++;
    return key;
}

static void expect(struct problem *p)
{
    const struct text *text = &p->text;
    p->matches = allocate(text->size / 2, sizeof *p->matches); /* a word and a space each */
    for (cl_uint line = 0; line < p->lines; line++) {
        const char *end = text->bytes + text->start[line + 1];
        for (const char *at = text->bytes + text->start[line], *space; at < end; at = space + 1) {
            space = memchr(at, ' ', (size_t)(end - at)); /* behind each word there is one */
            struct pair word = {(cl_uint)(at - text->bytes), (cl_uint)(space - at), 0, line};
            word.value = key_of(text, word.key, word.key_size);
            if (word.value < KEYS)
                p->matches[p->num_matches++] = word;
        }
    }
}

static size_t run(struct mapreduce *m, const void *input)
{
    const struct problem *p = input;
    cl_uint count;
    cl_mem lines = opencl_buffer(&m->cl, CL_MEM_READ_ONLY, p->input_size, p->input);
    cl_mem matches = mapreduce_map(m, "count_matches", "emit_matches", lines, p->lines, &count);
    const int32_t expected = (int32_t)p->num_matches, got = (int32_t)count;
    size_t wrong = verify_integers("count of matches", &expected, &got, 1, stdout);
    if (wrong == 0) {
        struct pair *read = mapreduce_read(m, matches, count);
        wrong =
            verify_integers("member of a match", (const int32_t *)p->matches, (const int32_t *)read,
                            sizeof *read / sizeof(cl_uint) * (size_t)count, stdout);
        free(read);
    }
    const cl_mem buffers[] = {lines, matches};
    opencl_release(buffers, COUNT_OF(buffers));
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Finds key words in a random text on an OpenCL device, by MapReduce.", table,
                       NUM_OPTIONS);
    struct problem p = {.text = make_text(&options)};
    make_input(&p);
    expect(&p);
    printf("string_match: %u lines, %zu bytes, %d keys that occur %u times, seed %lld\n", p.lines,
           p.text.size, KEYS, p.num_matches, (long long)options.seed.number);
    size_t wrong = mapreduce_repeat(&options, string_match_cl, (size_t)options.own[BLOCK].number,
                                    p.text.bytes, p.text.size, run, &p);
    if (wrong == 0)
        printf("verified: %u matches equal the host's\n", p.num_matches);
    free(p.input);
    free(p.matches);
    text_free(&p.text);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}
