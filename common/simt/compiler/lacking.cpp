#include "lacking.h"

namespace simt::compiler {
namespace {

struct Lacking {
  std::string_view name;  // one that ends in '*' is a prefix
  std::string_view what;
  bool member = false;  // of a group or a namespace: alone the word may be anybody's
};

constexpr std::string_view packed =
    "arithmetic on bytes and halfwords packed in an int; unpack them, or use int";
constexpr std::string_view dpx = "the DPX instructions; max and min do the same";
constexpr std::string_view texture = "textures and surfaces; read global memory";
constexpr std::string_view cluster = "thread block clusters";
constexpr std::string_view split_barrier =
    "barriers in two steps or by number; __syncthreads and the groups' sync()";
constexpr std::string_view ptx = "what PTX works on";

constexpr Lacking names[] = {
    {"__vabs*", packed},
    {"__vadd*", packed},
    {"__vavg*", packed},
    {"__vcmp*", packed},
    {"__vhadd*", packed},
    {"__vmax*", packed},
    {"__vmin*", packed},
    {"__vneg*", packed},
    {"__vsad*", packed},
    {"__vset*", packed},
    {"__vsub*", packed},
    {"__viadd*", dpx},
    {"__vibm*", dpx},
    {"__vimax*", dpx},
    {"__vimin*", dpx},
    {"__cvta_*", ptx},
    {"__nvvm_*", ptx},
    {"__nv_ptx_*", ptx},
    {"__nv_atomic_*", "nvcc's own atomics; atomicAdd and its kin"},
    {"__barrier_sync*", split_barrier},
    {"__mbarrier_*", split_barrier},
    {"__pipeline_arrive_on", split_barrier},
    {"barrier_arrive", split_barrier, true},
    {"barrier_wait", split_barrier, true},
    {"__cluster*", cluster},
    {"__threadfence_cluster", cluster},
    {"__isClusterShared", cluster},
    {"__isCtaShared", cluster},
    {"cluster_group", cluster, true},
    {"this_cluster", cluster},
    {"__isGridConstant", "the space of kernel parameters"},
    {"__fmaf_ieee_*", "fused products that keep denormals; __fmaf_rn and its kin do here"},
    {"__hcmadd", "complex arithmetic on halves; write it out"},
    {"__prof_trigger", "the profiler's triggers"},
    {"normf", "norms of vectors in memory; sum the squares in a loop"},
    {"rnormf", "norms of vectors in memory; sum the squares in a loop"},
    {"reduce_update_async", "reductions into atomics; reduce and atomicAdd", true},
    {"reduce_store_async", "reductions into memory; reduce and a store", true},
    {"block_tile_memory", "tiles of more than a warp", true},
    {"this_thread", "groups of one thread", true},
    {"multi_grid_group", "grids over several devices", true},
    {"this_multi_grid", "grids over several devices", true},
    {"tex1D", texture},
    {"tex1Dfetch", texture},
    {"tex2D", texture},
    {"tex3D", texture},
    {"surf1Dread", texture},
    {"surf1Dwrite", texture},
    {"surf2Dread", texture},
    {"surf2Dwrite", texture},
    {"cudaTexture*", texture},
    {"cudaSurface*", texture},
    {"cudaArray_t", texture},
    {"cudaArray_const_t", texture},
    {"cudaCreateTextureObject", texture},
    {"cudaDestroyTextureObject", texture},
    {"cudaCreateSurfaceObject", texture},
    {"cudaDestroySurfaceObject", texture},
    {"cudaMallocArray", texture},
    {"cudaResourceDesc", texture},
    {"cudaReadMode*", texture},
};

// "'NAME' was not declared in this scope", "... has no member named 'NAME'", ...
struct Undeclared {
  std::string_view name;
  bool member = false;
};

Undeclared undeclared_in(std::string_view complaint) {
  struct Form {
    std::string_view before;
    std::string_view after;
    bool member;
  };
  static constexpr Form forms[] = {
      {"'", "' was not declared", false},
      {"there are no arguments to '", "' that depend on a template parameter", false},
      {"'", "' has not been declared", false},
      {"'", "' does not name a type", false},
      {"'", "' is not a member of '", true},
      {"'", "' in namespace '", true},
      {" has no member named '", "'", true},
  };
  for (const Form& form : forms) {
    const bool anywhere = form.before.front() == ' ';
    const std::size_t at = anywhere ? complaint.find(form.before) : 0;
    if (at == std::string_view::npos || !complaint.substr(at).starts_with(form.before)) continue;
    const std::string_view rest = complaint.substr(at + form.before.size());
    const std::size_t end = rest.find('\'');
    if (end == std::string_view::npos || !rest.substr(end).starts_with(form.after)) continue;
    return {rest.substr(0, end), form.member};
  }
  return {};
}

// Of something that the learner wrote there may be anything missing.
bool is_about_groups(std::string_view complaint) {
  return complaint.find("cooperative_groups") != std::string_view::npos ||
         complaint.find("'cg'") != std::string_view::npos;
}

bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return name == pattern;
}

}  // namespace

std::string told_as_lacking(std::string_view complaint) {
  const Undeclared undeclared = undeclared_in(complaint);
  if (undeclared.name.empty() || (undeclared.member && !is_about_groups(complaint))) return {};
  const std::string_view name = undeclared.name.substr(0, undeclared.name.find('<'));
  for (const Lacking& lacking : names) {
    if (!matches(lacking.name, name) || (lacking.member && !undeclared.member)) continue;
    if (lacking.what == packed && !name.ends_with('2') && !name.ends_with('4')) continue;
    return "'" + std::string(name) + "' needs a GPU: the CPU runtime does not have it (" +
           std::string(lacking.what) + ")";
  }
  return {};
}

}  // namespace simt::compiler
