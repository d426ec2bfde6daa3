// SPDX-License-Identifier: Apache-2.0
// paver_steal_props: the rules of PAVER's task stealer, restated without looking at how the RTL does it. tests/formal/run.sh builds the
// proof of one rule (parameter RULE) around it; it takes each rule's number and words from the lines `// R<n>: ...`.
//
// Inputs are free. A search: from the cycle in which it begins the SMs are looked at one after the other; what was seen of them is kept
// here. Rule 8 is about both of PAVER's units: it has the queues of paver_sm beside it, whose outputs are what the stealer is shown, and
// whose other inputs are free; memory is taken to reply with groups that do not end before they begin.
`default_nettype none

module paver_steal_props #(
    parameter int unsigned NUM_SMS = 0,
    parameter int unsigned PAVER_TB_BITS = 0,
    parameter int unsigned RULE = 0,
    parameter logic WITH = 1'b0,  // prove along with the rule what the registers of a search hold
    localparam int unsigned SmBits = $clog2(NUM_SMS),
    localparam int unsigned Bits = PAVER_TB_BITS,
    localparam int unsigned StepBits = $clog2(PAVER_TB_BITS),
    localparam int unsigned Search = NUM_SMS + PAVER_TB_BITS + 2,  // cycles of a search after the one in which it begins
    localparam int unsigned AgeBits = $clog2(Search + 1),
    localparam int unsigned WideBits = Bits + SmBits + 1
) (
    input logic               clk,
    input logic               rst,
    input logic               started,  // the first cycle, a reset, is over
    input logic [23:0]        pick,     // inputs of the queues, for rule 8
    input logic               steal,
    input logic [NUM_SMS-1:0] recipients,
    input logic               busy,
    input logic [Bits-1:0]    waiting,
    input logic               settled,
    input logic [1:0]         state_state,
    input logic [SmBits-1:0]  state_look,
    input logic               state_give,
    input logic [SmBits-1:0]  state_recipient,
    input logic [Bits-1:0]    state_count,
    input logic [SmBits-1:0]  state_donor,
    input logic [Bits-1:0]    state_max,
    input logic [Bits-1:0]    state_average,
    input logic [SmBits-1:0]  state_remainder,
    input logic [StepBits-1:0] state_step
);
    // A search: how many cycles ago it began; 0: there is none. What was seen so far: the most, of which SM, the sum.
    logic [AgeBits-1:0] age;
    logic begins, seeing, nothing;
    logic [Bits-1:0] most, total;
    logic [SmBits-1:0] whose, before;
    assign begins = age == '0 && steal && busy && recipients != '0;
    assign seeing = age != '0 && 32'(age) <= NUM_SMS;
    assign nothing = most == '0 && waiting == '0;
    always_ff @(posedge clk) begin
        if (rst) begin
            age <= '0;
            {most, total, whose} <= '0;
        end else begin
            if (begins) age <= AgeBits'(1);
            else if (age == '0 || 32'(age) == Search || (32'(age) == NUM_SMS && nothing)) age <= '0;
            else age <= age + 1'b1;
            if (begins) {most, total, whose} <= '0;
            if (seeing) total <= total + waiting;
            if (seeing && waiting > most) {most, whose} <= {waiting, SmBits'(32'(age) - 1)};
        end
    end

    // The SM for which the last search was.
    always_ff @(posedge clk) before <= state_recipient;

    // What the registers hold in a search.
    logic sound;
    logic [WideBits-1:0] quotient, dividend;  // of the bits that are found
    logic [Bits-1:0] mask, left;              // left: bits of the sum that are not divided yet
    logic dividing, divided;
    assign dividing = 32'(age) > NUM_SMS && 32'(age) <= NUM_SMS + Bits;
    assign divided = 32'(age) == NUM_SMS + Bits + 1;
    assign mask = ~({Bits{1'b1}} << state_step);
    always_comb begin
        quotient = WideBits'(divided ? state_average : state_average & mask);
        left = divided ? '0 : state_average >> state_step;
        dividend = quotient * WideBits'(NUM_SMS) + WideBits'(state_remainder);
        sound = state_state == (age == '0 || 32'(age) == Search ? 2'd0 : seeing ? 2'd1 : dividing ? 2'd2 : 2'd3)
                && state_give == (32'(age) == Search) && (!seeing || 32'(state_look) + 1 == 32'(age)) && 32'(state_look) < NUM_SMS
                && 32'(state_donor) < NUM_SMS && 32'(state_recipient) < NUM_SMS
                && (age == '0 || 32'(age) == Search || state_max == most) && (age == '0 || most == '0 || 32'(age) == Search || state_donor == whose)
                && (!seeing || state_average == total) && (!dividing || 32'(state_step) + NUM_SMS + 1 == 32'(age))
                && (!(dividing || divided) || (32'(state_remainder) < NUM_SMS && most != '0))
                && (!dividing || (dividend == WideBits'(total >> (Bits - 32'(state_step)))
                                  && left == (total & ~({Bits{1'b1}} << (Bits - 32'(state_step))))))
                && (!divided || dividend == WideBits'(total))
                && (32'(age) != Search || (state_look == whose && state_count == most - average_of && exact));
    end
    // The average that was found, by what it must be: as many times the SMs as go into the sum.
    logic [Bits-1:0] average_of;
    logic exact;
    logic [WideBits-1:0] times;
    assign average_of = most - state_count;
    assign times = WideBits'(average_of) * WideBits'(NUM_SMS);
    assign exact = times <= WideBits'(total) && WideBits'(total) < times + WideBits'(NUM_SMS);

    logic rule;
    always_comb if (started) assert (rule && (!WITH || sound));

    // R1: The donor is the first SM with the most waiting blocks, of what was seen of each in its turn, from SM 0 on.
    if (RULE == 1) assign rule = !state_give || state_look == whose;

    // R2: As many blocks are stolen as are above the average: the most less the sum over all SMs divided by their number, rounded down.
    if (RULE == 2) assign rule = !state_give || (exact && average_of <= most);

    // R3: SMs are looked at one a cycle, each once, from the cycle on after a search began.
    if (RULE == 3) assign rule = !seeing || 32'(state_look) + 1 == 32'(age);

    // R4: A search begins whenever blocks may be stolen, an SM has room and no block, another one has blocks, and no other search goes on;
    // and in no other cycle. Otherwise no register moves.
    if (RULE == 4) assign rule = settled == (age == '0 && !begins);

    // R5: A search ends after the number of SMs and of bits and two cycles more with a gift, which lasts one cycle; or, if no block waits,
    // when the last SM was seen, without one.
    if (RULE == 5) assign rule = state_give == (32'(age) == Search);

    // R6: Who steals is the next one in turn, after the SM that stole last, of those that had room and no block as the search began; and
    // stays the same until the next one begins.
    if (RULE == 6) begin : g_r6
        logic [NUM_SMS-1:0] had;  // as the search began
        logic [NUM_SMS-1:0] passed_over;
        logic began;
        always_ff @(posedge clk) begin
            began <= !rst && begins;
            had <= recipients;
        end
        always_comb begin
            for (int i = 0; i < NUM_SMS; i++) begin
                passed_over[i] = had[i] && (state_recipient > before ? SmBits'(i) > before && SmBits'(i) < state_recipient
                                                                     : SmBits'(i) > before || SmBits'(i) < state_recipient);
            end
        end
        logic chosen;
        always_comb begin
            chosen = 1'b0;
            for (int i = 0; i < NUM_SMS; i++) if (state_recipient == SmBits'(i)) chosen = had[i];
        end
        assign rule = began ? chosen && passed_over == '0 : rst_before || state_recipient == before;
        logic rst_before;
        always_ff @(posedge clk) rst_before <= rst;
    end

    // R7: After a reset nothing is being stolen, and every register is 0.
    if (RULE == 7) begin : g_r7
        logic was_reset;
        always_ff @(posedge clk) was_reset <= rst;
        assign rule = !was_reset || {state_state, state_look, state_give, state_recipient, state_count, state_donor, state_max, state_average,
                                     state_remainder, state_step} == '0;
    end

    // R8: No SM starves: while blocks may be stolen, an SM that has a free context and no block, when no group is left, receives blocks
    // within two searches if all the time another one has two blocks that wait. (With two SMs.)
    if (RULE == 8) begin : g_r8
        localparam int unsigned L = Bits + 1;
        localparam int unsigned Bound = 2 * (Search + 1);
        logic [NUM_SMS-1:0] free, allow, q_recipients;
        logic q_start, place_valid, reply_valid, fetch_valid, fetch_group, q_busy;
        logic [SmBits-1:0] place_sm, reply_sm, fetch_sm;
        logic [L-1:0] reply_next, reply_tail, fetch_at;
        logic [Bits-1:0] q_groups, q_waiting, given;
        logic [Bits-1:0] place_block;
        assign {free, q_start, place_valid, place_sm, reply_valid, reply_sm, reply_next, reply_tail, q_groups} =
            pick[NUM_SMS+3+2*SmBits+2*L+Bits-1:0];
        paver_sm #(
            .NUM_SMS(NUM_SMS),
            .BLOCK_BITS(Bits),
            .PAVER_TB_BITS(Bits),
            .PAVER_LIST_BITS(L)
        ) queues (
            .clk(clk),
            .rst(rst),
            .start(q_start),
            .groups(q_groups),
            .first_group('0),
            .stop(1'b0),
            .free(free),
            .place_valid(place_valid),
            .place_sm(place_sm),
            .order_block('0),
            .reply_valid(reply_valid),
            .reply_sm(reply_sm),
            .reply_next(reply_next),
            .reply_tail(reply_tail),
            .reply_tb('0),
            .look(state_look),
            .give(state_give),
            .recipient(state_recipient),
            .count(state_count),
            .allow(allow),
            .place_block(place_block),
            .fetch_valid(fetch_valid),
            .fetch_group(fetch_group),
            .fetch_sm(fetch_sm),
            .fetch_at(fetch_at),
            .recipients(q_recipients),
            .busy(q_busy),
            .waiting(q_waiting),
            .given(given)
        );
        always_comb if (started) assume (recipients == q_recipients && busy == q_busy && waiting == q_waiting);
        always_comb assume (reply_next <= reply_tail && 32'(reply_tail - reply_next) < (1 << Bits) - 1);

        // Blocks of each SM that are not placed, and for what memory was asked.
        logic [NUM_SMS-1:0] for_group, due, waits;
        for (genvar i = 0; i < NUM_SMS; i++) begin : g_sm
            logic [Bits-1:0] has, comes, own;
            logic placed, asks, replied;
            assign placed = place_valid && place_sm == SmBits'(i) && allow[i] && has != '0;
            assign asks = fetch_valid && fetch_sm == SmBits'(i);
            assign replied = reply_valid && reply_sm == SmBits'(i) && due[i];
            assign comes = (given != '0 && state_recipient == SmBits'(i) ? given : '0)
                           + (replied && for_group[i] ? Bits'(reply_tail - reply_next) + 1'b1 : '0);
            assign own = Bits'(placed || free[i] || !allow[i]);
            assign waits[i] = has > own + 1'b1;
            always_ff @(posedge clk) begin
                if (rst || q_start) begin
                    has <= '0;
                    {due[i], for_group[i]} <= '0;
                end else begin
                    has <= has + comes - Bits'(placed) - (given != '0 && state_look == SmBits'(i) ? given : '0);
                    due[i] <= asks || (due[i] && !replied);
                    if (asks) for_group[i] <= fetch_group;
                end
            end
        end

        // For how long an SM is hungry while another one has two that wait.
        logic [NUM_SMS-1:0] late;
        for (genvar i = 0; i < NUM_SMS; i++) begin : g_hungry
            logic [$clog2(Bound+2)-1:0] hungry;
            logic is_hungry;
            assign is_hungry = steal && q_recipients[i] && (waits & ~(NUM_SMS'(1) << i)) != '0;
            assign late[i] = 32'(hungry) > Bound;
            always_ff @(posedge clk) begin
                if (rst || !is_hungry) hungry <= '0;
                else if (!late[i]) hungry <= hungry + 1'b1;
            end
        end
        assign rule = late == '0;
    end
endmodule

`default_nettype wire
