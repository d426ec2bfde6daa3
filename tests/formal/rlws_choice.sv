// SPDX-License-Identifier: Apache-2.0
// rlws_choice: is an action of RLWS the one to be taken? For the rules of the units that take one (rlws_act_props, rlws_ms_props). Restated
// for each action alone: whom it loses to, and how many possible ones stand below it, counted anew.
`default_nettype none

module rlws_choice (
    input  logic [9:0] beats,
    input  logic [4:0] possible,
    input  logic       drawn,
    input  logic [7:0] draw,
    input  logic [2:0] action,
    output logic       preferred,  // if a possible action is preferred to every other one, it is that
    output logic       lowest,     // if none is, it is the lowest possible one
    output logic       share       // draw / 256 of the possible actions stand below it
);
    logic [4:0] best;  // actions that are preferred to every other possible one
    logic [3:0] below, all;
    always_comb begin
        best[0] = possible[0] && (!possible[1] || beats[0]) && (!possible[2] || beats[1]) && (!possible[3] || beats[2]) && (!possible[4] || beats[3]);
        best[1] = possible[1] && (!possible[0] || !beats[0]) && (!possible[2] || beats[4]) && (!possible[3] || beats[5]) && (!possible[4] || beats[6]);
        best[2] = possible[2] && (!possible[0] || !beats[1]) && (!possible[1] || !beats[4]) && (!possible[3] || beats[7]) && (!possible[4] || beats[8]);
        best[3] = possible[3] && (!possible[0] || !beats[2]) && (!possible[1] || !beats[5]) && (!possible[2] || !beats[7]) && (!possible[4] || beats[9]);
        best[4] = possible[4] && (!possible[0] || !beats[3]) && (!possible[1] || !beats[6]) && (!possible[2] || !beats[8]) && (!possible[3] || !beats[9]);
        below = '0;
        all = '0;
        for (int a = 0; a < 5; a++) begin
            if (possible[a] && 3'(a) < action) below = below + 4'd1;
            if (possible[a]) all = all + 4'd1;
        end
    end
    assign preferred = drawn || best == '0 || best == 5'd1 << action;
    assign lowest = drawn || best != '0 || (below == '0 && (5'd1 << action & possible) != '0);
    // below = floor(draw * all / 256), without the division
    assign share = !drawn || (12'(below) * 12'd256 <= 12'(draw) * 12'(all) && 12'(draw) * 12'(all) < 12'(below) * 12'd256 + 12'd256);
endmodule

`default_nettype wire
