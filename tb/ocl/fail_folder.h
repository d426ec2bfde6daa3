/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/fail_folder.h: the folder for what explains a failure, HEDDLE_FAIL, which is made when something is put there. */
#ifndef HEDDLE_TB_OCL_FAIL_FOLDER_H
#define HEDDLE_TB_OCL_FAIL_FOLDER_H

#include <stdio.h>

/* Puts a file there, if there is such a folder, and says on `to` where: "heddle: <what> <path>", or that it cannot be written. */
void fail_folder_keep(const char *name, const char *what, const char *bytes, size_t count,
                      FILE *to);

#endif
