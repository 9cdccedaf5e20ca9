#include "verify/impostors.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

namespace grade {
namespace {

struct Parameter {
  std::string type;  // "const float*", "MoeWorkspace&", "int"
  std::string name;
};

struct Array {
  std::string pointer;  // "C", "grads.W1"
  bool integer = false;
  std::string count;  // an expression in size_t
};

// What each array's name says about its size: the first of these whose sizes the function has. A
// name means the same in every lesson (curriculum, conventions).
const std::map<std::string, std::vector<std::string>>& sizes_by_name() {
  static const std::map<std::string, std::vector<std::string>> kSizes{
      {"A", {"M K", "P H", "n"}},
      {"B", {"K N"}},
      {"C", {"M N"}},
      {"X", {"rows cols", "T D"}},
      {"Y", {"rows cols"}},
      {"dY", {"rows cols"}},
      {"b", {"cols", "n"}},
      {"db", {"cols"}},
      {"a", {"n"}},
      {"out", {"n", "T D"}},
      {"x", {"n", "rows cols"}},
      {"y", {"n", "rows cols"}},
      {"dx", {"n", "rows cols"}},
      {"dy", {"n", "rows cols"}},
      {"scores", {"rows cols"}},
      {"values", {"rows k"}},
      {"indices", {"rows k"}},
      {"dvalues", {"rows k"}},
      {"gates", {"rows k", "T K"}},
      {"dgates", {"rows k", "T K"}},
      {"Wg", {"D E"}},
      {"dWg", {"D E"}},
      {"logits", {"T E"}},
      {"dlogits", {"T E"}},
      {"probs", {"T E"}},
      {"dprobs", {"T E"}},
      {"experts", {"pairs", "T K"}},
      {"counts", {"E"}},
      {"offsets", {"E+1"}},
      {"slot_of_pair", {"pairs", "T K"}},
      {"pair_of_slot", {"pairs", "T K"}},
      {"Xs", {"P D", "T K D"}},
      {"dXs", {"P D", "T K D"}},
      {"Ys", {"P D", "T K D"}},
      {"dYs", {"P D", "T K D"}},
      {"dX", {"T D"}},
      {"dX_router", {"T D"}},
      {"dOut", {"T D"}},
      {"W1", {"E D H"}},
      {"dW1", {"E D H"}},
      {"W2", {"E H D"}},
      {"dW2", {"E H D"}},
      {"b1", {"E H"}},
      {"db1", {"E H"}},
      {"b2", {"E D"}},
      {"db2", {"E D"}},
      {"Z", {"P H", "n"}},
      {"dZ", {"P H", "n"}},
      {"dA", {"P H", "n"}},
      {"fractions", {"E"}},
      {"means", {"E"}},
      {"mean_probs", {"E"}},
      {"loss", {"1"}},
      {"losses", {"2"}},
      {"target", {"n", "T D"}},
      {"w", {"n"}},
      {"g", {"n"}},
      {"loss_history", {"2 steps"}},
  };
  return kSizes;
}

// Fields of a struct parameter that the function must write, for its argument's name.
std::vector<std::string> written_fields(const std::string& function, const Parameter& parameter) {
  if (parameter.name == "grads") {
    // 040 leaves the router's gradient alone.
    if (function == "expert_backward") return {"W1", "b1", "W2", "b2"};
    return {"Wg", "W1", "b1", "W2", "b2"};
  }
  if (parameter.name == "ws" && function != "moe_backward") {
    return {"logits",  "probs",        "experts",      "gates",      "counts",
            "offsets", "slot_of_pair", "pair_of_slot", "Xs",         "Z",
            "A",       "Ys",           "fractions",    "mean_probs", "losses"};
  }
  return {};
}

const std::set<std::string>& integer_arrays() {
  static const std::set<std::string> kIntegers{"experts",      "counts",       "offsets",
                                               "slot_of_pair", "pair_of_slot", "indices"};
  return kIntegers;
}

std::string stripped(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \n\t");
  return first == std::string::npos
             ? std::string()
             : text.substr(first, text.find_last_not_of(" \n\t") - first + 1);
}

class Generator {
 public:
  Generator(const Lesson& lesson, const std::string& header) : function_(lesson.slug) {
    const std::size_t at = header.find(fmt::format("void {}(", function_));
    if (at == std::string::npos) {
      throw std::runtime_error(fmt::format("moe/kernels.h does not declare {}", function_));
    }
    const std::size_t open = header.find('(', at);
    parameters_text_ = header.substr(open + 1, header.find(')', open) - open - 1);
    std::istringstream list(parameters_text_);
    for (std::string each; std::getline(list, each, ',');) {
      const std::string text = stripped(each);
      const std::size_t space = text.find_last_of(" *&");
      parameters_.push_back({stripped(text.substr(0, space + 1)), text.substr(space + 1)});
    }
    for (const Parameter& each : parameters_) {
      if (each.type == "int") sizes_.insert(each.name);
      if (each.name == "config") sizes_.insert({"T", "D", "H", "E", "K", "P"});
    }
    find_arrays();
  }

  std::vector<Impostor> all(bool zero_is_right) const {
    std::vector<Impostor> result{{"do_nothing", file("")}};
    if (!zero_is_right) {
      result.push_back({"all_zero", file(fills("0.0f", "0"))});
    }
    result.push_back({"all_nan", file(fills("NAN", "-2147483647 - 1"))});
    for (const Array& input : inputs_) {
      const std::string copies = copies_of(input);
      if (!copies.empty()) result.push_back({"copy_of_" + input.pointer, file(copies)});
    }
    return result;
  }

 private:
  std::string count_of(const std::string& name) const {
    const auto found = sizes_by_name().find(name == "dprobs_aux" ? "dprobs" : name);
    if (found != sizes_by_name().end()) {
      for (const std::string& candidate : found->second) {
        std::istringstream factors(candidate);
        std::string product;
        bool known = true;
        for (std::string factor; factors >> factor;) {
          const std::string size = factor.substr(0, factor.find('+'));
          known = known && (sizes_.contains(size) || std::isdigit(size[0]) != 0);
          product += (product.empty() ? "" : " * ") + fmt::format("std::size_t({})", factor);
        }
        if (known) return product;
      }
    }
    throw std::runtime_error(
        fmt::format("{}: the size of {} does not follow from its name", function_, name));
  }

  void find_arrays() {
    for (const Parameter& each : parameters_) {
      if (each.type.ends_with("*")) {
        const bool input = each.type.starts_with("const");
        const bool integer = each.type.find("int") != std::string::npos;
        (input ? inputs_ : outputs_).push_back({each.name, integer, count_of(each.name)});
      } else if (each.type.ends_with("&")) {
        for (const std::string& field : written_fields(function_, each)) {
          outputs_.push_back({fmt::format("{}.{}", each.name, field),
                              integer_arrays().contains(field), count_of(field)});
        }
      }
    }
  }

  std::string fills(const char* real, const char* integer) const {
    std::string calls;
    for (const Array& output : outputs_) {
      calls += fmt::format("  fill({}, {}, {}, stream);\n", output.pointer, output.count,
                           output.integer ? integer : real);
    }
    return calls;
  }

  std::string copies_of(const Array& input) const {
    std::string calls;
    for (const Array& output : outputs_) {
      if (output.integer != input.integer) continue;
      calls += fmt::format("  copy({}, {}, {}, {}, stream);\n", output.pointer, output.count,
                           input.pointer, input.count);
    }
    return calls;
  }

  std::string file(const std::string& body) const {
    std::string text = fmt::format(
        "// Generated: no grader may accept it.\n"
        "#include <cmath>\n"
        "#include <cstddef>\n\n"
        "#include \"moe/kernels.h\"\n\n");
    if (!body.empty()) text += helpers;
    text += fmt::format("void {}({}) {{\n", function_, parameters_text_);
    if (body.empty()) {
      for (const Parameter& each : parameters_) text += fmt::format("  (void){};\n", each.name);
      return text + "}\n";
    }
    if (std::any_of(parameters_.begin(), parameters_.end(),
                    [](const Parameter& each) { return each.name == "config"; })) {
      text +=
          "  const int T = config.T, D = config.D, H = config.H, E = config.E, K = config.K;\n"
          "  const int P = T * K;\n"
          "  (void)T, (void)D, (void)H, (void)E, (void)K, (void)P;\n";
    }
    for (const Parameter& each : parameters_) text += fmt::format("  (void){};\n", each.name);
    return text + body + "}\n";
  }

  static constexpr const char* helpers = R"(namespace {

template <class T>
__global__ void fill_kernel(T* to, std::size_t count, T value) {
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    to[i] = value;
  }
}

template <class T>
__global__ void copy_kernel(T* to, std::size_t count, const T* from, std::size_t period) {
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    to[i] = from[i % period];
  }
}

inline unsigned blocks_for(std::size_t count) {
  const std::size_t blocks = (count + 127) / 128;
  return unsigned(blocks < 65535 ? blocks : 65535);
}

template <class T, class V>
[[maybe_unused]] void fill(T* to, std::size_t count, V value, cudaStream_t stream) {
  if (count == 0) return;
  fill_kernel<T><<<blocks_for(count), 128, 0, stream>>>(to, count, T(value));
}

template <class T>
[[maybe_unused]] void copy(T* to, std::size_t count, const T* from, std::size_t period,
                           cudaStream_t stream) {
  if (count == 0 || period == 0 || from == nullptr) return;
  copy_kernel<T><<<blocks_for(count), 128, 0, stream>>>(to, count, from, period);
}

}  // namespace

)";

  std::string function_;
  std::string parameters_text_;
  std::vector<Parameter> parameters_;
  std::set<std::string> sizes_;
  std::vector<Array> inputs_;
  std::vector<Array> outputs_;
};

}  // namespace

std::vector<Impostor> impostors(const Lesson& lesson, const std::string& header) {
  return Generator(lesson, header).all(lesson.slug == "zero_grads");
}

}  // namespace grade
