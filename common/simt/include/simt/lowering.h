// What the launch rewriter emits: the contract between rewritten kernels and the runtime.
//
// cuda_runtime.h includes this header, so rewritten code needs nothing else. A learner writes none
// of it. What becomes of what, always on the same line:
//
// clang-format off
//   k<<<g, b, s, q>>>(a, 0);
//     (::simt::launch("k", __LINE__, k, [&](auto&... a){k(a...);}) | ::simt::config(g, b, s, q))(a, 0);
//   tk<<<g, b>>>(p);                     (a template whose arguments are deduced, or an overload set)
//     (::simt::launch("tk", __LINE__, [&](auto&... a){tk(a...);}) | ::simt::config(g, b))(p);
//   __shared__ float a[32][33];
//     typedef float a_simt[32][33];
//     static constinit ::simt::SharedSite a_simt_site = ::simt::shared_site<a_simt>("a", __LINE__);
//     a_simt& a = ::simt::shared_variable<a_simt>(a_simt_site);
//   extern __shared__ float s[];
//     float* s = ::simt::dynamic_shared<float>("s", __LINE__);
//   Both at file scope: the site stays there, the reference moves into every function that names it.
//   __device__ float x[4];               (__constant__ and __managed__ alike)
//     float x[4]; static const ::simt::RegisterSymbol x_simt(x, "x", ::simt::SymbolKind::device_memory);
//   __global__ void __launch_bounds__(256, 2) k(...) { body }
//     void k(...) { ::simt::launch_bounds(256, 2); body }
//     static const ::simt::RegisterKernel k_simt(k, "k", 256);     (neither template nor overloaded)
//   template <class T, int N> __global__ void k(...) { body }
//     ... { static_cast<void>(&::simt::kernel_instance<&k<T, N>, "k", static_cast<int>(0)>); body }
//   void f(const float* a, int n, cudaStream_t s) { body }         (of the global namespace)
//     void f(const float* a, int n, cudaStream_t s) {
//       const ::simt::HostCall simt_host_call(__builtin_return_address(0), "f", {{"n", n}}); body }
// clang-format on
//
// Alignment attributes of shared variables may be dropped: all are aligned to 128 bytes. Kernels,
// and device functions with a barrier in their body, get __attribute__((noinline)). Barriers
// themselves are macros of cuda_runtime.h that pass __COUNTER__ and __LINE__.
//
// Compile with -fsanitize=thread, preprocess with the same flags (cuda_runtime.h looks at
// __SANITIZE_THREAD__), link with libsimt.so and never with libtsan.
#pragma once

#include <stddef.h>

#include <initializer_list>

#include "pointer_invoker.h"
#include "vector_types.h"

struct CUstream_st;

namespace simt {

// ---- Launches ----

struct Config {
  dim3 grid;
  dim3 block;
  size_t shared_bytes = 0;
  CUstream_st* stream = nullptr;
};

inline Config config(dim3 grid, dim3 block, size_t shared_bytes = 0,
                     CUstream_st* stream = nullptr) {
  return {grid, block, shared_bytes, stream};
}

// A variable that is no business of -ftrivial-auto-var-init: where padding follows an array of
// structs, g++ 12 clears part of the array in its place.
#define SIMT_WHOLE __attribute__((uninitialized))

namespace detail {

struct LaunchSite {
  const char* kernel;
  const char* file;
  int line;
  const void* entry;  // the kernel's address, null where it is not known
};

// Runs `invoke(closure)` once for each CUDA thread. `closure` holds the kernel's arguments.
void run_launch(const LaunchSite& site, const Config& config, void (*invoke)(void*), void* closure,
                size_t closure_bytes);

// The closure's own bytes are the kernel's arguments; the checks let a kernel read them.
template <class Closure>
__attribute__((no_sanitize("thread"), noinline)) void invoke_closure(void* closure) {
  (*static_cast<Closure*>(closure))();
}

template <class Closure>
void start(const LaunchSite& site, const Config& config, Closure& closure) {
  run_launch(site, config, &invoke_closure<Closure>, &closure, sizeof closure);
}

}  // namespace detail

// A function of host code that takes a stream, for as long as it runs.
class HostCall {
 public:
  struct Size {
    const char* name;
    int value;
  };
  HostCall(void* caller, const char* function, std::initializer_list<Size> sizes);
  ~HostCall();
  HostCall(const HostCall&) = delete;
  HostCall& operator=(const HostCall&) = delete;
};

template <class ByName>
class NamedLaunch {
 public:
  NamedLaunch(const detail::LaunchSite& site, ByName by_name) : site_(site), by_name_(by_name) {}
  NamedLaunch operator|(const Config& config) const {
    NamedLaunch configured = *this;
    configured.config_ = config;
    return configured;
  }
  template <class... A>
  void operator()(A... arguments) const {
    SIMT_WHOLE auto closure =
        [call = by_name_, ... copies = static_cast<A&&>(arguments)]() mutable { call(copies...); };
    detail::start(site_, config_, closure);
  }

 private:
  detail::LaunchSite site_;
  ByName by_name_;
  Config config_;
};

template <class ByName, class... P>
class TypedLaunch {
 public:
  TypedLaunch(const detail::LaunchSite& site, void (*kernel)(P...), ByName by_name)
      : site_(site), kernel_(kernel), by_name_(by_name) {}
  TypedLaunch operator|(const Config& config) const {
    TypedLaunch configured = *this;
    configured.config_ = config;
    return configured;
  }
  // The parameters are the kernel's own, so every conversion is the one of a plain call.
  void operator()(P... parameters) const {
    SIMT_WHOLE auto closure =
        [call = kernel_, ... copies = static_cast<P&&>(parameters)]() mutable { call(copies...); };
    detail::start(site_, config_, closure);
  }
  // Fewer arguments than parameters: the kernel has default arguments.
  template <class... A>
  requires(sizeof...(A) < sizeof...(P)) void operator()(A... arguments) const {
    (NamedLaunch<ByName>(site_, by_name_) | config_)(static_cast<A&&>(arguments)...);
  }

 private:
  detail::LaunchSite site_;
  void (*kernel_)(P...);
  ByName by_name_;
  Config config_;
};

template <class ByName, class... P>
TypedLaunch<ByName, P...> launch(const char* name, int line, void (*kernel)(P...), ByName by_name,
                                 const char* file = __builtin_FILE()) {
  return {{name, file, line, reinterpret_cast<const void*>(kernel)}, kernel, by_name};
}

template <class ByName>
NamedLaunch<ByName> launch(const char* name, int line, ByName by_name,
                           const char* file = __builtin_FILE()) {
  return {{name, file, line, nullptr}, by_name};
}

// First statement of a kernel with __launch_bounds__: ends the launch with an error, before it had
// any effect, when the block is larger.
void launch_bounds(int max_threads, int min_blocks = 0, int max_cluster = 0) noexcept;

// ---- Shapes of arrays, for reports ----

struct ArrayShape {
  size_t element_bytes = 0;
  int rank = 0;
  size_t extents[4] = {0, 0, 0, 0};
};

namespace detail {

template <class T>
struct ShapeOf {
  static constexpr void fill(ArrayShape& shape) { shape.element_bytes = sizeof(T); }
};
template <class T, size_t N>
struct ShapeOf<T[N]> {
  static constexpr void fill(ArrayShape& shape) {
    if (shape.rank < 4) shape.extents[shape.rank] = N;
    ++shape.rank;
    ShapeOf<T>::fill(shape);
  }
};

}  // namespace detail

template <class T>
constexpr ArrayShape shape_of() {
  ArrayShape shape;
  detail::ShapeOf<T>::fill(shape);
  return shape;
}

// ---- Shared memory ----

// One static __shared__ variable of one function (instantiation). Its place in the block's shared
// memory is given by the runtime when a launch first reaches the declaration.
struct SharedSite {
  const char* name;
  size_t bytes;
  ArrayShape shape;
  int line;
  unsigned long long launch = 0;  // the launch that `address_offset` belongs to
  size_t address_offset = 0;
};

template <class T>
constexpr SharedSite shared_site(const char* name, int line) {
  return {name, sizeof(T), shape_of<T>(), line};
}

namespace detail {
void* shared_address(SharedSite& site) noexcept;
void* dynamic_shared_address(const char* name, int line, size_t element_bytes) noexcept;
}  // namespace detail

template <class T>
inline T& shared_variable(SharedSite& site) {
  return *static_cast<T*>(detail::shared_address(site));
}

template <class T>
inline T* dynamic_shared(const char* name, int line) {
  return static_cast<T*>(detail::dynamic_shared_address(name, line, sizeof(T)));
}

// ---- File-scope variables ----

enum class SymbolKind { device_memory, constant_memory, managed_memory };

class RegisterSymbol {
 public:
  template <class T>
  RegisterSymbol(T& object, const char* name, SymbolKind kind)
      : RegisterSymbol(&reinterpret_cast<const volatile char&>(object), sizeof(T), shape_of<T>(),
                       name, kind) {}
  ~RegisterSymbol();
  RegisterSymbol(const RegisterSymbol&) = delete;
  RegisterSymbol& operator=(const RegisterSymbol&) = delete;

 private:
  RegisterSymbol(const volatile void* address, size_t bytes, const ArrayShape& shape,
                 const char* name, SymbolKind kind);
  const volatile void* address_;
};

// ---- Kernels known by address ----

class RegisterKernel {
 public:
  template <class... P>
  RegisterKernel(void (*kernel)(P...), const char* name, int launch_bound)
      : RegisterKernel(reinterpret_cast<const void*>(kernel), name, launch_bound,
                       &detail::PointerInvoker<P...>::invoke) {}
  ~RegisterKernel();
  RegisterKernel(const RegisterKernel&) = delete;
  RegisterKernel& operator=(const RegisterKernel&) = delete;

 private:
  RegisterKernel(const void* kernel, const char* name, int launch_bound, void (*invoke)(void*));
  const void* kernel_;
};

// A kernel's name as a template argument.
template <size_t Size>
struct KernelName {
  char text[Size] = {};
  constexpr KernelName(const char (&name)[Size]) {
    for (size_t i = 0; i < Size; ++i) text[i] = name[i];
  }
};

// One for each instance of a template kernel, made known when the program or object is loaded.
template <auto kernel, KernelName name, int launch_bound>
inline const RegisterKernel kernel_instance(kernel, name.text, launch_bound);

// ---- Barriers ----

// `id` tells apart the barriers of one source file; the same for all copies that an optimiser makes
// of one barrier.
void barrier(int id, int line) noexcept;
int barrier_count(int predicate, int id, int line) noexcept;
int barrier_and(int predicate, int id, int line) noexcept;
int barrier_or(int predicate, int id, int line) noexcept;

}  // namespace simt
