/* SPDX-License-Identifier: Apache-2.0 */
/* tests/synth/netlist/support.c: see support.h. */
#include "tests/synth/netlist/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

int read_text(struct netlist *n, const char *text, struct library *l, FILE *err)
{
    char path[] = "/tmp/heddle_netlist_XXXXXX", *said = NULL;
    size_t length = 0;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    FILE *heard = open_memstream(&said, &length);
    const int failed = netlist_read(n, path, l, heard);
    n->path = "NETLIST";
    fclose(heard);
    remove(path);
    if (length) /* every message begins with the path */
        fprintf(err, "NETLIST%s", said + strlen(path));
    free(said);
    return failed;
}

void take_text(struct netlist *n, const char *text, struct library *l)
{
    if (read_text(n, text, l, stderr))
        fail_msg("refused:\n%s", text);
}
