#include "machine.h"

#include <numeric>
#include <utility>

namespace oracle_test {

namespace {

double ulp(double x) {
  const int exponent = x == 0 ? -126 : std::max(std::ilogb(std::fabs(x)), -126);
  return std::ldexp(1.0, exponent - 23);
}

float pairwise(const Floats& terms, std::size_t first, std::size_t count) {
  if (count == 1) return terms[first];
  const std::size_t half = count / 2;
  return pairwise(terms, first, half) + pairwise(terms, first + half, count - half);
}

// A warp: lane i adds every 32nd term, then five butterfly steps.
float butterfly(std::vector<float> lanes) {
  for (std::size_t step = lanes.size() / 2; step > 0; step /= 2) {
    for (std::size_t i = 0; i < step; ++i) lanes[i] += lanes[i + step];
  }
  return lanes[0];
}

}  // namespace

std::string name(const Style& s) {
  return "order " + std::to_string(static_cast<int>(s.order)) + ", product " +
         std::to_string(static_cast<int>(s.product)) + ", exp " +
         std::to_string(static_cast<int>(s.exp)) + ", divide " +
         std::to_string(static_cast<int>(s.divide)) + ", softmax " +
         std::to_string(static_cast<int>(s.softmax)) + ", tanh " +
         std::to_string(static_cast<int>(s.tanh)) + ", bias " +
         std::to_string(static_cast<int>(s.bias));
}

std::vector<Style> product_styles() {
  std::vector<Style> styles;
  for (const Order order : {Order::forward, Order::backward, Order::pairwise, Order::lanes,
                            Order::kahan, Order::shuffled}) {
    for (const Product product : {Product::plain, Product::fused, Product::three_tf32}) {
      styles.push_back({.order = order, .product = product});
    }
  }
  return styles;
}

std::vector<Style> softmax_styles() {
  std::vector<Style> styles;
  for (const Order order : {Order::forward, Order::lanes}) {
    for (const Exp exp : {Exp::rounded, Exp::library, Exp::fast, Exp::base_two}) {
      for (const Divide divide : {Divide::exact, Divide::reciprocal, Divide::approximate}) {
        for (const Softmax softmax : {Softmax::two_pass, Softmax::online, Softmax::scaled_first}) {
          for (const Bias bias : {Bias::up, Bias::down, Bias::random}) {
            styles.push_back(
                {.order = order, .exp = exp, .divide = divide, .softmax = softmax, .bias = bias});
          }
        }
      }
    }
  }
  return styles;
}

std::vector<Style> tanh_styles() {
  std::vector<Style> styles;
  for (const Tanh tanh : {Tanh::library, Tanh::by_exp, Tanh::by_exp_of_minus_abs, Tanh::sigmoid}) {
    for (const Exp exp : {Exp::library, Exp::fast}) {
      for (const Product product : {Product::plain, Product::fused}) {
        for (const Divide divide : {Divide::exact, Divide::approximate}) {
          for (const Bias bias : {Bias::up, Bias::down, Bias::random}) {
            styles.push_back(
                {.product = product, .exp = exp, .divide = divide, .tanh = tanh, .bias = bias});
          }
        }
      }
    }
  }
  return styles;
}

std::vector<Style> mixed_styles(int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto pick = [&](int below) {
    return static_cast<int>(random() % static_cast<std::uint64_t>(below));
  };
  std::vector<Style> styles;
  styles.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    styles.push_back({static_cast<Order>(pick(6)), static_cast<Product>(pick(3)),
                      static_cast<Exp>(pick(4)), static_cast<Divide>(pick(3)),
                      static_cast<Softmax>(pick(3)), static_cast<Tanh>(pick(4)),
                      static_cast<Bias>(pick(3))});
  }
  return styles;
}

float round_to_bits(double x, int bits) {
  if (x == 0 || !std::isfinite(x)) return static_cast<float>(x);
  const double scale = std::ldexp(1.0, bits - 1 - std::ilogb(x));
  return static_cast<float>(std::nearbyint(x * scale) / scale);
}

float Machine::err(double exact, double ulps) {
  if (exact == 0 || std::isinf(exact)) return static_cast<float>(exact);
  double by = ulps;
  if (style_.bias == Bias::down) by = -ulps;
  if (style_.bias == Bias::random) {
    by = ulps * std::uniform_real_distribution<double>(-1, 1)(random_);
  }
  // Towards zero, so that rounding to float does not go past the error allowed.
  const double moved = exact + by * ulp(exact);
  const float rounded = static_cast<float>(moved);
  if (std::fabs(rounded - exact) <= std::fabs(ulps) * ulp(exact)) return rounded;
  return std::nextafterf(rounded, static_cast<float>(exact));
}

float Machine::sum(Floats terms) {
  if (terms.empty()) return 0;
  switch (style_.order) {
    case Order::pairwise:
      return pairwise(terms, 0, terms.size());
    case Order::lanes: {
      Floats lanes(32);
      for (std::size_t i = 0; i < terms.size(); ++i) lanes[i % 32] += terms[i];
      return butterfly(lanes);
    }
    case Order::kahan: {
      float total = 0, lost = 0;
      for (const float term : terms) {
        const float y = term - lost, next = total + y;
        lost = (next - total) - y;
        total = next;
      }
      return total;
    }
    case Order::backward:
      std::reverse(terms.begin(), terms.end());
      break;
    case Order::shuffled:
      std::shuffle(terms.begin(), terms.end(), random_);
      break;
    case Order::forward:
      break;
  }
  float total = terms[0];
  for (std::size_t i = 1; i < terms.size(); ++i) total += terms[i];
  return total;
}

float Machine::dot(const Floats& a, const Floats& b, bool has_start, float start) {
  Floats terms;
  if (has_start) terms.push_back(start);
  int bits = 24;
  if (style_.product == Product::tf32 || style_.product == Product::half) bits = 11;
  if (style_.product == Product::bfloat16) bits = 8;
  switch (style_.product) {
    case Product::fused:
      if (style_.order == Order::forward || style_.order == Order::backward) {
        float total = has_start ? start : 0;
        for (std::size_t n = 0; n < a.size(); ++n) {
          const std::size_t i = style_.order == Order::forward ? n : a.size() - 1 - n;
          total = std::fma(a[i], b[i], total);
        }
        return total;
      }
      if (style_.order == Order::lanes) {
        Floats lanes(32);
        for (std::size_t i = 0; i < a.size(); ++i)
          lanes[i % 32] = std::fma(a[i], b[i], lanes[i % 32]);
        const float total = butterfly(lanes);
        return has_start ? start + total : total;
      }
      [[fallthrough]];  // the other orders add rounded products
    case Product::plain:
      for (std::size_t i = 0; i < a.size(); ++i) terms.push_back(a[i] * b[i]);
      return sum(std::move(terms));
    case Product::three_tf32:
      for (std::size_t i = 0; i < a.size(); ++i) {
        const float a_high = round_to_bits(a[i], 11), b_high = round_to_bits(b[i], 11);
        const float a_low = round_to_bits(a[i] - a_high, 11);
        const float b_low = round_to_bits(b[i] - b_high, 11);
        terms.insert(terms.end(), {a_low * b_high, a_high * b_low, a_high * b_high});
      }
      return sum(std::move(terms));
    case Product::tf32:
    case Product::half:
    case Product::bfloat16:
      for (std::size_t i = 0; i < a.size(); ++i) {
        terms.push_back(round_to_bits(a[i], bits) * round_to_bits(b[i], bits));
      }
      return sum(std::move(terms));
  }
  return 0;
}

float Machine::exp(float x) {
  if (x < -104) return 0;
  if (x > 88.8F) return INFINITY;
  switch (style_.exp) {
    case Exp::rounded:
      return static_cast<float>(std::exp(static_cast<double>(x)));
    case Exp::library:
      if (x == 0) return 1;
      return err(std::exp(static_cast<double>(x)), 2.5);
    case Exp::fast:
      if (x == 0) return 1;
      return err(std::exp(static_cast<double>(x)), 2.5 + std::floor(std::fabs(1.173 * x)));
    case Exp::base_two:
      if (x == 0) return 1;
      return exp2(x * log2_e);
  }
  return 0;
}

float Machine::exp2(float x) {
  if (x < -150) return 0;
  return x == 0 ? 1 : err(std::exp2(static_cast<double>(x)), 2.5);
}

float Machine::tanh(float v) {
  switch (style_.tanh) {
    case Tanh::library: {
      if (std::fabs(v) > 9.02F) return std::copysign(1.0F, v);
      const float t = err(std::tanh(static_cast<double>(v)), 2.5);
      return std::clamp(t, -1.0F, 1.0F);
    }
    case Tanh::by_exp:
      return 1 - divide(2, 1 + exp(2 * v));
    case Tanh::by_exp_of_minus_abs: {
      const float e = exp(-2 * std::fabs(v));
      return std::copysign(divide(1 - e, 1 + e), v);
    }
    case Tanh::sigmoid:
      return 2 * divide(1, 1 + exp(-2 * v)) - 1;
  }
  return 0;
}

float Machine::divide(float a, float b) {
  switch (style_.divide) {
    case Divide::exact:
      return a / b;
    case Divide::reciprocal:
      if (b == 1) return a;
      return a * err(1 / static_cast<double>(b), 1.5);
    case Divide::approximate:
      if (b == 1) return a;
      if (std::fabs(b) > 0x1p126F) return 0;
      return err(static_cast<double>(a) / b, 2.5);
  }
  return 0;
}

}  // namespace oracle_test
