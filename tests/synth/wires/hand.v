// SPDX-License-Identifier: Apache-2.0
// Two inverters.
module hand(in, out);
  input in;
  output out;
  wire mid;
  INV a (.A(in), .Y(mid));
  INV b (.A(mid), .Y(out));
endmodule
