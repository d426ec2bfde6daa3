/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/html/devtools.h: a browser without a window, told what to do by the protocol of its developer tools, over two
 * pipes. */
#ifndef HEDDLE_TESTS_TB_CLI_HTML_DEVTOOLS_H
#define HEDDLE_TESTS_TB_CLI_HTML_DEVTOOLS_H

#include <cjson/cJSON.h>
#include <sys/types.h>

struct devtools {
    pid_t browser;
    int to, from;
    int last;         /* number of the last command */
    char session[64]; /* of the page, or "" */
    char profile[64]; /* the browser's folder */
    char *text;       /* received and not taken yet */
    size_t size, room;
    char fault[512]; /* the first error, or what was fetched, since the page was opened; "": none */
    char url[512];   /* of the page */
    int loaded;
};

/* Starts Debian's chromium and opens an empty page. Fails the test where that cannot be done. */
void devtools_start(struct devtools *);
void devtools_stop(struct devtools *);

/* Sends a command with parameters in JSON, as printf prints them, and returns its result, to be deleted. Fails the test where the
 * browser refuses it or does not answer. */
__attribute__((format(printf, 3, 4))) cJSON *devtools_do(struct devtools *, const char *method,
                                                         const char *parameters, ...);

/* Opens a file in a window so wide, and waits until it is loaded; `fault` is what has gone wrong. */
void devtools_open(struct devtools *, const char *path, int width);

/* The value of an expression of JavaScript: a number; what is true is 1. */
double devtools_value(struct devtools *, const char *expression);

#endif
