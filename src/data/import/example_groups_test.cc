#include "data/import/example_groups.h"

#include <string>
#include <vector>

#include "data/import/import_testing.h"
#include "gtest/gtest.h"

namespace sfumato::data {
namespace {

// "user: text/label text/label …" for every user.
std::vector<std::string> Written(const base::Path& folder) {
  const FederatedDataset set(folder);
  set.Verify();
  std::vector<std::string> lines;
  for (std::size_t u = 0; u < set.users(); ++u) {
    const User user = set.user(u);
    std::string line = std::string(user.id()) + ":";
    for (std::size_t i = 0; i < user.size(); ++i) {
      line +=
          " " + std::string(user[i].text) + "/" + std::to_string(user[i].label);
    }
    lines.push_back(line);
  }
  return lines;
}

// Users b, a, b, a, c, b with labels 0, 1, 2, none, 0, 1.
void AddInterleaved(ExampleGroups& groups) {
  groups.Add("b", {.text = "one", .label = 0});
  groups.Add("a", {.text = "two", .label = 1});
  groups.Add("b", {.text = "three", .label = 2});
  groups.Add("a", {.text = "four"});
  groups.Add("c", {.text = "five", .label = 0});
  groups.Add("b", {.text = "six", .label = 1});
}

void Write(ExampleGroups& groups, const base::Path& out,
           std::span<const std::int32_t> of_code) {
  DatasetInfo info;
  info.kind = Kind::kText;
  info.classes = {"x", "y", "z"};
  DatasetWriter writer(out, info);
  groups.WriteTo(writer, of_code);
  writer.Finish();
}

TEST(ExampleGroupsTest, PutsTogetherWhatBelongsToAUser) {
  const TestFolder folder;
  ExampleGroups groups(folder / "out");
  AddInterleaved(groups);
  EXPECT_EQ(groups.users(), 3u);
  EXPECT_EQ(groups.examples(), 6u);
  Write(groups, folder / "out", {});
  EXPECT_EQ(Written(folder / "out"),
            (std::vector<std::string>{"b: one/0 three/2 six/1",
                                      "a: two/1 four/-1", "c: five/0"}));
}

TEST(ExampleGroupsTest, LeavesOutAndCountsUsersWithoutExamples) {
  const TestFolder folder;
  ExampleGroups groups(folder / "out");
  groups.AddUser("silent");
  groups.AddUser("late");
  groups.Add("first", {.text = "one"});
  groups.Add("late", {.text = "two"});
  DatasetInfo info;
  info.kind = Kind::kText;
  DatasetWriter writer(folder / "out", info);
  EXPECT_EQ(groups.WriteTo(writer), 1u);
  writer.Finish();
  EXPECT_EQ(Written(folder / "out"),
            (std::vector<std::string>{"late: two/-1", "first: one/-1"}));
}

TEST(ExampleGroupsTest, NumbersLabelsAtTheEnd) {
  const TestFolder folder;
  ExampleGroups groups(folder / "out");
  AddInterleaved(groups);
  Write(groups, folder / "out", std::vector<std::int32_t>{2, 0, 1});
  EXPECT_EQ(Written(folder / "out"),
            (std::vector<std::string>{"b: one/2 three/1 six/0",
                                      "a: two/0 four/-1", "c: five/2"}));
}

}  // namespace
}  // namespace sfumato::data
