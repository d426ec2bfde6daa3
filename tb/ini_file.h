/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ini_file.h: reading an INI file with inih, so that nothing is cut or joined in silence, and
 * every error has its file and line. */
#ifndef HEDDLE_TB_INI_FILE_H
#define HEDDLE_TB_INI_FILE_H

#include <stdio.h>

/* Where a reader is. A source that is no file has a name and no line. */
struct ini_file {
    const char *name;
    FILE *err;
    unsigned line;    /* 0: none */
    unsigned section; /* line of the [section] that this line is in */
    int sections;     /* so many [section] lines so far */
    int continued;    /* the line is indented: it goes on with the value before */
    int failed;
    FILE *file;
};

/* Called for each value. One that has reported an error by ini_fail() is not called again. */
typedef void ini_value(void *user, const char *section, const char *key, const char *value);

/* Reads the file f->name; f->err says where errors go. Returns 0 or -1. */
int ini_read(struct ini_file *f, ini_value *take, void *user);

/* Reports "name:line: ..." on f->err, if it is the first error of f. Always returns -1. */
__attribute__((format(printf, 2, 3))) int ini_fail(struct ini_file *f, const char *format, ...);

#endif
