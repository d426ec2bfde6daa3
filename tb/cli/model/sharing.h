/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/sharing.h: programs that run beside each other and share a cache, as CAMP has it. `who` is the command that
 * messages name. */
#ifndef HEDDLE_TB_CLI_MODEL_SHARING_H
#define HEDDLE_TB_CLI_MODEL_SHARING_H

#include "tb/cli/model/program.h"

#define MODEL_NOISE .01 /* as in camp_profile, unless the user says otherwise */

struct model_sharers {
    unsigned count, ways; /* programs; ways of the cache that they share */
    struct model_program programs[CAMP_SHARERS];
    struct camp_growth growth[CAMP_SHARERS];
    struct camp_sharer sharers[CAMP_SHARERS];
    double *room; /* of the growths */
};

/* Reads and profiles `count` programs, 1 to CAMP_SHARERS: see model_program_read, which cuts `files`. `ways`: 0, or the most that a run had, or
 * more. Returns 0, or -1 with the reason on stderr; to be freed in either case. */
int model_sharers_read(struct model_sharers *, const char *who, const struct model_cache *,
                       char *const *files, unsigned count, unsigned ways, double noise);
void model_sharers_free(struct model_sharers *);

/* Finds the growth of each, for camp_share and camp_scan. Returns 0, or -1 with the reason on stderr. */
int model_sharers_grow(struct model_sharers *, const char *who);

/* What each holds by CAMP, after model_sharers_grow: all, if it is the only one; of two the answer of camp_scan. CAMP_OK, CAMP_ROOM_LEFT, which
 * is an answer, too; errors of camp_scan and camp_share. */
enum camp_error model_sharers_divide(const struct model_sharers *, double ways[CAMP_SHARERS]);

/* Says of two programs whether they had beside each other the SMs that they had alone; on the same SMs, as many blocks on each. */
void model_sharers_note(const struct model_program pair[MODEL_PAIR], const struct model_measured *);

#endif
