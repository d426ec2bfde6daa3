/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/sha1.h: the SHA-1 digest of a message (FIPS 180-4, section 6.1). */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_SHA1_H
#define HEDDLE_TB_WORKLOADS_COMMON_SHA1_H

#include <stddef.h>
#include <stdint.h>

#define SHA1_WORDS 5

void sha1(const uint8_t *message, size_t size, uint32_t digest[SHA1_WORDS]);

#endif
