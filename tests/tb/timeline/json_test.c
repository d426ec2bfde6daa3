/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/timeline/json_test.c: any text comes back as it was, byte by byte, and events stand in an array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tb/timeline/json.h"

/* Bytes above 127 are read as those characters of Latin-1: whatever they were, the file is one. */
static void texts(void **state)
{
    (void)state;
    char *written;
    size_t length;
    struct json json = {.to = open_memstream(&written, &length), .most = 1000};
    json_more(&json, "[");
    for (int byte = 1; byte < 256; byte++) {
        json_event(&json, "{\"byte\":%d,\"text\":", byte);
        json_text(&json, (const char[]){'a', (char)byte, '"', '\\', 0});
        json_more(&json, "}");
    }
    json_more(&json, "]");
    fclose(json.to);
    assert_int_equal(json.bytes, length);
    assert_int_equal(json.events, 255);
    assert_true(json_full(&json));
    cJSON *array = cJSON_Parse(written);
    assert_non_null(array);
    assert_int_equal(cJSON_GetArraySize(array), 255);
    for (int byte = 1; byte < 256; byte++) {
        const char two[] = {(char)(0xc0 | byte >> 6), (char)(0x80 | (byte & 63)), 0},
                   one[] = {(char)byte, 0};
        char expected[16];
        const cJSON *event = cJSON_GetArrayItem(array, byte - 1);
        snprintf(expected, sizeof expected, "a%s\"\\", byte < 128 ? one : two);
        assert_int_equal(cJSON_GetObjectItem(event, "byte")->valueint, byte);
        assert_string_equal(cJSON_GetObjectItem(event, "text")->valuestring, expected);
    }
    cJSON_Delete(array);
    free(written);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
