// SPDX-License-Identifier: Apache-2.0
// vta_props: the rules of the victim tags, restated from their ports and valid bits; no rule sees a tag or an order bit.
// tests/formal/run.sh builds the proof of one rule (parameter RULE) around it. What rules say of a warp a and a line l is proved for
// every warp and line: both are taken once, during reset.
`default_nettype none

module vta_props #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned LINE_BITS = 0,
    parameter int unsigned VTA_SETS = 0,
    parameter int unsigned VTA_WAYS = 0,
    parameter int unsigned RULE = 0,
    parameter logic FIXED = 1'b0,  // a restriction: a is warp 0, l is line 0
    localparam int unsigned Slots = NUM_SCHEDULERS * NUM_WARPS,
    localparam int unsigned SlotBits = $clog2(Slots),
    localparam int unsigned Entries = Slots * VTA_SETS * VTA_WAYS
) (
    input logic                 clk,
    input logic                 rst,
    input logic                 started,     // the first cycle, a reset, is over
    input logic [3*8-1:0]       pick,        // number of warp a, lowest
    input logic                 start,
    input logic [Slots-1:0]     fresh,
    input logic                 miss,
    input logic [LINE_BITS-1:0] miss_line,
    input logic [SlotBits-1:0]  miss_warp,
    input logic                 evict,
    input logic [LINE_BITS-1:0] evict_line,
    input logic [SlotBits-1:0]  owner,
    input logic                 hit,
    input logic [Entries-1:0]   state_valid
);
    localparam int unsigned SetBits = $clog2(VTA_SETS);

    // Warp a, line l, and what happens to them.
    logic [7:0] a;
    logic [LINE_BITS-1:0] l;
    always_ff @(posedge clk) begin
        if (rst) begin
            a <= FIXED ? 8'd0 : pick[7:0];
            l <= FIXED ? '0 : evict_line;
        end
    end
    logic exists;      // a is a warp
    logic begins;      // a new warp, or a kernel
    logic asks;        // a misses on l
    logic loses;       // l leaves L1D, and a had brought it
    logic fills;       // a line of the set of l leaves, and a had brought it
    logic frees;       // a miss of a hits in the set of l
    logic [VTA_WAYS-1:0] entries;  // valid bits of a's set of l
    logic [VTA_SETS*VTA_WAYS-1:0] all_entries;  // of all sets of a
    assign exists = a < Slots;
    always_comb begin
        begins = start;
        all_entries = '0;
        for (int i = 0; i < Slots; i++) begin
            if (32'(a) == i) begin
                begins = start || fresh[i];
                all_entries = state_valid[i*VTA_SETS*VTA_WAYS+:VTA_SETS*VTA_WAYS];
            end
        end
        entries = '0;
        for (int i = 0; i < VTA_SETS; i++) if (l[SetBits-1:0] == SetBits'(i)) entries = all_entries[i*VTA_WAYS+:VTA_WAYS];
    end
    assign asks = miss && !start && 8'(miss_warp) == a && miss_line == l;
    assign fills = evict && 8'(owner) == a && evict_line[SetBits-1:0] == l[SetBits-1:0] && !begins;
    assign loses = fills && evict_line == l;
    assign frees = hit && 8'(miss_warp) == a && miss_line[SetBits-1:0] == l[SetBits-1:0];

    // Is l lost to a; how many lines of the set have left after it, VTA_WAYS standing for more, too; were none of them freed.
    logic lost, undisturbed;
    logic [7:0] later;
    always_ff @(posedge clk) begin
        if (rst || begins) lost <= 1'b0;
        else if (loses) lost <= 1'b1;
        else if (asks) lost <= 1'b0;
        if (rst || loses) later <= 8'd0;
        else if (fills && later != VTA_WAYS) later <= later + 8'd1;
        if (rst || loses) undisturbed <= 1'b1;
        else if (frees) undisturbed <= 1'b0;
    end

    // A cycle ago.
    logic was_begun, was_frees, was_fills, was_own_hit, was_own_eviction;
    logic [VTA_WAYS-1:0] old_entries;
    logic [VTA_SETS*VTA_WAYS-1:0] old_all_entries;
    always_ff @(posedge clk) begin
        was_begun <= rst || begins;
        was_frees <= frees;
        was_fills <= fills;
        was_own_hit <= hit && 8'(miss_warp) == a;
        was_own_eviction <= evict && 8'(owner) == a;
        old_entries <= entries;
        old_all_entries <= all_entries;
    end

    // R1: Only a miss of a warp hits, and none does in the cycle in which a kernel begins.
    if (RULE == 1) begin : g_r1
        always_comb if (started && hit) assert (miss && !start && 32'(miss_warp) < Slots);
    end

    // R2: A line hits only if this very warp has lost it since it began, since the kernel did, and since it missed on it last.
    if (RULE == 2) begin : g_r2
        always_comb if (started && exists && asks && hit) assert (lost);
    end

    // R3: A line that a warp has lost hits while fewer than VTA_WAYS lines of its set have left after it.
    if (RULE == 3) begin : g_r3
        always_comb if (started && exists && asks && lost && later < VTA_WAYS) assert (hit);
    end

    // R4: A line that a warp has lost hits no more when VTA_WAYS lines of its set have left after it and no hit has made room.
    if (RULE == 4) begin : g_r4
        always_comb if (started && exists && asks && later == VTA_WAYS && undisturbed) assert (!hit);
    end

    // R5: A warp that has just begun has no valid entry, and none has when a kernel has begun.
    if (RULE == 5) begin : g_r5
        always_comb if (started && exists && was_begun) assert (all_entries == 0);
    end

    // R6: The valid entries of a warp move only if it begins, if its own miss hits, or if a line of its own leaves.
    if (RULE == 6) begin : g_r6
        always_comb begin
            if (started && exists && !was_begun && !was_own_hit && !was_own_eviction) assert (all_entries == old_all_entries);
        end
    end

    // R7: An entry becomes invalid only if its warp begins or a miss of it hits in the set; a full set stays full.
    if (RULE == 7) begin : g_r7
        always_comb if (started && exists && !was_begun && !was_frees) assert ((old_entries & ~entries) == 0);
    end

    // R8: At most one entry of a set becomes valid in a cycle, and only when a line of its warp and set leaves.
    if (RULE == 8) begin : g_r8
        logic [VTA_WAYS-1:0] more;
        assign more = entries & ~old_entries;
        always_comb if (started && exists) assert ($onehot0(more) && (more == 0 || was_fills && !was_begun));
    end

    // R9: A line that leaves takes a free entry if there is one: then one more is valid.
    if (RULE == 9) begin : g_r9
        always_comb begin
            if (started && exists && !was_begun && was_fills && !was_frees && old_entries != '1) assert (entries != old_entries);
        end
    end

    // R10: A hit frees: unless a line comes in, fewer entries of the set are valid.
    if (RULE == 10) begin : g_r10
        always_comb begin
            if (started && exists && !was_begun && was_frees && !was_fills) begin
                assert (entries != old_entries && (entries & ~old_entries) == 0);
            end
        end
    end

    // R11: After a reset no entry is valid.
    if (RULE == 11) begin : g_r11
        logic was_reset;
        always_ff @(posedge clk) was_reset <= rst;
        always_comb if (started && was_reset) assert (state_valid == 0);
    end
endmodule

`default_nettype wire
