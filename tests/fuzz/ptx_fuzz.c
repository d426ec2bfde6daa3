/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/ptx_fuzz.c: any bytes as PTX: parsed, decoded, analysed, placed. What is accepted must
 * be safe to execute, what is refused must be told with its line. */
#include "tests/fuzz/fuzz.h"
#include "tests/tb/ptx/ptx_support.h"

int ptx_fuzz(const uint8_t *data, size_t size)
{
    ptx_try((const char *)data, size);
    return 0;
}
