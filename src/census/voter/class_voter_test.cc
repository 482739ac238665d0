#include "census/voter/class_voter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error_testing.h"
#include "base/folder_testing.h"
#include "data/dataset_writer.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

class ClassVoterTest : public base::FolderTest {
 protected:
  static data::DatasetInfo Info() {
    return {.name = "people",
            .origin = data::Origin::kPublic,
            .image = {.height = 1, .width = 1},
            .classes = {"a", "b", "c"}};
  }
  // Users with these labels each.
  data::FederatedDataset Make(const std::vector<std::vector<int>>& labels) {
    const std::vector<std::uint8_t> pixel = {7};
    data::DatasetWriter writer(folder_ / "people", Info());
    for (std::size_t user = 0; user < labels.size(); ++user) {
      writer.BeginUser(fmt::format("user{}", user));
      for (const int label : labels[user]) {
        writer.Add({.pixels = pixel, .label = label});
      }
    }
    writer.Finish();
    return data::FederatedDataset(folder_ / "people");
  }
  static Votes AllOf(const Voter& voter, const data::FederatedDataset& set) {
    std::vector<std::int64_t> users(set.users());
    for (std::size_t u = 0; u < users.size(); ++u) {
      users[u] = static_cast<std::int64_t>(u);
    }
    fed::WorkerPool pool(1);
    return voter.VotesOf(set, users, pool);
  }
};

TEST_F(ClassVoterTest, WhoHasNoMoreClassesThanMarksMarksThemAll) {
  const data::FederatedDataset set =
      Make({{0, 0, 0}, {2, 0, 2}, {1}, {-1, -1}, {}, {-1, 1}});
  const auto voter = MakeClassVoter(set.info(), 2);
  Votes votes = AllOf(*voter, set);
  for (auto& marks : votes) std::ranges::sort(marks);
  const std::int64_t cannot_tell = 4;
  EXPECT_EQ(votes,
            (Votes{{0}, {0, 2}, {1}, {cannot_tell}, {cannot_tell}, {1}}));
}

// 3,000 users with the same three classes and one mark: each is drawn by about
// 1,000, and by fewer than 900 with probability below 0.0001.
TEST_F(ClassVoterTest, WhoHasMoreDrawsAmongThemAlikeAndTheSameAgain) {
  const data::FederatedDataset set =
      Make(std::vector<std::vector<int>>(3000, {0, 1, 2, 2, 2, 2}));
  const auto voter = MakeClassVoter(set.info(), 1);
  const Votes votes = AllOf(*voter, set);
  std::vector<int> marked(5);
  for (const auto& marks : votes) {
    ASSERT_EQ(marks.size(), 1u);
    ++marked.at(static_cast<std::size_t>(marks[0]));
  }
  for (int c = 0; c < 3; ++c)
    EXPECT_GT(marked[static_cast<std::size_t>(c)], 900);
  EXPECT_EQ(AllOf(*MakeClassVoter(set.info(), 1), set), votes);
}

TEST_F(ClassVoterTest, IsStoredWithoutWeightsAndVotesAlikeAfterwards) {
  const data::FederatedDataset set = Make({{0, 1, 2}, {1, 2}, {2}});
  const auto voter = MakeClassVoter(set.info(), 1);
  voter->Write(folder_ / "voter");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "voter/voter.safetensors"));
  const auto back = ReadVoter(folder_ / "voter");
  EXPECT_EQ(AllOf(*back, set), AllOf(*voter, set));
  EXPECT_EQ(back->calibration().about, About::kClasses);
  for (const char* text :
       {"", "{}", "[]", R"({"kind": "classes"})",
        R"({"kind": "classes", "format": 1, "calibration": 3})",
        R"({"kind": "classes", "format": 1, "calibration": {"about": "damage",
            "cells": [], "states": [], "marks": 1, "remarks": []}})"}) {
    base::WriteFileAtomically(folder_ / "voter/voter.json", text);
    EXPECT_EQ(Thrown([&] { ReadVoter(folder_ / "voter"); }).kind(),
              ErrorKind::kCorrupt)
        << text;
  }
}

TEST_F(ClassVoterTest, ClassesNeedNamesThatNobodysRecordsGave) {
  data::DatasetInfo info = Info();
  info.origin = data::Origin::kPrivate;
  info.declared = false;
  EXPECT_EQ(Thrown([&] { MakeClassVoter(info, 1); }).kind(),
            ErrorKind::kUnsupported);
  info.declared = true;
  EXPECT_EQ(MakeClassVoter(info, 1)->calibration().families(), 3u);
  info.classes = {};
  EXPECT_EQ(Thrown([&] { MakeClassVoter(info, 1); }).kind(),
            ErrorKind::kBadInput);
}

}  // namespace
}  // namespace sfumato::census
