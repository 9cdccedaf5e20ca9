// Warp operations of device code: shuffles, votes, matches and reductions. `mask` names the lanes
// that take part; every one of them must arrive with the same mask.
#pragma once

void __syncwarp(unsigned int mask = 0xffffffffu) noexcept;
unsigned int __activemask() noexcept;
int __all_sync(unsigned int mask, int predicate) noexcept;
int __any_sync(unsigned int mask, int predicate) noexcept;
int __uni_sync(unsigned int mask, int predicate) noexcept;
unsigned int __ballot_sync(unsigned int mask, int predicate) noexcept;

int __shfl_sync(unsigned int mask, int value, int source, int width = 32) noexcept;
int __shfl_up_sync(unsigned int mask, int value, unsigned int delta, int width = 32) noexcept;
int __shfl_down_sync(unsigned int mask, int value, unsigned int delta, int width = 32) noexcept;
int __shfl_xor_sync(unsigned int mask, int value, int lane_mask, int width = 32) noexcept;
unsigned int __shfl_sync(unsigned int mask, unsigned int value, int source,
                         int width = 32) noexcept;
unsigned int __shfl_up_sync(unsigned int mask, unsigned int value, unsigned int delta,
                            int width = 32) noexcept;
unsigned int __shfl_down_sync(unsigned int mask, unsigned int value, unsigned int delta,
                              int width = 32) noexcept;
unsigned int __shfl_xor_sync(unsigned int mask, unsigned int value, int lane_mask,
                             int width = 32) noexcept;
long __shfl_sync(unsigned int mask, long value, int source, int width = 32) noexcept;
long __shfl_up_sync(unsigned int mask, long value, unsigned int delta, int width = 32) noexcept;
long __shfl_down_sync(unsigned int mask, long value, unsigned int delta, int width = 32) noexcept;
long __shfl_xor_sync(unsigned int mask, long value, int lane_mask, int width = 32) noexcept;
unsigned long __shfl_sync(unsigned int mask, unsigned long value, int source,
                          int width = 32) noexcept;
unsigned long __shfl_up_sync(unsigned int mask, unsigned long value, unsigned int delta,
                             int width = 32) noexcept;
unsigned long __shfl_down_sync(unsigned int mask, unsigned long value, unsigned int delta,
                               int width = 32) noexcept;
unsigned long __shfl_xor_sync(unsigned int mask, unsigned long value, int lane_mask,
                              int width = 32) noexcept;
long long __shfl_sync(unsigned int mask, long long value, int source, int width = 32) noexcept;
long long __shfl_up_sync(unsigned int mask, long long value, unsigned int delta,
                         int width = 32) noexcept;
long long __shfl_down_sync(unsigned int mask, long long value, unsigned int delta,
                           int width = 32) noexcept;
long long __shfl_xor_sync(unsigned int mask, long long value, int lane_mask,
                          int width = 32) noexcept;
unsigned long long __shfl_sync(unsigned int mask, unsigned long long value, int source,
                               int width = 32) noexcept;
unsigned long long __shfl_up_sync(unsigned int mask, unsigned long long value, unsigned int delta,
                                  int width = 32) noexcept;
unsigned long long __shfl_down_sync(unsigned int mask, unsigned long long value, unsigned int delta,
                                    int width = 32) noexcept;
unsigned long long __shfl_xor_sync(unsigned int mask, unsigned long long value, int lane_mask,
                                   int width = 32) noexcept;
float __shfl_sync(unsigned int mask, float value, int source, int width = 32) noexcept;
float __shfl_up_sync(unsigned int mask, float value, unsigned int delta, int width = 32) noexcept;
float __shfl_down_sync(unsigned int mask, float value, unsigned int delta, int width = 32) noexcept;
float __shfl_xor_sync(unsigned int mask, float value, int lane_mask, int width = 32) noexcept;
double __shfl_sync(unsigned int mask, double value, int source, int width = 32) noexcept;
double __shfl_up_sync(unsigned int mask, double value, unsigned int delta, int width = 32) noexcept;
double __shfl_down_sync(unsigned int mask, double value, unsigned int delta,
                        int width = 32) noexcept;
double __shfl_xor_sync(unsigned int mask, double value, int lane_mask, int width = 32) noexcept;

unsigned int __match_any_sync(unsigned int mask, int value) noexcept;
unsigned int __match_all_sync(unsigned int mask, int value, int* all) noexcept;
unsigned int __match_any_sync(unsigned int mask, unsigned int value) noexcept;
unsigned int __match_all_sync(unsigned int mask, unsigned int value, int* all) noexcept;
unsigned int __match_any_sync(unsigned int mask, long value) noexcept;
unsigned int __match_all_sync(unsigned int mask, long value, int* all) noexcept;
unsigned int __match_any_sync(unsigned int mask, unsigned long value) noexcept;
unsigned int __match_all_sync(unsigned int mask, unsigned long value, int* all) noexcept;
unsigned int __match_any_sync(unsigned int mask, long long value) noexcept;
unsigned int __match_all_sync(unsigned int mask, long long value, int* all) noexcept;
unsigned int __match_any_sync(unsigned int mask, unsigned long long value) noexcept;
unsigned int __match_all_sync(unsigned int mask, unsigned long long value, int* all) noexcept;
unsigned int __match_any_sync(unsigned int mask, float value) noexcept;
unsigned int __match_all_sync(unsigned int mask, float value, int* all) noexcept;
unsigned int __match_any_sync(unsigned int mask, double value) noexcept;
unsigned int __match_all_sync(unsigned int mask, double value, int* all) noexcept;

unsigned int __reduce_add_sync(unsigned int mask, unsigned int value) noexcept;
int __reduce_add_sync(unsigned int mask, int value) noexcept;
unsigned int __reduce_min_sync(unsigned int mask, unsigned int value) noexcept;
int __reduce_min_sync(unsigned int mask, int value) noexcept;
unsigned int __reduce_max_sync(unsigned int mask, unsigned int value) noexcept;
int __reduce_max_sync(unsigned int mask, int value) noexcept;
unsigned int __reduce_and_sync(unsigned int mask, unsigned int value) noexcept;
unsigned int __reduce_or_sync(unsigned int mask, unsigned int value) noexcept;
unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value) noexcept;
