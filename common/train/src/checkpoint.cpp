#include "checkpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace train {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr const char* kFormat = "moe checkpoint 1";

// FNV-1a: against a damaged disk, not against an enemy.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return hash;
}

void append(std::string& bytes, const std::vector<float>& values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

void take(std::string_view& bytes, std::vector<float>& values) {
  const std::size_t size = values.size() * sizeof(float);
  std::memcpy(values.data(), bytes.data(), size);
  bytes.remove_prefix(size);
}

class File {
 public:
  explicit File(const std::string& path)
      : path_(path), fd_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (fd_ < 0) fail("cannot be written");
  }
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("cannot be written");
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void finish() {
    if (fsync(fd_) != 0) fail("cannot be written to the disk");
    const int fd = std::exchange(fd_, -1);
    if (close(fd) != 0) fail("cannot be closed");
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw std::runtime_error(fmt::format("{} {}: {}", path_, what, std::strerror(errno)));
  }

  std::string path_;
  int fd_;
};

}  // namespace

void save(const std::string& path, const Checkpoint& checkpoint) {
  const MoeConfig& config = checkpoint.settings.config;
  std::string body;
  Parameters::each(checkpoint.parameters,
                   [&](const std::vector<float>& array) { append(body, array); });
  append(body, checkpoint.losses);
  nlohmann::json head{
      {"format", kFormat},
      {"tokens", config.T},
      {"width", config.D},
      {"hidden", config.H},
      {"experts", config.E},
      {"top", config.K},
      {"activation", config.activation == Activation::relu ? "relu" : "gelu"},
      // The bits: a decimal that is read back a bit off would end the sameness.
      {"alpha_bits", std::bit_cast<std::uint32_t>(config.aux_alpha)},
      {"lr_bits", std::bit_cast<std::uint32_t>(checkpoint.settings.lr)},
      {"seed", checkpoint.settings.seed},
      {"step", checkpoint.step},
      {"checksum", checksum(body)},
  };
  if (checkpoint.diverged > 0) head["diverged"] = checkpoint.diverged;
  const std::string temporary = path + ".new";
  try {
    File file(temporary);
    file.write(head.dump() + "\n");
    file.write(body);
    file.finish();
  } catch (...) {
    std::remove(temporary.c_str());
    throw;
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) {
    throw std::runtime_error(fmt::format("{} cannot be replaced: {}", path, std::strerror(errno)));
  }
}

Checkpoint load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw std::runtime_error(fmt::format("{} cannot be read: {}", path, std::strerror(errno)));
  }
  const auto damaged = [&](const char* how) {
    return std::runtime_error(fmt::format("{} is no checkpoint of this tool: {}", path, how));
  };
  std::string line;
  std::getline(file, line);
  const std::string body{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  Checkpoint checkpoint;
  try {
    const nlohmann::json head = nlohmann::json::parse(line);
    if (head.at("format") != kFormat) throw damaged("another format");
    MoeConfig& config = checkpoint.settings.config;
    config.T = head.at("tokens");
    config.D = head.at("width");
    config.H = head.at("hidden");
    config.E = head.at("experts");
    config.K = head.at("top");
    config.activation = head.at("activation") == "relu" ? Activation::relu : Activation::gelu;
    config.aux_alpha = std::bit_cast<float>(head.at("alpha_bits").get<std::uint32_t>());
    checkpoint.settings.lr = std::bit_cast<float>(head.at("lr_bits").get<std::uint32_t>());
    checkpoint.settings.seed = head.at("seed");
    checkpoint.step = head.at("step");
    checkpoint.diverged = head.value("diverged", 0);
    if (head.at("checksum") != checksum(body)) throw damaged("its checksum does not fit");
  } catch (const nlohmann::json::exception&) {
    throw damaged("its first line is not the head of one");
  }
  checkpoint.parameters = zero_parameters(checkpoint.settings.config);
  checkpoint.losses.resize(2 * static_cast<std::size_t>(checkpoint.step));
  std::size_t floats = checkpoint.losses.size();
  Parameters::each(checkpoint.parameters,
                   [&](const std::vector<float>& array) { floats += array.size(); });
  if (body.size() != floats * sizeof(float)) throw damaged("its length does not fit its sizes");
  std::string_view rest = body;
  Parameters::each(checkpoint.parameters, [&](std::vector<float>& array) { take(rest, array); });
  take(rest, checkpoint.losses);
  return checkpoint;
}

}  // namespace train
