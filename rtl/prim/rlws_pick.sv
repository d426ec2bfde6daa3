// SPDX-License-Identifier: Apache-2.0
// rlws_pick: the choice among the five actions of RLWS (IV-F): the preferred one of those that are possible, or one that is drawn. Without a register.
`default_nettype none

module rlws_pick (
    input  logic [9:0] beats,     // pair (i, j), i < j, row after row: action i is preferred to j
    input  logic [4:0] possible,  // a bit of each action
    input  logic       drawn,     // the action is drawn
    input  logic [7:0] draw,      // by this number
    output logic [2:0] action     // a possible one; 0 if none is
);
    localparam int unsigned Actions = 5;

    // Not drawn: the one to which no possible action is preferred. Pairs that are in no order may leave none; then the lowest by number.
    logic [Actions-1:0] lost[Actions];  // lost[a]: possible actions that are preferred to a
    for (genvar i = 0; i < Actions; i++) begin : g_row
        assign lost[i][i] = 1'b0;
        for (genvar j = i + 1; j < Actions; j++) begin : g_pair
            localparam int unsigned Pair = i * (2 * Actions - 1 - i) / 2 + j - i - 1;
            assign lost[j][i] = possible[i] && beats[Pair];
            assign lost[i][j] = possible[j] && !beats[Pair];
        end
    end

    // Drawn: the one below which draw / 256 of the possible actions stand.
    logic [2:0] rank[Actions];  // rank[a]: possible actions with lower numbers
    logic [2:0] count, below;
    logic [Actions-1:0] best, chosen;
    always_comb begin
        count = '0;
        for (int a = 0; a < Actions; a++) begin
            best[a] = possible[a] && lost[a] == '0;
            rank[a] = count;
            count = count + 3'(possible[a]);
        end
        below = 3'((11'(draw) * 11'(count)) >> 8);
        action = '0;
        for (int a = 0; a < Actions; a++) begin
            chosen[a] = possible[a] && (drawn ? rank[a] == below : best == '0 ? rank[a] == '0 : best[a]);
            if (chosen[a]) action = action | 3'(a);
        end
    end
endmodule

`default_nettype wire
