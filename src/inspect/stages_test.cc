#include "inspect/stages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/folder_testing.h"
#include "data/dataset_writer.h"
#include "plan/inspect_plan_testing.h"

namespace sfumato::inspect {
namespace {

constexpr std::int64_t kUsers = 60;

// Users `first` … `end` - 1, with an example of one number each.
class SomeUsers : public models::Examples {
 public:
  SomeUsers(std::int64_t first, std::int64_t end) : first_(first), end_(end) {}
  models::Shape shape() const override { return {}; }
  std::int64_t classes() const override { return 2; }
  std::int64_t users() const override { return kUsers; }
  std::int64_t user_size(std::int64_t user) const override {
    return user >= first_ && user < end_ ? 1 : 0;
  }
  std::int64_t Read(std::int64_t, std::int64_t,
                    std::span<float> values) const override {
    std::ranges::fill(values, 0.0f);
    return 0;
  }

 private:
  std::int64_t first_;
  std::int64_t end_;
};

// Sides of as many users as the test says, and no model.
class FakeMedium : public Medium {
 public:
  struct Said {
    std::int64_t users_a = 40;
    std::int64_t users_b = 20;
    std::string sum = "judge";
    std::map<std::string, int> asked = {};
    int judged = 0;
    int configured = 0;
  };
  explicit FakeMedium(Said& said) : said_(said) {}

  void Judge(Inspection&) override { ++said_.judged; }
  Inputs SideInputs() const override { return {.sum = said_.sum}; }
  std::vector<double> Answers(std::string_view question) const override {
    ++said_.asked[std::string(question)];
    return std::vector<double>(kUsers, 0.5);
  }
  std::unique_ptr<models::Examples> Chosen(const select::Criterion& criterion,
                                           const std::string&) const override {
    return criterion.side == config::Side::kA
               ? std::make_unique<SomeUsers>(0, said_.users_a)
               : std::make_unique<SomeUsers>(kUsers - said_.users_b, kUsers);
  }
  void Configure(const Inspection&, const plan::ModelPlan&,
                 config::TrainConfig&) const override {
    ++said_.configured;
  }
  void Compare(Inspection&) const override {}

 private:
  Said& said_;
};

class StagesTest : public base::FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    data::DatasetInfo info;
    info.name = "people";
    info.origin = data::Origin::kPublic;
    info.image = {8, 8, 1};
    info.classes = {"left", "right"};
    info.declared = true;
    data::DatasetWriter writer("people", info);
    const std::vector<std::uint8_t> pixels(64);
    for (std::int64_t user = 0; user < kUsers; ++user) {
      writer.BeginUser("user" + std::to_string(user));
      writer.Add({.pixels = pixels, .label = 0});
    }
    writer.Finish();
    job_.folder = "look";
    job_.config = plan::Config();
    job_.config.select.users_a = job_.config.select.users_b = 0;
    job_.config.cohort.size = 3;
    job_.config.survey.count_noise = job_.config.survey.histogram_noise = 2;
    job_.config.device.threads = 1;
    std::filesystem::create_directories(job_.folder);
  }

  // Data open, and a medium.
  std::unique_ptr<Inspection> Open() {
    auto inspection = std::make_unique<Inspection>(job_, outcome_);
    OpenData(*inspection);
    inspection->medium = std::make_unique<FakeMedium>(said_);
    return inspection;
  }
  // An earlier inspection found something, which this one verifies.
  void Verify(Inspection& inspection) {
    inspection.record.earlier = runs::Earlier{
        .folder = "before", .verdict = "differs", .rule_b = "accuracy < 0.8"};
  }
  static dp::Shares SharesIn(Inspection& inspection) {
    return dp::SharesOf(inspection.ledger->TotalsOf(inspection.plan.root));
  }

  InspectJob job_;
  InspectOutcome outcome_;
  FakeMedium::Said said_;
};

TEST_F(StagesTest, APriceReservesEverythingBeforeTheFirstQuestion) {
  const auto inspection = Open();
  Price(*inspection);
  EXPECT_EQ(said_.judged, 1);
  const dp::Shares shares = SharesIn(*inspection);
  EXPECT_EQ(shares.spent, 0);
  EXPECT_GT(shares.taken, 0);
  EXPECT_EQ(inspection->plan.models.size(), 4u);  // two sides, two halves
  said_.asked.erase(plan::kThresholdAbove);  // simulations show the quartiles
  EXPECT_TRUE(said_.asked.empty());
}

TEST_F(StagesTest, EveryQuestionOfThePlanIsAskedOnceAndNotAfterAResume) {
  {
    const auto inspection = Open();
    Price(*inspection);
    said_.asked.clear();
    Survey(*inspection);
    EXPECT_EQ(said_.asked,
              (std::map<std::string, int>{{plan::kAccuracyBars, 1},
                                          {plan::kCorrections, 1}}));
    const runs::InspectionRecord& record = inspection->record;
    EXPECT_TRUE(record.surveyed);
    EXPECT_EQ(record.above->source, "given");
    // 0.5 is in the eleventh of twenty bars.
    EXPECT_NEAR(record.histogram->counts.at(10), kUsers, 12);
    EXPECT_EQ(record.histogram->counts.size(), 20u);
    EXPECT_EQ(record.a.users.source, "released");
    EXPECT_GT(SharesIn(*inspection).spent, 0);
  }
  outcome_ = {};
  const auto again = Open();
  Price(*again);
  said_.asked.clear();
  Survey(*again);
  EXPECT_TRUE(said_.asked.empty());
  EXPECT_FALSE(EndsWithTooFew(*again)) << again->record.b.users.value;
}

TEST_F(StagesTest, AResumeThatWouldReleaseSomethingElseIsRefused) {
  Price(*Open());
  outcome_ = {};
  Price(*Open());      // the same
  said_.users_a = 30;  // smaller halves
  outcome_ = {};
  EXPECT_EQ(Thrown([&] { Price(*Open()); }).kind(), ErrorKind::kBadInput);
}

TEST_F(StagesTest, OneOfASeriesReleasesWhatTheSeriesPaidFor) {
  const auto alone = Open();
  Price(*alone);
  job_.plan = alone->plan;
  const auto begin = [&](const char* folder) {
    job_.folder = folder;
    outcome_ = {};
    std::filesystem::create_directories(job_.folder);
    const auto inspection = Open();
    Price(*inspection);
    return inspection->plan.name;
  };
  EXPECT_EQ(begin("second"), alone->plan.name);
  job_.plan->runs.back().events.front().count += 1;
  EXPECT_EQ(Thrown([&] { begin("third"); }).kind(), ErrorKind::kBadInput);
}

TEST_F(StagesTest, WithTooFewUsersLeftNothingIsTrainedAndTheRestIsGivenBack) {
  job_.config.survey.count_noise = 0;  // in simulations the exact numbers
  said_.users_b = 1;
  const auto inspection = Open();
  Verify(*inspection);
  Price(*inspection);
  EXPECT_GT(SharesIn(*inspection).taken, 0);
  Survey(*inspection);
  EXPECT_TRUE(EndsWithTooFew(*inspection));
  EXPECT_EQ(said_.configured, 0);
  const dp::Shares shares = SharesIn(*inspection);
  EXPECT_EQ(shares.taken, shares.spent);
  EXPECT_TRUE(inspection->record.b.runs.empty());
  EXPECT_FALSE(inspection->contrast.compared);
}

TEST_F(StagesTest, TooFewUsersOnTheHealthySideAreARefusalAndCostNoModel) {
  job_.config.survey.count_noise = 0;
  said_.users_a = 1;
  const auto inspection = Open();
  Verify(*inspection);
  Price(*inspection);
  Survey(*inspection);
  EXPECT_THROW(EndsWithTooFew(*inspection), Error);
  const dp::Shares shares = SharesIn(*inspection);
  EXPECT_EQ(shares.taken, shares.spent);
}

TEST_F(StagesTest, AnotherJudgeUnderTheSameNameIsRefused) {
  Price(*Open());
  said_.sum = "another";
  outcome_ = {};
  const auto again = Open();
  EXPECT_THROW(Price(*again), Error);
}

}  // namespace
}  // namespace sfumato::inspect
