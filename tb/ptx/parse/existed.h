/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/existed.h: versions and targets that there have been, since a file with another one was not written by a compiler, or not
 * as it is now. */
#ifndef HEDDLE_TB_PTX_PARSE_EXISTED_H
#define HEDDLE_TB_PTX_PARSE_EXISTED_H

/* PTX ISA, "Release History": 1.0 to 8.8, and what may come from 9.0 on. */
int version_existed(double version);

/* PTX ISA, ".target": architectures up to sm_89, any later one, and the words for textures, debuggers and doubles. */
int target_existed(const char *name);

#endif
