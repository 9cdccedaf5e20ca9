// 051 train_step, fast: 15 launches instead of 38 where there are few experts, 19 with more than
// 16, and 8 where the layer is small.
//
// The forward's last pass over the tokens, the loss, its gradient and the backward's first pass are
// one launch: what a token needs is in its warp's registers. The gradients are zeroed beside the
// gathering of rows, and all five arrays are updated at once. Where the launches are what a step
// takes, the products are done in tiles of their own, with what stands before and behind them
// (solutions/fast/small_layer.h). The step is not captured as a graph here: to make a graph takes
// longer than to launch its kernels once, and one that is kept from call to call would hold
// addresses of arrays that may be gone. 052, which knows how many steps there are, does it.
//
// calls: 017_router_logits 029_expert_up 032_expert_down
// calls: 020_router_backward 037_expert_hidden_grad 038_expert_activation_grad
// calls: 039_expert_up_grads 044_aux_loss_backward
#include "../fast/small_layer.h"

void train_step(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, cudaStream_t stream) {
  if (fast::is_small(config, params, grads, X, target, ws, out, dOut, dX)) {
    const fast::SmallLayer layer{config, params, grads, ws, X, dX};
    if (config.activation == Activation::relu) {
      fast::small_step<fast::Relu, fast::ReluGrad>(layer, target, out, dOut, lr, stream);
    } else {
      fast::small_step<fast::Gelu, fast::GeluGrad>(layer, target, out, dOut, lr, stream);
    }
    return;
  }
  fast::layer_up_to_rows(config, params, X, ws, &grads, stream);
  fast::layer_at_tokens<fast::kForward | fast::kLoss | fast::kBackward>(config, params, target, ws,
                                                                        out, dOut, stream);
  fast::layer_from_rows(config, params, X, ws, grads, dX, stream);
  fast::in_params(fast::ParamBlocks(params, grads, config), fast::UpdateParams{lr}, stream);
}
