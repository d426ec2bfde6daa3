/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/cli/option.h"

#include <errno.h>
#include <stdlib.h>

int option_number(struct argp_state *state, const char *option, const char *text, int least,
                  int most)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < least || value > most)
        argp_error(state, "--%s=%s: expected a number from %d to %d", option, text, least, most);
    return (int)value;
}

double option_share(struct argp_state *state, const char *option, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !(value >= 0 && value <= 1))
        argp_error(state, "--%s=%s: expected a number from 0 to 1", option, text);
    return value;
}
