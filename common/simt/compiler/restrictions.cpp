#include "restrictions.h"

#include <filesystem>
#include <set>
#include <stdexcept>
#include <utility>

#include "lexer.h"
#include "source_text.h"

namespace simt::compiler {
namespace {

struct HeaderRule {
  std::string_view prefix;
  Verdict verdict;
  std::string_view reason;
};

constexpr std::string_view write_it = "the exercise is to write it";

constexpr std::string_view cub_parts =
    "of CUB the lessons allow block_reduce, block_scan, block_load, block_store, warp_reduce and "
    "warp_scan";

// First match counts; a rule that ends in '/' or '*' is a prefix.
constexpr HeaderRule header_rules[] = {
    {"thrust/*", Verdict::forbidden,
     "Thrust does the whole exercise; write the kernel, CUB's block and warp collectives "
     "(cub/block/..., cub/warp/...) are allowed"},
    {"cub/device/*", Verdict::forbidden,
     "device-wide CUB does the whole exercise; its block and warp collectives (cub/block/..., "
     "cub/warp/...) are allowed"},
    {"cub/block/block_reduce.cuh", Verdict::allowed, ""},
    {"cub/block/block_scan.cuh", Verdict::allowed, ""},
    {"cub/block/block_load.cuh", Verdict::allowed, ""},
    {"cub/block/block_store.cuh", Verdict::allowed, ""},
    {"cub/warp/warp_reduce.cuh", Verdict::allowed, ""},
    {"cub/warp/warp_scan.cuh", Verdict::allowed, ""},
    {"cub/cub.cuh", Verdict::allowed, ""},
    {"cub/*", Verdict::forbidden, cub_parts},
    {"cublas*", Verdict::forbidden, "cuBLAS does the exercise; write the kernel"},
    {"cudnn*", Verdict::forbidden, "cuDNN does the exercise; write the kernel"},
    {"cutlass/*", Verdict::forbidden, "CUTLASS does the exercise; write the kernel"},
    {"cute/*", Verdict::forbidden, "CuTe does the exercise; write the kernel"},
    {"curand*", Verdict::forbidden,
     "cuRAND is not part of the lessons; they need no random numbers"},
    {"cusparse*", Verdict::forbidden, "cuSPARSE does the exercise; write the kernel"},
    {"cusolver*", Verdict::forbidden, "cuSOLVER is not part of the lessons"},
    {"cufft*", Verdict::forbidden, "cuFFT is not part of the lessons"},
    {"cutensor*", Verdict::forbidden, "cuTENSOR does the exercise; write the kernel"},
    {"nccl*", Verdict::forbidden, "NCCL is not part of the lessons"},
    {"npp*", Verdict::forbidden, "NPP does the exercise; write the kernel"},
    {"cuda/ptx*", Verdict::needs_gpu, "PTX"},
    {"cuda/pipeline", Verdict::needs_gpu, "libcu++'s pipeline; cuda_pipeline.h has its primitives"},
    {"cuda/barrier", Verdict::needs_gpu,
     "libcu++'s barriers; __syncthreads and cooperative groups"},
    {"cuda/atomic", Verdict::needs_gpu, "libcu++'s atomics; atomicAdd and its kin"},
    {"cuda_fp8.h", Verdict::needs_gpu, "8-bit floating point; cuda_fp16.h and cuda_bf16.h have 16"},
    {"cudaTypedefs.h", Verdict::needs_gpu, "the driver API"},
    {"cuda.h", Verdict::needs_gpu, "the driver API"},
};

bool matches(std::string_view prefix, std::string_view header) {
  if (prefix.ends_with('*')) return header.starts_with(prefix.substr(0, prefix.size() - 1));
  return header == prefix;
}

struct Include {
  std::string header;
  bool quoted = false;
  int line = 0;
};

// The words after '#' of each directive, with comments and literals elsewhere skipped: the lexer
// reads everything but the directives, which leaves only their lines to look at.
std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> found;
  int line = 1;
  int disabled = 0;  // depth inside `#if 0`
  bool in_comment = false;
  std::size_t begin = 0;
  for (; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view rest = text.substr(begin, end - begin);
    begin = end + 1;
    if (in_comment) {
      const std::size_t close = rest.find("*/");
      if (close == std::string_view::npos) continue;
      in_comment = false;
      rest.remove_prefix(close + 2);
    }
    // A comment that stays open at the end of the line?
    for (std::size_t open = rest.find("/*"); open != std::string_view::npos;) {
      const std::size_t slashes = rest.find("//");
      if (slashes != std::string_view::npos && slashes < open) break;
      const std::size_t close = rest.find("*/", open + 2);
      in_comment = close == std::string_view::npos;
      open = in_comment ? std::string_view::npos : rest.find("/*", close + 2);
    }
    auto skip_spaces = [&] {
      const std::size_t first = rest.find_first_not_of(" \t");
      rest.remove_prefix(std::min(first, rest.size()));
    };
    skip_spaces();
    if (rest.empty() || rest.front() != '#') continue;
    rest.remove_prefix(1);
    skip_spaces();
    const std::size_t word_end =
        std::min(rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), rest.size());
    const std::string_view word = rest.substr(0, word_end);
    rest.remove_prefix(word_end);
    skip_spaces();
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      if (disabled > 0 || (word == "if" && (rest == "0" || rest.starts_with("0 ")))) ++disabled;
    } else if (word == "endif" && disabled > 0) {
      --disabled;
    } else if ((word == "else" || word == "elif") && disabled == 1) {
      disabled = 0;
    } else if (word == "include" && disabled == 0 && !rest.empty() &&
               (rest.front() == '<' || rest.front() == '"')) {
      const bool is_quoted = rest.front() == '"';
      const std::size_t close = rest.find(is_quoted ? '"' : '>', 1);
      if (close != std::string_view::npos) {
        found.push_back({std::string(rest.substr(1, close - 1)), is_quoted, line});
      }
    }
  }
  return found;
}

void check_file(const std::filesystem::path& path, bool for_cpu,
                std::set<std::filesystem::path>& visited, std::vector<Restriction>& found) {
  if (!visited.insert(path.lexically_normal()).second || visited.size() > 100) return;
  std::string text;
  try {
    text = read_file(path.string());
  } catch (const std::runtime_error&) {
    return;
  }
  if (std::string why = why_no_source(text); !why.empty()) {
    Restriction restriction;
    restriction.verdict = Verdict::forbidden;
    restriction.problem.file = path.string();
    restriction.problem.message = std::move(why);
    found.push_back(std::move(restriction));
    return;
  }
  for (const Include& include : includes_of(text)) {
    std::string reason;
    const Verdict verdict = judge_header(include.header, reason);
    if (verdict == Verdict::forbidden || (verdict == Verdict::needs_gpu && for_cpu)) {
      Restriction restriction;
      restriction.verdict = verdict;
      restriction.problem.file = path.string();
      restriction.problem.line = include.line;
      restriction.problem.message =
          verdict == Verdict::forbidden
              ? "<" + include.header + "> is not allowed: " + reason
              : "<" + include.header + "> (" + reason + ") needs a GPU: the CPU runtime has none";
      found.push_back(std::move(restriction));
    }
    const std::filesystem::path local = path.parent_path() / include.header;
    std::error_code ignored;
    if (include.quoted && std::filesystem::is_regular_file(local, ignored)) {
      check_file(local, for_cpu, visited, found);
    }
  }
}

// Is this a collective of CUB that the lessons do not allow? (BlockReduceAlgorithm is allowed too.)
bool is_other_collective(std::string_view name) {
  if (!name.starts_with("Block") && !name.starts_with("Warp")) return false;
  for (const std::string_view allowed :
       {"BlockReduce", "BlockScan", "BlockLoad", "BlockStore", "WarpReduce", "WarpScan"}) {
    if (name.starts_with(allowed)) return false;
  }
  return true;
}

// Do the string literals of the assembly that begins here name the assembler's directives for it?
bool brings_a_file_in(const std::vector<Token>& tokens, std::size_t i) {
  std::string text;
  int depth = 0;
  for (; i < tokens.size(); ++i) {
    if (tokens[i].is("(")) {
      ++depth;
    } else if (tokens[i].is(")")) {
      if (--depth <= 0) break;
    } else if (depth == 0 && tokens[i].kind != TokenKind::identifier) {
      break;
    } else if (depth > 0 && tokens[i].text.find('"') != std::string_view::npos) {
      const std::size_t begin = tokens[i].text.find('"') + 1;  // adjacent literals are one
      text += tokens[i].text.substr(begin, tokens[i].text.rfind('"') - begin);
    }
  }
  return text.find(".incbin") != std::string::npos || text.find(".include") != std::string::npos;
}

}  // namespace

Verdict judge_header(std::string_view header, std::string& reason) {
  for (const HeaderRule& rule : header_rules) {
    if (!matches(rule.prefix, header)) continue;
    reason = rule.reason;
    return rule.verdict;
  }
  return Verdict::allowed;
}

std::vector<Restriction> check_includes(const std::string& path, bool for_cpu) {
  std::vector<Restriction> found;
  std::set<std::filesystem::path> visited;
  check_file(path, for_cpu, visited, found);
  return found;
}

std::vector<Restriction> check_uses(std::string_view source, const std::string& file,
                                    bool for_cpu) {
  std::vector<Restriction> found;
  const TokenStream stream = lex(source, {file, true});
  const std::vector<Token>& tokens = stream.tokens;
  auto add = [&](std::size_t i, Verdict verdict, std::string message) {
    Restriction restriction;
    restriction.verdict = verdict;
    restriction.problem.file = stream.files[static_cast<std::size_t>(tokens[i].file)];
    restriction.problem.line = tokens[i].line;
    restriction.problem.message = std::move(message);
    found.push_back(std::move(restriction));
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind != TokenKind::identifier) continue;
    if (i > 1 && tokens[i - 1].is("::") && tokens[i - 2].is("cub") &&
        token.text.starts_with("Device")) {
      add(i, Verdict::forbidden,
          "cub::" + std::string(token.text) + " is not allowed: " + std::string(write_it) +
              "; CUB's block and warp collectives are allowed");
    }
    if (i > 1 && tokens[i - 1].is("::") && tokens[i - 2].is("cub") &&
        is_other_collective(token.text)) {
      add(i, Verdict::forbidden,
          "cub::" + std::string(token.text) + " is not allowed: " + std::string(cub_parts));
    }
    const bool assembly = token.is("asm") || token.is("__asm__") || token.is("__asm");
    if (assembly && brings_a_file_in(tokens, i + 1)) {
      add(i, Verdict::forbidden,
          "assembly that takes a file in (.incbin, .include) is not allowed: a lesson's file is "
          "all there is to it");
      continue;
    }
    if (!for_cpu) continue;
    if (assembly && i + 1 < tokens.size() &&
        (tokens[i + 1].is("(") || tokens[i + 1].is("volatile") ||
         tokens[i + 1].is("__volatile__"))) {
      add(i, Verdict::needs_gpu, "inline PTX needs a GPU: the CPU runtime cannot run it");
    }
    if (token.is("__cluster_dims__")) {
      add(i, Verdict::needs_gpu, "thread block clusters need a GPU: the CPU runtime has none");
    }
  }
  return found;
}

}  // namespace simt::compiler
