/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/option.h: values of options that are checked in more than one command. */
#ifndef HEDDLE_TB_CLI_OPTION_H
#define HEDDLE_TB_CLI_OPTION_H

#include <argp.h>

/* The decimal number `text` of --`option`, from `least` to `most`; any other text ends the command
 * with a usage error that names the option, the text and the range. */
int option_number(struct argp_state *, const char *option, const char *text, int least, int most);

/* The same of a number from 0 to 1. */
double option_share(struct argp_state *, const char *option, const char *text);

#endif
