/* SPDX-License-Identifier: Apache-2.0 */
/* tests/yaml_file.c: see yaml_file.h. */
#include "tests/yaml_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void yaml_file_read(yaml_document_t *document, const char *path)
{
    FILE *f = fopen(path, "r");
    yaml_parser_t parser;
    if (!f)
        fail_msg("%s cannot be read", path);
    assert_true(yaml_parser_initialize(&parser));
    yaml_parser_set_input_file(&parser, f);
    if (!yaml_parser_load(&parser, document))
        fail_msg("%s:%zu: %s", path, parser.problem_mark.line + 1, parser.problem);
    yaml_parser_delete(&parser);
    fclose(f);
    if (!yaml_document_get_root_node(document))
        fail_msg("%s is empty", path);
}

const char *yaml_key(yaml_document_t *document, const yaml_node_t *node, int index,
                     yaml_node_t **value)
{
    if (!node || node->type != YAML_MAPPING_NODE)
        return NULL;
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start + index;
    if (pair >= node->data.mapping.pairs.top)
        return NULL;
    *value = yaml_document_get_node(document, pair->value);
    return yaml_text(yaml_document_get_node(document, pair->key));
}

yaml_node_t *yaml_member(yaml_document_t *document, const yaml_node_t *node, const char *key)
{
    yaml_node_t *value;
    const char *at;
    for (int i = 0; (at = yaml_key(document, node, i, &value)); i++)
        if (!strcmp(at, key))
            return value;
    return NULL;
}

yaml_node_t *yaml_item(yaml_document_t *document, const yaml_node_t *node, int index)
{
    if (!node || node->type != YAML_SEQUENCE_NODE)
        return NULL;
    const yaml_node_item_t *item = node->data.sequence.items.start + index;
    return item < node->data.sequence.items.top ? yaml_document_get_node(document, *item) : NULL;
}

const char *yaml_text(const yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}
