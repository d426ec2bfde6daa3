/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/folder.h: a test that writes files does so in a folder of its own, which goes at its end: what
 * cmocka calls before and after a group of tests. */
#ifndef HEDDLE_TESTS_COSIM_FOLDER_H
#define HEDDLE_TESTS_COSIM_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/heddle-cosim-XXXXXX";

static int enter(void **unused)
{
    (void)unused;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **unused)
{
    (void)unused;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

#endif
