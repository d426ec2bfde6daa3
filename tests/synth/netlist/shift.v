/* SPDX-License-Identifier: Apache-2.0 */
/* Flip-flops and buffers of OSU 0.18 um: a circuit whose activity OpenSTA knows from that of its input. */
module shift(clk, in, out);
  input clk, in;
  output out;
  wire a, b, c, d, e, f, g, h;
  BUFX2 b1 (.A(in), .Y(a));
  DFFPOSX1 f1 (.CLK(clk), .D(a), .Q(b));
  DFFPOSX1 f2 (.CLK(clk), .D(b), .Q(c));
  BUFX2 b2 (.A(c), .Y(d));
  BUFX4 b3 (.A(d), .Y(e));
  CLKBUF1 b4 (.A(d), .Y(f));
  BUFX2 b5 (.A(f), .Y(g));
  BUFX4 b6 (.A(g), .Y(h));
  DFFPOSX1 f3 (.CLK(clk), .D(e), .Q());
  DFFPOSX1 f4 (.CLK(clk), .D(h), .Q(out));
endmodule
