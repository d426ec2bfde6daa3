/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/fail_folder.c: see fail_folder.h. */
#include "tb/ocl/fail_folder.h"

#include <stdlib.h>

#include "tb/folder.h"

void fail_folder_keep(const char *name, const char *what, const char *bytes, size_t count, FILE *to)
{
    const char *folder = getenv("HEDDLE_FAIL");
    char *path;
    if (!folder || !*folder)
        return;
    FILE *out = folder_file(folder, name, &path);
    int failed = !out || fwrite(bytes, 1, count, out) != count;
    if (out)
        failed |= fclose(out) != 0;
    if (failed)
        fprintf(to, "heddle: %s cannot be written\n", path ? path : name);
    else
        fprintf(to, "heddle: %s %s\n", what, path);
    free(path);
}
