// 014 topk_rows: the k largest of each row, descending, the lower index first on ties
#include "testing/grader.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

using namespace testing;

namespace {

using Values = std::vector<float>;

constexpr float infinity = std::numeric_limits<float>::infinity();

// Scores with a gap between any two of a row, of both signs, in random order.
Values distinct(Random& random, int rows, int cols) {
  Values scores;
  scores.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
  for (int r = 0; r < rows; ++r) {
    for (const int rank : random.permutation(cols)) {
      scores.push_back(static_cast<float>(rank - cols / 2) + random.uniform(0.25f, 0.75f));
    }
  }
  return scores;
}

// Every score one of these few: ties everywhere.
Values picked_from(Random& random, std::size_t count, const Values& few) {
  Values scores(count);
  for (float& score : scores) {
    score = few[static_cast<std::size_t>(random.integer(0, static_cast<int>(few.size()) - 1))];
  }
  return scores;
}

// What k rounds of a wrong way to pick would leave. `choose` gets the row, which it may change, and
// whether a column was taken before; it returns a column.
template <class Choose>
oracle::TopK picks(const Array<float>& scores, int rows, int cols, int k, Choose choose) {
  oracle::TopK result;
  for (int r = 0; r < rows; ++r) {
    std::vector<double> row;
    for (int c = 0; c < cols; ++c) row.push_back(scores(r, c));
    std::vector<bool> taken(row.size());
    for (int j = 0; j < k; ++j) {
      const std::size_t c = choose(row, taken);
      result.values.push_back(row[c]);
      result.indices.push_back(static_cast<int>(c));
      taken[c] = true;
    }
  }
  return result;
}

// Every lane goes on from what the steps down left in it, and not from lane 0's pick.
std::vector<int> picks_without_sharing(const oracle::Input& scores, int rows, int cols, int k) {
  using Candidate = std::pair<double, int>;
  const auto before = [](const Candidate& a, const Candidate& b) {
    return a.first > b.first || (a.first == b.first && a.second < b.second);
  };
  std::vector<int> indices;
  for (int r = 0; r < rows; ++r) {
    std::vector<Candidate> last(32, {infinity, -1});
    for (int j = 0; j < k; ++j) {
      for (int lane = 0; lane < 32; ++lane) {
        Candidate first = {-infinity, std::numeric_limits<int>::max()};
        for (int c = lane; c < cols; c += 32) {
          const Candidate candidate = {scores[static_cast<std::size_t>(r * cols + c)], c};
          const auto& from = last[static_cast<std::size_t>(lane)];
          if (before(from, candidate) && before(candidate, first)) first = candidate;
        }
        last[static_cast<std::size_t>(lane)] = first;
      }
      for (std::size_t distance = 16; distance > 0; distance /= 2) {
        for (std::size_t lane = 0; lane + distance < 32; ++lane) {
          if (before(last[lane + distance], last[lane])) last[lane] = last[lane + distance];
        }
      }
      indices.push_back(last[0].second);
    }
  }
  return indices;
}

void know_mistakes(Trial& trial, const Array<float>& scores, const Array<int>& indices, int rows,
                   int cols, int k) {
  trial.mistake_if("lanes-leave", [](const Diagnostic& d) {
    return d.misses(Diagnostic::Divergence::lanes_returned);
  });
  if (rows * cols > 64) return;  // the first cases show them
  trial.mistake("higher-index", indices,
                picks(scores, rows, cols, k, [](const auto& row, const auto& taken) {
                  std::size_t best = row.size();
                  for (std::size_t c = 0; c < row.size(); ++c) {
                    if (!taken[c] && (best == row.size() || row[c] >= row[best])) best = c;
                  }
                  return best;
                }).indices);
  std::vector<int> below;  // each pick strictly below the last in value
  for (int r = 0; r < rows; ++r) {
    double last = std::numeric_limits<double>::infinity();
    for (int j = 0; j < k; ++j) {
      int best = -1;
      for (int c = 0; c < cols; ++c) {
        if (scores(r, c) < last && (best < 0 || scores(r, c) > scores(r, best))) best = c;
      }
      below.push_back(best < 0 ? std::numeric_limits<int>::max() : best);
      last = best < 0 ? -std::numeric_limits<double>::infinity() : scores(r, best);
    }
  }
  trial.mistake("equal-scores-skipped", indices, std::move(below));
  trial.mistake("no-broadcast", indices, picks_without_sharing(scores.values(), rows, cols, k));
  trial.mistake("taken-becomes-infinity", indices,
                picks(scores, rows, cols, k, [](auto& row, const auto& taken) {
                  std::size_t best = 0;
                  for (std::size_t c = 0; c < row.size(); ++c) {
                    if (taken[c]) row[c] = -std::numeric_limits<double>::infinity();
                    if (row[c] > row[best]) best = c;
                  }
                  return best;
                }).indices);
}

void grade(int rows, int cols, int k, Values given = {}, bool big = false, bool if_quick = false) {
  Trial trial{{"rows", rows}, {"cols", cols}, {"k", k}};
  if (given.empty()) given = distinct(trial.random(), rows, cols);
  const auto scores = trial.input("scores", {{"r", rows}, {"c", cols}}, std::move(given));
  const auto values = trial.output("values", {{"r", rows}, {"j", k}});
  const auto indices = trial.output<int>("indices", {{"r", rows}, {"j", k}});

  const oracle::TopK top = oracle::topk_rows(scores.values(), rows, cols, k);
  const auto at = [k](int r, int j) {
    return static_cast<std::size_t>(r) * static_cast<std::size_t>(k) + static_cast<std::size_t>(j);
  };
  trial.expect(indices, top.indices);
  trial.expect(values, [&](int r, int j) { return top.values[at(r, j)]; });
  if (!big) know_mistakes(trial, scores, indices, rows, cols, k);
  trial.mistake("starts-above", values, [&](int r, int j) -> Expected {
    const double value = top.values[at(r, j)];
    return value > 0 ? value : 0x1p-126;
  });
  trial.mistake("starts-above", values, [&](int r, int j) -> Expected {
    return std::max<double>(top.values[at(r, j)], std::numeric_limits<float>::lowest());
  });
  if (cols > 32) {
    trial.mistake("best-of-32", values, [&](int r, int j) -> Expected {
      std::vector<double> head;
      for (int c = 0; c < 32; ++c) head.push_back(scores(r, c));
      std::sort(head.begin(), head.end(), std::greater<>());
      return j < 32 ? head[static_cast<std::size_t>(j)] : -infinity;
    });
  }
  if (if_quick) trial.judge_if_quick();
  if (big) {
    trial.sample_blocks();
    trial.limit_runs(1);
  }
  trial.call(
      [&](cudaStream_t stream) { topk_rows(scores, values, indices, rows, cols, k, stream); });
}

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, 4 experts, k = 2") {
  const auto size = [](const char* name) {
    return micro_batch::example_int("014_topk_rows", name);
  };
  grade(size("rows"), size("cols"), size("k"), micro_batch::example("014_topk_rows", "scores"));
}

LESSON_CASE("the lesson's row: ties and -inf") {
  grade(1, 5, 5, {2, 5, 5, -infinity, 5});
}

LESSON_CASE("one column, one row, k = 1") {
  grade(1, 1, 1);
  grade(37, 1, 1);
  grade(1, 45, 1);
  grade(1, 2, 2);
  grade(2, 3, 2);
}

LESSON_CASE("a warp of columns, one less, one more") {
  for (const int cols : {15, 31, 32, 33, 70}) grade(5, cols, 3);
}

LESSON_CASE("rows and columns that differ") {
  Random random = case_random();
  for (const auto [rows, cols] : unequal_pairs(random, 5, 900)) {
    grade(rows, cols, random.integer(1, std::min(cols, 6)));
  }
  grade(2, 257, 4);
  grade(1, 1025, 2);
}

LESSON_CASE("k up to 16, and k = cols: all of the row, sorted") {
  grade(3, 16, 16);
  grade(9, 7, 7);
  grade(2, 50, 16);
}

LESSON_CASE("all scores negative") {
  Random random = case_random();
  Values scores = distinct(random, 6, 37);
  for (float& score : scores) score -= 40;
  grade(6, 37, 4, std::move(scores));
}

LESSON_CASE("equal scores: the lower index first") {
  Random random = case_random();
  grade(4, 40, 6, Values(160, 1.5f));
  grade(7, 35, 9, picked_from(random, 7 * 35, {-2, -1, 3}));
  grade(5, 70, 5, picked_from(random, 5 * 70, {0.0f, -0.0f}));
  grade(6, 33, 16, picked_from(random, 6 * 33, {0.0f, -0.0f, -1, 0x1p-149f, -0x1p-149f}));
}

LESSON_CASE("rows of -inf: the indices are distinct") {
  Random random = case_random();
  grade(3, 5, 5, Values(15, -infinity));
  grade(2, 66, 16, Values(132, -infinity));
  grade(8, 34, 8, picked_from(random, 8 * 34, {-infinity, -infinity, -infinity, -infinity, 2, -7}));
}

LESSON_CASE("scores of every size") {
  Random random = case_random();
  grade(5, 39, 7, random.extremes(195, 3e38f));
  // Neighbouring floats: half precision, or TF32, would see ties.
  Values close;
  for (int r = 0; r < 4; ++r) {
    for (const int rank : random.permutation(36)) {
      close.push_back(1 + static_cast<float>(rank) * 0x1p-23f);
    }
  }
  grade(4, 36, 8, std::move(close));
}

LESSON_CASE("no rows") {
  grade(0, 5, 2);
}

LESSON_CASE("rows past 65,536, each of its own") {
  grade(66'000, 2, 1, {}, true);
}

LESSON_CASE("more than half a million rows") {
  grade(530'000, 2, 1, {}, true);
}

// Not judged where each element is compared with all others of its row, which is right and slow.
LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade(2, wide_row, 3, {}, false, true);
}

BENCH_CASE("256 rows of 96 columns, k = 4") {
  grade(256, 96, 4);
}
