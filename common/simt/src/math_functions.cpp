#include "simt/math_functions.h"

#include <cmath>

namespace {

constexpr double pi = 3.141592653589793238462643383279502884;
constexpr double sqrt_half = 0.707106781186547524400844362104849039;

double sine_of_pi(double x) {
  return std::sin(pi * std::remainder(x, 2.0));
}
double cosine_of_pi(double x) {
  return std::cos(pi * std::remainder(x, 2.0));
}

// The inverse of erf: Giles's approximation (in "GPU Computing Gems", 2011), then two Newton steps.
double inverse_erf(double x) {
  if (!(std::fabs(x) < 1)) return std::fabs(x) == 1 ? std::copysign(INFINITY, x) : NAN;
  const double w = -std::log((1 - x) * (1 + x));
  double r = x *
             std::sqrt(std::sqrt(std::pow(2 / (pi * 0.147) - w / 2, 2) + w / 0.147) -
                       (2 / (pi * 0.147) - w / 2)) /
             (x == 0 ? 1 : std::fabs(x));
  for (int i = 0; i < 3; ++i) r -= (std::erf(r) - x) * std::exp(r * r) * std::sqrt(pi) / 2;
  return r;
}

double inverse_erfc(double y) {
  if (!(y > 0 && y < 2)) return y == 0 ? INFINITY : y == 2 ? -INFINITY : NAN;
  if (y > 0.0625) return inverse_erf(1 - y);
  double r = std::sqrt(-std::log(y * std::sqrt(pi) * std::sqrt(-std::log(y))));
  for (int i = 0; i < 6; ++i) r += (std::erfc(r) - y) * std::exp(r * r) * std::sqrt(pi) / 2;
  return r;
}

// exp(x^2) erfc(x), by its continued fraction where erfc vanishes.
double scaled_erfc(double x) {
  if (x < 10) return std::exp(x * x) * std::erfc(x);
  double f = 0;
  for (int k = 60; k > 0; --k) f = (k / 2.0) / (x + f);
  return 1 / (std::sqrt(pi) * (x + f));
}

// The modified Bessel function I of order 0 or 1. The library's throws past some millions, where
// the value has long been infinite.
double bessel_i(int order, double x) {
  const double size = std::fabs(x);
  const double value = size > 720 ? INFINITY : std::cyl_bessel_i(order, size);
  return order == 1 && x < 0 ? -value : value;
}

}  // namespace

// clang-format off
extern "C" {
float rsqrtf(float x) noexcept { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }
double rsqrt(double x) noexcept { return static_cast<double>(1.0 / std::sqrt(static_cast<double>(x))); }
float rcbrtf(float x) noexcept { return static_cast<float>(1.0 / std::cbrt(static_cast<double>(x))); }
double rcbrt(double x) noexcept { return static_cast<double>(1.0 / std::cbrt(static_cast<double>(x))); }
float sinpif(float x) noexcept { return static_cast<float>(sine_of_pi(x)); }
double sinpi(double x) noexcept { return static_cast<double>(sine_of_pi(x)); }
float cospif(float x) noexcept { return static_cast<float>(cosine_of_pi(x)); }
double cospi(double x) noexcept { return static_cast<double>(cosine_of_pi(x)); }
float erfinvf(float x) noexcept { return static_cast<float>(inverse_erf(x)); }
double erfinv(double x) noexcept { return static_cast<double>(inverse_erf(x)); }
float erfcinvf(float x) noexcept { return static_cast<float>(inverse_erfc(x)); }
double erfcinv(double x) noexcept { return static_cast<double>(inverse_erfc(x)); }
float erfcxf(float x) noexcept { return static_cast<float>(scaled_erfc(x)); }
double erfcx(double x) noexcept { return static_cast<double>(scaled_erfc(x)); }
float normcdff(float x) noexcept { return static_cast<float>(0.5 * std::erfc(-static_cast<double>(x) * sqrt_half)); }
double normcdf(double x) noexcept { return static_cast<double>(0.5 * std::erfc(-static_cast<double>(x) * sqrt_half)); }
float normcdfinvf(float x) noexcept { return static_cast<float>(-inverse_erfc(2 * static_cast<double>(x)) / sqrt_half); }
double normcdfinv(double x) noexcept { return static_cast<double>(-inverse_erfc(2 * static_cast<double>(x)) / sqrt_half); }
float rhypotf(float x, float y) noexcept { return static_cast<float>(1.0 / std::hypot(static_cast<double>(x), static_cast<double>(y))); }
double rhypot(double x, double y) noexcept { return static_cast<double>(1.0 / std::hypot(static_cast<double>(x), static_cast<double>(y))); }
float norm3df(float x, float y, float z) noexcept { return static_cast<float>(std::hypot(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z))); }
double norm3d(double x, double y, double z) noexcept { return static_cast<double>(std::hypot(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z))); }
float rnorm3df(float x, float y, float z) noexcept { return static_cast<float>(1.0 / std::hypot(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z))); }
double rnorm3d(double x, double y, double z) noexcept { return static_cast<double>(1.0 / std::hypot(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z))); }
float norm4df(float x, float y, float z, float w) noexcept { return static_cast<float>(std::hypot(std::hypot(static_cast<double>(x), static_cast<double>(y)), std::hypot(static_cast<double>(z), static_cast<double>(w)))); }
double norm4d(double x, double y, double z, double w) noexcept { return static_cast<double>(std::hypot(std::hypot(static_cast<double>(x), static_cast<double>(y)), std::hypot(static_cast<double>(z), static_cast<double>(w)))); }
float rnorm4df(float x, float y, float z, float w) noexcept { return static_cast<float>(1.0 / std::hypot(std::hypot(static_cast<double>(x), static_cast<double>(y)), std::hypot(static_cast<double>(z), static_cast<double>(w)))); }
double rnorm4d(double x, double y, double z, double w) noexcept { return 1.0 / std::hypot(std::hypot(x, y), std::hypot(z, w)); }
float cyl_bessel_i0f(float x) noexcept { return static_cast<float>(bessel_i(0, x)); }
double cyl_bessel_i0(double x) noexcept { return bessel_i(0, x); }
float cyl_bessel_i1f(float x) noexcept { return static_cast<float>(bessel_i(1, x)); }
double cyl_bessel_i1(double x) noexcept { return bessel_i(1, x); }
float fdividef(float x, float y) noexcept { return x / y; }
double fdivide(double x, double y) noexcept { return x / y; }
void sincospif(float x, float* sine, float* cosine) noexcept { *sine = sinpif(x); *cosine = cospif(x); }
void sincospi(double x, double* sine, double* cosine) noexcept { *sine = sinpi(x); *cosine = cospi(x); }
}
// clang-format on
