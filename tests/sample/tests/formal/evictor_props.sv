// SPDX-License-Identifier: Apache-2.0
// evictor_props: the rules of the evictor, restated from its ports and registers. tests/formal/run.sh builds the proof of one rule
// (parameter RULE) around it. What rules say of a warp a is proved for every warp: its number is taken once, during reset.
`default_nettype none

module evictor_props #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned RULE = 0,
    localparam int unsigned Slots = NUM_SCHEDULERS * NUM_WARPS,
    localparam int unsigned SlotBits = $clog2(Slots)
) (
    input logic                clk,
    input logic                rst,
    input logic                started,          // the first cycle, a reset, is over
    input logic [3*8-1:0]      pick,             // number of warp a, lowest
    input logic                start,
    input logic                evict,
    input logic [SlotBits-1:0] owner,
    input logic [Slots-1:0]    fresh,
    input logic [Slots-1:0]    running,
    input logic [7:0]          threshold,
    input logic [Slots-1:0]    allow_load,
    input logic                state_held_valid,
    input logic [SlotBits-1:0] state_held,
    input logic [7:0]          state_most,
    input logic [Slots-1:0]    state_used
);
    // Warp a, and what happens to it.
    logic [7:0] a;
    always_ff @(posedge clk) if (rst) a <= pick[7:0];
    logic exists, begins, loses, withheld, held;
    assign exists = a < Slots;
    always_comb begin
        begins = start;
        withheld = 1'b0;
        for (int i = 0; i < Slots; i++) begin
            if (32'(a) == i) begin
                begins = start || fresh[i];
                withheld = !allow_load[i];
            end
        end
    end
    assign loses = evict && 8'(owner) == a && !begins;
    assign held = state_held_valid && 8'(state_held) == a;

    // Its lines that have left L1D since it began, or since the kernel did; 255 stands for more, too.
    logic [7:0] lost;
    always_ff @(posedge clk) begin
        if (rst || begins) lost <= 8'd0;
        else if (loses && lost != 8'hff) lost <= lost + 8'd1;
    end

    // R1: No deadlock: when a warp may not issue loads, another one that runs may.
    if (RULE == 1) begin : g_r1
        always_comb if (started) assert (&allow_load || |(running & allow_load));
    end

    // R2: Loads are withheld from at most one warp.
    if (RULE == 2) begin : g_r2
        logic [Slots-1:0] waits;
        assign waits = ~allow_load;
        always_comb if (started) assert ($onehot0(waits));
    end

    // R3: Loads are withheld from the held warp only.
    if (RULE == 3) begin : g_r3
        always_comb if (started && exists && withheld) assert (held);
    end

    // R4: A warp is held only after a line of its own has left.
    if (RULE == 4) begin : g_r4
        logic any;
        always_ff @(posedge clk) any <= !rst && !begins && (any || loses);
        always_comb if (started && exists && held) assert (any);
    end

    // R5: The count of the held warp is the number of its lines that have left, whatever the memory held before.
    if (RULE == 5) begin : g_r5
        always_comb if (started && exists && held) assert (state_most == lost);
    end

    // R6: A warp that has just begun is not held, and none is when a kernel has.
    if (RULE == 6) begin : g_r6
        logic has_begun;
        always_ff @(posedge clk) has_begun <= begins;
        always_comb if (started && exists && has_begun) assert (!held);
    end

    // R7: A warp takes over from another only by having lost more, and at least as many as the threshold says.
    if (RULE == 7) begin : g_r7
        logic was_held_valid, went;
        logic [7:0] was_most, was_threshold;
        logic [SlotBits-1:0] was_held;
        always_ff @(posedge clk) begin
            {was_held_valid, was_held, was_most} <= {state_held_valid, state_held, state_most};
            was_threshold <= threshold;
            went <= rst || start;
            for (int i = 0; i < Slots; i++) if (32'(state_held) == i && fresh[i]) went <= 1'b1;
        end
        always_comb begin
            if (started && state_held_valid && !(was_held_valid && was_held == state_held)) begin
                assert (state_most >= was_threshold && (!was_held_valid || went || state_most > was_most));
            end
        end
    end

    // R8: After a reset nothing is counted and nothing is held.
    if (RULE == 8) begin : g_r8
        logic was_reset;
        always_ff @(posedge clk) was_reset <= rst;
        always_comb if (started && was_reset) assert ({state_held_valid, state_held, state_most, state_used} == 0);
    end
endmodule

`default_nettype wire
