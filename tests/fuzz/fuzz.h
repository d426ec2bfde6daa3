/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz.h: one function for each reader of text from outside. It takes any bytes and
 * fails, as a cmocka test does, where the reader breaks a promise; sanitizers see to the rest.
 * `make fuzz` calls it with the inputs that libFuzzer thinks of, corpus_test.c with those kept in
 * corpus/.
 */
#ifndef HEDDLE_TESTS_FUZZ_FUZZ_H
#define HEDDLE_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* `data` is an allocation of exactly `size` bytes. They return 0, which libFuzzer wants. */
int ptx_fuzz(const uint8_t *data, size_t size);
int config_fuzz(const uint8_t *data, size_t size);
int exec_fuzz(const uint8_t *data, size_t size);
int locality_fuzz(const uint8_t *data, size_t size);
int sweep_fuzz(const uint8_t *data, size_t size);
int capture_fuzz(const uint8_t *data, size_t size);
int claims_fuzz(const uint8_t *data, size_t size);
int classes_fuzz(const uint8_t *data, size_t size);
int told_fuzz(const uint8_t *data, size_t size);
int page_fuzz(const uint8_t *data, size_t size);
int liberty_fuzz(const uint8_t *data, size_t size);
int netlist_fuzz(const uint8_t *data, size_t size);
int lef_fuzz(const uint8_t *data, size_t size);
int layout_fuzz(const uint8_t *data, size_t size);
int table_fuzz(const uint8_t *data, size_t size);

#endif
