// SPDX-License-Identifier: Apache-2.0
// paver_sm: PAVER's thread-block queues, a set of registers for each SM (PAVER 5.1, 5.3). Groups of a kernel's blocks are handed out to
// the SMs in turn; of its group an SM has the positions of the next block and of the last one in a list in memory, and the number of the
// next block, which is fetched ahead. The dispatcher decides which SM receives a block; this is which.
//
// All SMs share one port to memory, one request a cycle, and one subtractor: the stealer looks at one SM a cycle.
`default_nettype none

module paver_sm #(
    parameter int unsigned NUM_SMS = 0,          // at least 2
    parameter int unsigned BLOCK_BITS = 0,       // of a block's number in the machine
    parameter int unsigned PAVER_TB_BITS = 0,    // of a block's number here, and of a number of blocks or groups
    parameter int unsigned PAVER_LIST_BITS = 0,  // of a position in the list
    localparam int unsigned SmBits = $clog2(NUM_SMS),
    localparam int unsigned T = PAVER_TB_BITS,
    localparam int unsigned L = PAVER_LIST_BITS
) (
    input  logic                  clk,
    input  logic                  rst,          // synchronous
    // from software
    input  logic                  start,        // a kernel starts; nothing else of the cycle counts
    input  logic [T-1:0]          groups,       // number of its groups; 0: its blocks go in the dispatcher's order; read at start
    input  logic [L-1:0]          first_group,  // position of the first one in the global queue; read at start
    input  logic                  stop,         // the kernel is given up: all is forgotten, replies that are due do not come
    // from the SMs
    input  logic [NUM_SMS-1:0]    free,         // SM has a free context for a block of the kernel
    // from the dispatcher
    input  logic                  place_valid,  // it places a block in this cycle
    input  logic [SmBits-1:0]     place_sm,     // on this SM
    input  logic [BLOCK_BITS-1:0] order_block,  // block whose turn it is in its own order
    // from memory
    input  logic                  reply_valid,  // it replies; ignored where nothing was asked
    input  logic [SmBits-1:0]     reply_sm,     // SM for which it was asked
    input  logic [L-1:0]          reply_next,   // first position of a group, if one was asked for
    input  logic [L-1:0]          reply_tail,   // its last one
    input  logic [T-1:0]          reply_tb,     // number of a block, if that was asked for
    // from the stealer
    input  logic [SmBits-1:0]     look,         // SM that is looked at: the donor where it gives
    input  logic                  give,         // blocks at the tail of this SM go to another
    input  logic [SmBits-1:0]     recipient,    // which one; nothing is given to one that is not among the recipients
    input  logic [T-1:0]          count,        // how many, or all that wait
    // to the dispatcher
    output logic [NUM_SMS-1:0]    allow,        // SM may receive a block: its next_tb is there; or the kernel has no groups
    // to the SMs
    output logic [BLOCK_BITS-1:0] place_block,  // block that place_sm receives, if one is placed
    // to memory
    output logic                  fetch_valid,  // it is asked
    output logic                  fetch_group,  // 1: for a group's first and last position; 0: for the number of a block
    output logic [SmBits-1:0]     fetch_sm,     // for this SM; 0 when memory is not asked
    output logic [L-1:0]          fetch_at,     // position in the global queue, or in the list; 0 when memory is not asked
    // to the stealer
    output logic [NUM_SMS-1:0]    recipients,   // SMs with a free context and no block, when no group is left
    output logic                  busy,         // an SM has blocks that are not placed
    output logic [T-1:0]          waiting,      // blocks of SM look that wait for a context of it, and may be given away
    output logic [T-1:0]          given         // blocks that are given away in this cycle
);
    if (NUM_SMS < 2 || T < 2 || BLOCK_BITS < T || L < T) begin : g_check
        $error("NUM_SMS and PAVER_TB_BITS must be at least 2, BLOCK_BITS and PAVER_LIST_BITS at least PAVER_TB_BITS");
    end

    logic active_q;           // the kernel's blocks are in groups
    logic [L-1:0] group_q;    // position in the global queue of the group that is handed out next
    logic [T-1:0] left_q;     // groups not yet asked for
    logic [SmBits-1:0] last_q;  // SM for which memory was asked last
    logic [NUM_SMS-1:0] held_q;   // SM has blocks that are not placed: those from next to tail
    logic [NUM_SMS-1:0] asked_q;  // a reply for this SM is due
    logic [NUM_SMS-1:0] allow_q;  // next_tb is the block at position next; all ones where the kernel has no groups
    logic [NUM_SMS*L-1:0] next_q, tail_q;
    logic [NUM_SMS*T-1:0] next_tb_q;

    logic still;  // neither a start nor a stop
    assign still = !start && !stop;

    // The dispatcher.
    logic [NUM_SMS-1:0] placed;  // the SM's next block is placed in this cycle
    logic [T-1:0] tb;            // next_tb of place_sm
    always_comb begin
        tb = '0;
        for (int i = 0; i < NUM_SMS; i++) begin
            placed[i] = place_valid && held_q[i] && allow_q[i] && place_sm == SmBits'(i);
            if (place_sm == SmBits'(i)) tb = next_tb_q[i*T+:T];
        end
    end
    assign allow = allow_q;
    assign place_block = active_q ? BLOCK_BITS'(tb) : order_block;

    // Memory: who has no group needs one, while there are any; who has one needs the number of its next block.
    logic [NUM_SMS-1:0] wants, asks;  // asks: one-hot
    logic [SmBits-1:0] turn;
    logic [L-1:0] turn_next;
    assign wants = ~asked_q & (held_q & ~allow_q | ~held_q & {NUM_SMS{|left_q}}) & {NUM_SMS{still}};
    round_robin #(
        .NUM(NUM_SMS)
    ) next_fetch (
        .candidates(wants),
        .last(last_q),
        .chosen(asks),
        .number(turn)
    );
    always_comb begin
        turn_next = '0;
        for (int i = 0; i < NUM_SMS; i++) if (asks[i]) turn_next = turn_next | next_q[i*L+:L];
    end
    assign fetch_valid = |wants;
    assign fetch_group = fetch_valid && (asks & held_q) == '0;
    assign fetch_sm = turn;
    assign fetch_at = fetch_group ? group_q : turn_next;

    // The stealer. The block at `next` is its SM's own if it is placed, or about to be: a context is free, or its number is not there.
    logic [NUM_SMS-1:0] looked, own;
    logic [L-1:0] look_next, look_tail;
    logic look_held, look_own, look_placed;
    always_comb begin
        {look_next, look_tail} = '0;
        for (int i = 0; i < NUM_SMS; i++) begin
            looked[i] = look == SmBits'(i);
            if (looked[i]) look_next = look_next | next_q[i*L+:L];
            if (looked[i]) look_tail = look_tail | tail_q[i*L+:L];
        end
    end
    assign own = placed | free | ~allow_q;
    assign look_held = |(looked & held_q);
    assign look_own = |(looked & own);
    assign look_placed = |(looked & placed);
    assign waiting = look_held ? T'(look_tail - look_next) + T'(!look_own) : '0;
    assign recipients = free & ~held_q & ~asked_q & {NUM_SMS{left_q == '0}};
    assign busy = |held_q;

    // Blocks change hands.
    logic [NUM_SMS-1:0] takes;  // one-hot: the SM that receives them
    logic gives, all;           // all: the donor keeps none
    logic [L-1:0] tail_left;    // the donor's last block, afterwards
    always_comb begin
        for (int i = 0; i < NUM_SMS; i++) takes[i] = recipients[i] && recipient == SmBits'(i);
    end
    assign given = still && give && |takes ? (count < waiting ? count : waiting) : '0;
    assign gives = given != '0;
    assign all = given == waiting && (look_placed || !look_own);
    assign tail_left = look_tail - L'(given);

    for (genvar i = 0; i < NUM_SMS; i++) begin : g_sm
        logic [L-1:0] next, tail;
        logic replied, donates, receives, exhausted;
        assign next = next_q[i*L+:L];
        assign tail = tail_q[i*L+:L];
        assign replied = reply_valid && asked_q[i] && reply_sm == SmBits'(i);
        assign donates = gives && looked[i];
        assign receives = gives && takes[i];
        assign exhausted = (placed[i] && next == tail) || (donates && all);

        always_ff @(posedge clk) begin
            if (rst) begin
                next_q[i*L+:L] <= '0;
                tail_q[i*L+:L] <= '0;
                next_tb_q[i*T+:T] <= '0;
                held_q[i] <= 1'b0;
                asked_q[i] <= 1'b0;
                allow_q[i] <= 1'b0;
            end else if (!still) begin
                held_q[i] <= 1'b0;
                asked_q[i] <= 1'b0;
                allow_q[i] <= start && groups == '0;
            end else begin
                if (receives) next_q[i*L+:L] <= tail_left + 1'b1;
                else if (replied && !held_q[i]) next_q[i*L+:L] <= reply_next;
                else if (placed[i]) next_q[i*L+:L] <= next + 1'b1;

                if (receives) tail_q[i*L+:L] <= look_tail;
                else if (replied && !held_q[i]) tail_q[i*L+:L] <= reply_tail;
                else if (donates) tail_q[i*L+:L] <= tail_left;

                if (replied && held_q[i]) next_tb_q[i*T+:T] <= reply_tb;
                held_q[i] <= (held_q[i] && !exhausted) || replied || receives;
                allow_q[i] <= (allow_q[i] && !placed[i] && !exhausted) || (replied && held_q[i]);
                asked_q[i] <= (asked_q[i] && !replied) || asks[i];
            end
        end
    end

    always_ff @(posedge clk) begin
        if (rst) begin
            active_q <= 1'b0;
            group_q <= '0;
            left_q <= '0;
            last_q <= '0;
        end else if (start) begin
            active_q <= groups != '0;
            group_q <= first_group;
            left_q <= groups;
            last_q <= SmBits'(NUM_SMS - 1);
        end else if (stop) begin
            left_q <= '0;
        end else if (fetch_valid) begin
            last_q <= turn;
            if (fetch_group) group_q <= group_q + 1'b1;
            if (fetch_group) left_q <= left_q - 1'b1;
        end
    end
endmodule

`default_nettype wire
