/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/folder.h: RESULTS.tasks, the folder where tasks leave their outcomes. While a sweep
 * runs it is that sweep's alone; afterwards it is gone, but for what explains broken points, in
 * folders <number>.fail. */
#ifndef HEDDLE_TB_CLI_SWEEP_FOLDER_H
#define HEDDLE_TB_CLI_SWEEP_FOLDER_H

/* Makes the folder and takes it for this process, until that ends in whatever way. Returns a
 * descriptor, or -1 with the reason on stderr. */
int folder_lock(const char *folder);

/* Has the task of this point left an outcome? */
int folder_has(const char *folder, int number);

/* Removes the files in a folder, and the folder too, if it is there. */
void folder_empty(const char *folder);
void folder_clear(const char *folder);

/* The file that holds the number of a job array that may still be running. Is there one? */
#define FOLDER_JOB "job"
int folder_job(const char *folder);

/* Removes what tasks have left, and the folder if nothing else is in it; but nothing while there is
 * an array. */
void folder_unlock(const char *folder, int lock);

#endif
