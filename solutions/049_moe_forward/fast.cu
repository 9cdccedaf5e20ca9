// 049 moe_forward, fast: 8 launches instead of 16.
//
// From logits to slots, the auxiliary loss included, are two launches (solutions/fast/route.h); the
// rows' bias is added where the tokens read them, and between the experts' products there is one
// pass. What is left is bound by the products, or, in a small layer, by the launches.
//
// calls: 017_router_logits 029_expert_up 032_expert_down
#include "../fast/layer.h"

void moe_forward(const MoeConfig& config, const MoeParams& params, const float* X, MoeWorkspace& ws,
                 float* out, cudaStream_t stream) {
  fast::layer_up_to_rows(config, params, X, ws, nullptr, stream);
  fast::layer_at_tokens<fast::kForward>(config, params, nullptr, ws, out, nullptr, stream);
}
