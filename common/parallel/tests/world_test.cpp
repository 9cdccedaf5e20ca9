#include "parallel/world.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "in_ranks.h"

namespace {

using parallel::World;
using Variables = std::map<std::string, std::string>;

World world(const Variables& variables) {
  return parallel::world_from([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

std::string refusal(const Variables& variables) {
  try {
    world(variables);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

void is(const World& world, int rank, int size, int local, const std::string& host, int port) {
  CHECK(world.rank == rank);
  CHECK(world.size == size);
  CHECK(world.local_rank == local);
  CHECK(world.host == host);
  CHECK(world.port == port);
}

// One that nobody has just now, below those that the system gives to whoever asks for any.
int free_port() {
  static int next = 10'000 + static_cast<int>(getpid() * 37L % 20'000);
  while (true) {
    if (++next > 32'000) next = 10'000;
    const int probe = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(next));
    const bool there = bind(probe, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    close(probe);
    if (there) return next;
  }
}

// Gives this process a network of its own, with these ports alone to give away. False where that is
// not allowed.
bool own_network(const char* ports) {
  if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
  const int any = socket(AF_INET, SOCK_DGRAM, 0);
  ifreq loopback{};
  std::strcpy(loopback.ifr_name, "lo");
  loopback.ifr_flags = IFF_UP | IFF_RUNNING;
  const bool up = ioctl(any, SIOCSIFFLAGS, &loopback) == 0;
  close(any);
  std::ofstream range("/proc/sys/net/ipv4/ip_local_port_range");
  range << ports << std::flush;
  return up && range.good();
}

}  // namespace

TEST_CASE("the launchers' variables") {
  is(world({{"RANK", "3"},
            {"WORLD_SIZE", "8"},
            {"LOCAL_RANK", "1"},
            {"MASTER_ADDR", "a"},
            {"MASTER_PORT", "1234"}}),
     3, 8, 1, "a", 1234);
  // torchrun has the port for itself.
  is(world({{"RANK", "0"},
            {"WORLD_SIZE", "2"},
            {"LOCAL_RANK", "0"},
            {"MASTER_ADDR", "a"},
            {"MASTER_PORT", "1234"},
            {"TORCHELASTIC_USE_AGENT_STORE", "True"}}),
     0, 2, 0, "a", 1235);
  is(world({{"OMPI_COMM_WORLD_RANK", "1"},
            {"OMPI_COMM_WORLD_SIZE", "2"},
            {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
            {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}),
     1, 2, 1, "127.0.0.1", 29500);
  const auto slurm = [](const char* nodes) {
    return world({{"SLURM_PROCID", "5"},
                  {"SLURM_NTASKS", "16"},
                  {"SLURM_LOCALID", "5"},
                  {"SLURM_STEP_NODELIST", nodes}});
  };
  is(slurm("gpu[03-06,9],x1"), 5, 16, 5, "gpu03", 29500);
  CHECK(slurm("gpu7").host == "gpu7");
  CHECK(slurm("a,b").host == "a");
  CHECK(slurm("n[2,4]").host == "n2");
}

TEST_CASE("what is missing or wrong is named") {
  CHECK(refusal({}).find("none of RANK") != std::string::npos);
  CHECK(refusal({{"RANK", "0"}}) == "RANK is set and WORLD_SIZE is not");
  const Variables two{{"RANK", "2"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}};
  CHECK(refusal(two) == "RANK is 2, but WORLD_SIZE is 2");
  CHECK(refusal({{"RANK", "x"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}}) ==
        "RANK is 'x', which is no number");
  CHECK(refusal({{"OMPI_COMM_WORLD_RANK", "1"},
                 {"OMPI_COMM_WORLD_SIZE", "4"},
                 {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                 {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}})
            .find("MASTER_ADDR") != std::string::npos);
}

TEST_CASE("ranks that know only rank 0's port find each other") {
  for (int ranks = 2; ranks <= 4; ++ranks) {
    const int port = free_port();
    parallel_test::in_ranks(ranks, [&](const parallel::Group& launched) {
      const int rank = launched.rank();
      usleep(static_cast<useconds_t>(50'000 * (ranks - rank)));  // rank 0 is the last
      const parallel::Group group = parallel::join({rank, ranks, rank, "127.0.0.1", port}, 20);
      RANK_CHECK(group.rank() == rank);
      const std::vector<int> all = group.all_gather(rank);
      for (int each = 0; each < ranks; ++each) {
        RANK_CHECK(all[static_cast<std::size_t>(each)] == each);
      }
      return true;
    });
  }
}

// Where the ranks above 0 come first, each of their own sockets may get rank 0's port.
TEST_CASE("rank 0's port is left to it, although the system gives it away") {
  constexpr int kNotAllowed = 77;
  for (const int port : {40'000, 40'001}) {
    const pid_t child = fork();
    if (child == 0) {
      if (!own_network("40000 40003")) _exit(kNotAllowed);
      const auto ended = parallel::run_ranks(2, [&](const parallel::Group& launched) {
        const int rank = launched.rank();
        if (rank == 0) usleep(600'000);
        const parallel::Group group = parallel::join({rank, 2, rank, "127.0.0.1", port}, 20);
        return group.all_gather(rank) == std::vector<int>{0, 1} ? 0 : 1;
      });
      _exit(parallel::first_failure(ended) == -1 ? 0 : 1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    if (WEXITSTATUS(status) == kNotAllowed) {
      MESSAGE("left out: this machine allows no network of a test's own");
      return;
    }
    CHECK(WEXITSTATUS(status) == 0);
  }
}

TEST_CASE("who does not come is named") {
  const auto trouble = [](const World& world) {
    try {
      parallel::join(world, 1);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const int port = free_port();
  CHECK(trouble({0, 3, 0, "127.0.0.1", port}).find("did not come: 1, 2") != std::string::npos);
  CHECK(trouble({1, 2, 0, "127.0.0.1", port}).find("could not reach rank 0 at 127.0.0.1") !=
        std::string::npos);
  CHECK(trouble({1, 2, 0, "no.such.host.invalid", port}).find("is not known") != std::string::npos);
}
