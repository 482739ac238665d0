#include "data/transform/bugs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "data/dataset_writer.h"

namespace sfumato::data {
namespace {

using Bytes = std::vector<std::uint8_t>;

base::Path Fresh(const std::string& name) {
  const base::Path path = base::Path(testing::TempDir()) / ("bugs_" + name);
  std::filesystem::remove_all(path);
  return path;
}

// Users of three 3×3 images each, with a column "split".
base::Path Images(const std::string& name, int users, bool grouped = true,
                  Origin origin = Origin::kPublic) {
  DatasetInfo info;
  info.name = "digits";
  info.origin = origin;
  info.grouped = grouped;
  info.image = {3, 3, 1};
  info.classes = {"a", "b"};
  info.columns = {{"split", {"train", "test"}}};
  info.provenance = {{{"step", "make"}}};
  const base::Path folder = Fresh(name);
  DatasetWriter writer(folder, info);
  base::Rng rng(99);
  for (int u = 0; u < users; ++u) {
    writer.BeginUser("u" + std::to_string(u));
    for (std::int32_t i = 0; i < 3; ++i) {
      Bytes pixels(9);
      for (auto& value : pixels) {
        value = static_cast<std::uint8_t>(rng.Below(256));
      }
      const std::int32_t split = i % 2;
      writer.Add({.pixels = pixels, .label = i % 2, .columns = {&split, 1}});
    }
  }
  writer.Finish();
  return folder;
}

base::Path Sentences(const std::string& name, TextForm form,
                     const std::vector<std::string>& sentences) {
  DatasetInfo info;
  info.origin = Origin::kPublic;
  info.kind = Kind::kText;
  info.text_form = form;
  const base::Path folder = Fresh(name);
  DatasetWriter writer(folder, info);
  for (std::size_t u = 0; u < sentences.size(); ++u) {
    writer.BeginUser("u" + std::to_string(u));
    writer.Add({.text = sentences[u]});
  }
  writer.Finish();
  return folder;
}

Bytes PixelsOf(const Example& example) {
  return {example.pixels.begin(), example.pixels.end()};
}

std::string TodoOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    return error.todo();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

TEST(BugCatalogueTest, DescribesEveryBugWithUsableDefaults) {
  EXPECT_EQ(BugCatalogue().size(), 14u);
  for (const BugInfo& bug : BugCatalogue()) {
    EXPECT_FALSE(bug.description.empty()) << bug.name;
    for (const BugParameter& parameter : bug.parameters) {
      EXPECT_GE(parameter.value, parameter.low) << bug.name;
      EXPECT_LE(parameter.value, parameter.high) << bug.name;
      EXPECT_FALSE(parameter.meaning.empty()) << bug.name;
    }
  }
}

TEST(BugCatalogueTest, FindsNamesAndSuggestsTheNearest) {
  EXPECT_EQ(FindBug("dead_rows").name, "dead_rows");
  EXPECT_EQ(FindBug("dead-rows").name, "dead_rows");
  EXPECT_NE(TodoOf([] { FindBug("miror"); }).find("'mirror'"),
            std::string::npos);
}

TEST(ApplyBugTest, BreaksTheImagesOfAffectedUsersAlone) {
  const FederatedDataset before(Images("alone", 40));
  const base::Path out = Fresh("alone_out");
  const BugSummary summary =
      ApplyBug(before, {.bug = "invert", .share = 0.5, .seed = 7}, out);
  const FederatedDataset after(out);
  after.Verify();
  ASSERT_EQ(after.users(), 40u);
  ASSERT_EQ(after.info().columns.size(), 2u);
  EXPECT_EQ(after.info().columns[1].name, "bug_invert");
  EXPECT_EQ(after.info().columns[1].values,
            (std::vector<std::string>{"no", "yes"}));
  std::uint64_t affected_users = 0;
  for (std::size_t u = 0; u < 40; ++u) {
    EXPECT_EQ(after.user(u).id(), before.user(u).id());
    const bool affected = after.user(u)[0].columns[1] == 1;
    affected_users += affected;
    for (std::size_t i = 0; i < 3; ++i) {
      Bytes expected = PixelsOf(before.user(u)[i]);
      if (affected) {
        for (auto& value : expected) {
          value = static_cast<std::uint8_t>(255 - value);
        }
      }
      const Example example = after.user(u)[i];
      EXPECT_EQ(PixelsOf(example), expected);
      EXPECT_EQ(example.columns[1] == 1, affected);
      EXPECT_EQ(example.columns[0], before.user(u)[i].columns[0]);
      EXPECT_EQ(example.label, before.user(u)[i].label);
    }
  }
  EXPECT_EQ(summary.users_affected, affected_users);
  EXPECT_EQ(summary.examples_affected, 3 * affected_users);
  EXPECT_EQ(summary.examples_changed, 3 * affected_users);
}

TEST(ApplyBugTest, RecordsWhatItDid) {
  const FederatedDataset before(Images("record", 4));
  const base::Path out = Fresh("record_out");
  ApplyBug(before,
           {.bug = "shift",
            .share = 1,
            .of = BugScope::kExamples,
            .parameters = {{"dx", 1}},
            .seed = 7},
           out);
  const FederatedDataset after(out);
  ASSERT_EQ(after.info().provenance.size(), 2u);
  EXPECT_EQ(after.info().provenance[0].at("step"), "make");
  EXPECT_EQ(after.info().provenance[1],
            (nlohmann::json{{"step", "bug"},
                            {"from", "digits"},
                            {"bug", "shift"},
                            {"parameters", {{"dx", 1}, {"dy", 6}}},
                            {"column", "bug_shift"},
                            {"share", 1.0},
                            {"of", "examples"},
                            {"exact", false},
                            {"seed", 7},
                            {"users_affected", 4},
                            {"examples_affected", 12},
                            {"examples_changed", 12}}));
}

TEST(ApplyBugTest, AffectsAboutTheShareOfUsersAndOfExamples) {
  // Binomial(3000, 0.3): mean 900, deviation 25. Six deviations raise a false
  // alarm about once in 5e8.
  const FederatedDataset many(Images("share", 3000));
  const BugSummary users = ApplyBug(
      many, {.bug = "mirror", .share = 0.3, .seed = 1}, Fresh("share_users"));
  EXPECT_NEAR(static_cast<double>(users.users_affected), 900, 150);
  EXPECT_EQ(users.examples_affected, 3 * users.users_affected);
  // Binomial(9000, 0.3): mean 2700, deviation 43.
  const BugSummary examples = ApplyBug(
      many,
      {.bug = "mirror", .share = 0.3, .of = BugScope::kExamples, .seed = 1},
      Fresh("share_examples"));
  EXPECT_NEAR(static_cast<double>(examples.examples_affected), 2700, 260);
  // A user is untouched with probability 0.7³ = 0.343: 1971, deviation 26.
  EXPECT_NEAR(static_cast<double>(examples.users_affected), 1971, 156);
}

TEST(ApplyBugTest, AffectsTheExactShareWhenAsked) {
  const FederatedDataset set(Images("exact", 21));
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_EQ(
        ApplyBug(set,
                 {.bug = "mirror", .share = 0.5, .exact = true, .seed = seed},
                 Fresh("exact_users"))
            .users_affected,
        11u);  // 10.5 rounded
    EXPECT_EQ(ApplyBug(set,
                       {.bug = "mirror",
                        .share = 0.1,
                        .of = BugScope::kExamples,
                        .exact = true,
                        .seed = seed},
                       Fresh("exact_examples"))
                  .examples_affected,
              6u);  // 6.3 rounded
  }
}

TEST(ApplyBugTest, AffectsNobodyAtZeroAndAllAtOne) {
  const FederatedDataset set(Images("border", 20));
  for (const bool exact : {false, true}) {
    EXPECT_EQ(ApplyBug(set, {.bug = "blur", .share = 0, .exact = exact},
                       Fresh("border_none"))
                  .users_affected,
              0u);
    EXPECT_EQ(ApplyBug(set, {.bug = "blur", .share = 1, .exact = exact},
                       Fresh("border_all"))
                  .users_affected,
              20u);
  }
}

TEST(ApplyBugTest, TheSameSeedGivesTheSameBytes) {
  const FederatedDataset set(Images("bytes", 20));
  const auto bytes = [&](const std::string& bug, std::uint64_t seed) {
    const base::Path out = Fresh("bytes_out");
    ApplyBug(set, {.bug = bug, .seed = seed}, out);
    return base::ReadFile(out / "data.safetensors");
  };
  for (const std::string bug : {"invert", "salt_pepper", "stuck"}) {
    EXPECT_EQ(bytes(bug, 1), bytes(bug, 1)) << bug;
    EXPECT_NE(bytes(bug, 1), bytes(bug, 2)) << bug;
  }
}

TEST(ApplyBugTest, AUsersFateDoesNotDependOnTheOthers) {
  const auto fates = [](const std::string& name, int users) {
    const base::Path out = Fresh(name + "_out");
    ApplyBug(FederatedDataset(Images(name, users)), {.bug = "invert"}, out);
    const FederatedDataset set(out);
    std::vector<std::int32_t> column;
    for (std::size_t u = 0; u < 30; ++u) {
      column.push_back(set.user(u)[0].columns[1]);
    }
    return column;
  };
  EXPECT_EQ(fates("few", 30), fates("many", 60));
}

TEST(ApplyBugTest, DifferentBugsOfOneSeedAffectDifferentUsers) {
  const base::Path first = Fresh("both_first");
  const base::Path second = Fresh("both_second");
  ApplyBug(FederatedDataset(Images("both", 64)), {.bug = "invert"}, first);
  ApplyBug(FederatedDataset(first), {.bug = "mirror"}, second);
  const FederatedDataset set(second);
  int alike = 0;
  for (std::size_t u = 0; u < 64; ++u) {
    alike += set.user(u)[0].columns[1] == set.user(u)[0].columns[2];
  }
  // Binomial(64, 1/2): 32 ± 4; all 64 alike (or opposite) would be one lot.
  EXPECT_GT(alike, 8);
  EXPECT_LT(alike, 56);
}

TEST(ApplyBugTest, GivesARepeatedBugAColumnOfItsOwn) {
  const base::Path once = Fresh("twice_1");
  const base::Path twice = Fresh("twice_2");
  const FederatedDataset original(Images("twice", 3));
  ApplyBug(original, {.bug = "invert", .share = 1}, once);
  ApplyBug(FederatedDataset(once), {.bug = "invert", .share = 1}, twice);
  const FederatedDataset set(twice);
  EXPECT_EQ(set.info().columns[1].name, "bug_invert");
  EXPECT_EQ(set.info().columns[2].name, "bug_invert_2");
  EXPECT_EQ(PixelsOf(set.user(2)[1]), PixelsOf(original.user(2)[1]));
}

TEST(ApplyBugTest, AStuckSensorRepeatsTheUsersFirstImage) {
  const FederatedDataset before(Images("stuck", 2));
  const base::Path out = Fresh("stuck_out");
  const BugSummary summary =
      ApplyBug(before, {.bug = "stuck", .share = 1}, out);
  const FederatedDataset after(out);
  for (std::size_t u = 0; u < 2; ++u) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(PixelsOf(after.user(u)[i]), PixelsOf(before.user(u)[0]));
    }
  }
  EXPECT_EQ(summary.examples_affected, 6u);
  EXPECT_EQ(summary.examples_changed, 4u);
}

TEST(ApplyBugTest, TokenisesEverybodyAndBreaksTheAffected) {
  const FederatedDataset before(
      Sentences("text", TextForm::kRaw,
                std::vector<std::string>(40, "How can I, then?")));
  const base::Path out = Fresh("text_out");
  const BugSummary summary =
      ApplyBug(before, {.bug = "join", .share = 0.5, .seed = 3}, out);
  const FederatedDataset after(out);
  EXPECT_EQ(after.info().text_form, TextForm::kTokens);
  EXPECT_GT(summary.users_affected, 0u);
  EXPECT_LT(summary.users_affected, 40u);
  for (std::size_t u = 0; u < 40; ++u) {
    const Example example = after.user(u)[0];
    EXPECT_EQ(example.text, example.columns[0] == 1 ? "how\u00A0can i , then ?"
                                                    : "how can i , then ?");
  }
}

TEST(ApplyBugTest, LeavesTokensOfOthersAsTheyAre) {
  const FederatedDataset before(
      Sentences("tokens", TextForm::kTokens, {"Odd:Token (kept)", "a b"}));
  const base::Path out = Fresh("tokens_out");
  ApplyBug(before, {.bug = "cut", .share = 0}, out);
  EXPECT_EQ(FederatedDataset(out).user(0)[0].text, "Odd:Token (kept)");
}

TEST(ApplyBugTest, TellsAffectedFromChanged) {
  const FederatedDataset before(
      Sentences("changed", TextForm::kRaw, {"plain", "caf\u00E9", "text"}));
  const base::Path out = Fresh("changed_out");
  const BugSummary summary =
      ApplyBug(before, {.bug = "encoding", .share = 1}, out);
  EXPECT_EQ(summary.examples_affected, 3u);
  EXPECT_EQ(summary.examples_changed, 1u);
  const FederatedDataset after(out);
  for (std::size_t u = 0; u < 3; ++u) {
    EXPECT_EQ(after.user(u)[0].columns[0], 1);
  }
}

TEST(ApplyBugTest, RefusesWhatItCannotDo) {
  const FederatedDataset images(Images("refuse", 3));
  const FederatedDataset pool(Images("refuse_pool", 1, false));
  const FederatedDataset text(
      Sentences("refuse_text", TextForm::kRaw, {"hello"}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct Refusal {
    const FederatedDataset& set;
    BugOptions options;
    std::string advice;
  };
  const std::vector<Refusal> refusals = {
      {images, {.bug = "inverrt"}, "'invert'"},
      {images, {.bug = "join"}, "another"},
      {text, {.bug = "invert"}, "another"},
      {images, {.bug = "invert", .share = -0.1}, "0 to 1"},
      {images, {.bug = "invert", .share = 1.1}, "0 to 1"},
      {images, {.bug = "invert", .share = nan}, "0 to 1"},
      {images, {.bug = "invert", .parameters = {{"x", 1}}}, "none"},
      {images, {.bug = "rotate", .parameters = {{"degree", 1}}}, "'degrees'"},
      {images, {.bug = "rotate", .parameters = {{"degrees", 361}}}, "-360"},
      {images, {.bug = "rotate", .parameters = {{"degrees", nan}}}, "-360"},
      {images, {.bug = "shift", .parameters = {{"dx", 0.5}}}, "whole"},
      {images, {.bug = "scale", .parameters = {{"factor", 0}}}, "0.1"},
      {images, {.bug = "dead_rows", .parameters = {{"rows", 4}}}, "at most 3"},
      {images,
       {.bug = "dead_rows", .parameters = {{"rows", 2}, {"first", 2}}},
       "at most"},
      {pool, {.bug = "invert"}, "split"},
  };
  for (const auto& [set, options, advice] : refusals) {
    const base::Path out = Fresh("refuse_out");
    const std::string todo = TodoOf([&] { ApplyBug(set, options, out); });
    EXPECT_NE(todo.find(advice), std::string::npos)
        << options.bug << ": " << todo;
    EXPECT_FALSE(std::filesystem::exists(out)) << options.bug;
  }
}

TEST(ApplyBugTest, RefusesPrivateData) {
  const base::Path folder = Images("private", 2, true, Origin::kPrivate);
  const base::Path out = Fresh("private_out");
  try {
    ApplyBug(FederatedDataset(folder), {.bug = "invert", .name = "x"}, out);
    FAIL() << "private data were broken on purpose";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
  }
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace sfumato::data
