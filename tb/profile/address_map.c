/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/address_map.c: see address_map.h. */
#include "tb/profile/address_map.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_PLACES 16

/* Where the address stands, or the empty place where it would. Never full: there is one. */
static uint32_t place_of(const struct address_map *m, uint64_t address)
{
    uint32_t place =
        (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (m->places - 1); /* Knuth */
    while (m->numbers[place] && m->addresses[m->numbers[place] - 1] != address)
        place = (place + 1) & (m->places - 1);
    return place;
}

uint32_t address_find(const struct address_map *m, uint64_t address)
{
    return m->places ? m->numbers[place_of(m, address)] - 1 : NO_NUMBER;
}

/* Makes room, so that at most half of the places are taken. Returns 0 or -1. */
static int grow(struct address_map *m)
{
    struct address_map more = {.count = m->count,
                               .places = m->places ? 2 * m->places : LEAST_PLACES};
    more.numbers = calloc(more.places, sizeof *more.numbers);
    more.addresses =
        more.numbers ? realloc(m->addresses, more.places / 2 * sizeof *more.addresses) : NULL;
    if (!more.addresses) {
        free(more.numbers);
        return -1;
    }
    for (uint32_t i = 0; i < more.count; i++)
        more.numbers[place_of(&more, more.addresses[i])] = i + 1;
    free(m->numbers);
    *m = more;
    return 0;
}

uint32_t address_number(struct address_map *m, uint64_t address)
{
    const uint32_t known = address_find(m, address);
    if (known != NO_NUMBER)
        return known;
    if (m->count == m->places / 2 && grow(m))
        return NO_NUMBER;
    m->addresses[m->count] = address;
    m->numbers[place_of(m, address)] = m->count + 1;
    return m->count++;
}

void *address_room(void *array, uint32_t *places, uint32_t number, size_t size)
{
    uint32_t more = *places ? *places : LEAST_PLACES;
    if (number < *places)
        return array;
    while (more <= number)
        more *= 2;
    array = realloc(array, more * size);
    if (!array)
        return NULL;
    memset((char *)array + *places * size, 0, (more - *places) * size);
    *places = more;
    return array;
}

void address_map_clear(struct address_map *m)
{
    free(m->addresses);
    free(m->numbers);
    *m = (struct address_map){0};
}
