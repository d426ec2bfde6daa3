/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/texture.c: the opaque types. A .texref or .surfref is the descriptor of ptx_texture,
 * a .samplerref a sampler's number; as a parameter each is a handle of 8 bytes. The initial values
 * are properties: { addr_mode_0 = clamp_to_edge, filter_mode = nearest, normalized_coords = 1 }. */
#include <string.h>

#include "tb/ptx/parse/parse.h"

static const struct {
    const char *name;
    uint32_t bytes;
} opaque[] = {{".texref", sizeof(struct ptx_texture)},
              {".surfref", sizeof(struct ptx_texture)},
              {".samplerref", sizeof(uint32_t)}};

uint32_t parse_opaque(struct parser *p)
{
    for (size_t i = 0; i < sizeof opaque / sizeof *opaque; i++)
        if (lexer_accept_text(&p->lexer, TOKEN_DOT, opaque[i].name))
            return opaque[i].bytes;
    return 0;
}

/* What a property makes of the sampler's number. Other address modes and filters are not there. */
static const struct {
    const char *property, *value;
    uint32_t bits;
} properties[] = {
    {"addr_mode", "wrap", SAMPLER_REPEAT},
    {"addr_mode", "mirror", SAMPLER_MIRROR},
    {"addr_mode", "clamp_ogl", SAMPLER_EDGE},
    {"addr_mode", "clamp_to_edge", SAMPLER_EDGE},
    {"addr_mode", "clamp_to_border", SAMPLER_BORDER},
    {"filter_mode", "nearest", 0},
    {"filter_mode", "linear", SAMPLER_LINEAR},
    {"normalized_coords", "0", 0},
    {"normalized_coords", "1", SAMPLER_NORMALIZED},
    {"force_unnormalized_coords", "0", SAMPLER_NORMALIZED},
    {"force_unnormalized_coords", "1", 0},
};

/* A word or a digit, as text. */
static const char *parse_value(struct lexer *x)
{
    static const char *const digits[] = {"0", "1"};
    if (x->token.kind == TOKEN_INT && x->token.value < 2) {
        const char *digit = digits[x->token.value];
        lexer_advance(x);
        return digit;
    }
    return lexer_word(x, "a property's value");
}

/* The bits of one property. All dimensions have one address mode, which is *mode once it is known.
 */
static uint32_t parse_property(struct parser *p, const char **mode)
{
    struct lexer *x = &p->lexer;
    const uint32_t line = x->token.line;
    const char *name = lexer_word(x, "a property such as addr_mode_0");
    lexer_expect(x, '=', "after the property");
    const char *value = parse_value(x);
    int is_mode = !strncmp(name, "addr_mode_", 10) && strlen(name) == 11 && strchr("012", name[10]);
    if (is_mode && *mode && strcmp(*mode, value))
        ptx_fail(p->context, line,
                 "address modes '%.60s' and '%.60s'; expected one for all dimensions", *mode,
                 value);
    *mode = is_mode ? value : *mode;
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
        if (!strcmp(properties[i].property, is_mode ? "addr_mode" : name) &&
            !strcmp(properties[i].value, value))
            return properties[i].bits;
    ptx_fail(p->context, line, "property '%.60s = %.60s' is not supported", name, value);
}

void parse_opaque_value(struct parser *p, struct ptx_var *var)
{
    struct lexer *x = &p->lexer;
    uint32_t sampler = 0;
    const char *mode = NULL;
    lexer_expect(x, '{', "before the properties");
    do
        sampler |= parse_property(p, &mode);
    while (lexer_accept(x, ','));
    lexer_expect(x, '}', "after the properties");
    const size_t at = var->size == sizeof sampler ? 0 : offsetof(struct ptx_texture, sampler);
    memcpy(var->init + at, &sampler, sizeof sampler);
}
