// All oracles: the exact result of each of the fifty-two functions, with the error bound that a
// right binary32 kernel keeps, whatever its order of summation, block size or algorithm.
//
// Plain host code: no CUDA, no test framework. The bounds' derivations stand beside the sources;
// rounding.h has the model they start from.
#pragma once

#include "oracle/balance.h"
#include "oracle/bounded.h"
#include "oracle/building_blocks.h"
#include "oracle/dispatch.h"
#include "oracle/experts.h"
#include "oracle/gating.h"
#include "oracle/gelu.h"
#include "oracle/layer.h"
#include "oracle/params.h"
#include "oracle/rounding.h"
#include "oracle/router.h"
#include "oracle/training.h"
