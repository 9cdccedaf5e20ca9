#include "parallel/group.h"

#include <doctest/doctest.h>

#include <array>

#include "in_ranks.h"
#include "parallel/share.h"

using parallel::Group;
using parallel_test::in_ranks;

TEST_CASE("shares are runs of neighbours, without a gap, and differ by one at most") {
  for (const int things : {0, 1, 2, 5, 8, 64, 1 << 30}) {
    for (int ranks = 1; ranks <= 7; ++ranks) {
      int next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const parallel::Share share = parallel::share_of(things, ranks, rank);
        CHECK(share.first == next);
        CHECK(share.count >= things / ranks);
        CHECK(share.count <= things / ranks + 1);
        next += share.count;
      }
      CHECK(next == things);
    }
  }
}

TEST_CASE("what every rank says is told to all, in the ranks' order; rank 0's word goes to all") {
  for (int ranks = 1; ranks <= 4; ++ranks) {
    in_ranks(ranks, [&](const Group& group) {
      RANK_CHECK(group.size() == ranks);
      const std::vector<int> all = group.all_gather(10 * group.rank() + 1);
      RANK_CHECK(all.size() == static_cast<std::size_t>(ranks));
      for (int rank = 0; rank < ranks; ++rank) {
        RANK_CHECK(all[static_cast<std::size_t>(rank)] == 10 * rank + 1);
      }
      std::array<int, 3> word{group.rank(), 1, 2};
      group.broadcast(word.data(), sizeof word);
      RANK_CHECK(word[0] == 0);
      return true;
    });
  }
}

// Rank r sends 1000 (r + 1) (q + 1) numbers to rank q, and nothing from an even rank to rank 0; the
// long ones exceed what a socket holds, so whoever only sent at first would wait for ever.
TEST_CASE("pieces of all lengths go to all at once, several to one rank in their order") {
  for (int ranks = 2; ranks <= 4; ++ranks) {
    in_ranks(ranks, [&](const Group& group) {
      const auto length = [](int from, int to) {
        return from % 2 == 0 && to == 0 ? std::size_t{0}
                                        : std::size_t{100'000} * unsigned((from + 1) * (to + 1));
      };
      const auto value = [](int from, int to, std::size_t i) {
        return from + 10 * to + 100 * static_cast<int>(i);
      };
      std::vector<std::vector<int>> out, in;
      std::vector<parallel::Outgoing> outgoing;
      std::vector<parallel::Incoming> incoming;
      for (int other = 0; other < group.size(); ++other) {
        out.emplace_back(length(group.rank(), other));
        for (std::size_t i = 0; i < out.back().size(); ++i) {
          out.back()[i] = value(group.rank(), other, i);
        }
        in.emplace_back(length(other, group.rank()));
        const std::size_t sends = out.back().size(), receives = in.back().size();
        outgoing.push_back({other, out.back().data(), sends / 3 * 4});
        outgoing.push_back({other, out.back().data() + sends / 3, (sends - sends / 3) * 4});
        incoming.push_back({other, in.back().data(), receives / 3 * 4});
        incoming.push_back({other, in.back().data() + receives / 3, (receives - receives / 3) * 4});
      }
      group.exchange(outgoing, incoming);
      for (int other = 0; other < group.size(); ++other) {
        const std::vector<int>& got = in[static_cast<std::size_t>(other)];
        for (std::size_t i = 0; i < got.size(); ++i) {
          RANK_CHECK(got[i] == value(other, group.rank(), i));
        }
      }
      return true;
    });
  }
}
