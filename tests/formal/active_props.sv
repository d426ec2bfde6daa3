// SPDX-License-Identifier: Apache-2.0
// active_props: the rules of the active and pending warps, restated without looking at how the RTL does it.
// Passive: it watches the unit's ports and, for the rules about STATE, its registers. tests/formal/run.sh builds the proof
// of one rule (parameter RULE) around it; it takes each rule's number and words from the lines `// R<n>: ...`.
//
// Who of two warps went to the queue first is kept here, from the ports alone. Each rule is stated for all warps at once, as
// vectors (wia_props.sv says why).
`default_nettype none

module active_props #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned RULE = 0,
    localparam int unsigned CountBits = $clog2(NUM_WARPS + 1),
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input logic                 clk,
    input logic                 rst,
    input logic                 started,         // the first cycle, a reset, is over
    input logic [CountBits-1:0] limit,
    input logic [NUM_WARPS-1:0] long_wait,
    input logic [NUM_WARPS-1:0] allow,
    input logic [NUM_WARPS-1:0] demoted,
    input logic [NUM_WARPS-1:0] promoted,
    input logic [NUM_WARPS-1:0] state_active,
    input logic [Pairs-1:0]     state_order
);
    // How many warps are in the set?
    function automatic logic [7:0] size(input logic [NUM_WARPS-1:0] set);
        begin
            size = 8'd0;
            for (int i = 0; i < NUM_WARPS; i++) size = size + 8'(set[i]);
        end
    endfunction

    // Who has been out, or in the queue, for longer? A bit for each pair, as in STATE: pair (i, j), i < j, row after row: i is before
    // j. Who was demoted last is behind; of two in one cycle the one with the higher number; by number after a reset.
    logic [Pairs-1:0] order;
    // ahead[i*NUM_WARPS+j]: is warp j before warp i? state_ahead: so STATE says.
    logic [NUM_WARPS*NUM_WARPS-1:0] ahead, state_ahead;
    for (genvar i = 0; i < NUM_WARPS; i++) begin : g_row
        assign ahead[i*NUM_WARPS+i] = 1'b0;
        assign state_ahead[i*NUM_WARPS+i] = 1'b0;
        for (genvar j = i + 1; j < NUM_WARPS; j++) begin : g_column
            localparam int unsigned Pair = i * (2 * NUM_WARPS - 1 - i) / 2 + j - i - 1;
            always_ff @(posedge clk) order[Pair] <= rst || demoted[j] || (!demoted[i] && order[Pair]);
            assign {ahead[i*NUM_WARPS+j], ahead[j*NUM_WARPS+i]} = {!order[Pair], order[Pair]};
            assign {state_ahead[i*NUM_WARPS+j], state_ahead[j*NUM_WARPS+i]} = {!state_order[Pair], state_order[Pair]};
        end
    end

    logic was_reset, known;  // the cycle before this one was a reset; or it was none, and not the first
    logic [NUM_WARPS-1:0] was_allow, was_demoted, was_promoted;
    always_ff @(posedge clk) begin
        was_reset <= rst;
        known <= !rst && started;
        was_allow <= allow;
        was_demoted <= demoted;
        was_promoted <= promoted;
    end

    // Is a warp in the queue awake?
    logic wanted;
    always_comb begin
        wanted = 1'b0;
        for (int w = 0; w < NUM_WARPS; w++) if (!allow[w] && !long_wait[w]) wanted = 1'b1;
    end

    // R1: Who is demoted: the active warps that wait long, all of them and nobody else.
    if (RULE == 1) begin : g_r1
        always_comb if (started) assert (demoted == (allow & long_wait));
    end

    // R2: Who was promoted may issue from the next cycle on; who was demoted and not promoted may not; nobody else changes.
    if (RULE == 2) begin : g_r2
        always_comb begin
            if (started && known) assert (allow == ((was_allow & ~was_demoted) | was_promoted));
        end
    end

    // R3: Only pending warps are promoted, those demoted in this cycle included.
    if (RULE == 3) begin : g_r3
        always_comb if (started) assert ((promoted & allow & ~demoted) == 0);
    end

    // R4: While a warp in the queue is awake no room stays empty, and no more is taken: after the cycle as many warps are active
    // as the limit says, or all there are if these are fewer, or those that have stayed if these are more.
    if (RULE == 4) begin : g_r4
        logic [7:0] stay, most;
        always_comb begin
            stay = size(allow & ~demoted);
            most = limit < NUM_WARPS ? 8'(limit) : 8'(NUM_WARPS);
            if (started && wanted) assert (size((allow & ~demoted) | promoted) == (stay > most ? stay : most));
        end
    end

    // R5: The queue is one: of two warps that were pending, the one that came first is promoted first.
    if (RULE == 5) begin : g_r5
        logic [NUM_WARPS-1:0] skips;
        always_comb begin
            for (int i = 0; i < NUM_WARPS; i++) begin
                skips[i] = !allow[i] && promoted[i] && |(~allow & ~promoted & ahead[i*NUM_WARPS+:NUM_WARPS]);
            end
            if (started) assert (skips == 0);
        end
    end

    // R6: A warp that is demoted comes back in the same cycle only if all that were pending are promoted, and of those
    // demoted with it all with lower numbers.
    if (RULE == 6) begin : g_r6
        logic [NUM_WARPS-1:0] skips, lower;  // lower: warps with lower numbers than warp i
        always_comb begin
            lower = '0;
            for (int i = 0; i < NUM_WARPS; i++) begin
                skips[i] = demoted[i] && promoted[i] && |(~promoted & (~allow | (demoted & lower)));
                lower[i] = 1'b1;
            end
            if (started) assert (skips == 0);
        end
    end

    // R7: The order is a strict total one at all times: of any three warps one is before both others.
    if (RULE == 7) begin : g_r7
        // A bit for each pair i < j: they are in a circle with a third warp above them.
        logic [NUM_WARPS*NUM_WARPS-1:0] circle;
        for (genvar i = 0; i < NUM_WARPS; i++) begin : g_first
            for (genvar j = 0; j < NUM_WARPS; j++) begin : g_second
                if (i < j && j < NUM_WARPS - 1) begin : g_third
                    localparam int unsigned Above = NUM_WARPS - 1 - j;
                    logic [Above-1:0] of_i, of_j;  // those of them before i, before j
                    assign of_i = state_ahead[i*NUM_WARPS+j+1+:Above];
                    assign of_j = state_ahead[j*NUM_WARPS+j+1+:Above];
                    assign circle[i*NUM_WARPS+j] = |({Above{started}} & (state_ahead[i*NUM_WARPS+j] ? of_j & ~of_i : of_i & ~of_j));
                end else begin : g_none
                    assign circle[i*NUM_WARPS+j] = 1'b0;
                end
            end
        end
        always_comb if (started) assert (circle == 0);
    end

    // R8: After a reset nobody is active, and the queue goes by number.
    if (RULE == 8) begin : g_r8
        always_comb if (started && was_reset) assert (state_active == 0 && &state_order);
    end

    // R9: A warp that goes on without a long wait stays active, whatever the limit becomes.
    if (RULE == 9) begin : g_r9
        logic [NUM_WARPS-1:0] stays;
        always_ff @(posedge clk) stays <= started && !rst ? allow & ~long_wait : '0;
        always_comb if (started) assert ((stays & ~allow) == 0);
    end

    // R10: While all warps in the queue wait long nobody is promoted.
    if (RULE == 10) begin : g_r10
        always_comb if (started && !wanted) assert (promoted == 0);
    end
endmodule

`default_nettype wire
