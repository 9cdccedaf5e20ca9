// Lessons 014 to 016: the k largest of a row, gates that sum to 1, and the gradient through them.
#pragma once

#include <vector>

#include "oracle/bounded.h"

namespace oracle {

// [rows, k] each, exact: the values are copies of scores.
struct TopK {
  std::vector<double> values;
  std::vector<int> indices;
};

// 014: the k largest of each row in descending order; of equal ones (-0 equals +0) the lower index
// comes first. Right for rows of -inf; a row holds no NaN.
TopK topk_rows(const Input& scores, int rows, int cols, int k);

// For a row whose choice must not hang on rounding. The smallest distance, for each row, between
// the k-th largest value and the next: whether the same k are chosen. Infinite when k = cols.
std::vector<double> kth_gaps(const Input& scores, int rows, int cols, int k);
// The smallest distance between neighbours among the k + 1 largest: whether also their order stays.
std::vector<double> order_gaps(const Input& scores, int rows, int cols, int k);
// Whether the errors that `scores` carries leave every row's choice and order certain: each chosen
// value exceeds all that come after it by more than the two errors.
bool choice_is_certain(const Input& scores, int rows, int cols, int k);

// 015: values / sum of the row. The bound needs sum |v| <= 16 sum v, as the lesson promises.
Bounded normalize_gates(const Input& values, int rows, int k);

// 016: (dg_i - sum_j dg_j g_j) / s.
Bounded normalize_gates_backward(const Input& values, const Input& dgates, int rows, int k);

}  // namespace oracle
