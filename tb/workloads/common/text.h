/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/text.h: a growing text that is made of records, which is what the MapReduce
 * workloads read. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_TEXT_H
#define HEDDLE_TB_WORKLOADS_COMMON_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define TEXT_MOST_BYTES (1u << 30)

/* {0} is the empty text. */
struct text {
    char *bytes;
    size_t size, room;
    uint32_t *start; /* record r is [start[r], start[r + 1]) of the bytes */
    uint32_t records;
    size_t start_room;
};

/* Appends formatted text to the record under way. A text that grows beyond TEXT_MOST_BYTES, and no
 * memory, end the program. */
void text_print(struct text *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends the address of page number `page` of the web: neighbouring numbers are on other hosts. */
void text_page(struct text *, uint32_t page);

/* Ends a record; the next one begins. */
void text_end_record(struct text *);

/* Compares two pieces of a text, by offset and size, byte by byte: less than, equal to or greater
 * than zero. Of a piece and its beginning, the beginning is less. */
int text_compare(const char *bytes, uint32_t a, uint32_t a_size, uint32_t b, uint32_t b_size);

void text_free(struct text *);

#endif
