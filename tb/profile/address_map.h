/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/address_map.h: numbers the addresses that come, from 0 in the order in which they come
 * first, so that what is known of them lies in plain arrays. A hash table with open addressing. */
#ifndef HEDDLE_TB_PROFILE_ADDRESS_MAP_H
#define HEDDLE_TB_PROFILE_ADDRESS_MAP_H

#include <stddef.h>
#include <stdint.h>

#define NO_NUMBER UINT32_MAX

struct address_map {
    uint64_t *addresses; /* by number */
    uint32_t *numbers;   /* by place: number + 1, or 0: the place is empty */
    uint32_t count, places;
};

/* The number of an address; NO_NUMBER: it has none. */
uint32_t address_find(const struct address_map *, uint64_t address);

/* The same, but an address without a number gets the next one; NO_NUMBER: no memory. */
uint32_t address_number(struct address_map *, uint64_t address);

/* Makes room for element `number` of an array by numbers, whose new elements are zero. Returns the
 * array, which may have moved, or NULL: no memory, and it is as it was. */
void *address_room(void *array, uint32_t *places, uint32_t number, size_t size);

/* Forgets all, and frees. */
void address_map_clear(struct address_map *);

#endif
