/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/misuse_enqueue_test.c: the mistakes that every command can be enqueued with: a wrong
 * queue, a wrong memory object, one of another context, a wrong wait list, a wait for what has
 * failed. */
#include "tests/tb/ocl/misuse.h"

/* What all commands are enqueued with. */
struct command {
    cl_command_queue queue;
    cl_mem buffer, image, other_buffer, other_image;
    cl_uint num_waits;
    const cl_event *waits;
    cl_event *event;
};

static const size_t origin[3] = {0, 0, 0}, region[3] = {2, 2, 1}, bytes[3] = {8, 2, 1};
static cl_kernel the_kernel;
static char host[256];

#define WAITS c->num_waits, c->waits, c->event
#define ENQUEUE(name, call)                                                                        \
    static cl_int enqueue_##name(const struct command *c)                                          \
    {                                                                                              \
        return call;                                                                               \
    }
ENQUEUE(ReadBuffer, clEnqueueReadBuffer(c->queue, c->buffer, CL_TRUE, 0, 8, host, WAITS))
ENQUEUE(WriteBuffer, clEnqueueWriteBuffer(c->queue, c->buffer, CL_TRUE, 0, 8, host, WAITS))
ENQUEUE(ReadBufferRect, clEnqueueReadBufferRect(c->queue, c->buffer, CL_TRUE, origin, origin, bytes,
                                                0, 0, 0, 0, host, WAITS))
ENQUEUE(WriteBufferRect, clEnqueueWriteBufferRect(c->queue, c->buffer, CL_TRUE, origin, origin,
                                                  bytes, 0, 0, 0, 0, host, WAITS))
ENQUEUE(CopyBuffer, clEnqueueCopyBuffer(c->queue, c->buffer, c->other_buffer, 0, 0, 8, WAITS))
ENQUEUE(CopyBufferRect, clEnqueueCopyBufferRect(c->queue, c->buffer, c->other_buffer, origin,
                                                origin, bytes, 0, 0, 0, 0, WAITS))
ENQUEUE(FillBuffer, clEnqueueFillBuffer(c->queue, c->buffer, host, 4, 0, 8, WAITS))
ENQUEUE(ReadImage,
        clEnqueueReadImage(c->queue, c->image, CL_TRUE, origin, region, 0, 0, host, WAITS))
ENQUEUE(WriteImage,
        clEnqueueWriteImage(c->queue, c->image, CL_TRUE, origin, region, 0, 0, host, WAITS))
ENQUEUE(CopyImage,
        clEnqueueCopyImage(c->queue, c->image, c->other_image, origin, origin, region, WAITS))
ENQUEUE(CopyImageToBuffer,
        clEnqueueCopyImageToBuffer(c->queue, c->image, c->buffer, origin, region, 0, WAITS))
ENQUEUE(CopyBufferToImage,
        clEnqueueCopyBufferToImage(c->queue, c->buffer, c->image, 0, origin, region, WAITS))
ENQUEUE(FillImage, clEnqueueFillImage(c->queue, c->image, host, origin, region, WAITS))
ENQUEUE(MigrateMemObjects, clEnqueueMigrateMemObjects(c->queue, 1, &c->buffer, 0, WAITS))
ENQUEUE(NDRangeKernel, clEnqueueNDRangeKernel(c->queue, the_kernel, 1, NULL, bytes, NULL, WAITS))
ENQUEUE(Task, clEnqueueTask(c->queue, the_kernel, WAITS))
ENQUEUE(MarkerWithWaitList, clEnqueueMarkerWithWaitList(c->queue, WAITS))
ENQUEUE(BarrierWithWaitList, clEnqueueBarrierWithWaitList(c->queue, WAITS))

static cl_int enqueue_MapBuffer(const struct command *c)
{
    cl_int error = 1;
    void *p = clEnqueueMapBuffer(c->queue, c->buffer, CL_TRUE, CL_MAP_READ, 0, 8, WAITS, &error);
    assert_int_equal(p != NULL, error == CL_SUCCESS);
    if (p)
        clEnqueueUnmapMemObject(c->queue, c->buffer, p, 0, NULL, NULL);
    return error;
}

static cl_int enqueue_MapImage(const struct command *c)
{
    size_t row_pitch;
    cl_int error = 1;
    void *p = clEnqueueMapImage(c->queue, c->image, CL_TRUE, CL_MAP_READ, origin, region,
                                &row_pitch, NULL, WAITS, &error);
    assert_int_equal(p != NULL, error == CL_SUCCESS);
    if (p)
        clEnqueueUnmapMemObject(c->queue, c->image, p, 0, NULL, NULL);
    return error;
}

/* What is unmapped was mapped by a command that is right. */
static cl_command_queue right_queue;
static cl_mem right_buffer;
static cl_int enqueue_UnmapMemObject(const struct command *c)
{
    cl_int error;
    void *p = clEnqueueMapBuffer(right_queue, right_buffer, CL_TRUE, CL_MAP_READ, 0, 8, 0, NULL,
                                 NULL, &error);
    assert_success(error);
    error = clEnqueueUnmapMemObject(c->queue, c->buffer, p, WAITS);
    if (error != CL_SUCCESS)
        clEnqueueUnmapMemObject(right_queue, right_buffer, p, 0, NULL, NULL);
    return error;
}

/* What a command takes, and whether it waits for its end. */
enum { BUFFER = 1, IMAGE = 2, OTHER_BUFFER = 4, OTHER_IMAGE = 8, BLOCKS = 16 };
#define C(name, takes)                                                                             \
    {                                                                                              \
#name, enqueue_##name, takes                                                               \
    }
static const struct {
    const char *name;
    cl_int (*enqueue)(const struct command *);
    int takes;
} commands[] = {
    C(ReadBuffer, BUFFER | BLOCKS),
    C(WriteBuffer, BUFFER | BLOCKS),
    C(ReadBufferRect, BUFFER | BLOCKS),
    C(WriteBufferRect, BUFFER | BLOCKS),
    C(CopyBuffer, BUFFER | OTHER_BUFFER),
    C(CopyBufferRect, BUFFER | OTHER_BUFFER),
    C(FillBuffer, BUFFER),
    C(ReadImage, IMAGE | BLOCKS),
    C(WriteImage, IMAGE | BLOCKS),
    C(CopyImage, IMAGE | OTHER_IMAGE),
    C(CopyImageToBuffer, IMAGE | BUFFER),
    C(CopyBufferToImage, IMAGE | BUFFER),
    C(FillImage, IMAGE),
    C(MapBuffer, BUFFER | BLOCKS),
    C(MapImage, IMAGE | BLOCKS),
    C(UnmapMemObject, BUFFER),
    C(MigrateMemObjects, BUFFER),
    C(NDRangeKernel, 0),
    C(Task, 0),
    C(MarkerWithWaitList, 0),
    C(BarrierWithWaitList, 0),
};
enum { NUM_COMMANDS = sizeof commands / sizeof commands[0] };

static void expect(int command, const struct command *c, cl_int expected, const char *mistake)
{
    const cl_int got = commands[command].enqueue(c);
    if (got != expected)
        fail_msg("clEnqueue%s, %s: %d, expected %d", commands[command].name, mistake, got,
                 expected);
}

static cl_mem make_buffer(cl_context context)
{
    cl_int error;
    cl_mem memory = clCreateBuffer(context, 0, 256, NULL, &error);
    assert_success(error);
    return memory;
}

static cl_mem make_image(cl_context context)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_int error;
    cl_mem memory = clCreateImage(context, 0, &format, &desc, NULL, &error);
    assert_success(error);
    return memory;
}

/* A right command, and a foreign context with one of everything. */
struct world {
    struct command right;
    cl_context context;
    cl_command_queue queue, released_queue;
    cl_mem buffer, image, released;
    cl_event event, released_event, failed_event;
};

static struct world make_world(const struct ocl *ocl)
{
    struct world w;
    cl_int error;
    w.context = clCreateContext(NULL, 1, &ocl->device, NULL, NULL, &error);
    assert_success(error);
    w.queue = clCreateCommandQueue(w.context, ocl->device, 0, &error);
    assert_success(error);
    w.released_queue = clCreateCommandQueue(ocl->context, ocl->device, 0, &error);
    assert_success(error);
    assert_success(clReleaseCommandQueue(w.released_queue));
    w.buffer = make_buffer(w.context);
    w.image = make_image(w.context);
    w.released = make_buffer(ocl->context);
    assert_success(clReleaseMemObject(w.released));
    w.event = clCreateUserEvent(w.context, &error);
    assert_success(error);
    assert_success(clSetUserEventStatus(w.event, CL_COMPLETE)); /* or a mistake would hang */
    w.released_event = clCreateUserEvent(ocl->context, &error);
    assert_success(error);
    assert_success(clReleaseEvent(w.released_event));
    w.failed_event = clCreateUserEvent(ocl->context, &error);
    assert_success(error);
    assert_success(clSetUserEventStatus(w.failed_event, -1));
    w.right = (struct command){ocl->queue,
                               make_buffer(ocl->context),
                               make_image(ocl->context),
                               make_buffer(ocl->context),
                               make_image(ocl->context),
                               0,
                               NULL,
                               NULL};
    right_queue = w.right.queue;
    right_buffer = w.right.buffer;
    return w;
}

static void release_world(struct world *w)
{
    assert_success(clReleaseEvent(w->event));
    assert_success(clReleaseEvent(w->failed_event));
    assert_success(clReleaseMemObject(w->buffer));
    assert_success(clReleaseMemObject(w->image));
    assert_success(clReleaseMemObject(w->right.buffer));
    assert_success(clReleaseMemObject(w->right.image));
    assert_success(clReleaseMemObject(w->right.other_buffer));
    assert_success(clReleaseMemObject(w->right.other_image));
    assert_success(clReleaseCommandQueue(w->queue));
    assert_success(clReleaseContext(w->context));
}

static void check_queues(int i, const struct world *w, const struct ocl *ocl)
{
    struct command c = w->right;
    expect(i, &c, CL_SUCCESS, "right");
    c.queue = NULL;
    expect(i, &c, CL_INVALID_COMMAND_QUEUE, "no queue");
    c.queue = OTHER(cl_command_queue);
    expect(i, &c, CL_INVALID_COMMAND_QUEUE, "a context for a queue");
    c.queue = w->released_queue;
    expect(i, &c, CL_INVALID_COMMAND_QUEUE, "a released queue");
    c.queue = w->queue;
    if (commands[i].takes || commands[i].enqueue == enqueue_Task ||
        commands[i].enqueue == enqueue_NDRangeKernel)
        expect(i, &c, CL_INVALID_CONTEXT, "a queue of another context");
}

/* One memory object of the command is wrong: `place` is where it is in `c`, `kind` says what it
 * should be. */
static void check_memory(int i, const struct world *w, const struct ocl *ocl, struct command *c,
                         cl_mem *place, int is_image)
{
    const cl_mem right = *place;
    *place = NULL;
    expect(i, c, CL_INVALID_MEM_OBJECT, "no memory object");
    *place = OTHER(cl_mem);
    expect(i, c, CL_INVALID_MEM_OBJECT, "a context for a memory object");
    *place = w->released;
    expect(i, c, CL_INVALID_MEM_OBJECT, "a released memory object");
    *place = is_image ? w->image : w->buffer;
    expect(i, c, CL_INVALID_CONTEXT, "a memory object of another context");
    *place = is_image ? w->right.buffer : w->right.image;
    if (commands[i].enqueue == enqueue_UnmapMemObject)
        expect(i, c, CL_INVALID_VALUE, "not the object that is mapped");
    else if (commands[i].enqueue != enqueue_MigrateMemObjects)
        expect(i, c, CL_INVALID_MEM_OBJECT, "a buffer for an image or the reverse");
    *place = right;
}

static void check_waits(int i, const struct world *w, const struct ocl *ocl)
{
    const cl_event none = NULL, other = OTHER(cl_event);
    struct command c = w->right;
    cl_event event;
    c.num_waits = 1;
    expect(i, &c, CL_INVALID_EVENT_WAIT_LIST, "one wait, no list");
    c.waits = &none;
    expect(i, &c, CL_INVALID_EVENT_WAIT_LIST, "no event in the list");
    c.waits = &other;
    expect(i, &c, CL_INVALID_EVENT_WAIT_LIST, "a context in the list");
    c.waits = &w->released_event;
    expect(i, &c, CL_INVALID_EVENT_WAIT_LIST, "a released event in the list");
    c.waits = &w->event;
    expect(i, &c, CL_INVALID_CONTEXT, "an event of another context in the list");
    c.num_waits = 0;
    expect(i, &c, CL_INVALID_EVENT_WAIT_LIST, "a list, no waits");
    c.num_waits = 1;
    c.waits = &w->failed_event;
    if (commands[i].takes & BLOCKS) {
        expect(i, &c, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a failed event in the list");
    } else {
        cl_int status;
        c.event = &event;
        expect(i, &c, CL_SUCCESS, "a failed event in the list of what does not block");
        assert_success(
            clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        assert_true(status < 0);
        assert_success(clReleaseEvent(event));
    }
}

static void every_command_is_checked(void **state)
{
    const struct ocl *ocl = *state;
    struct world w = make_world(ocl);
    the_kernel = ocl_kernel(ocl, "__kernel void k(__global int *o) { *o = 1; }\n", "k");
    assert_arg(the_kernel, 0, w.right.buffer);
    for (int i = 0; i < NUM_COMMANDS; i++) {
        struct command c = w.right;
        check_queues(i, &w, ocl);
        check_waits(i, &w, ocl);
        if (commands[i].takes & BUFFER)
            check_memory(i, &w, ocl, &c, &c.buffer, 0);
        if (commands[i].takes & IMAGE)
            check_memory(i, &w, ocl, &c, &c.image, 1);
        if (commands[i].takes & OTHER_BUFFER)
            check_memory(i, &w, ocl, &c, &c.other_buffer, 0);
        if (commands[i].takes & OTHER_IMAGE)
            check_memory(i, &w, ocl, &c, &c.other_image, 1);
    }
    assert_success(clReleaseKernel(the_kernel));
    release_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_is_checked),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
