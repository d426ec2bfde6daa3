// SPDX-License-Identifier: Apache-2.0
// paver_steal: PAVER's task stealer, one per GPU (PAVER 5.2, algorithm 2). For an SM that has room and no block it looks for the SM with
// the most waiting blocks, which gives as many as are above the average. The state machine is fsm/paver_steal.def.
//
// SMs are looked at one a cycle, so that one subtractor (paver_sm), one comparator and one adder do for all; the average comes from a
// divider that finds one bit a cycle. The sum's register turns into the average: bits of the dividend leave where those of the quotient
// come in.
`default_nettype none

module paver_steal #(
    parameter int unsigned NUM_SMS = 0,        // at least 2
    parameter int unsigned PAVER_TB_BITS = 0,  // of a number of blocks, at least 2
    localparam int unsigned SmBits = $clog2(NUM_SMS),
    localparam int unsigned Bits = PAVER_TB_BITS,
    localparam int unsigned StepBits = $clog2(PAVER_TB_BITS)
) (
    input  logic               clk,
    input  logic               rst,         // synchronous
    // from software
    input  logic               steal,       // blocks may be stolen
    // from the queues of the SMs
    input  logic [NUM_SMS-1:0] recipients,  // SMs with a free context and no block, when no group is left
    input  logic               busy,        // an SM has blocks that are not placed
    input  logic [Bits-1:0]    waiting,     // blocks of SM look that wait for a context of it
    // to the queues of the SMs
    output logic [SmBits-1:0]  look,        // SM that is looked at: each in its turn, the donor where it gives
    output logic               give,        // the donor gives in this cycle
    output logic [SmBits-1:0]  recipient,   // SM that steals, or stole last
    output logic [Bits-1:0]    count,       // blocks that it steals
    // to who leaves out cycles
    output logic               settled      // no register moves in this cycle
);
    if (NUM_SMS < 2 || PAVER_TB_BITS < 2) begin : g_check
        $error("NUM_SMS and PAVER_TB_BITS must be at least 2");
    end

    typedef enum logic [1:0] {
        IDLE,
        SCAN,
        DIVIDE,
        DECIDE
    } paver_steal_fsm;

    paver_steal_fsm state_q;
    logic [SmBits-1:0] look_q, recipient_q, donor_q;
    logic give_q;
    logic [Bits-1:0] count_q, max_q, average_q;
    logic [SmBits-1:0] remainder_q;
    logic [StepBits-1:0] step_q;
    assign look = look_q;
    assign give = give_q;
    assign recipient = recipient_q;
    assign count = count_q;

    // Is there somebody to steal for, and somebody to steal from? Not while the last theft is still to show.
    logic begins;
    assign begins = state_q == IDLE && !give_q && steal && busy && |recipients;
    assign settled = state_q == IDLE && !give_q && !begins;

    // The next recipient, in turn, after the SM that stole last.
    logic [NUM_SMS-1:0] unused_one_hot;
    logic [SmBits-1:0] turn;
    round_robin #(
        .NUM(NUM_SMS)
    ) next_recipient (
        .candidates(recipients),
        .last(recipient_q),
        .chosen(unused_one_hot),
        .number(turn)
    );

    // SCAN: the maximum, and whose it is; the first SM wins a tie.
    logic more, last_sm, none;  // none: no block waits anywhere
    assign more = waiting > max_q;
    assign last_sm = look_q == SmBits'(NUM_SMS - 1);
    assign none = !more && max_q == '0;

    // DIVIDE: one bit, the highest first.
    logic [SmBits:0] part;
    logic bit_found;
    logic [SmBits-1:0] rest;
    assign part = {remainder_q, average_q[Bits-1]};
    assign bit_found = 32'(part) >= NUM_SMS;
    assign rest = bit_found ? SmBits'(part - (SmBits + 1)'(NUM_SMS)) : part[SmBits-1:0];

    always_ff @(posedge clk) begin
        if (rst) begin
            state_q <= IDLE;
            look_q <= '0;
            give_q <= 1'b0;
            recipient_q <= '0;
            count_q <= '0;
            donor_q <= '0;
            max_q <= '0;
            average_q <= '0;
            remainder_q <= '0;
            step_q <= '0;
        end else begin
            give_q <= state_q == DECIDE;
            unique case (state_q)
                IDLE: begin
                    if (begins) begin
                        state_q <= SCAN;
                        recipient_q <= turn;
                        look_q <= '0;
                        max_q <= '0;
                        average_q <= '0;
                    end
                end
                SCAN: begin
                    if (more) begin
                        max_q <= waiting;
                        donor_q <= look_q;
                    end
                    average_q <= average_q + waiting;
                    if (!last_sm) begin
                        look_q <= look_q + 1'b1;
                    end else begin
                        state_q <= none ? IDLE : DIVIDE;
                        remainder_q <= '0;
                        step_q <= '0;
                    end
                end
                DIVIDE: begin
                    average_q <= {average_q[Bits-2:0], bit_found};
                    remainder_q <= rest;
                    if (step_q == StepBits'(Bits - 1)) state_q <= DECIDE;
                    else step_q <= step_q + 1'b1;
                end
                DECIDE: begin
                    state_q <= IDLE;
                    look_q <= donor_q;
                    count_q <= max_q - average_q;
                end
            endcase
        end
    end
endmodule

`default_nettype wire
