/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/query.c: see query.h. */
#include "tb/cli/query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/statistics.h"

/* A script must notice that it did not get everything: a full disk. */
static int written(int status)
{
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    fprintf(stderr, "heddle report: stdout cannot be written: %s\n", strerror(errno));
    return -1;
}

int query_get(const char *path, const char *const *members, int count)
{
    struct statistics *s = statistics_read(path);
    int status = s ? 0 : -1;
    for (int i = 0; i < count && !status; i++)
        status = statistics_print(s, members[i], stdout);
    statistics_free(s);
    return written(status);
}

int query_without(const char *path, const char *members)
{
    struct statistics *s = statistics_read(path);
    char *names = strdup(members), *rest = names;
    int status = s && names ? 0 : -1;
    for (char *name; !status && (name = strsep(&rest, ","));)
        status = statistics_remove(s, name);
    if (!status)
        status = statistics_print_all(s, stdout);
    free(names);
    statistics_free(s);
    return written(status);
}
