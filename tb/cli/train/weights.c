/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/train/weights.c: weights as the keys of the unit poise, alpha1 to beta8, in millionths. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tb/cli/train/train.h"
#include "tb/file.h"

static const struct {
    const char *key;
    int64_t least, most;
} keys[] = {
#define SIZE(key, constant, least, most, value, meaning, source)
#define SETTING(stem, key, least, most, value, meaning, source) {#key, least, most},
#define AT_MOST(stem, key, section, limit)
#define OPTIONAL_PATH(stem, key, meaning, source)
#include "tb/units/poise.keys"
#undef SIZE
#undef SETTING
#undef AT_MOST
#undef OPTIONAL_PATH
};

static void name_of(int axis, int feature, char name[16])
{
    snprintf(name, 16, "%s%d", axis ? "beta" : "alpha", feature + 1);
}

/* Within the range of its key? */
static int fits(const char *name, double millionths)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(keys[i].key, name) != 0)
            continue;
        if (millionths >= (double)keys[i].least && millionths <= (double)keys[i].most)
            return 1;
        fprintf(stderr,
                "heddle train: %s is %g; the engine holds %g to %g: the examples tell too little "
                "about its feature; expected more kernels, or --drop or --ridge\n",
                name, millionths / 1e6, (double)keys[i].least / 1e6, (double)keys[i].most / 1e6);
        return 0;
    }
    return 0;
}

int weights_round(struct weights *w, const double exact[2][NUM_FEATURES])
{
    int failed = 0;
    for (int axis = 0; axis < 2; axis++)
        for (int i = 0; i < NUM_FEATURES; i++) {
            const double millionths = round(exact[axis][i] * 1e6);
            char name[16];
            name_of(axis, i, name);
            if (fits(name, millionths))
                w->millionths[axis][i] = (int64_t)millionths;
            else
                failed = -1;
        }
    return failed;
}

int weights_write(const struct weights *w, const char *notes, const char *path)
{
    struct file *file = file_create(path, stderr);
    if (!file)
        return -1;
    FILE *to = file_stream(file);
    for (const char *line = notes; *line;) {
        const int length = (int)strcspn(line, "\n");
        fprintf(to, "; %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
    fprintf(to, "[poise]\n");
    for (int axis = 0; axis < 2; axis++)
        for (int i = 0; i < NUM_FEATURES; i++) {
            char name[16];
            name_of(axis, i, name);
            fprintf(to, "%s = %" PRId64 "\n", name, w->millionths[axis][i]);
        }
    return file_commit(file, stderr);
}
