// SPDX-License-Identifier: Apache-2.0
// ones: how many bits are set. The bits are the nodes of a binary heap, node n above nodes 2n and 2n + 1: the count of a node is its own bit
// and the counts of the two below. The bit is the carry into the adder of the two, so that no full adder has an input that is always 0 but at
// the heap's edge. Adders are chains: a chain's lowest bit is there first, and that is the one that the next chain waits for. Without a
// register.
`default_nettype none

module ones #(
    parameter int unsigned NUM = 0,
    localparam int unsigned CountBits = $clog2(NUM + 1)
) (
    input  logic [NUM-1:0]       of,
    output logic [CountBits-1:0] count
);
    logic [(2*NUM+2)*CountBits-1:0] node;  // the count of each, from node 1 on; those beyond the last are 0
    logic a, b, carry;
    always_comb begin
        node = '0;
        {a, b, carry} = '0;
        for (int n = NUM; n > 0; n--) begin
            carry = of[n-1];
            for (int i = 0; i < CountBits; i++) begin
                a = node[2*n*CountBits+i];
                b = node[(2*n+1)*CountBits+i];
                node[n*CountBits+i] = a ^ b ^ carry;
                carry = (a && b) || ((a ^ b) && carry);
            end
        end
        count = node[CountBits+:CountBits];
    end
endmodule

`default_nettype wire
