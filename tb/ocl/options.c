/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/options.c: build options (OpenCL 1.2, section 5.6.4). Words are separated by blanks;
 * quotes keep blanks in a word; a backslash keeps a quote or a backslash. */
#include "tb/ocl/options.h"

#include <stdlib.h>
#include <string.h>

enum meaning {
    PASSED,        /* clang's meaning is OpenCL's */
    PASSED_PREFIX, /* -Dname, -Ipath */
    TAKES_NEXT,    /* -D name, -I path */
    IGNORED,       /* changes nothing here */
    IGNORED_PREFIX
};

static const struct {
    const char *text;
    enum meaning meaning;
} known[] = {
    {"-D", TAKES_NEXT},
    {"-I", TAKES_NEXT},
    {"-D", PASSED_PREFIX},
    {"-I", PASSED_PREFIX},
    {"-w", PASSED},
    {"-Werror", PASSED},
    {"-cl-std=CL1.0", PASSED},
    {"-cl-std=CL1.1", PASSED},
    {"-cl-std=CL1.2", PASSED},
    {"-cl-single-precision-constant", PASSED},
    {"-cl-denorms-are-zero", PASSED},
    {"-cl-fp32-correctly-rounded-divide-sqrt", PASSED},
    {"-cl-mad-enable", PASSED},
    {"-cl-no-signed-zeros", PASSED},
    {"-cl-unsafe-math-optimizations", PASSED},
    {"-cl-finite-math-only", PASSED},
    {"-cl-fast-relaxed-math", PASSED},
    {"-cl-opt-disable", IGNORED},     /* kernels must be inlined and kept in registers */
    {"-cl-strict-aliasing", IGNORED}, /* deprecated, always on */
    {"-cl-kernel-arg-info", IGNORED}, /* clGetKernelArgInfo has none */
    {"-g", IGNORED},
    {"-cl-nv-",
     IGNORED_PREFIX}, /* another vendor's, common in benchmarks: register limits and the like */
};

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Takes the next word out of *text, malloc'ed. Returns 1, 0: there is none, or -1: no memory or an
 * open quote. */
static int next_word(const char **text, char **word, FILE *log)
{
    const char *from = *text;
    while (is_blank(*from))
        from++;
    if (!*from)
        return 0;
    char *to = *word = malloc(strlen(from) + 1);
    if (!to)
        return -1;
    char quote = 0;
    for (; *from && (quote || !is_blank(*from)); from++) {
        if (*from == '\\' && (from[1] == '"' || from[1] == '\'' || from[1] == '\\'))
            *to++ = *++from;
        else if (quote ? *from == quote : (*from == '"' || *from == '\''))
            quote = quote ? 0 : *from;
        else
            *to++ = *from;
    }
    *to = 0;
    *text = from;
    if (!quote)
        return 1;
    fprintf(log, "build options: a quote is not closed: %s\n", *word);
    free(*word);
    return -1;
}

/* Index in `known`, or -1. */
static int find(const char *word)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const size_t length = strlen(known[i].text);
        const int prefix = known[i].meaning == PASSED_PREFIX || known[i].meaning == IGNORED_PREFIX;
        if (prefix ? strncmp(word, known[i].text, length) == 0 && word[length]
                   : strcmp(word, known[i].text) == 0)
            return (int)i;
    }
    return -1;
}

/* Parses one option at *text, appending at *end. Returns 1, 0: there is none, or -1. */
static int parse_one(const char **text, char ***end, FILE *log)
{
    char *word;
    const int got = next_word(text, &word, log);
    if (got <= 0)
        return got;
    const int index = find(word);
    if (index < 0) {
        fprintf(log, "build options: unknown option: %s\n", word);
        free(word);
        return -1;
    }
    if (known[index].meaning == IGNORED || known[index].meaning == IGNORED_PREFIX) {
        fprintf(log, "build options: %s has no effect here\n", word);
        free(word);
        return 1;
    }
    *(*end)++ = word;
    if (known[index].meaning != TAKES_NEXT)
        return 1;
    char *argument;
    const int got_argument = next_word(text, &argument, log);
    if (got_argument > 0)
        *(*end)++ = argument;
    else if (got_argument == 0)
        fprintf(log, "build options: %s needs an argument\n", word);
    return got_argument > 0 ? 1 : -1;
}

char **options_parse(const char *options, FILE *log)
{
    const char *text = options ? options : "";
    char **list =
        calloc(strlen(text) / 2 + 2, sizeof *list); /* a word and its blank take two characters */
    if (!list)
        return NULL;
    char **end = list;
    int got;
    while ((got = parse_one(&text, &end, log)) > 0)
        ;
    if (got == 0)
        return list;
    options_free(list);
    return NULL;
}

void options_free(char **list)
{
    for (char **word = list; word && *word; word++)
        free(*word);
    free(list);
}
