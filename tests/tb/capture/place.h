/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/capture/place.h: a file that the tests of a program write and read: setup and teardown of its group. */
#ifndef HEDDLE_TESTS_TB_CAPTURE_PLACE_H
#define HEDDLE_TESTS_TB_CAPTURE_PLACE_H

#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/capture.XXXXXX";

static int make_path(void **unused)
{
    (void)unused;
    const int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int drop_path(void **unused)
{
    (void)unused;
    return unlink(path);
}

#endif
