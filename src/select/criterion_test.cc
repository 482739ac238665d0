#include "select/criterion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "base/error.h"
#include "base/error_testing.h"
#include "fmt/format.h"

namespace sfumato::select {
namespace {

config::SelectConfig Config(By by) {
  config::SelectConfig config;
  config.by = by;
  return config;
}

TEST(CriterionTest, NobodyIsOnBothSidesOfAUsersOwnNumber) {
  for (std::size_t i = 0; i < config::kWords<By>.size(); ++i) {
    const auto by = static_cast<By>(i);
    EXPECT_EQ(config::SidesShareNobody(by),
              by == By::kAccuracy || by == By::kPerplexity || by == By::kVote)
        << config::Word(by);
  }
}

TEST(CriterionTest, RefusesThirdHalvesAndThresholdsThatOverlap) {
  config::SelectConfig config = Config(By::kAccuracy);
  config.half = 3;
  EXPECT_THROW(CriterionOf(config), Error);
  config = Config(By::kAccuracy);
  config.above = 0.9;
  config.below = 0.95;
  EXPECT_THROW(CriterionOf(config), Error);
  config.above = std::nan("");
  EXPECT_THROW(CriterionOf(config), Error);
  config.above = 0.2;
  config.above_quantile = 0.75;  // a survey will say
  CriterionOf(config);
}

TEST(CriterionTest, ThresholdsThatNoiseHasCrossedShareNobody) {
  const Criterion criterion =
      WithThresholds(CriterionOf(Config(By::kAccuracy)), 0.6, 0.7);
  EXPECT_EQ(criterion.above, 0.6);
  EXPECT_EQ(criterion.below, 0.6);
  EXPECT_EQ(WithThresholds(criterion, 0.9, 0.2).below, 0.2);
}

TEST(CriterionTest, ClassesAndColumnsMustBeThere) {
  data::DatasetInfo info;
  info.classes = {"zero", "one"};
  info.columns = {{.name = "device", .values = {"old", "new"}}};
  info.declared = true;
  config::SelectConfig config = Config(By::kClass);
  config.value = "one";
  CheckCriterion(CriterionOf(config), info);
  config.value = "onne";
  try {
    CheckCriterion(CriterionOf(config), info);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_NE(error.todo().find("'one'"), std::string::npos);
  }
  config = Config(By::kColumn);
  config.column = "device";
  config.value = "new";
  CheckCriterion(CriterionOf(config), info);
  for (const auto& [column, value] :
       std::vector<std::pair<std::string, std::string>>{{"devise", "new"},
                                                        {"device", "newer"},
                                                        {"", "new"},
                                                        {"device", ""}}) {
    config.column = column;
    config.value = value;
    EXPECT_THROW(CheckCriterion(CriterionOf(config), info), Error);
  }
}

TEST(CriterionTest, AVoteIsForAnAnswerThatIsNotSideAs) {
  config::SelectConfig config = Config(By::kVote);
  CheckCriterion(CriterionOf(config), {});
  Criterion criterion = CriterionOf(config);
  EXPECT_EQ(Rule(criterion), "vote = as_it_should_be");
  criterion.side = Side::kB;
  EXPECT_EQ(Words(criterion), "users who vote none_of_these");
  for (const char* answer : {"", "as_it_should_be"}) {
    config.answer = answer;
    EXPECT_EQ(Thrown([&] { CheckCriterion(CriterionOf(config), {}); }).where(),
              "select.answer");
  }
}

TEST(CriterionTest, TextIsJudgedByWordModelsAndTheRestByClassifiers) {
  data::DatasetInfo images;
  images.classes = {"cat"};
  images.declared = true;
  data::DatasetInfo text;
  text.kind = data::Kind::kText;
  const auto refused = [](By by, const data::DatasetInfo& info) {
    try {
      CheckCriterion(CriterionOf(Config(by)), info);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUnsupported) << config::Word(by);
      EXPECT_EQ(error.where(), "select.by") << config::Word(by);
      return true;
    }
    return false;
  };
  for (const By by : {By::kAccuracy, By::kExamples, By::kUnlikePublic}) {
    EXPECT_FALSE(refused(by, images)) << config::Word(by);
    EXPECT_TRUE(refused(by, text)) << config::Word(by);
  }
  for (const By by : {By::kPerplexity, By::kLikelihood}) {
    EXPECT_TRUE(refused(by, images)) << config::Word(by);
    EXPECT_FALSE(refused(by, text)) << config::Word(by);
  }
}

TEST(CriterionTest, OfPerplexityLittleIsGood) {
  Criterion criterion{.by = By::kPerplexity, .above = 90, .below = 60};
  EXPECT_TRUE(criterion.Holds(59));
  EXPECT_FALSE(criterion.Holds(75));
  EXPECT_EQ(Rule(criterion), "perplexity < 60");
  EXPECT_EQ(Words(criterion),
            "users for whom the word model does well, with a perplexity below "
            "60");
  criterion.side = Side::kB;
  EXPECT_TRUE(criterion.Holds(91));
  EXPECT_FALSE(criterion.Holds(75));
  EXPECT_EQ(Rule(criterion), "perplexity > 90");
  criterion.by = By::kLikelihood;
  EXPECT_EQ(Rule(criterion), "perplexity of the sentence > 90, 5 or more");
  for (const Side side : {Side::kA, Side::kB}) {
    criterion.side = side;
    EXPECT_FALSE(criterion.Holds(std::nan("")));
  }
}

TEST(HalfTest, IsAboutOneHalfAndHangsOnTheNameAlone) {
  std::int64_t first = 0;
  for (int i = 0; i < 10'000; ++i) {
    first += HalfOf(fmt::format("user {}", i)) == 1 ? 1 : 0;
  }
  // Deviation 50; five of them come once in 10^6. It is no draw, so the test
  // says the same every time.
  EXPECT_NEAR(static_cast<double>(first), 5000, 250);
  // For ever: a population that was split before must split alike. Halves from
  // Philox4x32-10, SplitMix64 and FNV-1a written anew in Python.
  EXPECT_EQ(HalfOf("ada"), 2);
  EXPECT_EQ(HalfOf("bea"), 1);
  EXPECT_EQ(HalfOf("user 0"), 1);
  EXPECT_EQ(HalfOf("user 1"), 2);
  EXPECT_EQ(HalfOf("user_000017"), 1);
  EXPECT_EQ(HalfOf("ö"), 2);
}

TEST(CriterionTest, HasWordsForPeople) {
  config::SelectConfig config = Config(By::kAccuracy);
  config.side = Side::kB;
  config.above = 0.939;
  config.below = 0.882;
  EXPECT_EQ(Words(CriterionOf(config)),
            "users for whom the classifier is right for less than 0.882 of "
            "the examples");
  EXPECT_EQ(Rule(CriterionOf(config)), "accuracy < 0.882");
  config.half = 2;
  EXPECT_NE(Words(CriterionOf(config)).find("half 2"), std::string::npos);
  config = Config(By::kColumn);
  config.column = "device";
  config.value = "new";
  EXPECT_EQ(Rule(CriterionOf(config)), "device ≠ new");
  config = Config(By::kExamples);
  config.side = Side::kB;
  EXPECT_EQ(Words(CriterionOf(config)),
            "examples that the classifier judges wrong, of users with at least "
            "5 of them");
}

TEST(CriterionTest, NeedsLabelsThatWereDeclared) {
  data::DatasetInfo info;
  info.origin = data::Origin::kPrivate;
  for (const By by : {By::kAccuracy, By::kExamples, By::kClass}) {
    const Error error =
        Thrown([&] { CheckCriterion({.by = by, .value = "cat"}, info); });
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_NE(error.todo().find("--classes"), std::string::npos);
  }
  CheckCriterion({.by = By::kUnlikePublic}, info);
  // Names that were collected from private records are not even listed.
  info.classes = {"rare_disease", "flu"};
  info.columns = {{.name = "ward", .values = {"ada_lovelace"}}};
  for (const By by : {By::kClass, By::kColumn}) {
    const Error error = Thrown([&] {
      CheckCriterion({.by = by, .column = "ward", .value = "rare"}, info);
    });
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    for (const char* name : {"disease", "lovelace"}) {
      EXPECT_EQ((error.what() + error.todo()).find(name), std::string::npos);
    }
  }
  info.declared = true;
  CheckCriterion({.by = By::kClass, .value = "flu"}, info);
}

}  // namespace
}  // namespace sfumato::select
