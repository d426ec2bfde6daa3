/* SPDX-License-Identifier: Apache-2.0 */
/* tests/synth/netlist/netlist_test.c: netlists are read as they stand, and what is wrong in one is said with its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/synth/netlist/support.h"

static struct library hand;

static uint32_t net_of(const struct netlist *n, const char *name, unsigned bit)
{
    const struct netlist_signal *s = netlist_signal(n, name);
    assert_non_null(s);
    assert_true(bit < s->bits);
    return s->net[bit];
}

static void all_that_yosys_writes(void **state)
{
    (void)state;
    struct netlist n;
    take_text(&n,
              "/* by a tool */\n"
              "(* top = 1 *)\n"
              "module two(a, \\b.c , y, z);\n"
              "  wire _0_; // of its own\n"
              "  input [3:2] a; wire [3:2] a;\n"
              "  input \\b.c ;\n"
              "  output y; wire y;\n"
              "  output [3:0] z; wire [3:0] z;\n"
              "  (* keep *)\n"
              "  wire [1:0] \\q[0] ;\n"
              "  INV _1_ ( .A(a[3]), .Y(_0_) );\n"
              "  DFF _2_ (.CK(\\b.c ), .D(_0_), .Q(\\q[0] [1]), .QN());\n"
              "  assign \\q[0] [0] = _0_;\n"
              "  assign { z[3], z[1:0] } = { \\q[0] , 1'h1 };\n"
              "  assign z[2] = 1'bx;\n"
              "  assign y = z[3];\n"
              "endmodule\n",
              &hand);
    assert_string_equal(n.module, "two");
    assert_int_equal(n.num_cells, 2);
    assert_string_equal(n.cells[1].name, "_2_");
    assert_string_equal(n.cells[1].type->name, "DFF");
    assert_int_equal(n.cells[1].line, 12);
    assert_int_equal(n.num_nets, FIRST_NET + 6); /* a[2], a[3], b.c, _0_, q[0][1], _2_.QN */
    assert_int_equal(n.cells[0].net[0], net_of(&n, "a", 1));
    assert_int_equal(n.cells[0].net[1], net_of(&n, "_0_", 0));
    assert_int_equal(net_of(&n, "q[0]", 0), net_of(&n, "_0_", 0));
    assert_int_equal(net_of(&n, "z", 3), net_of(&n, "q[0]", 1));
    assert_int_equal(net_of(&n, "y", 0), net_of(&n, "q[0]", 1));
    assert_int_equal(net_of(&n, "z", 1), net_of(&n, "_0_", 0));
    assert_int_equal(net_of(&n, "z", 0), NET_1);
    assert_int_equal(net_of(&n, "z", 2), NET_0);
    assert_string_equal(n.net_name[n.cells[1].net[library_pin(n.cells[1].type, "QN", 2)]],
                        "_2_.QN");
    assert_int_equal(netlist_signal(&n, "a")->low, 2);
    assert_int_equal(netlist_signal(&n, "a")->direction, PIN_IN);
    assert_string_equal(n.net_name[net_of(&n, "_0_", 0)], "z[1]"); /* better than a number */
    assert_string_equal(n.net_name[net_of(&n, "a", 0)], "a[2]");
    assert_null(netlist_signal(&n, "b"));
    netlist_free(&n);
}

static void constants_by_way_of_others(void **state)
{
    (void)state;
    struct netlist n;
    take_text(&n,
              "module m(y);\n output [1:0] y; wire a, b, c;\n assign a = 1'h1; assign a = b; "
              "assign b = c;\n"
              "assign y[0] = c; assign y[1] = 1'h0; endmodule",
              &hand);
    assert_int_equal(net_of(&n, "y", 0), NET_1);
    assert_int_equal(net_of(&n, "y", 1), NET_0);
    netlist_free(&n);
}

static void constants(void **state)
{
    (void)state;
    struct netlist n;
    take_text(
        &n,
        "module m(y);\n output [19:0] y;\n assign y = { 8'd202, 5'h1a, 3'b1z0, 4'hX }; endmodule",
        &hand);
    unsigned value = 0;
    for (unsigned b = 0; b < 20; b++)
        value |= (net_of(&n, "y", b) == NET_1) << b;
    assert_int_equal(value, 202 << 12 | 0x1a << 7 | 4 << 4);
    netlist_free(&n);
    take_text(&n,
              "module m(y);\n output [69:0] y;\n assign y = 70'd18446744073709551614; endmodule",
              &hand);
    for (unsigned b = 0; b < 70; b++)
        assert_int_equal(net_of(&n, "y", b), b && b < 64 ? NET_1 : NET_0);
    netlist_free(&n);
}

#define TEN(text) text text text text text text text text text text
#define MODULE    "module m(a, c, y);\n input a, c; output y; wire [3:0] w;\n"

static void what_is_wrong_and_where(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"\n\nlibrary(l)", ":3: error: expected 'module', not 'library'\n"},
        {"module (a);", ":1: error: expected 'a name', not '('\n"},
        {"module m(a", ":1: error: expected ')', not ''\n"},
        {MODULE, ":3: error: expected 'a name', not ''\n"},
        {MODULE "/* endmodule", ":3: error: expected 'a name', not ''\n"},
        {MODULE "wire [9999999999:0] v;",
         ":3: error: expected 'a number of a bit', not '9999999999'\n"},
        {MODULE "wire [1048575:0] v;", ":3: error: more than 1048576 bits\n"},
        {MODULE "wire [999999:0] v;\nassign v = {" TEN(TEN("v, ")) "a };",
         ":4: error: more than 67108864 bits in expressions\n"},
        {MODULE "wire [0:3] v;", ":3: error: the range [0:3]: expected the highest bit first\n"},
        {MODULE "wire v[3:0];", ":3: error: expected ';', not '['\n"},
        {MODULE "wire [1:0] a;", ":3: error: 'a' has had another range\n"},
        {MODULE "assign y = b;", ":3: error: expected 'the name of a wire', not 'b'\n"},
        {MODULE "assign y = w[4];", ":3: error: 'w' has no bit 4\n"},
        {MODULE "assign y = w;", ":3: error: 4 bits are assigned to 1\n"},
        {MODULE "assign y = 1;", ":3: error: expected 'a constant such as 4'h5', not '1'\n"},
        {MODULE "assign y = 1'd2;", ":3: error: expected 'a constant such as 4'h5', not '1'd2'\n"},
        {MODULE "assign y = 1'dx;", ":3: error: expected 'a constant such as 4'h5', not '1'dx'\n"},
        {MODULE "assign y = 70'd18446744073709551616;",
         ":3: error: expected 'a constant such as 4'h5', not '70'd18446744073709551616'\n"},
        {MODULE "assign y = 1'o0;", ":3: error: expected 'a constant such as 4'h5', not '1'o0'\n"},
        {MODULE "assign y = 1'b2;", ":3: error: expected 'a constant such as 4'h5', not '1'b2'\n"},
        {MODULE "assign y = 1'h;", ":3: error: expected 'a constant such as 4'h5', not '1'h'\n"},
        {MODULE "assign { a, c = y;", ":3: error: expected '}', not '='\n"},
        {MODULE "assign y = 1'h1;\nassign y = 1'h0;\n", ":4: error: a bit is 0 and 1 at once\n"},
        {MODULE "NOR2 x (.A(a));", ":3: error: " HAND " has no cell 'NOR2'\n"},
        {MODULE "INV x (.B(a));", ":3: error: the cell INV has no pin 'B'\n"},
        {MODULE "INV x (a, y);", ":3: error: expected '.', not 'a'\n"},
        {MODULE "INV x (.A(a), .A(c));", ":3: error: a second 'A' of 'x'\n"},
        {MODULE "INV x (.A(w), .Y(y));", ":3: error: 4 bits at 'A' of 'x'\n"},
        {MODULE "INV x (.A(a) .Y(y));", ":3: error: expected ')', not '.'\n"},
        {MODULE "INV x (.Y(y));\nendmodule", ":3: error: nothing drives 'A' of 'x'\n"},
        {MODULE "\nINV x (.A(a), .Y(y));\nINV z (.A(c), .Y(y));\nendmodule",
         ":5: error: 'y' has a second driver\n"},
        {MODULE "INV x (.A(a), .Y(c));\nassign y = a;\nendmodule",
         ":3: error: 'c' has a second driver\n"},
        {MODULE "INV x (.A(a), .Y(y));\nassign y = 1'h0;\nendmodule",
         ":3: error: '0' has a second driver\n"},
        {MODULE "INV x (.A(w[2]), .Y(y));\nendmodule", ":4: error: nothing drives 'w[2]'\n"},
        {MODULE "endmodule", ":3: error: nothing drives 'y'\n"},
        {MODULE "assign y = a;\nendmodule\nmodule n();",
         ":5: error: expected one module and nothing behind it\n"},
        {"", ": cannot be read: it is empty\n"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct netlist n;
        char *said = NULL;
        size_t length = 0;
        FILE *err = open_memstream(&said, &length);
        const int failed = read_text(&n, wrong[i].text, &hand, err);
        netlist_free(&n);
        fclose(err);
        if (!failed || strncmp(said, "NETLIST", 7) != 0 || strcmp(said + 7, wrong[i].message) != 0)
            fail_msg("%s\nis %s: %s, not %s", wrong[i].text, failed ? "refused" : "taken", said,
                     wrong[i].message);
        free(said);
    }
}

static void every_prefix_is_refused(void **state)
{
    (void)state;
    static const char text[] =
        MODULE "NAND2 x (.A(a), .B(w[1]), .Y(y));\nassign w[1] = c;\nendmodule";
    for (size_t length = 1; length < sizeof text - 1; length++) {
        char part[sizeof text] = "", *said = NULL;
        size_t heard = 0;
        struct netlist n;
        FILE *err = open_memstream(&said, &heard);
        memcpy(part, text, length);
        assert_int_equal(read_text(&n, part, &hand, err), -1);
        fclose(err);
        assert_true(heard && memchr(said, '\n', heard) == said + heard - 1);
        netlist_free(&n);
        free(said);
    }
    struct netlist n;
    take_text(&n, text, &hand);
    netlist_free(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_yosys_writes),      cmocka_unit_test(constants),
        cmocka_unit_test(constants_by_way_of_others), cmocka_unit_test(what_is_wrong_and_where),
        cmocka_unit_test(every_prefix_is_refused),
    };
    if (library_read(&hand, HAND, stderr))
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    library_free(&hand);
    return failed;
}
