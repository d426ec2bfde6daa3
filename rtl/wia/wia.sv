// SPDX-License-Identifier: Apache-2.0
// wia: the warp issue arbiter of one scheduler. Each cycle it grants one warp that can issue, or none.
// Policies: lrr (RLWS III; thesis 7.2), gto (DAWS 7.1), oldest, youngest (RLWS table IX), tl (RLWS III), gtls (thesis 7.2).
// Units that steer it mask warps, loads or pipeline classes before the choice.
`default_nettype none

module wia #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned TL_GROUP = 0,  // warps of a fetch group: a power of two that divides NUM_WARPS
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input  logic                 clk,
    input  logic                 rst,            // synchronous
    // from software
    input  logic [2:0]           policy,         // see the constants below; 6, 7 grant nothing
    // from the instruction buffer, the scoreboard and the pipelines
    input  logic [NUM_WARPS-1:0] ready_sp,       // next instruction can issue to SP
    input  logic [NUM_WARPS-1:0] ready_sfu,      // next instruction can issue to SFU
    input  logic [NUM_WARPS-1:0] ready_gmem,     // next instruction can issue to MEM, for global memory
    input  logic [NUM_WARPS-1:0] ready_stcmem,   // next instruction can issue to MEM, for shared, texture, constant
    input  logic [NUM_WARPS-1:0] load,           // next instruction is a load from global memory
    input  logic [NUM_WARPS-1:0] long_wait,      // waits for a load, a barrier, its block's end, a block, or until allow has it
    // from throttling units
    input  logic [NUM_WARPS-1:0] allow,          // may issue at all
    input  logic [NUM_WARPS-1:0] allow_load,     // may issue loads
    input  logic [3:0]           allow_class,    // may issue: bit 0 SP, 1 SFU, 2 GMEM, 3 STCMEM
    // from the block dispatcher
    input  logic                 alloc,          // a warp is allocated this cycle
    input  logic [WarpBits-1:0]  alloc_warp,     // which
    // to the pipelines
    output logic                 grant_valid,    // a warp is granted this cycle
    output logic [WarpBits-1:0]  grant,          // which; 0 without a grant
    // to who watches: the event that moves `turn`
    output logic                 turn_passes,    // tl: all warps of the group with the turn wait long; another takes it
    // to units that go by age
    output logic [Pairs-1:0]     order           // pair (i, j), i < j, row after row: i is older than j; gtls: has waited longer
);
    localparam logic [2:0] PolicyLrr = 3'd0, PolicyGto = 3'd1, PolicyOldest = 3'd2, PolicyYoungest = 3'd3,
                           PolicyTl = 3'd4, PolicyGtls = 3'd5;
    localparam int unsigned NumGroups = NUM_WARPS / TL_GROUP;
    localparam int unsigned GroupBits = NumGroups > 1 ? $clog2(NumGroups) : 1;

    if (NumGroups * TL_GROUP != NUM_WARPS || (TL_GROUP & (TL_GROUP - 1)) != 0) begin : g_check
        $error("TL_GROUP must be a power of two that divides NUM_WARPS");
    end

    logic last_valid_q, last_valid_d, issued_q, issued_d;
    logic [WarpBits-1:0] last_q, last_d;
    logic [GroupBits-1:0] turn_q, turn_d;

    // Who may issue.
    logic [NUM_WARPS-1:0] ready;
    assign ready = allow & (({NUM_WARPS{allow_class[0]}} & ready_sp)
                          | ({NUM_WARPS{allow_class[1]}} & ready_sfu)
                          | ({NUM_WARPS{allow_class[2]}} & ready_gmem & (~load | allow_load))
                          | ({NUM_WARPS{allow_class[3]}} & ready_stcmem));

    // tl: a group keeps the turn until all its warps wait long. That event passes it, within the cycle, to the next group
    // that has a warp which does not. While all groups wait long it stays.
    logic [NumGroups-1:0] awake, awake_here, group_turn;  // group_turn: one-hot
    logic [NUM_WARPS-1:0] in_turn;                        // warps of that group
    logic [GroupBits-1:0] turn_number;                    // and its number
    always_comb begin
        for (int g = 0; g < NumGroups; g++) begin
            awake[g] = ~&long_wait[g*TL_GROUP+:TL_GROUP];
            awake_here[g] = awake[g] && g >= 32'(turn_q);
        end
        group_turn = |awake_here ? awake_here & (~awake_here + 1'b1)
                   : |awake      ? awake & (~awake + 1'b1) : NumGroups'(1) << turn_q;
        for (int i = 0; i < NUM_WARPS; i++) in_turn[i] = group_turn[i/TL_GROUP];
        turn_number = '0;
        for (int g = 0; g < NumGroups; g++) begin
            if (group_turn[g]) turn_number = turn_number | GroupBits'(g);
        end
        turn_d = policy == PolicyTl ? turn_number : turn_q;
        turn_passes = turn_d != turn_q;
    end

    // Round robin: the first candidate after the last grant.
    logic [NUM_WARPS-1:0] round, unused_chosen;  // unused: the choice, one-hot
    logic [WarpBits-1:0] round_choice;
    assign round = policy == PolicyTl ? ready & in_turn : ready;
    round_robin #(
        .NUM(NUM_WARPS)
    ) next (
        .candidates(round),
        .last(last_q),
        .chosen(unused_chosen),
        .number(round_choice)
    );

    // Age order. Under gtls who issues becomes the youngest. The order hears of it with the next grant or allocation: told at once, it would
    // wait for the grant's number. Nobody notices, as greed has that warp while it can issue. (|ready: there is a grant, said early.)
    logic [WarpBits-1:0] age_choice;
    age_matrix #(
        .NUM_WARPS(NUM_WARPS)
    ) age (
        .clk(clk),
        .rst(rst),
        .order(order),
        .yield(issued_q && policy == PolicyGtls && (|ready || alloc)),
        .yield_warp(last_q),
        .alloc(alloc),
        .alloc_warp(alloc_warp),
        .candidates(ready),
        .youngest(policy == PolicyYoungest),
        .chosen(age_choice)
    );

    // The choice.
    always_comb begin
        grant_valid = 1'b0;
        grant = '0;
        unique case (policy)
            PolicyLrr, PolicyTl: begin
                grant_valid = |round;
                grant = round_choice;
            end
            PolicyGto, PolicyGtls: begin
                grant_valid = |ready;
                grant = last_valid_q && ready[last_q] ? last_q : age_choice;
            end
            PolicyOldest, PolicyYoungest: begin
                grant_valid = |ready;
                grant = age_choice;
            end
            default: ;
        endcase
    end

    // A warp that is allocated now is not the one that was granted before under its number: greed ends with the tenant.
    logic evicted;
    assign last_d = grant_valid ? grant : last_q;
    assign evicted = alloc && alloc_warp == last_d;
    assign last_valid_d = (grant_valid || last_valid_q) && !evicted;
    assign issued_d = (grant_valid ? policy == PolicyGtls : issued_q && !alloc) && !evicted;
    always_ff @(posedge clk) begin
        if (rst) begin
            last_valid_q <= 1'b0;
            issued_q <= 1'b0;
            last_q <= '0;
            turn_q <= '0;
        end else begin
            last_valid_q <= last_valid_d;
            issued_q <= issued_d;
            last_q <= last_d;
            turn_q <= turn_d;
        end
    end
endmodule

`default_nettype wire
