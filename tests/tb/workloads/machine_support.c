/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/machine_support.c: see machine_support.h. */
#include "tests/tb/workloads/machine_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

char machines[] = "/tmp/heddle-machines-XXXXXX";

int make_machines(const char *const *names, size_t count, const char *script)
{
    char path[128];
    if (!mkdtemp(machines))
        return -1;
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", machines, names[i]);
        mkdir(path, 0777);
        snprintf(path, sizeof path, "%s/%s/heddle", machines, names[i]);
        FILE *f = fopen(path, "w");
        if (!f)
            return -1;
        fprintf(f, "#!/bin/sh\n[ \"$1\" != report ] || exec \"$HEDDLE_BUILD/heddle\" \"$@\"\n%s",
                script);
        fclose(f);
        chmod(path, 0755);
    }
    return 0;
}

int remove_machines(void **unused)
{
    (void)unused;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", machines);
    return system(command);
}
