/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/html/devtools.c: see devtools.h. With --remote-debugging-pipe the browser reads commands from descriptor 3 and writes
 * answers and events to descriptor 4, each a text of JSON with a NUL behind it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tb/cli/html/devtools.h"

#define PATIENCE_MS 60000

static void become_browser(const char *profile, int in, int out)
{
    char folder[96];
    snprintf(folder, sizeof folder, "--user-data-dir=%s", profile);
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(fcntl(in, F_DUPFD, 10), 3); /* neither may be in the other's place meanwhile */
    dup2(fcntl(out, F_DUPFD, 10), 4);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    /* root has no sandbox */
    execlp("chromium", "chromium", "--headless", "--remote-debugging-pipe", "--disable-gpu",
           "--no-first-run", "--disable-background-networking", folder,
           geteuid() ? "--mute-audio" : "--no-sandbox", (char *)NULL);
    _exit(127);
}

/* The next text from the browser, to be freed. */
static char *receive(struct devtools *d)
{
    for (;;) {
        char *end = d->size ? memchr(d->text, 0, d->size) : NULL;
        if (end) {
            char *text = strdup(d->text);
            d->size -= (size_t)(end + 1 - d->text);
            memmove(d->text, end + 1, d->size);
            return text;
        }
        if (d->room - d->size < 65536)
            assert_non_null(d->text = realloc(d->text, d->room += 1 << 20));
        struct pollfd ready = {d->from, POLLIN, 0};
        if (poll(&ready, 1, PATIENCE_MS) != 1)
            fail_msg("the browser says nothing");
        const ssize_t got = read(d->from, d->text + d->size, d->room - d->size);
        if (got <= 0)
            fail_msg("the browser has ended; is chromium installed? make setup MORE=1");
        d->size += (size_t)got;
    }
}

static const char *word(const cJSON *json, const char *path)
{
    char copy[64], *rest = copy;
    snprintf(copy, sizeof copy, "%s", path);
    for (char *name; json && (name = strsep(&rest, "."));)
        json = cJSON_GetObjectItemCaseSensitive(json, name);
    return cJSON_IsString(json) ? json->valuestring : "";
}

static void note(struct devtools *d, const char *what, const char *text)
{
    if (!*d->fault)
        snprintf(d->fault, sizeof d->fault, "%s: %.400s", what, text);
}

/* What the page does by itself. */
static void take_event(struct devtools *d, const cJSON *event)
{
    const char *method = word(event, "method"), *url = word(event, "params.request.url");
    if (!strcmp(method, "Page.loadEventFired"))
        d->loaded = 1;
    else if (!strcmp(method, "Runtime.exceptionThrown"))
        note(d, "exception", word(event, "params.exceptionDetails.text"));
    else if (!strcmp(method, "Runtime.consoleAPICalled"))
        note(d, "console", word(event, "params.type"));
    else if (!strcmp(method, "Log.entryAdded"))
        note(d, "log", word(event, "params.entry.text"));
    else if (!strcmp(method, "Network.requestWillBeSent") && strcmp(url, d->url) != 0 &&
             strncmp(url, "data:", 5) != 0)
        note(d, "fetched", url);
}

static void send(struct devtools *d, const char *text)
{
    const size_t size = strlen(text) + 1;
    assert_int_equal(write(d->to, text, size), size);
}

cJSON *devtools_do(struct devtools *d, const char *method, const char *parameters, ...)
{
    char *inner, *command;
    va_list arguments;
    va_start(arguments, parameters);
    assert_true(vasprintf(&inner, parameters, arguments) >= 0);
    va_end(arguments);
    const int number = ++d->last;
    assert_true(asprintf(&command, "{\"id\":%d,\"method\":\"%s\",%s%s%s\"params\":{%s}}", number,
                         method, *d->session ? "\"sessionId\":\"" : "", d->session,
                         *d->session ? "\"," : "", inner) >= 0);
    send(d, command);
    free(inner);
    free(command);
    for (;;) {
        char *text = receive(d);
        cJSON *answer = cJSON_Parse(text);
        free(text);
        const cJSON *id = cJSON_GetObjectItem(answer, "id");
        if (cJSON_IsNumber(id) && id->valueint == number) {
            cJSON *result = cJSON_DetachItemFromObject(answer, "result");
            if (!result)
                fail_msg("%s: %s", method, word(answer, "error.message"));
            cJSON_Delete(answer);
            return result;
        }
        take_event(d, answer);
        cJSON_Delete(answer);
    }
}

void devtools_start(struct devtools *d)
{
    int to[2], from[2];
    *d = (struct devtools){.profile = "/tmp/heddle-browser-XXXXXX"};
    signal(SIGPIPE, SIG_IGN);
    assert_non_null(mkdtemp(d->profile));
    assert_int_equal(pipe2(to, O_CLOEXEC) | pipe2(from, O_CLOEXEC), 0);
    d->browser = fork();
    assert_true(d->browser >= 0);
    if (!d->browser)
        become_browser(d->profile, to[0], from[1]);
    close(to[0]);
    close(from[1]);
    d->to = to[1];
    d->from = from[0];
    cJSON *target = devtools_do(d, "Target.createTarget", "\"url\":\"about:blank\"");
    cJSON *session = devtools_do(d, "Target.attachToTarget", "\"targetId\":\"%s\",\"flatten\":true",
                                 word(target, "targetId"));
    snprintf(d->session, sizeof d->session, "%s", word(session, "sessionId"));
    cJSON_Delete(target);
    cJSON_Delete(session);
    static const char *const domains[] = {"Page.enable", "Runtime.enable", "Log.enable",
                                          "Network.enable"};
    for (size_t i = 0; i < sizeof domains / sizeof domains[0]; i++)
        cJSON_Delete(devtools_do(d, domains[i], "%s", ""));
}

void devtools_stop(struct devtools *d)
{
    char command[128];
    d->session[0] = 0;
    cJSON_Delete(devtools_do(d, "Browser.close", "%s", ""));
    close(d->to);
    close(d->from);
    waitpid(d->browser, NULL, 0);
    free(d->text);
    snprintf(command, sizeof command, "rm -rf %s", d->profile);
    assert_int_equal(system(command), 0);
}

void devtools_open(struct devtools *d, const char *path, int width)
{
    snprintf(d->url, sizeof d->url, "file://%s", path);
    cJSON_Delete(devtools_do(d, "Emulation.setDeviceMetricsOverride",
                             "\"width\":%d,\"height\":844,\"deviceScaleFactor\":1,\"mobile\":%s",
                             width, width < 600 ? "true" : "false"));
    d->fault[0] = 0;
    d->loaded = 0;
    cJSON_Delete(devtools_do(d, "Page.navigate", "\"url\":\"%s\"", d->url));
    for (int i = 0; i < 2000 && !d->loaded;
         i++) { /* events come before the answer to what was asked after them */
        usleep(5000);
        devtools_value(d, "0");
    }
    assert_true(d->loaded);
}

double devtools_value(struct devtools *d, const char *expression)
{
    cJSON *result = devtools_do(d, "Runtime.evaluate", "\"expression\":\"Number(%s)\"", expression);
    const cJSON *value = cJSON_GetObjectItem(cJSON_GetObjectItem(result, "result"), "value");
    if (!cJSON_IsNumber(value))
        fail_msg("%s is no number", expression);
    const double number = value->valuedouble;
    cJSON_Delete(result);
    return number;
}
