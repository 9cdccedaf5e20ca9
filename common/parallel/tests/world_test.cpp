#include "parallel/world.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <stdexcept>
#include <string>

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

// One that nobody has just now.
int free_port() {
  const int probe = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  REQUIRE(bind(probe, reinterpret_cast<sockaddr*>(&address), length) == 0);
  REQUIRE(getsockname(probe, reinterpret_cast<sockaddr*>(&address), &length) == 0);
  close(probe);
  return ntohs(address.sin_port);
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
