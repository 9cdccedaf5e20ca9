// How a kernel is called whose arguments are given as an array of pointers (cudaLaunchKernel).
#pragma once

#include <stddef.h>

namespace simt::detail {

template <size_t... I>
struct Indices {};
template <size_t N, size_t... I>
struct IndicesBelow : IndicesBelow<N - 1, N - 1, I...> {};
template <size_t... I>
struct IndicesBelow<0, I...> {
  using type = Indices<I...>;
};

// The closure of a launch by address: the kernel and pointers to its arguments.
struct PointerCall {
  const void* kernel;
  void** arguments;
  // Instead of the call: shows each argument, for whoever wants to keep a copy.
  void (*visitor)(void* context, const void* value, size_t bytes) = nullptr;
  void* context = nullptr;
};

template <class... P>
struct PointerInvoker {
  template <size_t... I>
  __attribute__((no_sanitize("thread"), noinline)) static void call(const PointerCall& site,
                                                                    Indices<I...>) {
    if (site.visitor != nullptr) {
      (site.visitor(site.context, site.arguments[I], sizeof(P)), ...);
      return;
    }
    reinterpret_cast<void (*)(P...)>(const_cast<void*>(site.kernel))(
        *static_cast<P*>(site.arguments[I])...);
  }
  __attribute__((no_sanitize("thread"), noinline)) static void invoke(void* closure) {
    call(*static_cast<PointerCall*>(closure), typename IndicesBelow<sizeof...(P)>::type());
  }
};

}  // namespace simt::detail
