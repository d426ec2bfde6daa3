/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/random.c: a unit and its reference in lockstep under constrained-random inputs, without the
 * machine. Each seed is a run of its own from reset; a mismatch names seed and cycle, and the same
 * seed replays it. The first seed takes half of all cycles, so that it comes to states that short
 * runs never reach; runs of even seeds are reset now and then. */
#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cosim/check.h"
#include "cosim/feed.h"
#include "cosim/promises.h"
#include "cosim/wave.h"
#include "hw.h"

struct options {
    const char *wave, *inputs, *replay;
    uint64_t cycles, seeds, seed;
    int brief;
};

/* What the bits of a struct did, as that struct with one bit per bit. */
struct toggles {
    uint8_t *rose, *fell, *before;
    size_t size;
};

/* Of outputs and registers; no toggles are taken of inputs. */
typedef struct toggles toggle_sets[NUM_FIELD_KINDS];

static const struct argp_option argp_options[] = {
    {"cycles", 'c', "N", 0,
     "cycles in all: half for the first seed, the others share the rest (default 1000000)", 0},
    {"seeds", 's', "N", 0, "number of seeds (default 100)", 0},
    {"seed", 'k', "N", 0, "first seed (default 1)", 0},
    {"brief", 'b', 0, 0, "after a mismatch only the report: no history, no waveform", 0},
    {"wave", 'w', "FILE.fst[:FROM-TO]", 0, "waveform of the first seed", 0},
    {"inputs", 'i', "FILE.fst[:PLACE]", 0,
     "inputs as a waveform of the machine has them, instead of random ones; PLACE: sm0.scheduler1",
     0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'c': o->cycles = feed_number(text, state); return 0;
    case 's': o->seeds = feed_number(text, state); return 0;
    case 'k': o->seed = feed_number(text, state); return 0;
    case 'b': o->brief = 1; return 0;
    case 'w': o->wave = text; return 0;
    case 'i': o->inputs = text; return 0;
    case ARGP_KEY_ARG: argp_usage(state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void note_toggles(struct toggles *t, const uint8_t *now, int first)
{
    for (size_t b = 0; b < t->size && !first; b++) {
        t->rose[b] |= (uint8_t)(~t->before[b] & now[b]);
        t->fell[b] |= (uint8_t)(t->before[b] & ~now[b]);
    }
    memcpy(t->before, now, t->size);
}

/* Holds the cycle that was stepped last against what the contract promises of it. */
static int breaks_promise(struct unit_inst *i, void *scratch)
{
    const struct unit_cycle *c = &i->history[(i->remembered - 1) % UNIT_HISTORY];
    const char *written = NULL;
    char reason[160];
    for (unsigned m = 0; m < i->unit->num_memories; m++)
        if (c->writes[SIDE_REF][m].write)
            written = i->unit->memories[m].name;
    if (!promise_broken(i->unit, c->state[SIDE_REF], c->in, c->out[SIDE_REF], written, i->state,
                        scratch, reason, sizeof reason))
        return 0;
    unit_accuse(i, c->cycle, reason);
    return 1;
}

/* Whether the unit is reset after this cycle: in even seeds after one of 4096, on average. */
static int resets(uint64_t seed, uint64_t cycle)
{
    const uint64_t hash =
        (seed ^ cycle * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd1b54a32d192ed03);
    return seed % 2 == 0 && (hash ^ hash >> 32) % 4096 == 0;
}

/* Cycles of the n-th of all seeds: the first takes half, and what cannot be shared equally. */
static uint64_t share(const struct options *o, uint64_t n)
{
    const uint64_t others = o->seeds > 1 ? o->cycles / 2 / (o->seeds - 1) : 0;
    return n == 0 ? o->cycles - others * (o->seeds - 1) : others;
}

/* Runs one seed, or what has been recorded, if anything. Returns the cycle of the first mismatch, or UINT64_MAX. *inst is left
 * open for its report. */
static uint64_t run_seed(const struct unit *u, uint64_t seed, struct recorded *recorded,
                         uint64_t cycles, toggle_sets t, struct wave *wave, struct unit_inst **inst)
{
    const size_t in_out = u->size[FIELD_IN] + u->size[FIELD_OUT];
    uint8_t *memory = calloc(1, 2 * in_out + u->state_size);
    void *in = memory, *out = memory + u->size[FIELD_IN], *scratch = memory + in_out;
    struct stimulus s = stimulus_start(seed);
    char place[64];
    snprintf(place, sizeof place, "seed %" PRIu64, seed);
    if (recorded)
        snprintf(place, sizeof place, "%s", recorded_place(recorded)), recorded_rewind(recorded);
    *inst = memory ? unit_open(u, BACKEND_LOCKSTEP, place) : NULL;
    if (!*inst) {
        fprintf(stderr, "random: out of memory\n");
        exit(2);
    }
    unit_preset(*inst, seed);
    if (wave)
        unit_trace_declare(*inst, wave), unit_trace_show(*inst, wave);
    uint64_t failed = UINT64_MAX;
    s.state = (*inst)->state;
    for (; s.cycle < cycles && failed == UINT64_MAX; stimulus_next(&s)) {
        feed_inputs(u, recorded, checked_stimulus, &s, in);
        note_toggles(&t[FIELD_STATE], s.state, s.cycle == 0);
        if (unit_step(*inst, s.cycle, in, out) || breaks_promise(*inst, scratch) ||
            feed_departs(*inst, recorded, s.cycle, out))
            failed = s.cycle;
        note_toggles(&t[FIELD_OUT], out, s.cycle == 0);
        if (failed == UINT64_MAX && !recorded && resets(seed, s.cycle))
            unit_reset(*inst, seed + s.cycle);
        if (wave && wave_cycle(wave, s.cycle))
            unit_trace(*inst, wave, s.cycle, in);
    }
    if (failed == UINT64_MAX && unit_settle(*inst, s.cycle))
        failed = s.cycle;
    note_toggles(&t[FIELD_STATE], s.state, 0);
    free(memory);
    return failed;
}

/* Returns how many bits did not. */
static unsigned print_toggles(const struct unit *u, enum field_kind kind, const struct toggles *t)
{
    static const char *const titles[NUM_FIELD_KINDS] = {"", "OUT", "STATE"};
    unsigned bits = 0, both = 0;
    printf("%-16s %6s %6s %6s %6s\n", titles[kind], "bits", "rose", "fell", "both");
    for (unsigned n = 0; n < u->num_fields; n++) {
        const struct field *f = &u->fields[n];
        unsigned rose = 0, fell = 0, two = 0;
        if (f->kind != kind)
            continue;
        for (unsigned e = 0; e < f->count; e++) {
            uint64_t up = field_get(f, t->rose, e), down = field_get(f, t->fell, e);
            rose += (unsigned)__builtin_popcountll(up);
            fell += (unsigned)__builtin_popcountll(down);
            two += (unsigned)__builtin_popcountll(up & down);
            for (unsigned b = 0; b < f->width; b++)
                if (!((up & down) >> b & 1))
                    printf("  not toggled both ways: %s[%u] bit %u\n", f->name, e, b);
        }
        printf("%-16s %6u %6u %6u %6u\n", f->name, field_bits(f), rose, fell, two);
        bits += field_bits(f);
        both += two;
    }
    printf("toggle coverage: %u of %u %s bits both ways\n", both, bits, titles[kind]);
    return bits - both;
}

/* Over all words of each MEMORY. Returns as print_toggles. */
static unsigned print_memories(const struct unit *u, const struct memory_moved *moved)
{
    unsigned bits = 0, both = 0;
    for (unsigned n = 0; n < u->num_memories; n++) {
        const struct field *m = &u->memories[n];
        const uint64_t two = moved[n].rose & moved[n].fell;
        if (n == 0)
            printf("%-16s %6s %6s %6s %6s\n", "MEMORY", "bits", "rose", "fell", "both");
        for (unsigned b = 0; b < m->width; b++)
            if (!(two >> b & 1))
                printf("  not toggled both ways: bit %u of %s, in any word\n", b, m->name);
        printf("%-16s %6u %6d %6d %6d\n", m->name, m->width, __builtin_popcountll(moved[n].rose),
               __builtin_popcountll(moved[n].fell), __builtin_popcountll(two));
        bits += m->width;
        both += (unsigned)__builtin_popcountll(two);
    }
    if (bits)
        printf("toggle coverage: %u of %u MEMORY bits both ways, in any word\n", both, bits);
    return bits - both;
}

static void note_memories(const struct unit_inst *i, struct memory_moved *moved)
{
    for (unsigned n = 0; n < i->unit->num_memories; n++) {
        moved[n].rose |= i->moved[n].rose;
        moved[n].fell |= i->moved[n].fell;
    }
}

/* Adds what an instance did to taken[state machine][edge]. */
static void note_edges(const struct unit *u, const struct unit_inst *inst, uint64_t **taken)
{
    for (unsigned n = 0; n < u->num_fsms; n++)
        for (unsigned e = 0; e < u->fsms[n].fsm->num_edges; e++)
            taken[n][e] += unit_edges(inst, n)[e];
}

/* Returns how many edges were never taken. */
static unsigned print_edges(const struct unit *u, uint64_t *const *taken)
{
    unsigned all = 0, missed = 0;
    for (unsigned n = 0; n < u->num_fsms; n++) {
        const struct fsm *m = u->fsms[n].fsm;
        printf("edges of fsm/%s.def\n", m->name);
        for (unsigned e = 0; e < m->num_edges; e++, all++) {
            printf("  %-20s %12" PRIu64 "  %s\n", m->edges[e].name, taken[n][e],
                   m->edges[e].meaning);
            missed += !taken[n][e];
        }
    }
    if (all)
        printf("edge coverage: %u of %u\n", all - missed, all);
    return missed;
}

/* After a mismatch: the report, the history in a file, and the same seed again with the waveform on
 * around it. */
static void explain(const struct unit *u, const struct options *o, struct recorded *recorded,
                    uint64_t seed, uint64_t failed, toggle_sets t, struct unit_inst *inst)
{
    char fst[256];
    uint64_t from = failed > 32 ? failed - 32 : 0;
    snprintf(fst, sizeof fst, "%s-seed%" PRIu64 ".fst:%" PRIu64 "-%" PRIu64, o->replay, seed, from,
             failed + 1);
    unit_report(inst, CONFIG_NAME, stdout);
    if (o->brief)
        return;
    printf("history\n");
    unit_history(inst, stdout);
    struct wave *wave = wave_open(fst, stderr);
    struct unit_inst *again = NULL;
    if (wave) {
        run_seed(u, seed, recorded, failed + 1, t, wave, &again);
        wave_mark(wave, failed);
        wave_close(wave);
        unit_close(again);
        *strrchr(fst, ':') = 0;
        printf("wave     %s\n", fst);
    }
    if (recorded)
        printf("replay   %s --inputs=%s\n", o->replay, o->inputs);
    else
        printf("replay   %s --seed=%" PRIu64 " --seeds=1 --cycles=%" PRIu64 "\n", o->replay, seed,
               failed + 1);
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options,
        parse_option,
        NULL,
        "Runs a unit's Verilog and C reference in lockstep on constrained-random inputs.\v"
        "Exit status: 0 all cycles agree, 3 a mismatch, 4 an edge of a state machine was never "
        "taken, 5 a bit of an output, register or memory did not both rise and fall, 2 a usage "
        "error. With --inputs neither 4 nor 5.",
        0,
        0,
        0};
    struct options o = {.cycles = 1000000, .seeds = 100, .seed = 1, .replay = argv[0]};
    argp_err_exit_status = 2;
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    const struct unit *u = checked_unit;
    struct recorded *recorded = o.inputs ? recorded_open(o.inputs, u, stderr) : NULL;
    if (o.inputs && !recorded)
        return 2;
    if (recorded) {
        o.seeds = 1;
        o.cycles = recorded_cycles(recorded);
    }
    toggle_sets t = {0};
    for (int kind = FIELD_OUT; kind < NUM_FIELD_KINDS; kind++) {
        t[kind].size = u->size[kind];
        t[kind].rose = calloc(3, t[kind].size + 1);
        if (!t[kind].rose)
            return 2;
        t[kind].fell = t[kind].rose + t[kind].size;
        t[kind].before = t[kind].fell + t[kind].size;
    }
    uint64_t *taken[u->num_fsms + 1u];
    for (unsigned n = 0; n < u->num_fsms; n++)
        if (!(taken[n] = calloc(u->fsms[n].fsm->num_edges, sizeof *taken[n])))
            return 2;
    struct memory_moved moved[u->num_memories + 1u];
    memset(moved, 0, sizeof moved);
    struct wave *wave = o.wave ? wave_open(o.wave, stderr) : NULL;
    if (o.wave && !wave)
        return 2;

    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    uint64_t done = 0;
    int status = 0;
    for (uint64_t n = 0; n < o.seeds && !status; n++) {
        struct unit_inst *inst = NULL;
        uint64_t failed =
            run_seed(u, o.seed + n, recorded, share(&o, n), t, n == 0 ? wave : NULL, &inst);
        done += unit_cycles(inst);
        note_edges(u, inst, taken);
        note_memories(inst, moved);
        if (failed != UINT64_MAX) {
            explain(u, &o, recorded, o.seed + n, failed, t, inst);
            status = 3;
        }
        unit_close(inst);
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "\r%s: seed %" PRIu64 " of %" PRIu64 ", %" PRIu64 " cycles", u->stem,
                    n + 1, o.seeds, done);
    }
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds =
        (double)(now.tv_sec - start.tv_sec) + 1e-9 * (double)(now.tv_nsec - start.tv_nsec);
    unsigned untoggled = 0;
    for (int kind = FIELD_OUT; kind < NUM_FIELD_KINDS; kind++) {
        if (!status && u->size[kind])
            untoggled += print_toggles(u, (enum field_kind)kind, &t[kind]);
        free(t[kind].rose);
    }
    if (!status)
        untoggled += print_memories(u, moved);
    if (!status) {
        const unsigned missed = print_edges(u, taken);
        status = recorded    ? 0
                 : missed    ? 4
                 : untoggled ? 5
                             : 0; /* a kernel does not do everything */
    }
    printf("%s: %" PRIu64 " cycles in lockstep, %" PRIu64 " seeds, %d mismatches, %.0f cycles/s\n",
           u->stem, done, o.seeds, status == 3, (double)done / seconds);
    recorded_close(recorded);
    if (wave && wave_close(wave))
        status = 2;
    for (unsigned n = 0; n < u->num_fsms; n++)
        free(taken[n]);
    return status;
}
