// Lessons 021 to 028. Sums of K terms, of K products and of D products; the rest is copies.
#include "oracle/dispatch.h"

#include <stdexcept>

#include "sizes.h"
#include "sums.h"

namespace oracle {

namespace {

void require_expert(int e, std::size_t E) {
  if (e < 0 || static_cast<std::size_t>(e) >= E) {
    throw std::invalid_argument("oracle: no such expert");
  }
}

// A permutation of 0 .. P-1, with P = T*K.
void require_permutation(const std::vector<int>& permutation, int T, int K, const char* name) {
  require_size(permutation.size(), to_size(T) * to_size(K), name);
  inverse_permutation(permutation);
}

}  // namespace

std::vector<int> count_tokens(const std::vector<int>& experts, int E) {
  std::vector<int> counts(to_size(E));
  for (const int e : experts) {
    require_expert(e, counts.size());
    ++counts[to_size(e)];
  }
  return counts;
}

std::vector<int> expert_offsets(const std::vector<int>& counts) {
  std::vector<int> offsets(counts.size() + 1);
  for (std::size_t e = 0; e < counts.size(); ++e) offsets[e + 1] = offsets[e] + counts[e];
  return offsets;
}

Slots assign_slots(const std::vector<int>& experts, const std::vector<int>& offsets) {
  std::vector<int> next(offsets.begin(), offsets.end() - (offsets.empty() ? 0 : 1));
  Slots out{std::vector<int>(experts.size()), {}};
  for (std::size_t p = 0; p < experts.size(); ++p) {
    require_expert(experts[p], next.size());
    out.slot_of_pair[p] = next[to_size(experts[p])]++;
  }
  out.pair_of_slot = inverse_permutation(out.slot_of_pair);
  return out;
}

std::vector<int> inverse_permutation(const std::vector<int>& permutation) {
  std::vector<int> inverse(permutation.size(), -1);
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    const int to = permutation[i];
    if (to < 0 || static_cast<std::size_t>(to) >= inverse.size() || inverse[to_size(to)] != -1) {
      throw std::invalid_argument("oracle: not a permutation");
    }
    inverse[to_size(to)] = static_cast<int>(i);
  }
  return inverse;
}

Bounded gather_tokens(const Input& X, const std::vector<int>& pair_of_slot, int T, int D, int K) {
  const std::size_t width = to_size(D);
  require_size(X, to_size(T) * width, "X");
  require_permutation(pair_of_slot, T, K, "pair_of_slot");
  Bounded out = make_bounded(pair_of_slot.size() * width);
  for (std::size_t s = 0; s < pair_of_slot.size(); ++s) {
    const std::size_t t = to_size(pair_of_slot[s]) / to_size(K);
    for (std::size_t d = 0; d < width; ++d) {
      out.value[s * width + d] = X[t * width + d];
      out.bound[s * width + d] = X.error(t * width + d);
    }
  }
  return out;
}

Bounded gather_tokens_backward(const Input& dXs, const std::vector<int>& slot_of_pair, int T, int D,
                               int K) {
  const std::size_t width = to_size(D), choices = to_size(K);
  require_permutation(slot_of_pair, T, K, "slot_of_pair");
  require_size(dXs, slot_of_pair.size() * width, "dXs");
  Bounded out = make_bounded(to_size(T) * width);
  for (std::size_t i = 0; i < out.size(); ++i) {
    TermSum sum;
    for (std::size_t j = 0; j < choices; ++j) {
      sum.add(dXs, to_size(slot_of_pair[i / width * choices + j]) * width + i % width);
    }
    sum.store(out, i);
  }
  return out;
}

Bounded combine_tokens(const Input& Ys, const std::vector<int>& slot_of_pair, const Input& gates,
                       int T, int D, int K) {
  const std::size_t width = to_size(D), choices = to_size(K);
  require_permutation(slot_of_pair, T, K, "slot_of_pair");
  require_size(Ys, slot_of_pair.size() * width, "Ys");
  require_size(gates, slot_of_pair.size(), "gates");
  Bounded out = make_bounded(to_size(T) * width);
  for (std::size_t i = 0; i < out.size(); ++i) {
    ProductSum sum;
    for (std::size_t j = 0; j < choices; ++j) {
      const std::size_t p = i / width * choices + j;
      sum.add(gates, p, Ys, to_size(slot_of_pair[p]) * width + i % width);
    }
    sum.store(out, i);
  }
  return out;
}

Bounded combine_backward_experts(const Input& dOut, const Input& gates,
                                 const std::vector<int>& pair_of_slot, int T, int D, int K) {
  const std::size_t width = to_size(D);
  require_permutation(pair_of_slot, T, K, "pair_of_slot");
  require_size(dOut, to_size(T) * width, "dOut");
  require_size(gates, pair_of_slot.size(), "gates");
  Bounded out = make_bounded(pair_of_slot.size() * width);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t p = to_size(pair_of_slot[i / width]);
    const std::size_t from = p / to_size(K) * width + i % width;
    store_product(gates, p, dOut, from, out, i);
  }
  return out;
}

Bounded combine_backward_gates(const Input& dOut, const Input& Ys,
                               const std::vector<int>& slot_of_pair, int T, int D, int K) {
  const std::size_t width = to_size(D);
  require_permutation(slot_of_pair, T, K, "slot_of_pair");
  require_size(dOut, to_size(T) * width, "dOut");
  require_size(Ys, slot_of_pair.size() * width, "Ys");
  Bounded out = make_bounded(slot_of_pair.size());
  for (std::size_t p = 0; p < slot_of_pair.size(); ++p) {
    ProductSum sum;
    for (std::size_t d = 0; d < width; ++d) {
      sum.add(dOut, p / to_size(K) * width + d, Ys, to_size(slot_of_pair[p]) * width + d);
    }
    sum.store(out, p);
  }
  return out;
}

}  // namespace oracle
