/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/machine.c: opens the machine as the environment says (`heddle run` sets it) and closes it
 * at exit.
 *
 *   HEDDLE_CONFIG_FILE  the configuration; default: the build's own, beside libheddle.so
 *   HEDDLE_SET          lines of section.key=value that override it
 *   HEDDLE_FOLDER       where files that these lines name are looked for; default: the working directory
 *   HEDDLE_STATS        file for the statistics
 *   HEDDLE_KEPT         file for the statistics of each kernel as it ends, for who writes them if the process does not
 *   HEDDLE_PROFILE      file for the profile of loads
 *   HEDDLE_LOCALITY     file for what blocks will read, found before they run
 *   HEDDLE_LOCALITY_UNIT, HEDDLE_LOCALITY_CHECK
 *                       in units of so many bytes (default: 4); whether that is checked (default: no)
 *   HEDDLE_WAVE         waveform: FILE.fst[:FROM-TO]
 *   HEDDLE_TIMELINE     what an SM does over time: FILE.json[:FROM-TO]
 *   HEDDLE_TIMELINE_SM, HEDDLE_TIMELINE_MB
 *                       of which SM (default: 0); the file's limit in 10^6 bytes (default: 256)
 *   HEDDLE_TRACE        folder for a trace of what is executed
 *   HEDDLE_CAPTURE      file for the launches, with all that they need
 *   HEDDLE_PROGRESS     a line per second of a kernel that takes long, where standard error is no terminal, too
 *   HEDDLE_FAIL         folder for what explains a lockstep difference or a kernel's fault
 *
 * Exit statuses of the driver's own: 1 a kernel failed and the program did not notice, or the
 * statistics, the timeline, the trace or the capture could not be written; 2 the configuration, the trace's folder or the capture's file
 * cannot be used; 3 lockstep found a difference. */
#include "tb/ocl/machine.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hw.h"
#include "tb/ocl/fail_folder.h"
#include "tb/ocl/lock.h"
#include "tb/ocl/made_by.h"
#include "tb/ocl/signals.h"
#include "tb/timeline/timeline.h"

enum { EXIT_IGNORED = 1, EXIT_CONFIG = 2, EXIT_MISMATCH = 3 };

static enum { UNOPENED, OPEN, CLOSED } state;
static struct gpu *the_machine;
static struct capture *the_capture; /* NULL: nothing is captured */
static struct config the_config;
static struct notes made_by;
static pid_t opener;

static void quit(int status)
{
    fflush(NULL);
    _exit(status);
}

char *machine_file(const char *file)
{
    Dl_info library;
    const char *path = dladdr(&state, &library) && library.dli_fname ? library.dli_fname : "";
    const char *slash = strrchr(path, '/');
    const int directory = slash ? (int)(slash - path) + 1 : 0;
    char *result;
    return asprintf(&result, "%.*s%s", directory, path, file) < 0 ? NULL : result;
}

/* Applies the lines of HEDDLE_SET. Returns 0 or -1. */
static int override_config(struct config *c, const char *lines)
{
    char *copy = strdup(lines);
    int result = copy ? 0 : -1;
    char *rest = copy;
    for (char *line; result == 0 && (line = strsep(&rest, "\n"));)
        if (*line)
            result = config_set(c, line, stderr);
    free(copy);
    return result;
}

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static int read_config(struct config *c)
{
    const char *given = getenv("HEDDLE_CONFIG_FILE");
    char *path = given && *given ? strdup(given) : machine_file(CONFIG_NAME ".ini");
    const char *set = getenv("HEDDLE_SET");
    const int result = path && config_read(c, path, stderr) == 0 &&
                               (!set || override_config(c, set) == 0) &&
                               (!environment("HEDDLE_FOLDER") ||
                                config_resolve(c, environment("HEDDLE_FOLDER"), stderr) == 0) &&
                               config_check(c, stderr) == 0
                           ? 0
                           : -1;
    free(path);
    return result;
}

/* The kernels that run, by number. */
static struct {
    const struct capture_program *program; /* NULL: none of this number runs */
    const char *kernel;
    int captured;
    struct gpu_result result;
} running[GPU_KERNELS];
static char messages[GPU_KERNELS][GPU_MESSAGE_SIZE]; /* why the last one has failed */

void machine_stop(void)
{
    int any = 0;
    for (unsigned i = 0; i < GPU_KERNELS; i++) {
        any |= running[i].program != NULL;
        running[i].program = NULL;
    }
    if (any)
        gpu_stop(the_machine);
}

/* The process ends, and kernels run that nobody has waited for. */
static void give_up(void)
{
    for (unsigned i = 0; i < GPU_KERNELS; i++)
        if (running[i].program) {
            snprintf(messages[i], GPU_MESSAGE_SIZE,
                     "%.32s: kernel %s: given up: the program ended without waiting for it",
                     running[i].program->name, running[i].kernel);
            fprintf(stderr, "heddle: %s\n", messages[i]);
        }
    machine_stop();
}

/* Signals: the machine stops as soon as it can, at the end of a window. */
static void interrupt(void)
{
    if (the_machine)
        gpu_interrupt(the_machine);
}

/* Of what the machine writes only the waveform and the timeline are of use when it ends in the middle; statistics are kept (tb/gpu/kept.h). */
static void interrupted(int signal)
{
    if (the_machine)
        gpu_close_views(the_machine);
    signals_die(signal);
}

/* No kernel runs. */
static void leave(int signal)
{
    api_lock();
    interrupted(signal);
}

static void crashed(int signal)
{
    if (!the_machine)
        return;
    char *const where = gpu_where(the_machine);
    if (where)
        fprintf(stderr, "heddle: %s: %s\n", signal ? strsignal(signal) : "the process ends", where);
    gpu_close_views(the_machine);
    free(where); /* last: after a crash even this may fail */
}

/* Runs on exit(), with its status. A child process that inherited the machine leaves it alone. */
static void at_exit(int status, void *unused)
{
    (void)unused;
    if (getpid() != opener)
        return;
    if (api_lock() < 0) {
        signals_close_in_copy(0); /* a signal handler ends the process from within a launch */
        return;
    }
    if (signals_asked()) /* sleep() and its like have returned early */
        interrupted(signals_asked());
    give_up();
    const int failed = gpu_failed(the_machine);
    const int unwritten = (gpu_close(the_machine) < 0) | (capture_close(the_capture, stderr) < 0);
    the_machine = NULL;
    the_capture = NULL;
    notes_free(&made_by);
    state = CLOSED;
    api_unlock();
    if (failed && status == 0)
        fprintf(stderr, "heddle: a kernel failed and the program ignored it: exit status %d\n",
                EXIT_IGNORED);
    if (unwritten)
        fprintf(stderr, "heddle: the statistics, the waveform, the timeline, the trace or the "
                        "capture could not "
                        "be written\n");
    if ((failed || unwritten) && status == 0)
        quit(EXIT_IGNORED);
}

/* The exit handler must stay mapped even where the program closes the library. */
static void pin_library(void)
{
    Dl_info library;
    if (dladdr(&state, &library) && library.dli_fname)
        dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* Returns 0, or -1: no memory, or no such unit. */
static int open_reads(const char *file)
{
    const char *word = environment("HEDDLE_LOCALITY_UNIT");
    const long unit = word ? strtol(word, NULL, 10) : READS_UNIT;
    if (unit < 1 || unit > READS_MAX_UNIT || unit & (unit - 1))
        return -1;
    return gpu_reads(the_machine, file, (uint32_t)unit,
                     environment("HEDDLE_LOCALITY_CHECK") != NULL);
}

/* Returns 0, or -1 with the reason on stderr. */
static int open_timeline(const char *spec)
{
    const char *sm = environment("HEDDLE_TIMELINE_SM"), *mb = environment("HEDDLE_TIMELINE_MB");
    const struct timeline_choice choice = {.spec = spec,
                                           .sm = sm ? (unsigned)strtoul(sm, NULL, 10) : 0,
                                           .mb = mb ? strtoul(mb, NULL, 10) : TIMELINE_MB};
    return gpu_timeline(the_machine, &choice, stderr);
}

struct gpu *machine(void)
{
    if (state != UNOPENED)
        return the_machine;
    if (read_config(&the_config) < 0)
        quit(EXIT_CONFIG);
    the_machine =
        gpu_open(&the_config, environment("HEDDLE_WAVE"), environment("HEDDLE_STATS"), stderr);
    if (!the_machine || (environment("HEDDLE_TRACE") &&
                         gpu_trace(the_machine, environment("HEDDLE_TRACE"), stderr)))
        quit(EXIT_CONFIG);
    made_by_read(&made_by);
    gpu_made_by(the_machine, &made_by);
    if (environment("HEDDLE_PROGRESS"))
        gpu_progress(the_machine);
    if (environment("HEDDLE_PROFILE") && gpu_profile(the_machine, environment("HEDDLE_PROFILE"))) {
        fprintf(stderr, "heddle: no memory for a profile\n");
        quit(EXIT_CONFIG);
    }
    if (environment("HEDDLE_TIMELINE") && open_timeline(environment("HEDDLE_TIMELINE")))
        quit(EXIT_CONFIG);
    if (environment("HEDDLE_LOCALITY") && open_reads(environment("HEDDLE_LOCALITY"))) {
        fprintf(stderr,
                "heddle: HEDDLE_LOCALITY: no memory, or HEDDLE_LOCALITY_UNIT is not a power of "
                "two up to %d\n",
                READS_MAX_UNIT);
        quit(EXIT_CONFIG);
    }
    if (environment("HEDDLE_CAPTURE") &&
        !(the_capture = capture_open(environment("HEDDLE_CAPTURE"), stderr)))
        quit(EXIT_CONFIG);
    if (environment("HEDDLE_KEPT"))
        gpu_keep(the_machine, environment("HEDDLE_KEPT"), stderr);
    pin_library();
    opener = getpid();
    if (on_exit(at_exit, NULL) != 0) {
        fprintf(stderr, "heddle: no memory for an exit handler\n");
        quit(EXIT_CONFIG);
    }
    static const struct signals signals = {interrupt, leave, crashed};
    if (signals_catch(&signals))
        fprintf(stderr, "heddle: no memory to catch signals\n");
    state = OPEN;
    return the_machine;
}

struct gpu *machine_if_open(void)
{
    return the_machine;
}

const struct config *machine_config(void)
{
    machine();
    return &the_config;
}

static uint64_t passed; /* beside the cycles */

uint64_t machine_kernel_nanoseconds(void)
{
    static uint64_t last; /* stays when the machine is closed */
    const struct gpu *gpu = machine();
    if (gpu)
        last = gpu_fixed_cycle(gpu) * 1000 / (uint64_t)the_config.gpu_clock_mhz;
    return last;
}

uint64_t machine_nanoseconds(void)
{
    return machine_kernel_nanoseconds() + passed;
}

void machine_pass(uint64_t nanoseconds)
{
    passed += nanoseconds;
}

void machine_copied(uint64_t address, uint64_t bytes)
{
    if (the_machine)
        gpu_copied(the_machine, address, bytes);
}

void machine_forget(const struct ptx_module *module)
{
    if (the_capture)
        capture_forget(the_capture, module);
}

unsigned machine_kernels(void)
{
    return the_machine && !the_capture ? gpu_kernels(the_machine) : 1;
}

const char *machine_message(unsigned number)
{
    return messages[number];
}

/* What follows of how a kernel ended. */
static void conclude(unsigned number, enum gpu_status status)
{
    const struct capture_program *program = running[number].program;
    const char *warps = gpu_warps(the_machine);
    char *const message = messages[number];
    message[0] = 0;
    if (status != GPU_OK)
        snprintf(message, GPU_MESSAGE_SIZE, "%.32s: %.*s", program->name, GPU_MESSAGE_SIZE - 40,
                 running[number].result.message);
    if (running[number].captured)
        capture_ended(the_capture, gpu_memory(the_machine), status, message);
    running[number].program = NULL;
    if (status == GPU_MISMATCH) {
        if (environment("HEDDLE_FAIL"))
            gpu_save_mismatch(the_machine, environment("HEDDLE_FAIL"));
        gpu_close(the_machine);
        capture_close(the_capture, stderr);
        quit(EXIT_MISMATCH);
    }
    if (status != GPU_OK)
        fprintf(stderr, "heddle: %s\n", message);
    if (status != GPU_OK && status != GPU_NO_FIT && warps)
        fail_folder_keep("warps.txt", "all its warps are listed in", warps, strlen(warps), stderr);
    if (status == GPU_INTERRUPTED)
        interrupted(signals_asked());
    if (status != GPU_OK && status != GPU_NO_FIT)
        fail_folder_keep(program->name, "its PTX is", program->ptx, program->ptx_bytes, stderr);
}

enum gpu_status machine_begin(unsigned number, const struct gpu_launch *launch,
                              const struct capture_program *program)
{
    struct gpu *const gpu = machine();
    running[number].program = program;
    running[number].kernel = launch->kernel->name;
    running[number].captured = the_capture && !launch->gmem;
    if (running[number].captured)
        capture_begins(the_capture, gpu_memory(gpu), program, launch);
    const enum gpu_status status = gpu_begin(gpu, number, launch, &running[number].result);
    if (status != GPU_OK)
        conclude(number, status);
    return status;
}

enum gpu_status machine_advance(unsigned *number)
{
    const enum gpu_status status = gpu_advance(machine(), number);
    conclude(*number, status);
    for (unsigned i = 0; i < GPU_KERNELS && status != GPU_OK; i++)
        if (running[i].program) { /* it has ended with the one that failed, for its reason */
            memmove(messages[i], messages[*number], sizeof messages[i]);
            running[i].program = NULL;
        }
    return status;
}

enum gpu_status machine_launch(const struct gpu_launch *launch,
                               const struct capture_program *program)
{
    unsigned number = 0;
    const enum gpu_status status = machine_begin(number, launch, program);
    return status == GPU_OK ? machine_advance(&number) : status;
}
