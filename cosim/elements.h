/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/elements.h: an array of a unit as text, for reports and waveforms: which of its elements are set. */
#ifndef HEDDLE_COSIM_ELEMENTS_H
#define HEDDLE_COSIM_ELEMENTS_H

#include <stddef.h>
#include <stdint.h>

#define ELEMENTS_LISTED                                                                            \
    64 /* of longer arrays a list says nothing: they are shown as hexadecimal numbers */
#define ELEMENTS_SIZE 2048

/* `words` holds `count` elements of `width` bits, the first one lowest. Of single bits the numbers of those that are 1: "0-5 9"; of others the
 * elements that are not 0: "0:3 7:12", in decimal up to 6 bits. "-": none. Of more than ELEMENTS_LISTED a hexadecimal number. */
void elements_print(char text[ELEMENTS_SIZE], const uint64_t *words, unsigned count,
                    unsigned width);

#endif
