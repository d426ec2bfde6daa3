/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/gc/gc.cl: the mark phase of a tracing garbage collector, level by level (Barabash,
 * Petrank: Tracing Garbage Collection on Highly Parallel Platforms, ISMM 2010): a launch takes the
 * objects that the last one marked, one work-item an object, and marks what they refer to. The
 * order within a level depends on who comes first; the levels do not.
 *
 * Objects lie in an array of words: a header with the mark and the number of references, the
 * references, which are offsets of objects or 0, and data that tracing skips. A lane walks along
 * its own object's lines and finds them again in the next trip if L1D kept them; each reference
 * leads to a line somewhere else. Lanes leave the loop one by one, as objects differ in size, and
 * seldom agree on whether a reference is worth following. */
#define MARK 0x80000000u

__kernel void trace(__global uint *heap, __global uint *queue, __global uint *tail, uint begin,
                    uint end)
{
    uint i = begin + get_global_id(0);
    if (i < end) {
        uint object = queue[i];
        uint references = heap[object] & ~MARK;
        for (uint r = 1; r <= references; r++) {
            uint target = heap[object + r];
            /* Most references lead to marked objects: an atomic operation is for the others. */
            if (target != 0 && !(heap[target] & MARK) && !(atomic_or(&heap[target], MARK) & MARK))
                queue[atomic_inc(tail)] = target;
        }
    }
}
