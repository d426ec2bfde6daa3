/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/main.c: `energy NETLIST LIBRARY`: a unit's netlist runs in lockstep with its reference, under the inputs of a kernel
 * or random ones, and what its edges cost is summed up. */
#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cosim/check.h"
#include "cosim/feed.h"
#include "hw.h"
#include "synth/netlist/model.h"
#include "synth/netlist/report.h"
#include "tb/file.h"

struct options {
    const char *netlist, *library, *inputs, *saif, *result;
    uint64_t cycles, seed;
    double period; /* ns */
};

static const struct argp_option argp_options[] = {
    {"inputs", 'i', "FILE.fst[:PLACE]", 0,
     "inputs as a waveform of the machine has them, instead of random ones; PLACE: sm0.scheduler1",
     0},
    {"cycles", 'c', "N", 0, "cycles of random inputs (default 100000)", 0},
    {"seed", 'k', "N", 0, "their seed (default 1)", 0},
    {"period", 'p', "NS", 0, "of the clock, for leakage and SAIF (default 1)", 0},
    {"saif", 's', "FILE", 0, "write the activity of all nets, as SAIF", 0},
    {"result", 'r', "FILE", 0, "write the figures as key=value", 0},
    {0},
};

static double positive(const char *text, struct argp_state *state)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !(value > 0 && value < 1e9))
        argp_error(state, "'%s'; expected a number above 0", text);
    return value;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'c': o->cycles = feed_number(text, state); return 0;
    case 'k': o->seed = feed_number(text, state); return 0;
    case 'i': o->inputs = text; return 0;
    case 'p': o->period = positive(text, state); return 0;
    case 's': o->saif = text; return 0;
    case 'r': o->result = text; return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "unexpected argument '%s'", text);
        *(state->arg_num ? &o->library : &o->netlist) = text;
        return 0;
    case ARGP_KEY_END:
        if (!o->library)
            argp_error(state, "expected a netlist and its library");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Whether a unit decided in a cycle: it was not idle, or, where it has no registers, it shows something else than before. */
static int decides(const struct unit *u, const void *in, const void *out, const void *out_before)
{
    return unit_is_clocked(u) ? !u->idle(in, out)
                              : memcmp(out, out_before, u->size[FIELD_OUT]) != 0;
}

/* Runs all cycles. Returns how many of them the unit decided in, or UINT64_MAX: it is not in lockstep, and stdout has been
 * told. */
static uint64_t run(struct unit_inst *i, struct recorded *recorded, const struct options *o)
{
    const struct unit *u = i->unit;
    const uint64_t cycles = recorded ? recorded_cycles(recorded) : o->cycles;
    const size_t size = u->size[FIELD_OUT];
    uint64_t decisions = 0;
    void *in = calloc(1, u->size[FIELD_IN] + 1), *out = calloc(2, size + 1),
         *before = out ? (char *)out + size + 1 : NULL;
    struct stimulus s = stimulus_start(o->seed);
    int failed = !in || !out;
    for (s.state = i->state; s.cycle < cycles && !failed; stimulus_next(&s)) {
        feed_inputs(u, recorded, checked_stimulus, &s, in);
        failed = unit_step(i, s.cycle, in, out) || feed_departs(i, recorded, s.cycle, out);
        decisions += decides(u, in, out, before);
        memcpy(before, out, size);
        if (isatty(STDERR_FILENO) && s.cycle % 4096 == 0)
            fprintf(stderr, "\r%s: cycle %" PRIu64 " of %" PRIu64, u->stem, s.cycle, cycles);
    }
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    if (failed)
        unit_report(i, CONFIG_NAME, stdout);
    free(in);
    free(out);
    return failed ? UINT64_MAX : decisions;
}

static int write_file(const char *path, const struct report *r,
                      void (*print)(const struct report *, FILE *))
{
    struct file *f = path ? file_create(path, stderr) : NULL;
    if (!f)
        return path ? -1 : 0;
    print(r, file_stream(f));
    return file_commit(f, stderr);
}

static int measure(const struct options *o, const struct netlist *n, struct recorded *recorded)
{
    char place[128];
    snprintf(place, sizeof place, "seed %" PRIu64, o->seed);
    if (recorded)
        snprintf(place, sizeof place, "%s", recorded_place(recorded));
    struct unit_inst *i = unit_open(checked_unit, BACKEND_LOCKSTEP, place);
    if (!i)
        return 1;
    const uint64_t decisions = run(i, recorded, o);
    int status = decisions == UINT64_MAX ? 3 : 0;
    if (!status) {
        const struct report r = {.unit = checked_unit->stem,
                                 .config = CONFIG_NAME,
                                 .inputs = o->inputs ? o->inputs : place,
                                 .measured = netlist_model_measured(i->model),
                                 .netlist = n,
                                 .decisions = decisions,
                                 .period = o->period * 1e-9};
        report_print(&r, stdout);
        if (write_file(o->result, &r, report_print_values) ||
            write_file(o->saif, &r, report_print_saif))
            status = 1;
    }
    unit_close(i);
    return status;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options,
        parse_option,
        "NETLIST LIBRARY",
        "Runs the netlist of a unit (mapped.v of `make synth`) in lockstep with its C reference "
        "and says what "
        "energy it takes, from the Liberty file of its cells.\v"
        "Exit status: 0; 1 a file is missing, wrong, or cannot be written; 3 netlist and reference "
        "differ; 2 a usage error.",
        0,
        0,
        0};
    struct options o = {.cycles = 100000, .seed = 1, .period = 1};
    struct library l = {0};
    struct netlist n = {0};
    argp_err_exit_status = 2;
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    struct recorded *recorded = o.inputs ? recorded_open(o.inputs, checked_unit, stderr) : NULL;
    int status = 1;
    if ((!o.result || !file_check(o.result, stderr)) && (!o.saif || !file_check(o.saif, stderr)) &&
        (!o.inputs || recorded) && !library_read(&l, o.library, stderr) &&
        !netlist_read(&n, o.netlist, &l, stderr) && !netlist_model_use(&n, checked_unit, stderr))
        status = measure(&o, &n, recorded);
    recorded_close(recorded);
    netlist_free(&n);
    library_free(&l);
    if (fflush(stdout) || ferror(stdout)) {
        perror("energy");
        status = 1;
    }
    return status;
}
