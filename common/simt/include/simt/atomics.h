// Atomic functions of device code, with CUDA's overloads. Those that end in _block are atomic
// within a block alone; those in _system, everywhere. Each returns the old value.
#pragma once

#include "../vector_types.h"

int atomicAdd(int* address, int value) noexcept;
int atomicAdd_block(int* address, int value) noexcept;
int atomicAdd_system(int* address, int value) noexcept;
unsigned int atomicAdd(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicAdd_block(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicAdd_system(unsigned int* address, unsigned int value) noexcept;
unsigned long long int atomicAdd(unsigned long long int* address,
                                 unsigned long long int value) noexcept;
unsigned long long int atomicAdd_block(unsigned long long int* address,
                                       unsigned long long int value) noexcept;
unsigned long long int atomicAdd_system(unsigned long long int* address,
                                        unsigned long long int value) noexcept;
float atomicAdd(float* address, float value) noexcept;
float atomicAdd_block(float* address, float value) noexcept;
float atomicAdd_system(float* address, float value) noexcept;
double atomicAdd(double* address, double value) noexcept;
double atomicAdd_block(double* address, double value) noexcept;
double atomicAdd_system(double* address, double value) noexcept;
float2 atomicAdd(float2* address, float2 value) noexcept;
float2 atomicAdd_block(float2* address, float2 value) noexcept;
float2 atomicAdd_system(float2* address, float2 value) noexcept;
float4 atomicAdd(float4* address, float4 value) noexcept;
float4 atomicAdd_block(float4* address, float4 value) noexcept;
float4 atomicAdd_system(float4* address, float4 value) noexcept;

int atomicSub(int* address, int value) noexcept;
int atomicSub_block(int* address, int value) noexcept;
int atomicSub_system(int* address, int value) noexcept;
unsigned int atomicSub(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicSub_block(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicSub_system(unsigned int* address, unsigned int value) noexcept;

int atomicExch(int* address, int value) noexcept;
int atomicExch_block(int* address, int value) noexcept;
int atomicExch_system(int* address, int value) noexcept;
unsigned int atomicExch(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicExch_block(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicExch_system(unsigned int* address, unsigned int value) noexcept;
unsigned long long int atomicExch(unsigned long long int* address,
                                  unsigned long long int value) noexcept;
unsigned long long int atomicExch_block(unsigned long long int* address,
                                        unsigned long long int value) noexcept;
unsigned long long int atomicExch_system(unsigned long long int* address,
                                         unsigned long long int value) noexcept;
float atomicExch(float* address, float value) noexcept;
float atomicExch_block(float* address, float value) noexcept;
float atomicExch_system(float* address, float value) noexcept;

int atomicMin(int* address, int value) noexcept;
int atomicMin_block(int* address, int value) noexcept;
int atomicMin_system(int* address, int value) noexcept;
unsigned int atomicMin(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicMin_block(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicMin_system(unsigned int* address, unsigned int value) noexcept;
long long int atomicMin(long long int* address, long long int value) noexcept;
long long int atomicMin_block(long long int* address, long long int value) noexcept;
long long int atomicMin_system(long long int* address, long long int value) noexcept;
unsigned long long int atomicMin(unsigned long long int* address,
                                 unsigned long long int value) noexcept;
unsigned long long int atomicMin_block(unsigned long long int* address,
                                       unsigned long long int value) noexcept;
unsigned long long int atomicMin_system(unsigned long long int* address,
                                        unsigned long long int value) noexcept;

int atomicMax(int* address, int value) noexcept;
int atomicMax_block(int* address, int value) noexcept;
int atomicMax_system(int* address, int value) noexcept;
unsigned int atomicMax(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicMax_block(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicMax_system(unsigned int* address, unsigned int value) noexcept;
long long int atomicMax(long long int* address, long long int value) noexcept;
long long int atomicMax_block(long long int* address, long long int value) noexcept;
long long int atomicMax_system(long long int* address, long long int value) noexcept;
unsigned long long int atomicMax(unsigned long long int* address,
                                 unsigned long long int value) noexcept;
unsigned long long int atomicMax_block(unsigned long long int* address,
                                       unsigned long long int value) noexcept;
unsigned long long int atomicMax_system(unsigned long long int* address,
                                        unsigned long long int value) noexcept;

unsigned int atomicInc(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicInc_block(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicInc_system(unsigned int* address, unsigned int value) noexcept;

unsigned int atomicDec(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicDec_block(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicDec_system(unsigned int* address, unsigned int value) noexcept;

int atomicAnd(int* address, int value) noexcept;
int atomicAnd_block(int* address, int value) noexcept;
int atomicAnd_system(int* address, int value) noexcept;
unsigned int atomicAnd(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicAnd_block(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicAnd_system(unsigned int* address, unsigned int value) noexcept;
unsigned long long int atomicAnd(unsigned long long int* address,
                                 unsigned long long int value) noexcept;
unsigned long long int atomicAnd_block(unsigned long long int* address,
                                       unsigned long long int value) noexcept;
unsigned long long int atomicAnd_system(unsigned long long int* address,
                                        unsigned long long int value) noexcept;

int atomicOr(int* address, int value) noexcept;
int atomicOr_block(int* address, int value) noexcept;
int atomicOr_system(int* address, int value) noexcept;
unsigned int atomicOr(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicOr_block(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicOr_system(unsigned int* address, unsigned int value) noexcept;
unsigned long long int atomicOr(unsigned long long int* address,
                                unsigned long long int value) noexcept;
unsigned long long int atomicOr_block(unsigned long long int* address,
                                      unsigned long long int value) noexcept;
unsigned long long int atomicOr_system(unsigned long long int* address,
                                       unsigned long long int value) noexcept;

int atomicXor(int* address, int value) noexcept;
int atomicXor_block(int* address, int value) noexcept;
int atomicXor_system(int* address, int value) noexcept;
unsigned int atomicXor(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicXor_block(unsigned int* address, unsigned int value) noexcept;
unsigned int atomicXor_system(unsigned int* address, unsigned int value) noexcept;
unsigned long long int atomicXor(unsigned long long int* address,
                                 unsigned long long int value) noexcept;
unsigned long long int atomicXor_block(unsigned long long int* address,
                                       unsigned long long int value) noexcept;
unsigned long long int atomicXor_system(unsigned long long int* address,
                                        unsigned long long int value) noexcept;

int atomicCAS(int* address, int compare, int value) noexcept;
int atomicCAS_block(int* address, int compare, int value) noexcept;
int atomicCAS_system(int* address, int compare, int value) noexcept;
unsigned int atomicCAS(unsigned int* address, unsigned int compare, unsigned int value) noexcept;
unsigned int atomicCAS_block(unsigned int* address, unsigned int compare,
                             unsigned int value) noexcept;
unsigned int atomicCAS_system(unsigned int* address, unsigned int compare,
                              unsigned int value) noexcept;
unsigned long long int atomicCAS(unsigned long long int* address, unsigned long long int compare,
                                 unsigned long long int value) noexcept;
unsigned long long int atomicCAS_block(unsigned long long int* address,
                                       unsigned long long int compare,
                                       unsigned long long int value) noexcept;
unsigned long long int atomicCAS_system(unsigned long long int* address,
                                        unsigned long long int compare,
                                        unsigned long long int value) noexcept;
unsigned short int atomicCAS(unsigned short int* address, unsigned short int compare,
                             unsigned short int value) noexcept;
unsigned short int atomicCAS_block(unsigned short int* address, unsigned short int compare,
                                   unsigned short int value) noexcept;
unsigned short int atomicCAS_system(unsigned short int* address, unsigned short int compare,
                                    unsigned short int value) noexcept;
