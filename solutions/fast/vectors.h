// Four floats as one: what the fast kernels move and add by accesses of 16 bytes.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace fast {

// Whether all of these arrays may be accessed 16 bytes at a time.
template <class... Arrays>
bool aligned(const Arrays*... arrays) {
  return ((reinterpret_cast<std::uintptr_t>(arrays) % 16 == 0) && ...);
}

__device__ inline float4 load4(const float* from) {
  return *reinterpret_cast<const float4*>(from);
}

__device__ inline void store4(float* to, float4 value) {
  *reinterpret_cast<float4*>(to) = value;
}

__device__ inline float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__device__ inline float4 operator-(float4 a, float4 b) {
  return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}

__device__ inline float4 operator*(float4 a, float4 b) {
  return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}

__device__ inline float4 operator/(float4 a, float4 b) {
  return make_float4(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w);
}

// A kernel that is a template over its pack, float4 or float, has both in the same words.
template <class Pack>
__device__ Pack filled(float value);

template <>
__device__ inline float4 filled<float4>(float value) {
  return make_float4(value, value, value, value);
}

template <>
__device__ inline float filled<float>(float value) {
  return value;
}

__device__ inline float sum_of(float4 v) {
  return (v.x + v.y) + (v.z + v.w);
}

__device__ inline float sum_of(float v) {
  return v;
}

__device__ inline float max_of(float4 v) {
  return fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w));
}

__device__ inline float max_of(float v) {
  return v;
}

}  // namespace fast
