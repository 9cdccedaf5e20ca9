// CUDA's vector types, with the sizes and alignments that the hardware's vector accesses need, and
// dim3. Their make_* functions are in vector_functions.h.
#pragma once

// Also usable by C-style code: aggregates without constructors.
struct char1 {
  signed char x;
};
struct __attribute__((aligned(2))) char2 {
  signed char x, y;
};
struct char3 {
  signed char x, y, z;
};
struct __attribute__((aligned(4))) char4 {
  signed char x, y, z, w;
};
struct uchar1 {
  unsigned char x;
};
struct __attribute__((aligned(2))) uchar2 {
  unsigned char x, y;
};
struct uchar3 {
  unsigned char x, y, z;
};
struct __attribute__((aligned(4))) uchar4 {
  unsigned char x, y, z, w;
};
struct short1 {
  short x;
};
struct __attribute__((aligned(4))) short2 {
  short x, y;
};
struct short3 {
  short x, y, z;
};
struct __attribute__((aligned(8))) short4 {
  short x, y, z, w;
};
struct ushort1 {
  unsigned short x;
};
struct __attribute__((aligned(4))) ushort2 {
  unsigned short x, y;
};
struct ushort3 {
  unsigned short x, y, z;
};
struct __attribute__((aligned(8))) ushort4 {
  unsigned short x, y, z, w;
};
struct int1 {
  int x;
};
struct __attribute__((aligned(8))) int2 {
  int x, y;
};
struct int3 {
  int x, y, z;
};
struct __attribute__((aligned(16))) int4 {
  int x, y, z, w;
};
struct uint1 {
  unsigned int x;
};
struct __attribute__((aligned(8))) uint2 {
  unsigned int x, y;
};
struct uint3 {
  unsigned int x, y, z;
};
struct __attribute__((aligned(16))) uint4 {
  unsigned int x, y, z, w;
};
struct long1 {
  long int x;
};
struct __attribute__((aligned(16))) long2 {
  long int x, y;
};
struct long3 {
  long int x, y, z;
};
struct __attribute__((aligned(16))) long4 {
  long int x, y, z, w;
};
struct ulong1 {
  unsigned long int x;
};
struct __attribute__((aligned(16))) ulong2 {
  unsigned long int x, y;
};
struct ulong3 {
  unsigned long int x, y, z;
};
struct __attribute__((aligned(16))) ulong4 {
  unsigned long int x, y, z, w;
};
struct longlong1 {
  long long int x;
};
struct __attribute__((aligned(16))) longlong2 {
  long long int x, y;
};
struct longlong3 {
  long long int x, y, z;
};
struct __attribute__((aligned(16))) longlong4 {
  long long int x, y, z, w;
};
struct ulonglong1 {
  unsigned long long int x;
};
struct __attribute__((aligned(16))) ulonglong2 {
  unsigned long long int x, y;
};
struct ulonglong3 {
  unsigned long long int x, y, z;
};
struct __attribute__((aligned(16))) ulonglong4 {
  unsigned long long int x, y, z, w;
};
struct float1 {
  float x;
};
struct __attribute__((aligned(8))) float2 {
  float x, y;
};
struct float3 {
  float x, y, z;
};
struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};
struct double1 {
  double x;
};
struct __attribute__((aligned(16))) double2 {
  double x, y;
};
struct double3 {
  double x, y, z;
};
struct __attribute__((aligned(16))) double4 {
  double x, y, z, w;
};

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
