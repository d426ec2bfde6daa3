/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/object.h: what a program holds handles of. Every object begins with the loader's dispatch
 * pointer.
 *
 * An object lives while the program references it (clRetain, clRelease) or another object or a
 * waiting command holds it. The two are counted apart: one clRelease too many is an error and
 * cannot take away what the driver still needs. All live objects are in a registry, so that a
 * handle is checked without being read: NULL, a wrong type, a released object and a stray number
 * are all told apart from a good one. */
#ifndef HEDDLE_TB_OCL_OBJECT_H
#define HEDDLE_TB_OCL_OBJECT_H

#include <stdint.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "tb/ocl/calls.h"
#include "tb/ocl/lock.h"
#include "tb/ptx/ptx.h"

enum object_type {
    OBJECT_PLATFORM,
    OBJECT_DEVICE,
    OBJECT_CONTEXT,
    OBJECT_QUEUE,
    OBJECT_MEMORY,
    OBJECT_SAMPLER,
    OBJECT_PROGRAM,
    OBJECT_KERNEL,
    OBJECT_EVENT,
    NUM_OBJECT_TYPES
};

struct object {
    const cl_icd_dispatch *dispatch; /* first: read by the loader */
    enum object_type type;
    cl_uint references;                /* the program's */
    cl_uint holds;                     /* the driver's */
    uint64_t serial;                   /* never used twice */
    void (*released)(struct object *); /* before the program's last reference goes; NULL: nothing */
    void (*destroy)(struct object *);
    const void *self; /* the key in the registry */
    UT_hash_handle hh;
};

struct _cl_platform_id {
    struct object base;
};

struct _cl_device_id {
    struct object base;
};

struct _cl_context {
    struct object base;
    cl_context_properties *properties; /* as given, with its final 0; NULL if none */
    size_t properties_bytes;
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
    void *user_data;
};

struct _cl_command_queue {
    struct object base;
    cl_context context;
    cl_command_queue_properties properties;
    struct command *commands; /* those that wait, oldest first */
    int failed;               /* a kernel of this queue has failed */
    cl_command_queue next;    /* all queues, oldest first */
};

/* A mapped region: unmapped by its address. */
struct mapping {
    struct mapping *next;
    void *pointer;
    size_t written; /* bytes that the program may write */
};

struct _cl_mem {
    struct object base;
    cl_context context;
    cl_mem parent;       /* of a sub-buffer, or of an image of a buffer */
    struct image *image; /* NULL: a buffer */
    cl_mem_flags flags;
    size_t size, origin;
    void *host_ptr;   /* the program's, with CL_MEM_USE_HOST_PTR */
    uint8_t *bytes;   /* the contents */
    uint64_t address; /* the contents, for the device */
    struct mapping *mappings;
    cl_uint num_mappings;
    struct callback *destructors; /* newest first, as they are called */
};

struct _cl_sampler {
    struct object base;
    cl_context context;
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
};

struct _cl_program {
    struct object base;
    cl_context context;
    char name[24]; /* of its PTX, for messages: "program1.ptx", counted in order of creation */
    char *source;  /* NULL: made from a binary */
    char *ptx;     /* NULL: never built */
    size_t ptx_bytes;
    char *object; /* bitcode: compiled, or a library; NULL: there is none */
    size_t object_bytes;
    cl_program_binary_type type;
    int is_linked;             /* made by clLinkProgram */
    struct ptx_module *module; /* NULL: no executable */
    cl_build_status status;
    char *options, *log; /* of the last build; NULL: empty */
    cl_uint num_kernels; /* kernel objects that use the module */
};

/* What clSetKernelArg has stored: a memory object by its handle and serial, anything else by its
 * bytes. */
struct kernel_arg {
    int set;
    int is_value; /* the bytes are in the kernel's params */
    cl_mem memory;
    uint64_t serial;
    size_t local_bytes;
};

struct _cl_kernel {
    struct object base;
    cl_program program;
    const struct ptx_kernel *code;
    cl_uint num_args;
    struct kernel_arg *args;
    struct argument *declared; /* what the source says of them; NULL: not known */
    uint8_t *params;           /* code->param_bytes: the parameters that are values */
};

enum { TIME_QUEUED, TIME_SUBMIT, TIME_START, TIME_END, NUM_TIMES };

struct _cl_event {
    struct object base;
    cl_context context;
    cl_command_queue queue; /* NULL: a user event */
    cl_command_type type;
    cl_int status;
    uint64_t times[NUM_TIMES]; /* nanoseconds of simulated time */
    struct callback *callbacks;
    int flushed; /* by clFlush: the program may wait for a callback by its own means */
};

/* Makes a zeroed object of `size` bytes with one reference. NULL: no memory. `destroy` frees what
 * it owns, not itself. */
void *object_new(enum object_type, size_t size, void (*destroy)(struct object *));

/* Enters an object that is not made by object_new; it is never destroyed. Does nothing the second
 * time. */
void object_register(struct object *, enum object_type);

/* Whether `handle` is a live object of this type. Reads nothing through a bad handle. */
int object_is(const void *handle, enum object_type);

/* The driver's own references. */
void object_hold(void *);
void object_drop(void *);

/* Ends the program's references of an object that was never given to it, as a failed creation does.
 */
void object_abandon(void *);

#define IS_CONTEXT(handle) object_is(handle, OBJECT_CONTEXT)
#define IS_QUEUE(handle)   object_is(handle, OBJECT_QUEUE)
#define IS_MEMORY(handle)  object_is(handle, OBJECT_MEMORY)
#define IS_SAMPLER(handle) object_is(handle, OBJECT_SAMPLER)
#define IS_PROGRAM(handle) object_is(handle, OBJECT_PROGRAM)
#define IS_KERNEL(handle)  object_is(handle, OBJECT_KERNEL)
#define IS_EVENT(handle)   object_is(handle, OBJECT_EVENT)

/* The one platform and its one device. */
extern struct _cl_platform_id the_platform;
extern struct _cl_device_id the_device;

#endif
