/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/copy.cl: copies between global and local memory (OpenCL 1.2, section 6.12.10). The
 * work-items of a group share the work and are done when they return; what is left of waiting is
 * the barrier. Prefetching does nothing: there is no instruction for it. */

#define LOCAL_INDEX                                                                                \
    ((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0))
#define LOCAL_COUNT (get_local_size(0) * get_local_size(1) * get_local_size(2))

#define COPY_EACH(n, to, from)                                                                     \
    for (size_t i = LOCAL_INDEX; i < n; i += LOCAL_COUNT)                                          \
        to = from;                                                                                 \
    return event;

#define COPIES(T)                                                                                  \
    BUILTIN event_t async_work_group_copy(__local T *to, const __global T *from, size_t n,         \
                                          event_t event){                                          \
        COPY_EACH(n, to[i], from[i])} BUILTIN event_t                                              \
    async_work_group_copy(__global T *to, const __local T *from, size_t n,                         \
                          event_t event){COPY_EACH(n, to[i], from[i])} BUILTIN event_t             \
    async_work_group_strided_copy(__local T *to, const __global T *from, size_t n, size_t stride,  \
                                  event_t event){                                                  \
        COPY_EACH(n, to[i], from[i * stride])} BUILTIN event_t                                     \
    async_work_group_strided_copy(__global T *to, const __local T *from, size_t n, size_t stride,  \
                                  event_t event){                                                  \
        COPY_EACH(n, to[i * stride], from[i])} BUILTIN void                                        \
    prefetch(const __global T *p, size_t n)                                                        \
    {                                                                                              \
    }
#define COPIES_OF_ALL(T) COPIES(T) COPIES(T##2) COPIES(T##3) COPIES(T##4) COPIES(T##8) COPIES(T##16)
ALL_TYPES(COPIES_OF_ALL)

__attribute__((convergent)) BUILTIN void wait_group_events(int n, event_t *events) { barrier(0); }
