// Lessons 041 to 044.
#include "oracle/balance.h"

#include <cmath>

#include "oracle/rounding.h"
#include "sizes.h"

namespace oracle {

// Two conversions to float (unit each; exact below 2^24), then a quotient by any method (5 unit).
// The least fraction, 2^-31, is far from underflow.
Bounded dispatch_fractions(const std::vector<int>& counts, int pairs) {
  Bounded out = make_bounded(counts.size());
  for (std::size_t e = 0; e < counts.size(); ++e) {
    if (pairs == 0) continue;
    out.value[e] = static_cast<double>(counts[e]) / pairs;
    out.bound[e] = 8 * unit * out.value[e];
  }
  return out;
}

// A sum of T terms, then a quotient; or T products by 1/T, which the products' formula holds.
Bounded mean_probs(const Input& probs, int T, int E) {
  const std::size_t columns = to_size(E), rows = to_size(T);
  require_size(probs, rows * columns, "probs");
  Bounded out = make_bounded(columns);
  std::vector<double> magnitude(columns);
  for (std::size_t i = 0; i < probs.size(); ++i) {
    out.value[i % columns] += probs[i];
    out.bound[i % columns] += probs.error(i);
    magnitude[i % columns] += probs.magnitude(i);
  }
  if (T == 0) return out;
  for (std::size_t e = 0; e < columns; ++e) {
    out.value[e] /= T;
    out.bound[e] = out.bound[e] / T + product_sum_bound(rows, magnitude[e] / T);
  }
  return out;
}

// E products; alpha and E come in with two products more, inside or outside of the sum.
Bounded aux_loss(const Input& fractions, const Input& means, double alpha) {
  require_size(means, fractions.size(), "means");
  const double scale = alpha * static_cast<double>(fractions.size());
  double sum = 0, magnitude = 0, spread = 0;
  for (std::size_t e = 0; e < fractions.size(); ++e) {
    sum += fractions[e] * means[e];
    magnitude += fractions.magnitude(e) * means.magnitude(e);
    spread += product_spread(fractions, e, means, e);
  }
  Bounded out = make_bounded(1);
  out.value[0] = scale * sum;
  out.bound[0] = product_sum_bound(fractions.size() + 2, std::fabs(scale) * magnitude) +
                 std::fabs(scale) * spread;
  return out;
}

// Two products by alpha and E, T to float, and a quotient by any method (5 unit): 8 unit, and up to
// 4 tiny below the normal range.
Bounded aux_loss_backward(const Input& fractions, int T, double alpha) {
  const std::size_t columns = fractions.size();
  Bounded out = make_bounded(to_size(T) * columns);
  const double scale = alpha * static_cast<double>(columns) / T;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t e = i % columns;
    out.value[i] = scale * fractions[e];
    const double magnitude = std::fabs(scale) * fractions.magnitude(e);
    if (magnitude == 0) continue;
    out.bound[i] = 8 * unit * magnitude + 4 * tiny + std::fabs(scale) * fractions.error(e);
  }
  return out;
}

}  // namespace oracle
