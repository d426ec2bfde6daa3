/* SPDX-License-Identifier: Apache-2.0 */
/* tests/yaml_file.h: a YAML file of the tree, for tests that look into it. A file that is no YAML fails the test. */
#ifndef HEDDLE_TESTS_YAML_FILE_H
#define HEDDLE_TESTS_YAML_FILE_H

#include <yaml.h>

void yaml_file_read(yaml_document_t *, const char *path);

/* The member of a mapping, NULL without one, or where `node` is NULL. */
yaml_node_t *yaml_member(yaml_document_t *, const yaml_node_t *node, const char *key);

/* The item of a sequence, NULL behind its last, or where `node` is NULL. */
yaml_node_t *yaml_item(yaml_document_t *, const yaml_node_t *node, int index);

/* The key of a mapping's member, NULL behind its last; its value in *value. */
const char *yaml_key(yaml_document_t *, const yaml_node_t *node, int index, yaml_node_t **value);

/* The text of a scalar; "" of anything else, NULL included. */
const char *yaml_text(const yaml_node_t *);

#endif
