/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/lef_fuzz.c: any bytes as a LEF file. What is accepted must have layers, vias and cells that can be used, what is refused must
 * be told in one line that names file and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "synth/wires/lef.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input.h"

static void check_shapes(const struct lef *lef, const struct shapes *shapes)
{
    for (uint32_t k = 0; k < shapes->count; k++) {
        const struct shape *s = &shapes->shape[k];
        assert_true(s->layer < lef->num_layers);
        assert_true(s->box.x0 <= s->box.x1 && s->box.y0 <= s->box.y1);
    }
}

static void check_lef(const struct lef *lef)
{
    for (uint32_t k = 0; k < lef->num_layers; k++)
        assert_true(lef->layers[k].kind != LAYER_ROUTING ||
                    (lef->layers[k].pitch > 0 && lef->layers[k].width > 0));
    for (uint32_t k = 0; k < lef->num_vias; k++) {
        assert_true(lef->vias[k].low < lef->vias[k].high && lef->vias[k].high < lef->num_layers);
        check_shapes(lef, &lef->vias[k].shapes);
    }
    for (uint32_t k = 0; k < lef->num_macros; k++) {
        const struct lef_macro *m = &lef->macros[k];
        assert_true(m->width > 0 && m->height > 0);
        check_shapes(lef, &m->obstructions);
        for (uint32_t p = 0; p < m->num_pins; p++)
            check_shapes(lef, &m->pins[p].shapes);
    }
    assert_true(!lef_filler(lef) || lef_is_filler(lef_filler(lef)));
}

int lef_fuzz(const uint8_t *data, size_t size)
{
    char path[64], *said;
    size_t length;
    const int file = input_open(data, size, path);
    FILE *err = open_memstream(&said, &length);
    struct lef lef;
    const int failed = lef_read(&lef, path, err);
    fclose(err);
    assert_true(!failed == !length);
    assert_true(!length || input_told(said, length, path));
    free(said);
    close(file);
    if (!failed)
        check_lef(&lef);
    lef_free(&lef);
    return 0;
}
