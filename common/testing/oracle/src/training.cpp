// Lessons 045 to 048.
#include "oracle/training.h"

#include <cmath>

#include "oracle/rounding.h"
#include "sizes.h"

namespace oracle {

// n squares: the difference (unit, twice because it is squared) and the square (unit) are relative
// errors of a term, the mean's quotient or product and n to float 6 unit at most; with the sum's
// n unit the products' formula, 2 (n + 8) unit, holds all. A difference d that is off by e moves
// the mean by (2 |d| e + e^2) / n.
Bounded mse_loss(const Input& y, const Input& target) {
  require_size(target, y.size(), "target");
  Bounded out = make_bounded(1);
  if (y.empty()) return out;
  const double n = static_cast<double>(y.size());
  double sum = 0, magnitude = 0, spread = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double d = y[i] - target[i], e = y.error(i) + target.error(i);
    sum += d * d;
    magnitude += (std::fabs(d) + e) * (std::fabs(d) + e);
    spread += (2 * std::fabs(d) + e) * e;
  }
  out.value[0] = sum / n;
  out.bound[0] = product_sum_bound(y.size(), magnitude / n) + spread / n;
  return out;
}

// The difference (unit), n to float (unit), the quotient by any method (5 unit), the products by 2
// (exact) and by 2/n (unit): 8 unit, and 2.5 tiny below the normal range.
Bounded mse_loss_backward(const Input& y, const Input& target) {
  require_size(target, y.size(), "target");
  Bounded out = make_bounded(y.size());
  const double scale = 2 / static_cast<double>(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double d = y[i] - target[i], e = y.error(i) + target.error(i);
    out.value[i] = scale * d;
    if (std::fabs(d) + e == 0) continue;
    out.bound[i] = scale * (8 * unit * (std::fabs(d) + e) + e) + 3 * tiny;
  }
  return out;
}

BoundedParams zero_grads(const MoeConfig& config) {
  const std::size_t D = to_size(config.D), H = to_size(config.H), E = to_size(config.E);
  return {make_bounded(D * E), make_bounded(E * D * H), make_bounded(E * H),
          make_bounded(E * H * D), make_bounded(E * D)};
}

// Rounded once (fused), or once for the product and once for the difference.
Bounded sgd_update(const Input& w, const Input& g, double lr) {
  require_size(g, w.size(), "g");
  Bounded out = make_bounded(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double step = lr * g[i];
    const double error = w.error(i) + std::fabs(lr) * g.error(i);
    const double rounded_product = product_bound(std::fabs(step) + std::fabs(lr) * g.error(i));
    out.value[i] = w[i] - step;
    if (step == 0 && error == 0) continue;  // w itself
    out.bound[i] =
        addition_bound(std::fabs(out.value[i]) + error + rounded_product) + rounded_product + error;
  }
  return out;
}

}  // namespace oracle
