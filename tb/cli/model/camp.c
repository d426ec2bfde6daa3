/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/camp.c: `heddle model camp`: one program as it ran alone, or how several share L2. */
#include "tb/cli/model/camp.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/gnuplot.h"
#include "tb/cli/model/model.h"
#include "tb/cli/option.h"

/* Numbers of G(n): what misses less than once in so many accesses, over the ways, is not followed until it fills a set. */
#define GROWTH ((size_t)1 << 20)

#define NOISE .01

struct options {
    char *files[CAMP_SHARERS];
    const char *picture, *measured;
    unsigned count, ways; /* 0: the most that a run had */
    double noise;
};

static const struct argp_option options[] = {
    {"measured", 'm', "STATS.json", 0,
     "the two programs beside each other on the machine (heddle replay FILE FILE, --set "
     "kmu.partition=3): what it did stands beside what the models say",
     0},
    {"noise", 'n', "X", 0,
     "let misses per access rise by as much where a run has more ways (default: 0.01)", 0},
    {"picture", 'o', "FILE", 0,
     "draw into FILE.svg, .png or .pdf: misses per access by ways, and who holds how many", 0},
    {"ways", 'w', "N", 0,
     "of the L2 that is shared (default: the most that a run had); its sets are those of the runs",
     0},
    {0},
};

static const char doc[] =
    "How programs that run beside each other on SMs of their own divide L2, how often each misses "
    "then, and how fast it is, from runs of each alone (thesis, chapter 3).\v"
    "FILES are STATS.json,STATS.json,... of one program, from runs with different l2.ways, such as "
    "`heddle replay --dispatch=kmu --set kmu.partition=3 --set kmu.sms_0=7 --set l2.ways=4 "
    "--stats=STATS.json FILE`. SPI is in cycles per warp instruction, of all SMs of a program; MPA "
    "is misses of L2 per access.";

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    char *end;
    switch (key) {
    case 'm': o->measured = text; return 0;
    case 'n':
        o->noise = strtod(text, &end);
        if (end == text || *end || !(o->noise >= 0 && o->noise <= 1))
            argp_error(state, "--noise=%s: expected a number from 0 to 1", text);
        return 0;
    case 'o': o->picture = text; return 0;
    case 'w': o->ways = (unsigned)option_number(state, "ways", text, 1, CAMP_WAYS); return 0;
    case ARGP_KEY_ARG:
        if (o->count == CAMP_SHARERS)
            argp_error(state, "%s: expected %d programs at most", text, CAMP_SHARERS);
        o->files[o->count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (!o->count)
            argp_error(state, "no files; expected STATS.json,STATS.json,... of each program");
        if (o->measured && o->count != MODEL_PAIR)
            argp_error(state, "--measured: expected two programs");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Reads and profiles all. Returns 0, or -1 with the reason on stderr. */
static int read_programs(struct options *o, struct model_program *p)
{
    unsigned most = 0;
    for (unsigned i = 0; i < o->count; i++) {
        if (model_program_read(&p[i], o->files[i]) || (i && !model_programs_match(&p[0], &p[i])))
            return -1;
        const unsigned its = p[i].ways[p[i].num - 1];
        most = its > most ? its : most;
    }
    o->ways = o->ways ? o->ways : most;
    if (o->ways < most) {
        fprintf(stderr, "heddle model camp: --ways=%u: a run had %u\n", o->ways, most);
        return -1;
    }
    for (unsigned i = 0; i < o->count; i++)
        if (model_program_profile(&p[i], o->ways, o->noise))
            return -1;
    return 0;
}

/* A sharer for each program, with its growth in `room`. Returns 0, or -1 with the reason on stderr. */
static int grow(const struct options *o, const struct model_program *p, double *room,
                struct camp_growth *growth, struct camp_sharer *sharers)
{
    for (unsigned i = 0; i < o->count; i++) {
        const enum camp_error error =
            camp_grow(&p[i].camp.curve, o->ways, CAMP_KEEP, room + i * GROWTH, GROWTH, &growth[i]);
        if (error) {
            fprintf(stderr, "heddle model camp: %s: %s\n", p[i].name, camp_reason(error));
            return -1;
        }
        sharers[i] = (struct camp_sharer){&p[i].camp, &growth[i]};
    }
    return 0;
}

static int run_pair(const struct options *o, const struct model_program *p,
                    const struct camp_sharer *sharers)
{
    struct model_measured measured;
    struct camp_pair pair = {.programs = p, .ways = o->ways};
    for (unsigned i = 0; i < MODEL_PAIR; i++)
        pair.uses[i] = fmin(sharers[i].growth->top, o->ways);
    if (o->measured && model_measured_read(o->measured, p, o->ways, &measured))
        return EXIT_USAGE;
    pair.measured = o->measured ? &measured : NULL;
    for (enum camp_model m = 0; m < NUM_CAMP_MODELS; m++)
        pair.error[m] = camp_scan(sharers, o->ways, m, &pair.says[m]);
    camp_print_pair(&pair);
    if (o->picture && camp_picture(o->picture, p, o->count, o->ways, &pair))
        return 1;
    return camp_has_answer(&pair, CAMP_CAMP) ? 0 : 1;
}

static int run_several(const struct options *o, const struct model_program *p,
                       const struct camp_sharer *sharers)
{
    struct camp_share share;
    const enum camp_error error = camp_share(sharers, o->count, o->ways, &share);
    if (error && error != CAMP_ROOM_LEFT) {
        fprintf(stderr, "heddle model camp: %s\n", camp_reason(error));
        return 1;
    }
    camp_print_share(p, o->count, o->ways, &share);
    if (error)
        printf("%s\n", camp_reason(error));
    return o->picture && camp_picture(o->picture, p, o->count, o->ways, NULL) ? 1 : 0;
}

/* Returns the exit status. */
static int run(const struct options *o, const struct model_program *p)
{
    struct camp_growth growth[CAMP_SHARERS];
    struct camp_sharer sharers[CAMP_SHARERS];
    for (unsigned i = 0; i < o->count; i++)
        camp_print_alone(&p[i], (char)('A' + i));
    if (o->count == 1)
        return o->picture && camp_picture(o->picture, p, 1, o->ways, NULL) ? 1 : 0;
    double *room = calloc(o->count * GROWTH, sizeof *room);
    int status = 1;
    if (!room)
        fprintf(stderr, "heddle model camp: no memory\n");
    else if (!grow(o, p, room, growth, sharers))
        status = (o->count == MODEL_PAIR ? run_pair : run_several)(o, p, sharers);
    free(room);
    return status;
}

int model_camp(int argc, char **argv)
{
    struct options o = {.noise = NOISE};
    struct model_program programs[CAMP_SHARERS] = {0};
    const struct argp parser = {options, parse_option, "STATS.json,STATS.json[,...]...", doc, NULL,
                                NULL,    NULL};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    if (o.picture && picture_check(o.picture))
        return EXIT_USAGE;
    const int status = read_programs(&o, programs) ? EXIT_USAGE : run(&o, programs);
    for (unsigned i = 0; i < o.count; i++)
        model_program_free(&programs[i]);
    return status;
}
