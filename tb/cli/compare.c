/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/compare.c: `heddle compare`: what policies buy, from statistics files, next to what the unit costs, from the
 * result of synthesis. */
#include <argp.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"

struct compare {
    const char *synth;
    char **files;
    int num_files;
};

static const struct argp_option options[] = {
    {"synth", 's', "RESULT.txt", 0, "what the unit costs: build/<config>/synth/<unit>/result.txt", 0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct compare *c = state->input;
    switch (key) {
    case 's': c->synth = text; return 0;
    case ARGP_KEY_ARGS:
        c->files = state->argv + state->next;
        c->num_files = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "no statistics file");
    default: return ARGP_ERR_UNKNOWN;
    }
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (!f || getdelim(&text, &size, 0, f) < 0)
        fprintf(stderr, "%s: cannot be read: %s\n", path, f && !errno ? "it is empty" : strerror(errno));
    if (f)
        fclose(f);
    return text;
}

/* The member at "a.b.c", or NULL. */
static const cJSON *member(const cJSON *json, const char *path)
{
    char name[64];
    while (json && *path) {
        size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        json = cJSON_GetObjectItemCaseSensitive(json, name);
        path += length + (path[length] == '.');
    }
    return json;
}

static const char *missing; /* the first member that a file lacks */

static double number(const cJSON *json, const char *path)
{
    const cJSON *item = member(json, path);
    if (!cJSON_IsNumber(item))
        missing = missing ? missing : path;
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static const char *word(const cJSON *json, const char *path)
{
    const cJSON *item = member(json, path);
    if (!cJSON_IsString(item))
        missing = missing ? missing : path;
    return cJSON_IsString(item) ? item->valuestring : "?";
}

static int print_row(const char *path)
{
    char *text = read_text(path);
    cJSON *json = text ? cJSON_Parse(text) : NULL;
    missing = NULL;
    if (json) {
        double accesses = number(json, "totals.l1d.accesses"), hits = number(json, "totals.l1d.hits");
        printf("%-10s %-9s %12.0f %12.0f %8.3f %8.2f %% %14.0f %10.0f\n", word(json, "sched"), word(json, "backend"),
               number(json, "totals.cycles"), number(json, "totals.warp_instructions"), number(json, "totals.ipc"),
               accesses ? 100 * hits / accesses : 0, number(json, "lockstep.wia.cycles"),
               number(json, "lockstep.wia.mismatches"));
        if (missing)
            fprintf(stderr, "%s: '%s' is missing\n", path, missing);
    } else if (text)
        fprintf(stderr, "%s: not JSON\n", path);
    int status = json && !missing ? 0 : EXIT_USAGE;
    cJSON_Delete(json);
    free(text);
    return status;
}

/* The value of `key` in lines of key=value; copied to `value`. */
static int find_value(const char *text, const char *key, char value[64])
{
    size_t length = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        if (!strncmp(line, key, length) && line[length] == '=') {
            snprintf(value, 64, "%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
            return 0;
        }
    snprintf(value, 64, "?");
    return -1;
}

static int print_synth(const char *path)
{
    static const struct {
        const char *key, *what, *unit;
    } rows[] = {
        {"state_bits", "STATE bits", "of the contract"},    {"flip_flops", "flip-flops", "found by synthesis"},
        {"area_um2", "area", "um2, OSU 0.18 um"},           {"ge", "gate equivalents", "NAND2X1"},
        {"critical_path_ns", "critical path", "ns, before layout, no wire load"},
    };
    char *text = read_text(path), unit[64], value[64];
    int status = text ? 0 : EXIT_USAGE;
    if (text) {
        find_value(text, "unit", unit);
        printf("\nWhat %s costs, one instance:\n", unit);
        for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
            if (find_value(text, rows[r].key, value)) {
                fprintf(stderr, "%s: '%s' is missing\n", path, rows[r].key);
                status = EXIT_USAGE;
            }
            printf("  %-18s %10s  %s\n", rows[r].what, value, rows[r].unit);
        }
    }
    free(text);
    return status;
}

int command_compare(int argc, char **argv)
{
    static const struct argp argp = {options, parse_option, "STATISTICS.json...",
                                     "Prints statistics files side by side: what a policy buys, and what its unit costs.",
                                     0, 0, 0};
    struct compare c = {0};
    int status = 0;
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &c);
    printf("%-10s %-9s %12s %12s %8s %10s %14s %10s\n", "policy", "backend", "cycles", "warp instr.", "IPC", "L1D hits",
           "lockstep cyc.", "mismatches");
    for (int f = 0; f < c.num_files; f++)
        status |= print_row(c.files[f]);
    if (c.synth)
        status |= print_synth(c.synth);
    return status;
}
