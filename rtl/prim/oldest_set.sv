// SPDX-License-Identifier: Apache-2.0
// oldest_set: the `size` oldest of some warps, held as a set, a flip-flop for each warp. It follows its inputs step by step,
// so that one count is enough, where the ranks of all warps are one count for each.
//
// In the cycle in which a warp is no longer one of the `of`, it is no member. At the clock edge
//   - a member leaves if a warp outside is older; what stays are the oldest of all, without a gap;
//   - the oldest warp outside enters if the set is too small, or has just lost somebody in this way;
//   - a set that is too large, as when `size` falls, is emptied: no step tells which member is the youngest.
// So while the inputs stay the set is right after `size` steps, and after one more if it was too large; and it never holds
// more warps than `size` was a cycle ago.
`default_nettype none

module oldest_set #(
    parameter int unsigned NUM_WARPS = 0,
    localparam int unsigned CountBits = $clog2(NUM_WARPS + 1),
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input  logic                 clk,
    input  logic                 rst,      // synchronous: the set is empty
    input  logic [CountBits-1:0] size,     // how many; above NUM_WARPS: all
    input  logic [NUM_WARPS-1:0] of,       // of these
    input  logic [Pairs-1:0]     order,    // age_matrix: pair (i, j), i < j, row after row: i is older than j
    output logic [NUM_WARPS-1:0] members
);
    logic [NUM_WARPS-1:0] held_q, held_d;
    logic [NUM_WARPS-1:0] outside;
    logic [NUM_WARPS-1:0] elders[NUM_WARPS];  // elders[w]: outsiders that are older than w
    logic [NUM_WARPS-1:0] late;               // warps that have such
    logic [CountBits-1:0] count;

    assign members = held_q & of;
    assign outside = of & ~held_q;
    for (genvar i = 0; i < NUM_WARPS; i++) begin : g_row
        assign elders[i][i] = 1'b0;
        for (genvar j = i + 1; j < NUM_WARPS; j++) begin : g_pair
            localparam int unsigned Pair = i * (2 * NUM_WARPS - 1 - i) / 2 + j - i - 1;
            assign elders[j][i] = outside[i] && order[Pair];
            assign elders[i][j] = outside[j] && !order[Pair];
        end
    end

    always_comb begin
        count = '0;
        for (int w = 0; w < NUM_WARPS; w++) begin
            late[w] = |elders[w];
            count = count + CountBits'(members[w]);
        end
        held_d = members & ~late;
        if (count < size || (members & late) != '0) held_d = held_d | (outside & ~late);
        if (count > size) held_d = '0;
    end

    always_ff @(posedge clk) begin
        if (rst) held_q <= '0;
        else held_q <= held_d;
    end
endmodule

`default_nettype wire
