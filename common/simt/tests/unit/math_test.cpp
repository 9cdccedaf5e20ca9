// CUDA's own mathematical functions and its overloads of max, min and abs.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <type_traits>

TEST_CASE("overloads") {
  static_assert(std::is_same_v<decltype(max(1, 2u)), unsigned>);
  static_assert(std::is_same_v<decltype(max(1.0f, 2.0)), double>);
  static_assert(std::is_same_v<decltype(min(1ll, 2ll)), long long>);
  static_assert(std::is_same_v<decltype(::sqrt(2.0f)), float>);
  static_assert(std::is_same_v<decltype(::exp(1.0f)), float>);
  static_assert(std::is_same_v<decltype(::pow(2.0f, 2.0f)), float>);
  CHECK(max(-1, 1u) == 0xffffffffu);
  CHECK(max(NAN, 1.0f) == 1.0f);
  CHECK(abs(-2.5f) == 2.5f);
  CHECK(fmaxf(NAN, -1.0f) == -1.0f);
}

TEST_CASE("functions that only CUDA has") {
  CHECK(rsqrtf(4.0f) == 0.5f);
  CHECK(rcbrtf(8.0f) == 0.5f);
  CHECK(sinpif(0.5f) == 1.0f);
  CHECK(cospif(1.0f) == -1.0f);
  CHECK(normcdff(0.0f) == 0.5f);
  CHECK(norm3df(2.0f, 3.0f, 6.0f) == 7.0f);
  CHECK(rhypotf(3.0f, 4.0f) == doctest::Approx(0.2));
  for (double x : {-0.999999, -0.5, -1e-6, 0.0, 0.1, 0.7, 0.99}) {
    CHECK(std::erf(erfinv(x)) == doctest::Approx(x).epsilon(1e-12));
  }
  for (double y : {1e-200, 1e-20, 1e-3, 0.5, 1.0, 1.7}) {
    CHECK(std::erfc(erfcinv(y)) == doctest::Approx(y).epsilon(1e-9));
  }
  CHECK(erfcx(1.0) == doctest::Approx(std::exp(1.0) * std::erfc(1.0)));
  CHECK(erfcx(50.0) == doctest::Approx(0.0112815362653238));
  CHECK(std::isinf(erfinvf(1.0f)));
  CHECK(std::isnan(erfinvf(1.5f)));
}

TEST_CASE("modified Bessel functions") {
  struct Value {
    double x, i0, i1;
  };
  for (const Value& v : {Value{0.5, 1.0634833707413236, 0.25789430539089631},
                         Value{1, 1.2660658777520084, 0.56515910399248503},
                         Value{10, 2815.7166284662544, 2670.9883037012546},
                         Value{88, 7.0340196973223043e+36, 6.9939388227902533e+36},
                         Value{700, 1.5295933476718737e+302, 1.5285003902339006e+302}}) {
    CAPTURE(v.x);
    CHECK(cyl_bessel_i0(v.x) == doctest::Approx(v.i0).epsilon(1e-12));
    CHECK(cyl_bessel_i1(v.x) == doctest::Approx(v.i1).epsilon(1e-12));
    CHECK(cyl_bessel_i0(-v.x) == cyl_bessel_i0(v.x));
    CHECK(cyl_bessel_i1(-v.x) == -cyl_bessel_i1(v.x));
  }
  static_assert(std::is_same_v<decltype(::cyl_bessel_i0(2.0f)), float>);
  CHECK(cyl_bessel_i0f(1.0f) == 1.26606588f);
  CHECK(cyl_bessel_i1f(-1.0f) == -0.565159104f);
  CHECK(cyl_bessel_i0f(0.0f) == 1.0f);
  CHECK(cyl_bessel_i1f(0.0f) == 0.0f);
  CHECK(std::isinf(cyl_bessel_i0f(100.0f)));
  CHECK(cyl_bessel_i1(-INFINITY) == -INFINITY);
  CHECK(std::isnan(cyl_bessel_i0f(NAN)));
  CHECK(rnorm4df(2.0f, 4.0f, 5.0f, 6.0f) == doctest::Approx(1 / 9.0));
}
