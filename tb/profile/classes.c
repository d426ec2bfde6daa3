/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/classes.c: see classes.h. */
#include "tb/profile/classes.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tb/profile/repetition.h"
#include "tb/text_file.h"

#define MOST_BYTES (UINT64_C(1) << 28) /* of a file */

/* A load of the program, by its number less 1. */
struct known {
    uint32_t pc, loop, repetition; /* repetition: 0: none, it is an atomic */
};

struct classes {
    char *path;
    cJSON *root;
    int64_t line;
    char **missed; /* kernels that the profile does not have, of which this has been told */
    size_t num_missed;
    struct loop_class *loops;
    struct loop_classes is; /* of the kernel that was asked for last */
};

static void *refuse(struct classes *c, const char *path, const char *why, FILE *err)
{
    fprintf(err, "%s: %s\n", path, why);
    classes_free(c);
    return NULL;
}

/* A number of the file from 0 to 2^53; -1: it has no such member. */
static int64_t number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    const double value = cJSON_IsNumber(item) ? item->valuedouble : -1;
    return value >= 0 && value <= 0x1p53 && value == (double)(int64_t)value ? (int64_t)value : -1;
}

static const cJSON *list(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsArray(item) ? item : NULL;
}

static const char *word(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

/* Does a load of the file have all that is asked of it? */
static int is_load(const cJSON *load)
{
    static const char *const members[] = {"pc",         "number",     "loop",
                                          "repetition", "executions", "executions_reusing"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (number(load, members[i]) < 0)
            return 0;
    return list(load, "shapes") != NULL;
}

static int is_kernel(const cJSON *kernel)
{
    const cJSON *load;
    if (!word(kernel, "name") || !list(kernel, "loads") || number(kernel, "program_loads") < 0 ||
        number(kernel, "program_loops") < 0)
        return 0;
    cJSON_ArrayForEach(load, list(kernel, "loads"))
    {
        if (!is_load(load))
            return 0;
    }
    return 1;
}

struct classes *classes_read(const char *path, const struct config *config, FILE *err)
{
    struct classes *c = calloc(1, sizeof *c);
    char *text = text_file_read(path, MOST_BYTES, NULL, err);
    const cJSON *kernels, *kernel;
    if (!text || !c || !(c->path = strdup(path))) {
        free(text);
        return text ? refuse(c, path, "no memory", err) : (classes_free(c), NULL);
    }
    c->line = config->l1d_line;
    c->root = cJSON_Parse(text);
    free(text);
    if (!c->root || !(kernels = list(c->root, "kernels")) || number(c->root, "l1d_lines") < 0)
        return refuse(c, path, "no profile; expected what `heddle run --profile` writes", err);
    cJSON_ArrayForEach(kernel, kernels)
    {
        if (!is_kernel(kernel) || number(c->root, "l1d_line") < 0)
            return refuse(c, path,
                          "a profile without loads' numbers and repetition ids; expected one that "
                          "this version of `heddle run --profile` has written",
                          err);
    }
    if (cJSON_GetArraySize(kernels) && number(c->root, "l1d_line") != c->line) {
        fprintf(err,
                "%s: a profile of an L1D with lines of %" PRId64
                " bytes; expected l1d.line = %" PRId64 "\n",
                path, number(c->root, "l1d_line"), c->line);
        classes_free(c);
        return NULL;
    }
    return c;
}

void classes_free(struct classes *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->num_missed; i++)
        free(c->missed[i]);
    cJSON_Delete(c->root);
    free(c->missed);
    free(c->loops);
    free(c->path);
    free(c);
}

/* What the program says of its loads, by number less 1. NULL: no memory. */
static struct known *loads_of(const struct ptx_kernel *k, int64_t line, uint32_t *count)
{
    struct landmark *marks = landmarks_of(k);
    uint32_t *ids = marks ? repetitions_of(k, marks, line) : NULL;
    struct known *loads = calloc(k->num_uops + 1u, sizeof *loads);
    *count = 0;
    for (uint32_t pc = 0; pc < k->num_uops && ids && loads; pc++)
        if (marks[pc].load)
            loads[(*count)++] = (struct known){pc, marks[pc].loop, ids[pc]};
    if (!ids) {
        free(loads);
        loads = NULL;
    }
    free(marks);
    free(ids);
    return loads;
}

/* Is a load of the file that of the program? Texture loads have no number. */
static int is_same(const cJSON *load, const struct known *loads, uint32_t count,
                   const struct ptx_kernel *k)
{
    const int64_t n = number(load, "number"), pc = number(load, "pc");
    const char *text = word(load, "text");
    if (pc >= k->num_uops || n > count || !text || strcmp(text, k->text[pc]))
        return 0;
    return n == 0 ||
           (loads[n - 1].pc == pc && loads[n - 1].loop == number(load, "loop") &&
            loads[n - 1].repetition == number(load, "repetition") && loads[n - 1].repetition != 0);
}

/* Says in `message` where a kernel of the file is not the program's; 0: nowhere. */
static int differs(const struct classes *c, const cJSON *kernel, const struct ptx_kernel *k,
                   const struct known *loads, uint32_t count, char *message, size_t size)
{
    static const char other[] = "expected a profile of this program";
    const cJSON *load;
    const int64_t its_loops = number(kernel, "program_loops"),
                  its_loads = number(kernel, "program_loads");
    if (its_loops != k->num_loops || its_loads != count) {
        snprintf(message, size,
                 "kernel %.100s has %u loops and %u loads, in %s it has %" PRId64 " and %" PRId64
                 "; %s",
                 k->name, k->num_loops, count, c->path, its_loops, its_loads, other);
        return 1;
    }
    cJSON_ArrayForEach(load, list(kernel, "loads"))
    {
        if (is_same(load, loads, count, k))
            continue;
        const char *text = word(load, "text");
        snprintf(message, size,
                 "kernel %.100s: load %" PRId64 " of %s, `%.100s` at pc %" PRId64
                 " in loop %" PRId64 " with repetition id %" PRId64 ", is not the program's; %s",
                 k->name, number(load, "number"), c->path, text ? text : "", number(load, "pc"),
                 number(load, "loop"), number(load, "repetition"), other);
        return 1;
    }
    return 0;
}

/* Does it access more than two lines in most of its executions with more than two lanes? */
static int is_diverged(const cJSON *load)
{
    const cJSON *shape;
    double diverged = 0, converged = 0;
    cJSON_ArrayForEach(shape, list(load, "shapes"))
    {
        const cJSON *lanes = cJSON_GetArrayItem(shape, 0), *lines = cJSON_GetArrayItem(shape, 1),
                    *executions = cJSON_GetArrayItem(shape, 2);
        if (!cJSON_IsNumber(executions) || lanes->valuedouble <= 2)
            continue;
        if (lines->valuedouble > 2)
            diverged += executions->valuedouble;
        else
            converged += executions->valuedouble;
    }
    return diverged > converged;
}

/* Adds up the loads of a kernel, each of its repetition ids once. Returns 0, or -1: no memory. */
static int classify(struct classes *c, const cJSON *kernel, uint32_t num_loads)
{
    enum { UNSEEN, CONVERGED, DIVERGED };
    uint8_t *ids = calloc(num_loads + 1u, 1); /* by repetition id: the first load's number */
    double *reusing = calloc(2 * (c->is.count + 1u), sizeof *reusing);
    double *executions = reusing ? reusing + c->is.count + 1 : NULL;
    const cJSON *load;
    int failed = !ids || !reusing;
    cJSON_ArrayForEach(load, list(kernel, "loads"))
    {
        const int64_t id = number(load, "repetition"), loop = number(load, "loop");
        if (failed || number(load, "number") == 0 || loop == 0)
            continue;
        reusing[loop - 1] += (double)number(load, "executions_reusing");
        executions[loop - 1] += (double)number(load, "executions");
        const uint8_t before = ids[id];
        ids[id] = before == DIVERGED || is_diverged(load) ? DIVERGED : CONVERGED;
        struct loop_class *is = &c->loops[loop - 1];
        is->converged -= before == CONVERGED;
        is->diverged -= before == DIVERGED;
        is->converged += ids[id] == CONVERGED;
        is->diverged += ids[id] == DIVERGED;
    }
    for (uint32_t l = 0; l < c->is.count && !failed; l++)
        if (2 * reusing[l] <= executions[l])
            c->loops[l] = (struct loop_class){0};
    free(ids);
    free(reusing);
    return -failed;
}

/* The profile does not have the kernel: this is told once. */
static void miss(struct classes *c, const char *name, FILE *err)
{
    for (size_t i = 0; i < c->num_missed; i++)
        if (!strcmp(c->missed[i], name))
            return;
    fprintf(err,
            "heddle: warning: %s has no kernel %s: none of its loops counts as one with locality\n",
            c->path, name);
    char **more = realloc(c->missed, (c->num_missed + 1) * sizeof *more);
    if (more) {
        c->missed = more;
        c->num_missed += (more[c->num_missed] = strdup(name)) != NULL;
    }
}

/* The kernel of the file that is the program's: of several with its name the first that fits. */
static int find(const struct classes *c, const struct ptx_kernel *k, const struct known *loads,
                uint32_t count, const cJSON **found, char *message, size_t size)
{
    const cJSON *kernel;
    int others = 0;
    *found = NULL;
    cJSON_ArrayForEach(kernel, list(c->root, "kernels"))
    {
        char why[1024];
        if (strcmp(word(kernel, "name"), k->name))
            continue;
        if (!differs(c, kernel, k, loads, count, why, sizeof why)) {
            *found = kernel;
            return 0;
        }
        if (!others++)
            snprintf(message, size, "%s", why);
    }
    return others ? -1 : 0;
}

const struct loop_classes *classes_of(struct classes *c, const struct ptx_kernel *k, FILE *err,
                                      char *message, size_t size)
{
    uint32_t count;
    struct known *loads = loads_of(k, c->line, &count);
    const cJSON *kernel;
    free(c->loops);
    c->loops = calloc(k->num_loops + 1u, sizeof *c->loops);
    c->is = (struct loop_classes){c->loops, k->num_loops};
    snprintf(message, size, "kernel %.100s: no memory for its profile", k->name);
    int failed = !loads || !c->loops || find(c, k, loads, count, &kernel, message, size);
    if (!failed && kernel)
        failed = classify(c, kernel, count);
    else if (!failed)
        miss(c, k->name, err);
    free(loads);
    return failed ? NULL : &c->is;
}
