// Lessons 045 to 048: the loss, clearing gradients, the update.
#pragma once

#include "moe/types.h"
#include "oracle/bounded.h"
#include "oracle/params.h"

namespace oracle {

Bounded mse_loss(const Input& y, const Input& target);           // 045: [1]; 0 for n = 0
Bounded mse_loss_backward(const Input& y, const Input& target);  // 046: [n]
BoundedParams zero_grads(const MoeConfig& config);               // 047: exact zeros
Bounded sgd_update(const Input& w, const Input& g, double lr);   // 048: w - lr g

}  // namespace oracle
