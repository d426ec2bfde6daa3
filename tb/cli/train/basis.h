/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/train/basis.h: an orthonormal basis of a table's columns. */
#ifndef HEDDLE_TB_CLI_TRAIN_BASIS_H
#define HEDDLE_TB_CLI_TRAIN_BASIS_H

#define BASIS_MOST 16 /* columns */

/* Columns of `rows` numbers one after the other become orthonormal; each old one is the sum over i of
 * factors[i][its number] times the new one i, and factors is zero below its diagonal. Returns -1, or
 * the first column that depends on those before it: what has not been replaced is undefined. */
int basis_of(double *columns, int rows, int count, double factors[BASIS_MOST][BASIS_MOST]);

#endif
