/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/policies.c: see policies.h. */
#include "tb/units/policies.h"

#include <string.h>

#include "cosim/unit.h"

#define ROW(name, units, source, meaning) {#name, units, source, meaning},
#define SCHED                             ROW
static const struct policy scheds[] = {
#include "tb/units/policies.def"
    {0},
};
#define DISPATCH ROW
static const struct policy dispatches[] = {
#include "tb/units/policies.def"
    {0},
};

static const struct {
    const char *key;
    const struct policy *policies;
} kinds[] = {[POLICY_SCHED] = {"sched", scheds}, [POLICY_DISPATCH] = {"dispatch", dispatches}};

/* The delay of each socket, in the order of `sockets`. */
static const size_t delays[] = {
#define SOCKET(stem) offsetof(struct config, stem##_delay),
#include "sockets.def"
#undef SOCKET
};

const struct policy *policy_at(enum policy_kind kind, unsigned index)
{
    for (unsigned i = 0; kinds[kind].policies[i].name; i++)
        if (i == index)
            return &kinds[kind].policies[i];
    return NULL;
}

/* The policy that the configuration names, or NULL with the reason on `err`. */
static const struct policy *find(enum policy_kind kind, const struct config *c, FILE *err)
{
    const char *word = kind == POLICY_SCHED ? c->run_sched : c->run_dispatch;
    const struct policy *p;
    for (unsigned i = 0; (p = policy_at(kind, i)); i++)
        if (!strcmp(p->name, word))
            return p;
    fprintf(err, "[run] %s = %s: unknown policy; expected one of:", kinds[kind].key, word);
    for (unsigned i = 0; (p = policy_at(kind, i)); i++)
        fprintf(err, " %s", p->name);
    fputc('\n', err);
    return NULL;
}

/* One unit of a policy: "wia=gto". */
struct named {
    char stem[32], value[32]; /* "wia", "=gto" or "" */
};

/* Takes the next unit from the list, or returns 0: there is none. */
static int next(const char **units, struct named *n)
{
    const char *at = *units + strspn(*units, " ");
    const size_t all = strcspn(at, " "), stem = strcspn(at, " =");
    snprintf(n->stem, sizeof n->stem, "%.*s", (int)stem, at);
    snprintf(n->value, sizeof n->value, "%.*s", (int)(all - stem), at + stem);
    *units = at + all;
    return all != 0;
}

static int is_named(const struct policy *p, const char *stem)
{
    struct named n;
    for (const char *units = p->units; next(&units, &n);)
        if (!strcmp(n.stem, stem))
            return 1;
    return 0;
}

static int refuse(FILE *err, const char *stem, const char *why)
{
    fprintf(err, "unit %s %s\n", stem, why);
    return -1;
}

int policy_acts(const struct policy *p)
{
    for (unsigned i = 0; i < num_sockets; i++)
        if (sockets[i]->acts && is_named(p, sockets[i]->stem))
            return 1;
    return 0;
}

/* The files that units need. */
static const struct need {
    const char *stem, *key, *meaning;
    size_t offset;
} needs[] = {
#define PATH(stem, key, meaning, source)                                                           \
    {#stem, #stem "." #key, meaning, offsetof(struct config, stem##_##key)},
#define OPTIONAL_PATH(stem, key, meaning, source)
#include "tb/config.def"
    {0},
};

static const struct need *need_of(const struct policy *p)
{
    for (const struct need *n = needs; n->stem; n++)
        if (is_named(p, n->stem))
            return n;
    return NULL;
}

const char *policy_needs(const struct policy *p)
{
    const struct need *n = need_of(p);
    return n ? n->key : NULL;
}

/* The policy that the configuration names, with the file that it needs, or NULL with the reason on
 * `err`. */
static const struct policy *choose(enum policy_kind kind, const struct config *c, FILE *err)
{
    const struct policy *p = find(kind, c, err);
    const struct need *n = p ? need_of(p) : NULL;
    if (!n || ((const char *)c)[n->offset])
        return p;
    fprintf(err, "[run] %s = %s: expected a file: --set %s=FILE (%s)\n", kinds[kind].key, p->name,
            n->key, n->meaning);
    return NULL;
}

int policies_check(const struct config *c, FILE *err)
{
    for (enum policy_kind kind = 0; kind < NUM_POLICY_KINDS; kind++)
        if (!choose(kind, c, err))
            return -1;
    return 0;
}

/* Adds a unit to the plan of its scope. */
static int add(struct plan *plans, const struct named *n, const struct config *c, FILE *err)
{
    unsigned i = 0;
    while (i < num_sockets && strcmp(sockets[i]->stem, n->stem))
        i++;
    if (i == num_sockets)
        return refuse(err, n->stem, "has no socket");
    const struct socket *s = sockets[i];
    struct plan *plan = &plans[s->scope];
    struct planned p = {.socket = s, .unit = unit_find(s->stem)};
    memcpy(&p.delay, (const char *)c + delays[i], sizeof p.delay);
    if (plan->count == MAX_PLUGS)
        return refuse(err, s->stem, "cannot be added: there are too many units of its scope");
    if (*n->value && unit_value(p.unit, "policy", n->value + 1, &p.policy))
        return refuse(err, s->stem, "does not have the policy that its list names");
    plan->units[plan->count++] = p;
    return 0;
}

int plan_units(struct plan *plans, const char *units, const struct config *c, FILE *err)
{
    for (struct named n; next(&units, &n);)
        if (add(plans, &n, c, err))
            return -1;
    return 0;
}

/* The unit of this stem in the plan, or NULL. */
static const struct planned *planned(const struct plan *plan, const char *stem)
{
    for (unsigned i = 0; i < plan->count; i++)
        if (!strcmp(plan->units[i].socket->stem, stem))
            return &plan->units[i];
    return NULL;
}

int plan_has(const struct plan *plans, enum scope scope, const char *stem, uint64_t policy)
{
    const struct planned *p = planned(&plans[scope], stem);
    return p && p->policy == policy;
}

uint64_t plan_delay(const struct plan *plans, enum scope scope, const char *stem)
{
    const struct planned *p = planned(&plans[scope], stem);
    return p ? p->delay : 0;
}

/* The dispatcher of several kernels. */
int plan_several(const struct plan *gpu)
{
    return planned(gpu, "kmu") != NULL;
}

/* Do the units of each scope go together? */
static int agree(const struct plan *plans, FILE *err)
{
    for (const struct plan *p = plans; p < plans + NUM_SCOPES; p++)
        for (unsigned i = 0; i < p->count; i++) {
            const struct socket *s = p->units[i].socket;
            const char *why = s->objects ? s->objects(plans) : NULL;
            if (!why && plan_several(&plans[SCOPE_GPU]) && !s->several)
                why = "it knows one kernel at a time, and the dispatching policy has several";
            if (why)
                return refuse(err, s->stem, why);
        }
    return 0;
}

/* Adds the units that are switched on by their own keys and that no policy names: those that are to be asked last, or all
 * others. */
static int plan_used(struct plan *plans, int last, const struct policy *sched,
                     const struct policy *dispatch, const struct config *c, FILE *err)
{
    for (unsigned i = 0; i < num_sockets; i++) {
        const struct socket *s = sockets[i];
        if (s->used && s->last == last && s->used(c) && !is_named(sched, s->stem) &&
            !is_named(dispatch, s->stem) && plan_units(plans, s->stem, c, err))
            return -1;
    }
    return 0;
}

int plan_machine(struct plan *plans, const struct config *c, FILE *err)
{
    const struct policy *sched = choose(POLICY_SCHED, c, err),
                        *dispatch = sched ? choose(POLICY_DISPATCH, c, err) : NULL;
    memset(plans, 0, NUM_SCOPES * sizeof *plans);
    if (!dispatch)
        return -1;
    if (plan_used(plans, 0, sched, dispatch, c, err) || plan_units(plans, sched->units, c, err) ||
        plan_units(plans, dispatch->units, c, err) || plan_used(plans, 1, sched, dispatch, c, err))
        return -1;
    return agree(plans, err);
}
