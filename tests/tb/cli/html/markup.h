/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/html/markup.h: is a text a page as Heddle promises one, whatever stands in the file that it is made of? */
#ifndef HEDDLE_TESTS_TB_CLI_HTML_MARKUP_H
#define HEDDLE_TESTS_TB_CLI_HTML_MARKUP_H

/* NULL, or what is wrong, which lives until the next call: a tag that no page has or that is not closed in its turn, an attribute
 * that runs or fetches something, an id that stands twice, a '<' or '&' that is not markup, bytes that are no UTF-8. */
const char *markup_fault(const char *page);

#endif
