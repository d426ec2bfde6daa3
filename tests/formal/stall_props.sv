// SPDX-License-Identifier: Apache-2.0
// stall_props: the rules of the unit that counts where the warps' cycles go, restated from ports and registers. Passive; see wia_props.sv. Vectors
// have a bit for each warp, or for each class.
`default_nettype none

module stall_props #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned STALL_COUNT_BITS = 0,
    parameter int unsigned RULE = 0,
    localparam int unsigned Classes = 11,
    localparam int unsigned OnesBits = $clog2(NUM_WARPS + 1)
) (
    input logic                                clk,
    input logic                                rst,
    input logic                                started,  // the first cycle, a reset, is over
    input logic                                start,
    input logic                                overlap,
    input logic [NUM_WARPS-1:0]                resident,
    input logic [NUM_WARPS-1:0]                issued,
    input logic [NUM_WARPS-1:0]                at_barrier,
    input logic [NUM_WARPS-1:0]                done,
    input logic [NUM_WARPS-1:0]                buffered,
    input logic [NUM_WARPS-1:0]                jumping,
    input logic [NUM_WARPS-1:0]                clear,
    input logic [NUM_WARPS-1:0]                blocked_by_load,
    input logic [2*NUM_WARPS-1:0]              pipe,
    input logic [2:0]                          takes,
    input logic [Classes*NUM_WARPS-1:0]        members,
    input logic [Classes-1:0]                  wraps,
    input logic [Classes*STALL_COUNT_BITS-1:0] state_count
);
    // What the cycle before this one was like.
    logic was_reset, was_start;
    logic [Classes*NUM_WARPS-1:0] was_members;
    logic [NUM_WARPS-1:0] was_resident;
    logic [Classes-1:0] was_wraps;
    logic [Classes*STALL_COUNT_BITS-1:0] was_count;
    always_ff @(posedge clk) begin
        was_reset <= rst;
        was_start <= start;
        was_members <= members;
        was_resident <= resident;
        was_wraps <= wraps;
        was_count <= state_count;
    end

    // Of each warp its classes; of each class how many warps it had. Up to four are counted one by one; more by the primitive of the RTL, because no
    // prover sees that two ways to add up 24 bits are the same: that it counts is rule R7.
    logic [NUM_WARPS*Classes-1:0] of_warp;
    logic [Classes*OnesBits-1:0] had;
    for (genvar c = 0; c < Classes; c++) begin : g_had
        for (genvar w = 0; w < NUM_WARPS; w++) begin : g_of
            assign of_warp[w*Classes+c] = members[c*NUM_WARPS+w];
        end
        if (NUM_WARPS <= 4) begin : g_plain
            logic [OnesBits-1:0] sum;
            always_comb begin
                sum = '0;
                for (int w = 0; w < NUM_WARPS; w++) if (was_members[c*NUM_WARPS+w]) sum = sum + 1'b1;
            end
            assign had[c*OnesBits+:OnesBits] = sum;
        end else begin : g_many
            ones #(
                .NUM(NUM_WARPS)
            ) sum (
                .of(was_members[c*NUM_WARPS+:NUM_WARPS]),
                .count(had[c*OnesBits+:OnesBits])
            );
        end
    end

    logic rule;
    always_comb if (started) assert (rule);

    // R1: A resident warp is in exactly one class, and no other warp in any.
    if (RULE == 1) begin : g_r1
        logic [NUM_WARPS-1:0] none, several;
        always_comb begin
            none = '1;
            several = '0;
            for (int w = 0; w < NUM_WARPS; w++) begin
                for (int c = 0; c < Classes; c++) begin
                    if (of_warp[w*Classes+c]) begin
                        if (!none[w]) several[w] = 1'b1;
                        none[w] = 1'b0;
                    end
                end
            end
        end
        assign rule = none == ~resident && several == '0;
    end

    // R2: It is the first of these that applies: it issued; it wants an instruction at a known PC and has none; it waits at a barrier; it has ended;
    // it waits for a branch target; SP, SFU, MEM refuses it; it waits for a register, by a load or not. Else it was not selected.
    if (RULE == 2) begin : g_r2
        logic [NUM_WARPS-1:0] wrong;
        logic [3:0] its;
        logic refused;
        always_comb begin
            its = '0;
            refused = 1'b0;
            for (int w = 0; w < NUM_WARPS; w++) begin
                case (pipe[2*w+:2])
                    2'd0: refused = !takes[0];
                    2'd1: refused = !takes[1];
                    default: refused = !takes[2];
                endcase
                if (overlap && !clear[w]) refused = 1'b0;
                if (issued[w]) its = 4'd0;
                else if (!at_barrier[w] && !done[w] && !jumping[w] && !buffered[w]) its = 4'd1;
                else if (at_barrier[w]) its = 4'd2;
                else if (done[w]) its = 4'd3;
                else if (!buffered[w]) its = 4'd4;
                else if (refused) its = pipe[2*w+1] ? 4'd7 : pipe[2*w] ? 4'd6 : 4'd5;
                else if (!clear[w] && blocked_by_load[w]) its = 4'd8;
                else if (!clear[w]) its = 4'd9;
                else its = 4'd10;
                wrong[w] = 1'b0;
                for (int c = 0; c < Classes; c++) begin
                    if (of_warp[w*Classes+c] && 32'(its) != c) wrong[w] = 1'b1;
                    if (!of_warp[w*Classes+c] && resident[w] && 32'(its) == c) wrong[w] = 1'b1;
                end
            end
        end
        assign rule = wrong == '0;
    end

    // R3: A count rises by as many as were in its class, from 0 where a kernel started, modulo what its bits can say.
    if (RULE == 3) begin : g_r3
        logic [Classes-1:0] wrong;
        logic [STALL_COUNT_BITS-1:0] from;
        always_comb begin
            from = '0;
            for (int c = 0; c < Classes; c++) begin
                from = was_start ? '0 : was_count[c*STALL_COUNT_BITS+:STALL_COUNT_BITS];
                wrong[c] = state_count[c*STALL_COUNT_BITS+:STALL_COUNT_BITS] != from + STALL_COUNT_BITS'(had[c*OnesBits+:OnesBits]);
            end
        end
        assign rule = was_reset || wrong == '0;
    end

    // R4: `wraps` says exactly which counts are lower after the clock edge than before; where a kernel starts, none wraps.
    if (RULE == 4) begin : g_r4
        logic [Classes-1:0] fell;
        always_comb begin
            for (int c = 0; c < Classes; c++) begin
                fell[c] = !was_start && state_count[c*STALL_COUNT_BITS+:STALL_COUNT_BITS] < was_count[c*STALL_COUNT_BITS+:STALL_COUNT_BITS];
            end
        end
        assign rule = was_reset || was_wraps == fell;
    end

    // R5: After a reset nothing is counted.
    if (RULE == 5) assign rule = !was_reset || state_count == '0;

    // R6: Where a kernel started, no count is above the number of warps that were resident, and a count is 0 exactly where its class was empty.
    if (RULE == 6) begin : g_r6
        logic [Classes-1:0] wrong;
        logic [OnesBits-1:0] warps;
        ones #(
            .NUM(NUM_WARPS)
        ) all_of_them (
            .of(was_resident),
            .count(warps)
        );
        always_comb begin
            for (int c = 0; c < Classes; c++) begin
                wrong[c] = state_count[c*STALL_COUNT_BITS+:STALL_COUNT_BITS] > STALL_COUNT_BITS'(warps)
                           || (state_count[c*STALL_COUNT_BITS+:STALL_COUNT_BITS] == '0) != (was_members[c*NUM_WARPS+:NUM_WARPS] == '0);
            end
        end
        assign rule = was_reset || !was_start || wrong == '0;
    end

    // R7: What counts warps counts: no bits are 0, and any bit more is one more.
    if (RULE == 7) begin : g_r7
        logic [NUM_WARPS*OnesBits-1:0] less, more;
        logic [OnesBits-1:0] none;
        logic [NUM_WARPS-1:0] wrong;
        ones #(
            .NUM(NUM_WARPS)
        ) of_none (
            .of('0),
            .count(none)
        );
        for (genvar w = 0; w < NUM_WARPS; w++) begin : g_bit
            logic [NUM_WARPS-1:0] off, on;
            for (genvar b = 0; b < NUM_WARPS; b++) begin : g_of
                assign {off[b], on[b]} = b == w ? 2'b01 : {2{resident[b]}};
            end
            ones #(
                .NUM(NUM_WARPS)
            ) without (
                .of(off),
                .count(less[w*OnesBits+:OnesBits])
            );
            ones #(
                .NUM(NUM_WARPS)
            ) with_it (
                .of(on),
                .count(more[w*OnesBits+:OnesBits])
            );
            assign wrong[w] = more[w*OnesBits+:OnesBits] != less[w*OnesBits+:OnesBits] + 1'b1;
        end
        assign rule = none == '0 && wrong == '0;
    end

    // R8: In a cycle all counts together rise by the warps that are resident, modulo what the bits can say.
    if (RULE == 8) begin : g_r8
        logic [STALL_COUNT_BITS-1:0] now, earlier, warps;
        always_comb begin
            {now, earlier, warps} = '0;
            for (int c = 0; c < Classes; c++) begin
                now = now + state_count[c*STALL_COUNT_BITS+:STALL_COUNT_BITS];
                if (!was_start) earlier = earlier + was_count[c*STALL_COUNT_BITS+:STALL_COUNT_BITS];
            end
            for (int w = 0; w < NUM_WARPS; w++) if (was_resident[w]) warps = warps + 1'b1;
        end
        assign rule = was_reset || now == STALL_COUNT_BITS'(earlier + warps);
    end
endmodule

`default_nettype wire
