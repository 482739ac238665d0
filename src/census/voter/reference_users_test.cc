#include "census/voter/reference_users.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"
#include "base/error_testing.h"
#include "base/folder_testing.h"
#include "data/dataset_writer.h"

namespace sfumato::census {
namespace {

class ReferenceUsersTest : public base::FolderTest {
 protected:
  // Users with these labels each, of images of one pixel.
  data::FederatedDataset Make(int users, const std::vector<int>& labels,
                              const std::vector<std::string>& classes) const {
    data::DatasetInfo info;
    info.name = "references";
    info.origin = data::Origin::kPublic;
    info.image = {1, 1, 1};
    info.classes = classes;
    info.declared = true;
    std::filesystem::remove_all(folder_ / "references");
    const std::vector<std::uint8_t> pixel(1);
    data::DatasetWriter writer(folder_ / "references", info);
    for (int u = 0; u < users; ++u) {
      writer.BeginUser("user" + std::to_string(u));
      for (const int label : labels) {
        writer.Add({.pixels = pixel, .label = label});
      }
    }
    writer.Finish();
    return data::FederatedDataset(folder_ / "references");
  }
};

TEST_F(ReferenceUsersTest, PartsShareNoPerson) {
  const ReferenceUsers all(Make(40, {0, 0, 0, 0}, {"a"}), {.least = 2});
  EXPECT_TRUE(all.grouped());
  std::set<std::int64_t> known;
  const std::size_t people[] = {16, 8, 16};  // 0.4, 0.2 and 0.4 of 40
  for (const Part part : {Part::kLearn, Part::kMargins, Part::kConfusion}) {
    std::set<std::int64_t> own;
    for (const ReferenceRow& row : all.All(part)) own.insert(row.user);
    EXPECT_EQ(own.size(), people[static_cast<std::size_t>(part)]);
    EXPECT_EQ(all.persons(part), own.size());
    for (const std::int64_t user : own) EXPECT_TRUE(known.insert(user).second);
  }
}

TEST_F(ReferenceUsersTest, APersonsExamplesAreDrawnOfThatPersonAlone) {
  const ReferenceUsers all(Make(40, {0, 0, 0, 0, 0, 0}, {"a"}), {.least = 2});
  base::Rng rng(1);
  std::set<std::int64_t> drawn;
  for (std::size_t p = 0; p < all.persons(Part::kConfusion); ++p) {
    const auto rows = all.DrawOf(Part::kConfusion, p, rng);
    EXPECT_GE(rows.size(), 2U);
    std::set<std::int64_t> users;
    for (const ReferenceRow& row : rows) users.insert(row.user);
    EXPECT_EQ(users.size(), 1U);
    drawn.insert(users.begin(), users.end());
  }
  EXPECT_EQ(drawn.size(), all.persons(Part::kConfusion));
}

// 16 people for 40 users: 8 are asked three times and 8 twice.
TEST_F(ReferenceUsersTest, ARoundAsksEverybodyAsOften) {
  const ReferenceUsers all(Make(40, {0, 0, 0, 0}, {"a"}), {.least = 2});
  base::Rng rng(1);
  std::map<std::int64_t, int> times;
  for (const std::int64_t person : all.Round(Part::kConfusion, 40, rng)) {
    ++times[person];
  }
  EXPECT_EQ(times.size(), 16U);
  for (const auto& [person, count] : times) {
    EXPECT_TRUE(count == 2 || count == 3);
  }
  const ReferenceUsers pool(Make(4, {0, 0, 0, 0, 0, 0}, {"a"}), {.least = 2});
  EXPECT_FALSE(pool.grouped());
  EXPECT_EQ(pool.Round(Part::kConfusion, 2, rng),
            (std::vector<std::int64_t>{-1, -1}));
}

TEST_F(ReferenceUsersTest, AClassWithoutTwoExamplesIsRefused) {
  const std::vector<std::string> classes = {"ant", "bee"};
  const auto said = [](const std::function<void()>& action) {
    const Error error = Thrown(action);
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    return std::string(error.what());
  };
  const auto none = Make(30, {0, 0}, classes);
  EXPECT_NE(said([&] {
              ReferenceUsers(none, {.least = 2});
            }).find("no example of class 'bee'"),
            std::string::npos);
  EXPECT_NO_THROW(ReferenceUsers(none, {.least = 2, .labels = false}));
  // Nobody learns classes from examples without labels.
  EXPECT_NO_THROW(ReferenceUsers(Make(30, {-1, -1}, classes), {.least = 2}));
  const auto one = Make(1, {0, 0, 0, 0, 0, 0, 0, 0, 1}, classes);
  EXPECT_NE(said([&] {
              ReferenceUsers(one, {.least = 2});
            }).find("one example of class 'bee'"),
            std::string::npos);
}

}  // namespace
}  // namespace sfumato::census
