/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/token.h: the tokens of a netlist's text. */
#ifndef HEDDLE_SYNTH_NETLIST_TOKEN_H
#define HEDDLE_SYNTH_NETLIST_TOKEN_H

#include "synth/netlist/read.h"

enum token { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_MARK };

/* Says what is wrong in the line of the token. Returns -1. */
#define fail(r, ...) netlist_error((r)->netlist, (r)->err, (r)->line, __VA_ARGS__)

/* Takes the next token: r->token, r->text, r->length. A name is without the backslash that escapes it. */
void netlist_next(struct netlist_reader *);

/* Whether the token is this text. */
int netlist_is(const struct netlist_reader *, const char *text);

/* Takes the token if it is this mark. Returns whether it was. */
int netlist_accept(struct netlist_reader *, const char *mark);

/* The same; if it was not, that is an error. Returns 0, or -1. */
int netlist_expect(struct netlist_reader *, const char *mark);

#endif
