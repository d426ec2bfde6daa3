/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/options.c: options of the compiler and of the linker (OpenCL 1.2, sections 5.6.4 and
 * 5.6.5). Words are separated by blanks; quotes keep blanks in a word; a backslash keeps a quote or
 * a backslash. A value must not begin with @: clang hands it to its inner part as a word of its own,
 * which would be replaced by options that a file of this name holds. */
#include "tb/ocl/options.h"

#include <stdlib.h>
#include <string.h>

enum meaning {
    PASSED,     /* clang's meaning is OpenCL's */
    WITH_VALUE, /* -Dname, -D name, -Ipath, -I path */
    IGNORED,    /* changes nothing here */
    IGNORED_PREFIX,
    LIBRARY /* -create-library */
};

struct option {
    const char *text;
    enum meaning meaning;
};

static const struct option of_compiler[] = {
    {"-D", WITH_VALUE},
    {"-I", WITH_VALUE},
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
    {"-cl-kernel-arg-info", IGNORED}, /* always there */
    {"-g", IGNORED},
    {"-cl-nv-",
     IGNORED_PREFIX}, /* another vendor's, common in benchmarks: register limits and the like */
    {NULL, PASSED},
};

static const struct option of_linker[] = {
    {"-create-library", LIBRARY},
    {"-enable-link-options", IGNORED}, /* options of programs that use the library are theirs */
    {"-cl-denorms-are-zero", PASSED},
    {"-cl-no-signed-zeros", PASSED},
    {"-cl-unsafe-math-optimizations", PASSED},
    {"-cl-finite-math-only", PASSED},
    {"-cl-fast-relaxed-math", PASSED},
    {NULL, PASSED},
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

static const struct option *find(const struct option *known, const char *word)
{
    for (; known->text; known++) {
        const size_t length = strlen(known->text);
        const int prefix = known->meaning == WITH_VALUE || known->meaning == IGNORED_PREFIX;
        if (prefix ? strncmp(word, known->text, length) == 0 : strcmp(word, known->text) == 0)
            return known;
    }
    return NULL;
}

/* Joins the option with its value, the next word. Returns both, malloc'ed, or NULL with the reason
 * on `log`. */
static char *join_value(const char *option, const char **text, FILE *log)
{
    char *value, *joined = NULL;
    const int got = next_word(text, &value, log);
    if (got == 0 || (got > 0 && !*value))
        fprintf(log, "build options: %s needs an argument\n", option);
    else if (got > 0 && asprintf(&joined, "%s%s", option, value) < 0)
        joined = NULL;
    if (got > 0)
        free(value);
    return joined;
}

/* Completes an option that has a value, and frees `word`. Returns it, malloc'ed, or NULL. */
static char *with_value(char *word, const struct option *option, const char **text, FILE *log)
{
    const size_t length = strlen(option->text);
    char *whole = word;
    if (!word[length]) {
        whole = join_value(word, text, log);
        free(word);
    }
    if (!whole || whole[length] != '@')
        return whole;
    fprintf(log, "build options: the value of %s begins with @\n", whole);
    free(whole);
    return NULL;
}

/* Parses one option at *text, appending at *end. Returns 1, 0: there is none, or -1. */
static int parse_one(const struct option *known, const char **text, char ***end, int *is_library,
                     FILE *log)
{
    char *word;
    const int got = next_word(text, &word, log);
    if (got <= 0)
        return got;
    const struct option *option = find(known, word);
    if (!option) {
        fprintf(log, "build options: unknown option: %s\n", word);
        free(word);
        return -1;
    }
    if (option->meaning == LIBRARY) {
        *is_library = 1;
        free(word);
        return 1;
    }
    if (option->meaning == IGNORED || option->meaning == IGNORED_PREFIX) {
        fprintf(log, "build options: %s has no effect here\n", word);
        free(word);
        return 1;
    }
    if (option->meaning == WITH_VALUE)
        word = with_value(word, option, text, log);
    if (!word)
        return -1;
    *(*end)++ = word;
    return 1;
}

static char **parse(const struct option *known, const char *options, int *is_library, FILE *log)
{
    const char *text = options ? options : "";
    char **list =
        calloc(strlen(text) / 2 + 2, sizeof *list); /* a word and its blank take two characters */
    if (!list)
        return NULL;
    char **end = list;
    int got;
    while ((got = parse_one(known, &text, &end, is_library, log)) > 0)
        ;
    if (got == 0)
        return list;
    options_free(list);
    return NULL;
}

char **options_parse(const char *options, FILE *log)
{
    int unused;
    return parse(of_compiler, options, &unused, log);
}

char **options_parse_link(const char *options, int *is_library, FILE *log)
{
    *is_library = 0;
    return parse(of_linker, options, is_library, log);
}

void options_free(char **list)
{
    for (char **word = list; word && *word; word++)
        free(*word);
    free(list);
}
