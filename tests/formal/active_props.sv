// SPDX-License-Identifier: Apache-2.0
// active_props: the rules of the active and pending warps, restated without looking at how the RTL does it.
// Passive: it watches the unit's ports and, for the rules about STATE, its registers. tests/formal/run.sh builds the proof
// of one rule (parameter RULE) around it; it takes each rule's number and words from the lines `// R<n>: ...`.
//
// Who of two warps went to the queue first is kept here, from the ports alone. Rules about "any two warps" speak of warps
// a, b, c that are inputs, taken once, during reset: the proof holds for every choice.
`default_nettype none

module active_props #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned RULE = 0,
    parameter logic [23:0] PICK = 0,             // c, b, a if they are fixed; 0: any
    localparam int unsigned CountBits = $clog2(NUM_WARPS + 1),
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input logic                 clk,
    input logic                 rst,
    input logic                 started,         // the first cycle, a reset, is over
    input logic [3*8-1:0]       pick,            // numbers of warps a, b, c
    input logic [CountBits-1:0] limit,
    input logic [NUM_WARPS-1:0] long_wait,
    input logic [NUM_WARPS-1:0] allow,
    input logic [NUM_WARPS-1:0] demoted,
    input logic [NUM_WARPS-1:0] promoted,
    input logic [NUM_WARPS-1:0] state_active,
    input logic [Pairs-1:0]     state_order
);
    // Three different warps, fixed by PICK or chosen during reset.
    logic [7:0] a, b, c;
    if (PICK != 0) begin : g_fixed
        assign {c, b, a} = PICK;
    end else begin : g_any
        always_ff @(posedge clk) if (rst) {c, b, a} <= pick;
    end
    logic distinct;
    assign distinct = a < NUM_WARPS && b < NUM_WARPS && c < NUM_WARPS && a != b && a != c && b != c;

    // Is warp w in the set?
    function automatic logic in(input logic [NUM_WARPS-1:0] set, input logic [7:0] w);
        begin
            in = 1'b0;
            for (int i = 0; i < NUM_WARPS; i++) if (32'(w) == i && set[i]) in = 1'b1;
        end
    endfunction

    // How many warps are in the set?
    function automatic logic [7:0] size(input logic [NUM_WARPS-1:0] set);
        begin
            size = 8'd0;
            for (int i = 0; i < NUM_WARPS; i++) size = size + 8'(set[i]);
        end
    endfunction

    // Does the unit's STATE say that warp x was demoted before warp y?
    function automatic logic state_before(input logic [7:0] x, input logic [7:0] y);
        int unsigned place;
        begin
            state_before = 1'b0;
            place = 0;
            for (int i = 0; i < NUM_WARPS; i++) begin
                for (int j = i + 1; j < NUM_WARPS; j++) begin
                    if (32'(x) == i && 32'(y) == j) state_before = state_order[place];
                    if (32'(y) == i && 32'(x) == j) state_before = !state_order[place];
                    place = place + 1;
                end
            end
        end
    endfunction

    // Has a been out, or in the queue, for longer than b? Who was demoted last is behind; of two in one cycle the one with the
    // higher number; by number after a reset.
    logic a_first;
    always_ff @(posedge clk) begin
        if (rst) a_first <= PICK != 0 ? a < b : pick[7:0] < pick[15:8];
        else if (in(demoted, a) && in(demoted, b)) a_first <= a < b;
        else if (in(demoted, a)) a_first <= 1'b0;
        else if (in(demoted, b)) a_first <= 1'b1;
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
        always_comb begin
            if (started && distinct && !in(allow, a) && !in(allow, b) && a_first && in(promoted, b)) begin
                assert (in(promoted, a));
            end
        end
    end

    // R6: A warp that is demoted comes back in the same cycle only if all that were pending are promoted, and of those
    // demoted with it all with lower numbers.
    if (RULE == 6) begin : g_r6
        always_comb begin
            if (started && distinct && in(demoted, b) && in(promoted, b)
                && (!in(allow, a) || (in(demoted, a) && a < b))) begin
                assert (in(promoted, a));
            end
        end
    end

    // R7: The order is a strict total one at all times: of any three warps one is before both others.
    if (RULE == 7) begin : g_r7
        always_comb begin
            if (started && distinct) begin
                assert (!(state_before(a, b) && state_before(b, c) && state_before(c, a)));
            end
        end
    end

    // R8: After a reset nobody is active, and the queue goes by number.
    if (RULE == 8) begin : g_r8
        always_comb begin
            if (started && was_reset && distinct && a < b) assert (state_active == 0 && state_before(a, b));
        end
    end

    // R9: A warp that goes on without a long wait stays active, whatever the limit becomes.
    if (RULE == 9) begin : g_r9
        logic stays;
        always_ff @(posedge clk) stays <= started && !rst && a < NUM_WARPS && in(allow, a) && !in(long_wait, a);
        always_comb if (started && stays) assert (in(allow, a));
    end

    // R10: While all warps in the queue wait long nobody is promoted.
    if (RULE == 10) begin : g_r10
        always_comb if (started && !wanted) assert (promoted == 0);
    end
endmodule

`default_nettype wire
