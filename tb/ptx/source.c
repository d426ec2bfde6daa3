/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/source.c: where an instruction comes from, as messages say it. */
#include <stdio.h>

#include "tb/ptx/ptx.h"

const char *ptx_source_text(const struct ptx_kernel *k, uint32_t insn, char text[PTX_SOURCE_SIZE])
{
    const struct ptx_source *s = k->sources ? k->sources[insn] : NULL;
    int used = 0;
    *text = '\0';
    if (s && s->line)
        used = snprintf(text, PTX_SOURCE_SIZE, " at %.64s:%u", s->file ? s->file : "line", s->line);
    if (used > 0 && s->caller_line)
        snprintf(text + used, PTX_SOURCE_SIZE - (size_t)used, ", inlined at %.64s:%u",
                 s->caller_file ? s->caller_file : "line", s->caller_line);
    return text;
}
