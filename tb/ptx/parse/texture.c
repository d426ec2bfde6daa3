/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/texture.c: the opaque types. A .texref or .surfref is the descriptor of ptx_texture,
 * a .samplerref a sampler's number; as a parameter each is a handle of 8 bytes. The initial values
 * are properties: { addr_mode_0 = clamp_to_edge, filter_mode = nearest, normalized_coords = 1 }. */
#include <string.h>

#include "tb/ptx/parse/parse.h"

static const char *const names[] = {[OPAQUE_TEXREF] = ".texref",
                                    [OPAQUE_SURFREF] = ".surfref",
                                    [OPAQUE_SAMPLERREF] = ".samplerref"};

enum ptx_opaque parse_opaque(struct parser *p)
{
    for (enum ptx_opaque i = OPAQUE_TEXREF; i <= OPAQUE_SAMPLERREF; i++)
        if (lexer_accept_text(&p->lexer, TOKEN_DOT, names[i]))
            return i;
    return OPAQUE_NONE;
}

uint32_t opaque_bytes(enum ptx_opaque opaque)
{
    return opaque == OPAQUE_SAMPLERREF ? sizeof(uint32_t) : sizeof(struct ptx_texture);
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

/* Sizes and kinds of channels: where a texture lies, and so what they are worth, is for whoever binds it
 * to say. */
static const struct {
    const char *property;
    size_t offset;
} sizes[] = {{"width", offsetof(struct ptx_texture, width)},
             {"height", offsetof(struct ptx_texture, height)},
             {"depth", offsetof(struct ptx_texture, depth)},
             {"array_size", offsetof(struct ptx_texture, depth)},
             {"channel_data_type", offsetof(struct ptx_texture, data_type)},
             {"channel_order", offsetof(struct ptx_texture, order)}};

/* Returns 0: the property is no size. */
static int parse_size(struct parser *p, const char *name, struct ptx_var *var)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!strcmp(name, sizes[i].property) && var->opaque != OPAQUE_SAMPLERREF) {
            const int32_t size = (int32_t)lexer_integer(&p->lexer, INT32_MAX, "a size");
            memcpy(var->init + sizes[i].offset, &size, sizeof size);
            return 1;
        }
    return 0;
}

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
static uint32_t parse_property(struct parser *p, struct ptx_var *var, const char **mode)
{
    struct lexer *x = &p->lexer;
    const uint32_t line = x->token.line;
    const char *name = lexer_word(x, "a property such as addr_mode_0");
    lexer_expect(x, '=', "after the property");
    if (parse_size(p, name, var))
        return 0;
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
        sampler |= parse_property(p, var, &mode);
    while (lexer_accept(x, ','));
    lexer_expect(x, '}', "after the properties");
    const size_t at = var->opaque == OPAQUE_SAMPLERREF ? 0 : offsetof(struct ptx_texture, sampler);
    memcpy(var->init + at, &sampler, sizeof sampler);
}
