#include "warp_operations.h"

#include <bit>

#include "fragments.h"
#include "heap.h"
#include "hot.h"
#include "launch.h"
#include "order.h"
#include "profile.h"
#include "reports.h"
#include "scheduler.h"

namespace simt::warp_operations {
namespace {

Thread* lanes_of(Warp& warp) {
  return &warp.block->threads[warp.index * 32];
}

template <class Visit>
void for_lanes(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
}

// The lanes that wait at the same operation with the same mask.
std::uint32_t arrived_with(Warp& warp, const WarpExchange& exchange) {
  std::uint32_t arrived = 0;
  Thread* lanes = lanes_of(warp);
  for_lanes(warp.waiting & exchange.mask, [&](unsigned lane) {
    const WarpExchange& other = lanes[lane].exchange;
    if (other.op == exchange.op && other.mask == exchange.mask) arrived |= 1u << lane;
  });
  return arrived;
}

// The same for a lane that has just come; quick while a warp gathers for one operation alone.
std::uint32_t arrive(Warp& warp, const WarpExchange& exchange, std::uint32_t bit) {
  if (warp.waiting == 0) {
    warp.gathering = exchange.op;
    warp.gathering_mask = exchange.mask;
    warp.gathered = 0;
  }
  warp.waiting |= bit;
  if (warp.gathering == exchange.op && warp.gathering_mask == exchange.mask &&
      warp.waiting == (warp.gathered | bit)) {
    return warp.gathered |= bit;
  }
  warp.gathering = WarpOp::none;
  return exchange.op == WarpOp::active_mask ? 0 : arrived_with(warp, exchange);
}

// The lane whose value a shuffle takes.
unsigned source_lane(unsigned lane, const WarpExchange& exchange) {
  const unsigned width = exchange.width;
  const unsigned first = lane & ~(width - 1);
  const unsigned inside = lane & (width - 1);
  switch (exchange.variant) {
    case 0:
      return first + (exchange.operand & (width - 1));
    case 1:
      return inside < exchange.operand ? lane : lane - exchange.operand;
    case 2:
      return inside + exchange.operand >= width ? lane : lane + exchange.operand;
    default: {
      // Lanes of groups behind one's own can't be read; those before can.
      const unsigned source = lane ^ exchange.operand;
      return source >= first + width ? lane : source;
    }
  }
}

std::uint64_t reduced(int variant, std::uint64_t a, std::uint64_t b) {
  const auto x = static_cast<std::uint32_t>(a);
  const auto y = static_cast<std::uint32_t>(b);
  const auto sx = static_cast<std::int32_t>(x);
  const auto sy = static_cast<std::int32_t>(y);
  switch (variant) {
    case 0:
      return x + y;
    case 1:
      return x < y ? x : y;
    case 2:
      return x > y ? x : y;
    case 3:
      return static_cast<std::uint32_t>(sx < sy ? sx : sy);
    case 4:
      return static_cast<std::uint32_t>(sx > sy ? sx : sy);
    case 5:
      return x & y;
    case 6:
      return x | y;
    default:
      return x ^ y;
  }
}

// Gives each arrived lane its result.
void compute(Warp& warp, std::uint32_t arrived, bool tell_absent) {
  Thread* lanes = lanes_of(warp);
  const WarpExchange& any = lanes[std::countr_zero(arrived)].exchange;
  if (any.op == WarpOp::sync) return;
  if (any.op == WarpOp::fragment) {
    wmma::share_contributions(lanes, arrived);
    return;
  }
  if (any.op == WarpOp::shuffle) {
    for_lanes(arrived, [&](unsigned lane) {
      WarpExchange& exchange = lanes[lane].exchange;
      const unsigned source = source_lane(lane, exchange);
      if ((arrived >> source & 1) != 0) {
        exchange.result = lanes[source].exchange.value;
      } else {
        exchange.result = poison_pattern() * 0x100000001u;
        if (tell_absent) reports::absent_source_lane(lanes[lane], source);
      }
    });
    return;
  }
  std::uint32_t votes = 0;
  bool all_equal = true;
  std::uint64_t reduction = any.value;
  bool first = true;
  for_lanes(arrived, [&](unsigned lane) {
    const WarpExchange& exchange = lanes[lane].exchange;
    if (exchange.value != 0) votes |= 1u << lane;
    if (exchange.value != any.value) all_equal = false;
    if (!first) reduction = reduced(exchange.variant, reduction, exchange.value);
    first = false;
  });
  for_lanes(arrived, [&](unsigned lane) {
    WarpExchange& exchange = lanes[lane].exchange;
    switch (exchange.op) {
      case WarpOp::all:
        exchange.result = votes == arrived;
        break;
      case WarpOp::any:
        exchange.result = votes != 0;
        break;
      case WarpOp::uni:
        exchange.result = votes == 0 || votes == arrived;
        break;
      case WarpOp::ballot:
        exchange.result = votes;
        break;
      case WarpOp::match_any: {
        std::uint32_t equal = 0;
        for_lanes(arrived, [&](unsigned other) {
          if (lanes[other].exchange.value == exchange.value) equal |= 1u << other;
        });
        exchange.result = equal;
        break;
      }
      case WarpOp::match_all:
        exchange.result = all_equal ? arrived : 0;
        exchange.predicate = all_equal;
        break;
      case WarpOp::reduce:
        exchange.result = reduction;
        break;
      case WarpOp::active_mask:
        exchange.result = arrived;
        break;
      case WarpOp::none:
      case WarpOp::sync:
      case WarpOp::fragment:
      case WarpOp::shuffle:
        break;
    }
  });
}

void complete(Warp& warp, std::uint32_t arrived, bool stuck = false) {
  Thread* lanes = lanes_of(warp);
  const WarpOp op = lanes[std::countr_zero(arrived)].exchange.op;
  compute(warp, arrived, !stuck && !current_launch->faulted);
  profile::warp_operation(warp, arrived, op);
  if (op != WarpOp::active_mask) order::warp_meets(warp, arrived, op == WarpOp::sync);
  warp.waiting &= ~arrived;
  warp.gathering = WarpOp::none;
  for_lanes(arrived, [&](unsigned lane) { scheduler::make_ready(lanes[lane]); });
  ++current_launch->progress;
}

}  // namespace

void meet(Thread& thread) {
  Warp& warp = *thread.warp;
  WarpExchange& exchange = thread.exchange;
  const std::uint32_t bit = 1u << thread.lane;
  if (exchange.op != WarpOp::active_mask) {
    if ((exchange.mask & bit) == 0) {
      // Nobody waits for this lane, and it for nobody: it goes on with a value of its own.
      if (!current_launch->faulted) reports::lane_not_in_mask(thread);
      exchange.result = exchange.op == WarpOp::shuffle ? exchange.value : 0;
      exchange.op = WarpOp::none;
      return;
    }
    exchange.mask &= warp.lanes;  // lanes that do not exist need not arrive
  }
  const std::uint32_t arrived = arrive(warp, exchange, bit);
  scheduler::make_waiting(thread, ThreadState::warp_op);
  if (exchange.op != WarpOp::active_mask && arrived == exchange.mask) complete(warp, arrived);
  scheduler::leave(thread);
  exchange.op = WarpOp::none;
}

bool complete_active_masks(Block& block) {
  bool changed = false;
  for (Warp& warp : block.warps) {
    Thread* lanes = lanes_of(warp);
    std::uint32_t left = 0;
    for_lanes(warp.waiting, [&](unsigned lane) {
      if (lanes[lane].exchange.op == WarpOp::active_mask) left |= 1u << lane;
    });
    while (left != 0) {
      const std::uintptr_t pc = lanes[std::countr_zero(left)].exchange.pc;
      std::uint32_t together = 0;
      for_lanes(left, [&](unsigned lane) {
        if (lanes[lane].exchange.pc == pc) together |= 1u << lane;
      });
      complete(warp, together);
      left &= ~together;
      changed = true;
    }
  }
  return changed;
}

bool complete_stuck(Block& block) {
  bool changed = false;
  for (Warp& warp : block.warps) {
    while (warp.waiting != 0) {
      const Thread& first = lanes_of(warp)[std::countr_zero(warp.waiting)];
      const std::uint32_t arrived = arrived_with(warp, first.exchange);
      reports::missing_lanes(warp, first.exchange.mask, arrived);
      complete(warp, arrived, true);
      changed = true;
    }
  }
  return changed;
}

}  // namespace simt::warp_operations
