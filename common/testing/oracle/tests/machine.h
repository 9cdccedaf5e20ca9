// A simulated binary32 device: sums in many orders, fused or not, functions with the largest errors
// that the CUDA programming guide allows. The bounds must hold whatever it does.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace oracle_test {

using Floats = std::vector<float>;
using Ints = std::vector<int>;

enum class Order { forward, backward, pairwise, lanes, kahan, shuffled };
// The first three are right; the others are mistakes: operands rounded to fewer bits.
enum class Product { plain, fused, three_tf32, tf32, half, bfloat16 };
enum class Exp { rounded, library, fast, base_two };
enum class Divide { exact, reciprocal, approximate };
enum class Softmax { two_pass, online, scaled_first };
enum class Tanh { library, by_exp, by_exp_of_minus_abs, sigmoid };
// Which way the functions err: always by the most that they may, or at random.
enum class Bias { up, down, random };

struct Style {
  Order order = Order::forward;
  Product product = Product::plain;
  Exp exp = Exp::rounded;
  Divide divide = Divide::exact;
  Softmax softmax = Softmax::two_pass;
  Tanh tanh = Tanh::library;
  Bias bias = Bias::random;
};

inline constexpr float log2_e = 1.44269504F;

std::string name(const Style& style);

// All right styles of sums and products; of functions; and a mixture for whole chains.
std::vector<Style> product_styles();
std::vector<Style> softmax_styles();
std::vector<Style> tanh_styles();
std::vector<Style> mixed_styles(int count, std::uint64_t seed);

// `x` with its significand rounded to nearest at `bits` bits (24 for binary32, 11 for TF32 and
// half, 8 for bfloat16). Exponents keep their range.
float round_to_bits(double x, int bits);

class Machine {
 public:
  explicit Machine(const Style& style, std::uint64_t seed = 1) : style_(style), random_(seed) {}

  const Style& style() const { return style_; }
  std::mt19937_64& random() { return random_; }

  float sum(Floats terms);
  // start + sum a[i] b[i], where start is one more term if `has_start`.
  float dot(const Floats& a, const Floats& b, bool has_start = false, float start = 0);
  float exp(float x);
  float exp2(float x);
  float tanh(float x);
  float divide(float a, float b);
  float multiply_add(float a, float b, float c) {
    return style_.product == Product::fused ? std::fma(a, b, c) : a * b + c;
  }
  // The exact result off by at most `ulps` units in the last place, by the style's bias.
  float err(double exact, double ulps);

 private:
  Style style_;
  std::mt19937_64 random_;
};

}  // namespace oracle_test
