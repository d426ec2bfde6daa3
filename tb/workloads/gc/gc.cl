/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/gc/gc.cl: the mark phase of a tracing garbage collector, level by level (Barabash,
 * Petrank: Tracing Garbage Collection on Highly Parallel Platforms, ISMM 2010): a launch takes the
 * objects that the last one marked, one work-item an object, and marks what they refer to. The
 * order within a level depends on who comes first; the levels do not.
 *
 * Objects lie in an array of words: a header with the mark and the number of fields, then the
 * fields. A field is tagged, as in the heaps of functional languages: odd is a number, even is a
 * reference, twice an object's offset, or 0. A lane walks along its own object's lines and finds
 * them again in the next trip if L1D kept them; each reference leads to a line somewhere else.
 * Lanes leave the loop one by one, as objects differ in size, and seldom agree on whether a field
 * is a reference that is worth following. */
#define MARK 0x80000000u

__kernel void trace(__global uint *heap, __global uint *queue, __global uint *tail, uint begin,
                    uint end)
{
    uint i = begin + get_global_id(0);
    if (i < end) {
        uint object = queue[i];
        uint fields = heap[object] & ~MARK;
        for (uint f = 1; f <= fields; f++) {
            uint field = heap[object + f], target = field / 2;
            if (field % 2 == 1 || field == 0)
                continue;
            /* Many references lead to marked objects: an atomic operation is for the others. */
            if (!(heap[target] & MARK) && !(atomic_or(&heap[target], MARK) & MARK))
                queue[atomic_inc(tail)] = target;
        }
    }
}
